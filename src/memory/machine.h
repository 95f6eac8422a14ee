// A memory model as an abstract machine: what happens to a thread's request, and what memory does by itself.
//
// A machine is stateless: buffers and main memory are handed in. perform() either acts and says Done (with an answer),
// says NotNow and leaves everything as it was, or says Deferred (the answer comes by a later flush()). The machines
// are those of the models' definitions, one file each; models.h lists them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cost.h"
#include "core/program.h"
#include "memory/buffer.h"

namespace heddle::memory {

enum class Outcome : std::uint8_t { Done, NotNow, Deferred };

struct Performed {
  Outcome outcome = Outcome::Done;
  core::Answer answer;
  core::Cost cost;
  bool full = false;         // NotNow only because the buffer is bounded
  bool from_buffer = false;  // a load that saw (partly) its own buffered store
};

struct Flushed {
  core::Fault fault = core::Fault::None;  // the store hit memory that does not exist (any more)
  std::optional<core::Slot> deliver;      // a pending load was performed: its register …
  core::Answer answer;                    // … and what it read
  core::Cost cost;
};

// What engines and reductions may rely on. A machine that declares nothing is explored without reduction.
struct Traits {
  bool fifo = false;           // a thread's stores reach memory in program order
  bool slots = false;          // one place per location, whatever the bound; a second store replaces the first
  bool silent_stores = false;  // a store that enters a buffer with room commutes with what all other threads do
  bool joint_stores = false;   // the stores of one step can enter the buffer, and leave it, together
  // Stores to different locations leave the buffer independently: memory fairness is one promise per thread and
  // location, otherwise one per thread.
  bool by_location = false;
  // A store that no other thread can notice may stay in the buffer until something needs it gone (explore/sleepers.h).
  bool private_stores_sleep = false;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::string_view name() const = 0;
  virtual Traits traits() const { return {}; }
  virtual bool has_buffers() const { return true; }
  virtual bool defers_loads() const { return false; }

  // Requires kind Load, Store, Rmw or Fence. `bound` limits the stores in the buffer.
  virtual Performed perform(Buffer&, Cells&, const core::Request&, unsigned bound) const = 0;

  // The entries that memory may perform now, by their index.
  virtual void flushable(const Buffer&, std::vector<unsigned>& indices) const = 0;
  virtual Flushed flush(Buffer&, Cells&, unsigned index) const = 0;

  // Is the thread held by a wait that an earlier access left behind? Then it does nothing at all.
  virtual bool held(const Buffer&) const { return false; }
};

// Every request acts on M at once: sc, and locked steps of the other machines.
// A load or Cas that `waits` and does not find what it waits for is NotNow.
Performed perform_on_memory(Cells&, const core::Request&);

// A load that sees the thread's own buffer before M (tso, pso).
Performed load_through_buffer(const Buffer&, Cells&, const core::Request&);

// Entry `index` is performed on memory and leaves, and the stores joined to it do; waits and marks that have nothing in
// front any more leave too.
Flushed perform_entry(Buffer&, Cells&, unsigned index);

// The object goes, and the thread's own entries for it do with it; so do waits and marks that have nothing in front any
// more.
void drop_entries(Buffer&, std::uint32_t object);

// Did this rmw, which read `old`, write?
bool wrote(const core::Request&, const core::Value& old);

}  // namespace heddle::memory
