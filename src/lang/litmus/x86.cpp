// x86 instructions, in both notations of litmus tests: X86 (`MOV EAX,[x]`, target first) and X86_64 (`movl (x),%eax`,
// target last, registers with %). A mixture of the two is refused, since it would be read the wrong way round.
// Registers of 1 and 2 bytes are parts of the wider ones, which keep the rest. Read-modify-writes with memory are
// atomic with a lock prefix, and xchg always; without one they are a load and a store. Numbers that an instruction has no
// room for are refused, as assemblers do.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "axioms/tags.h"
#include "lang/litmus/assembler.h"

namespace heddle::lang::litmus {

namespace {

struct Place {
  enum class Kind { Constant, Register, Memory } kind = Kind::Constant;
  Operand value;  // Constant, Register
  Register target = no_register;
  Operand address, offset;  // Memory
  std::uint8_t size = 0;    // of a register; 0 for the others: the other operand, or the suffix, decides
};

enum class Notation : bool { Intel, Att };

void check_register(const Argument& a, std::string_view name, Notation notation) {
  if (name.starts_with('%') == (notation == Notation::Att)) return;
  Assembler::bad(a, notation == Notation::Att ? "is a register without '%', which X86_64 tests write with it"
                                              : "is a register with '%', which X86 tests write without it");
}

std::optional<Place> constant(Assembler& as, const Argument& a) {
  if (!as.is_number(a)) return std::nullopt;
  Place p;
  p.value = Operand::value(static_cast<std::int64_t>(as.number(a)));
  return p;
}

Operand displacement(const Assembler& as, const Argument& a) {
  return Operand::value(
      as.number(a, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

// The inside of brackets: a variable, a register, either of them with a number added.
void address(Assembler& as, const Argument& a, std::string_view inner, Place& p, Notation notation) {
  p.kind = Place::Kind::Memory;
  std::string_view name = trim(inner);
  p.offset = Operand::value(0);
  if (const std::size_t plus = inner.find('+'); plus != std::string_view::npos) {
    name = trim(inner.substr(0, plus));
    p.offset = displacement(as, {std::string(trim(inner.substr(plus + 1))), a.at});
  }
  if (const core::Value* v = as.address_of(name)) p.address = Operand::of(*v);
  else if (const std::string r = canonical_x86(name); !r.empty()) {
    check_register(a, name, notation);
    if (x86_register_size(name) < 4) Assembler::bad(a, "is too small for an address");
    p.address = Operand::of(as.reg(r));
  } else Assembler::bad(a, "is not an address of a variable or in a register");
}

Place place(Assembler& as, const Argument& a, Notation notation) {
  if (const auto c = constant(as, a)) return *c;
  Place p;
  std::string_view s = a.text;
  if (s.size() > 2 && s.front() == '[' && s.back() == ']') {
    address(as, a, s.substr(1, s.size() - 2), p, notation);
    return p;
  }
  if (!s.empty() && s.back() == ')') {
    const std::size_t open = s.find('(');
    if (open == std::string_view::npos) Assembler::bad(a, "is not an operand");
    if (notation == Notation::Intel) Assembler::bad(a, "is not an address of X86 tests, which stand in '[…]'");
    address(as, a, s.substr(open + 1, s.size() - open - 2), p, notation);
    if (open > 0) p.offset = displacement(as, {std::string(trim(s.substr(0, open))), a.at});
    return p;
  }
  if (!s.empty() && s.front() == '$') {  // the address of a variable
    if (const core::Value* v = as.address_of(s.substr(1))) {
      p.value = Operand::of(*v);
      return p;
    }
  }
  const std::string r = canonical_x86(s);
  if (r.empty()) Assembler::bad(a, "is not a register, number or address");
  p.kind = Place::Kind::Register;
  p.target = as.reg(r);
  p.value = Operand::of(p.target);
  check_register(a, s, notation);
  p.size = x86_register_size(s);
  return p;
}

Op access(OpKind kind, const Place& memory, std::uint8_t size) {
  Op op;
  op.kind = kind;
  op.size = size;
  op.order = kind == OpKind::Rmw ? core::Order::SeqCst : core::Order::Relaxed;
  op.failure = op.order;
  op.address = memory.address;
  op.offset = memory.offset;
  return op;
}

Operand value_of(Assembler& as, const Place& p, std::uint8_t size) {
  if (p.kind != Place::Kind::Memory) return p.value;
  Op op = access(OpKind::Load, p, size);
  op.dst = as.reg("$m");
  as.emit(op);
  return Operand::of(as.reg("$m"));
}

void write_register(Assembler& as, Register to, Operand value, std::uint8_t size) {
  if (size >= 4) return as.compute(Alu::Move, to, value, {}, size == 8 ? 64 : 32);
  const std::int64_t mask = (std::int64_t{1} << (8 * size)) - 1;
  const Operand part = Operand::of(as.reg("$part"));
  as.compute(Alu::And, as.reg("$part"), value, Operand::value(mask));
  as.compute(Alu::And, to, Operand::of(to), Operand::value(~mask));
  as.compute(Alu::Or, to, Operand::of(to), part);
}

void assign(Assembler& as, const Place& to, Operand value, std::uint8_t size) {
  if (to.kind == Place::Kind::Register) return write_register(as, to.target, value, size);
  Op op = access(OpKind::Store, to, size);
  op.a = value;
  as.emit(op);
}

const std::map<std::string_view, std::pair<Alu, core::RmwOp>>& operations() {
  static const std::map<std::string_view, std::pair<Alu, core::RmwOp>> table = {{"add", {Alu::Add, core::RmwOp::Add}},
                                                                                {"sub", {Alu::Sub, core::RmwOp::Sub}},
                                                                                {"and", {Alu::And, core::RmwOp::And}},
                                                                                {"or", {Alu::Or, core::RmwOp::Or}},
                                                                                {"xor", {Alu::Xor, core::RmwOp::Xor}}};
  return table;
}

Alu extension(std::uint8_t size) {
  return size == 8 ? Alu::Move : size == 4 ? Alu::SignExtend32 : size == 2 ? Alu::SignExtend16 : Alu::SignExtend8;
}

// Flags: two numbers that are equal if the result is zero, whether it is negative but for an overflow (as the sign and
// overflow flags differ), and the carry. Extending numbers with their signs keeps unsigned order alike.
void set_zero(Assembler& as, Operand a, Operand b, std::uint8_t size) {
  as.compute(extension(size), as.reg("$flags.a"), a);
  as.compute(extension(size), as.reg("$flags.b"), b);
}

// Of a comparison or subtraction: negative if a < b, and the carry says that it borrows.
void set_flags(Assembler& as, Operand a, Operand b, std::uint8_t size, bool carries = true) {
  set_zero(as, a, b, size);
  a = Operand::of(as.reg("$flags.a"));
  b = Operand::of(as.reg("$flags.b"));
  as.compute(Alu::Lt, as.reg("$negative"), a, b);
  if (carries) as.compute(Alu::LtU, as.reg("$carry"), a, b);
}

// Of a sum: it overflows if both parts have another sign than it, and has a carry if it is less than a part.
void set_flags_of_sum(Assembler& as, Operand sum, Operand a, Operand b, std::uint8_t size, bool carries = true) {
  const Register negative = as.reg("$negative"), part = as.reg("$part");
  as.compute(Alu::Xor, negative, a, sum);
  as.compute(Alu::Xor, part, b, sum);
  as.compute(Alu::And, negative, Operand::of(negative), Operand::of(part));
  as.compute(Alu::Xor, negative, Operand::of(negative), sum);
  as.compute(extension(size), negative, Operand::of(negative));
  as.compute(Alu::Lt, negative, Operand::of(negative), Operand::value(0));
  as.compute(extension(size), part, a);
  set_zero(as, sum, Operand::value(0), size);
  if (carries) as.compute(Alu::LtU, as.reg("$carry"), Operand::of(as.reg("$flags.a")), Operand::of(part));
}

// Of a logical operation: there is no carry, which yet depends on the result as all flags do.
void set_flags_of_bits(Assembler& as, Operand result, std::uint8_t size) {
  set_flags(as, result, Operand::value(0), size, false);
  as.compute(Alu::And, as.reg("$carry"), result, Operand::value(0));
}

// The condition of a jump, in the scratch register; false: there is no such jump.
bool test_flags(Assembler& as, std::string_view jump) {
  enum class Flag : std::uint8_t { Zero, Negative, Carry };
  struct Row {
    Flag flag;
    bool or_zero, opposite;
  };
  using enum Flag;
  static const std::map<std::string_view, Row> table = {
      {"je", {Zero, true, false}},    {"jz", {Zero, true, false}},      {"jne", {Zero, true, true}},
      {"jnz", {Zero, true, true}},    {"jl", {Negative, false, false}}, {"jle", {Negative, true, false}},
      {"jg", {Negative, true, true}}, {"jge", {Negative, false, true}}, {"jb", {Carry, false, false}},
      {"jbe", {Carry, true, false}},  {"ja", {Carry, true, true}},      {"jae", {Carry, false, true}}};
  const auto found = table.find(jump);
  if (found == table.end()) return false;
  const auto [flag, or_zero, opposite] = found->second;
  const Operand result = Operand::of(as.scratch());
  const Operand other = Operand::of(as.reg(flag == Carry ? "$carry" : "$negative"));
  if (or_zero) as.compute(Alu::Eq, as.scratch(), Operand::of(as.reg("$flags.a")), Operand::of(as.reg("$flags.b")));
  if (flag != Zero) as.compute(or_zero ? Alu::Or : Alu::Move, as.scratch(), other, or_zero ? result : Operand{});
  if (opposite) as.compute(Alu::LogicalNot, as.scratch(), result);
  return true;
}

// The flags are those of the accumulator less what is found. Only if they differ is the accumulator written, so that its
// upper half survives a comparison of 4 bytes that succeeds. Without a lock the target is always written, if they differ
// with what was found there (Intel's manual, volume 2), which can undo what another thread has written meanwhile.
void compare_exchange(Assembler& as, const Place& to, Operand desired, bool locked, std::uint8_t size) {
  const Register accumulator = as.reg("EAX"), found = as.reg("$found"), upper = as.reg("$part");
  const Operand expected = Operand::of(accumulator);
  if (locked) {
    Op op = access(OpKind::Rmw, to, size);
    op.rmw = core::RmwOp::Cas;
    op.a = desired;
    op.b = expected;
    op.dst = found;
    as.emit(op);
  } else as.compute(Alu::Move, found, value_of(as, to, size));
  set_flags(as, expected, Operand::of(found), size);
  const Register written = as.reg("$written");
  if (!locked) {
    as.compute(Alu::Eq, as.scratch(), Operand::of(as.reg("$flags.a")), Operand::of(as.reg("$flags.b")));
    Op op;
    op.kind = OpKind::Select;
    op.dst = written;
    op.a = desired;
    op.b = Operand::of(found);
    op.address = Operand::of(as.scratch());
    as.emit(op);
  }
  if (size == 4) {
    as.compute(Alu::ZeroExtend32, upper, expected);
    as.compute(Alu::Sub, upper, expected, Operand::of(upper));
    as.compute(Alu::Eq, as.scratch(), expected, Operand::of(found), 32);
    as.compute(Alu::Mul, upper, Operand::of(upper), Operand::of(as.scratch()));
  }
  write_register(as, accumulator, Operand::of(found), size);
  if (size == 4) as.compute(Alu::Or, accumulator, expected, Operand::of(upper));
  if (!locked) assign(as, to, Operand::of(written), size);
}

// The register gets what was in the target, which gets the sum; the target last, as it may be the same register.
void exchange_add(Assembler& as, const Place& to, const Place& from, bool locked, std::uint8_t size) {
  const Operand found = Operand::of(as.reg("$found")), sum = Operand::of(as.reg("$sum"));
  if (locked) {
    Op op = access(OpKind::Rmw, to, size);
    op.rmw = core::RmwOp::Add;
    op.a = from.value;
    op.dst = found.reg;
    as.emit(op);
  } else as.compute(Alu::Move, found.reg, value_of(as, to, size));
  as.compute(Alu::Add, sum.reg, found, from.value, size == 8 ? 64 : 32);
  set_flags_of_sum(as, sum, found, from.value, size);
  write_register(as, from.target, found, size);
  if (!locked) assign(as, to, sum, size);
}

// `to` is the target whichever the notation.
void two_operands(Assembler& as, const Instruction& i, std::string_view m, bool locked, const Place& to,
                  const Place& from, std::uint8_t size) {
  using K = Place::Kind;
  if (to.kind == K::Memory && from.kind == K::Memory)
    throw Mistake{i.at, "an instruction has at most one operand in memory", {}};
  if (to.kind == K::Constant) throw Mistake{i.at, "a number cannot be the target", {}};
  if (m == "xchg") {
    if (from.kind == K::Constant) throw Mistake{i.at, "a number cannot be exchanged", {}};
    if (to.kind == K::Register && from.kind == K::Register) {
      as.compute(Alu::Move, as.scratch(), to.value);
      write_register(as, to.target, from.value, size);
      return write_register(as, from.target, Operand::of(as.scratch()), size);
    }
    const Place& memory = to.kind == K::Memory ? to : from;
    const Place& other = to.kind == K::Memory ? from : to;
    Op op = access(OpKind::Rmw, memory, size);
    op.a = other.value;
    op.dst = size < 4 ? as.reg("$m") : other.target;
    as.emit(op);
    if (size < 4) write_register(as, other.target, Operand::of(op.dst), size);
    return;
  }
  if (m == "mov") return assign(as, to, value_of(as, from, size), size);
  if (m == "cmp") return set_flags(as, value_of(as, to, size), value_of(as, from, size), size);
  if (m == "test") {
    as.compute(Alu::And, as.scratch(), value_of(as, to, size), value_of(as, from, size));
    return set_flags_of_bits(as, Operand::of(as.scratch()), size);
  }
  if (m == "xadd" || m == "cmpxchg") {
    if (from.kind != K::Register) throw Mistake{i.at, "the second operand must be a register", {}};
    if (m == "xadd") return exchange_add(as, to, from, locked, size);
    return compare_exchange(as, to, from.value, locked, size);
  }
  const bool counts = m == "inc" || m == "dec";  // these leave the carry as it is
  const auto& [alu, rmw] = operations().at(m == "inc" ? "add" : m == "dec" ? "sub" : m);
  Operand a, b;
  if (to.kind == K::Memory && locked) {
    Op op = access(OpKind::Rmw, to, size);
    op.rmw = rmw;
    op.a = from.value;
    op.dst = as.reg("$m");
    as.emit(op);
    a = Operand::of(as.reg("$m"));
    b = from.value;
  } else {
    b = value_of(as, from, size);
    a = value_of(as, to, size);
  }
  const Operand result = Operand::of(as.scratch());
  as.compute(alu, as.scratch(), a, b, size == 8 ? 64 : 32);
  if (alu == Alu::Sub) set_flags(as, a, b, size, !counts);
  else if (alu == Alu::Add) set_flags_of_sum(as, result, a, b, size, !counts);
  else set_flags_of_bits(as, result, size);
  if (!(to.kind == K::Memory && locked)) assign(as, to, result, size);
}

// Given by the suffix and the registers, which must agree; without either it is that of an int.
std::uint8_t operand_size(const Instruction& i, std::uint8_t suffix, const Place& to, const Place& from) {
  std::uint8_t size = suffix;
  for (const Place* p : {&to, &from}) {
    if (p->size == 0) continue;
    if (size != 0 && size != p->size) throw Mistake{i.at, "the sizes of the operands do not agree", {}};
    size = p->size;
  }
  return size != 0 ? size : std::uint8_t{4};
}

// A number has as many bits as the operation, with a sign or without, but never more than 32, which are extended with
// their sign; only a move to a register takes 64.
void check_number(const Assembler& as, const Argument& a, std::uint8_t size, bool moves_to_register) {
  if (!as.is_number(a) || (size == 8 && moves_to_register)) return;
  const unsigned bits = size < 4 ? 8u * size : 32u;
  const std::int64_t most = std::int64_t{1} << (size == 8 ? 31 : bits);
  as.number(a, -(std::int64_t{1} << (bits - 1)), most - 1);
}

void assemble(Assembler& as, Instruction i, Notation notation) {
  std::string m = i.mnemonic;
  bool locked = false;
  if (m == "lock") {  // `lock xadd …`, `lock; xadd …`: the rest stands before the first operand
    if (i.args.empty()) throw Mistake{i.at, "'lock' needs an instruction", {}};
    std::string_view rest = trim(std::string_view(i.args[0].text));
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    m = lower(rest.substr(0, end));
    i.args[0].text = std::string(trim(rest.substr(end)));
    if (i.args[0].text.empty()) i.args.erase(i.args.begin());
    locked = true;
  }
  i.mnemonic = m;
  as.begin(i);
  const auto& t = axioms::tags();
  const auto operand = [&](std::size_t n) { return place(as, i.args[n], notation); };
  const auto unlockable = [&](const Place& to) {
    if (locked && (to.kind != Place::Kind::Memory || m == "mov" || m == "cmp" || m == "test"))
      throw Mistake{i.at, "'lock' goes only with instructions that read and write memory", {}};
  };
  if (locked && (m == "mfence" || m == "lfence" || m == "sfence" || m == "nop" || m == "pause" || m[0] == 'j'))
    throw Mistake{i.at, "'lock' goes only with instructions that read and write memory", {}};
  if (m == "mfence") return as.arguments(0), as.fence(t.mfence);
  if (m == "lfence") return as.arguments(0), as.fence(t.lfence);
  if (m == "sfence") return as.arguments(0), as.fence(t.sfence);
  if (m == "nop" || m == "pause") return as.arguments(0), as.no_effect();

  if (test_flags(as, m)) {
    if (i.args.size() != 1) throw Mistake{i.at, "a jump takes one label", {}};
    return as.branch(Operand::of(as.scratch()), i.args[0]);
  }
  if (m == "jmp") {
    if (i.args.size() != 1) throw Mistake{i.at, "a jump takes one label", {}};
    return as.jump(i.args[0]);
  }

  // AT&T's suffix gives the size.
  static const std::string_view known[] = {"mov", "xchg", "cmp", "test", "xadd", "cmpxchg", "add",
                                           "sub", "and",  "or",  "xor",  "inc",  "dec"};
  std::uint8_t suffix = 0;
  const auto is_known = [&](std::string_view name) {
    return std::find(std::begin(known), std::end(known), name) != std::end(known);
  };
  if (!is_known(m) && m.size() > 1 && is_known(std::string_view(m).substr(0, m.size() - 1))) {
    const std::size_t which = std::string_view("bwlq").find(m.back());
    if (which != std::string_view::npos) {
      suffix = static_cast<std::uint8_t>(1u << which);
      m.pop_back();
    }
  }
  if (!is_known(m)) throw Mistake{i.at, "the instruction '" + i.text + "' is not supported", {}};

  if (m == "inc" || m == "dec") {
    if (i.args.size() != 1) throw Mistake{i.at, "'" + m + "' takes one operand", {}};
    const Place to = operand(0);
    unlockable(to);
    Place one;
    one.value = Operand::value(1);
    const std::uint8_t size = operand_size(i, suffix, to, one);
    return two_operands(as, i, m, locked, to, one, size);
  }
  if (i.args.size() != 2) throw Mistake{i.at, "'" + m + "' takes two operands", {}};
  const bool target_last = notation == Notation::Att;
  const Place to = operand(target_last ? 1 : 0);
  const Place from = operand(target_last ? 0 : 1);
  if (m == "xchg" && from.kind == Place::Kind::Memory) unlockable(from);
  else unlockable(to);
  const std::uint8_t size = operand_size(i, suffix, to, from);
  check_number(as, i.args[target_last ? 0 : 1], size, m == "mov" && to.kind == Place::Kind::Register);
  two_operands(as, i, m, locked, to, from, size);
}

}  // namespace

std::uint8_t x86_register_size(std::string_view name) {
  const std::string n = lower(name.starts_with('%') ? name.substr(1) : name);
  if (n.size() > 1 && n[0] == 'r') {
    if (n.back() == 'd') return 4;
    if (n.back() == 'w') return 2;
    if (n.back() == 'b') return 1;
    return 8;
  }
  if (n.size() == 2 && (n[1] == 'l' || n[1] == 'h')) return 1;
  if (n.size() == 3 && n[2] == 'l') return 1;
  return n.size() == 2 ? 2 : 4;
}

std::string canonical_x86(std::string_view name) {
  std::string n = lower(name);
  if (!n.empty() && n[0] == '%') n.erase(0, 1);
  static const std::map<std::string_view, std::string_view> names = {
      {"eax", "EAX"}, {"ebx", "EBX"}, {"ecx", "ECX"}, {"edx", "EDX"}, {"esi", "ESI"}, {"edi", "EDI"},
      {"ebp", "EBP"}, {"esp", "ESP"}, {"rax", "EAX"}, {"rbx", "EBX"}, {"rcx", "ECX"}, {"rdx", "EDX"},
      {"rsi", "ESI"}, {"rdi", "EDI"}, {"rbp", "EBP"}, {"rsp", "ESP"}, {"ax", "EAX"},  {"bx", "EBX"},
      {"cx", "ECX"},  {"dx", "EDX"},  {"al", "EAX"},  {"bl", "EBX"},  {"cl", "ECX"},  {"dl", "EDX"}};
  if (const auto found = names.find(n); found != names.end()) return std::string(found->second);
  if (n.size() >= 2 && (n.back() == 'd' || n.back() == 'w' || n.back() == 'b')) n.pop_back();
  for (int number = 8; number <= 15; ++number)
    if (n == "r" + std::to_string(number)) return "R" + std::to_string(number);
  return {};
}

void assemble_x86(Assembler& as, const Instruction& i) { assemble(as, i, Notation::Intel); }
void assemble_x86_64(Assembler& as, const Instruction& i) { assemble(as, i, Notation::Att); }

}  // namespace heddle::lang::litmus
