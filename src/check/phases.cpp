// SPDX-License-Identifier: Apache-2.0
#include "check/phases.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>

namespace heddle::check {

namespace {

using Kind = core::WitnessEvent::Kind;
using Clock = std::vector<std::uint32_t>;  // of each thread: how many of its first events

void join(Clock& into, const Clock& from) {
  for (std::size_t t = 0; t < into.size(); ++t) into[t] = std::max(into[t], from[t]);
}

}  // namespace

EventIndex::EventIndex(const core::ExecutionWitness& w) : events_(w.threads.size()) {
  for (std::size_t i = 0; i < w.events.size(); ++i) {
    const auto& e = w.events[i];
    if (e.thread >= events_.size() || e.index > w.events.size()) continue;
    auto& list = events_[e.thread];
    if (list.size() <= e.index) list.resize(e.index + 1, none);
    list[e.index] = i;
  }
}

std::vector<Phase> phases_of(const core::ExecutionWitness& w) {
  const std::size_t n = w.events.size();
  // Clocks are as long as there are threads that some event names: numbers of threads may have gaps.
  std::vector<std::size_t> number(w.threads.size(), 0);
  std::size_t threads = 0;
  const auto count_thread = [&](std::uint64_t t) {
    if (t < number.size() && number[t] == 0) number[t] = ++threads;
  };
  for (const auto& e : w.events) {
    count_thread(e.thread);
    if (e.kind == Kind::Spawn || e.kind == Kind::Join) count_thread(e.value.bits);
  }
  // The thread of an event, and the one that it creates or joins; `threads` if there is none.
  const auto thread_of = [&](const core::WitnessEvent& e) { return number[e.thread] - 1; };
  const auto other_of = [&](const core::WitnessEvent& e) {
    return e.value.bits < number.size() && number[e.value.bits] != 0 ? number[e.value.bits] - 1 : threads;
  };
  // Forwards: is everything earlier before the event?
  std::vector<Clock> now(threads, Clock(threads, 0));
  std::vector<std::uint8_t> serial(n, 0);
  std::vector<std::uint32_t> own(n, 0);  // the event's number in its thread, from 1
  for (std::size_t i = 0; i < n; ++i) {
    const auto& e = w.events[i];
    Clock& c = now[thread_of(e)];
    const std::size_t other = other_of(e);
    if (e.kind == Kind::Join && other < threads) join(c, now[other]);
    own[i] = ++c[thread_of(e)];
    serial[i] = std::accumulate(c.begin(), c.end(), std::uint64_t{0}) == i + 1;
    if (e.kind == Kind::Spawn && other < threads) join(now[other], c);
  }
  // Backwards: is the event before everything later? Symmetric, with clocks that count from the end.
  std::vector<Clock> later(threads, Clock(threads, 0));
  std::vector<std::uint32_t> count(threads, 0);
  for (const auto& e : w.events) ++count[thread_of(e)];
  std::vector<Clock> first(threads, Clock(threads, 0));  // what a join of the thread has behind it
  for (std::size_t i = n; i-- > 0;) {
    const auto& e = w.events[i];
    const std::size_t thread = thread_of(e), other = other_of(e);
    Clock& c = later[thread];
    if (own[i] == count[thread]) join(c, first[thread]);
    if (e.kind == Kind::Spawn && other < threads) join(c, later[other]);
    ++c[thread];
    serial[i] = serial[i] && std::accumulate(c.begin(), c.end(), std::uint64_t{0}) == n - i;
    if (e.kind == Kind::Join && other < threads) {
      join(first[other], c);
      if (count[other] == 0) join(later[other], c);
    }
  }
  std::vector<Phase> phases;
  for (std::size_t i = 0; i < n; ++i) {
    if (phases.empty() || phases.back().serial != (serial[i] != 0)) phases.push_back({i, i, serial[i] != 0});
    phases.back().end = i + 1;
  }
  return phases;
}

std::string out_of_phase(const core::ExecutionWitness& w, const std::vector<Phase>& phases) {
  std::map<core::Loc, std::int32_t> latest;  // the last write of all phases before
  const auto before = [&](const core::Loc& l) {
    const auto it = latest.find(l);
    return it == latest.end() ? core::WitnessEvent::initial : it->second;
  };
  for (const Phase& phase : phases) {
    std::map<core::Loc, std::int32_t> last;  // of this phase: the write that no other of it follows
    std::vector<std::uint8_t> followed(phase.end - phase.begin, 0);
    for (std::size_t i = phase.begin; i < phase.end; ++i) {
      const auto& e = w.events[i];
      if (e.kind != Kind::Read && e.kind != Kind::Write) continue;
      const std::int32_t from = e.kind == Kind::Read ? e.rf : e.co_prev;
      if (from >= static_cast<std::int32_t>(phase.end)) return "an event sees one of a later phase";
      const bool inside = from >= static_cast<std::int32_t>(phase.begin);
      if (phase.serial ? from != before(e.loc) : !inside && from != before(e.loc))
        return "an event does not see the latest write before it";
      if (phase.serial && e.kind == Kind::Write) latest[e.loc] = static_cast<std::int32_t>(i);
      if (inside && e.kind == Kind::Write) followed[static_cast<std::size_t>(from) - phase.begin] = 1;
    }
    for (std::size_t i = phase.begin; i < phase.end && !phase.serial; ++i)
      if (w.events[i].kind == Kind::Write && !followed[i - phase.begin])
        if (!last.emplace(w.events[i].loc, static_cast<std::int32_t>(i)).second) return "coherence is no order";
    for (const auto& [loc, write] : last) latest[loc] = write;
  }
  return {};
}

}  // namespace heddle::check
