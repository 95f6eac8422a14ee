// SPDX-License-Identifier: Apache-2.0
#include "lang/dve/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::dve {

namespace {

constexpr std::array keywords{
    std::pair{"const", Tok::Const},     std::pair{"byte", Tok::Byte},         std::pair{"int", Tok::Int},
    std::pair{"channel", Tok::Channel}, std::pair{"process", Tok::Process},   std::pair{"state", Tok::State},
    std::pair{"init", Tok::Init},       std::pair{"commit", Tok::Commit},     std::pair{"accept", Tok::Accept},
    std::pair{"assert", Tok::Assert},   std::pair{"trans", Tok::Trans},       std::pair{"guard", Tok::Guard},
    std::pair{"sync", Tok::Sync},       std::pair{"effect", Tok::Effect},     std::pair{"system", Tok::System},
    std::pair{"async", Tok::Async},     std::pair{"property", Tok::Property}, std::pair{"true", Tok::True},
    std::pair{"false", Tok::False},     std::pair{"and", Tok::And},           std::pair{"or", Tok::Or},
    std::pair{"not", Tok::NotWord},     std::pair{"imply", Tok::Imply}};

// Longer ones first.
constexpr std::array punctuation{
    std::pair{"->", Tok::Arrow},        std::pair{"&&", Tok::AndAnd},    std::pair{"||", Tok::OrOr},
    std::pair{"==", Tok::Equal},        std::pair{"!=", Tok::NotEqual},  std::pair{"<=", Tok::LessEqual},
    std::pair{">=", Tok::GreaterEqual}, std::pair{"<<", Tok::ShiftLeft}, std::pair{">>", Tok::ShiftRight},
    std::pair{"{", Tok::LeftBrace},     std::pair{"}", Tok::RightBrace}, std::pair{"[", Tok::LeftBracket},
    std::pair{"]", Tok::RightBracket},  std::pair{"(", Tok::LeftParen},  std::pair{")", Tok::RightParen},
    std::pair{",", Tok::Comma},         std::pair{";", Tok::Semicolon},  std::pair{":", Tok::Colon},
    std::pair{".", Tok::Dot},           std::pair{"=", Tok::Assign},     std::pair{"?", Tok::Question},
    std::pair{"!", Tok::Bang},          std::pair{"|", Tok::Bar},        std::pair{"&", Tok::Amp},
    std::pair{"^", Tok::Caret},         std::pair{"~", Tok::Tilde},      std::pair{"<", Tok::Less},
    std::pair{">", Tok::Greater},       std::pair{"+", Tok::Plus},       std::pair{"-", Tok::Minus},
    std::pair{"*", Tok::Star},          std::pair{"/", Tok::Slash},      std::pair{"%", Tok::Percent}};

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Lexer::Lexer(const Source& source) : source_(source), text_(source.text) {
  if (text_.size() > (std::size_t{1} << 30))
    throw Mistake{{source.file, 0, 0, "the text is longer than 1 GiB", {}, {}}};
}

Token Lexer::next() {
  skip_blank();
  Token token = start();
  if (at_ == text_.size()) return token;
  read(token);
  token.end = static_cast<std::uint32_t>(at_);
  return token;
}

Token Lexer::start() const {
  Token t;
  t.begin = t.end = static_cast<std::uint32_t>(at_);
  t.line = line_;
  t.column = static_cast<unsigned>(at_ - line_start_ + 1);
  return t;
}

void Lexer::newline() {
  ++line_;
  line_start_ = at_ + 1;
}

void Lexer::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      newline();
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (sees("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (sees("/*")) {
      const Token opening = start();
      at_ += 2;
      while (at_ < text_.size() && !sees("*/")) {
        if (text_[at_] == '\n') newline();
        ++at_;
      }
      if (at_ == text_.size()) mistake(source_, opening, "this comment has no end");
      at_ += 2;
    } else {
      return;
    }
  }
}

void Lexer::read(Token& token) {
  const char c = text_[at_];
  if (letter(c)) {
    while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(token.begin, at_ - token.begin);
    const auto* found = std::find_if(keywords.begin(), keywords.end(), [&](const auto& k) { return word == k.first; });
    token.kind = found == keywords.end() ? Tok::Name : found->second;
    return;
  }
  if (digit(c)) return read_number(token);
  for (const auto& [spelled, kind] : punctuation) {
    if (!sees(spelled)) continue;
    at_ += std::string_view(spelled).size();
    token.kind = kind;
    return;
  }
  const auto code = static_cast<unsigned char>(c);
  mistake(source_, token,
          code >= 0x20 && code < 0x7f ? fmt::format("`{}` is no part of the DVE language", c)
                                      : fmt::format("unexpected byte 0x{:02x}", code));
}

void Lexer::read_number(Token& token) {
  std::int64_t value = 0;
  while (at_ < text_.size() && digit(text_[at_])) {
    value = value * 10 + (text_[at_] - '0');
    if (value > INT32_MAX) mistake(source_, token, "this number does not fit into 32 bits");
    ++at_;
  }
  if (at_ < text_.size() && letter(text_[at_])) mistake(source_, token, "a number must not be followed by letters");
  token.kind = Tok::Number;
  token.number = static_cast<std::int32_t>(value);
}

unsigned Source::line(const Token& token) const {
  return token.line >= 1 && token.line <= origins.size() ? origins[token.line - 1] : token.line;
}

void mistake(const Source& source, const Token& token, std::string message, std::string hint) {
  support::Diagnostic d;
  d.file = source.file;
  d.line = source.line(token);
  d.column = source.column(token);
  d.message = std::move(message);
  // From the token's own place: finding the line by its number would read a big text from the start.
  const std::string_view text = source.text;
  const std::size_t at = std::min<std::size_t>(token.begin, text.size());
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  d.source_line = std::string(text.substr(begin, text.find('\n', begin) - begin));
  d.hint = std::move(hint);
  if (!source.origins.empty())
    d.hint += fmt::format("{}this is line {} of the text that m4 makes of the file", d.hint.empty() ? "" : "\n  ",
                          token.line);
  throw Mistake{std::move(d)};
}

const char* spelling(Tok kind) {
  for (const auto& [spelled, k] : keywords) {
    if (k == kind) return spelled;
  }
  for (const auto& [spelled, k] : punctuation) {
    if (k == kind) return spelled;
  }
  return kind == Tok::Name ? "a name" : kind == Tok::Number ? "a number" : "the end of the text";
}

std::string describe(const Source& source, const Token& token) {
  if (token.kind == Tok::End) return "the end of the text";
  return fmt::format("`{}`", text_of(source, token).substr(0, 60));
}

}  // namespace heddle::dve
