// SPDX-License-Identifier: Apache-2.0
#include "repair/ir_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "check/naive_replay.h"
#include "ir/footprint.h"

namespace heddle::repair {
namespace {

// A move of a run that may be followed in a stronger program too: a flush is told by what it writes.
struct Event {
  core::Move move;
  std::uint32_t cell = ir::none;  // of a flush
};

struct Events {
  std::vector<Event> moves, loop;
};

check::NaiveModel naive(const IrRepair& r) { return *check::naive_model(r.model); }
unsigned bound(const IrRepair& r) { return r.buffer_bound == 0 ? 0 : check::NaivePort::unbounded; }

// Steps along the edges that strengthening adds are no part of what a run shows: follow() makes them by itself.
bool is_added(const IrRepair& r, const core::Move& move) {
  return move.kind == core::Move::Kind::Step && move.choice >= r.program.processes[move.thread].edges.size();
}

// Lets every process pass the sync that it stands at, where its buffer is empty.
void pass_syncs(const IrRepair& r, const ir::Program& program, check::Replay& replay, std::vector<core::Move>& out) {
  core::Trace trace;
  for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
    const auto at = static_cast<std::uint32_t>(replay.port().contents().words[program.processes[p].control]);
    if (at < r.program.processes[p].states.size() || !replay.port().empty(p)) continue;
    const core::Move move{core::Move::Kind::Step, p,
                          program.edges[program.processes[p].states[at].starts.front()].number};
    if (replay.move(move, trace)) out.push_back(move);
  }
}

// Requires a run of the program.
Events events_of(const IrRepair& r, const ir::Program& program, const WrongRun& run) {
  check::Replay replay(program, naive(r), bound(r));
  core::Trace trace;
  Events events;
  for (const auto& [moves, out] : {std::pair{&run.moves, &events.moves}, std::pair{&run.loop, &events.loop}})
    for (const core::Move& move : *moves) {
      Event event{move};
      if (move.kind == core::Move::Kind::Flush)
        event.cell = replay.port().contents().buffers[move.thread][move.choice].cell;
      replay.move(move, trace);
      if (!is_added(r, move)) out->push_back(event);
    }
  return events;
}

// The same run in another program: flushes of what never was buffered are left out.
std::optional<WrongRun> follow(const IrRepair& r, const ir::Program& program, const Events& events) {
  check::Replay replay(program, naive(r), bound(r));
  core::Trace trace;
  WrongRun run;
  for (const auto& [list, out] : {std::pair{&events.moves, &run.moves}, std::pair{&events.loop, &run.loop}})
    for (const Event& event : *list) {
      core::Move move = event.move;
      if (move.kind == core::Move::Kind::Flush) {
        const auto& buffer = replay.port().contents().buffers[move.thread];
        const auto entry =
            std::ranges::find_if(buffer, [&](const check::NaivePort::Entry& e) { return e.cell == event.cell; });
        if (entry == buffer.end()) continue;
        move.choice = static_cast<std::uint32_t>(entry - buffer.begin());
      }
      if (!replay.move(move, trace)) return std::nullopt;
      out->push_back(move);
      pass_syncs(r, program, replay, *out);
    }
  if (run.loop.empty() != events.loop.empty()) return std::nullopt;
  return run;
}

Elements grow(const IrRepair& r, const Elements& candidate, const WrongRun& found, const Events& events,
              bool backwards) {
  Elements strong = candidate, rest;
  WrongRun grown = found;  // the run with `strong`
  for (std::uint32_t i = 0; i < r.places.size(); ++i) {
    const std::uint32_t place = backwards ? static_cast<std::uint32_t>(r.places.size()) - 1 - i : i;
    if (std::ranges::binary_search(candidate, place)) continue;
    Elements more = strong;
    more.insert(std::ranges::upper_bound(more, place), place);
    const ir::Program program = strengthened(r.program, r.places, more);
    auto run = follow(r, program, events);
    if (run && r.goes_wrong(program, *run)) {
      strong = std::move(more);
      grown = std::move(*run);
    } else {
      rest.push_back(place);
    }
  }
  std::ranges::sort(rest);
  if (r.shown) r.shown(rest, strengthened(r.program, r.places, strong), grown);
  return rest;
}

// Does every step from where the edge leads wait for an empty buffer anyway?
bool is_synced(const ir::Program& program, const ir::Edge& edge) {
  const auto& next = program.processes[edge.process].states[edge.target].starts;
  return !next.empty() && std::ranges::all_of(next, [&](std::uint32_t e) { return program.edges[e].fence; });
}

// A store-store fence: what it stores is seen by nobody.
bool orders_stores(const ir::Program& program, const ir::Edge& edge) {
  return std::ranges::any_of(edge.effects, [&](const ir::Assignment& a) {
    return a.kind == ir::Assignment::Kind::Store && program.variables[a.var].in_memory() &&
           program.variables[a.var].base == program.mark;
  });
}

const core::SourcePlace* place_of(const ir::Program& program, std::uint32_t edge) {
  const core::Site site = program.edges[edge].site;
  return site < program.sites.size() ? &program.sites[site] : nullptr;
}

// One place for what the same text makes in several processes; the text names it.
std::vector<IrPlace> by_text(const ir::Program& program, std::vector<IrPlace> places) {
  std::vector<IrPlace> texts;
  for (IrPlace& place : places) {
    const core::SourcePlace* at = place_of(program, place.edge);
    const auto same = std::ranges::find_if(texts, [&](const IrPlace& other) {
      const core::SourcePlace* there = place_of(program, other.edge);
      return at != nullptr && there != nullptr && other.sync == place.sync &&
             (other.var == ir::none) == (place.var == ir::none) && at->file == there->file && at->line == there->line &&
             at->column == there->column;
    });
    if (same != texts.end()) {
      same->copies.push_back(place.edge);
      continue;
    }
    if (at != nullptr && !at->text.empty())
      place.name = fmt::format("{} {}", place.sync ? "sync behind" : "atomic", at->text);
    texts.push_back(std::move(place));
  }
  return texts;
}

bool mentions_state(const ir::Program& program, ir::ExprId id) {
  if (id == ir::no_expr) return false;
  const ir::Expr& e = program.expr(id);
  return e.op == ir::Op::InState || mentions_state(program, e.left) || mentions_state(program, e.right);
}

void add_sync(ir::Program& program, std::uint32_t number) {
  ir::Edge sync;
  {
    ir::Edge& edge = program.edges[number];
    ir::Process& process = program.processes[edge.process];
    sync.process = edge.process;
    sync.number = static_cast<std::uint32_t>(process.edges.size());
    sync.source = static_cast<std::uint32_t>(process.states.size());
    sync.target = edge.target;
    sync.fence = true;
    core::SourcePlace place = edge.site < program.sites.size() ? program.sites[edge.site] : core::SourcePlace{};
    place.text = "sync";
    sync.site = static_cast<core::Site>(program.sites.size());
    program.sites.push_back(std::move(place));
    ir::ControlState waiting;
    waiting.name = "sync";
    process.states.push_back(std::move(waiting));
    process.edges.push_back(static_cast<std::uint32_t>(program.edges.size()));
    edge.target = sync.source;
  }
  program.edges.push_back(std::move(sync));
}

}  // namespace

