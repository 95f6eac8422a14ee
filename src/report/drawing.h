// What --dot and --svg draw of one model's answer: a state space, an execution, or else the trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "report/picture.h"
#include "report/state_graph.h"

namespace heddle::report {

struct Drawing {
  std::string model;
  std::string subject;               // file or test; empty: what the run is about
  std::optional<StateGraph> states;  // for DOT only
  std::optional<Picture> execution;
};

// The place for a model's drawing; what an earlier attempt at the model has drawn is thrown away.
Drawing& fresh_drawing(std::vector<Drawing>&, const std::string& model);

// Says that a state space is larger than what is drawn of it.
std::string partly_drawn(std::string_view model, bool has_trace);

// What there is to draw, in order: for each verdict its own drawing, or else its trace; drawings without a verdict as
// they are. DOT gets one digraph each; a state space of which only a part was kept gives way to a trace.
std::string dot(const std::vector<core::Verdict>&, const std::vector<Drawing>&, const std::string& subject);
std::string svg(const std::vector<core::Verdict>&, const std::vector<Drawing>&, const std::string& subject);

}  // namespace heddle::report
