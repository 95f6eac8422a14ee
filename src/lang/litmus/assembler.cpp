// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/assembler.h"

#include <fmt/format.h>

#include <cctype>

#include "axioms/fences.h"

namespace heddle::lang::litmus {

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

void Assembler::label(const std::string& name, std::size_t at) {
  if (!labels_.emplace(name, static_cast<std::uint32_t>(code_.ops.size())).second)
    throw Mistake{at, fmt::format("label '{}' is defined twice", name), {}};
}

void Assembler::finish() {
  Op end;
  end.line = line_;
  code_.ops.push_back(end);
  for (const Use& use : uses_) {
    const auto found = labels_.find(use.label);
    if (found == labels_.end()) throw Mistake{use.at, fmt::format("there is no label '{}'", use.label), {}};
    code_.ops[use.op].target = found->second;
  }
}

Op& Assembler::emit(Op op) {
  op.line = line_;
  op.column = column_;
  if (instruction_ != nullptr) op.text = instruction_->text;
  code_.ops.push_back(std::move(op));
  return code_.ops.back();
}

void Assembler::compute(Alu alu, Register dst, Operand a, Operand b, unsigned width) {
  Op op;
  op.kind = OpKind::Compute;
  op.alu = alu;
  op.width = static_cast<std::uint8_t>(width);
  op.dst = dst;
  op.a = a;
  op.b = b;
  emit(op);
}

void Assembler::branch(Operand condition, const Argument& to) {
  Op op;
  op.kind = OpKind::Branch;
  op.a = condition;
  emit(op);
  uses_.push_back({static_cast<std::uint32_t>(code_.ops.size() - 1), to.text, to.at});
}

void Assembler::jump(const Argument& to) {
  Op op;
  op.kind = OpKind::Jump;
  emit(op);
  uses_.push_back({static_cast<std::uint32_t>(code_.ops.size() - 1), to.text, to.at});
}

namespace {

// The C11 order that orders at least the same pairs, for machines that know no tags.
core::Order order_of(core::Tag tag) {
  axioms::Event e;
  e.tag = tag;
  const axioms::Pairs p = axioms::ordered_by(e);
  if (p.wr) return core::Order::SeqCst;
  if (p.ww && p.rr) return core::Order::AcqRel;
  if (p.ww) return core::Order::Release;
  if (p.rr || p.rw) return core::Order::Acquire;
  return core::Order::Relaxed;
}

}  // namespace

void Assembler::fence(core::Tag tag) {
  Op op;
  op.kind = OpKind::Fence;
  op.tag = tag;
  op.order = order_of(tag);
  emit(op);
}

bool Assembler::is_number(const Argument& a) const {
  std::string_view s = a.text;
  if (!s.empty() && (s[0] == '#' || s[0] == '$')) s.remove_prefix(1);
  if (!s.empty() && s[0] == '-') s.remove_prefix(1);
  return parse_number(s).has_value();
}

std::uint64_t Assembler::number(const Argument& a) const {
  std::string_view s = a.text;
  if (!s.empty() && (s[0] == '#' || s[0] == '$')) s.remove_prefix(1);
  const bool minus = !s.empty() && s[0] == '-';
  if (minus) s.remove_prefix(1);
  const auto n = parse_number(s);
  if (!n) bad(a, "is not a number");
  return minus ? 0 - *n : *n;
}

std::int64_t Assembler::number(const Argument& a, std::int64_t least, std::int64_t most) const {
  const auto n = static_cast<std::int64_t>(number(a));
  if (n < least || n > most) bad(a, fmt::format("is not between {} and {}, as this instruction wants it", least, most));
  return n;
}

void Assembler::arguments(std::size_t count) const { arguments(count, count); }
void Assembler::arguments(std::size_t least, std::size_t most) const {
  const std::size_t n = instruction_->args.size();
  if (n >= least && n <= most) return;
  throw Mistake{instruction_->at,
                least == most
                    ? fmt::format("'{}' takes {} operands, not {}", instruction_->mnemonic, least, n)
                    : fmt::format("'{}' takes {} to {} operands, not {}", instruction_->mnemonic, least, most, n),
                {}};
}

void Assembler::unknown() const {
  throw Mistake{instruction_->at, fmt::format("the instruction '{}' is not supported", instruction_->text), {}};
}

void Assembler::bad(const Argument& a, std::string_view what) {
  throw Mistake{a.at, fmt::format("'{}' {}", a.text, what), {}};
}

}  // namespace heddle::lang::litmus
