// m4 as a child process. The macros of BEEM's sources and then the model go to its standard input; what it writes is
// read back with a limit on time and size, since a macro may call itself for ever.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "core/child.h"
#include "core/input.h"
#include "lang/dve/dve.h"
#include "support/words.h"

namespace heddle::dve {

using support::Diagnostic;
using support::Result;

namespace {

// forloop(i,from,to,text): text for i = from … to. myloop: the same with a separator between. default(NAME,value):
// defines NAME unless -D did (then its name arrives expanded, and what is defined instead is no name: harmless). DVE's
// own comments are m4's, too: macros named in them stay as they are. Macros that could run programs or write files are
// undefined first.
constexpr const char* prelude =
    "undefine(`syscmd', `esyscmd', `sysval', `mkstemp', `maketemp', `debugfile', `indir', `builtin')"
    "define(`forloop', `ifelse(eval(($2) <= ($3)), 1, `pushdef(`$1', eval($2))$4`'popdef(`$1')forloop(`$1', eval(($2) "
    "+ 1), `$3', `$4')')')"
    "define(`myloop', `ifelse(eval(($2) <= ($3)), 1, `pushdef(`$1', eval($2))$4`'popdef(`$1')ifelse(eval(($2) < ($3)), "
    "1, `$5')myloop(`$1', eval(($2) + 1), `$3', `$4', `$5')')')"
    "define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')"
    "define(`bool', `byte')changecom(`//')dnl\n";

// BEEM's sources also use a library of queues that is not public.
constexpr std::array queue_macros{"queue", "push", "pop_front",     "front",
                                  "empty", "full", "async_channel", "buffer_channel"};

constexpr std::size_t largest = std::size_t{64} << 20;

// A use of a macro of the absent library that the source does not define itself, as a Diagnostic at its place.
std::optional<Diagnostic> missing_macro(const std::string& text, const std::string& file) {
  unsigned line = 1;
  std::size_t line_start = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      ++line;
      line_start = at + 1;
    }
    if (!support::in_word(text[at]) || (at > 0 && support::in_word(text[at - 1]))) continue;
    std::size_t end = at;
    while (end < text.size() && support::in_word(text[end])) ++end;
    if (end == text.size() || text[end] != '(') continue;
    const std::string_view word = std::string_view(text).substr(at, end - at);
    for (const char* macro : queue_macros) {
      if (word != macro) continue;
      if (text.find(fmt::format("define(`{}'", macro)) != std::string::npos ||
          text.find(fmt::format("define({},", macro)) != std::string::npos)
        continue;
      return Diagnostic{
          file,
          line,
          static_cast<unsigned>(at - line_start + 1),
          fmt::format("the macro `{}` is not defined", macro),
          text.substr(line_start, text.find('\n', line_start) - line_start),
          "it belongs to a library of queue macros that does not come with Heddle; define it in the model"};
    }
  }
  return std::nullopt;
}

// m4 -s writes `#line N` or `#line N "stdin"` before a line that is not the one after the last in the source. No line
// of a model starts with `#`.
Expanded without_line_marks(std::string_view output) {
  constexpr std::string_view mark = "#line ";
  Expanded result;
  result.text.reserve(output.size());
  unsigned origin = 1;
  while (!output.empty()) {
    const std::size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    if (line.starts_with(mark)) {
      unsigned number = 0;
      std::from_chars(line.data() + mark.size(), line.data() + line.size(), number);
      origin = number > 1 ? number - 1 : 1;  // the prelude is the first line
    } else {
      result.text.append(line);
      if (end != std::string_view::npos) result.text += '\n';
      result.origins.push_back(origin++);
    }
    if (end == std::string_view::npos) break;
    output.remove_prefix(end + 1);
  }
  return result;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end, text.size() - 1) + 1)) {
    end = text.find('\n');
    lines.push_back(trimmed(text.substr(0, end)));
  }
  return lines;
}

// To m4 all of a macro's body comes from the line of its call, but people look for a statement where it is written. A
// line that stands in the source just once, word for word, comes from there; and so does what lies between two such.
void find_bodies(Expanded& expanded, std::string_view source) {
  const std::vector<std::string_view> made = lines_of(expanded.text);
  const std::vector<std::string_view> written = lines_of(source);
  std::unordered_map<std::string_view, unsigned> places;  // 0: there are several
  for (unsigned i = 0; i < written.size(); ++i) {
    const auto [place, fresh] = places.emplace(written[i], i + 1);
    if (!fresh) place->second = 0;
  }
  std::size_t last = made.size();  // the last line that was found
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto place = places.find(made[i]);
    if (place == places.end() || place->second == 0) continue;
    if (last < i && place->second - expanded.origins[last] == i - last)
      for (std::size_t between = last + 1; between < i; ++between)
        expanded.origins[between] = expanded.origins[between - 1] + 1;
    expanded.origins[i] = place->second;
    last = i;
  }
}

}  // namespace

Result<Expanded> expand_m4(const std::string& text, const std::string& file, const Defines& defines,
                           const core::Budget* budget) {
  if (std::optional<Diagnostic> d = missing_macro(text, file)) return std::move(*d);
  for (const auto& [name, value] : defines) {
    bool good = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
    for (const char c : name) good = good && support::in_word(c);
    if (!good) return Diagnostic{file, 0, 0, fmt::format("`{}` cannot be the name in -D NAME=VALUE", name), {}, {}};
  }
  std::vector<std::string> words{"m4", "-s"};
  for (const auto& [name, value] : defines) words.push_back(fmt::format("-D{}={}", name, value));
  // A child that stops reading must not end us: writes then fail with EPIPE.
  const auto old = signal(SIGPIPE, SIG_IGN);
  core::ChildLimits limits;
  limits.budget = budget;
  limits.seconds = 20;
  limits.largest_output = largest;
  limits.largest_messages = 4096;
  // m4 takes a comment without a newline at the end of the text for a mistake.
  const bool unended = text.empty() || text.back() != '\n';
  core::ChildEnd outcome = core::run_program(words, prelude + text + (unended ? "\n" : ""), limits);
  signal(SIGPIPE, old);
  if (!outcome.unstarted.empty())
    return Diagnostic{file, 0, 0, "m4 " + core::end_text(outcome), {}, "install m4 (Debian: apt install m4)"};
  if (!outcome.stopped.empty()) {
    // The user's limits are no fault of the model's.
    if (budget != nullptr && budget->over()) return core::stopped_at(file, "m4 " + core::end_text(outcome));
    return Diagnostic{file, 0, 0, "m4 " + core::end_text(outcome), {}, "does a macro call itself for ever?"};
  }
  // Warnings of m4 are mistakes of the model: it goes on after most of them with a text that nobody meant.
  if (!outcome.good() || !outcome.err.empty()) {
    std::string message = outcome.err.substr(0, outcome.err.find('\n'));
    unsigned line = 0;
    if (const std::size_t at = message.find("stdin:"); at != std::string::npos) {
      line = static_cast<unsigned>(std::strtoul(message.c_str() + at + 6, nullptr, 10));
      line = line > 1 ? line - 1 : line;  // the prelude is the first line
    }
    return Diagnostic{file,
                      line,
                      0,
                      message.empty() ? "m4 " + core::end_text(outcome) : message,
                      std::string(support::line_of(text, line)),
                      {}};
  }
  if (unended && !outcome.out.empty() && outcome.out.back() == '\n') outcome.out.pop_back();
  Expanded expanded = without_line_marks(outcome.out);
  find_bodies(expanded, text);
  return expanded;
}

}  // namespace heddle::dve
