// The closing sentence of runs of buffered machines.
// SPDX-License-Identifier: Apache-2.0
#include "report/closing.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using Kind = core::Effect::Kind;

core::TraceStep step(const char* thread, Kind kind, const char* location, const char* value) {
  core::TraceStep s;
  s.thread = thread;
  core::Effect effect;
  effect.kind = kind;
  effect.location = location;
  effect.value = value;
  s.effects.push_back(effect);
  return s;
}

TEST(Closing, TellsThreadsApartWhoseNamesBeginAlike) {
  for (const auto& [first, second] :
       {std::pair{"P_1", "P_10"}, std::pair{"P_10", "P_1"}, std::pair{"worker 1", "worker 12"}, std::pair{"a", "b"}}) {
    core::Trace trace;
    trace.steps.push_back(step(first, Kind::Buffered, "x", "1"));
    trace.steps.push_back(step(second, Kind::ReadMemory, "x", "0"));
    EXPECT_NE(closing_sentence(trace).find("was still in its buffer"), std::string::npos) << first << ' ' << second;
  }
}

TEST(Closing, TakesBothSidesOfARendezvousForItsThreads) {
  for (const char* both : {"P_1 -> P_2", "P_2 -> P_1"}) {
    core::Trace trace;
    trace.steps.push_back(step("P_1", Kind::Buffered, "x", "1"));
    trace.steps.push_back(step(both, Kind::ReadMemory, "x", "0"));
    EXPECT_EQ(closing_sentence(trace), "") << both;
  }
}

}  // namespace
}  // namespace heddle::report
