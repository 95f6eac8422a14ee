// Would a thread do the same if it had another's number? Its run is repeated with each number of its group. What it
// writes may then differ (the owner of a lock), as long as nobody but the thread itself makes use of it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/heap_family.h"
#include "core/rmw.h"
#include "graph/symmetry.h"

namespace heddle::graph {

namespace {

bool same_but_for_values(const core::Request& a, const core::Request& b) {
  const bool writes = a.kind == core::Kind::Store || a.kind == core::Kind::Rmw;
  return a.kind == b.kind && a.order == b.order && a.failure == b.failure && a.op == b.op && a.tag == b.tag &&
         a.joined == b.joined && a.locked == b.locked && a.waits == b.waits && a.weak == b.weak && a.loc == b.loc &&
         a.entry == b.entry && a.storage == b.storage && a.site == b.site && (writes || a.value == b.value) &&
         (!a.waits || (a.awaited == b.awaited && (a.kind != core::Kind::Load || a.expected == b.expected))) &&
         (a.kind != core::Kind::Alloc || a.expected == b.expected);
}

}  // namespace

bool Symmetry::same_under_other_numbers(const Graph& g, const Group& group) {
  for (const ThreadId t : group) {
    const Run& run = run_of(g, group, t);
    if (!run.alike) return false;
    if (run.own.empty()) continue;
    EventId e = g.threads[t].first;
    for (const auto& [index, values] : run.own) {
      while (g[e].index != index) e = g[e].po_next;
      // Others may only wait for it to change.
      const auto waits_anyway = [&](EventId r) {
        if (g[r].thread == t) return true;
        const core::Request& q = tables_.step(g[r].before).request;
        return q.waits && (g[r].waiting || g[r].asleep) &&
               std::ranges::none_of(values, [&](const core::Value& v) { return core::wait_over(q, v); });
      };
      for (EventId r = g[e].readers; r != no_event; r = g[r].next_reader)
        if (!waits_anyway(r)) return false;
      for (EventId r = 0; g.locs[g[e].loc].tail == e && r < g.size(); ++r)
        if (g[r].asleep && g[r].loc == g[e].loc && !waits_anyway(r)) return false;
    }
  }
  return true;
}

const Symmetry::Run& Symmetry::run_of(const Graph& g, const Group& group, ThreadId t) {
  std::uint64_t h = group.front() * 0x9e3779b97f4a7c15u + group.size();
  const auto mix = [&](std::uint64_t v) {
    h = (h ^ v) * 0xd6e8feb86659fd93u;
    h ^= h >> 32;
  };
  mix(t);
  for (EventId e = g.threads[t].first; e != no_event; e = g[e].po_next) {
    const Event& x = g[e];
    mix((std::uint64_t{x.before} << 32) | (static_cast<std::uint64_t>(x.kind) << 16) | (x.asleep ? 1u : 0u) |
        (x.waiting ? 2u : 0u) | (x.stuck ? 4u : 0u) | (x.pending ? 8u : 0u));
    mix(x.value.bits);
    mix(x.value.undefined);
    mix(x.value.pointer);
    if (x.kind == EventKind::Read) mix(x.rf >= 0 && g[x.rf].thread == t ? g[x.rf].index : none);
  }
  const auto [at, fresh] = runs_.try_emplace(h);
  if (!fresh) return at->second;
  Run run;
  run.alike = true;
  for (const ThreadId as : group)
    if (as != t && run.alike) run.alike = repeat(g, t, as, run);
  std::ranges::sort(run.own, [](const auto& a, const auto& b) { return a.first < b.first; });
  return at->second = std::move(run);
}

bool Symmetry::repeat(const Graph& g, ThreadId t, ThreadId as, Run& run, EventId last) {
  const ThreadState& thread = g.threads[t];
  const auto initial = program_.initial_threads();
  core::Program::Entry entry{};
  if (thread.created_by == no_event) {
    entry = initial[t];
  } else {
    const core::Request& q = tables_.step(g[thread.created_by].before).request;
    entry = {q.entry, q.value};
  }
  StateId state = tables_.start(entry.entry, entry.arg, as);
  std::vector<core::Value> written;  // by index
  core::Value read;                  // of the read-modify-write under way
  for (EventId id = thread.first; id != no_event; id = g[id].po_next) {
    const Event& e = g[id];
    const core::Request was = tables_.step(e.before).request, q = tables_.step(state).request;
    if (e.pieces > 1 || !same_but_for_values(was, q)) return false;
    written.resize(e.index + 1);
    core::Answer answer;
    switch (e.kind) {
      case EventKind::Read: {
        if (e.asleep) return q.kind == core::Kind::Load || was.expected == q.expected;
        read = e.rf >= 0 && g[e.rf].thread == t ? written[g[e.rf].index] : e.value;
        if (q.kind == core::Kind::Rmw && q.op == core::RmwOp::Cas &&
            core::cas_succeeds(read, q.expected, q.loc.size) != core::cas_succeeds(e.value, was.expected, q.loc.size))
          return false;
        if (e.pending) continue;
        if (e.waiting) return was.expected == q.expected;
        answer.value = read;
        answer.spurious = e.spurious;
        break;
      }
      case EventKind::Write: {
        core::Value& v = written[e.index];
        v = q.value;
        if (q.kind == core::Kind::Rmw) {
          if (q.op != core::RmwOp::Cas) v = core::rmw_result(q.op, read, q.value, q.loc.size);
          answer.value = read;
        }
        if (v != e.value) {
          const auto at = std::ranges::find_if(run.own, [&](const auto& o) { return o.first == e.index; });
          if (at != run.own.end()) at->second.push_back(v);
          else run.own.push_back({e.index, {e.value, v}});
        }
        break;
      }
      case EventKind::Choose:
        if (e.spurious) continue;
        [[fallthrough]];
      case EventKind::Alloc: answer.value = e.value; break;
      case EventKind::Spawn: return false;  // its threads would have other numbers, too
      case EventKind::Refused: answer.fault = e.fault; break;
      case EventKind::Fence:
        if (q.asks_size()) {
          const ObjectInfo o = names_.object(q.loc.object);
          answer.value = core::object_facts(o.size, o.kind);
        }
        break;
      case EventKind::Stalled: return false;
      case EventKind::Free:
      case EventKind::Join: break;
    }
    if (id == last) return true;
    state = tables_.next(state, answer);
  }
  return tables_.step(state).request.kind == tables_.step(thread.state).request.kind;
}

}  // namespace heddle::graph
