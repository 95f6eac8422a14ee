// The axiomatic memory models, in one table. A model is a function from an execution to yes or no, written as
// relations over the vocabulary of axioms/relation.h, one file each.
//
// Every model begins with coherence (sc per location) and atomicity of read-modify-writes, so a builder of executions
// may test these two alone on incomplete executions: no further event, rf or co edge repairs a violation of them. The
// same holds for the whole of every model here but riscv (rule 2 takes pairs away again when rf grows): they are
// acyclicity, irreflexivity and emptiness of relations that only grow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axioms/execution.h"

namespace heddle::axioms {

// Collects why an execution was rejected. With `explain` unset it costs nothing and records the axiom's name only.
template <unsigned W>
class Judge {
 public:
  explicit Judge(bool explain = false) : explain_(explain) {}

  bool acyclic(const char* axiom, const Relation<W>& r) {
    if (axioms::acyclic(r)) return true;
    axiom_ = axiom;
    if (explain_) cycle_ = shortest_cycle(r);
    return false;
  }
  bool irreflexive(const char* axiom, const Relation<W>& r) {
    for (EventId e = 0; e < r.size(); ++e)
      if (r.has(e, e)) {
        axiom_ = axiom;
        if (explain_) cycle_ = {e};
        return false;
      }
    return true;
  }
  bool empty(const char* axiom, const Relation<W>& r) {
    if (r.empty()) return true;
    axiom_ = axiom;
    if (explain_) {
      const EventId e = r.domain().first();
      cycle_ = {e, r[e].first()};
    }
    return false;
  }

  const char* axiom() const { return axiom_; }                  // the one that failed; null if none did
  const std::vector<EventId>& cycle() const { return cycle_; }  // events of the cycle, or the offending event or pair

 private:
  bool explain_;
  const char* axiom_ = nullptr;
  std::vector<EventId> cycle_;
};

template <unsigned W>
using Axioms = bool (*)(const Execution<W>&, Judge<W>&);

// What a model keeps in order within threads, as pairs of events of one thread: for models whose consistency is
// coherence, atomicity and acyclicity of these pairs with rfe, co, fr and `forced`, and for those with POWER's axioms
// (power.cpp). Whether a pair belongs to it depends only on the thread's events up to the later of the two and on where
// its reads among them read from. Requires accesses of one size and coherence.
template <unsigned W>
using LocalOrder = Relation<W> (*)(const Execution<W>&);

struct LocalOrders {
  LocalOrder<1> local = nullptr;
  LocalOrder<4> local_256 = nullptr;
  LocalOrder<16> local_1024 = nullptr;
  LocalOrder<64> local_4096 = nullptr;

  explicit operator bool() const { return local != nullptr; }
  template <unsigned W>
  LocalOrder<W> get() const {
    if constexpr (W == 1) return local;
    else if constexpr (W == 4) return local_256;
    else if constexpr (W == 16) return local_1024;
    else return local_4096;
  }
};

// Whose instructions C11 accesses are compiled to (axioms/mapping.h); None: the axioms take C11's orders as they are.
enum class Hardware : std::uint8_t { None, Arm, ArmLse, RiscV, Power };

// Models in which one order of all events extends external reads-from, coherence, from-read and a part of program
// order: which part. None: there is no such order.
enum class GlobalOrder : std::uint8_t { None, Program, Tso, Pso, Nsw };

struct Model {
  std::string_view name;
  std::string_view summary;  // one line for `heddle models`
  Axioms<1> consistent;      // up to 64 events
  Axioms<4> consistent_256;
  Axioms<16> consistent_1024;
  Axioms<64> consistent_4096;
  bool needs_deps;     // looks at addr, data, ctrl
  bool po_rf_acyclic;  // no consistent execution has a cycle in po ∪ rf
  Hardware hardware;
  bool language;                  // of C itself, by happens-before: a data race is undefined behaviour
  bool all_release_acquire;       // takes every access as release or acquire
  bool thread_release_sequences;  // of the language: they go on through later writes of their thread (C11, not C++20)
  bool weak_cas_fails;            // a weak compare-exchange may fail although the values are equal, by default
  GlobalOrder global_order = GlobalOrder::None;
  LocalOrders local = {};        // none: the model is not of that form
  bool atomics_are_one = false;  // with `local`: what precedes or follows one event of an atomic instruction does so
                                 // with both
  LocalOrders fenced = {}, strong = {};  // of `local`, what fences and full fences keep; set if the axioms are POWER's
  bool overtakes_addresses = false;      // a write may be performed before the address of an earlier access is known

  template <unsigned W>
  bool accepts(const Execution<W>& x) const {
    Judge<W> judge;
    return accepts(x, judge);
  }
  template <unsigned W>
  bool accepts(const Execution<W>& x, Judge<W>& judge) const {
    if constexpr (W == 1) return consistent(x, judge);
    else if constexpr (W == 4) return consistent_256(x, judge);
    else if constexpr (W == 16) return consistent_1024(x, judge);
    else return consistent_4096(x, judge);
  }
};

std::span<const Model> models();
const Model* find_model(std::string_view name);  // null if there is none
const Model& sequential_consistency();

// The two axioms that all models share; of atomic steps the second asks for isolation.
template <unsigned W>
bool coherent(const Execution<W>& x, Judge<W>& judge) {
  if (x.slices.empty()) return judge.acyclic("coherence", x.po_loc | x.rf | x.co | x.fr);
  for (const auto& s : x.slices)
    if (!judge.acyclic("coherence", s.po_loc | s.rf | s.co | s.fr)) return false;
  // An access is one: two writes have the same order in all bytes they share, and whoever saw one byte of another
  // thread's write saw all of them.
  return judge.irreflexive("single-copy atomicity", seq(x.co, x.co) | seq(x.rfe, x.fre));
}
template <unsigned W>
bool atomic(const Execution<W>& x, Judge<W>& judge) {
  // A store-conditional tolerates writes of its own thread in between, an atomic instruction has none.
  if (!judge.empty("atomicity", x.rmw & seq(x.fre, x.coe))) return false;
  if (!x.has_steps()) return true;
  // No access of others comes between two of an atomic step.
  if (x.slices.empty()) return judge.acyclic("isolation", x.lifted(x.rf | x.co | x.fr));
  for (const auto& s : x.slices)
    if (!judge.acyclic("isolation", x.lifted(s.rf | s.co | s.fr))) return false;
  return true;
}

// Under rc11 and ra: two conflicting accesses of different threads, one of them plain, unordered by happens-before.
// The pairs, each once; an execution with one has undefined behaviour. Requires model.language.
template <unsigned W>
Relation<W> races(const Execution<W>&, const Model& model);

}  // namespace heddle::axioms
