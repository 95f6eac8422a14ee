// Objects of a thread that no other thread can reach: local variables whose address is taken, thread-local variables,
// the runtime library's records. Where a program is unfolded (ir/unfold.h) they are a part of the thread's local state.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"

namespace heddle::ir {

class PrivateObjects {
 public:
  enum class Life : std::uint8_t {
    Live,
    Freed,
    Elsewhere  // it was handed to another thread, and a pointer to it is left
  };
  struct Object {
    std::uint32_t name = 0, size = 0;
    core::AllocKind kind = core::AllocKind::Stack;
    Life life = Life::Live;
    std::vector<core::Value> words;  // of eight bytes; empty unless it is live
  };

  const Object* find(std::uint32_t name) const;
  // A new object with the least name above `globals` that neither an object here nor a pointer has.
  std::uint32_t add(std::uint32_t globals, std::uint32_t size, core::AllocKind,
                    const std::set<std::uint32_t>& mentioned);
  void initialise(std::uint32_t name, const core::GlobalObject& contents);
  // Require a live object and a range inside it. Nothing or false: a pointer would have to be taken apart.
  std::optional<core::Value> read(const core::Loc&) const;
  bool write(const core::Loc&, const core::Value&);
  void free(std::uint32_t name);
  void add(Object object) { objects_.push_back(std::move(object)); }
  // Takes out the object `name` and all that are reachable from it by pointers, also those that are elsewhere already.
  std::vector<Object> hand_over(std::uint32_t name);
  // The names of objects that live objects point to.
  void mentions(std::set<std::uint32_t>&) const;
  // Forgets what nothing points to.
  void keep_only(const std::set<std::uint32_t>& mentioned);
  void append_key(std::string&) const;  // equal for equal contents

 private:
  Object* own(std::uint32_t name);
  std::vector<Object> objects_;  // by name
};

// `size` bytes from `offset` on, of words of eight bytes that hold a sequence of values. Nothing: a pointer would have
// to be taken apart.
std::optional<core::Value> read_words(const std::vector<core::Value>& words, std::uint32_t offset, std::uint32_t size);
// The initial contents of a global object.
std::vector<core::Value> words_of(const core::GlobalObject&);

}  // namespace heddle::ir