std::vector<IrPlace> ir_places(const ir::Program& program, const IrPlaceKinds& kinds) {
  std::vector<IrPlace> places;
  for (const ir::Process& process : program.processes) {
    const bool stores =
        std::ranges::any_of(process.edges, [&](std::uint32_t e) { return program.edges[e].stores != 0; });
    for (const std::uint32_t e : process.edges) {
      const ir::Edge& edge = program.edges[e];
      const std::string where = fmt::format("{}.{}", process.name, edge.number + 1);
      if (kinds.fence && stores && !edge.fence) places.push_back({e, ir::none, "fence " + where});
      if (kinds.sync && edge.stores > edge.atomic_stores && !is_synced(program, edge) && !orders_stores(program, edge))
        places.push_back({e, ir::none, "sync behind " + where, true});
      if (!kinds.atomic || orders_stores(program, edge)) continue;
      for (const auto* list : {&edge.targets, &edge.effects})
        for (const ir::Assignment& a : *list) {
          if (a.kind != ir::Assignment::Kind::Store || a.atomic) continue;
          const ir::Variable& v = program.variables[a.var];
          if (!v.in_memory()) continue;
          const auto same = [&](const IrPlace& p) { return p.edge == e && p.var == a.var; };
          if (std::ranges::none_of(places, same)) places.push_back({e, a.var, v.name + " " + where});
        }
    }
  }
  return kinds.by_text ? by_text(program, std::move(places)) : places;
}

