// SPDX-License-Identifier: Apache-2.0
#include "report/drawing.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {

namespace {

std::string title_of(const std::string& subject, const std::string& model) {
  return fmt::format("{} under {}", subject, model);
}

const Drawing* drawn(const std::vector<Drawing>& drawings, const std::string& model) {
  const auto found =
      std::ranges::find_if(drawings, [&](const Drawing& d) { return d.subject.empty() && d.model == model; });
  return found == drawings.end() ? nullptr : &*found;
}

}  // namespace

Drawing& fresh_drawing(std::vector<Drawing>& drawings, const std::string& model) {
  std::erase_if(drawings, [&](const Drawing& d) { return d.subject.empty() && d.model == model; });
  drawings.emplace_back();
  drawings.back().model = model;
  return drawings.back();
}

std::string partly_drawn(std::string_view model, bool has_trace) {
  return fmt::format("--dot: {} has more than 5,000 states, {}", model,
                     has_trace ? "so its trace is drawn" : "and only these are drawn");
}

std::string dot(const std::vector<core::Verdict>& verdicts, const std::vector<Drawing>& drawings,
                const std::string& subject) {
  std::string text;
  for (const core::Verdict& verdict : verdicts) {
    const Drawing* own = drawn(drawings, verdict.model);
    const std::string title = title_of(subject, verdict.model);
    if (own != nullptr && own->execution) text += dot(*own->execution);
    else if (own != nullptr && own->states && (own->states->complete || !verdict.trace))
      text += dot(*own->states, title);
    else if (verdict.trace) text += dot(trace_graph(*verdict.trace), title);
  }
  for (const Drawing& d : drawings)
    if (!d.subject.empty() && d.execution) text += dot(*d.execution);
  if (text.empty()) text = "digraph nothing {\n  label=\"no violation was found: there is nothing to draw\";\n}\n";
  return text;
}

std::string svg(const std::vector<core::Verdict>& verdicts, const std::vector<Drawing>& drawings,
                const std::string& subject) {
  std::vector<Picture> pictures;
  for (const core::Verdict& verdict : verdicts) {
    const Drawing* own = drawn(drawings, verdict.model);
    if (own != nullptr && own->execution) pictures.push_back(*own->execution);
    else if (verdict.trace) pictures.push_back(trace_picture(*verdict.trace, title_of(subject, verdict.model)));
  }
  for (const Drawing& d : drawings)
    if (!d.subject.empty() && d.execution) pictures.push_back(*d.execution);
  return svg(pictures);
}

}  // namespace heddle::report
