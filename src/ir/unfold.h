// Threads that answer requests (core/program.h) as an ir program: the counterpart of ir/as_threads.h, for engines that
// take processes over shared cells (buffers/).
//
// A control state is a local state of the thread, at rest before a request that another thread could notice; what nobody
// can notice (accesses to constants and to the thread's own objects) belongs to the step before. Cells are the locations
// of global variables that are accessed, and a few for threads: how many there are, with what each begins, who has ended.
// A load has one edge for each value that it has been answered with. A value without an edge leads to the process's
// *hole*: an engine that reaches a hole has it answered, and begins again with the larger program; a program whose holes
// cannot be reached shows all that the threads can do. Values are numbered: a small one is its own number.
//
// Local states are finitely many only if the threads have no more; what does not fit (the heap, addresses of local
// variables that other threads get, locations that overlap, …) leads to a control state that says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/program.h"
#include "core/trace.h"
#include "ir/buffer_sets.h"
#include "ir/private_objects.h"
#include "ir/program.h"

namespace heddle::ir {

class Unfolding {
 public:
  static constexpr std::uint32_t most_threads = 16;

  // The program must outlive the unfolding.
  Unfolding(const core::Program&, StoreOrder);

  // The value `value` as the answer to what thread `thread` requests in its local state `local`.
  struct Question {
    std::uint32_t thread = 0, local = 0;
    std::int32_t value = 0;
  };
  // False: there is no such question.
  bool answer(const Question&);
  // Answers requests by all values that some thread stores into the cell, up to a size of `most`.
  void grow(std::size_t most, const core::Budget&);
  std::size_t local_states() const;
  std::size_t size() const { return local_states() + history_.size(); }
  // All that were answered so far, in their order: these answers make the same unfolding again.
  const std::vector<Question>& history() const { return history_; }
  bool met_weak_cas() const { return weak_cas_; }

  struct Unfolded {
    Program program;
    // By process and edge: the requests behind the edge, as choices of single moves of its thread.
    std::vector<std::vector<std::vector<std::uint32_t>>> choices;
    // What threads that run from the start do before their first control state.
    std::vector<std::vector<std::uint32_t>> first_choices;
    // By the site of a failed assertion: empty if the thread fails, else what it does that is not supported.
    std::vector<std::string> unsupported;
  };
  // `closed`: an assertion fails in holes.
  Unfolded unfolded(bool closed) const;
  // The holes among the local states of a proof about the program: questions that have no answer yet.
  std::vector<Question> holes(const BufferSets&) const;

  // Threads that wait for each other's locks in a circle, in a state of the proof. Others may go on for ever, so that
  // this is no deadlock of the ir program.
  bool has_lock_cycle(const BufferSets&) const;

 private:
  struct Target {
    std::uint32_t local = 0;
    std::vector<std::pair<std::uint32_t, std::int32_t>> stores;  // cells and values
    bool atomic = false;                                         // … which reach memory at once
    bool fence = false;                                          // needs an empty buffer
    bool holds = false;                                          // an atomic section goes on
    std::vector<std::uint32_t> choices;
  };
  struct Guarded {
    enum class When : std::uint8_t { Always, HasEnded, IsNone } when = When::Always;  // thread `other`
    std::uint64_t other = 0;
    Target target;
  };
  struct LocalState {
    enum class Kind : std::uint8_t {
      Asks,   // a value of `cell`
      Steps,  // by one of `steps`
      Failed,
      Unsupported,
      StandsStill,
      Unborn,  // not created yet: asks what it begins with
      Final    // has ended
    } kind = Kind::Steps;
    core::Local local;
    PrivateObjects objects;
    core::Request request;
    std::string why;  // Failed, Unsupported
    std::uint32_t cell = 0;
    std::map<std::int32_t, std::optional<Target>> answers;  // nothing: the request waits for another value
    std::size_t tried = 0;                                  // values of the cell that grow() has come to
    std::vector<Guarded> steps;

