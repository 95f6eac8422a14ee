// Linear temporal logic on small models, decided slowly (support/fair_graph.h) on the whole graph of the naive machine
// of check/.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "check/naive_port.h"
#include "ir/eval.h"
#include "ir/steps.h"
#include "ltl/automaton.h"
#include "support/fair_graph.h"

namespace heddle::tests {

struct NaiveFairness {
  bool processes = false, memory = true;
};

class NaiveLtl {
 public:
  using Arc = FairGraph::Arc;

  // Requires a system async. Errors of steps are no steps.
  NaiveLtl(const ir::Program& program, check::NaiveModel model, unsigned bound,
           const std::vector<std::uint32_t>& propositions, const NaiveFairness& fairness)
      : program_(program),
        model_(model),
        fairness_(fairness),
        cells_(model == check::NaiveModel::Tso ? 1 : program.shared_cells),
        port_(program, model, bound),
        free_(program, model),
        steps_(program) {
    graph_.promises = promises();
    number_of(port_);
    for (std::size_t i = 0; i < contents_.size(); ++i) expand(i, propositions);
  }

  std::size_t states() const { return contents_.size(); }
  // Is there a fair run that the automaton accepts?
  bool accepts(const ltl::Automaton& a) const { return graph_.accepts(a); }

 private:
  struct Memory {
    static constexpr bool direct = true;
    std::vector<std::int32_t> array;
    std::int32_t* words() { return array.data(); }
    std::int32_t load(std::uint32_t cell) const { return array[cell]; }
    static bool store(std::uint32_t, std::int32_t, bool) { return false; }
    void set(std::uint32_t, std::int32_t) {}
  };

  // Promises: a thread's, then those of memory for each thread and cell (tso: each thread).
  unsigned threads() const { return static_cast<unsigned>(program_.processes.size()); }
  unsigned promises() const { return threads() * (1 + cells_); }
  unsigned of_memory(std::uint32_t process, std::uint32_t cell) const {
    return threads() + process * cells_ + (cells_ == 1 && model_ == check::NaiveModel::Tso ? 0 : cell);
  }

  std::size_t number_of(const check::NaivePort& port) {
    const auto [at, fresh] = numbers_.try_emplace(port.key(), contents_.size());
    if (fresh) {
      contents_.push_back(port.contents());
      contents_.back().accesses.clear();
    }
    return at->second;
  }

  void expand(std::size_t i, const std::vector<std::uint32_t>& propositions) {
    check::NaivePort::Contents state = contents_[i];
    state.waited_for_room = false;
    port_.restore(state);
    graph_.letters.emplace_back();
    Memory memory{port_.memory_words()};
    for (const std::uint32_t p : propositions)
      graph_.letters.back().push_back(evaluate(program_, program_.propositions[p].code, memory).status ==
                                      ir::Status::True);

    // What resting here keeps: threads that could not move even with unbounded buffers, buffers in which nothing waits.
    std::set<unsigned> kept;
    for (unsigned k = 0; k < promises(); ++k) kept.insert(k);
    free_.restore(state);
    bool could_move = false;
    steps_.each(free_, [&](const auto& step) {
      if (ir::is_error(step.result.status)) return;
      could_move = true;
      if (!fairness_.processes) return;
      kept.erase(step.move.thread);
      if (step.move.partner != core::Move::none) kept.erase(step.move.partner);
    });
    if (fairness_.memory)
      for (std::uint32_t p = 0; p < threads(); ++p)
        for (const auto& e : state.buffers[p]) kept.erase(of_memory(p, e.cell));

    std::vector<Arc> arcs;
    ir::Steps<check::NaivePort> steps(program_);
    port_.restore(state);
    steps.each(port_, [&](const auto& step) {
      if (ir::is_error(step.result.status)) return;
      Arc arc{number_of(port_), kept};
      arc.promises.insert(step.move.thread);
      if (step.move.partner != core::Move::none) arc.promises.insert(step.move.partner);
      arcs.push_back(std::move(arc));
    });
    if (!steps.in_commit(port_))
      for (std::uint32_t p = 0; p < threads(); ++p) {
        port_.restore(state);
        for (const unsigned index : port_.flushable(p)) {
          port_.restore(state);
          port_.flush(p, index);
          Arc arc{number_of(port_), kept};
          arc.promises.insert(of_memory(p, state.buffers[p][index].cell));
          arcs.push_back(std::move(arc));
        }
      }
    if (arcs.empty() && !could_move && !port_.contents().waited_for_room) {  // the run has ended
      Arc rest{i, {}};
      for (unsigned k = 0; k < promises(); ++k) rest.promises.insert(k);
      arcs.push_back(std::move(rest));
    }
    graph_.arcs.push_back(std::move(arcs));
  }

  const ir::Program& program_;
  check::NaiveModel model_;
  NaiveFairness fairness_;
  unsigned cells_;
  check::NaivePort port_, free_;
  ir::Steps<check::NaivePort> steps_;
  std::map<std::vector<std::int32_t>, std::size_t> numbers_;
  std::vector<check::NaivePort::Contents> contents_;
  FairGraph graph_;
};

}  // namespace heddle::tests
