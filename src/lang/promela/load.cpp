// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/child.h"
#include "core/input.h"
#include "lang/promela/expressions.h"
#include "lang/promela/lower.h"
#include "lang/promela/parser.h"
#include "lang/promela/promela.h"
#include "support/words.h"

namespace heddle::promela {

using support::Diagnostic;
using support::Result;

namespace {

// Notes every P@label and P[…]@label of a text.
void observe(Model& model, std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    std::size_t label = at + 1, end = at;
    while (label < text.size() && is_space(text[label])) ++label;
    std::size_t label_end = label;
    while (label_end < text.size() && support::in_word(text[label_end])) ++label_end;
    const auto skip_spaces = [&] {
      while (end > 0 && is_space(text[end - 1])) --end;
    };
    skip_spaces();
    for (int depth = 0; end > 0 && (depth > 0 || text[end - 1] == ']');) {
      --end;
      depth += text[end] == ']' ? 1 : text[end] == '[' ? -1 : 0;
      if (depth == 0) break;
    }
    skip_spaces();
    std::size_t begin = end;
    while (begin > 0 && support::in_word(text[begin - 1])) --begin;
    model.observed.emplace(text.substr(begin, end - begin), text.substr(label, label_end - label));
  }
}

Result<Loaded> translate(Source source, const Options& options) {
  try {
    if (source.text.find_first_not_of(" \t\r\n\f\v") == std::string::npos)
      return Diagnostic{source.files.front(), 0,  0,
                        "the file is empty",  {}, "a model has an `init` or an `active proctype`"};
    auto tables = std::make_shared<Tables>();
    tables->model = parse_model(std::move(source));
    for (const Formula& f : tables->model.formulas) observe(tables->model, f.text);
    for (const std::string& text : options.conditions) observe(tables->model, text);
    Loaded loaded;
    loaded.program = lower(*tables);
    ir::finish(loaded.program);
    if (tables->mark_var != ir::none) loaded.program.mark = loaded.program.variables[tables->mark_var].base;
    for (const Formula& f : tables->model.formulas) loaded.ltl.push_back({f.name, f.text, f.token.line});
    loaded.tables = std::move(tables);
    return loaded;
  } catch (Mistake& m) {
    return std::move(m.diagnostic);
  }
}

Result<std::string> preprocess(const std::string& path, const Options& options) {
  std::vector<std::string> command{"clang-19", "-E", "-x", "c", "-std=gnu99", "-nostdinc", "-Wno-everything"};
  for (const auto& [name, value] : options.defines) command.push_back("-D" + name + (value.empty() ? "" : "=" + value));
  command.push_back(core::file_word(path));
  core::ChildLimits limits;
  limits.budget = options.budget;
  limits.seconds = 20;
  limits.largest_output = core::largest_input;
  core::ChildEnd end = core::run_program(command, {}, limits);
  if (end.good()) return std::move(end.out);
  if (!end.unstarted.empty())
    return Diagnostic{path, 0,
                      0,    fmt::format("the C preprocessor could not be started: {}", end.unstarted),
                      {},   "install clang-19, or write the model without `#` lines"};
  if (!end.stopped.empty()) return core::stopped_at(path, end.stopped);
  const std::string first = end.err.substr(0, end.err.find('\n'));
  return Diagnostic{path, 0, 0, fmt::format("the C preprocessor {}: {}", core::end_text(end), first), {}, {}};
}

}  // namespace

bool needs_preprocessor(std::string_view text) {
  bool line_start = true;
  for (const char c : text) {
    if (line_start && c == '#') return true;
    if (c == '\n') line_start = true;
    else if (c != ' ' && c != '\t') line_start = false;
  }
  return false;
}

Result<Loaded> load_text(std::string text, const std::string& file, const Options& options) {
  return translate({{file}, std::move(text)}, options);
}

Result<Loaded> load(const std::string& path, const Options& options) {
  Result<std::string> text = core::read_input(path, options.budget);
  if (!text) return text.error();
  if (text->starts_with("\xef\xbb\xbf")) text->erase(0, 3);
  if (needs_preprocessor(*text) || !options.defines.empty()) {
    text = preprocess(path, options);
    if (!text) return text.error();
  }
  return translate({{path}, std::move(*text)}, options);
}

Result<std::uint32_t> add_proposition(Loaded& loaded, const std::string& text, const std::string& place) {
  try {
    Source source{{place}, text};
    const Tables& tables = *loaded.tables;
    const Node node = parse_condition(tables.model, source);
    Expressions expressions(loaded.program, tables, source, globally);
    std::string shown;
    for (const char c : text) shown += c == '\n' ? ' ' : c;
    return ir::add_proposition(loaded.program, expressions.value(node), shown);
  } catch (Mistake& m) {
    return std::move(m.diagnostic);
  }
}

}  // namespace heddle::promela
