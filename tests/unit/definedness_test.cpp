// Definedness by bit against brute force: an operand with undefined bits stands for all values that agree with it in
// the others, and what differs between two results must be undefined.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/rmw.h"
#include "vm/arithmetic.h"

namespace heddle {
namespace {

constexpr unsigned width = 4;
constexpr std::uint64_t all = 0xf;

struct Operand {
  std::uint64_t bits, undefined;
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> list;
    for (std::uint64_t v = 0; v <= all; ++v)
      if ((v & ~undefined) == bits) list.push_back(v);
    return list;
  }
};

std::vector<Operand> operands() {
  std::vector<Operand> list;
  for (std::uint64_t undefined = 0; undefined <= all; ++undefined)
    for (std::uint64_t bits = 0; bits <= all; ++bits)
      if ((bits & undefined) == 0) list.push_back({bits, undefined});
  return list;
}

// What the results have in common, and in which bits they differ.
template <class F>
Operand results(const Operand& a, const Operand& b, unsigned w, F f) {
  std::uint64_t ones = vm::mask_of(w), some = 0;
  for (const auto x : a.values())
    for (const auto y : b.values()) {
      const auto r = f(x, y) & vm::mask_of(w);
      ones &= r;
      some |= r;
    }
  return {ones, some & ~ones};
}

std::int64_t sign(std::uint64_t x) { return x >= 8 ? static_cast<std::int64_t>(x) - 16 : static_cast<std::int64_t>(x); }

struct Row {
  vm::Op op;
  std::uint64_t (*f)(std::uint64_t, std::uint64_t);
  unsigned result = width;
  bool exact = true;  // false: more may be undefined than differs
};

const Row rows[] = {
    {vm::Op::And, [](std::uint64_t x, std::uint64_t y) { return x & y; }},
    {vm::Op::Or, [](std::uint64_t x, std::uint64_t y) { return x | y; }},
    {vm::Op::Xor, [](std::uint64_t x, std::uint64_t y) { return x ^ y; }},
    {vm::Op::Add, [](std::uint64_t x, std::uint64_t y) { return x + y; }, width, false},
    {vm::Op::Sub, [](std::uint64_t x, std::uint64_t y) { return x - y; }, width, false},
    {vm::Op::Mul, [](std::uint64_t x, std::uint64_t y) { return x * y; }, width, false},
    {vm::Op::Eq, [](std::uint64_t x, std::uint64_t y) { return std::uint64_t{x == y}; }, 1},
    {vm::Op::Ne, [](std::uint64_t x, std::uint64_t y) { return std::uint64_t{x != y}; }, 1},
    {vm::Op::ULt, [](std::uint64_t x, std::uint64_t y) { return std::uint64_t{x < y}; }, 1},
    {vm::Op::ULe, [](std::uint64_t x, std::uint64_t y) { return std::uint64_t{x <= y}; }, 1},
    {vm::Op::SLt, [](std::uint64_t x, std::uint64_t y) { return std::uint64_t{sign(x) < sign(y)}; }, 1},
    {vm::Op::SLe, [](std::uint64_t x, std::uint64_t y) { return std::uint64_t{sign(x) <= sign(y)}; }, 1},
};

void expect_covered(const Operand& brute, const vm::Cell& cell, unsigned w, bool exact, const char* what) {
  const auto undefined = vm::undefined_bits(cell, w), bits = vm::defined_bits(cell);
  EXPECT_EQ(brute.undefined & ~undefined, 0u) << what;
  EXPECT_EQ(bits & undefined, 0u) << what << ": undefined bits are zero";
  EXPECT_EQ(bits, brute.bits & ~undefined) << what;
  if (exact) {
    EXPECT_EQ(undefined, brute.undefined) << what;
  }
}

TEST(Definedness, Binary) {
  for (const Row& row : rows)
    for (const Operand& a : operands())
      for (const Operand& b : operands()) {
        const auto cell = vm::binary(row.op, width, vm::make_cell(a.bits, a.undefined, width),
                                     vm::make_cell(b.bits, b.undefined, width));
        expect_covered(results(a, b, row.result, row.f), cell.cell, row.result, row.exact, vm::name_of(row.op));
        if (HasFailure()) return;
      }
}

TEST(Definedness, ShiftsByDefinedAmounts) {
  for (const Operand& a : operands())
    for (std::uint64_t by = 0; by < width; ++by) {
      const Operand b{by, 0};
      const auto shifted = [&](vm::Op op) {
        return vm::binary(op, width, vm::make_cell(a.bits, a.undefined, width), {by, 0}).cell;
      };
      expect_covered(results(a, b, width, [](auto x, auto y) { return x << y; }), shifted(vm::Op::Shl), width, true,
                     "Shl");
      expect_covered(results(a, b, width, [](auto x, auto y) { return x >> y; }), shifted(vm::Op::LShr), width, true,
                     "LShr");
      expect_covered(results(a, b, width, [](auto x, auto y) { return static_cast<std::uint64_t>(sign(x) >> y); }),
                     shifted(vm::Op::AShr), width, true, "AShr");
    }
}

TEST(Definedness, CastsAndSelect) {
  for (const Operand& a : operands()) {
    const vm::Cell cell = vm::make_cell(a.bits, a.undefined, width);
    const Operand none{0, 0};
    expect_covered(results(a, none, 2, [](auto x, auto) { return x; }), vm::trunc(2, cell).cell, 2, true, "trunc");
    expect_covered(results(a, none, 12, [](auto x, auto) { return x; }), vm::zero_extend(width, 12, cell).cell, 12,
                   true, "zext");
    expect_covered(results(a, none, 12, [](auto x, auto) { return static_cast<std::uint64_t>(sign(x)); }),
                   vm::sign_extend(width, 12, cell).cell, 12, true, "sext");
    for (const Operand& b : operands()) {
      const auto either = vm::select(width, {0, 1}, cell, vm::make_cell(b.bits, b.undefined, width));
      const std::uint64_t differ = a.undefined | b.undefined | (a.bits ^ b.bits);
      EXPECT_EQ(vm::undefined_bits(either, width), differ);
    }
  }
}

TEST(Definedness, ReadModifyWrite) {
  struct {
    core::RmwOp op;
    std::uint64_t (*f)(std::uint64_t, std::uint64_t);
  } const ops[] = {{core::RmwOp::And, rows[0].f},
                   {core::RmwOp::Or, rows[1].f},
                   {core::RmwOp::Xor, rows[2].f},
                   {core::RmwOp::Add, rows[3].f},
                   {core::RmwOp::Sub, rows[4].f}};
  for (const auto& row : ops)
    for (const Operand& a : operands())
      for (const Operand& b : operands()) {
        core::Value x(a.bits), y(b.bits);
        x.undefined = a.undefined;
        y.undefined = b.undefined;
        const core::Value r = core::rmw_result(row.op, x, y, 1);
        const Operand brute = results(a, b, 8, row.f);
        EXPECT_EQ(brute.undefined & ~r.undefined, 0u);
        EXPECT_EQ(r.bits, brute.bits & ~r.undefined);
        if (HasFailure()) return;
      }
}

// A far pointer keeps its object, subtracts by its offset, compares as an address modulo 2⁶⁴ does, and comes back.
TEST(Pointers, FarOffsets) {
  const vm::Cell p{std::uint64_t{7} << 32 | 16, vm::pointer_mark}, q{std::uint64_t{8} << 32, vm::pointer_mark};
  for (const std::int64_t by : {std::int64_t{1} << 31, std::int64_t{1} << 33, -(std::int64_t{1} << 32),
                                std::int64_t{1} << 62, -(std::int64_t{1} << 62)}) {
    const auto there = vm::pointer_add(p, {static_cast<std::uint64_t>(by), 0}).cell;
    EXPECT_EQ(vm::upper(there.bits), 7u);
    EXPECT_EQ(vm::offset_of(there), 16 + by);
    EXPECT_EQ(vm::binary(vm::Op::Sub, 64, there, p).cell.bits, static_cast<std::uint64_t>(by));
    EXPECT_EQ(vm::binary(vm::Op::Eq, 64, there, q).cell.bits, 0u);
    EXPECT_EQ(vm::binary(vm::Op::ULt, 64, p, there).cell.bits, by > 0 || by < -(std::int64_t{1} << 47));
    const auto back = vm::pointer_add(there, {static_cast<std::uint64_t>(-by), 0}).cell;
    EXPECT_EQ(back.bits, p.bits);
    EXPECT_EQ(back.mark, p.mark);
  }
  EXPECT_EQ(static_cast<std::int64_t>(vm::scaled(std::uint64_t{1} << 62, 4)), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace heddle
