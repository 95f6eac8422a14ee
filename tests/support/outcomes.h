// All that a thread program can end in: by the naive machine of check/, and by the explicit engine's product.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <ostream>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "check/naive_threads.h"
#include "explore/product.h"

namespace heddle::tests {

struct Outcomes {
  std::set<std::string> memories;  // at the ends of all executions
  bool deadlock = false;
  bool failed = false;
  std::size_t states = 0;  // that were looked at: no part of the comparison
  friend bool operator==(const Outcomes& a, const Outcomes& b) {
    return a.memories == b.memories && a.deadlock == b.deadlock && a.failed == b.failed;
  }
  friend std::ostream& operator<<(std::ostream& out, const Outcomes& o) {
    for (const std::string& memory : o.memories) out << memory << "\n";
    return out << (o.deadlock ? "deadlock " : "") << (o.failed ? "failed " : "") << o.memories.size() << " memories";
  }
};

// Small globals as Product::show() writes them.
inline std::string show_memory(const core::Program& program, const check::NaiveThreads& state) {
  std::string memory;
  for (std::uint32_t object = 1; object <= program.globals().size(); ++object) {
    const core::GlobalObject& global = program.globals()[object - 1];
    if (global.constant || global.size == 0 || global.size > 32) continue;
    memory += fmt::format(" {}=", global.name);
    for (std::uint32_t at = 0; at < global.size; at += 8) {
      const core::Value v = state.read({object, at, std::min(8u, global.size - at)}).value;
      memory += fmt::format("{}{}", at == 0 ? "" : ",", v.undefined != 0 ? "?" : std::to_string(v.bits));
    }
  }
  return memory;
}

enum class NaiveEnd { None, Blocked, Deadlock, Complete };

// Every step that the naive machine can take in a state: `reach` is given the state after it and its report. What the
// state is if there is none. `weak_fails`: a weak compare-exchange may fail.
template <class Reach>
NaiveEnd naive_steps(const check::NaiveThreads& state, bool weak_fails, const Reach& reach) {
  bool any = false, all_ended = true, blocked = false;
  for (core::Tid t = 0; t < state.threads.size(); ++t) {
    all_ended &= state.has_ended(t);
    const core::Request request = state.request(t);
    blocked |= request.stands_still();
    const std::uint64_t choices = request.kind == core::Kind::Choose ? request.value.bits
                                  : weak_fails && request.weak       ? 2
                                                                     : 1;
    for (std::uint32_t choice = 0; choice < choices; ++choice) {
      check::NaiveThreads next = state;
      check::NaiveReport report;
      if (!next.step(t, choice, &report)) continue;
      any = true;
      reach(next, report);
    }
    for (const unsigned index : state.flushable(t)) {
      check::NaiveThreads next = state;
      check::NaiveReport report;
      next.flush(t, index, &report);
      any = true;
      reach(next, report);
    }
  }
  if (any) return NaiveEnd::None;
  if (blocked) return NaiveEnd::Blocked;
  return all_ended ? NaiveEnd::Complete : NaiveEnd::Deadlock;
}

inline Outcomes by_naive_machine(const core::Program& program, check::ThreadModel model, unsigned bound) {
  Outcomes outcomes;
  std::unordered_set<std::string> seen;
  std::deque<check::NaiveThreads> todo{check::NaiveThreads(program, model, bound)};
  seen.insert(todo.front().key());
  while (!todo.empty()) {
    const check::NaiveThreads state = std::move(todo.front());
    todo.pop_front();
    const NaiveEnd end = naive_steps(state, false, [&](const auto& next, const check::NaiveReport& report) {
      if (report.failure) outcomes.failed = true;
      else if (seen.insert(next.key()).second) todo.push_back(next);
    });
    if (end == NaiveEnd::Deadlock) outcomes.deadlock = true;
    if (end == NaiveEnd::Complete) outcomes.memories.insert(show_memory(program, state));
  }
  return outcomes;
}

inline Outcomes by_product(const explore::Product& product, core::Reduction reduction) {
  struct Sink final : core::SuccessorSink {
    void successor(const core::Successor& s) override {
      any = true;
      if (s.error != 0) failed = true;
      else if (std::vector<std::uint32_t> next(s.state.begin(), s.state.end()); seen.insert(next).second)
        todo.push_back(next);
    }
    bool any = false, failed = false;
    std::set<std::vector<std::uint32_t>> seen;
    std::deque<std::vector<std::uint32_t>> todo;
  } sink;
  Outcomes outcomes;
  const auto scratch = product.make_scratch();
  sink.todo.push_back(product.initial(*scratch));
  while (!sink.todo.empty()) {
    const auto state = sink.todo.front();
    sink.todo.pop_front();
    sink.any = false;
    product.successors(state, reduction, *scratch, sink);
    if (sink.any) continue;
    if (!product.proper_end(state, *scratch)) {
      outcomes.deadlock = true;
      continue;
    }
    const std::string shown = product.show(state, *scratch);
    // A failed assume is an end too, but no execution; threads that ended say so.
    bool ended = true;
    for (std::size_t at = shown.find(':'); at != std::string::npos && at < shown.find('=');
         at = shown.find(':', at + 1))
      ended &= shown.compare(at + 1, 5, "ended") == 0;
    if (ended) outcomes.memories.insert(shown.substr(shown.rfind(' ', shown.find('='))));
  }
  outcomes.failed = sink.failed;
  outcomes.states = sink.seen.size();
  return outcomes;
}

}  // namespace heddle::tests
