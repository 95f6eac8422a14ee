// SPDX-License-Identifier: Apache-2.0
#include "check/naive_replay.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::check {

using core::Effect;

namespace {

// Conditions read main memory.
struct MemoryView {
  static constexpr bool direct = true;
  std::vector<std::int32_t> array;
  std::int32_t* words() { return array.data(); }
  std::int32_t load(std::uint32_t cell) const { return array[cell]; }
  static bool store(std::uint32_t, std::int32_t, bool) { return false; }
  void set(std::uint32_t, std::int32_t) {}
};

void note(core::TraceStep& shown, std::string text) {
  shown.effects.push_back({Effect::Kind::Note, {}, std::move(text), {}, {}});
}

}  // namespace

bool Replay::move(const core::Move& move, core::Trace& trace) {
  return move.kind == core::Move::Kind::Flush ? flush(move, trace) : step(move, trace);
}

bool Replay::deadlocked(bool errors) {
  bool any = false;
  steps_.each_unobserved(port_, [&](const auto& step) { any |= errors || !ir::is_error(step.result.status); });
  if (!steps_.locked(port_))
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p) any |= !port_.flushable(p).empty();
  return !any;
}

bool Replay::at_proper_end() const {
  const auto& words = port_.contents().words;
  for (std::uint32_t p = 0; p < program_.processes.size(); ++p) {
    if (p == program_.property) continue;
    const ir::Process& process = program_.processes[p];
    const ir::ControlState& at = process.states[static_cast<std::uint32_t>(words[process.control])];
    if (!at.end && !(at.starts.empty() && at.receives.empty())) return false;
  }
  return true;
}

std::vector<bool> Replay::enabled() {
  std::vector<bool> result(program_.processes.size(), false);
  const auto note_threads = [&](const ir::Steps<NaivePort>::Step& step) {
    if (step.move.thread == core::Move::none) result.assign(result.size(), true);
    else result[step.move.thread] = true;
    if (step.move.partner != core::Move::none) result[step.move.partner] = true;
  };
  steps_.each_unobserved(port_, note_threads);
  return result;
}

std::string Replay::positions() {
  constexpr std::size_t most = 8;
  std::string text;
  const auto& words = port_.contents().words;
  for (std::size_t p = 0; p < program_.processes.size(); ++p) {
    const ir::Process& process = program_.processes[p];
    if (p == most) return text + ", …";
    text += fmt::format("{}{} in {}", p == 0 ? "" : ", ", process.name,
                        process.states[static_cast<std::uint32_t>(words[process.control])].name);
  }
  return text;
}

ir::Status Replay::proposition(std::uint32_t number) {
  MemoryView view{port_.memory_words()};
  return evaluate(program_, program_.propositions[number].code, view).status;
}

bool Replay::flush(const core::Move& move, core::Trace& trace) {
  if (move.thread >= program_.processes.size() || steps_.locked(port_)) return false;
  const auto possible = port_.flushable(move.thread);
  if (std::ranges::find(possible, move.choice) == possible.end()) return false;
  port_.flush(move.thread, move.choice);
  core::TraceStep shown;
  shown.thread = program_.processes[move.thread].name;
  shown.action = "flush";
  shown.move = move;
  tell_accesses(shown);
  shown.cost = port_.take_cost();
  trace.cost = trace.cost + shown.cost;
  if (!shown.effects.empty()) shown.place = shown.effects.front().from;
  trace.steps.push_back(std::move(shown));
  return true;
}

bool Replay::step(const core::Move& move, core::Trace& trace) {
  if (step_error_) return false;  // nothing comes after an error
  const std::vector<std::int32_t> before = port_.contents().words;
  std::optional<NaivePort::Contents> after;
  core::TraceStep shown;
  shown.move = move;
  const auto take = [&](const ir::Steps<NaivePort>::Step& step) {
    if (after || !(step.move == move)) return;
    after = port_.contents();
    if (ir::is_error(step.result.status)) step_error_ = step.result;
    if (step.edge != nullptr) describe(step, shown);
    else describe(*step.together, shown);
  };
  // What a process can do depends on all others where there are atomic sections or timeouts.
  const bool together = program_.holder != ir::none || program_.timeout != ir::none;
  if (program_.kind == ir::SystemKind::Sync) steps_.each(port_, take);
  else if (move.thread == program_.property) steps_.observer_alone(port_, take);
  else if (together) steps_.each(port_, take);
  else if (move.thread < program_.processes.size()) steps_.of_process(port_, move.thread, take);
  if (!after) return false;
  port_.restore(*after);
  tell_accesses(shown);
  tell_changes(before, shown);
  shown.cost = port_.take_cost();
  trace.cost = trace.cost + shown.cost;
  trace.steps.push_back(std::move(shown));
  return true;
}

