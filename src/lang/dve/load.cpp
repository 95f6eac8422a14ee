// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "core/input.h"
#include "lang/dve/dve.h"
#include "lang/dve/lower.h"
#include "lang/dve/names.h"
#include "lang/dve/parser.h"

namespace heddle::dve {

using support::Diagnostic;
using support::Result;

namespace {

// Some editors put a byte order mark before a text.
void drop_mark(std::string& text) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
}

Result<ir::Program> translate(const Source& source, std::string_view atomic, const std::string& atomic_file) {
  try {
    if (source.text.find_first_not_of(" \t\r\n\f\v") == std::string::npos) {
      return Diagnostic{source.file,         0,  0,
                        "the file is empty", {}, "a model has at least one process, and ends in `system async;`"};
    }
    const SyntaxModel syntax = parse_model(source);
    ir::Program program = lower(source, syntax);
    apply_atomic(program, atomic, atomic_file);
    ir::finish(program);
    return program;
  } catch (Mistake& m) {
    return std::move(m.diagnostic);
  }
}

}  // namespace

Result<std::string> read_text(const std::string& path, const core::Budget* budget) {
  Result<std::string> text = core::read_input(path, budget);
  if (text) drop_mark(*text);
  return text;
}

Result<ir::Program> load_text(std::string text, const std::string& file, std::string_view atomic,
                              const std::string& atomic_file) {
  return translate({file, std::move(text), {}}, atomic, atomic_file);
}

Result<ir::Program> load(const std::string& path, const Options& options) {
  Result<std::string> text = read_text(path, options.budget);
  if (!text) return text.error();
  std::string atomic, atomic_file;
  if (options.atomic_file) {
    atomic_file = *options.atomic_file;
    Result<std::string> read = read_text(atomic_file, options.budget);
    if (!read) return read.error();
    atomic = std::move(*read);
  }
  const bool m4 = std::filesystem::path(path).extension() == ".mdve";
  if (!m4) {
    if (!options.defines.empty()) {
      return Diagnostic{path, 0,
                        0,    fmt::format("-D {} has no meaning for this file", options.defines[0].first),
                        {},   "only .mdve files go through m4"};
    }
    return translate({path, std::move(*text), {}}, atomic, atomic_file);
  }
  Result<Expanded> expanded = expand_m4(*text, path, options.defines, options.budget);
  if (!expanded) return expanded.error();
  return translate({path, std::move(expanded->text), std::move(expanded->origins)}, atomic, atomic_file);
}

Result<std::uint32_t> add_proposition(ir::Program& program, const std::string& text, const std::string& place) {
  try {
    const Source source{place, text, {}};
    SyntaxModel syntax;
    const Node node = parse_expression_text(source, syntax);
    Names names(source, program, syntax);
    names.import();
    const ir::ExprId condition = names.lower(ir::none, node);
    return ir::add_proposition(program, condition, one_line(text));
  } catch (Mistake& m) {
    return std::move(m.diagnostic);
  }
}

}  // namespace heddle::dve
