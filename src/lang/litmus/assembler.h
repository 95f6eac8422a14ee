// What the translators of the machine dialects share: one instruction at a time becomes operations of code.h.
//
// An instruction is its mnemonic (lower case, as a whole: "ldr", "amoswap.w.aq", "b.eq") and its arguments, cut at the
// commas outside brackets. A dialect is a function that recognises mnemonics; what it does not know is a Mistake.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lang/litmus/code.h"
#include "lang/litmus/lexer.h"

namespace heddle::lang::litmus {

struct Argument {
  std::string text;  // trimmed
  std::size_t at = 0;
};

struct Instruction {
  std::string mnemonic;  // lower case
  std::string text;      // as written
  std::size_t at = 0;
  std::vector<Argument> args;
};

// Collects the code of one thread. Labels may be used before they are defined.
class Assembler {
 public:
  using Lookup = std::function<const core::Value*(std::string_view)>;  // the address of a variable, or null

  Assembler(ThreadCode& code, Lookup address_of) : code_(code), address_of_(std::move(address_of)) {}

  void begin(const Instruction& i, unsigned line, unsigned column) {
    instruction_ = &i;
    line_ = line;
    column_ = column;
  }
  void begin(const Instruction& i) { instruction_ = &i; }  // at the same place
  void label(const std::string& name, std::size_t at);
  void finish();  // resolves the labels and ends the code

  Register reg(const std::string& name) { return code_.add(name); }
  Op& emit(Op op);
  void compute(Alu alu, Register dst, Operand a, Operand b = {}, unsigned width = 64);
  void branch(Operand condition, const Argument& to);
  void jump(const Argument& to);
  void fence(core::Tag tag);
  void no_effect() { compute(Alu::Move, scratch(), Operand::value(0)); }
  Register scratch() { return reg("$t"); }

  const core::Value* address_of(std::string_view name) const { return address_of_(name); }
  // A number with an optional sign and '#' or '$' before it; throws if it is none.
  std::uint64_t number(const Argument&) const;
  // The same, for a field of the instruction that holds the numbers from `least` to `most` only.
  std::int64_t number(const Argument&, std::int64_t least, std::int64_t most) const;
  bool is_number(const Argument&) const;
  void arguments(std::size_t count) const;  // throws unless there are exactly that many
  void arguments(std::size_t least, std::size_t most) const;
  [[noreturn]] void unknown() const;  // this instruction is not known
  [[noreturn]] static void bad(const Argument&, std::string_view what);

 private:
  std::uint32_t target(const Argument&);
  ThreadCode& code_;
  Lookup address_of_;
  const Instruction* instruction_ = nullptr;
  unsigned line_ = 0, column_ = 0;
  std::map<std::string, std::uint32_t> labels_;
  struct Use {
    std::uint32_t op;
    std::string label;
    std::size_t at;
  };
  std::vector<Use> uses_;
};

// One function per dialect.
void assemble_aarch64(Assembler&, const Instruction&);
void assemble_x86(Assembler&, const Instruction&);     // Intel's order: target first
void assemble_x86_64(Assembler&, const Instruction&);  // AT&T's order: target last
void assemble_ppc(Assembler&, const Instruction&);
void assemble_riscv(Assembler&, const Instruction&);

// The name under which registers of a dialect are kept: "w3" and "X3" are both "X3". Empty if it is no register.
std::string canonical_aarch64(std::string_view);
std::string canonical_x86(std::string_view);
std::uint8_t x86_register_size(std::string_view);  // in bytes; of %al 1
std::string canonical_ppc(std::string_view);
std::string canonical_riscv(std::string_view);

std::string lower(std::string_view);
std::string_view trim(std::string_view);

}  // namespace heddle::lang::litmus
