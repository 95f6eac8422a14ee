// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>

#include <string_view>

#include "report/hazards.h"
#include "report/markup.h"
#include "report/rows.h"
#include "report/text.h"

namespace heddle::report {

namespace {

constexpr const char* css =
    R"(body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top; }
tr { border-bottom: 1px solid #8884; } code, pre { font: 13px/1.4 ui-monospace, monospace; }
.safe { color: #17803d; font-weight: 600; } .unsafe { color: #c5221f; font-weight: 600; }
.unknown, .bounded { color: #a15c00; font-weight: 600; } .dim { opacity: .65; } .holds { font-weight: 600; } .closing { color: #c5221f; }
.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #dfe2e8; } .safe { color: #58c27d; }
.unsafe, .closing { color: #ff7b72; } .unknown, .bounded { color: #e3a44a; } })";

const char* verdict_class(const core::Verdict& verdict) {
  if (verdict.outcome == core::Outcome::Unsafe) return "unsafe";
  if (verdict.outcome == core::Outcome::Unknown) return "unknown";
  return verdict.bounds.empty() ? "safe" : "bounded";
}

// Of a litmus test neither answer is good or bad: a condition asks whether a state can be, or cannot.
const char* test_class(const TestAnswer& test) { return test.observation.empty() ? "unknown" : ""; }

std::string test_name(const core::Verdict& verdict, const TestAnswer& test) {
  if (test.observation.empty()) return verdict_name(verdict);
  return fmt::format("{}: {} ({})", test.name, test.observation, verdict.outcome == core::Outcome::Safe ? "Ok" : "No");
}

std::string count(const std::optional<std::uint64_t>& number) { return number ? grouped(*number) : "-"; }

std::string place(const core::SourcePlace& place) {
  if (place.file.empty()) return {};
  return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

const char* verb(core::Effect::Kind kind) {
  using Kind = core::Effect::Kind;
  switch (kind) {
    case Kind::ReadMemory: return "reads from memory";
    case Kind::ReadBuffer: return "reads from its own buffer";
    case Kind::Deferred: return "defers the load of";
    case Kind::Performed: return "performs the deferred load";
    case Kind::Buffered: return "buffers";
    case Kind::Flushed: return "flushes";
    case Kind::Wrote: return "writes";
    case Kind::Dropped: return "drops";
    case Kind::Changed: return "sets";
    case Kind::Output: return "prints";
    case Kind::Note: return "";
  }
  return "";
}

std::string effects(const Row& row, const Rows& rows) {
  std::string cell;
  for (const core::Effect& effect : row.effects) {
    std::string what = escaped(effect.location);
    if (!effect.location.empty() && effect.kind != core::Effect::Kind::Deferred) what += " = ";
    if (effect.kind != core::Effect::Kind::Deferred) what += escaped(effect.value);
    cell += fmt::format("{} <code>{}</code>", verb(effect.kind), what);
    if (!effect.old.empty()) cell += fmt::format(" <span class=\"dim\">was {}</span>", escaped(effect.old));
    if (const std::string from = place(effect.from); !from.empty())
      cell += fmt::format(" <span class=\"dim\">from {}</span>", escaped(from));
    if (effect.missed)
      cell +=
          fmt::format(" <span class=\"unknown\">misses {}, written by {} in step {}</span>",
                      escaped(effect.missed->value), escaped(effect.missed->by), rows.number_of[effect.missed->step]);
    cell += "<br>";
  }
  return cell;
}

std::string line(const Row& row, const Rows& rows) {
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code> <span class=\"dim\">{}</span></td><td>{}</td></tr>\n",
      row.number, escaped(row.step->thread), escaped(place(*row.place)), escaped(row.place->text),
      escaped(row.step->action), effects(row, rows));
}

constexpr const char* head =
    "<tr><th>#</th><th>thread</th><th>place</th><th>statement</th><th>what it does</th></tr>\n";

// What the terminal shows, too; what it folds can be opened.
std::string trace(const core::Trace& trace) {
  const Rows folded = rows_of(trace), all = rows_of(trace, false);
  std::string text = fmt::format("<div class=\"wide\"><table>\n{}", head);
  for (const Row& row : folded.rows) {
    if (row.loop_start) text += "<tr><td colspan=\"5\" class=\"unknown\">from here on it repeats for ever</td></tr>\n";
    if (row.folded == 0) {
      text += line(row, folded);
      continue;
    }
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td colspan=\"3\"><details><summary>{} steps of initialisation</summary><table>\n",
        row.number, escaped(row.step->thread), row.folded);
    for (std::size_t k = 0; k < row.folded; ++k) text += line(all.rows[row.number - 1 + k], all);
    text += "</table></details></td></tr>\n";
  }
  text += "</table></div>\n";
  if (!trace.closing.empty()) text += fmt::format("<p class=\"closing\">{}</p>\n", escaped(trace.closing));
  if (const auto sentences = hazard_sentences(trace, folded); !sentences.empty()) {
    text += "<p>Hazard intervals, with the accesses that do not see the buffered store:</p>\n<ul>\n";
    for (const std::string& sentence : sentences) text += fmt::format("<li>{}</li>\n", escaped(sentence));
    text += "</ul>\n";
  }
  for (const core::NamedStack& stack : trace.stacks) {
    text += fmt::format("<p>{}</p>\n<ul>\n", escaped(stack.title));
    for (const core::SourcePlace& frame : stack.frames)
      if (!frame.library && frame.line != 0)
        text += fmt::format("<li>{} <code>{}</code> {}</li>\n", escaped(place(frame)), escaped(frame.text),
                            escaped(frame.function));
    text += "</ul>\n";
  }
  return text;
}

std::string tests_table(const Run& run) {
  if (run.tests.empty()) return {};
  std::string text =
      "<h2>Tests</h2>\n<table>\n<tr><th>test</th><th>file</th><th>model</th><th>condition</th><th>observation</th>"
      "<th>positive</th><th>negative</th><th>states</th></tr>\n";
  for (std::size_t i = 0; i < run.tests.size() && i < run.verdicts.size(); ++i) {
    const TestAnswer& test = run.tests[i];
    std::string states;
    for (const TestAnswer::State& state : test.states) {
      std::string line;
      for (const auto& [name, value] : state.values) line += fmt::format("{}={}; ", name, value);
      states += fmt::format("<div{}><code>{}</code></div>", state.satisfies ? " class=\"holds\"" : "", escaped(line));
    }
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></"
        "tr>\n",
        escaped(test.name), escaped(test.file), escaped(run.verdicts[i].model), escaped(test.condition),
        escaped(test.observation), test.positive, test.negative, states);
  }
  return text + "</table>\n";
}

}  // namespace

std::string html(const Run& run, const std::string& drawings) {
  std::string names;
  for (const std::string& file : run.files) names += (names.empty() ? "" : ", ") + escaped(file);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>Heddle: "
      "{0}</title>\n<style>\n{1}\n</style></head>\n"
      "<body>\n<h1>{0}</h1>\n<div "
      "class=\"wide\"><table>\n<tr><th>model</th><th>verdict</th><th></th><th>states</th><th>executions</th>"
      "<th>seconds</th></tr>\n",
      names, css);
  for (std::size_t i = 0; i < run.verdicts.size(); ++i) {
    const core::Verdict& verdict = run.verdicts[i];
    const TestAnswer* test = i < run.tests.size() ? &run.tests[i] : nullptr;
    const std::string& detail = verdict.outcome == core::Outcome::Unsafe ? verdict.violation : verdict.reason.text;
    page +=
        fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n",
                    escaped(verdict.model), test != nullptr ? test_class(*test) : verdict_class(verdict),
                    escaped(test != nullptr ? test_name(verdict, *test) : verdict_name(verdict)), escaped(detail),
                    count(verdict.statistics.states), count(verdict.statistics.executions), verdict.statistics.seconds);
  }
  page += "</table></div>\n";
  page += tests_table(run);
  for (const core::Verdict& verdict : run.verdicts) {
    for (const std::string& note : verdict.notes)
      page += fmt::format("<p class=\"dim\">{}: {}</p>\n", escaped(verdict.model), escaped(note));
    for (const std::string& assumption : verdict.assumptions)
      page += fmt::format("<p class=\"dim\">{}</p>\n", escaped(assumption_text(verdict, assumption)));
    if (verdict.trace)
      page += fmt::format("<h2>Trace under {}</h2>\n{}", escaped(verdict.model), trace(*verdict.trace));
  }
  // Inside a page an SVG has no XML declaration.
  if (const std::size_t at = drawings.find("<svg"); at != std::string::npos)
    page += "<h2>Executions</h2>\n" + drawings.substr(at);
  return page + "</body></html>\n";
}

}  // namespace heddle::report
