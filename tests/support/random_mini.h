// Small random programs with every kind of access, fence and dependency, by a seed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <random>
#include <string>

#include "core/tags.h"
#include "support/mini_program.h"

namespace heddle::test {

struct RandomShape {
  unsigned threads = 3, variables = 2, operations = 3;
  bool orders = true;  // acquire, release, seq_cst, plain; otherwise relaxed only
  bool loops = false;  // waiting in spin loops; with `assumed` the loops are assumptions instead
  bool rmws = true;
  bool mixed = false;     // variables are bytes; the first is two, accessed together or one by one
  bool fences = false;    // every other operation is a fence, of C11 or of a machine; accesses are as `orders` has it
  bool sections = false;  // accesses may be joined to the one before as an atomic section; without `loops`
};

inline constexpr const char* machine_fences[] = {"lwsync",     "eieio",  "isync",     "isb", "dmb.ld",
                                                 "fence.r.rw", "dmb.st", "fence.w.w", "sync"};

// Writes one thread; `value` is the next number that nobody has stored yet.
inline void random_body(MiniThread& th, const std::vector<Place>& x, std::mt19937& random, int& value,
                        const RandomShape& shape, bool assumed = false) {
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  using core::Order;
  const auto load_order = [&] {
    const Order o[] = {Order::Relaxed, Order::Relaxed, Order::Acquire, Order::SeqCst};
    return shape.orders ? o[pick(4)] : Order::Relaxed;
  };
  const auto store_order = [&] {
    const Order o[] = {Order::Relaxed, Order::Relaxed, Order::Release, Order::SeqCst};
    return shape.orders ? o[pick(4)] : Order::Relaxed;
  };
  const auto rmw_order = [&] {
    const Order o[] = {Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst};
    return shape.orders ? o[pick(5)] : Order::Relaxed;
  };
  // What follows a loop depends on its last load, as it does behind a branch.
  const auto assume = [&](unsigned r, Cmp c) {
    th.assume(r, c, 0);
    th.land(th.branch(r, Cmp::Eq, 0));
  };
  unsigned loaded = 0;  // registers 1 … loaded hold loads
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t access = none;  // the operation before, if it is one that a section may begin with or go on after
  const unsigned n = 1 + pick(shape.operations);
  for (unsigned i = 0; i < n; ++i) {
    const Place v = x[pick(shape.mixed ? static_cast<unsigned>(x.size()) : shape.variables)];
    const auto operand = [&]() -> Operand {
      if (loaded > 0 && pick(3) == 0) return Reg{static_cast<std::uint8_t>(1 + pick(loaded))};
      return value++ * (shape.mixed ? 0x101 : 1);
    };
    const unsigned what = shape.fences && i % 2 == 1 ? 7 : pick(shape.rmws ? 12 : 9);
    const unsigned r = loaded < 5 ? loaded + 1 : 5;
    std::uint32_t skip = 0;
    const bool conditional = loaded > 0 && pick(5) == 0;
    if (conditional) skip = th.branch(1 + pick(loaded), Cmp::Eq, 0);
    switch (what) {
      case 0:
      case 1:
      case 2:
        if (!conditional && shape.loops && pick(3) == 0) {
          const auto again = th.here();
          th.load(r, v, load_order());
          if (assumed) assume(r, Cmp::Ne);
          else th.branch(r, Cmp::Eq, 0, again);
        } else {
          th.load(r, v, load_order());
        }
        if (!conditional) loaded = r;
        break;
      case 3:
      case 4:
      case 5:
      case 6: {
        const Operand o = operand();
        th.store(v, o, store_order());
        break;
      }
      case 7:
      case 8: {
        const Order o[] = {Order::SeqCst, Order::SeqCst, Order::Acquire, Order::Release, Order::AcqRel};
        if (shape.fences && pick(2)) th.fence(Order::Plain, core::tag(machine_fences[pick(std::size(machine_fences))]));
        else th.fence(shape.orders || shape.fences ? o[pick(5)] : Order::SeqCst);
        break;
      }
      case 9: {
        const Operand o = operand();
        th.rmw(r, pick(2) ? core::RmwOp::Xchg : core::RmwOp::Add, v, o, rmw_order());
        if (!conditional) loaded = r;
        break;
      }
      default: {
        const Operand o = operand();
        const Order order = rmw_order();
        const Order failure =
            shape.orders && pick(2) ? (order == Order::SeqCst ? Order::SeqCst : Order::Relaxed) : Order::Relaxed;
        if (!conditional && shape.loops && pick(2) == 0) {
          const auto again = th.here();
          th.cas(r, v, 0, o, order, failure);
          if (assumed) assume(r, Cmp::Eq);
          else th.branch(r, Cmp::Ne, 0, again);
        } else {
          th.cas(r, v, pick(2) ? 0 : 1, o, order, failure);
        }
        if (!conditional) loaded = r;
        break;
      }
    }
    if (conditional) th.land(skip);
    if (!shape.sections) continue;
    const bool may_be_inside = !conditional && what != 7 && what != 8;
    if (may_be_inside && access != none && pick(2) == 0) {
      th.ops[access].locked = true;
      th.locked().joined();
    }
    access = may_be_inside ? th.ops.size() - 1 : none;
  }
}

// The same seed and shape give the same program; `assumed` is the only difference between two of them.
inline void random_mini(MiniProgram& p, unsigned seed, const RandomShape& shape, bool assumed = false) {
  std::mt19937 random(seed);
  std::vector<Place> x;
  for (unsigned v = 0; v < shape.variables; ++v) x.push_back(p.variable(std::string(1, static_cast<char>('x' + v))));
  if (shape.mixed) {
    for (Place& v : x) v = MiniProgram::part(v, 0, 1);
    x.push_back(x[0]);
    x.push_back(MiniProgram::part(x[0], 1, 1));
    x[0] = MiniProgram::part(x[0], 0, 2);
    x.push_back(x[0]);
  }
  int value = 1;
  const unsigned threads = 2 + static_cast<unsigned>(random() % (shape.threads - 1));
  for (unsigned t = 0; t < threads; ++t) random_body(p.thread(), x, random, value, shape, assumed);
  p.seal();
}

}  // namespace heddle::test
