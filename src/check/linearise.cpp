// SPDX-License-Identifier: Apache-2.0
#include "check/linearise.h"

#include <algorithm>
#include <limits>
#include <map>

namespace heddle::check {

namespace {

using Kind = core::WitnessEvent::Kind;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

class Lineariser {
 public:
  Lineariser(const core::ExecutionWitness& w, const std::vector<std::size_t>& ends)
      : w_(w), units_(units_of(w)), threads_(w.threads.size()), sources_(size()), lives_(size()), after_(size()) {
    for (std::size_t u = 0; u < size(); ++u) threads_[thread(u)].push_back(u);
    find_sources();
    keep(ends);
    find_overwritten();
  }

  core::ExecutionWitness run() {
    std::vector<std::size_t> next(threads_.size(), 0);
    std::vector<std::size_t> order;
    core::Tid current = 0;
    for (;;) {
      std::size_t best = none;
      int best_rank = std::numeric_limits<int>::max();
      for (core::Tid t = 0; t < threads_.size(); ++t) {
        if (next[t] >= threads_[t].size() || !kept_[threads_[t][next[t]]]) continue;
        const std::size_t u = threads_[t][next[t]];
        const int rank = 2 * hindrance(u) + (t == current ? 0 : 1);
        if (rank >= best_rank) continue;
        best = u;
        best_rank = rank;
      }
      if (best == none) break;
      current = thread(best);
      ++next[current];
      told_[best] = true;
      order.insert(order.end(), units_.events[best].begin(), units_.events[best].end());
    }
    return permuted(order);
  }

 private:
  std::size_t size() const { return units_.events.size(); }
  core::Tid thread(std::size_t unit) const { return w_.events[units_.events[unit].front()].thread; }
  bool writes(std::size_t unit) const { return w_.events[units_.events[unit].back()].kind == Kind::Write; }

  // How bad it would be to tell the unit now.
  int hindrance(std::size_t u) const {
    const auto missing = [&](const std::vector<std::size_t>& list) {
      return std::ranges::any_of(list, [&](std::size_t p) { return kept_[p] && !told_[p]; });
    };
    if (missing(lives_[u])) return 4;
    if (missing(sources_[u])) return 3;
    if (missing(after_[u])) return writes(u) ? 1 : 2;
    return 0;
  }

  // Reads-from, creation and join: what must have happened.
  void find_sources() {
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const auto& e = w_.events[i];
      const std::size_t u = units_.of[i];
      if (e.kind == Kind::Read && e.rf >= 0 && units_.of[static_cast<std::size_t>(e.rf)] != u)
        sources_[u].push_back(units_.of[static_cast<std::size_t>(e.rf)]);
      const auto child = static_cast<std::size_t>(e.value.bits);
      if (e.kind == Kind::Spawn && child < threads_.size()) {
        created_by_[child] = u;
        if (!threads_[child].empty()) lives_[threads_[child].front()].push_back(u);
      }
    }
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const auto child = static_cast<std::size_t>(w_.events[i].value.bits);
      if (w_.events[i].kind != Kind::Join || child >= threads_.size()) continue;
      if (!threads_[child].empty()) lives_[units_.of[i]].push_back(threads_[child].back());
      else if (created_by_.contains(child)) lives_[units_.of[i]].push_back(created_by_[child]);
    }
    before_.assign(size(), none);
    for (const auto& list : threads_)
      for (std::size_t k = 1; k < list.size(); ++k) before_[list[k]] = list[k - 1];
  }

  std::vector<bool> prefix(const std::vector<std::size_t>& units) const {
    std::vector<bool> in(size(), false);
    std::vector<std::size_t> stack = units;
    while (!stack.empty()) {
      const std::size_t u = stack.back();
      stack.pop_back();
      if (in[u]) continue;
      in[u] = true;
      if (before_[u] != none) stack.push_back(before_[u]);
      stack.insert(stack.end(), sources_[u].begin(), sources_[u].end());
      stack.insert(stack.end(), lives_[u].begin(), lives_[u].end());
    }
    return in;
  }

