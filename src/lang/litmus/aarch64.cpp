// AArch64 instructions: moves, arithmetic and selection, compare and branch, all loads and stores of one register
// including acquire, release, acquire-pc and exclusive ones, plain ones of two, the atomics of LSE (casp of W registers
// only: an access has at most eight bytes), and barriers. W and X registers must go together as the instruction wants,
// and numbers must fit into its fields: what an assembler refuses is refused here, too.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cctype>
#include <map>
#include <optional>

#include "axioms/tags.h"
#include "lang/litmus/assembler.h"

namespace heddle::lang::litmus {

namespace {

struct Reg {
  Operand read;      // zero for xzr and wzr
  Register write;    // for them a register that nothing reads
  bool wide = true;  // an X register
  bool zero = false;
};

std::optional<Reg> find_register(Assembler& as, std::string_view name) {
  const std::string n = lower(name);
  if (n == "xzr" || n == "wzr") return Reg{Operand::value(0), as.reg("$zr"), n[0] == 'x', true};
  const std::string canonical = canonical_aarch64(n);
  if (canonical.empty()) return std::nullopt;
  const Register r = as.reg(canonical);
  return Reg{Operand::of(r), r, n[0] != 'w', false};
}

Reg reg(Assembler& as, const Argument& a) {
  const auto r = find_register(as, a.text);
  if (!r) Assembler::bad(a, "is not a register");
  return *r;
}

// A register that must be a W (or, if `wide`, an X) one.
Reg reg(Assembler& as, const Argument& a, bool wide) {
  const Reg r = reg(as, a);
  if (r.wide != wide) Assembler::bad(a, wide ? "must be an X register here" : "must be a W register here");
  return r;
}

// A number that a register of this width can hold.
std::uint64_t bits_of(Assembler& as, const Argument& a, bool wide) {
  if (wide) return as.number(a);
  const std::uint64_t n = as.number(a), upper = n >> 31;
  if (upper > 1 && upper != ~std::uint64_t{0} >> 31) Assembler::bad(a, "does not fit into a W register");
  return static_cast<std::uint32_t>(n);
}

// A number of logical instructions: a run of ones, rotated, in fields of 2, 4, … 64 bits that are all alike (Arm ARM,
// DecodeBitMasks).
bool is_bit_mask(std::uint64_t n, bool wide) {
  if (!wide) n |= n << 32;
  unsigned field = 64;
  while (field > 2 && n == std::rotr(n, static_cast<int>(field / 2))) field /= 2;
  if (n == 0 || ~n == 0) return false;
  const std::uint64_t one = field == 64 ? n : n & ((std::uint64_t{1} << field) - 1);
  // Rotating by one place changes one bit at either end of each run: one run has two ends.
  const std::uint64_t rotated = (one >> 1) | (one << (field - 1));
  const std::uint64_t changed = field == 64 ? one ^ rotated : (one ^ rotated) & ((std::uint64_t{1} << field) - 1);
  return std::popcount(changed) == 2;
}

Operand bit_mask(Assembler& as, const Argument& a, bool wide) {
  const std::uint64_t n = bits_of(as, a, wide);
  if (!is_bit_mask(n, wide)) Assembler::bad(a, "is not a mask that logical instructions can hold");
  return Operand::value(static_cast<std::int64_t>(n));
}

// What a move takes: 16 bits anywhere, ones around them or zeros, or a mask.
Operand movable(Assembler& as, const Argument& a, bool wide) {
  const std::uint64_t n = bits_of(as, a, wide), all = wide ? ~std::uint64_t{0} : 0xffffffff;
  bool fits = is_bit_mask(n, wide);
  for (unsigned shift = 0; shift < (wide ? 64u : 32u); shift += 16) {
    const std::uint64_t rest = all & ~(std::uint64_t{0xffff} << shift);
    fits = fits || (n & rest) == 0 || (~n & rest) == 0;
  }
  if (!fits) Assembler::bad(a, "is not a number that one instruction can move");
  return Operand::value(static_cast<std::int64_t>(n));
}

// What sums and differences take, with a sign or without: 12 bits, or 12 more, zeros being the lower ones.
Operand addend(Assembler& as, const Argument& a, const Argument* how) {
  auto n = static_cast<std::int64_t>(as.number(a));
  if (how != nullptr) {
    const std::string text = lower(how->text);
    if (!text.starts_with("lsl")) Assembler::bad(*how, "is not a shift of this instruction; 'LSL #12' expected");
    const std::uint64_t shift = as.number({std::string(trim(std::string_view(text).substr(3))), how->at + 3});
    if ((shift != 0 && shift != 12) || n < -4095 || n > 4095)
      Assembler::bad(*how, "is not a shift of this instruction");
    n <<= shift;
  }
  const std::int64_t size = n < 0 ? -n : n;
  if (size > 0xfff000 || size < 0 || (size > 0xfff && size % 4096 != 0))
    Assembler::bad(a, "is not a number that can be added: 12 bits, or 12 bits and 12 zeros");
  return Operand::value(n);
}

std::vector<Argument> cut(std::string_view inner, std::size_t at) {
  std::vector<Argument> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= inner.size(); ++i)
    if (i == inner.size() || inner[i] == ',') {
      parts.push_back({std::string(trim(inner.substr(begin, i - begin))), at + begin});
      begin = i + 1;
    }
  return parts;
}

// The `SXTW #2` or `LSL #3` behind a register.
struct Extension {
  std::string word;
  std::uint64_t shift = 0;
};

Extension extension_of(const Assembler& as, const Argument& how) {
  const std::string text = lower(how.text);
  const std::size_t blank = text.find_first_of(" \t#");
  Extension e{text.substr(0, blank), 0};
  if (e.word != "sxtw" && e.word != "uxtw" && e.word != "lsl" && e.word != "sxtx")
    Assembler::bad(how, "is not an extension that is supported (sxtw, uxtw, lsl)");
  if (blank != std::string::npos)
    e.shift = as.number({std::string(trim(std::string_view(text).substr(blank))), how.at});
  else if (e.word == "lsl") Assembler::bad(how, "needs a number of bits");
  return e;
}

// A register with its extension, as an operand for registers of the given width.
Operand extended(Assembler& as, const Argument& index, const Extension& e, bool wide) {
  const bool from_half = e.word == "sxtw" || e.word == "uxtw";
  Operand result = reg(as, index, wide && !from_half).read;
  const Register to = as.reg("$index");
  if (from_half) {
    as.compute(e.word == "sxtw" ? Alu::SignExtend32 : Alu::ZeroExtend32, to, result);
    result = Operand::of(to);
  }
  if (e.shift == 0) return result;
  as.compute(Alu::Shl, to, result, Operand::value(static_cast<std::int64_t>(e.shift)));
  return Operand::of(to);
}

struct Address {
  Operand base, offset;
  Register update = no_register;  // written back after (or before) the access
  std::uint64_t by = 0;
  bool before = false;
};

// Which addresses an instruction takes beside `[Xn]`: plain ones of one register all kinds; those whose name ends in
// "ur" small offsets; those of two registers multiples of the size of one, and updates; ordered and atomic ones none.
enum class Form : std::uint8_t { Any, Unscaled, Pair, Exact };

Operand offset(const Assembler& as, const Argument& a, Form form, std::int64_t size, bool updates) {
  const auto n = static_cast<std::int64_t>(as.number(a));
  const bool near = n >= -256 && n <= 255, scaled = n % size == 0 && n >= 0 && n / size <= 4095;
  bool fits = n == 0;
  if (form == Form::Any) fits = near || (!updates && scaled);
  if (form == Form::Unscaled) fits = near;
  if (form == Form::Pair) fits = n % size == 0 && n / size >= -64 && n / size <= 63;
  if (!fits) Assembler::bad(a, "is not an offset that this instruction takes");
  return Operand::value(n);
}

// args[from] is `[Xn…]`, possibly with `!`; a further argument is a post-index. `size`: bytes of a register's access.
Address address(Assembler& as, const Instruction& i, std::size_t from, Form form, std::uint8_t size) {
  if (i.args.size() <= from) throw Mistake{i.at, "an address '[…]' is missing", {}};
  const Argument& a = i.args[from];
  std::string_view s = a.text;
  const bool pre = !s.empty() && s.back() == '!';
  if (pre) s = trim(s.substr(0, s.size() - 1));
  if (s.size() < 3 || s.front() != '[' || s.back() != ']') Assembler::bad(a, "is not an address; '[Xn…]' expected");
  const auto parts = cut(s.substr(1, s.size() - 2), a.at + 1);
  Address result;
  const Reg base = reg(as, parts[0]);
  if (!base.wide || base.zero) Assembler::bad(parts[0], "cannot hold an address; an X register expected");
  result.base = base.read;
  result.offset = Operand::value(0);
  const bool post = i.args.size() > from + 1, by_number = parts.size() == 2 && as.is_number(parts[1]);
  if (i.args.size() > from + 2 || (post && (pre || parts.size() > 1)))
    throw Mistake{i.args[from + 1].at, "too many operands", {}};
  const bool updates = pre || post;
  if (parts.size() > 3 || (updates && form != Form::Any && form != Form::Pair) || (pre && !by_number) ||
      (parts.size() > 1 && !by_number && form != Form::Any))
    Assembler::bad(a, "is not an address that this instruction takes");
  if (by_number) result.offset = offset(as, parts[1], form, size, updates);
  else if (parts.size() == 2) result.offset = reg(as, parts[1], true).read;
  else if (parts.size() == 3) {
    const Extension e = extension_of(as, parts[2]);
    if (e.shift != 0 && (1u << e.shift) != size) Assembler::bad(parts[2], "does not shift by the size of the access");
    result.offset = extended(as, parts[1], e, true);
  }
  if (!updates) return result;
  result.update = base.write;
  result.before = pre;
  result.by = (pre ? result.offset : offset(as, i.args[from + 1], form, size, true)).constant.bits;
  result.offset = Operand::value(0);
  return result;
}

void access(Assembler& as, Op op, const Address& where) {
  op.address = where.base;
  op.offset = where.offset;
  const Operand by = Operand::value(static_cast<std::int64_t>(where.by));
  if (where.update != no_register && where.before) as.compute(Alu::Add, where.update, Operand::of(where.update), by);
  as.emit(op);
  if (where.update != no_register && !where.before) as.compute(Alu::Add, where.update, Operand::of(where.update), by);
}

// Takes "b" or "h" off the end of a mnemonic's rest; the size of the access otherwise goes by the register.
std::uint8_t size_of(std::string& rest, bool wide) {
  if (rest == "b") {
    rest.clear();
    return 1;
  }
  if (rest == "h") {
    rest.clear();
    return 2;
  }
  return wide ? 8 : 4;
}

// Whether a clrex came after the last exclusive load: then an exclusive store fails without an access. A constant, so that
// the jump over the access is no control dependency.
constexpr const char* cleared = "$cleared";

void store_exclusive(Assembler& as, const Instruction& i, const Op& op, const Address& where) {
  const std::string place = std::to_string(i.at);
  const Argument fails{"$fails" + place, i.at}, done{"$done" + place, i.at};
  as.branch(Operand::of(as.reg(cleared)), fails);
  access(as, op, where);
  as.jump(done);
  as.label(fails.text, i.at);
  as.compute(Alu::Move, op.dst, Operand::value(op.on_failure));
  as.label(done.text, i.at);
}

bool load_or_store(Assembler& as, const Instruction& i) {
  struct Row {
    const char* name;
    bool load;
    core::Order order;
    bool pc, exclusive, sign;
  };
  using core::Order;
  static const Row rows[] = {
      {"ldrsw", true, Order::Relaxed, false, false, true},  {"ldrsb", true, Order::Relaxed, false, false, true},
      {"ldrsh", true, Order::Relaxed, false, false, true},  {"ldr", true, Order::Relaxed, false, false, false},
      {"ldur", true, Order::Relaxed, false, false, false},  {"ldar", true, Order::Acquire, false, false, false},
      {"ldapur", true, Order::Acquire, true, false, false}, {"ldapr", true, Order::Acquire, true, false, false},
      {"ldxr", true, Order::Relaxed, false, true, false},   {"ldaxr", true, Order::Acquire, false, true, false},
      {"str", false, Order::Relaxed, false, false, false},  {"stur", false, Order::Relaxed, false, false, false},
      {"stlr", false, Order::Release, false, false, false}, {"stlur", false, Order::Release, false, false, false},
      {"stxr", false, Order::Relaxed, false, true, false},  {"stlxr", false, Order::Release, false, true, false},
  };
  for (const Row& row : rows) {
    if (!i.mnemonic.starts_with(row.name)) continue;
    std::string rest = i.mnemonic.substr(std::string_view(row.name).size());
    if (!rest.empty() && rest != "b" && rest != "h") continue;
    if (row.sign && !rest.empty()) continue;
    const bool status = row.exclusive && !row.load;
    const std::size_t data_at = status ? 1 : 0;
    if (i.args.size() < data_at + 2) as.arguments(data_at + 2);
    const bool part = !rest.empty();
    const Reg data = part ? reg(as, i.args[data_at], false) : reg(as, i.args[data_at]);
    if (i.mnemonic == "ldrsw") reg(as, i.args[data_at], true);
    Op op;
    op.kind = row.load ? OpKind::Load : OpKind::Store;
    op.order = row.order;
    op.tag = row.pc ? axioms::tags().acquire_pc : core::Tag{0};
    op.exclusive = row.exclusive;
    op.size = size_of(rest, data.wide);
    if (row.sign) {
      op.sign_extend = true;
      op.size = i.mnemonic.back() == 'w' ? 4 : i.mnemonic.back() == 'h' ? 2 : 1;
    }
    // Into a W register: extended to 32 bits only.
    const bool half = row.sign && !data.wide;
    if (row.load) op.dst = half ? as.reg("$half") : data.write;
    else op.a = data.read;
    if (status) op.dst = reg(as, i.args[0], false).write;
    const bool unscaled = i.mnemonic.starts_with(row.load ? "ldur" : "stur") || i.mnemonic.find("pur") == 3 ||
                          i.mnemonic.starts_with("stlur");
    const bool any = !row.exclusive && row.order == Order::Relaxed && !unscaled;
    const Address where = address(as, i, data_at + 1,
                                  any        ? Form::Any
                                  : unscaled ? Form::Unscaled
                                             : Form::Exact,
                                  op.size);
    if (where.update != no_register && where.update == data.write)
      Assembler::bad(i.args[data_at + 1], "changes the register that is loaded or stored, too");
    if (status && (op.dst == data.write || (where.base.is_register() && op.dst == where.base.reg)))
      Assembler::bad(i.args[0], "is used twice");
    if (status) store_exclusive(as, i, op, where);
    else access(as, op, where);
    if (row.exclusive && row.load) as.compute(Alu::Move, as.reg(cleared), Operand::value(0));
    if (half) as.compute(Alu::Move, data.write, Operand::of(op.dst), {}, 32);
    return true;
  }
  return false;
}

// Takes the suffix a, l or al off the front of an atomic's name behind the operation.
std::pair<bool, bool> take_order(std::string& rest) {
  const bool acquire = rest.starts_with("a");
  if (acquire) rest.erase(0, 1);
  const bool release = rest.starts_with("l");
  if (release) rest.erase(0, 1);
  return {acquire, release};
}

void set_order(Op& op, bool acquire, bool release) {
  op.order = acquire && release ? core::Order::AcqRel
             : acquire          ? core::Order::Acquire
             : release          ? core::Order::Release
                                : core::Order::Relaxed;
  op.failure = acquire ? core::Order::Acquire : core::Order::Relaxed;
}

// swp, cas, ld<op>, st<op> with the suffixes a, l, al and then b or h.
bool atomic(Assembler& as, const Instruction& i) {
  using core::RmwOp;
  static const std::pair<const char*, RmwOp> ops[] = {
      {"swp", RmwOp::Xchg},    {"cas", RmwOp::Cas},     {"ldadd", RmwOp::Add},  {"ldclr", RmwOp::And},
      {"ldeor", RmwOp::Xor},   {"ldset", RmwOp::Or},    {"ldsmax", RmwOp::Max}, {"ldsmin", RmwOp::Min},
      {"ldumax", RmwOp::UMax}, {"ldumin", RmwOp::UMin}, {"stadd", RmwOp::Add},  {"stclr", RmwOp::And},
      {"steor", RmwOp::Xor},   {"stset", RmwOp::Or},    {"stsmax", RmwOp::Max}, {"stsmin", RmwOp::Min},
      {"stumax", RmwOp::UMax}, {"stumin", RmwOp::UMin}};
  for (const auto& [name, rmw] : ops) {
    if (!i.mnemonic.starts_with(name)) continue;
    std::string rest = i.mnemonic.substr(std::string_view(name).size());
    auto [acquire, release] = take_order(rest);
    if (!rest.empty() && rest != "b" && rest != "h") continue;
    const bool no_result = name[0] == 's' && name[1] == 't';
    if (no_result && acquire) continue;
    as.arguments(no_result ? 2 : 3);
    const Reg source = rest.empty() ? reg(as, i.args[0]) : reg(as, i.args[0], false);
    Reg target{Operand::value(0), as.reg("$zr"), source.wide, true};
    if (!no_result) target = reg(as, i.args[1], source.wide);
    Op op;
    op.kind = OpKind::Rmw;
    op.rmw = rmw;
    op.size = size_of(rest, source.wide);
    op.a = source.read;
    op.dst = target.write;
    if (rmw == RmwOp::Cas) {  // cas Ws,Wt,[Xn]: compare with Ws, which also receives what was there
      op.a = target.read;
      op.b = source.read;
      op.dst = source.write;
    } else {
      if (target.zero) {
        acquire = false;  // without a target register there is nothing to acquire by
        op.tag = axioms::tags().no_return;
      }
      if (rmw == RmwOp::And) {  // ldclr clears the bits that are set in the source
        as.compute(Alu::Xor, as.reg("$clear"), source.read, Operand::value(-1));
        op.a = Operand::of(as.reg("$clear"));
      }
    }
    set_order(op, acquire, release);
    access(as, op, address(as, i, no_result ? 1 : 2, Form::Exact, op.size));
    return true;
  }
  return false;
}

// casp Ws,W(s+1),Wt,W(t+1),[Xn]: one access of eight bytes, the first register of a pair at the lower address.
bool compare_exchange_pair(Assembler& as, const Instruction& i) {
  if (!i.mnemonic.starts_with("casp")) return false;
  std::string rest = i.mnemonic.substr(4);
  const auto [acquire, release] = take_order(rest);
  if (!rest.empty()) return false;
  as.arguments(5);
  const auto pair_at = [&](std::size_t n) {
    const Reg first = reg(as, i.args[n]), second = reg(as, i.args[n + 1]);
    if (first.wide) Assembler::bad(i.args[n], "makes an access of 16 bytes, which is not supported; W registers are");
    const std::string name = canonical_aarch64(i.args[n].text);
    const unsigned number = first.zero ? 31 : static_cast<unsigned>(std::stoul(name.substr(1)));
    if (number % 2 != 0) Assembler::bad(i.args[n], "must have an even number here");
    const bool follows =
        number == 30 ? second.zero : canonical_aarch64(i.args[n + 1].text) == "X" + std::to_string(number + 1);
    if (second.wide || !follows) Assembler::bad(i.args[n + 1], "is not the W register that follows the one before it");
    return std::pair(first, second);
  };
  const auto joined = [&](const std::pair<Reg, Reg>& pair, const char* name) {
    const Register both = as.reg(name), upper = as.reg("$upper");
    as.compute(Alu::Move, both, pair.first.read, {}, 32);
    as.compute(Alu::Shl, upper, pair.second.read, Operand::value(32));
    as.compute(Alu::Or, both, Operand::of(both), Operand::of(upper));
    return Operand::of(both);
  };
  const auto expected = pair_at(0), desired = pair_at(2);
  Op op;
  op.kind = OpKind::Rmw;
  op.rmw = core::RmwOp::Cas;
  op.size = 8;
  op.b = joined(expected, "$expected");
  op.a = joined(desired, "$desired");
  op.dst = as.reg("$found");
  set_order(op, acquire, release);
  access(as, op, address(as, i, 4, Form::Exact, op.size));
  as.compute(Alu::Move, expected.first.write, Operand::of(op.dst), {}, 32);
  as.compute(Alu::Shr, expected.second.write, Operand::of(op.dst), Operand::value(32));
  return true;
}

Alu extension(bool wide) { return wide ? Alu::Move : Alu::SignExtend32; }

// Flags: two numbers that are equal if the result is zero, whether it is negative but for an overflow (as N and V
// differ), and whether the carry is clear. Halves are compared as if extended with their sign, which keeps signed and
// unsigned order alike.
void compare(Assembler& as, Operand a, Operand b, bool wide) {
  const Register left = as.reg("$flags.a"), right = as.reg("$flags.b");
  as.compute(extension(wide), left, a);
  as.compute(extension(wide), right, b);
  as.compute(Alu::Lt, as.reg("$negative"), Operand::of(left), Operand::of(right));
  as.compute(Alu::LtU, as.reg("$clear_carry"), Operand::of(left), Operand::of(right));
}

// The flags of a logical operation: there is no carry, which yet depends on the result as all flags do.
void flags_of_bits(Assembler& as, Operand result, bool wide) {
  compare(as, result, Operand::value(0), wide);
  as.compute(Alu::And, as.reg("$clear_carry"), result, Operand::value(0));
  as.compute(Alu::LogicalNot, as.reg("$clear_carry"), Operand::of(as.reg("$clear_carry")));
}

// The flags of a sum: it overflows if both parts have another sign than it, and has a carry if it is less than a part.
void flags_of_sum(Assembler& as, Operand a, Operand b, bool wide) {
  const Register left = as.reg("$left"), right = as.reg("$right"), sum = as.reg("$sum"), negative = as.reg("$negative");
  as.compute(extension(wide), left, a);
  as.compute(extension(wide), right, b);
  as.compute(Alu::Add, sum, Operand::of(left), Operand::of(right));
  as.compute(extension(wide), sum, Operand::of(sum));
  compare(as, Operand::of(sum), Operand::value(0), wide);
  as.compute(Alu::GeU, as.reg("$clear_carry"), Operand::of(sum), Operand::of(left));
  as.compute(Alu::Xor, left, Operand::of(left), Operand::of(sum));
  as.compute(Alu::Xor, right, Operand::of(right), Operand::of(sum));
  as.compute(Alu::And, left, Operand::of(left), Operand::of(right));
  as.compute(Alu::Xor, left, Operand::of(left), Operand::of(sum));
  as.compute(Alu::Lt, negative, Operand::of(left), Operand::value(0));
}

// That the flag is set, or the result zero if that counts, too; or the opposite.
struct FlagCondition {
  enum class Flag : std::uint8_t { Zero, Negative, ClearCarry } flag = Flag::Zero;
  bool or_zero = false;
  bool opposite = false;
};

std::optional<FlagCondition> condition(std::string_view c) {
  using enum FlagCondition::Flag;
  static const std::map<std::string_view, FlagCondition> table = {
      {"eq", {Zero, true, false}},        {"ne", {Zero, true, true}},         {"lt", {Negative, false, false}},
      {"le", {Negative, true, false}},    {"gt", {Negative, true, true}},     {"ge", {Negative, false, true}},
      {"lo", {ClearCarry, false, false}}, {"cc", {ClearCarry, false, false}}, {"hs", {ClearCarry, false, true}},
      {"cs", {ClearCarry, false, true}},  {"ls", {ClearCarry, true, false}},  {"hi", {ClearCarry, true, true}}};
  const auto found = table.find(c);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

void on_flags(Assembler& as, const FlagCondition& c) {
  using enum FlagCondition::Flag;
  const Operand result = Operand::of(as.scratch());
  const Operand flag = Operand::of(as.reg(c.flag == ClearCarry ? "$clear_carry" : "$negative"));
  if (c.or_zero) as.compute(Alu::Eq, as.scratch(), Operand::of(as.reg("$flags.a")), Operand::of(as.reg("$flags.b")));
  if (c.flag != Zero) as.compute(c.or_zero ? Alu::Or : Alu::Move, as.scratch(), flag, c.or_zero ? result : Operand{});
  if (c.opposite) as.compute(Alu::LogicalNot, as.scratch(), result);
}

// The last operand of arithmetic. Where sums have a number or an extension, register 31 is the stack pointer, which tests
// do not have; it is the zero register elsewhere and where flags are all that is wanted.
Operand second_source(Assembler& as, const Instruction& i, Alu alu, const Reg& dst, const Reg& a) {
  const bool sum = alu == Alu::Add || alu == Alu::Sub, logical = alu == Alu::And || alu == Alu::Or || alu == Alu::Xor;
  const Argument* how = i.args.size() == 4 ? &i.args[3] : nullptr;
  if (how != nullptr && !sum && !logical) as.arguments(3);
  const auto no_stack_pointer = [&] {
    if ((dst.zero && !i.mnemonic.ends_with('s')) || (sum && a.zero))
      Assembler::bad(i.args[dst.zero ? 0 : 1], "is the stack pointer here, which is not supported");
  };
  if (as.is_number(i.args[2])) {
    if (alu == Alu::Mul) Assembler::bad(i.args[2], "is not a register");
    if (sum || logical) no_stack_pointer();
    if (sum) return addend(as, i.args[2], how);
    if (how != nullptr) as.arguments(3);
    if (logical) return bit_mask(as, i.args[2], dst.wide);
    return Operand::value(as.number(i.args[2], 0, dst.wide ? 63 : 31));
  }
  if (how == nullptr) return reg(as, i.args[2], dst.wide).read;
  const Extension e = extension_of(as, *how);
  const bool shifts = e.word == "lsl";
  if (!shifts && logical) Assembler::bad(*how, "is not a shift of this instruction");
  if (!shifts) no_stack_pointer();
  if (e.shift > (!shifts ? 4u : dst.wide ? 63u : 31u)) Assembler::bad(*how, "is too far to shift");
  return extended(as, i.args[2], e, dst.wide);
}

bool arithmetic(Assembler& as, const Instruction& i) {
  static const std::map<std::string_view, Alu> table = {{"add", Alu::Add},  {"sub", Alu::Sub},  {"eor", Alu::Xor},
                                                        {"orr", Alu::Or},   {"and", Alu::And},  {"mul", Alu::Mul},
                                                        {"lsl", Alu::Shl},  {"lsr", Alu::Shr},  {"asr", Alu::Sar},
                                                        {"adds", Alu::Add}, {"subs", Alu::Sub}, {"ands", Alu::And}};
  const auto found = table.find(i.mnemonic);
  if (found == table.end()) return false;
  as.arguments(3, 4);
  const Reg dst = reg(as, i.args[0]);
  const Reg a = reg(as, i.args[1], dst.wide);
  const Operand b = second_source(as, i, found->second, dst, a);
  if (i.mnemonic == "subs") compare(as, a.read, b, dst.wide);
  if (i.mnemonic == "adds") flags_of_sum(as, a.read, b, dst.wide);
  as.compute(found->second, dst.write, a.read, b, dst.wide ? 64 : 32);
  if (i.mnemonic == "ands") flags_of_bits(as, Operand::of(dst.write), dst.wide);
  return true;
}

// bic, orn, eon: the second source inverted.
bool inverted_logic(Assembler& as, const Instruction& i) {
  static const std::map<std::string_view, Alu> table = {
      {"bic", Alu::And}, {"bics", Alu::And}, {"orn", Alu::Or}, {"eon", Alu::Xor}};
  const auto found = table.find(i.mnemonic);
  if (found == table.end()) return false;
  as.arguments(3);
  const Reg dst = reg(as, i.args[0]), a = reg(as, i.args[1], dst.wide), b = reg(as, i.args[2], dst.wide);
  as.compute(Alu::Xor, as.scratch(), b.read, Operand::value(-1));
  as.compute(found->second, dst.write, a.read, Operand::of(as.scratch()), dst.wide ? 64 : 32);
  if (i.mnemonic == "bics") flags_of_bits(as, Operand::of(dst.write), dst.wide);
  return true;
}

// movz, movn, movk Rd,#n{,LSL #0|16|32|48}; Rd of movk keeps its other bits, and so depends on what it was.
bool move_wide(Assembler& as, const Instruction& i) {
  if (i.mnemonic != "movz" && i.mnemonic != "movn" && i.mnemonic != "movk") return false;
  as.arguments(2, 3);
  const Reg dst = reg(as, i.args[0]);
  const std::uint64_t n = as.number(i.args[1]);
  if (n > 0xffff) Assembler::bad(i.args[1], "does not fit into 16 bits");
  std::uint64_t shift = 0;
  if (i.args.size() == 3) {
    const std::string how = lower(i.args[2].text);
    if (!how.starts_with("lsl")) Assembler::bad(i.args[2], "is not a shift of this instruction; 'LSL #16' expected");
    shift = as.number({std::string(trim(std::string_view(i.args[2].text).substr(3))), i.args[2].at + 3});
    if (shift % 16 != 0 || shift > (dst.wide ? 48u : 16u))
      Assembler::bad(i.args[2], "is not a shift of this instruction");
  }
  const unsigned width = dst.wide ? 64 : 32;
  const auto value = [](std::uint64_t v) { return Operand::value(static_cast<std::int64_t>(v)); };
  if (i.mnemonic == "movz") as.compute(Alu::Move, dst.write, value(n << shift), {}, width);
  else if (i.mnemonic == "movn") as.compute(Alu::Move, dst.write, value(~(n << shift)), {}, width);
  else {
    as.compute(Alu::And, as.scratch(), dst.read, value(~(std::uint64_t{0xffff} << shift)));
    as.compute(Alu::Or, dst.write, Operand::of(as.scratch()), value(n << shift), width);
  }
  return true;
}

// Rd = condition ? Rn : f(Rm). The short forms test the opposite condition.
bool select(Assembler& as, const Instruction& i) {
  enum class Else : std::uint8_t { Same, Plus1, Inverted, Negated };
  struct Row {
    Else otherwise;
    std::size_t sources;  // 2: csel and the like; 1: cinc and the like; 0: cset
  };
  static const std::map<std::string_view, Row> table = {
      {"csel", {Else::Same, 2}},     {"csinc", {Else::Plus1, 2}}, {"csinv", {Else::Inverted, 2}},
      {"csneg", {Else::Negated, 2}}, {"cinc", {Else::Plus1, 1}},  {"cinv", {Else::Inverted, 1}},
      {"cneg", {Else::Negated, 1}},  {"cset", {Else::Plus1, 0}},  {"csetm", {Else::Inverted, 0}}};
  const auto found = table.find(i.mnemonic);
  if (found == table.end()) return false;
  const auto [otherwise, sources] = found->second;
  as.arguments(2 + sources);
  const auto c = condition(lower(i.args.back().text));
  if (!c) Assembler::bad(i.args.back(), "is not a condition");
  const Reg dst = reg(as, i.args[0]);
  Operand a = Operand::value(0), b = Operand::value(0);
  if (sources > 0) a = b = reg(as, i.args[1], dst.wide).read;
  if (sources > 1) b = reg(as, i.args[2], dst.wide).read;
  const Operand other = Operand::of(as.reg("$other"));
  switch (otherwise) {
    case Else::Same: as.compute(Alu::Move, other.reg, b); break;
    case Else::Plus1: as.compute(Alu::Add, other.reg, b, Operand::value(1)); break;
    case Else::Inverted: as.compute(Alu::Xor, other.reg, b, Operand::value(-1)); break;
    case Else::Negated: as.compute(Alu::Sub, other.reg, Operand::value(0), b); break;
  }
  on_flags(as, *c);
  if (sources < 2) as.compute(Alu::LogicalNot, as.scratch(), Operand::of(as.scratch()));
  Op op;
  op.kind = OpKind::Select;
  op.width = dst.wide ? 64 : 32;
  op.dst = dst.write;
  op.a = a;
  op.b = other;
  op.address = Operand::of(as.scratch());
  as.emit(op);
  return true;
}

// ccmp Rn,Rm|#n,#nzcv,condition: the flags of a comparison if the condition holds, else those of the number. What decides
// it is a pick dependency of the flags, as of a selection.
bool conditional_compare(Assembler& as, const Instruction& i) {
  if (i.mnemonic != "ccmp" && i.mnemonic != "ccmn") return false;
  as.arguments(4);
  const Reg a = reg(as, i.args[0]);
  const Operand b =
      as.is_number(i.args[1]) ? Operand::value(as.number(i.args[1], 0, 31)) : reg(as, i.args[1], a.wide).read;
  const std::int64_t flags = as.number(i.args[2], 0, 15);
  const auto c = condition(lower(i.args[3].text));
  if (!c) Assembler::bad(i.args[3], "is not a condition");
  on_flags(as, *c);
  const Register holds = as.reg("$holds");
  as.compute(Alu::Move, holds, Operand::of(as.scratch()));
  if (i.mnemonic == "ccmp") compare(as, a.read, b, a.wide);
  else flags_of_sum(as, a.read, b, a.wide);
  const bool negative = flags & 8, zero = flags & 4, carry = flags & 2, overflow = flags & 1;
  const std::pair<const char*, bool> otherwise[] = {
      {"$flags.a", false}, {"$flags.b", !zero}, {"$negative", negative != overflow}, {"$clear_carry", !carry}};
  for (const auto& [name, value] : otherwise) {
    Op op;
    op.kind = OpKind::Select;
    op.dst = as.reg(name);
    op.a = Operand::of(op.dst);
    op.b = Operand::value(value);
    op.address = Operand::of(holds);
    as.emit(op);
  }
  return true;
}

// uxtb and the like, and ubfx Rd,Rn,#lsb,#width.
bool extract(Assembler& as, const Instruction& i) {
  static const std::map<std::string_view, Alu> table = {
      {"uxtb", Alu::ZeroExtend8}, {"uxth", Alu::ZeroExtend16}, {"sxtb", Alu::SignExtend8}, {"sxth", Alu::SignExtend16}};
  if (i.mnemonic == "ubfx") {
    as.arguments(4);
    const Reg dst = reg(as, i.args[0]), a = reg(as, i.args[1], dst.wide);
    const std::uint64_t low = as.number(i.args[2]), width = as.number(i.args[3]), all = dst.wide ? 64 : 32;
    if (low >= all) Assembler::bad(i.args[2], "is not a bit of the register");
    if (width == 0 || width > all - low) Assembler::bad(i.args[3], "is more bits than there are");
    as.compute(Alu::Shr, as.scratch(), a.read, Operand::value(static_cast<std::int64_t>(low)));
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    as.compute(Alu::And, dst.write, Operand::of(as.scratch()), Operand::value(static_cast<std::int64_t>(mask)),
               static_cast<unsigned>(all));
    return true;
  }
  const auto found = table.find(i.mnemonic);
  if (found == table.end()) return false;
  as.arguments(2);
  const Reg dst = i.mnemonic[0] == 'u' ? reg(as, i.args[0], false) : reg(as, i.args[0]);
  as.compute(found->second, as.scratch(), reg(as, i.args[1], false).read);
  as.compute(Alu::Move, dst.write, Operand::of(as.scratch()), {}, dst.wide ? 64 : 32);
  return true;
}

// ldp and stp: two accesses, each atomic by itself, with nothing between them that would keep their order.
bool pair(Assembler& as, const Instruction& i) {
  if (i.mnemonic != "ldp" && i.mnemonic != "stp") return false;
  const bool load = i.mnemonic == "ldp";
  if (i.args.size() < 3) as.arguments(3);
  const Reg first = reg(as, i.args[0]), second = reg(as, i.args[1], first.wide);
  if (load && first.write == second.write) Assembler::bad(i.args[1], "is loaded twice");
  Address where = address(as, i, 2, Form::Pair, first.wide ? 8 : 4);
  if (where.update != no_register && (first.write == where.update || second.write == where.update))
    Assembler::bad(i.args[2], "changes a register that is loaded or stored, too");
  const Operand by = Operand::value(static_cast<std::int64_t>(where.by));
  if (where.before) as.compute(Alu::Add, where.update, where.base, by);
  // The first load may overwrite the base.
  const Register base = as.reg("$base");
  as.compute(Alu::Move, base, where.base);
  Op op;
  op.kind = load ? OpKind::Load : OpKind::Store;
  op.order = core::Order::Relaxed;
  op.size = first.wide ? 8 : 4;
  op.address = Operand::of(base);
  for (const Reg* r : {&first, &second}) {
    op.offset = Operand::value(static_cast<std::int64_t>(where.offset.constant.bits) + (r == &second ? op.size : 0));
    if (load) op.dst = r->write;
    else op.a = r->read;
    as.emit(op);
  }
  if (where.update != no_register && !where.before) as.compute(Alu::Add, where.update, Operand::of(base), by);
  return true;
}

bool barrier(Assembler& as, const Instruction& i) {
  const auto& t = axioms::tags();
  if (i.mnemonic == "isb") {
    as.arguments(0, 1);
    if (!i.args.empty() && lower(i.args[0].text) != "sy") Assembler::bad(i.args[0], "is not a barrier's domain");
    as.fence(t.isb);
    return true;
  }
  if (i.mnemonic != "dmb" && i.mnemonic != "dsb") return false;
  as.arguments(1);
  std::string domain = lower(i.args[0].text);
  const bool dsb = i.mnemonic == "dsb";
  for (const char* prefix : {"ish", "osh", "nsh"})
    if (domain.starts_with(prefix)) {
      domain.erase(0, 3);
      domain = domain.empty() ? "sy" : domain == "sy" ? "" : domain;
      break;
    }
  if (domain == "sy") as.fence(dsb ? t.dsb_sy : t.dmb_sy);
  else if (domain == "ld") as.fence(dsb ? t.dsb_ld : t.dmb_ld);
  else if (domain == "st") as.fence(dsb ? t.dsb_st : t.dmb_st);
  else Assembler::bad(i.args[0], "is not a barrier's domain");
  return true;
}

}  // namespace

std::string canonical_aarch64(std::string_view name) {
  const std::string n = lower(name);
  if (n.size() < 2 || n.size() > 3 || (n[0] != 'x' && n[0] != 'w')) return {};
  unsigned number = 0;
  for (char c : n.substr(1)) {
    if (!std::isdigit(static_cast<unsigned char>(c))) return {};
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number <= 30 ? "X" + std::to_string(number) : std::string{};
}

void assemble_aarch64(Assembler& as, const Instruction& i) {
  const std::string& m = i.mnemonic;
  if (atomic(as, i) || load_or_store(as, i) || arithmetic(as, i) || barrier(as, i) || inverted_logic(as, i) ||
      move_wide(as, i) || select(as, i) || extract(as, i) || pair(as, i) || compare_exchange_pair(as, i) ||
      conditional_compare(as, i))
    return;
  if (m == "clrex") {
    as.arguments(0, 1);
    if (!i.args.empty()) as.number(i.args[0], 0, 15);
    return as.compute(Alu::Move, as.reg(cleared), Operand::value(1));
  }
  if (m == "nop" || m == "yield") return as.arguments(0), as.no_effect();
  if (m == "mov" || m == "mvn" || m == "neg" || m == "sxtw" || m == "uxtw") {
    as.arguments(2);
    const Reg dst = reg(as, i.args[0]);
    const unsigned width = dst.wide ? 64 : 32;
    const bool extends = m == "sxtw" || m == "uxtw";
    if (extends) reg(as, i.args[0], true);
    if (extends || m == "neg" || m == "mvn") reg(as, i.args[1]);
    Operand source;
    if (as.is_number(i.args[1])) source = movable(as, i.args[1], dst.wide);
    else source = reg(as, i.args[1], dst.wide && !extends).read;
    if (m == "mvn") return as.compute(Alu::Xor, dst.write, source, Operand::value(-1), width);
    if (m == "neg") return as.compute(Alu::Sub, dst.write, Operand::value(0), source, width);
    if (m == "sxtw") return as.compute(Alu::SignExtend32, dst.write, source);
    if (m == "uxtw") return as.compute(Alu::Move, dst.write, source, {}, 32);
    return as.compute(Alu::Move, dst.write, source, {}, width);
  }
  if (m == "cmp" || m == "tst") {
    as.arguments(2);
    const Reg a = reg(as, i.args[0]);
    const bool number = as.is_number(i.args[1]);
    if (number && m == "cmp" && a.zero) Assembler::bad(i.args[0], "is the stack pointer here, which is not supported");
    const Operand b = !number      ? reg(as, i.args[1], a.wide).read
                      : m == "cmp" ? addend(as, i.args[1], nullptr)
                                   : bit_mask(as, i.args[1], a.wide);
    if (m == "cmp") return compare(as, a.read, b, a.wide);
    as.compute(Alu::And, as.scratch(), a.read, b, a.wide ? 64 : 32);
    return flags_of_bits(as, Operand::of(as.scratch()), a.wide);
  }
  if (m == "cbz" || m == "cbnz") {
    as.arguments(2);
    const Reg a = reg(as, i.args[0]);
    as.compute(m == "cbz" ? Alu::Eq : Alu::Ne, as.scratch(), a.read, Operand::value(0), a.wide ? 64 : 32);
    return as.branch(Operand::of(as.scratch()), i.args[1]);
  }
  if (m == "tbz" || m == "tbnz") {
    as.arguments(3);
    const Reg a = reg(as, i.args[0]);
    const std::uint64_t bit = as.number(i.args[1]);
    if (bit >= (a.wide ? 64u : 32u)) Assembler::bad(i.args[1], "is not a bit of the register");
    as.compute(Alu::Shr, as.scratch(), a.read, Operand::value(static_cast<std::int64_t>(bit)));
    as.compute(Alu::And, as.scratch(), Operand::of(as.scratch()), Operand::value(1));
    if (m == "tbz") as.compute(Alu::LogicalNot, as.scratch(), Operand::of(as.scratch()));
    return as.branch(Operand::of(as.scratch()), i.args[2]);
  }
  if (m == "b") {
    as.arguments(1);
    return as.jump(i.args[0]);
  }
  if (m.starts_with("b.") || (m.size() == 3 && m[0] == 'b')) {
    const auto c = condition(m.substr(m[1] == '.' ? 2 : 1));
    if (!c) as.unknown();
    as.arguments(1);
    on_flags(as, *c);
    return as.branch(Operand::of(as.scratch()), i.args[0]);
  }
  as.unknown();
}

}  // namespace heddle::lang::litmus