bool asks_for_absence(const ir::Program& program, ir::ExprId condition, bool value) {
  if (condition == ir::no_expr) return false;
  const ir::Expr& e = program.expr(condition);
  const auto inside = [&](ir::ExprId part, bool wanted) { return asks_for_absence(program, part, wanted); };
  switch (e.op) {
    case ir::Op::InState: return !value;
    case ir::Op::And:
    case ir::Op::Or: return inside(e.left, value) || inside(e.right, value);
    case ir::Op::Not: return inside(e.left, !value);
    case ir::Op::Imply: return inside(e.left, !value) || inside(e.right, value);
    default: break;
  }
  return mentions_state(program, e.left) || mentions_state(program, e.right);  // as a number: it counts in both ways
}

std::optional<std::string> not_monotone(const ir::Program& program, const std::vector<IrPlace>& places,
                                        const std::vector<std::uint32_t>& atoms, bool uses_next) {
  if (program.has_commit) return "nothing is flushed in a commit state, so what is atomic there shows others more";
  if (uses_next) return "the formula has X, and an atomic store is one step less";
  for (const IrPlace& place : places) {
    if (place.var == ir::none) continue;
    ir::WordSet stored(program.variable_words);
    const ir::Variable& v = program.variables[place.var];
    for (std::uint32_t i = 0; i < v.length; ++i) stored.add(v.base + i);
    for (const std::uint32_t atom : atoms)
      if (ir::words_read(program, program.propositions[atom].condition).meets(stored))
        return fmt::format("the formula reads {}, and so sees the moment between a store and its flush", v.name);
    const ir::Edge& edge = program.edges[place.edge];
    if (edge.sync != ir::Sync::Receive) continue;
    for (const ir::Edge& sender : program.edges)
      if (sender.sync == ir::Sync::Send && sender.channel == edge.channel &&
          ir::footprint(program, sender).reads.meets(stored))
        return fmt::format("a sender on channel {} reads what its receiver writes in the same step",
                           program.channels[edge.channel].name);
  }
  return std::nullopt;
}

ir::Program strengthened(const ir::Program& program, const std::vector<IrPlace>& places, const Elements& chosen) {
  ir::Program result = ir::unfinished(program);
  const auto strengthen = [&](const IrPlace& place, std::uint32_t number) {
    if (place.sync) return add_sync(result, number);
    ir::Edge& edge = result.edges[number];
    if (place.var == ir::none) edge.fence = true;
    for (auto* list : {&edge.targets, &edge.effects})
      for (ir::Assignment& a : *list)
        if (a.kind == ir::Assignment::Kind::Store && a.var == place.var) a.atomic = true;
  };
  for (const std::uint32_t i : chosen) {
    strengthen(places[i], places[i].edge);
    for (const std::uint32_t copy : places[i].copies) strengthen(places[i], copy);
  }
  ir::finish(result);
  return result;
}

Answer check_candidate(const IrRepair& r, const Elements& candidate) {
  const ir::Program program = strengthened(r.program, r.places, candidate);
  IrAnswer answer = r.search(program);
  if (answer.kind != Answer::Kind::Unsafe) return {answer.kind, {}, std::move(answer.reason)};
  const Events events = events_of(r, program, answer.run);
  Answer result{Answer::Kind::Unsafe, {}, {}};
  for (const bool backwards : {false, true})
    result.constraints.push_back(grow(r, candidate, answer.run, events, backwards));
  return result;
}

}  // namespace heddle::repair
