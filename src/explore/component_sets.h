// Sets of product states that are known to lie in one strongly connected component, shared by all workers of a search:
// the iterable union-find of Bloemen, Laarman and van de Pol ("Multi-Core On-The-Fly SCC Decomposition", PPoPP 2016).
//
// A set knows which workers have it on their path, and lists its states some of whose arcs nobody has followed yet
// (*unfinished* ones). It is *complete* once there are none: then it is the whole component.
//
// Every state is at first a set of its own that nobody has entered: zeroed memory. A state takes twelve bytes: its
// parent in the forest, the next state of the cyclic list, and a word of flags and workers of which only the root's
// counts. Roots are locked by a bit of that word, two of them in the order of their numbers, so that workers cannot
// wait for each other in a circle; no worker does anything else while it holds one. Of two roots the one with the
// greater hash stays: a random order, by which trees have logarithmic expected depth.
//
// Rules: all functions may be called from several threads at once. Requires reserve() of every number that is used, in
// this thread or one that told this one of the number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "explore/ltl_states.h"

namespace heddle::explore {

class ComponentSets {
 public:
  using Number = std::uint32_t;
  static constexpr unsigned most_workers = 28;

  explicit ComponentSets(unsigned automaton_bits) : nodes_(automaton_bits) {}

  void reserve(Number state) { nodes_.reserve(state); }
  void prefetch(Number state) const { __builtin_prefetch(&nodes_[state]); }

  enum class Claim : std::uint8_t {
    Fresh,     // nobody had entered the set
    Entered,   // only others had
    OnPath,    // this worker had entered it before, and it is not complete
    Complete,  // the component is complete
  };
  // Enters the worker for the state's set.
  Claim claim(Number state, unsigned worker);
  // What claim() would answer, without entering.
  Claim look(Number state, unsigned worker) const;

  // Is `member` on the way from the state to its root? Then they are in one set; it is the quickest way to know.
  bool below(Number state, Number member) const;
  Number root(Number state) const;
  bool same(Number a, Number b) const;
  // Requires that neither set is complete.
  void unite(Number a, Number b);

  // All arcs of the state have been followed: they lead to complete sets, or stay in the state's own.
  void finish(Number state);
  struct Picked {
    std::optional<Number> state;  // unfinished; nothing: the set is complete
    bool completed = false;       // by this call
  };
  // An unfinished state of the set, the one behind so many others if there are as many.
  Picked pick(Number member, unsigned skip);

  bool visited(Number state) const;           // somebody has entered the state's set
  bool several_workers(Number member) const;  // more than one has
  std::uint64_t bytes(support::StateNumber limit) const { return nodes_.bytes(limit); }

 private:
  struct Node {
    std::uint32_t parent, next;  // number + 1; 0: itself
    std::uint32_t word;
  };
  static constexpr std::uint32_t locked = 1, finished = 2, complete = 4, child = 8;
  static constexpr unsigned first_worker = 4;
  static constexpr std::uint32_t workers = ~std::uint32_t{0} << first_worker;
  static_assert(first_worker + most_workers == 32);

  static std::atomic_ref<std::uint32_t> atomic(std::uint32_t& field) { return std::atomic_ref(field); }
  static std::uint32_t priority(Number state) { return state * 0x9e3779b1U; }  // one to one
  Number next(Number state) const;
  bool lock(Number root);
  void unlock(Number root);
  Claim seen(std::uint32_t word, unsigned worker) const;

  ByProductState<Node> nodes_;
};

}  // namespace heddle::explore
