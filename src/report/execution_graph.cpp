// SPDX-License-Identifier: Apache-2.0
#include "report/execution_graph.h"

namespace heddle::report {

namespace {

using Kind = core::WitnessEvent::Kind;

std::string label(const core::WitnessEvent& e, const core::Program& program) {
  const core::SourcePlace place = program.place(e.site);
  const std::string line = place.line ? " (line " + std::to_string(place.line) + ")" : "";
  const auto globals = program.globals();
  std::string where;
  if (e.kind == Kind::Read || e.kind == Kind::Write) {
    where = e.loc.object >= 1 && e.loc.object <= globals.size() ? globals[e.loc.object - 1].name : "object " + std::to_string(e.loc.object);
    if (e.loc.offset) where += "+" + std::to_string(e.loc.offset);
    where += " = " + std::to_string(static_cast<std::int64_t>(e.value.bits));
  }
  switch (e.kind) {
    case Kind::Read: return "R " + where + line;
    case Kind::Write: return "W " + where + line;
    case Kind::Fence: return "fence" + line;
    case Kind::Choose: return "choose " + std::to_string(e.value.bits) + line;
    case Kind::Alloc: return "allocate" + line;
    case Kind::Free: return "free" + line;
    case Kind::Spawn: return "create thread " + std::to_string(e.value.bits) + line;
    case Kind::Join: return "join thread " + std::to_string(e.value.bits) + line;
    case Kind::Refused: return "refused access" + line;
  }
  return "?";
}

}  // namespace

StateGraph execution_graph(const core::ExecutionWitness& w, const core::Program& program) {
  StateGraph g;
  const std::size_t n = w.events.size();
  struct Edge { std::size_t from, to; const char* name; const char* style; };
  std::vector<Edge> edges;
  std::vector<std::size_t> last(w.threads.size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& e = w.events[i];
    if (last[e.thread] != n) edges.push_back({last[e.thread], i, "", "solid"});
    else if (w.threads[e.thread].spawn >= 0) edges.push_back({static_cast<std::size_t>(w.threads[e.thread].spawn), i, "", "solid"});
    last[e.thread] = i;
    if (e.kind == Kind::Read && e.rf >= 0) edges.push_back({static_cast<std::size_t>(e.rf), i, "rf", "bold"});
    if (e.kind == Kind::Write && e.co_prev >= 0) edges.push_back({static_cast<std::size_t>(e.co_prev), i, "co", "dashed"});
    // From-read, to the write that comes directly after the one that was read.
    for (std::size_t j = 0; e.kind == Kind::Write && j < n; ++j) {
      const auto& r = w.events[j];
      if (r.kind == Kind::Read && r.loc == e.loc && r.rf == e.co_prev && !(r.rmw && e.rmw && r.thread == e.thread && r.index + 1 == e.index))
        edges.push_back({j, i, "fr", "dotted"});
    }
  }
  // Joins come after the whole thread.
  for (std::size_t i = 0; i < n; ++i)
    if (w.events[i].kind == Kind::Join && w.events[i].value.bits < last.size() && last[w.events[i].value.bits] != n)
      edges.push_back({last[w.events[i].value.bits], i, "", "solid"});
  // An event is on a cycle if it reaches itself.
  std::vector<std::vector<std::size_t>> after(n);
  for (const Edge& e : edges) after[e.from].push_back(e.to);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<bool> seen(n, false);
    std::vector<std::size_t> stack = after[i];
    bool cyclic = false;
    while (!stack.empty() && !cyclic) {
      const std::size_t top = stack.back();
      stack.pop_back();
      cyclic = top == i;
      if (seen[top]) continue;
      seen[top] = true;
      stack.insert(stack.end(), after[top].begin(), after[top].end());
    }
    const auto t = w.events[i].thread;
    g.add_node(label(w.events[i], program), false, cyclic, program.thread_name(w.threads[t].entry) + " (thread " + std::to_string(t) + ")");
  }
  for (const Edge& e : edges) g.add_edge(e.from, e.to, e.name, e.style);
  return g;
}

}  // namespace heddle::report
