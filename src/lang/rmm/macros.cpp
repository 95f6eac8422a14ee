// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "lang/rmm/lexer.h"

namespace heddle::rmm {
namespace {

constexpr unsigned deepest = 50;
constexpr std::size_t most_tokens = 1'000'000;

class Macros {
 public:
  Macros(const Source& source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  std::vector<Token> run() {
    for (at_ = 0; at_ < tokens_.size();) {
      if (tokens_[at_].text == "macro") define();
      else at_ = copy(tokens_, at_, 0);
    }
    return std::move(out_);
  }

 private:
  using Tokens = std::vector<Token>;
  struct Macro {
    std::vector<std::string> parameters;
    Tokens body;
  };

  const Token& take(std::string_view what) {
    const Token& t = tokens_[at_];
    if (t.kind == Token::Kind::End || (!what.empty() && t.text != what))
      mistake(source_, t, fmt::format("{} is expected here", what.empty() ? "a name" : fmt::format("`{}`", what)));
    ++at_;
    return t;
  }

  // macro NAME(parameters) statements endmacro
  void define() {
    const Token begin = take("macro");
    const Token name = take("");
    Macro macro;
    take("(");
    while (tokens_[at_].text != ")") {
      if (!macro.parameters.empty()) take(",");
      macro.parameters.emplace_back(take("").text);
    }
    take(")");
    for (; tokens_[at_].text != "endmacro"; ++at_) {
      if (tokens_[at_].kind == Token::Kind::End || tokens_[at_].text == "macro")
        mistake(source_, begin, "this macro has no `endmacro`");
      macro.body.push_back(tokens_[at_]);
    }
    ++at_;
    if (!macros_.emplace(name.text, std::move(macro)).second)
      mistake(source_, name, fmt::format("the macro `{}` stands twice", name.text));
  }

  // One token, or a call of a macro in braces; where the next one is.
  std::size_t copy(const Tokens& from, std::size_t at, unsigned depth) {
    const Token& t = from[at];
    const auto found = t.kind == Token::Kind::Name ? macros_.find(std::string(t.text)) : macros_.end();
    const bool called = found != macros_.end() && at + 1 < from.size() && from[at + 1].text == "(";
    if (out_.size() > most_tokens || (called && depth > deepest)) mistake(source_, t, "macros make this text too long");
    if (!called) {
      out_.push_back(t);
      return at + 1;
    }
    std::vector<Tokens> given;
    at = arguments(from, at, given);
    const Macro& macro = found->second;
    if (given.size() != macro.parameters.size())
      mistake(source_, t, fmt::format("`{}` has {} parameters, not {}", t.text, macro.parameters.size(), given.size()));
    Tokens body;
    for (const Token& b : macro.body) {
      const auto parameter = std::ranges::find(macro.parameters, b.text);
      if (parameter == macro.parameters.end()) {
        body.push_back(b);
        continue;
      }
      const Tokens& argument = given[static_cast<std::size_t>(parameter - macro.parameters.begin())];
      body.insert(body.end(), argument.begin(), argument.end());
      if (body.size() > most_tokens) mistake(source_, t, "macros make this text too long");
    }
    const auto brace = [&](const char* text) {
      Token b = t;
      b.kind = Token::Kind::Punctuation;
      b.text = text;
      out_.push_back(b);
    };
    brace("{");
    for (std::size_t i = 0; i < body.size();) i = copy(body, i, depth + 1);
    brace("}");
    return at;
  }

  // (a, b): arguments by commas that stand in no bracket; where the text goes on.
  std::size_t arguments(const Tokens& from, std::size_t at, std::vector<Tokens>& given) const {
    const Token& call = from[at];
    for (std::size_t i = at + 2, open = 0;; ++i) {
      if (i >= from.size() || from[i].kind == Token::Kind::End) mistake(source_, call, "this call has no end");
      const std::string_view text = from[i].text;
      if (open == 0 && text == ")") return i + 1;
      if (given.empty() || (open == 0 && text == ",")) given.emplace_back();
      if (open == 0 && text == ",") continue;
      open += text == "(" || text == "[";
      open -= open != 0 && (text == ")" || text == "]");
      given.back().push_back(from[i]);
    }
  }

  const Source& source_;
  const Tokens& tokens_;
  std::size_t at_ = 0;
  std::map<std::string, Macro> macros_;
  Tokens out_;
};

}  // namespace

std::vector<Token> without_macros(const Source& source, const std::vector<Token>& tokens) {
  return Macros(source, tokens).run();
}

}  // namespace heddle::rmm
