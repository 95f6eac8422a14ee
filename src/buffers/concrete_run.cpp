// SPDX-License-Identifier: Apache-2.0
#include "buffers/concrete_run.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace heddle::buffers {
namespace {

constexpr std::size_t longest_buffer = 32, most_places = 200'000;

class ProcessRun {
 public:
  ProcessRun(const ir::Program& program, Process& process, std::uint32_t number, ir::StoreOrder order,
             const std::vector<Memory>& memories, const std::vector<PathStep>& steps, const Destination& destination)
      : program_(program),
        process_(process),
        number_(number),
        order_(order),
        memories_(memories),
        steps_(steps),
        destination_(destination),
        view_(memories.front()) {}

  // By memory: the moves in it and, last, the step to the next one.
  std::optional<std::vector<std::vector<core::Move>>> find(std::size_t most_stores, const core::Budget& budget) {
    places_.clear();
    known_.clear();
    reach({0, process_.initial(), {}}, none, {});
    for (std::size_t at = 0; at < places_.size() && places_.size() < most_places; ++at) {
      if (at % 1024 == 0 && budget.over()) return std::nullopt;
      const Place place = places_[at].place;
      look(place);
      if (place.phase == steps_.size())
        if (const auto last = arrived(place)) return told(at, *last);
      advance(place, at);
      run(place, at, most_stores);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Place {
    std::size_t phase = 0;
    std::uint32_t local = 0;
    std::vector<std::pair<std::uint32_t, std::int32_t>> buffer;  // cells and values, oldest first
    auto operator<=>(const Place&) const = default;
  };
  struct Reached {
    Place place;
    std::size_t from;
    std::vector<core::Move> moves;
  };

  void reach(Place place, std::size_t from, std::vector<core::Move> moves) {
    if (known_.insert(place).second) places_.push_back({std::move(place), from, std::move(moves)});
  }

  void look(const Place& place) {
    view_ = memories_[place.phase];
    for (const auto& [cell, value] : place.buffer) view_[cell] = value;
  }

  core::Move step(const ir::Edge* edge) const { return {core::Move::Kind::Step, number_, edge->number}; }

  // The moves that are left at the destination; nothing if this is not it.
  std::optional<std::vector<core::Move>> arrived(const Place& place) {
    using Kind = Destination::Kind;
    std::vector<core::Move> last;
    if (destination_.kind == Kind::Anywhere) return last;
    if (destination_.kind == Kind::Failing) {
      if (process_.failed_assertion(place.local, view_)) return last;
      for (const Outcome& outcome : process_.outcomes(place.local, view_)) {
        if (!outcome.failure || Process::locked(*outcome.edge) || (outcome.edge->fence && !place.buffer.empty()))
          continue;
        last.push_back(step(outcome.edge));
        return last;
      }
      return std::nullopt;
    }
    if (place.local != destination_.local) return std::nullopt;
    if (destination_.kind == Kind::Resting && !place.buffer.empty()) return std::nullopt;
    for (const ir::Edge* edge : destination_.then) last.push_back(step(edge));
    return last;
  }

  // To the next memory.
  void advance(const Place& place, std::size_t at) {
    if (place.phase == steps_.size()) return;
    const PathStep& next = steps_[place.phase];
    Place later = place;
    ++later.phase;
    if (next.drained && !place.buffer.empty()) return;
    if (next.process != number_) return reach(std::move(later), at, {});
    if (!next.commit) {
      if (!place.buffer.empty() || place.local != next.before) return;
      later.local = next.after;
      std::vector<core::Move> moves;
      for (const ir::Edge* edge : next.section) moves.push_back(step(edge));
      return reach(std::move(later), at, std::move(moves));
    }
    auto oldest = later.buffer.begin();
    if (order_ == ir::StoreOrder::Location)
      oldest = std::ranges::find_if(later.buffer,
                                    [&](const auto& s) { return program_.keeps_order(s.first, next.commit->cell); });
    if (oldest == later.buffer.end() || *oldest != std::pair(next.commit->cell, next.commit->value)) return;
    const auto entry = static_cast<std::uint32_t>(oldest - later.buffer.begin());
    later.buffer.erase(oldest);
    reach(std::move(later), at, {{core::Move::Kind::Flush, number_, entry}});
  }

  void run(const Place& place, std::size_t at, std::size_t most_stores) {
    for (const Outcome& outcome : process_.outcomes(place.local, view_)) {
      if (outcome.failure || Process::locked(*outcome.edge) || (outcome.edge->fence && !place.buffer.empty())) continue;
      if (place.buffer.size() + outcome.stores.size() > most_stores && !outcome.stores.empty()) continue;
      Place next = place;
      next.local = outcome.local;
      for (const Store& s : outcome.stores) next.buffer.emplace_back(s.cell, s.value);
      reach(std::move(next), at, {step(outcome.edge)});
    }
  }

  std::vector<std::vector<core::Move>> told(std::size_t at, const std::vector<core::Move>& last) const {
    std::vector<std::vector<core::Move>> out(memories_.size());
    out.back() = last;
    for (; places_[at].from != none; at = places_[at].from) {
      auto& moves = out[places_[places_[at].from].place.phase];
      moves.insert(moves.begin(), places_[at].moves.begin(), places_[at].moves.end());
    }
    return out;
  }

  const ir::Program& program_;
  Process& process_;
  const std::uint32_t number_;
  const ir::StoreOrder order_;
  const std::vector<Memory>& memories_;
  const std::vector<PathStep>& steps_;
  const Destination& destination_;
  Memory view_;
  std::deque<Reached> places_;
  std::set<Place> known_;
};

}  // namespace

std::optional<std::vector<core::Move>> concrete_run(const ir::Program& program, std::deque<Process>& processes,
                                                    ir::StoreOrder order, const std::vector<Memory>& memories,
                                                    const std::vector<PathStep>& steps,
                                                    const std::vector<Destination>& destinations,
                                                    const core::Budget& budget) {
  std::vector<std::vector<std::vector<core::Move>>> parts;  // by process and memory
  for (std::uint32_t p = 0; p < processes.size(); ++p) {
    ProcessRun run(program, processes[p], p, order, memories, steps, destinations[p]);
    for (std::size_t stores = 0; parts.size() == p; ++stores) {
      if (stores > longest_buffer || budget.over()) return std::nullopt;
      if (auto part = run.find(stores, budget)) parts.push_back(std::move(*part));
    }
  }
  // In each memory everybody runs; who changes it comes last, and so does a process with something left to go wrong.
  std::vector<core::Move> moves;
  for (std::size_t k = 0; k < memories.size(); ++k) {
    std::vector<std::uint32_t> turns;
    for (std::uint32_t p = 0; p < processes.size(); ++p) turns.push_back(p);
    std::ranges::stable_sort(turns, {}, [&](std::uint32_t p) {
      if (k < steps.size()) return steps[k].process == p;
      return destinations[p].kind == Destination::Kind::Failing || !destinations[p].then.empty();
    });
    for (const std::uint32_t p : turns) moves.insert(moves.end(), parts[p][k].begin(), parts[p][k].end());
  }
  return moves;
}

}  // namespace heddle::buffers
