// SPDX-License-Identifier: Apache-2.0
#include "report/state_graph.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string_view>

#include "report/markup.h"

namespace heddle::report {

namespace {

class Explorer final : public core::SuccessorSink {
 public:
  Explorer(const core::TransitionSystem& system, const MoveText& words, std::size_t limit)
      : system_(system), words_(words), limit_(limit) {}

  StateGraph run() {
    scratch_ = system_.make_scratch();
    show_ = system_.make_scratch();
    visit(system_.initial(*scratch_), true);
    for (from_ = 0; from_ < order_.size(); ++from_) {
      const std::vector<std::uint32_t> state = order_[from_];  // successor() may move the list
      system_.successors(state, core::Reduction::None, *scratch_, *this);
    }
    return std::move(graph_);
  }

  void successor(const core::Successor& successor) override {
    if (successor.error != 0) {
      const std::size_t to = graph_.add_node(system_.error_text(successor.error), false, true);
      graph_.add_edge(nodes_of_[from_], to, words_(order_[from_], successor.move));
      return;
    }
    const std::size_t to = visit({successor.state.begin(), successor.state.end()}, false);
    if (to == no_node) return;
    graph_.add_edge(nodes_of_[from_], to, words_(order_[from_], successor.move),
                    successor.move.kind == core::Move::Kind::Flush ? "dashed" : "");
  }

 private:
  static constexpr std::size_t no_node = static_cast<std::size_t>(-1);

  std::size_t visit(std::vector<std::uint32_t> state, bool initial) {
    if (const auto found = numbers_.find(state); found != numbers_.end()) return found->second;
    if (order_.size() >= limit_) {
      graph_.complete = false;
      return no_node;
    }
    const bool bad = system_.has_state_errors() && system_.state_error(state, *show_) != 0;
    const std::size_t node = graph_.add_node(system_.show(state, *show_), initial, bad);
    numbers_.emplace(state, node);
    order_.push_back(std::move(state));
    nodes_of_.push_back(node);
    return node;
  }

  const core::TransitionSystem& system_;
  const MoveText& words_;
  const std::size_t limit_;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_, show_;
  StateGraph graph_;
  std::map<std::vector<std::uint32_t>, std::size_t> numbers_;
  std::vector<std::vector<std::uint32_t>> order_;
  std::vector<std::size_t> nodes_of_;
  std::size_t from_ = 0;
};

}  // namespace

std::size_t StateGraph::add_node(std::string label, bool initial, bool bad) {
  nodes.push_back({std::move(label), initial, bad});
  return nodes.size() - 1;
}

void StateGraph::add_edge(std::size_t from, std::size_t to, std::string label, std::string style) {
  edges.push_back({from, to, std::move(label), std::move(style)});
}

StateGraph state_graph(const core::TransitionSystem& system, const MoveText& words, std::size_t limit) {
  return Explorer(system, words, limit).run();
}

StateGraph trace_graph(const core::Trace& trace) {
  StateGraph graph;
  std::vector<std::size_t> before;
  before.push_back(graph.add_node("start", true));
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const core::TraceStep& step = trace.steps[i];
    std::string label = step.thread;
    const std::string& what = step.place.text.empty() ? step.action : step.place.text;
    if (!what.empty()) label += ": " + what;
    const bool last = i + 1 == trace.steps.size();
    if (last && trace.loop_start != core::Trace::no_loop && trace.loop_start < before.size()) {
      graph.add_edge(before.back(), before[trace.loop_start], label);
      return graph;
    }
    std::string state;
    for (const core::Effect& effect : step.effects) {
      const bool changes = effect.kind == core::Effect::Kind::Wrote || effect.kind == core::Effect::Kind::Flushed ||
                           effect.kind == core::Effect::Kind::Changed;
      if (changes) state += (state.empty() ? "" : "\n") + effect.location + " = " + effect.value;
    }
    if (last && !trace.closing.empty()) state += (state.empty() ? "" : "\n") + trace.closing;
    const std::size_t node = graph.add_node(state.empty() ? std::to_string(i + 1) : state, false, last);
    graph.add_edge(before.back(), node, label, step.move.kind == core::Move::Kind::Flush ? "dashed" : "");
    before.push_back(node);
  }
  return graph;
}

std::string dot(const StateGraph& graph, const std::string& title) {
  std::string text = fmt::format("digraph {} {{\n  node [shape=box, fontname=\"monospace\"];\n", dot_string(title));
  if (!graph.complete) text += "  label=\"not all of it: the graph is larger than the limit\";\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const StateGraph::Node& node = graph.nodes[i];
    std::string line = fmt::format("n{} [label={}", i, dot_string(node.label));
    if (node.initial) line += ", penwidth=2";
    if (node.bad) line += ", color=red, fontcolor=red";
    line += "];\n";
    text += "  " + line;
  }
  for (const StateGraph::Edge& edge : graph.edges) {
    text += fmt::format("  n{} -> n{} [label={}", edge.from, edge.to, dot_string(edge.label));
    if (!edge.style.empty()) text += ", style=" + edge.style;
    text += "];\n";
  }
  return text + "}\n";
}

}  // namespace heddle::report
