// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include "report/hazards.h"
#include "report/rows.h"
#include "support/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

namespace heddle::report {

namespace {

using core::Effect;

struct Colour {
  const TextStyle& style;
  std::string operator()(const char* code, std::string_view text) const {
    if (!style.colours || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
  }
};

constexpr const char* red = "1;31";
constexpr const char* green = "1;32";
constexpr const char* yellow = "1;33";
constexpr const char* blue = "34";
constexpr const char* dim = "2";

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  if (result.size() < width) result.append(width - result.size(), ' ');
  return result;
}

std::string statistics_text(const core::Statistics& statistics, bool engine) {
  std::string text = engine ? statistics.engine : std::string();
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const auto count = [&](const std::optional<std::uint64_t>& number, const char* one, const char* many) {
    if (number) add(grouped(*number) + " " + (*number == 1 ? one : many));
  };
  count(statistics.states, "state", "states");
  count(statistics.executions, "execution", "executions");
  for (const auto& [name, value] : statistics.more)
    if (name == "symmetric threads" && statistics.executions) text += " up to symmetry";
  if (statistics.blocked.value_or(0) > 0) add(grouped(*statistics.blocked) + " blocked");
  add(fmt::format("{:.2f} s", statistics.seconds));
  if (engine)
    for (const auto& [name, value] : statistics.more)
      if (name == "instead of") text += "; " + value;
  return text;
}

std::string place_text(const core::SourcePlace& place) {
  if (place.file.empty()) return {};
  const std::string file = std::filesystem::path(place.file).filename().string();
  return place.line > 0 ? fmt::format("{}:{}", file, place.line) : file;
}

std::string cost_text(const core::Cost& cost) {
  std::string text;
  const auto add = [&](std::uint32_t number, const char* what) {
    if (number == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, what);
  };
  add(cost.r, cost.r == 1 ? "early load or store" : "early loads or stores");
  add(cost.ww, cost.ww == 1 ? "store overtook a store" : "stores overtook stores");
  add(cost.wr, cost.wr == 1 ? "load overtook a store" : "loads overtook stores");
  return text;
}

// As a string of C, so that line ends and the like do not tear the page.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') result += "\\n";
    else if (c == '\t') result += "\\t";
    else if (c == '"' || c == '\\') (result += '\\') += c;
    else if (static_cast<unsigned char>(c) < 32 || c == 127)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else result += c;
  }
  return result + "\"";
}

// "reads  x = 0   (memory)": a verb, what it is about, and where from.
struct EffectText {
  const char* verb;
  std::string what;
  std::string tail;
};

EffectText effect_text(const Effect& effect) {
  const std::string is = effect.location + " = " + effect.value;
  const std::string from = place_text(effect.from);
  const std::string was = effect.old.empty() ? std::string() : "was " + effect.old;
  const auto made_at = [&](const char* base) {
    if (from.empty()) return std::string(base);
    return effect.by.empty() ? fmt::format("{}, written at {}", base, from)
                             : fmt::format("{}, written by {} at {}", base, effect.by, from);
  };
  switch (effect.kind) {
    case Effect::Kind::ReadMemory: return {"reads", is, made_at("from memory")};
    case Effect::Kind::ReadBuffer: return {"reads", is, made_at("from its own buffer")};
    case Effect::Kind::Deferred: return {"defers", effect.location, "the load waits in the buffer"};
    case Effect::Kind::Performed: return {"loads", is, made_at("a deferred load")};
    case Effect::Kind::Buffered: return {"buffers", is, {}};
    case Effect::Kind::Flushed:
      return {
          "flushes", is,
          was.empty() ? (from.empty() ? "" : "stored at " + from) : (from.empty() ? was : was + ", stored at " + from)};
    case Effect::Kind::Wrote: return {"writes", is, was};
    case Effect::Kind::Dropped: return {"drops", is, from.empty() ? "" : "stored at " + from};
    case Effect::Kind::Changed: return {"sets", is, was};
    case Effect::Kind::Output:
      return {"prints", support::printable(quoted(effect.value)), effect.location == "stderr" ? "to stderr" : ""};
    case Effect::Kind::Note: return {"", effect.value, {}};
  }
  return {"", effect.value, {}};
}

