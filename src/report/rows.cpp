// SPDX-License-Identifier: Apache-2.0
#include "report/rows.h"

#include <utility>

namespace heddle::report {

namespace {

using core::Effect;

// Of a call to the library that locks, joins, creates a thread or prints, one line is shown, at the place of the call.
bool worth_a_line(const core::TraceStep& step, const std::vector<Effect>& effects) {
  return !effects.empty() || (step.caller.line > 0 &&
                              (step.action == "read-modify-write" || step.action == "join" || step.action == "free"));
}

// A variable that comes or goes.
bool says_nothing(const core::TraceStep& step) {
  return step.effects.empty() && (step.action == "allocate" || step.action == "free");
}

// The library prints bit by bit, and locks in several steps: what one call does is one line.
void append(std::vector<Effect>& before, std::vector<Effect> effects) {
  for (Effect& e : effects) {
    if (e.kind == Effect::Kind::Output && !before.empty() && before.back().kind == e.kind &&
        before.back().location == e.location)
      before.back().value += e.value;
    else before.push_back(std::move(e));
  }
}

std::vector<Row> all_rows(const core::Trace& trace, std::vector<std::size_t>& number_of) {
  std::vector<Row> rows;
  number_of.assign(trace.steps.size(), 0);
  const auto add = [&](std::size_t i, Row row) {
    row.number = rows.size() + 1;
    row.loop_start = i == trace.loop_start;
    rows.push_back(std::move(row));
    number_of[i] = rows.size();
  };
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const core::TraceStep& step = trace.steps[i];
    if (!step.place.library) {
      if (says_nothing(step) && i != trace.loop_start && i + 1 < trace.steps.size()) continue;
      add(i, {0, 0, &step, &step.place, step.effects, false});
      continue;
    }
    Row row{0, 0, &step, step.caller.line > 0 ? &step.caller : &step.place, {}, false};
    for (const Effect& e : step.effects)
      if (e.kind == Effect::Kind::Output || e.kind == Effect::Kind::Note) row.effects.push_back(e);
    if (!worth_a_line(step, row.effects) && i != trace.loop_start) continue;
    const bool same_call = !rows.empty() && rows.back().step->place.library &&
                           rows.back().step->thread == step.thread && rows.back().place->line == row.place->line &&
                           rows.back().place->file == row.place->file && i != trace.loop_start;
    if (!same_call) {
      add(i, std::move(row));
      continue;
    }
    number_of[i] = rows.size();
    append(rows.back().effects, std::move(row.effects));
  }
  return rows;
}

}  // namespace

Rows rows_of(const core::Trace& trace, bool fold) {
  constexpr std::size_t least = 3;
  Rows out;
  std::vector<Row> rows = all_rows(trace, out.number_of);
  out.count = rows.size();
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i;
    while (fold && end < rows.size() && rows[end].step->quiet && !rows[end].loop_start &&
           rows[end].step->thread == rows[i].step->thread)
      ++end;
    if (end - i >= least) {
      rows[i].folded = end - i;
      rows[i].effects.clear();
      out.rows.push_back(std::move(rows[i]));
      i = end;
    } else {
      out.rows.push_back(std::move(rows[i++]));
    }
  }
  return out;
}

}  // namespace heddle::report
