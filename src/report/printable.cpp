// SPDX-License-Identifier: Apache-2.0
#include "report/printable.h"

#include "support/printable.h"

namespace heddle::report {

namespace {

void clean(std::string& text) { text = support::printable(text); }

void clean(core::SourcePlace& place) {
  clean(place.file);
  clean(place.function);
  clean(place.text);
}

void clean(core::Trace& trace) {
  for (core::TraceStep& step : trace.steps) {
    clean(step.thread);
    clean(step.place);
    clean(step.caller);
    clean(step.action);
    for (core::Effect& effect : step.effects) {
      clean(effect.location);
      if (effect.kind != core::Effect::Kind::Output) clean(effect.value);
      clean(effect.old);
      clean(effect.from);
      clean(effect.by);
    }
  }
  trace.closing = support::printable_lines(trace.closing);
  for (core::NamedStack& stack : trace.stacks) {
    clean(stack.title);
    for (core::SourcePlace& frame : stack.frames) clean(frame);
  }
}

}  // namespace

core::Verdict printable(core::Verdict verdict) {
  verdict.reason.text = support::printable_lines(verdict.reason.text);
  verdict.violation = support::printable_lines(verdict.violation);
  if (verdict.trace) clean(*verdict.trace);
  return verdict;
}

}  // namespace heddle::report