    bool asks() const { return kind == Kind::Asks || kind == Kind::Unborn; }
    void refuse(std::string reason) {
      kind = Kind::Unsupported;
      why = std::move(reason);
    }
  };
  struct Thread {
    std::uint32_t entry = 0;
    std::string function;  // the first of the program's own that it was seen in
    std::deque<LocalState> states;
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::vector<std::uint32_t> first;
    std::uint32_t start = 0, ended = 0;  // cells
  };
  struct Cell {
    std::string name;
    core::Loc loc;
    std::int32_t initial = 0;
    std::vector<std::int32_t> values;  // that it may have
  };
  struct Birth {
    std::uint32_t entry = 0;
    core::Value argument;
    PrivateObjects objects;
  };
  // A thread between two control states.
  struct Running {
    std::uint32_t thread = 0;
    core::Local local;
    PrivateObjects objects;
    std::vector<std::uint32_t> choices;
    std::string unsupported;
  };

  std::uint32_t add_cell(std::string name, core::Loc, std::int32_t initial);
  void add_thread(bool spawned);
  std::uint32_t global_objects() const { return static_cast<std::uint32_t>(program_.globals().size()); }

  // What a request is to other threads.
  bool unnoticed(const PrivateObjects&, const core::Request&) const;
  bool waits_for_buffer(const core::Request&) const;
  bool marks(const core::Request&) const;
  bool is_outside(const core::Loc&) const;
  core::Fault fault_of(const PrivateObjects&, const core::Loc&, bool writes) const;

  class OwnMemory;
  void act(Running&, const core::Request&) const;  // a request that nobody notices
  void allocate(Running&, const core::Request&) const;
  void free(Running&, const core::Request&) const;
  void resume(Running&, const core::Answer&, std::uint32_t choice = 0) const;
  std::set<std::uint32_t> mentioned(const Running&) const;
  void settle(Running&) const;
  std::uint32_t arrive(Running);
  std::uint32_t special(std::uint32_t thread, LocalState::Kind, std::string why);

  void expand_all();
  void expand(std::uint32_t thread, std::uint32_t local);
  void expand_access(LocalState&);
  void expand_store(std::uint32_t thread, LocalState&);
  void expand_join(std::uint32_t thread, LocalState&);
  void expand_choice(std::uint32_t thread, LocalState&);
  // The step that ends in `running`, whose last request was `request`.
  Target target(Running running, const core::Request& request);
  std::optional<Target> answered(std::uint32_t thread, std::uint32_t local, std::int32_t value);
  std::optional<Target> accessed(std::uint32_t thread, const LocalState&, std::int32_t value);
  Target spawn(std::uint32_t thread, const LocalState&, std::int32_t number);
  Target born(std::uint32_t thread, std::int32_t birth);

  // Nothing: it overlaps another cell.
  std::optional<std::uint32_t> cell_of(const core::Loc&, core::ConstLocal);
  std::string overlap(const core::Loc&, core::ConstLocal) const;
  std::int32_t number_of(const core::Value&, std::uint32_t size);
  core::Value value_of(std::int32_t number, std::uint32_t size) const;
  void stores(Target&, std::uint32_t cell, std::int32_t value);

  class Builder;

  const core::Program& program_;
  const StoreOrder order_;
  std::vector<std::vector<core::Value>> contents_;  // of global objects, at the start
  std::deque<Thread> threads_;
  std::vector<Cell> cells_;
  std::map<core::Loc, std::uint32_t> cell_numbers_;
  std::uint32_t spawned_ = 0, exited_ = 0, mark_ = none;  // cells
  std::vector<Birth> births_;                             // by the value of a start cell, from 1
  std::map<std::string, std::int32_t> birth_numbers_;
  std::vector<core::Value> rare_values_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, bool>, std::int32_t> rare_numbers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> todo_;  // threads and local states to be expanded
  std::vector<Question> history_;
  bool weak_cas_ = false;
};

}  // namespace heddle::ir
