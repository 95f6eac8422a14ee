// SPDX-License-Identifier: Apache-2.0
#include "report/hazards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace heddle::report {
namespace {

using Kind = core::Effect::Kind;

bool is_access(const core::Effect& e) {
  switch (e.kind) {
    case Kind::ReadMemory:
    case Kind::ReadBuffer:
    case Kind::Performed:
    case Kind::Buffered:
    case Kind::Wrote:
    case Kind::Flushed: return e.loc.size != 0;
    default: return false;
  }
}

// Goes along a run, and around its loop until every store has arrived that ever will.
class Walk {
 public:
  explicit Walk(const core::Trace& trace) : trace_(trace) {}

  std::vector<Hazard> run() {
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) step(i);
    // Buffers are queues by thread and location, and each round flushes the same ones of them: whatever a round does not
    // shorten, none does. One round is needed in any case, to meet the accesses of those that stay.
    for (bool shorter = true; trace_.loop_start < trace_.steps.size() && !open_.empty() && shorter;) {
      const std::size_t before = open_.size();
      ++round_;
      for (std::size_t i = trace_.loop_start; i < trace_.steps.size(); ++i) step(i);
      shorter = open_.size() < before;
    }
    return std::move(found_);
  }

 private:
  // A store that has not arrived yet.
  struct Open {
    std::size_t hazard;
    core::Tid thread;
    core::Loc loc;
    std::size_t since;      // the step that stored it, counted along the walk
    bool replaced = false;  // a newer store of the same buffer has taken its slot and arrives in its place
  };

  void step(std::size_t i) {
    const auto& effects = trace_.steps[i].effects;
    for (std::size_t k = 0; k < effects.size(); ++k) {
      const core::Effect& effect = effects[k];
      if (is_access(effect)) note_access(i, k);
      if (effect.kind == Kind::Dropped) replace(effect);
      else if (effect.kind == Kind::Flushed) close(i, effect, false);
      else if (effect.kind == Kind::Wrote) close(i, effect, true);
      else if (effect.kind == Kind::Buffered && round_ == 0 && effect.loc.size != 0) {
        open_.push_back({found_.size(), effect.thread, effect.loc, walked_});
        found_.push_back({.begin = i, .effect = k, .end = trace_.steps.size(), .accesses = {}});
      }
    }
    ++walked_;
  }

  void note_access(std::size_t i, std::size_t k) {
    const core::Effect& effect = trace_.steps[i].effects[k];
    for (const Open& o : open_) {
      if (o.since == walked_ || o.thread == effect.thread || !o.loc.overlaps(effect.loc)) continue;
      auto& accesses = found_[o.hazard].accesses;
      auto known = std::ranges::find(accesses, i, &Hazard::Access::step);
      if (known == accesses.end()) known = accesses.insert(known, {i, {}});
      if (std::ranges::find(known->effects, k) == known->effects.end()) known->effects.push_back(k);
    }
  }

  static bool of_buffer(const Open& o, const core::Effect& effect) {
    return o.thread == effect.thread && o.loc == effect.loc;
  }

  void replace(const core::Effect& effect) {
    const auto standing =
        std::ranges::find_if(open_, [&](const Open& o) { return of_buffer(o, effect) && !o.replaced; });
    if (standing != open_.end()) standing->replaced = true;
  }

  // The oldest store that stands in the buffer arrives, and with it what it has replaced; or all of them are over.
  void close(std::size_t i, const core::Effect& effect, bool all) {
    bool first = true;
    std::erase_if(open_, [&](const Open& o) {
      if (!of_buffer(o, effect) || (!all && !o.replaced && !first)) return false;
      first = first && o.replaced;
      found_[o.hazard].end = i;
      found_[o.hazard].rounds = round_;
      return true;
    });
  }

  const core::Trace& trace_;
  std::vector<Hazard> found_;
  std::vector<Open> open_;
  std::size_t round_ = 0, walked_ = 0;
};

std::string verb_of(const core::Effect& effect) {
  switch (effect.kind) {
    case Kind::Buffered: return "buffers " + effect.value;
    case Kind::Flushed: return "flushes " + effect.value;
    case Kind::Wrote: return "writes " + effect.value;
    default: return "reads " + effect.value;
  }
}

std::string interval_text(const core::Trace& trace, const Hazard& hazard, const Rows& rows) {
  const std::size_t from = rows.number_of[hazard.begin];
  if (hazard.end == trace.steps.size())
    return fmt::format("from step {} on{}", from, trace.loop_start < trace.steps.size() ? ", for ever" : "");
  const std::size_t to = rows.number_of[hazard.end];
  if (hazard.rounds == 0) return fmt::format("from step {} to step {}", from, to);
  return hazard.rounds == 1 ? fmt::format("from step {} to step {} of the next round", from, to)
                            : fmt::format("from step {} to step {} of the round {} later", from, to, hazard.rounds);
}

}  // namespace

std::vector<Hazard> hazards(const core::Trace& trace) { return Walk(trace).run(); }

std::vector<std::string> hazard_sentences(const core::Trace& trace, const Rows& rows) {
  std::vector<std::string> sentences;
  for (const Hazard& hazard : hazards(trace)) {
    const core::TraceStep& begin = trace.steps[hazard.begin];
    const bool hidden =
        rows.number_of[hazard.begin] == 0 || (hazard.end < trace.steps.size() && rows.number_of[hazard.end] == 0);
    std::vector<std::string> meanwhile;
    for (const Hazard::Access& access : hazard.accesses) {
      if (rows.number_of[access.step] == 0) continue;
      const core::TraceStep& step = trace.steps[access.step];
      std::vector<std::string> verbs;
      for (const std::size_t k : access.effects) verbs.push_back(verb_of(step.effects[k]));
      meanwhile.push_back(
          fmt::format("{} {} in step {}", step.thread, fmt::join(verbs, " and "), rows.number_of[access.step]));
    }
    if (hidden || meanwhile.empty()) continue;
    const core::Effect& store = begin.effects[hazard.effect];
    sentences.push_back(fmt::format("{} = {} of {} is buffered {}; meanwhile {}", store.location, store.value,
                                    begin.thread, interval_text(trace, hazard, rows), fmt::join(meanwhile, ", ")));
  }
  return sentences;
}

}  // namespace heddle::report
