// The translator behind c_code.h: recursive descent over the lexer's words, operations as it goes. Statements are in
// c_code.cpp, expressions in c_expressions.cpp, functions in c_atomics.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/litmus/c_code.h"

namespace heddle::lang::litmus {

class CCompiler {
 public:
  CCompiler(Lexer& lex, ThreadCode& code, const CSurroundings& around) : lex_(lex), code_(code), around_(around) {}

  CLocals thread();

 private:
  // What an expression stands for: a value, or an object that has one.
  struct Term {
    enum class Kind : std::uint8_t { Value, Local, Memory, AddressOfLocal };
    Kind kind = Kind::Value;
    Operand operand = Operand::value(0);  // the value; the register of Local and AddressOfLocal; the address of Memory
    Operand offset = Operand::value(0);   // Memory: added to the address
    CType type;                           // of the value or object
    std::size_t at = 0;
    bool is_parameter = false;
  };

  // What a name means in a block.
  struct Name {
    bool is_parameter = false;
    core::Value address;  // of a parameter's variable
    Register reg = no_register;
    CType type;
  };
  using Scope = std::map<std::string, Name, std::less<>>;

  struct Loop {
    std::vector<std::size_t> breaks, continues;  // jumps that wait for their targets
  };

  // Counts how deeply words are nested while it lives, so that no text exhausts the stack.
  class Nesting {
   public:
    explicit Nesting(CCompiler& c) : c_(c) {
      if (++c_.nesting_ > 1500) c_.lex_.fail("this is nested too deeply");
    }
    ~Nesting() { --c_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    CCompiler& c_;
  };

  // Statements.
  void parameter();
  void block();
  void scoped_statement();
  void statement();
  void simple_or_compound();
  void if_statement();
  void while_statement();
  void do_statement();
  void for_statement();
  void declaration(const CType&);
  void declare_local(const Token& name, const CType&, Name&);
  void condition_false_jumps(std::vector<std::size_t>& jumps);
  std::size_t jump(std::uint32_t to);
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.ops.size()); }
  void land(const std::vector<std::size_t>& jumps);
  void end_loop(std::vector<std::size_t> out);

  // Expressions.
  Term expression();  // with commas
  Term assignment();
  Term conditional();
  Term binary(int least);
  Term unary();
  Term postfix();
  Term primary();
  Term name();
  Term element(const Term& pointer);
  Term lazily(const Term& left, bool is_or, int level, std::size_t at);
  Term arithmetic(std::string_view sign, Term left, Term right, std::size_t at);
  Term step(const Term& object, bool up, bool before, std::size_t at);
  Term value(const Term&);
  Term converted(const Term&, CType to);
  Term assigned(const Term&, CType to);                                // converted, refusing numbers that are too large
  Term assign(const Term& object, const Term& value, std::size_t at);  // what the object then holds
  Term object_at(const Term& pointer);
  Term address_of(const Term&);

  // Functions; nothing if the name is not known.
  std::optional<Term> call(const Token& name);
  Term compare_exchange(const Token& name, bool weak, bool with_orders);
  Term lock(const Token& name);
  Term target();
  enum class Use : std::uint8_t { Load, Store, ReadModifyWrite, Failure, Fence };
  core::Order order(Use);

  // Operations.
  Register temporary();
  Op& emit(Op op, std::size_t at);
  Op access(OpKind, const Term& object, core::Order) const;
  Term loaded(Op op, const Term& object, std::size_t at);
  void compute(Alu, Register dst, Operand a, Operand b, std::size_t at, std::uint8_t faults = 0);
  Operand computed(Alu, Operand a, Operand b, std::size_t at, std::uint8_t faults = 0);

  Lexer& lex_;
  ThreadCode& code_;
  const CSurroundings& around_;
  std::vector<Scope> scopes_;  // parameters first, then blocks from outside in
  CLocals locals_;
  std::map<std::string, std::vector<Name>, std::less<>> all_of_name_;
  std::vector<Register> temporaries_;
  std::size_t used_temporaries_ = 0;
  unsigned nesting_ = 0;
  std::size_t statement_ = 0;  // where the present one begins
  std::vector<Loop> loops_;
  std::vector<std::size_t> returns_;
};

}  // namespace heddle::lang::litmus
