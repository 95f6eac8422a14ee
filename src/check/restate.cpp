// SPDX-License-Identifier: Apache-2.0
#include "check/restate.h"

#include <algorithm>

#include "check/naive_threads.h"

namespace heddle::check {
namespace {

constexpr std::size_t most_moves = 100000;

class Restater {
 public:
  Restater(const core::Program& program, ThreadModel model) : state_(program, model, NaiveThreads::unbounded) {}

  std::optional<core::MoveRun> run(const MoveScript& script) {
    for (std::size_t i = 0; i < script.lines.size(); ++i) {
      if (i == script.loop_start) {
        for (core::Tid t = 0; t < state_.threads.size(); ++t)
          if (rests_in_loop(script, t)) pass_fences(t, core::no_site);
        run_.loop_start = run_.moves.size();
      }
      if (failed_ || !follow(script.lines[i], i)) return std::nullopt;
    }
    if (script.loop_start < script.lines.size()) return std::move(run_);
    // What its last move led to lies behind the fences that a thread now has; they are passed where that is possible.
    const core::Tid last = script.lines.empty() ? 0 : script.lines.back().move.thread;
    const auto count = static_cast<core::Tid>(state_.threads.size());
    for (core::Tid k = 0; k < count && !failed_; ++k) pass_fences((last + k) % count, core::no_site);
    return std::move(run_);
  }

 private:
  // One that moves in the loop comes back to the fence that it stands before; another one would wait there for ever.
  static bool rests_in_loop(const MoveScript& script, core::Tid t) {
    return std::none_of(script.lines.begin() + static_cast<std::ptrdiff_t>(script.loop_start), script.lines.end(),
                        [&](const MoveScript::Line& line) {
                          return line.move.kind == core::Move::Kind::Step && line.move.thread == t;
                        });
  }

  bool follow(const MoveScript::Line& line, std::size_t number) {
    const core::Tid t = line.move.thread;
    if (t >= state_.threads.size()) return false;
    if (line.move.kind == core::Move::Kind::Step) {
      if (!pass_fences(t, line.fence)) return false;
      return step(t, line.move.choice, number) || (flush_all(t) && step(t, line.move.choice, number));
    }
    const auto& buffer = state_.threads[t].buffer;
    const auto entry = std::ranges::find_if(buffer, [&](const NaiveEntry& e) { return origins_[e.made] == line.made; });
    return entry == buffer.end() || flush(t, static_cast<unsigned>(entry - buffer.begin()));
  }

  // False if one of them cannot be passed. The one at `own` belongs to the run.
  bool pass_fences(core::Tid t, core::Site own) {
    for (core::Request q = state_.request(t); q.kind == core::Kind::Fence && q.site != own && !failed_;
         q = state_.request(t)) {
      if (run_.moves.size() > most_moves) return false;
      if (!step(t, 0, no_line) && !(flush_all(t) && step(t, 0, no_line))) return false;
    }
    return true;
  }

  bool step(core::Tid t, std::uint32_t choice, std::size_t line) {
    NaiveReport report;
    if (!state_.step(t, choice, &report)) return false;
    note({.kind = core::Move::Kind::Step, .thread = t, .choice = choice}, line, report);
    return true;
  }

  bool flush(core::Tid t, unsigned entry) {
    const auto possible = state_.flushable(t);
    if (std::ranges::find(possible, entry) == possible.end()) return false;
    NaiveReport report;
    state_.flush(t, entry, &report);
    note({.kind = core::Move::Kind::Flush, .thread = t, .choice = entry}, no_line, report);
    return true;
  }

  // False if there is nothing to flush, or something went wrong.
  bool flush_all(core::Tid t) {
    bool any = false;
    while (!state_.threads[t].buffer.empty() && !failed_) {
      const auto possible = state_.flushable(t);
      if (possible.empty() || !flush(t, possible.front())) return false;
      any = true;
    }
    return any && !failed_;
  }

  void note(const core::Move& move, std::size_t line, const NaiveReport& report) {
    run_.moves.push_back(move);
    origins_.push_back(line);
    failed_ = report.failure.has_value();
  }

  static constexpr std::size_t no_line = static_cast<std::size_t>(-1);
  NaiveThreads state_;
  core::MoveRun run_;
  std::vector<std::size_t> origins_;  // of each move made: its line
  bool failed_ = false;
};

}  // namespace

std::optional<MoveScript> script_of(const core::Program& program, std::string_view model, const core::MoveRun& run) {
  const auto naive = thread_model(model);
  if (!naive) return std::nullopt;
  NaiveThreads state(program, *naive, NaiveThreads::unbounded);
  MoveScript script;
  script.loop_start = run.loop_start;
  for (const core::Move& move : run.moves) {
    MoveScript::Line line{.move = move};
    if (move.thread >= state.threads.size()) return std::nullopt;
    if (move.kind == core::Move::Kind::Step) {
      const core::Request q = state.request(move.thread);
      if (q.kind == core::Kind::Fence) line.fence = q.site;
      if (!state.step(move.thread, move.choice)) return std::nullopt;
    } else {
      const auto possible = state.flushable(move.thread);
      if (std::ranges::find(possible, move.choice) == possible.end()) return std::nullopt;
      line.made = state.threads[move.thread].buffer[move.choice].made;
      state.flush(move.thread, move.choice);
    }
    script.lines.push_back(line);
  }
  return script;
}

std::optional<core::MoveRun> restated(const core::Program& program, std::string_view model, const MoveScript& script) {
  const auto naive = thread_model(model);
  return naive ? Restater(program, *naive).run(script) : std::nullopt;
}

}  // namespace heddle::check
