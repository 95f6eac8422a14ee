// SPDX-License-Identifier: Apache-2.0
#include "ltl/automaton.h"

#include <algorithm>
#include <limits>
#include <set>

namespace heddle::ltl {

std::size_t Automaton::transitions() const {
  std::size_t count = 0;
  for (const auto& out : edges) {
    std::set<std::uint32_t> targets;
    for (const Edge& e : out) targets.insert(e.target);
    count += targets.size();
  }
  return count;
}

namespace {

class Tarjan {
 public:
  explicit Tarjan(const Automaton& a) : a_(a), index_(a.states(), unseen), low_(a.states(), 0) {
    result_.of.assign(a.states(), unseen);
    for (std::uint32_t q = 0; q < a.states(); ++q)
      if (index_[q] == unseen) visit(q);
    judge();
  }
  Components take() { return std::move(result_); }

 private:
  static constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

  void enter(std::uint32_t q) {
    index_[q] = low_[q] = clock_++;
    open_.push_back(q);
    path_.push_back({q, 0});
  }

  // Without recursion: an automaton that was read from a file may be one long chain.
  void visit(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::uint32_t q = path_.back().state;
      if (path_.back().edge < a_.edges[q].size()) {
        const std::uint32_t t = a_.edges[q][path_.back().edge++].target;
        if (index_[t] == unseen) enter(t);
        else if (result_.of[t] == unseen) low_[q] = std::min(low_[q], index_[t]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().state] = std::min(low_[path_.back().state], low_[q]);
      if (low_[q] != index_[q]) continue;
      const auto number = static_cast<std::uint32_t>(result_.accepting.size());
      result_.accepting.push_back(false);
      result_.trivial.push_back(true);
      for (std::uint32_t s = unseen; s != q;) {
        s = open_.back();
        open_.pop_back();
        result_.of[s] = number;
      }
    }
  }

  void judge() {
    std::vector<Marks> marks(result_.accepting.size(), 0);
    for (std::uint32_t q = 0; q < a_.states(); ++q)
      for (const Edge& e : a_.edges[q])
        if (result_.of[e.target] == result_.of[q]) {
          marks[result_.of[q]] |= e.marks;
          result_.trivial[result_.of[q]] = false;
        }
    for (std::size_t c = 0; c < marks.size(); ++c)
      result_.accepting[c] = !result_.trivial[c] && marks[c] == a_.every_mark();
  }

  struct Frame {
    std::uint32_t state;
    std::size_t edge;
  };
  const Automaton& a_;
  std::uint32_t clock_ = 0;
  std::vector<std::uint32_t> index_, low_, open_;
  std::vector<Frame> path_;
  Components result_;
};

}  // namespace

Components components(const Automaton& a) { return Tarjan(a).take(); }

void compact(Automaton& a) {
  constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
  for (auto& out : a.edges) {
    std::vector<Edge> merged;
    for (const Edge& e : out) {
      if (e.label == none) continue;
      const auto same =
          std::ranges::find_if(merged, [&](const Edge& m) { return m.target == e.target && m.marks == e.marks; });
      if (same == merged.end()) merged.push_back(e);
      else same->label = a.letters->either(same->label, e.label);
    }
    out = std::move(merged);
  }
  std::vector<std::uint32_t> number(a.states(), unseen), order{a.initial};
  number[a.initial] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Edge& e : a.edges[order[i]])
      if (number[e.target] == unseen) {
        number[e.target] = static_cast<std::uint32_t>(order.size());
        order.push_back(e.target);
      }
  std::vector<std::vector<Edge>> edges;
  for (const std::uint32_t q : order) {
    for (Edge& e : a.edges[q]) e.target = number[e.target];
    edges.push_back(std::move(a.edges[q]));
  }
  a.edges = std::move(edges);
  a.initial = 0;
}

}  // namespace heddle::ltl
