// SPDX-License-Identifier: Apache-2.0
#include "drive/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/input.h"
#include "lang/dve/dve.h"
#include "ltl/hoa.h"
#include "ltl/translate.h"

namespace heddle::drive {

namespace {

using support::Diagnostic;
using support::Result;

bool temporal(const ltl::Sentence& s, std::uint32_t node) {
  const ltl::SyntaxNode& n = s.nodes[node];
  using enum ltl::Operator;
  switch (n.op) {
    case True:
    case False:
    case Atom: return false;
    case Not: return temporal(s, n.left);
    case And:
    case Or:
    case Implies:
    case Iff: return temporal(s, n.left) || temporal(s, n.right);
    default: return true;
  }
}

// A formula without temporal operators in the syntax of DVE's conditions.
std::string condition(const ltl::Sentence& s, std::uint32_t node, const std::vector<std::string>& atoms) {
  const ltl::SyntaxNode& n = s.nodes[node];
  const auto left = [&] { return condition(s, n.left, atoms); };
  const auto right = [&] { return condition(s, n.right, atoms); };
  using enum ltl::Operator;
  switch (n.op) {
    case True: return "true";
    case False: return "false";
    case Atom: return "(" + atoms[n.left] + ")";
    case Not: return fmt::format("(not {})", left());
    case And: return fmt::format("({} and {})", left(), right());
    case Or: return fmt::format("({} or {})", left(), right());
    case Implies: return fmt::format("({} imply {})", left(), right());
    default: return fmt::format("(({0} imply {1}) and ({1} imply {0}))", left(), right());
  }
}

class Reader {
 public:
  Reader(const Task& task, const Vocabulary& words, core::Budget& budget)
      : task_(task), words_(words), budget_(budget) {}

  Result<Temporal> run(const std::vector<OwnFormula>& own) {
    for (const OwnFormula& formula : own)
      if (auto mistake =
              add(formula.text, {.file = formula.file, .line = formula.line, .owns_variables = {}, .promela = true}))
        return *mistake;
    for (const std::string& given : *task_.ltl)
      if (auto mistake = read(given)) return *mistake;
    if (!task_.automaton->empty())
      if (auto mistake = read_automaton(*task_.automaton)) return *mistake;
    return std::move(out_);
  }

 private:
  using Mistake = std::optional<Diagnostic>;

  // A formula, or the name of a file of them.
  Mistake read(const std::string& given) {
    std::error_code error;
    if (!std::filesystem::exists(given, error)) {
      auto mistake = add(given, {.file = "--ltl", .owns_variables = words_.is_process});
      if (mistake && looks_like_a_file(given)) mistake->hint = fmt::format("there is no file '{}' either", given);
      return mistake;
    }
    const auto file = dve::load_properties(given);
    if (!file) return file.error();
    definitions_ = file->definitions;
    for (const auto& line : file->properties) {
      const ltl::ReadOptions options{.file = given,
                                     .line = line.line,
                                     .column = line.column,
                                     .source_line = line.source_line,
                                     .owns_variables = words_.is_process};
      if (auto mistake = add(line.text, options)) return mistake;
    }
    definitions_.clear();
    return std::nullopt;
  }

  static bool looks_like_a_file(const std::string& given) {
    return given.find_first_of(" \t\n()") == std::string::npos && given.find_first_of("./") != std::string::npos;
  }

  // The definition of the file that an atom stands for, or null.
  const dve::PropertyFile::Line* definition(const std::string& atom) const {
    const auto known = std::ranges::find(definitions_, atom, &dve::PropertyFile::Line::name);
    return known == definitions_.end() ? nullptr : &*known;
  }

