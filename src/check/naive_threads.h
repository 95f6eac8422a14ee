// Thread programs (core::Program) on the plainest machine there is: memory is a map of bytes, buffers are lists, a
// state is copied whole. The referee for traces of C programs, and the enumerator of the tests.
//
// It shares nothing with memory/ and explore/: what a model allows is written here a second time, from the definitions,
// in other terms. (pso's marks are epochs: an entry waits for all entries of earlier epochs. What a thread waits for
// after an access is a flag of the thread, not an entry.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/naive_races.h"
#include "check/places.h"
#include "core/cost.h"
#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

enum class ThreadModel : std::uint8_t { Sc, Tso, Pso, Lmo, Nsw };
std::optional<ThreadModel> thread_model(std::string_view name);

struct NaiveByte {
  std::uint8_t value = 0;
  std::uint8_t undefined = 0xff;       // its bits without a value
  std::optional<core::Value> pointer;  // this byte is byte `index` of that pointer
  std::uint8_t index = 0;
  bool remains = false;  // of the name, the upper half, of a pointer that has lost another byte of it
  std::size_t writer = RaceEvent::initial;  // the step that issued the store it comes from
};

struct NaiveObject {
  std::uint32_t size = 0;
  core::AllocKind kind = core::AllocKind::Static;
  bool freed = false;
  bool constant = false;
  bool outside = false;  // the memory model
  core::Site allocated_at = core::no_site, freed_at = core::no_site;
};

struct NaiveEntry {
  bool load = false;
  core::Loc loc;
  core::Value value;
  core::Slot slot = 0;
  core::Site site = core::no_site;
  unsigned epoch = 0;                      // pso
  std::size_t made = 0;                    // the step that issued it
  core::Order order = core::Order::Plain;  // of a load
  std::string name;                        // of the location, as the access called it
};

struct NaiveThread {
  core::Local local;
  std::uint32_t entry = 0;
  mutable std::string name;   // for people, once it is known
  core::SourcePlace started;  // where the program starts it, if it does
  std::vector<NaiveEntry> buffer;
  unsigned epoch = 0;
  bool until_empty = false;     // does nothing until its buffer is empty
  bool until_no_loads = false;  // … until no load is in it
};

// What one move did.
struct NaiveReport {
  std::vector<core::Effect> effects;
  core::Cost cost;
  core::Site site = core::no_site;
  std::string action;
  std::optional<core::Failure> failure;  // the program went wrong
  RaceEvent event;  // what happens-before makes of it; for reads also which steps wrote what was read
  std::optional<std::size_t> flushes;    // the step that issued the store that now reached memory
  std::vector<core::NamedStack> stacks;  // … and what that is about: who failed, who allocated and freed the object
  bool spurious = false;                 // a compare-exchange failed though the values are equal
};

class NaiveThreads {
 public:
  static constexpr unsigned unbounded = 1000000;  // entries of a buffer

  // `history`: remembers the stacks of allocations and frees, for reports.
  NaiveThreads(const core::Program&, ThreadModel, unsigned bound, bool history = false);

  // Performs the request of a thread; `choice` answers a Choose, and is 1 for a compare-exchange that fails spuriously and
  // for a request that waits in vain: it reads, and the thread stays where it is.
  // False if that is not possible now; the state is then as before.
  bool step(core::Tid, std::uint32_t choice, NaiveReport* = nullptr);
  std::vector<unsigned> flushable(core::Tid) const;
  void flush(core::Tid, unsigned index, NaiveReport* = nullptr);

  core::Request request(core::Tid t) const { return program_->request(threads[t].local); }
  // The thread that is in the middle of an atomic section, if one is: nobody else steps or flushes meanwhile.
  std::optional<core::Tid> inside() const;
  bool waited_for_room() const { return waited_for_room_; }
  bool ended() const { return ended_; }
  bool has_ended(core::Tid t) const;
  std::string key() const;            // equal for equal states (objects by their names)
  std::string canonical_key() const;  // equal for states that are equal up to the names of objects
  core::Answer read(const core::Loc&) const;
  std::string thread_name(core::Tid) const;
  const Allocations& allocations() const { return allocated_; }

  std::vector<NaiveThread> threads;
  std::map<std::uint32_t, NaiveObject> objects;
  std::map<std::pair<std::uint32_t, std::uint32_t>, NaiveByte> bytes;

 private:
  core::Fault write(const core::Loc&, const core::Value&, std::size_t writer);
  std::vector<std::size_t> writers(const core::Loc&) const;
  core::Fault fault(const core::Loc&, bool writes) const;
  core::Answer see(const NaiveThread&, const core::Loc&, bool& own, std::vector<std::size_t>& from) const;
  static RaceEvent access_event(core::Tid, const core::Request&);
  bool wait_in_vain(core::Tid, const core::Request&, NaiveReport&) const;
  bool perform_step(core::Tid, std::uint32_t choice, NaiveReport&);
  bool memory_request(core::Tid, const core::Request&, std::uint32_t choice, NaiveReport&);
  struct Waiting;
  bool defers_loads() const;
  bool fence_request(core::Tid, const core::Request&, const Waiting&, NaiveReport&);
  bool rmw_request(core::Tid, const core::Request&, const Waiting&, std::uint32_t choice, NaiveReport&);
  bool store_request(core::Tid, const core::Request&, const Waiting&, NaiveReport&);
  bool load_request(core::Tid, const core::Request&, const Waiting&, NaiveReport&);
  bool late_load(core::Tid, const core::Request&, const Waiting&, NaiveReport&);
  bool other_request(core::Tid, const core::Request&, std::uint32_t choice, NaiveReport&);
  bool free_request(core::Tid, const core::Request&, NaiveReport&);
  std::optional<core::Failure> leak(std::vector<core::NamedStack>&) const;
  bool at_once(core::Tid, const core::Request&, std::uint32_t choice, NaiveReport&);
  void resume(core::Tid, const core::Answer&, NaiveReport&);
  void settle(NaiveThread&);
  void initialise(std::uint32_t object, const core::GlobalObject&);
  void note_failure(core::Tid, NaiveReport&) const;
  std::set<std::uint32_t> leaked() const;
  void remember(core::Tid, std::uint32_t object, bool freed);
  void explain(core::Tid, std::uint32_t object, NaiveReport&) const;
  std::string name(const core::Loc&, core::Tid) const;
  core::Effect access(core::Effect::Kind, const core::Loc&, core::Tid, std::string value, std::string old = {}) const;
  std::string show(const core::Value&, const core::Loc&) const;

  // Where the objects of the heap came from and went: only replays ask for it, and it is no part of a state.
  Allocations allocated_, freed_;

  const core::Program* program_;
  ThreadModel model_;
  unsigned bound_;
  std::uint32_t next_object_ = 1;
  std::size_t steps_ = 0;  // that were made so far
  bool ended_ = false;
  bool waited_for_room_ = false;
  bool with_history_ = false;
};

}  // namespace heddle::check
