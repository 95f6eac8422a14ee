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
      out->push_back(event);
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
    }
  if (run.loop.empty() != events.loop.empty()) return std::nullopt;
  return run;
}

Elements grow(const IrRepair& r, const Elements& candidate, const Events& events, bool backwards) {
  Elements strong = candidate, rest;
  for (std::uint32_t i = 0; i < r.places.size(); ++i) {
    const std::uint32_t place = backwards ? static_cast<std::uint32_t>(r.places.size()) - 1 - i : i;
    if (std::ranges::binary_search(candidate, place)) continue;
    Elements more = strong;
    more.insert(std::ranges::upper_bound(more, place), place);
    const ir::Program program = strengthened(r.program, r.places, more);
    const auto run = follow(r, program, events);
    if (run && r.goes_wrong(program, *run)) strong = std::move(more);
    else rest.push_back(place);
  }
  return rest;
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
      if (!kinds.atomic) continue;
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
  return places;
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
  for (const std::uint32_t i : chosen) {
    ir::Edge& edge = result.edges[places[i].edge];
    if (places[i].var == ir::none) edge.fence = true;
    for (auto* list : {&edge.targets, &edge.effects})
      for (ir::Assignment& a : *list)
        if (a.kind == ir::Assignment::Kind::Store && a.var == places[i].var) a.atomic = true;
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
  for (const bool backwards : {false, true}) {
    Elements rest = grow(r, candidate, events, backwards);
    std::ranges::sort(rest);
    result.constraints.push_back(std::move(rest));
  }
  return result;
}

}  // namespace heddle::repair