  Mistake add(const std::string& text, const ltl::ReadOptions& options) {
    const auto sentence = ltl::read_formula(text, options);
    if (!sentence) return sentence.error();
    Formula formula{text, *sentence, std::nullopt, {}, *task_.fair, *task_.memory_fairness};
    std::vector<std::string> meanings;
    for (const ltl::Atom& atom : sentence->atoms) {
      const auto* const defined = definition(atom.text);
      meanings.push_back(defined != nullptr ? defined->text : atom.text);
      const auto proposition = words_.add(meanings.back(), "--ltl");
      if (!proposition && defined != nullptr)
        return placed(proposition.error(), options.file, defined->line, defined->column, defined->source_line);
      if (!proposition)
        return placed(proposition.error(), options.file, atom.line, atom.column,
                      options.source_line.empty() ? std::string(support::line_of(text, atom.line - options.line + 1))
                                                  : options.source_line);
      formula.propositions.push_back(*proposition);
    }
    const ltl::SyntaxNode& root = sentence->nodes[sentence->root];
    if (words_.invariants && root.op == ltl::Operator::Globally && !temporal(*sentence, root.left)) {
      const auto invariant = words_.add(condition(*sentence, root.left, meanings), "--ltl");
      if (!invariant) return invariant.error();
      out_.invariants.push_back(*invariant);
      return std::nullopt;
    }
    formula.violations =
        ltl::generalised(*sentence, {.negated = true, .stop = [this] { return budget_.over().has_value(); }});
    if (!formula.violations)
      return Diagnostic{
          options.file,
          options.line,
          0,
          budget_.over() ? "a limit was reached while the formula was translated"
                         : fmt::format("the formula has more than {} different right-hand sides of U", ltl::most_marks),
          text,
          "divide it into several formulas"};
    out_.formulas.push_back(std::move(formula));
    return std::nullopt;
  }

  // A mistake in an expression that stands at this line and column.
  Diagnostic placed(Diagnostic d, const std::string& file, unsigned line, unsigned column, std::string source) const {
    d.file = file;
    d.line = line;
    d.column = column + (words_.placed && d.column != 0 ? d.column - 1 : 0);
    d.source_line = std::move(source);
    return d;
  }

  Mistake read_automaton(const std::string& file) {
    const auto text = core::read_input(file, &budget_);
    if (!text) return text.error();
    std::vector<ltl::HoaPlace> places;
    auto automaton = ltl::read_hoa(*text, file, &places);
    if (!automaton) return automaton.error();
    Formula formula{file, std::nullopt, std::nullopt, {}, *task_.fair, *task_.memory_fairness};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto proposition = words_.add(automaton->atoms[i], "--automaton");
      if (!proposition)
        return placed(proposition.error(), file, places[i].line, places[i].column,
                      std::string(support::line_of(*text, places[i].line)));
      formula.propositions.push_back(*proposition);
    }
    formula.violations = std::move(*automaton);
    out_.formulas.push_back(std::move(formula));
    return std::nullopt;
  }

  const Task& task_;
  const Vocabulary& words_;
  core::Budget& budget_;
  std::vector<dve::PropertyFile::Line> definitions_;
  Temporal out_;
};

}  // namespace

Result<Temporal> read_formulas(const Task& task, const Vocabulary& words, core::Budget& budget,
                               const std::vector<OwnFormula>& own) {
  const bool asked = !task.ltl->empty() || !task.automaton->empty() || words.own_property || !own.empty();
  if (!asked)
    for (const auto& [given, option] : {std::pair{task.fair.given, "--fair"},
                                        {task.memory_fairness.given, "--memory-fairness"},
                                        {task.fairness.given, "--fairness"}})
      if (given)
        return Diagnostic{"", 0, 0, fmt::format("{} is about infinite runs", option), "", "give --ltl or --automaton"};
  if (*task.fairness == "formula" && !*task.memory_fairness)
    return Diagnostic{"", 0,
                      0,  "with --memory-fairness off there is no fairness that --fairness formula could say",
                      "", "leave out one of them"};
  return Reader(task, words, budget).run(own);
}

}  // namespace heddle::drive