std::string Replay::way(const ir::Edge& edge) const {
  const auto& states = program_.processes[edge.process].states;
  return fmt::format("{} -> {}", states[edge.source].name, states[edge.target].name);
}

// A step of a `system sync`.
void Replay::describe(const std::vector<const ir::Edge*>& together, core::TraceStep& shown) const {
  shown.thread = "all";
  shown.action = "step together";
  for (const ir::Edge* edge : together) {
    const core::SourcePlace at = place(edge->site);
    note(shown, fmt::format("{} line {}: {}", program_.processes[edge->process].name, at.line,
                            at.text.empty() ? way(*edge) : at.text));
  }
}

void Replay::describe(const ir::Steps<NaivePort>::Step& step, core::TraceStep& shown) const {
  shown.thread = program_.processes[step.edge->process].name;
  shown.action = way(*step.edge);
  shown.place = place(step.edge->site);
  if (step.partner != nullptr) {
    shown.thread += " -> " + program_.processes[step.partner->process].name;
    shown.action += ", " + way(*step.partner);
    note(shown, fmt::format("channel {} with line {}: {}", program_.channels[step.edge->channel].name,
                            place(step.partner->site).line, place(step.partner->site).text));
  }
  if (step.observer != nullptr)
    note(shown,
         fmt::format("property process {}: {}", program_.processes[step.observer->process].name, way(*step.observer)));
}

core::SourcePlace Replay::place(core::Site site) const {
  return site < program_.sites.size() ? program_.sites[site] : core::SourcePlace{};
}

void Replay::tell_accesses(core::TraceStep& shown) {
  for (const Access& a : port_.take_accesses()) {
    Effect effect;
    switch (a.kind) {
      case Access::Kind::ReadMemory: effect.kind = Effect::Kind::ReadMemory; break;
      case Access::Kind::ReadBuffer: effect.kind = Effect::Kind::ReadBuffer; break;
      case Access::Kind::Buffered: effect.kind = Effect::Kind::Buffered; break;
      case Access::Kind::Wrote: effect.kind = Effect::Kind::Wrote; break;
      case Access::Kind::Flushed: effect.kind = Effect::Kind::Flushed; break;
      case Access::Kind::Dropped: effect.kind = Effect::Kind::Dropped; break;
    }
    effect.location = program_.word_name(a.cell);
    effect.value = program_.show_value(a.cell, a.value);
    if (a.kind == Access::Kind::Wrote || a.kind == Access::Kind::Flushed)
      effect.old = program_.show_value(a.cell, a.old);
    effect.from = place(a.from);
    effect.thread = a.process;
    if (a.process != program_.property) effect.loc = {a.cell, 0, 1};
    const auto same = [&](const Effect& e) {  // `x == 1 || x == 2` reads x twice; say it once
      return e.kind == effect.kind && e.location == effect.location && e.value == effect.value &&
             e.thread == effect.thread;
    };
    const bool read = a.kind == Access::Kind::ReadMemory || a.kind == Access::Kind::ReadBuffer;
    if (!read || std::ranges::find_if(shown.effects, same) == shown.effects.end())
      shown.effects.push_back(std::move(effect));
  }
}

void Replay::tell_changes(const std::vector<std::int32_t>& before, core::TraceStep& shown) {
  const auto& after = port_.contents().words;
  for (std::uint32_t w = program_.shared_cells; w < program_.variable_words; ++w)
    if (before[w] != after[w])
      shown.effects.push_back({Effect::Kind::Changed,
                               program_.word_name(w),
                               program_.show_value(w, after[w]),
                               program_.show_value(w, before[w]),
                               {}});
}

}  // namespace heddle::check
