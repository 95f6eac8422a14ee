// SPDX-License-Identifier: Apache-2.0
#include "check/sc_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace heddle::check {
namespace {

using core::Effect;

class StepOrder {
 public:
  StepOrder(const ir::Program& program, const core::Trace& trace)
      : program_(program),
        trace_(trace),
        buffers_(program.processes.size()),
        last_(program.processes.size(), none),
        inside_(program.processes.size()) {
    for (std::size_t i = 0; i < trace.steps.size(); ++i) read(i);
    for (const auto& [location, writes] : coherence_)
      for (std::size_t i = 0; i + 1 < writes.size(); ++i) before(writes[i], writes[i + 1]);
    for (const Read& r : reads_) add(r);
  }

  std::optional<std::string> cycle() const {
    if (std::ranges::any_of(buffers_, [](const auto& buffer) { return !buffer.empty(); })) return std::nullopt;
    for (std::size_t start = 0; start < steps_.size(); ++start)
      if (const auto way = back_to(start); !way.empty()) return told(way);
    return std::nullopt;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Buffered {
    std::string location;
    std::size_t event;
  };
  struct Read {
    std::size_t event;
    std::string location;
    std::size_t write;  // none: the initial value
  };

  void before(std::size_t a, std::size_t b) {
    if (a != b) after_[a].push_back(b);
  }

  // The event of a step: a new one, or that of the atomic section which it continues.
  std::size_t event_of(std::size_t step) {
    const core::Move& move = trace_.steps[step].move;
    const bool continues = inside_[move.thread];
    inside_[move.thread] = program_.edge(move.thread, move.choice).holds;
    if (continues) return last_[move.thread];
    const std::size_t event = steps_.size();
    steps_.push_back(step);
    after_.emplace_back();
    accesses_.push_back(false);
    if (last_[move.thread] != none) before(last_[move.thread], event);
    return last_[move.thread] = event;
  }

  void read(std::size_t step) {
    const core::TraceStep& shown = trace_.steps[step];
    auto& buffer = buffers_[shown.move.thread];
    const bool flush = shown.move.kind == core::Move::Kind::Flush;
    const std::size_t event = flush ? none : event_of(step);
    for (const Effect& e : shown.effects) {
      if (!flush && e.kind != Effect::Kind::Changed) accesses_[event] = true;
      switch (e.kind) {
        case Effect::Kind::ReadMemory: {
          const auto& writes = coherence_[e.location];
          reads_.push_back({event, e.location, writes.empty() ? none : writes.back()});
          break;
        }
        case Effect::Kind::ReadBuffer: {
          const auto newest = std::ranges::find(buffer.rbegin(), buffer.rend(), e.location, &Buffered::location);
          if (newest != buffer.rend()) reads_.push_back({event, e.location, newest->event});
          break;
        }
        case Effect::Kind::Buffered: buffer.push_back({e.location, event}); break;
        case Effect::Kind::Wrote: coherence_[e.location].push_back(event); break;
        case Effect::Kind::Flushed: {
          const auto oldest = std::ranges::find(buffer, e.location, &Buffered::location);
          if (oldest == buffer.end()) break;
          coherence_[e.location].push_back(oldest->event);
          buffer.erase(oldest);
          break;
        }
        default: break;
      }
    }
  }

  // Reads-from, and from-reads to the write that comes next.
  void add(const Read& r) {
    const auto& writes = coherence_[r.location];
    auto next = writes.begin();
    if (r.write != none) {
      before(r.write, r.event);
      next = std::ranges::find(writes, r.write);
      if (next != writes.end()) ++next;
    }
    if (next != writes.end()) before(r.event, *next);
  }

  // A shortest way from an event back to itself.
  std::vector<std::size_t> back_to(std::size_t start) const {
    std::vector<std::size_t> from(steps_.size(), none), todo{start};
    for (std::size_t i = 0; i < todo.size(); ++i)
      for (const std::size_t next : after_[todo[i]]) {
        if (next == start) {
          std::vector<std::size_t> way{todo[i]};
          while (way.back() != start) way.push_back(from[way.back()]);
          std::ranges::reverse(way);
          return way;
        }
        if (from[next] != none) continue;
        from[next] = todo[i];
        todo.push_back(next);
      }
    return {};
  }

  std::string told(const std::vector<std::size_t>& way) const {
    std::string text;
    for (const std::size_t event : way) {
      if (!accesses_[event]) continue;
      const core::TraceStep& step = trace_.steps[steps_[event]];
      text += fmt::format("{}{} ({} line {})", text.empty() ? "" : " before ",
                          step.place.text.empty() ? step.action : step.place.text, step.thread, step.place.line);
    }
    return text + " before the first again";
  }

  const ir::Program& program_;
  const core::Trace& trace_;
  std::vector<std::size_t> steps_;               // by event: its first step
  std::vector<std::vector<std::size_t>> after_;  // by event
  std::vector<bool> accesses_;                   // by event: has it any?
  std::vector<std::deque<Buffered>> buffers_;    // by process, oldest first
  std::vector<std::size_t> last_;                // by process: its last event
  std::vector<bool> inside_;                     // by process: of an atomic section
  std::map<std::string, std::vector<std::size_t>> coherence_;
  std::vector<Read> reads_;
};

}  // namespace

std::optional<std::string> cycle_of(const ir::Program& program, const core::Trace& trace) {
  return StepOrder(program, trace).cycle();
}

}  // namespace heddle::check