  void keep(const std::vector<std::size_t>& ends) {
    told_.assign(size(), false);
    kept_.assign(size(), ends.empty());
    std::vector<std::size_t> units;
    for (const std::size_t e : ends) units.push_back(units_.of[e]);
    if (units.empty()) return;
    kept_ = prefix(units);
    for (std::size_t k = 1; k < units.size(); ++k)
      if (units[k] != units[0] && !prefix({units[k]})[units[0]]) lives_[units[0]].push_back(units[k]);
  }

  // Coherence and from-read, to the next write that is kept: what sequential consistency would have in this order.
  void find_overwritten() {
    std::map<std::pair<core::Loc, std::int32_t>, std::size_t> following;
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      if (w_.events[i].kind != Kind::Write || !kept_[units_.of[i]]) continue;
      const std::int32_t before = kept_before(i);
      following[{w_.events[i].loc, before}] = i;
      if (before >= 0) comes_after(units_.of[static_cast<std::size_t>(before)], units_.of[i]);
    }
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const auto& e = w_.events[i];
      if (e.kind != Kind::Read || !kept_[units_.of[i]]) continue;
      const auto next = following.find({e.loc, std::max(e.rf, core::WitnessEvent::initial)});
      if (next != following.end()) comes_after(units_.of[i], units_.of[next->second]);
    }
  }

  void comes_after(std::size_t first, std::size_t second) {
    if (first != second) after_[second].push_back(first);
  }

  std::int32_t kept_before(std::size_t write) const {
    std::int32_t at = w_.events[write].co_prev;
    while (at >= 0 && !kept_[units_.of[static_cast<std::size_t>(at)]])
      at = w_.events[static_cast<std::size_t>(at)].co_prev;
    return std::max(at, core::WitnessEvent::initial);
  }

  core::ExecutionWitness permuted(const std::vector<std::size_t>& order) const {
    std::vector<std::int32_t> number(w_.events.size(), core::WitnessEvent::initial);
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::int32_t>(k);
    core::ExecutionWitness out;
    out.model = w_.model;
    out.failed = w_.failed;
    out.threads = w_.threads;
    for (auto& thread : out.threads)
      if (thread.spawn >= 0) thread.spawn = number[static_cast<std::size_t>(thread.spawn)];
    for (const std::size_t i : order) {
      core::WitnessEvent e = w_.events[i];
      if (e.rf >= 0) e.rf = number[static_cast<std::size_t>(e.rf)];
      if (e.kind == Kind::Write) {
        const std::int32_t before = kept_before(i);
        e.co_prev = before < 0 ? before : number[static_cast<std::size_t>(before)];
      }
      out.events.push_back(std::move(e));
    }
    return out;
  }

  const core::ExecutionWitness& w_;
  Units units_;
  std::vector<std::vector<std::size_t>> threads_;  // of each thread: its units
  std::vector<std::size_t> before_;                // in program order
  std::vector<std::vector<std::size_t>> sources_;  // of each unit: those it reads from
  std::vector<std::vector<std::size_t>> lives_;    // … creations and ends of threads, and other ends
  std::vector<std::vector<std::size_t>> after_;    // … those before it in coherence or from-read
  std::map<std::size_t, std::size_t> created_by_;
  std::vector<bool> kept_, told_;
};

}  // namespace

Units units_of(const core::ExecutionWitness& w) {
  Units units;
  units.of.resize(w.events.size());
  std::vector<std::size_t> last(w.threads.size(), none);  // of each thread: its last event
  for (std::size_t i = 0; i < w.events.size(); ++i) {
    const auto& e = w.events[i];
    const std::size_t before = last[e.thread];
    const bool second_half = e.kind == Kind::Write && e.rmw;
    if (before != none && (e.piece > 0 || second_half)) {
      units.of[i] = units.of[before];
      units.events[units.of[i]].push_back(i);
    } else {
      units.of[i] = units.events.size();
      units.events.push_back({i});
    }
    last[e.thread] = i;
  }
  return units;
}

core::ExecutionWitness linearised(const core::ExecutionWitness& w, const std::vector<std::size_t>& ends) {
  return Lineariser(w, ends).run();
}

}  // namespace heddle::check
