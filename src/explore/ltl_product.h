// The product of a transition system and an automaton over its propositions, one state at a time.
//
// A product state is the system's slots and behind them the automaton's state; without an automaton it is the system's
// state. Acceptance sets are numbered: marks of the automaton's edges, its sets by letters, the system's own
// acceptance, threads (process fairness), sets of memory fairness. What a state fulfils, every step from it does; the
// letter of a step is read in its source. Inside an atomic section (View::held) no letter is read: the automaton stays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/transition_system.h"
#include "explore/ltl.h"
#include "explore/pace.h"

namespace heddle::explore {

class LtlProduct final : private core::SuccessorSink {
 public:
  LtlProduct(const core::TransitionSystem&, const LtlQuery&);

  std::size_t fixed_length() const;
  bool has_automaton() const { return query_.violations != nullptr; }
  std::size_t automaton_states() const { return query_.violations == nullptr ? 1 : query_.violations->states(); }
  std::size_t first_half() const { return system_.first_half(); }
  std::vector<std::uint32_t> initial();

  std::uint32_t sets() const { return sets_; }  // of acceptance
  std::size_t words() const { return words_; }  // of a set of acceptance sets
  std::span<const std::uint64_t> all_sets() const { return all_; }

  // What expand() found out about the state. Valid until the next call.
  struct Arc {
    core::State target;
    std::span<const std::uint64_t> marks;  // beside those of the state
    core::Move move;
    bool stutters;  // the system rests: it has ended
  };
  // Prepares the arcs of a product state. False if that meets an error (error(), error_move()).
  bool expand(core::State product_state);
  std::span<const std::uint64_t> state_marks() const { return state_marks_; }
  template <class Visit>
  void each_arc(Visit&& visit) {
    for (const std::uint32_t edge : edges_)
      for (std::size_t i = 0; i < steps_.size(); ++i) visit(arc(edge, i));
  }
  std::size_t arcs() const { return edges_.size() * steps_.size(); }
  // The system's steps by themselves: each_arc() goes through all of them for one edge of the automaton, then for the next.
  std::size_t steps() const { return edges_.empty() ? 0 : steps_.size(); }
  core::State step_target(std::size_t i) const {  // without the automaton's state
    return {slots_.data() + steps_[i].begin, steps_[i].length - (query_.violations != nullptr ? 1 : 0)};
  }

  const std::optional<LtlResult::Error>& error() const { return error_; }  // its moves: only the step that went wrong
  void watch_long_steps(std::function<bool()> poll) { long_step_.watch(std::move(poll)); }

 private:
  struct Step {
    std::uint32_t begin, length;  // in slots_; the automaton's state included
    core::Move move;
    std::uint32_t memory_set;
  };

  void successor(const core::Successor&) override;
  void withheld(std::uint32_t thread) override;
  bool enough() const override { return long_step_.over(); }
  bool look(core::State);
  void add_memory_atoms();
  void mark_state();
  Arc arc(std::uint32_t edge, std::size_t step);
  static void set(std::vector<std::uint64_t>& bits, std::uint32_t bit) {
    bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

  const core::TransitionSystem& system_;
  const LtlQuery& query_;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_;
  std::uint32_t by_letter_, own_, threads_, memory_, sets_;  // first set of each kind; how many there are
  std::size_t words_;
  std::vector<std::uint64_t> all_;

  core::View view_;
  std::uint32_t automaton_state_ = 0;
  std::vector<std::uint32_t> edges_;  // of the automaton that the letter allows
  std::vector<std::uint32_t> slots_;
  std::vector<Step> steps_;
  std::vector<std::uint64_t> enabled_;  // by thread
  std::vector<std::uint64_t> state_marks_, arc_marks_;
  bool stutters_ = false, cut_off_ = false;
  std::optional<LtlResult::Error> error_;
  mutable LongStep long_step_;
};

}  // namespace heddle::explore
