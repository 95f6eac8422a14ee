// The file of --atomic: `VARIABLE PROCESS.TRANSITION`, `* PROCESS.TRANSITION`, `fence PROCESS.TRANSITION`,
// one per line.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lang/dve/lower.h"

namespace heddle::dve {

namespace {

struct Line {
  const std::string& file;
  unsigned number;
  std::string_view text;

  [[noreturn]] void fail(std::string_view at, std::string message) const {
    support::Diagnostic d;
    d.file = file;
    d.line = number;
    d.column = static_cast<unsigned>(at.data() - text.data() + 1);
    d.message = std::move(message);
    d.source_line = std::string(text);
    d.hint = "a line is `VARIABLE PROCESS.TRANSITION`, `* PROCESS.TRANSITION` or `fence PROCESS.TRANSITION`";
    throw Mistake{std::move(d)};
  }
};

std::string_view word(std::string_view& rest) {
  const std::size_t begin = rest.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) {
    const std::string_view nothing = rest.substr(rest.size());
    rest = nothing;
    return nothing;
  }
  rest.remove_prefix(begin);
  const std::string_view found = rest.substr(0, rest.find_first_of(" \t\r"));
  rest.remove_prefix(found.size());
  return found;
}

ir::Edge& edge_of(ir::Program& p, const Line& line, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (name.empty() || dot == std::string_view::npos) line.fail(name, "expected PROCESS.TRANSITION here");
  const std::string_view process = name.substr(0, dot), number = name.substr(dot + 1);
  for (const ir::Process& candidate : p.processes) {
    if (candidate.name != process) continue;
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), n);
    if (error != std::errc{} || end != number.data() + number.size() || n < 1 || n > candidate.edges.size()) {
      line.fail(number, fmt::format("process `{}` has the transitions 1 to {}", process, candidate.edges.size()));
    }
    return p.edges[candidate.edges[n - 1]];
  }
  line.fail(process, fmt::format("there is no process `{}`", process));
}

// Marks the edge's writes to the variable (all shared ones for "*"); returns how many there were.
std::size_t mark(const ir::Program& p, ir::Edge& edge, std::string_view variable) {
  std::size_t marked = 0;
  for (auto* list : {&edge.targets, &edge.effects}) {
    for (ir::Assignment& a : *list) {
      const ir::Variable& v = p.variables[a.var];
      if (v.process != ir::none || (variable != "*" && v.name != variable)) continue;
      a.atomic = true;
      ++marked;
    }
  }
  return marked;
}

}  // namespace

void apply_atomic(ir::Program& p, std::string_view text, const std::string& file) {
  for (unsigned number = 1; !text.empty(); ++number) {
    std::string_view rest = text.substr(0, text.find('\n'));
    const Line line{file, number, rest};
    text.remove_prefix(std::min(text.size(), rest.size() + 1));
    const std::string_view what = word(rest);
    if (what.empty() || what.front() == '#' || what.substr(0, 2) == "//") continue;
    const std::string_view where = word(rest);
    ir::Edge& edge = edge_of(p, line, where);
    if (const std::string_view more = word(rest); !more.empty()) line.fail(more, "nothing may follow here");
    if (what == "fence") {
      edge.fence = true;
    } else if (mark(p, edge, what) == 0) {
      if (what != "*" && std::ranges::none_of(p.variables, [&](const ir::Variable& v) { return v.name == what; }))
        line.fail(what, fmt::format("there is no variable `{}`", what));
      line.fail(what, what == "*" ? fmt::format("transition {} writes no shared variable", where)
                                  : fmt::format("transition {} does not write a shared variable `{}`", where, what));
    }
  }
}

}  // namespace heddle::dve
