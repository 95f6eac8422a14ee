// RISC-V instructions: RV64I arithmetic, loads, stores and branches, lr/sc, AMOs, fences. Loads and stores may carry
// .aq and .rl, which litmus tests use although the ISA does not have them. Numbers that an instruction has no room for
// are refused, as assemblers do.
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <map>
#include <optional>

#include "axioms/tags.h"
#include "lang/litmus/assembler.h"

namespace heddle::lang::litmus {

namespace {

Operand source(Assembler& as, const Argument& a) {
  const std::string name = canonical_riscv(a.text);
  if (name.empty()) Assembler::bad(a, "is not a register");
  return name == "x0" ? Operand::value(0) : Operand::of(as.reg(name));
}

Register target(Assembler& as, const Argument& a) {
  const std::string name = canonical_riscv(a.text);
  if (name.empty()) Assembler::bad(a, "is not a register");
  return name == "x0" ? as.reg("$zero") : as.reg(name);
}

std::int64_t immediate(const Assembler& as, const Argument& a) { return as.number(a, -2048, 2047); }

// `4(x6)`, `(x6)`; atomic instructions have no offset.
void address(Assembler& as, const Argument& a, Op& op, bool atomic) {
  const std::size_t open = a.text.find('(');
  if (open == std::string::npos || a.text.back() != ')')
    Assembler::bad(a, "is not an address; 'offset(register)' expected");
  const Argument offset{std::string(trim(std::string_view(a.text).substr(0, open))), a.at};
  const Argument base{std::string(trim(std::string_view(a.text).substr(open + 1, a.text.size() - open - 2))),
                      a.at + open + 1};
  op.address = source(as, base);
  const std::int64_t by = offset.text.empty() ? 0 : immediate(as, offset);
  if (atomic && by != 0) Assembler::bad(a, "has an offset, which atomic instructions do not take");
  op.offset = Operand::value(by);
}

// Takes .aq, .rl, .aq.rl and .aqrl off the end.
core::Order annotation(std::string& m) {
  bool aq = false, rl = false;
  for (bool more = true; more;) {
    more = false;
    if (m.ends_with(".aqrl")) {
      aq = rl = more = true;
      m.erase(m.size() - 5);
    } else if (m.ends_with(".aq")) {
      aq = more = true;
      m.erase(m.size() - 3);
    } else if (m.ends_with(".rl")) {
      rl = more = true;
      m.erase(m.size() - 3);
    }
  }
  return aq && rl ? core::Order::AcqRel : aq ? core::Order::Acquire : rl ? core::Order::Release : core::Order::Relaxed;
}

bool riscv_memory(Assembler& as, const Instruction& i) {
  std::string m = i.mnemonic;
  const core::Order order = annotation(m);
  struct Row {
    const char* name;
    std::uint8_t size;
    bool load, sign;
  };
  static const Row rows[] = {{"lb", 1, true, true},   {"lh", 2, true, true},   {"lw", 4, true, true},
                             {"ld", 8, true, false},  {"lbu", 1, true, false}, {"lhu", 2, true, false},
                             {"lwu", 4, true, false}, {"sb", 1, false, false}, {"sh", 2, false, false},
                             {"sw", 4, false, false}, {"sd", 8, false, false}};
  for (const Row& row : rows) {
    if (m != row.name) continue;
    as.arguments(2);
    Op op;
    op.kind = row.load ? OpKind::Load : OpKind::Store;
    op.size = row.size;
    op.sign_extend = row.sign;
    op.order = order;
    if (row.load) op.dst = target(as, i.args[0]);
    else op.a = source(as, i.args[0]);
    address(as, i.args[1], op, false);
    as.emit(op);
    return true;
  }
  if (!m.ends_with(".w") && !m.ends_with(".d")) return false;
  const std::uint8_t size = m.back() == 'w' ? 4 : 8;
  const std::string name = m.substr(0, m.size() - 2);
  Op op;
  op.size = size;
  op.sign_extend = size == 4;
  op.order = order;
  op.failure = order == core::Order::AcqRel    ? core::Order::Acquire
               : order == core::Order::Release ? core::Order::Relaxed
                                               : order;
  if (name == "lr") {
    as.arguments(2);
    op.kind = OpKind::Load;
    op.exclusive = true;
    op.dst = target(as, i.args[0]);
    address(as, i.args[1], op, true);
    as.emit(op);
    return true;
  }
  if (name == "sc") {
    as.arguments(3);
    op.kind = OpKind::Store;
    op.exclusive = true;
    op.dst = target(as, i.args[0]);
    op.a = source(as, i.args[1]);
    address(as, i.args[2], op, true);
    as.emit(op);
    return true;
  }
  using core::RmwOp;
  static const std::map<std::string_view, RmwOp> amos = {
      {"amoswap", RmwOp::Xchg}, {"amoadd", RmwOp::Add},   {"amoand", RmwOp::And},
      {"amoor", RmwOp::Or},     {"amoxor", RmwOp::Xor},   {"amomax", RmwOp::Max},
      {"amomin", RmwOp::Min},   {"amomaxu", RmwOp::UMax}, {"amominu", RmwOp::UMin}};
  const auto found = amos.find(name);
  if (found == amos.end()) return false;
  as.arguments(3);
  op.kind = OpKind::Rmw;
  op.rmw = found->second;
  op.dst = target(as, i.args[0]);
  op.a = source(as, i.args[1]);
  address(as, i.args[2], op, true);
  as.emit(op);
  return true;
}

// Which of reads (1) and writes (2) a fence names: some of i, o, r, w, in this order.
int accesses(const Argument& a) {
  int result = 0;
  std::size_t last = 0;
  if (a.text.empty()) Assembler::bad(a, "is not a set of accesses");
  for (char c : lower(a.text)) {
    const std::size_t which = std::string_view(" iorw").find(c);
    if (which == std::string_view::npos || which <= last)
      Assembler::bad(a, "is not a set of accesses: some of i, o, r, w, in this order");
    last = which;
    if (c == 'r') result |= 1;
    if (c == 'w') result |= 2;
  }
  return result;
}

bool fence(Assembler& as, const Instruction& i) {
  const auto& t = axioms::tags();
  if (i.mnemonic == "fence.tso") return as.arguments(0), as.fence(t.fence_tso), true;
  if (i.mnemonic == "fence.i") return as.arguments(0), as.fence(t.fence_i), true;
  if (i.mnemonic != "fence") return false;
  if (i.args.empty()) return as.fence(t.rv_fence[3][3]), true;
  as.arguments(2);
  const int before = accesses(i.args[0]), after = accesses(i.args[1]);
  if (before == 0 || after == 0) return as.no_effect(), true;  // input and output only
  return as.fence(t.rv_fence[before][after]), true;
}

bool riscv_arithmetic(Assembler& as, const Instruction& i) {
  static const std::map<std::string_view, Alu> table = {
      {"add", Alu::Add},  {"sub", Alu::Sub},  {"xor", Alu::Xor},  {"or", Alu::Or},   {"and", Alu::And},
      {"sll", Alu::Shl},  {"srl", Alu::Shr},  {"sra", Alu::Sar},  {"slt", Alu::Lt},  {"sltu", Alu::LtU},
      {"mul", Alu::Mul},  {"addi", Alu::Add}, {"xori", Alu::Xor}, {"ori", Alu::Or},  {"andi", Alu::And},
      {"slli", Alu::Shl}, {"srli", Alu::Shr}, {"srai", Alu::Sar}, {"slti", Alu::Lt}, {"sltiu", Alu::LtU}};
  std::string_view m = i.mnemonic;
  const bool word = m == "addw" || m == "subw" || m == "addiw";
  const std::string base = word ? (m == "addiw" ? "addi" : std::string(m.substr(0, 3))) : std::string(m);
  const auto found = table.find(base);
  if (found == table.end()) return false;
  as.arguments(3);
  const bool constant = base.back() == 'i' || base == "sltiu";
  const bool shift = base == "slli" || base == "srli" || base == "srai";
  const Operand b = !constant ? source(as, i.args[2])
                              : Operand::value(shift ? as.number(i.args[2], 0, 63) : immediate(as, i.args[2]));
  const Register dst = target(as, i.args[0]);
  as.compute(found->second, dst, source(as, i.args[1]), b);
  if (word) as.compute(Alu::SignExtend32, dst, Operand::of(dst));
  return true;
}

bool branch(Assembler& as, const Instruction& i) {
  static const std::map<std::string_view, Alu> two = {{"beq", Alu::Eq},   {"bne", Alu::Ne},  {"blt", Alu::Lt},
                                                      {"bge", Alu::Ge},   {"bgt", Alu::Gt},  {"ble", Alu::Le},
                                                      {"bltu", Alu::LtU}, {"bgeu", Alu::GeU}};
  static const std::map<std::string_view, Alu> one = {{"beqz", Alu::Eq}, {"bnez", Alu::Ne}, {"bltz", Alu::Lt},
                                                      {"bgez", Alu::Ge}, {"bgtz", Alu::Gt}, {"blez", Alu::Le}};
  if (const auto found = two.find(i.mnemonic); found != two.end()) {
    as.arguments(3);
    as.compute(found->second, as.scratch(), source(as, i.args[0]), source(as, i.args[1]));
    return as.branch(Operand::of(as.scratch()), i.args[2]), true;
  }
  if (const auto found = one.find(i.mnemonic); found != one.end()) {
    as.arguments(2);
    as.compute(found->second, as.scratch(), source(as, i.args[0]), Operand::value(0));
    return as.branch(Operand::of(as.scratch()), i.args[1]), true;
  }
  if (i.mnemonic == "j") {
    as.arguments(1);
    return as.jump(i.args[0]), true;
  }
  if (i.mnemonic == "jal") {  // litmus tests have no numbers for return addresses
    as.arguments(2);
    if (canonical_riscv(i.args[0].text) != "x0") Assembler::bad(i.args[0], "must be x0: there are no return addresses");
    return as.jump(i.args[1]), true;
  }
  return false;
}

}  // namespace

std::string canonical_riscv(std::string_view name) {
  static const char* const abi[] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  const std::string n = lower(name);
  for (unsigned k = 0; k < 32; ++k)
    if (n == abi[k] || n == "x" + std::to_string(k)) return "x" + std::to_string(k);
  return n == "fp" ? "x8" : std::string{};
}

void assemble_riscv(Assembler& as, const Instruction& i) {
  if (riscv_memory(as, i) || fence(as, i) || riscv_arithmetic(as, i) || branch(as, i)) return;
  const std::string& m = i.mnemonic;
  if (m == "nop") return as.arguments(0), as.no_effect();
  if (m == "li" || m == "mv" || m == "not" || m == "neg" || m == "seqz" || m == "snez") {
    as.arguments(2);
    const Operand s =
        m == "li" ? Operand::value(static_cast<std::int64_t>(as.number(i.args[1]))) : source(as, i.args[1]);
    const Register dst = target(as, i.args[0]);
    if (m == "not") return as.compute(Alu::Xor, dst, s, Operand::value(-1));
    if (m == "neg") return as.compute(Alu::Sub, dst, Operand::value(0), s);
    if (m == "seqz") return as.compute(Alu::Eq, dst, s, Operand::value(0));
    if (m == "snez") return as.compute(Alu::Ne, dst, s, Operand::value(0));
    return as.compute(Alu::Move, dst, s);
  }
  as.unknown();
}

}  // namespace heddle::lang::litmus
