// The parser, shared by its files: parser.cpp (declarations), parse_statements.cpp, parse_expressions.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/promela/parser.h"

namespace heddle::promela {

class Parser {
 public:
  explicit Parser(Model&, Source&);

  void model();
  Node condition();  // the whole text is one condition

 private:
  struct Inline {
    std::vector<std::string> parameters;
    std::vector<Token> body;  // with its braces
    unsigned expansions = 0;
  };
  using Scope = std::unordered_map<std::string, std::uint32_t>;

  // Tokens.
  const Token& token() const { return tokens_[at_]; }
  const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  std::string_view text(const Token& t) const { return source_.text_of(t); }
  bool is(std::string_view s) const { return is(token(), s); }
  bool is(const Token& t, std::string_view s) const {
    return (t.kind == Tok::Punctuation || t.kind == Tok::Name) && text(t) == s;
  }
  bool accept(std::string_view s) {
    if (!is(s)) return false;
    next();
    return true;
  }
  void next() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  void expect(std::string_view s, std::string_view where);
  std::string name(std::string_view what);
  [[noreturn]] void fail(std::string message, std::string hint = {}) const { fail(token(), message, hint); }
  [[noreturn]] void fail(const Token&, std::string message, std::string hint = {}) const;
  void refuse_unsupported() const;

  // Declarations.
  void mtype_declaration();
  void structure();
  void proctype(std::uint32_t active);
  void inline_definition();
  void formula();
  void never();
  bool starts_declaration() const;
  TypeName type_name();
  // Declares the names of one declaration. Null: initial values are part of the declaration. Otherwise it is a step as
  // in SPIN, which goes to `statements`: it assigns the initial value or 0, to the first cell of an array, and nothing to
  // a structure.
  void declaration(std::vector<std::uint32_t>& symbols, Sequence* statements);
  void declarator(Symbol&);
  void channel_shape(Symbol&);
  std::uint32_t add_symbol(Symbol, std::vector<std::uint32_t>& symbols);
  std::uint32_t find(const std::string&) const;
  std::int32_t constant(std::string_view what);  // an expression of numbers, folded
  std::int32_t constant_product(std::string_view what);
  std::int32_t constant_factor(std::string_view what);
  std::int32_t folded(const Token&, std::int64_t) const;

  // Statements.
  Sequence sequence(std::string_view end, bool leading);
  void statement(Sequence&, bool leading);
  void simple_statement(Sequence&, Statement);
  Statement choice(Statement);
  Statement for_loop(Statement);
  Statement select(Statement);
  Statement run(Statement);
  Statement print(Statement);
  Statement memory_operation(Statement);
  Statement send(Statement);
  Statement receive(Statement);
  std::vector<Argument> arguments(std::string_view end);
  Argument argument();
  void expand_inline();
  Statement assignment(const Reference&, Node value, const Token& at) const;
  Statement condition_of(Node, const Token& at) const;

  // Expressions.
  Node expression(unsigned level = 0);
  Node unary();
  Node primary();
  Node parenthesised();
  Node remote(const Token& at);
  Node after_reference(Node);
  Reference reference(bool written);
  Node number(std::int32_t, const Token&) const;
  Node variable(const Reference&, const Token&) const;
  Node binary(ir::Op, Node, Node, const Token&) const;
  Node measured(Node) const;  // with its depth, which is bounded

  struct Nesting {
    explicit Nesting(Parser&);
    ~Nesting() { --parser.depth_; }
    Parser& parser;
  };

  Model& model_;
  Source& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string, Inline> inlines_;
  std::unordered_map<std::string, std::int32_t> mtype_counts_;  // by the set's name, which may be empty
  std::uint32_t proctype_ = none;                               // in whose body we are
  std::vector<std::uint32_t>* locals_ = nullptr;
};

}  // namespace heddle::promela
