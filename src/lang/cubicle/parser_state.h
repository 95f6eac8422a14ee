// The parser's internals, shared by parser.cpp (declarations) and expressions.cpp (formulas and terms).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/cubicle/lexer.h"
#include "lang/cubicle/syntax.h"
#include "support/diagnostics.h"

namespace heddle::cubicle {

class Parser {
 public:
  Parser(std::string_view text, std::string file);
  System run();  // throws the Diagnostic of the first mistake; parse() catches it

 private:
  enum class Where : std::uint8_t { Init, Bad, Guard, Body, Predicate };

  // Names in scope while a block is parsed. Predicates map their own names to the caller's slots.
  struct Scope {
    Where where = Where::Guard;
    std::vector<std::string>* slots = nullptr;  // names of the block's slots; grows with binders
    std::vector<std::pair<std::string, Slot>> processes;
    std::vector<std::pair<std::string, Term>> lets;
    std::vector<Slot> parameters;
    Slot actor = no_slot;
  };

  struct Predicate {
    std::string name;
    std::vector<std::string> parameters;
    std::size_t body = 0;  // token after the opening brace
    // Found when the body is parsed with processes for all parameters. Reported only if there is no call, since a call
    // may pass other terms.
    std::optional<support::Diagnostic> mistake;
    bool used = false;
  };

  // tokens
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool is(std::string_view sign, std::size_t ahead = 0) const;
  bool is_word(std::string_view word, std::size_t ahead = 0) const;
  bool accept(std::string_view sign);
  bool accept_word(std::string_view word);
  void expect(std::string_view sign, std::string_view purpose);
  Token name(Token::Kind kind, std::string_view what);
  [[noreturn]] void fail(Place place, std::string message, std::string hint = {}) const;

  // declarations
  void declaration();
  void type_declaration();
  void symbol_declaration(bool weak);
  TypeId type_name();
  void predicate_declaration();
  void block(Block& block, Where where);
  void transition();
  void update(Transition& transition, Scope& scope);
  std::vector<Arm> arms(const Symbol& symbol, Scope& scope);
  std::vector<Token> parameter_list(Token* actor);
  void declare(const std::string& name, Place place);
  void check_complete();

  // expressions
  Formula formula(Scope& scope);
  Formula implication(Scope& scope);
  Formula disjunction(Scope& scope);
  Formula conjunction(Scope& scope);
  Formula negation(Scope& scope);
  Formula quantifier(Scope& scope, bool universal, bool other);
  Formula comparison(Scope& scope);
  Formula call(Scope& scope, Predicate& predicate);
  static bool is_process(const Scope& scope, const std::string& word);
  void check_quantifiers(const Formula&, bool positive) const;
  bool parenthesised_term() const;
  Term sum(Scope& scope);
  Term product(Scope& scope);
  Term factor(Scope& scope);
  Term access(Scope& scope, Slot viewer, Place viewer_place);
  Term number();
  static const Term* let_of(const Scope& scope, const Token& name);  // null if no `let` or argument has the name
  Slot process(Scope& scope);
  Slot bind(Scope& scope, const Token& name);
  void check_access(const Scope& scope, const Symbol& symbol, const Access& access, Place place) const;
  TypeId common_type(Term& a, Term& b, Place place);
  void spend(Place place);

  System system_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::map<std::string, TypeId> types_;
  std::map<std::string, SymbolId> symbols_;
  std::map<std::string, std::pair<TypeId, unsigned>> constructors_;
  std::vector<Predicate> predicates_;
  std::map<std::string, Place> declared_;
  Place greatest_;  // of the process #k with the greatest k
  bool has_init_ = false;
  unsigned depth_ = 0;     // nesting of the expression being read
  std::size_t spent_ = 0;  // size of all expressions, with expansions
};

}  // namespace heddle::cubicle
