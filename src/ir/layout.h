// How the flat array of ir::Program is packed into a state vector of 32-bit slots, and back.
//
// Every word has a field of just enough bits for the values that it can hold (ir/ranges.h); no field crosses a slot.
// The order of slots decides how well the state store compresses: what changes together lies together. So each
// process's control state and locals are followed by the shared cells that it writes, alone or with one other (a fork
// of two philosophers, a channel between two); then come the cells that more write. Cells that nobody writes have no
// field at all. A process's group begins a new slot unless all of it fits into the rest of the last one. The tree over
// the slots is cut where half of the bits lie on each side: two halves of about equal variety have about the square
// root of the number of states as values.
//
// pack_changed() rewrites only the fields that a step changed. Hot; watched by bench/ir_bench.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::ir {

struct Field {
  std::uint32_t slot = none;  // none: never changes, always as in the image
  std::uint32_t mask = 0;     // not shifted
  std::uint8_t shift = 0;
  std::uint8_t sign = 0;  // 32 - width for signed fields, 0 for unsigned ones
};

class Layout {
 public:
  // With `buffers`, behind each process's group there is a slot for the number of its store buffer's contents, which
  // changes when the process moves; pack() leaves it zero and nothing else here touches it.
  explicit Layout(const Program&, bool buffers = false);

  std::uint32_t slots() const { return slots_; }
  std::uint32_t first_half() const { return first_half_; }  // how many of them are before the cut; 0: no matter
  std::uint32_t buffer_slot(std::uint32_t process) const { return buffer_slots_[process]; }
  const Field& field(std::uint32_t word) const { return fields_[word]; }

  // All slots, from words. Requires room for slots().
  void pack(const std::int32_t* words, std::uint32_t* out) const {
    for (std::uint32_t i = 0; i < slots_; ++i) out[i] = 0;
    for (const Placed& p : placed_)
      out[p.field.slot] |= (static_cast<std::uint32_t>(words[p.word]) & p.field.mask) << p.field.shift;
  }
  // All words that can change.
  void unpack(const std::uint32_t* in, std::int32_t* words) const {
    for (const Placed& p : placed_) words[p.word] = get(p.field, in);
  }
  // One word anew.
  void pack_word(std::uint32_t word, std::int32_t value, std::uint32_t* out) const {
    const Field& f = fields_[word];
    if (f.slot == none) return;
    const std::uint32_t bits = static_cast<std::uint32_t>(value) & f.mask;
    HEDDLE_ASSERT(static_cast<std::int32_t>(bits << f.sign) >> f.sign == value);  // else two states would be one
    out[f.slot] = (out[f.slot] & ~(f.mask << f.shift)) | bits << f.shift;
  }
  // The words that `changes` names, anew. `out` holds the state before.
  template <class Changes>
  void pack_changed(const Changes& changes, const std::int32_t* words, std::uint32_t* out) const {
    for (const auto& change : changes) pack_word(change.index, words[change.index], out);
  }
  // One word of a packed state. Requires that it has a field.
  std::int32_t unpack_word(std::uint32_t word, const std::uint32_t* in) const { return get(fields_[word], in); }

 private:
  struct Placed {
    Field field;
    std::uint32_t word;
  };
  static std::int32_t get(const Field& f, const std::uint32_t* in) {
    const std::uint32_t value = (in[f.slot] >> f.shift) & f.mask;
    return static_cast<std::int32_t>(value << f.sign) >> f.sign;
  }

  std::vector<Field> fields_;                // by word
  std::vector<Placed> placed_;               // in the order of slots
  std::vector<std::uint32_t> buffer_slots_;  // by process; empty without buffers
  std::uint32_t slots_ = 0;
  std::uint32_t first_half_ = 0;
};

}  // namespace heddle::ir