// The user's own frames, innermost first; a stack of library frames only is shown whole.
std::string stack_text(const core::NamedStack& stack, const Colour& colour) {
  const auto own = [](const core::SourcePlace& p) { return !p.library && p.line != 0; };
  const bool any_own = std::ranges::any_of(stack.frames, own);
  std::string text = "  " + colour(blue, stack.title) + "\n";
  for (const core::SourcePlace& frame : stack.frames) {
    if (any_own && !own(frame)) continue;
    text += fmt::format("    {}  {}", place_text(frame), frame.function);
    if (!frame.text.empty()) text += "  " + colour(dim, frame.text);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array units = {"bytes", "KB", "MB", "GB", "TB"};
  double number = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (number >= 1024 && unit + 1 < units.size()) {
    number /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", number, units[unit]);
}

std::string verdict_name(const core::Verdict& verdict) {
  switch (verdict.outcome) {
    case core::Outcome::Unsafe: return "UNSAFE";
    case core::Outcome::Unknown: return "UNKNOWN";
    case core::Outcome::Safe: break;
  }
  if (verdict.bounds.empty()) return "SAFE";
  std::string name = "SAFE up to ";
  for (std::size_t i = 0; i < verdict.bounds.size(); ++i) name += (i == 0 ? "" : ", ") + verdict.bounds[i];
  return name;
}

std::string verdict_line(const core::Verdict& verdict, const TextStyle& style) {
  const Colour colour{style};
  const char* code = green;
  if (verdict.outcome == core::Outcome::Unknown || !verdict.bounds.empty()) code = yellow;
  if (verdict.outcome == core::Outcome::Unsafe) code = red;
  // Padding goes outside the colour, so that columns align with and without it.
  const std::string name = verdict_name(verdict);
  std::string line = padded(verdict.model, style.model_width) + "  " + colour(code, name);
  const std::string& detail = verdict.outcome == core::Outcome::Unsafe ? verdict.violation : verdict.reason.text;
  if (verdict.outcome != core::Outcome::Safe && !detail.empty()) {
    if (name.size() < 7) line.append(7 - name.size(), ' ');
    line += "  " + detail;
  }
  return line + "  " + colour(dim, "(" + statistics_text(verdict.statistics, style.engines) + ")");
}

std::string assumption_text(const core::Verdict& verdict, const std::string& assumption) {
  return fmt::format("{} under {} assumes that {}", verdict_name(verdict), verdict.model, assumption);
}

std::string assumptions_text(const std::vector<core::Verdict>& verdicts) {
  std::vector<std::pair<std::string, std::vector<std::string>>> models_of;  // by assumption, in the order met
  for (const core::Verdict& verdict : verdicts)
    for (const std::string& assumption : verdict.assumptions) {
      auto known = std::ranges::find(models_of, assumption, &decltype(models_of)::value_type::first);
      if (known == models_of.end()) known = models_of.insert(known, {assumption, {}});
      known->second.push_back(verdict.model);
    }
  std::string text;
  for (const auto& [assumption, models] : models_of)
    text += models.size() == verdicts.size()
                ? fmt::format("assumes that {}\n", assumption)
                : fmt::format("assumes under {} that {}\n", fmt::join(models, ", "), assumption);
  return text;
}

std::string trace_text(const core::Trace& trace, const TextStyle& style) {
  const Colour colour{style};
  const Rows shown_rows = rows_of(trace);
  const std::vector<Row>& rows = shown_rows.rows;
  std::string text =
      fmt::format("trace under {}: {} {}", trace.model, shown_rows.count, shown_rows.count == 1 ? "step" : "steps");
  if (const std::string cost = cost_text(trace.cost); !cost.empty()) text += " (" + cost + ")";
  text += "\n";

  std::size_t thread_width = 0, place_width = 0, what_width = 0;
  for (const Row& row : rows) {
    thread_width = std::max(thread_width, row.step->thread.size());
    place_width = std::max(place_width, place_text(*row.place).size());
    for (const Effect& effect : row.effects) what_width = std::max(what_width, effect_text(effect).what.size());
  }
  what_width = std::min<std::size_t>(what_width, 40);
  const std::size_t number_width = std::to_string(shown_rows.count).size();
  const std::string indent(number_width + 2 + 2 + thread_width + 2, ' ');

  for (const Row& row : rows) {
    if (row.loop_start) text += colour(yellow, "  from here on it repeats for ever:") + "\n";
    std::string line = fmt::format("  {:>{}}  ", row.number, number_width);
    line += colour(blue, padded(row.step->thread, thread_width)) + "  ";
    if (row.folded > 0) {
      text += line + colour(dim, fmt::format("… {} steps of initialisation", row.folded)) + "\n";
      continue;
    }
    std::string rest = padded(place_text(*row.place), place_width) + "  ";
    const std::string& statement = row.place->text;
    const std::string& action = row.step->action;
    rest += statement;
    // The statement often says it already, and a call of the library always does.
    const bool said = statement.find(action) != std::string::npos || (row.step->place.library && !statement.empty());
    if (!action.empty() && !said)
      rest += (statement.empty() ? "" : "   ") + colour(dim, statement.empty() ? action : "[" + action + "]");
    line += rest;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    for (const Effect& effect : row.effects) {
      EffectText shown = effect_text(effect);
      if (effect.missed)
        shown.tail += fmt::format("; misses {}, written by {} in step {}", effect.missed->value, effect.missed->by,
                                  shown_rows.number_of[effect.missed->step]);
      std::string effect_line =
          indent + (shown.verb[0] != '\0' ? fmt::format("{:<8} ", shown.verb) : "") +
          (shown.tail.empty() ? shown.what : padded(shown.what, what_width) + "  " + colour(dim, shown.tail));
      effect_line.erase(effect_line.find_last_not_of(' ') + 1);
      text += effect_line + "\n";
    }
  }
  if (!trace.closing.empty()) text += "  " + colour(red, trace.closing) + "\n";
  for (const std::string& sentence : hazard_sentences(trace, shown_rows))
    text += "  " + colour(yellow, "hazard:") + " " + sentence + "\n";
  for (const core::NamedStack& stack : trace.stacks) text += stack_text(stack, colour);
  return text;
}

}  // namespace heddle::report
