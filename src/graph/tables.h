// What the exploration remembers of a program, by number: local states, their requests, where an answer leads,
// locations, threads and objects. Re-running a thread is then a table look-up.
//
// Numbers of states and locations belong to one worker. Names of threads (parent, k-th spawn) and of objects (thread,
// k-th allocation) do not depend on the schedule and are shared by all workers: what one finds, another can repeat.
// With `history` set a state stands for the whole run of its thread (its dependencies need that), and `same` tells
// which states have equal bytes; otherwise states are equal iff their bytes are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/evidence.h"
#include "core/program.h"

namespace heddle::graph {

using StateId = std::uint32_t;
using LocId = std::uint32_t;
using ThreadId = std::uint32_t;
inline constexpr std::uint32_t none = 0xffffffff;

struct ObjectInfo {
  std::uint32_t size = 0;
  core::AllocKind kind = core::AllocKind::Heap;
  bool constant = false;
  bool global = false;
  std::uint32_t contents = 0;  // the global object that its initial contents are copied from; 0: none, undefined
  ThreadId by = none;          // who allocated it, as its how-manieth
  std::uint32_t ordinal = 0;

  bool exists() const { return global || by != none; }  // malloc(0) gives an object of no bytes
};

// Names of threads and objects, for all workers.
class Names {
 public:
  explicit Names(const core::Program&);
  ThreadId spawned(ThreadId parent, std::uint32_t k, std::uint32_t entry);
  std::uint32_t allocated(ThreadId by, std::uint32_t k, std::uint32_t size, core::AllocKind, std::uint32_t contents);
  ObjectInfo object(std::uint32_t number) const;  // size 0 and not global: there is none
  std::uint32_t thread_count() const;
  std::uint32_t entry(ThreadId) const;
  // The pieces of an access, in ascending order: bytes that no access known so far has cut. One that cuts a piece that
  // was handed out before makes all that was explored with it void: `refinements` counts these.
  std::vector<core::Loc> pieces(const core::Loc&);
  std::uint32_t refinements() const { return refinements_.load(std::memory_order_relaxed); }
  // Likewise where something else turned out to be otherwise than assumed.
  void void_all() { ++refinements_; }
  // Threads that turned out not to be symmetric (graph/symmetry.h). Makes what was explored void, too.
  void keep_apart(const std::vector<ThreadId>&);
  bool kept_apart(ThreadId) const;
  // From now on only this thread and two others are taken as symmetric, or coherence decides less (graph/symmetry.h).
  void narrow_symmetry(ThreadId eldest);
  ThreadId narrowed_to() const { return narrowed_.load(std::memory_order_relaxed); }
  // After so many equal rounds of a waiting thread one more is redundant (graph/spinloops.h). Asking for more makes what
  // was explored void.
  void need_rounds(std::uint32_t);
  std::uint32_t most_rounds() const { return rounds_.load(std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  std::map<std::tuple<ThreadId, std::uint32_t, std::uint32_t>, ThreadId> threads_;
  std::map<std::tuple<ThreadId, std::uint32_t, std::uint32_t, std::uint8_t, std::uint32_t>, std::uint32_t> objects_;
  std::vector<ObjectInfo> object_info_;                                     // by number; 0 is null
  std::vector<std::uint32_t> entries_;                                      // by thread
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> pieces_;  // of each object: begin, end
  std::vector<bool> apart_;                                                 // by thread
  std::atomic<std::uint32_t> refinements_{0};
  std::atomic<ThreadId> narrowed_{none};
  std::atomic<std::uint32_t> rounds_{1};
};

class PromiseBook;

struct LocInfo {
  core::Loc loc;
  core::Value initial;
  ThreadId by = none;  // of its object, see ObjectInfo
  std::uint32_t ordinal = 0;
};

// A state's request with what follows from it at once.
struct Step {
  core::Request request;
  LocId loc = none;
  std::uint16_t pieces = 1;  // more than one: their locations are loc, loc_of(step, 1), …
  std::uint32_t more_pieces = 0;
  core::Fault fault = core::Fault::None;  // memory refuses the access, whatever the others do
};

class Tables {
 public:
  // `drops`: where to note what is left out; null: nowhere. `compiled`: see Options.
  Tables(const core::Program&, Names&, bool history, bool spurious_cas = false, core::Drops* drops = nullptr,
         bool compiled = true);
  bool compiled() const { return compiled_; }

  StateId start(std::uint32_t entry, const core::Value& arg, ThreadId self);
  const Step& step(StateId s) const { return states_[s].step; }
  StateId next(StateId s, const core::Answer&);
  StateId same(StateId s) const { return brief_[s].same; }
  // Parts of the step that are asked for most.
  core::Kind kind(StateId s) const { return brief_[s].kind; }
  core::Site site(StateId s) const { return brief_[s].site; }
  // Of two states that are the same: has the latter all dependencies of the former (core::Shadow::within)?
  bool depends_within(StateId s, StateId later, const core::Shadow::Inside& inside) const {
    return !history_ || s == later || states_[s].shadow->within(*states_[later].shadow, inside);
  }
  core::ConstLocal local(StateId s) const { return {bytes_.data() + states_[s].begin, states_[s].length}; }
  bool has_history() const { return history_; }
  // Both require history; equal dependencies have one number.
  const core::Deps& deps(StateId s) const { return *deps_[states_[s].deps]; }
  std::uint32_t deps_number(StateId s) const { return states_[s].deps; }

  const LocInfo& location(LocId l) const { return locations_[l]; }
  const std::vector<LocId>& locations_of(std::uint32_t object) const {
    static const std::vector<LocId> nothing;
    return object < by_object_.size() ? by_object_[object] : nothing;
  }
  core::Value initial_value(const core::Loc&) const;
  // An answer that led from one state to the other, if one did. Looks through all of them.
  std::optional<core::Answer> answer(StateId from, StateId to) const;
  LocId loc_of(const Step& s, unsigned piece) const { return piece == 0 ? s.loc : pieces_[s.more_pieces + piece - 1]; }
  std::uint32_t location_count() const { return static_cast<std::uint32_t>(locations_.size()); }
  std::uint32_t state_count() const { return static_cast<std::uint32_t>(states_.size()); }
  std::uint64_t bytes() const;

  // The program is beyond this engine, found while running it.
  bool unsupported() const { return unsupported_; }
  core::Drops& drops() const { return *drops_; }
  bool has_weak_cas() const { return weak_cas_; }    // some thread came to a weak compare-exchange
  bool has_addresses() const { return addresses_; }  // … used an address as a number
  bool has_atomic_steps() const { return atomic_steps_; }
  bool has_size_questions() const { return size_questions_; }
  bool has_pieces() const { return !pieces_.empty(); }
  // What the numbers of promised reads stand for (graph/promises.h); null if there are none.
  const PromiseBook* promises() const { return promises_; }
  void set_promises(const PromiseBook& book) { promises_ = &book; }
  // Another access cuts a location of these tables: nothing that was found with them counts.
  bool stale() const { return names_.refinements() != refinements_; }

 private:
  struct State {
    std::uint64_t begin = 0;
    std::uint32_t length = 0;
    StateId same = 0;
    core::Answer last_answer;
    StateId last_next = none;
    Step step;
    std::unique_ptr<core::Shadow> shadow;
    std::uint32_t deps = 0;
  };
  // What threads are picked and loops are found by, next to each other.
  struct Brief {
    StateId same = 0;
    core::Site site = core::no_site;
    core::Kind kind = core::Kind::Ended;
  };
  struct Edge {
    StateId from = none, to = none;
    core::Answer answer;
  };

  struct DepsLess {
    bool operator()(const core::Deps& a, const core::Deps& b) const {
      return std::tie(a.addr, a.data, a.ctrl) < std::tie(b.addr, b.data, b.ctrl);
    }
  };

  StateId intern(const core::Local&, std::unique_ptr<core::Shadow>);
  std::uint32_t intern(core::Deps);
  LocId intern(const core::Loc&);
  std::string_view beyond(const core::Request&) const;  // why the engine cannot handle it; empty if it can
  core::Fault fault_of(const core::Request&) const;     // of an access, whatever the others do
  void decode(State&);
  Edge* find(StateId, const core::Answer&);
  void grow_edges();

  const core::Program& program_;
  Names& names_;
  const bool history_, spurious_cas_, compiled_;
  std::vector<State> states_;
  std::vector<Brief> brief_;  // of each state
  std::vector<std::byte> bytes_;
  std::unordered_multimap<std::uint64_t, StateId> by_bytes_, by_history_;  // the latter by bytes and shadow
  std::vector<Edge> edges_;                                                // open addressing, a power of two
  std::size_t edge_count_ = 0;
  std::map<std::tuple<std::uint32_t, ThreadId, std::uint64_t, std::uint64_t, bool>, StateId> starts_;
  std::vector<LocInfo> locations_;
  std::map<core::Loc, LocId> by_loc_;
  std::vector<std::vector<LocId>> by_object_;
  std::vector<LocId> pieces_;
  std::map<core::Deps, std::uint32_t, DepsLess> deps_numbers_;
  std::vector<const core::Deps*> deps_;  // keys of deps_numbers_
  const std::uint32_t refinements_;
  core::Drops own_drops_;
  core::Drops* drops_;
  const PromiseBook* promises_ = nullptr;
  bool unsupported_ = false;
  bool atomic_steps_ = false;
  bool size_questions_ = false;
  bool weak_cas_ = false;
  bool addresses_ = false;
  core::Local scratch_;
};

}  // namespace heddle::graph
