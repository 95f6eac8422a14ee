// SPDX-License-Identifier: Apache-2.0
#include "check/missing_order.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "axioms/fences.h"
#include "check/graph_axioms.h"
#include "check/linearise.h"

namespace heddle::check {

namespace {

using Kind = core::WitnessEvent::Kind;
constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();
constexpr std::size_t most_units = 4000;  // of shared memory: all pairs in program order are edges

// Units that touch memory which several threads use, and those that begin and end threads.
class Cycles {
 public:
  explicit Cycles(const core::ExecutionWitness& w) : w_(w), units_(units_of(w)) {
    find_shared();
    for (std::size_t i = 0; i < w.events.size(); ++i)
      if (matters(i) && (nodes_.empty() || nodes_.back() != units_.of[i])) add_node(units_.of[i]);
    if (nodes_.size() > most_units) return;
    connect();
  }

  // A shortest cycle, as the pairs of it that are in program order (units; not creation and join).
  std::vector<std::pair<std::size_t, std::size_t>> program_order_of_shortest() const {
    std::vector<std::size_t> best;
    // What is told in an order of sequential consistency has no edge back, so every cycle has one of these.
    for (const auto& [from, to] : back_) {
      const auto path = shortest(to, from);
      if (!path.empty() && (best.empty() || path.size() < best.size())) best = path;
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t k = 0; k < best.size(); ++k) {
      const std::size_t a = best[k], b = best[(k + 1) % best.size()];
      if (thread(a) == thread(b) && access(a) && access(b) && a < b) pairs.emplace_back(nodes_[a], nodes_[b]);
    }
    return pairs;
  }

  const Units& units() const { return units_; }

 private:
  const core::WitnessEvent& first(std::size_t node) const { return w_.events[units_.events[nodes_[node]].front()]; }
  core::Tid thread(std::size_t node) const { return first(node).thread; }
  bool access(std::size_t node) const { return first(node).kind == Kind::Read || first(node).kind == Kind::Write; }

  void find_shared() {
    std::map<core::Loc, std::set<core::Tid>> users;
    for (const auto& e : w_.events)
      if (e.kind == Kind::Read || e.kind == Kind::Write) users[e.loc].insert(e.thread);
    for (const auto& [loc, threads] : users)
      if (threads.size() > 1) shared_.insert(loc);
  }
  bool matters(std::size_t i) const {
    const auto& e = w_.events[i];
    if (e.kind == Kind::Spawn || e.kind == Kind::Join) return true;
    return (e.kind == Kind::Read || e.kind == Kind::Write) && shared_.contains(e.loc);
  }
  void add_node(std::size_t unit) {
    if (node_.contains(unit)) return;
    node_[unit] = nodes_.size();
    nodes_.push_back(unit);
  }
  std::size_t node_of(std::size_t event) const { return node_.at(units_.of[event]); }

  void connect() {
    out_.resize(nodes_.size());
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      for (std::size_t b = a + 1; b < nodes_.size(); ++b) {
        const auto &e = first(a), &f = first(b);
        if (thread(a) == thread(b) || (e.kind == Kind::Spawn && e.value.bits == f.thread) ||
            (f.kind == Kind::Join && f.value.bits == e.thread))
          out_[a].push_back(b);
      }
    std::map<std::pair<core::Loc, std::int32_t>, std::size_t> following;
    for (std::size_t i = 0; i < w_.events.size(); ++i)
      if (w_.events[i].kind == Kind::Write && matters(i)) following[{w_.events[i].loc, w_.events[i].co_prev}] = i;
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const auto& e = w_.events[i];
      if (!matters(i) || (e.kind != Kind::Read && e.kind != Kind::Write)) continue;
      if (e.kind == Kind::Read && e.rf >= 0) communicate(static_cast<std::size_t>(e.rf), i);
      if (e.kind == Kind::Write && e.co_prev >= 0) communicate(static_cast<std::size_t>(e.co_prev), i);
      if (e.kind != Kind::Read) continue;
      // From-read, to every later write: the nearest way back is looked for.
      for (auto next = following.find({e.loc, e.rf}); next != following.end();
           next = following.find({e.loc, static_cast<std::int32_t>(next->second)}))
        communicate(i, next->second);
    }
  }
  void communicate(std::size_t from, std::size_t to) {
    const std::size_t a = node_of(from), b = node_of(to);
    if (a == b || thread(a) == thread(b)) return;
    out_[a].push_back(b);
    if (b < a) back_.emplace_back(a, b);
  }

  std::vector<std::size_t> shortest(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> came(nodes_.size(), no_index);
    std::vector<std::size_t> queue{from};
    came[from] = from;
    for (std::size_t head = 0; head < queue.size() && came[to] == no_index; ++head)
      for (const std::size_t next : out_[queue[head]])
        if (came[next] == no_index) {
          came[next] = queue[head];
          queue.push_back(next);
        }
    if (came[to] == no_index) return {};
    std::vector<std::size_t> path{to};
    while (path.back() != from) path.push_back(came[path.back()]);
    std::ranges::reverse(path);
    return path;
  }

  const core::ExecutionWitness& w_;
  Units units_;
  std::set<core::Loc> shared_;
  std::vector<std::size_t> nodes_;  // units, in the order of the witness
  std::map<std::size_t, std::size_t> node_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<std::pair<std::size_t, std::size_t>> back_;
};

}  // namespace

MissingOrder missing_order(const RunGraph& g) {
  const Cycles cycles(g.witness);
  const auto& events = g.witness.events;
  const auto& units = cycles.units().events;
  auto pairs = cycles.program_order_of_shortest();
  const auto fences = [&](std::size_t without) {
    Variation v;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (k != without) v.fences.push_back(units[pairs[k].second].front());
    return v;
  };
  const auto forbidden = [&](const Variation& v) { return ruling(g, v).kind == Ruling::Kind::Forbidden; };
  MissingOrder out;
  if (pairs.empty() || !forbidden(fences(no_index))) return out;
  for (std::size_t k = 0; k < pairs.size();)
    if (forbidden(fences(k))) pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(k));
    else ++k;
  for (const auto& [a, b] : pairs) out.pairs.emplace_back(units[a].front(), units[b].front());
  for (const auto& [a, b] : out.pairs) {
    out.fenced |= axioms::at_least_acquire(events[a].order) ||
                  axioms::at_least_release(events[units[cycles.units().of[b]].back()].order);
    for (std::size_t i = a; i < b; ++i)
      out.fenced |= events[i].thread == events[a].thread && events[i].kind == Kind::Fence &&
                    (events[i].order > core::Order::Relaxed || events[i].tag != 0);
  }
  // A store that releases, or a load that acquires: what people write first.
  Variation stronger;
  for (const auto& [a, b] : pairs) {
    const std::size_t load = units[a].front(), store = units[b].back();
    if (events[store].kind == Kind::Write && !events[store].rmw && !axioms::at_least_release(events[store].order))
      stronger.strengthened.emplace_back(store, core::Order::Release);
    else if (events[load].kind == Kind::Read && !events[load].rmw && !axioms::at_least_acquire(events[load].order))
      stronger.strengthened.emplace_back(load, core::Order::Acquire);
    else return out;
  }
  if (forbidden(stronger)) out.enough = std::move(stronger.strengthened);
  return out;
}

}  // namespace heddle::check
