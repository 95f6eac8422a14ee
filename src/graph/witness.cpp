// SPDX-License-Identifier: Apache-2.0
#include "graph/witness.h"

#include <map>

#include "core/address_deps.h"
#include "core/rmw.h"
#include "graph/pieces.h"

namespace heddle::graph {

namespace {

core::WitnessEvent::Kind kind_of(EventKind k) {
  using Kind = core::WitnessEvent::Kind;
  switch (k) {
    case EventKind::Read: return Kind::Read;
    case EventKind::Write: return Kind::Write;
    case EventKind::Fence: return Kind::Fence;
    case EventKind::Choose: return Kind::Choose;
    case EventKind::Alloc: return Kind::Alloc;
    case EventKind::Free: return Kind::Free;
    case EventKind::Spawn: return Kind::Spawn;
    case EventKind::Join: return Kind::Join;
    case EventKind::Refused: return Kind::Refused;
    case EventKind::Stalled: break;  // in no execution
  }
  return Kind::Fence;
}

// An order that respects as much as it can of po, rf, co and fr: events are emitted after their predecessors, and
// where a cycle forbids that (weak models), the edge that closes it is dropped, po last of all.
class Sorter {
 public:
  explicit Sorter(const Graph& g) : g_(g), colour_(g.events.size(), 0) {
    for (EventId e = 0; e < g.size(); ++e) visit(e);
  }
  std::vector<EventId> order;

 private:
  void visit(EventId root) {
    // Iterative depth-first search over predecessors; program order first, so that it is never the edge dropped.
    std::vector<std::pair<EventId, std::size_t>> stack;
    const auto open = [&](EventId e) {
      if (e < 0 || colour_[static_cast<std::size_t>(e)] != 0) return false;
      colour_[static_cast<std::size_t>(e)] = 1;
      stack.emplace_back(e, 0);
      return true;
    };
    open(root);
    while (!stack.empty()) {
      const EventId id = stack.back().first;
      const Event& e = g_[id];
      bool deeper = false;
      while (!deeper && stack.back().second < 4) {
        switch (stack.back().second++) {
          case 0: deeper = open(e.po_prev != no_event ? e.po_prev : g_.threads[e.thread].created_by); break;
          case 1:
            if (e.kind == EventKind::Join) deeper = open(g_.threads[static_cast<ThreadId>(e.value.bits)].last);
            if (e.kind == EventKind::Read && e.rf != no_event) deeper = open(e.rf);
            break;
          case 2:
            if (e.kind == EventKind::Write && e.co_prev != no_event) deeper = open(e.co_prev);
            break;
          case 3:
            if (e.kind == EventKind::Write && e.co_prev != no_event)
              for (EventId r = g_.readers(e.co_prev); r != no_event; r = g_[r].next_reader)
                if (open(r)) {
                  --stack[stack.size() - 2].second;  // the other readers are to come
                  deeper = true;
                  break;
                }
            break;
        }
      }
      if (deeper) continue;
      // An event that waits for one of its own thread's later events would break program order: it is emitted when
      // its predecessors in program order are, which the search has seen to.
      order.push_back(id);
      stack.pop_back();
    }
  }
  const Graph& g_;
  std::vector<std::uint8_t> colour_;
};

}  // namespace

core::ExecutionWitness witness(const core::Program& program, const Graph& g, const Tables& tables,
                               const std::string& model, bool deps, std::vector<EventId>* events) {
  core::ExecutionWitness out;
  out.model = model;
  Sorter sorter(g);
  // Where program order was broken by a cycle, restore it: stable by thread.
  std::vector<EventId> order;
  std::vector<bool> emitted(g.events.size(), false);
  for (const EventId wanted : sorter.order) {
    std::vector<EventId> chain;
    for (EventId e = wanted; e != no_event && !emitted[static_cast<std::size_t>(e)]; e = g[e].po_prev)
      chain.push_back(e);
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      emitted[static_cast<std::size_t>(*it)] = true;
      // Of a compare-exchange that fails for no reason the witness has the read alone, and that only if it came to it.
      const Event& e = g[*it];
      if (!e.spurious || (e.kind == EventKind::Read && !e.waiting)) order.push_back(*it);
    }
  }
  std::vector<std::int32_t> number(g.events.size(), core::WitnessEvent::nothing);
  for (std::size_t i = 0; i < order.size(); ++i)
    number[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  const auto numbered = [&](EventId w) {
    return w == no_event ? core::WitnessEvent::nothing
           : w < 0       ? core::WitnessEvent::initial
                         : number[static_cast<std::size_t>(w)];
  };
  std::vector<std::uint32_t> emitted_of(g.threads.size(), 0);  // of each thread: events so far
  std::map<ThreadId, std::vector<std::size_t>> pieces;         // of the compare-exchange that the thread is at
  for (const EventId id : order) {
    const Event& e = g[id];
    core::WitnessEvent w;
    w.kind = kind_of(e.kind);
    w.thread = e.thread;
    w.index = emitted_of[e.thread]++;  // what no program asks for is left out
    if (e.loc != none) w.loc = tables.location(e.loc).loc;
    w.value = e.value;
    w.order = e.order;
    w.tag = e.tag;
    w.rmw = e.rmw;
    w.spurious = e.spurious;
    w.waits = e.kind == EventKind::Read && (e.stuck || e.waiting);
    w.piece = e.piece;
    w.pieces = e.pieces;
    w.fault = e.fault;
    if (e.kind == EventKind::Read) {
      const EventId from = e.asleep ? g.locs[e.loc].tail : e.rf;  // a sleeper reads whatever is latest
      w.rf = numbered(from);
      if (e.asleep) w.value = from < 0 ? tables.location(e.loc).initial : g[from].value;
    }
    w.co_prev = e.kind == EventKind::Write ? numbered(e.co_prev) : core::WitnessEvent::nothing;
    const core::Request& request = tables.step(e.before).request;
    w.site = request.site;
    if (deps) {
      core::Deps d = tables.deps(e.before);
      core::settle_addresses(d, false);
      w.addr = std::move(d.addr);
      w.data = std::move(d.data);
      w.ctrl = std::move(d.ctrl);
    }
    out.events.push_back(std::move(w));
    // A compare-exchange that fails has the order that the program gives it, also where the model does not look at it.
    if (e.kind != EventKind::Read || !e.rmw || request.op != core::RmwOp::Cas || request.locked) continue;
    if (e.piece == 0) pieces[e.thread].clear();
    pieces[e.thread].push_back(out.events.size() - 1);
    if (e.piece + 1 < e.pieces) continue;
    const core::Value read = e.pieces == 1 ? out.events.back().value : value_read(g, tables, id);
    const bool success = !out.events.back().spurious && core::cas_succeeds(read, request.expected, request.loc.size);
    for (const std::size_t piece : pieces[e.thread])
      out.events[piece].order = success ? request.order : request.failure;
  }
  const auto initial = program.initial_threads();
  out.threads.resize(g.threads.size());
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    if (t < initial.size()) out.threads[t] = {initial[t].entry, initial[t].arg, -1};
    else if (g.threads[t].alive) {
      const EventId by = g.threads[t].created_by;
      const core::Request& q = tables.step(g[by].before).request;
      out.threads[t] = {q.entry, q.value, numbered(by)};
    }
  }
  if (events != nullptr) *events = std::move(order);
  return out;
}

}  // namespace heddle::graph
