// The memory models once more, as plainly as they can be said: maps, queues and whole copies, no cleverness.
//
// This is the referee: traces are replayed on it, and tests enumerate whole programs with it. It shares the meaning of
// expressions and steps (ir/steps.h) with the engines, since that is the language's, but not one line about memory:
// what memory/ and ir/buffered_port do fast is done here again from the definitions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cost.h"
#include "ir/program.h"

namespace heddle::check {

enum class NaiveModel : std::uint8_t { Sc, Tso, Pso, Sb1 };
std::optional<NaiveModel> naive_model(std::string_view name);  // by the table of naive_port.cpp

// One access, as it happened.
struct Access {
  enum class Kind : std::uint8_t { ReadMemory, ReadBuffer, Buffered, Wrote, Flushed, Dropped } kind;
  std::uint32_t process;
  std::uint32_t cell;
  std::int32_t value;
  std::int32_t old = 0;             // Wrote, Flushed: what was in memory before
  core::Site from = core::no_site;  // Flushed, ReadBuffer: the edge that made the store
};

class NaivePort {
 public:
  static constexpr bool direct = false;
  using Mark = std::size_t;
  static constexpr unsigned unbounded = 1000000;

  NaivePort(const ir::Program&, NaiveModel, unsigned bound = unbounded);

  // The Port that ir/steps.h asks for.
  std::int32_t* words() { return now_.words.data(); }
  std::int32_t load(std::uint32_t cell);
  bool store(std::uint32_t cell, std::int32_t value, bool atomic);
  void set(std::uint32_t index, std::int32_t value) { now_.words[index] = value; }
  void act(std::uint32_t process) { acting_ = process; }
  bool ready(const ir::Edge&) const;
  bool admit(const ir::Edge&);
  bool drained() const;
  Mark mark();
  void undo(Mark);

  // What memory may do by itself: the entries of a process's buffer that may go now, and letting one go.
  std::vector<unsigned> flushable(std::uint32_t process) const;
  void flush(std::uint32_t process, unsigned index);
  bool empty(std::uint32_t process) const { return now_.buffers[process].empty(); }

  // Everything that is a state, comparable; accesses and costs are not part of it.
  struct Entry {
    std::uint32_t cell;
    std::int32_t value;
    core::Site from;
  };
  struct Contents {
    std::vector<std::int32_t> words;  // of everything but shared cells
    std::map<std::uint32_t, std::int32_t> memory;
    std::vector<std::deque<Entry>> buffers;
    std::vector<Access> accesses;  // since the last take_accesses()
    core::Cost cost;               // … of them
    bool waited_for_room = false;
  };
  const Contents& contents() const { return now_; }
  void restore(const Contents& contents) {
    now_ = contents;
    saved_.clear();
  }
  // A key under which equal states are equal.
  std::vector<std::int32_t> key() const;
  // The flat array with shared cells as main memory has them: for conditions.
  std::vector<std::int32_t> memory_words() const;
  std::vector<Access> take_accesses();
  core::Cost take_cost();

 private:
  const ir::Program& program_;
  NaiveModel model_;
  unsigned bound_;
  std::uint32_t acting_ = 0;
  core::Site site_ = core::no_site;  // of the edge that was admitted last, for entries
  Contents now_;
  std::vector<Contents> saved_;
};

}  // namespace heddle::check
