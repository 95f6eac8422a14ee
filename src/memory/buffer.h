// A thread's buffer and main memory, as every machine sees them.
//
// A buffer is a sequence of entries, oldest first. Beside stores it may hold marks and waits, by which a machine
// remembers what it still owes to a barrier, and pending loads (lmo, nsw). Entries carry no history: two buffers with
// equal entries have equal futures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"

namespace heddle::memory {

struct Entry {
  enum class Kind : std::uint8_t {
    Store,
    Load,      // pending; `slot` is the register it is for
    Mark,      // no store behind it leaves before everything in front of it has
    WaitAll,   // the thread does nothing until everything in front of it has gone
    WaitLoads  // the thread does nothing until no load is in front of it
  };
  Kind kind = Kind::Store;
  core::Slot slot = 0;
  core::Loc loc;
  core::Value value;
  bool joined = false;     // Store: reaches memory in one step with the store before it
  std::uint32_t note = 0;  // the engine's: machines carry it along and never look at it
  friend bool operator==(const Entry&, const Entry&) = default;
};

using Buffer = std::vector<Entry>;

// Main memory M. Reading and writing check that the location exists; nothing else.
class Cells {
 public:
  virtual ~Cells() = default;
  virtual core::Answer read(const core::Loc&) = 0;
  virtual core::Fault write(const core::Loc&, const core::Value&) = 0;
};

unsigned count_stores(const Buffer&);                                // joined ones count once
bool any_overlap(const Buffer&, const core::Loc&, std::size_t end);  // does one of the first `end` entries overlap?
bool overlaps_store(const Buffer&, const core::Loc&);
bool loads_pending(const Buffer&, std::uint32_t object);

// The value that the thread sees at `loc`: byte by byte the newest store that covers the byte, else M.
// A pointer that is put together from parts of different stores is no pointer any more.
struct Seen {
  core::Answer answer;
  bool from_buffer = false;  // at least one byte
};
Seen see(const Buffer&, Cells&, const core::Loc&);

// `part` at loc.offset within `whole` at base.offset. A part of a pointer is marked as one.
core::Value extract(const core::Value& whole, const core::Loc& base, const core::Loc& part);

}  // namespace heddle::memory
