// POWER instructions: loads and stores with and without index and update, li/mr, arithmetic, compare and branch,
// lwarx/stwcx., and the barriers sync, lwsync, eieio, isync. Registers have 64 bits, and instructions that set field 0
// of the condition register (`add.`) compare all of them with zero, as in 64-bit mode. Numbers that an instruction has no
// room for are refused, as assemblers do.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

#include "axioms/tags.h"
#include "lang/litmus/assembler.h"

namespace heddle::lang::litmus {

namespace {

Register ppc_register(Assembler& as, const Argument& a) {
  const std::string name = canonical_ppc(a.text);
  if (name.empty()) Assembler::bad(a, "is not a register");
  return as.reg(name);
}

// As a base of an address, register 0 means zero.
Operand base(Assembler& as, const Argument& a) {
  if (a.text == "0" || canonical_ppc(a.text) == "r0") return Operand::value(0);
  return Operand::of(ppc_register(as, a));
}

// `offset(register)`; instructions on 8 bytes and lwa have room for multiples of 4 only (DS form).
void displaced(Assembler& as, const Argument& a, bool in_fours, Op& op) {
  const std::size_t open = a.text.find('(');
  if (open == std::string::npos || a.text.back() != ')')
    Assembler::bad(a, "is not an address; 'offset(register)' expected");
  const Argument offset{std::string(trim(std::string_view(a.text).substr(0, open))), a.at};
  const Argument inner{std::string(trim(std::string_view(a.text).substr(open + 1, a.text.size() - open - 2))),
                       a.at + open + 1};
  op.address = base(as, inner);
  const std::int64_t by = offset.text.empty() ? 0 : as.number(offset, -32768, 32767);
  if (in_fours && by % 4 != 0) Assembler::bad(offset, "is not a multiple of 4, as this instruction wants it");
  op.offset = Operand::value(by);
}

bool ppc_memory(Assembler& as, const Instruction& i) {
  struct Row {
    const char* name;
    std::uint8_t size;
    bool load, indexed, exclusive, sign;
  };
  static const Row rows[] = {{"lwz", 4, true, false, false, false},   {"lwzx", 4, true, true, false, false},
                             {"lwa", 4, true, false, false, true},    {"ld", 8, true, false, false, false},
                             {"ldx", 8, true, true, false, false},    {"lbz", 1, true, false, false, false},
                             {"lbzx", 1, true, true, false, false},   {"lhz", 2, true, false, false, false},
                             {"lhzx", 2, true, true, false, false},   {"stw", 4, false, false, false, false},
                             {"stwx", 4, false, true, false, false},  {"std", 8, false, false, false, false},
                             {"stdx", 8, false, true, false, false},  {"stb", 1, false, false, false, false},
                             {"stbx", 1, false, true, false, false},  {"sth", 2, false, false, false, false},
                             {"sthx", 2, false, true, false, false},  {"lwarx", 4, true, true, true, false},
                             {"ldarx", 8, true, true, true, false},   {"stwcx.", 4, false, true, true, false},
                             {"stdcx.", 8, false, true, true, false}, {"lha", 2, true, false, false, true},
                             {"lhax", 2, true, true, false, true}};
  // The forms with update: lwzu and the like leave the address in the base.
  static const char* const updating[] = {"lwzu", "ldu", "lbzu", "lhzu", "lhau", "stwu", "stdu", "stbu", "sthu"};
  const bool update =
      std::any_of(std::begin(updating), std::end(updating), [&](const char* name) { return i.mnemonic == name; });
  const std::string plain = update ? i.mnemonic.substr(0, i.mnemonic.size() - 1) : i.mnemonic;
  for (const Row& row : rows) {
    if (plain != row.name) continue;
    as.arguments(row.indexed ? 3 : 2);
    Op op;
    op.kind = row.load ? OpKind::Load : OpKind::Store;
    op.size = row.size;
    op.sign_extend = row.sign;
    op.exclusive = row.exclusive;
    op.order = core::Order::Relaxed;
    if (row.load) op.dst = ppc_register(as, i.args[0]);
    else op.a = Operand::of(ppc_register(as, i.args[0]));
    if (row.indexed) {
      op.address = base(as, i.args[1]);
      op.offset = Operand::of(ppc_register(as, i.args[2]));
    } else {
      displaced(as, i.args[1], row.size == 8 || plain == "lwa", op);
    }
    if (update) {
      const Register to = op.address.reg;
      if (to == no_register || (row.load && to == op.dst))
        Assembler::bad(i.args[1], "has a base that cannot be updated here");
      const Operand by = op.offset;
      as.emit(op);
      as.compute(Alu::Add, to, Operand::of(to), by);
      return true;
    }
    if (row.exclusive && !row.load) {  // "equal" in field 0 tells of success; it is neither "less" nor "greater"
      op.dst = as.reg("$cr0.a");
      op.on_success = 1;
      op.on_failure = 0;
      as.emit(op);
      as.compute(Alu::Move, as.reg("$cr0.b"), Operand::value(1));
      as.compute(Alu::Move, as.reg("$cr0.less"), Operand::value(0));
      return true;
    }
    as.emit(op);
    return true;
  }
  return false;
}

// A field of the condition register is kept as what was compared: `.a` and `.b`, and for "less" `.a` and `.less`, which
// is `.b` but after a store-conditional.
std::optional<std::string> field(const Argument& a) {
  const std::string n = lower(a.text);
  if (n.size() == 3 && n.starts_with("cr") && n[2] >= '0' && n[2] <= '7') return "$" + n;
  return std::nullopt;
}

bool compare_and_branch(Assembler& as, const Instruction& i) {
  const std::string& m = i.mnemonic;
  const bool logical = m == "cmplw" || m == "cmplwi" || m == "cmpld" || m == "cmpldi";
  if (logical || m == "cmpw" || m == "cmpwi" || m == "cmpd" || m == "cmpdi") {
    as.arguments(2, 3);
    std::string cr = "$cr0";
    std::size_t first = 0;
    if (i.args.size() == 3) {
      const auto given = field(i.args[0]);
      if (!given) Assembler::bad(i.args[0], "is not a field of the condition register");
      cr = *given;
      first = 1;
    }
    const Operand a = Operand::of(ppc_register(as, i.args[first]));
    const Argument& second = i.args[first + 1];
    const Operand b = m.back() != 'i' ? Operand::of(ppc_register(as, second))
                      : logical       ? Operand::value(as.number(second, 0, 65535))
                                      : Operand::value(as.number(second, -32768, 32767));
    const bool word = m[logical ? 4 : 3] == 'w';
    const Alu extend = !word ? Alu::Move : logical ? Alu::ZeroExtend32 : Alu::SignExtend32;
    as.compute(extend, as.reg(cr + ".a"), a);
    as.compute(extend, as.reg(cr + ".b"), b);
    as.compute(extend, as.reg(cr + ".less"), b);
    // Branches compare as signed: flipping the sign keeps the order of numbers without one.
    if (logical && !word)
      for (const char* side : {".a", ".b", ".less"})
        as.compute(Alu::Xor, as.reg(cr + side), Operand::of(as.reg(cr + side)),
                   Operand::value(std::numeric_limits<std::int64_t>::min()));
    return true;
  }
  if (m == "b") {
    as.arguments(1);
    return as.jump(i.args[0]), true;
  }
  static const std::map<std::string_view, Alu> table = {{"beq", Alu::Eq}, {"bne", Alu::Ne}, {"blt", Alu::Lt},
                                                        {"bgt", Alu::Gt}, {"ble", Alu::Le}, {"bge", Alu::Ge}};
  const auto found = table.find(m);
  if (found == table.end()) return false;
  as.arguments(1, 2);
  std::string cr = "$cr0";
  if (i.args.size() == 2) {
    const auto given = field(i.args[0]);
    if (!given) Assembler::bad(i.args[0], "is not a field of the condition register");
    cr = *given;
  }
  const char* const second = m == "blt" || m == "bge" ? ".less" : ".b";
  as.compute(found->second, as.scratch(), Operand::of(as.reg(cr + ".a")), Operand::of(as.reg(cr + second)));
  return as.branch(Operand::of(as.scratch()), i.args.back()), true;
}

// The number of an instruction, which has room for 16 bits of it.
std::int64_t immediate(const Assembler& as, std::string_view m, const Argument& a) {
  if (m == "slwi" || m == "srwi") return as.number(a, 0, 31);
  if (m == "ori" || m == "xori" || m == "andi") return as.number(a, 0, 65535);
  if (m == "subi") return as.number(a, -32767, 32768);
  if (m != "addis") return as.number(a, -32768, 32767);
  // The upper 16 bits of a word, which may be written with a sign or without.
  return std::int64_t{static_cast<std::int16_t>(as.number(a, -65536, 65535))} * 65536;
}

bool ppc_arithmetic(Assembler& as, const Instruction& i) {
  static const std::map<std::string_view, Alu> table = {
      {"xor", Alu::Xor},   {"or", Alu::Or},    {"and", Alu::And},  {"add", Alu::Add},   {"sub", Alu::Sub},
      {"mullw", Alu::Mul}, {"slw", Alu::Shl},  {"srw", Alu::Shr},  {"xori", Alu::Xor},  {"ori", Alu::Or},
      {"andi", Alu::And},  {"addi", Alu::Add}, {"subi", Alu::Sub}, {"mulli", Alu::Mul}, {"slwi", Alu::Shl},
      {"srwi", Alu::Shr},  {"nor", Alu::Or},   {"nand", Alu::And}, {"eqv", Alu::Xor},   {"addis", Alu::Add}};
  std::string m = i.mnemonic;
  const bool record = m.back() == '.';
  if (record) m.pop_back();
  const auto found = table.find(m);
  if (found == table.end()) return false;
  const bool constant = m.back() == 'i' || m == "addis";
  if (constant && record != (m == "andi") && m != "slwi" && m != "srwi") return false;
  as.arguments(3);
  const Operand a =
      m == "addi" || m == "subi" || m == "addis" ? base(as, i.args[1]) : Operand::of(ppc_register(as, i.args[1]));
  const Operand b = constant ? Operand::value(immediate(as, m, i.args[2])) : Operand::of(ppc_register(as, i.args[2]));
  const Register dst = ppc_register(as, i.args[0]);
  if (m == "slw" || m == "srw" || m == "slwi" || m == "srwi") {
    // Of words: a count has 6 bits, and what is shifted by 32 or more is gone.
    as.compute(Alu::ZeroExtend32, as.scratch(), a);
    as.compute(found->second, as.scratch(), Operand::of(as.scratch()), b);
    as.compute(Alu::ZeroExtend32, dst, Operand::of(as.scratch()));
  } else if (m == "mullw") {  // the whole product of two words
    as.compute(Alu::SignExtend32, as.reg("$left"), a);
    as.compute(Alu::SignExtend32, as.reg("$right"), b);
    as.compute(Alu::Mul, dst, Operand::of(as.reg("$left")), Operand::of(as.reg("$right")));
  } else {
    as.compute(found->second, dst, a, b);
  }
  if (m == "nor" || m == "nand" || m == "eqv") as.compute(Alu::Xor, dst, Operand::of(dst), Operand::value(-1));
  if (record) {
    as.compute(Alu::Move, as.reg("$cr0.a"), Operand::of(dst));
    as.compute(Alu::Move, as.reg("$cr0.b"), Operand::value(0));
    as.compute(Alu::Move, as.reg("$cr0.less"), Operand::value(0));
  }
  return true;
}

}  // namespace

std::string canonical_ppc(std::string_view name) {
  const std::string n = lower(name);
  if (n.size() < 2 || n.size() > 3 || n[0] != 'r') return {};
  unsigned number = 0;
  for (char c : n.substr(1)) {
    if (!std::isdigit(static_cast<unsigned char>(c))) return {};
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number <= 31 ? "r" + std::to_string(number) : std::string{};
}

void assemble_ppc(Assembler& as, const Instruction& i) {
  if (ppc_memory(as, i) || compare_and_branch(as, i) || ppc_arithmetic(as, i)) return;
  const auto& t = axioms::tags();
  const std::string& m = i.mnemonic;
  if (m == "sync" || m == "hwsync") return as.arguments(0), as.fence(t.sync);
  if (m == "lwsync") return as.arguments(0), as.fence(t.lwsync);
  if (m == "eieio") return as.arguments(0), as.fence(t.eieio);
  if (m == "isync") return as.arguments(0), as.fence(t.isync);
  if (m == "nop") return as.arguments(0), as.no_effect();
  if (m == "li") {
    as.arguments(2);
    return as.compute(Alu::Move, ppc_register(as, i.args[0]), Operand::value(as.number(i.args[1], -32768, 32767)));
  }
  if (m == "mr") {
    as.arguments(2);
    return as.compute(Alu::Move, ppc_register(as, i.args[0]), Operand::of(ppc_register(as, i.args[1])));
  }
  as.unknown();
}

}  // namespace heddle::lang::litmus
