// The programs of ground-truth/executions.csv, written by hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/mini_program.h"

namespace heddle::test {

using core::Order;

inline void store_buffering(MiniProgram& p) {
  const auto x = p.variable("x"), y = p.variable("y");
  p.thread().store(x, 1).load(1, y);
  p.thread().store(y, 1).load(1, x);
  p.seal();
}
inline void message_passing(MiniProgram& p) {
  const auto x = p.variable("x"), y = p.variable("y");
  p.thread().store(x, 1).store(y, 1);
  p.thread().load(1, y).load(2, x);
  p.seal();
}
inline void load_buffering(MiniProgram& p) {
  const auto x = p.variable("x"), y = p.variable("y");
  p.thread().load(1, x).store(y, 1);
  p.thread().load(1, y).store(x, 1);
  p.seal();
}
inline void iriw(MiniProgram& p) {
  const auto x = p.variable("x"), y = p.variable("y");
  p.thread().store(x, 1);
  p.thread().store(y, 1);
  p.thread().load(1, x).load(2, y);
  p.thread().load(1, y).load(2, x);
  p.seal();
}

// n threads, each k times: v = load(c); while (!CAS(&c, &v, v + 1)); main creates, joins, loads.
inline void counting(MiniProgram& p, int n, int k) {
  const auto c = p.variable("c");
  auto& main = p.thread();
  p.keep_at_end = 0;
  for (int i = 0; i < n; ++i) main.spawn(static_cast<unsigned>(i), 1, 0);
  for (int i = 0; i < n; ++i) main.join(static_cast<unsigned>(i));
  main.load(1, c, Order::SeqCst).check(1, Cmp::Eq, n * k);
  auto& t = p.body();
  for (int i = 0; i < k; ++i) {
    t.load(1, c, Order::SeqCst);
    const auto again = t.here();
    t.compute(2, Alu::Add, Reg{1}, 1).cas(3, c, Reg{1}, Reg{2}, Order::SeqCst, Order::SeqCst);
    const auto done = t.branch(3, Cmp::Eq, Reg{1});
    t.move(1, Reg{3}).move(4, 0);
    t.branch(4, Cmp::Eq, 0, again);
    t.land(done);
  }
  p.seal();
}

inline void lastzero(MiniProgram& p, int n) {
  const auto a = p.variable("a", static_cast<std::uint32_t>(n) + 1);
  auto& reader = p.thread();
  reader.move(1, n);
  const auto again = reader.here();
  reader.load(2, p.cell(a, Reg{1}), Order::Acquire);
  const auto done = reader.branch(2, Cmp::Eq, 0);
  reader.compute(1, Alu::Sub, Reg{1}, 1).move(3, 0);
  reader.branch(3, Cmp::Eq, 0, again);
  reader.land(done);
  for (int i = 1; i <= n; ++i)
    p.thread()
        .load(1, p.cell(a, i - 1), Order::Acquire)
        .compute(1, Alu::Add, Reg{1}, 1)
        .store(p.cell(a, i), Reg{1}, Order::Release);
  p.seal();
}

inline void indexer(MiniProgram& p, int n) {
  const auto table = p.variable("table", 128);
  p.keep_at_end = 0;
  for (int i = 0; i < n; ++i) {
    auto& t = p.thread();
    for (int m = 0; m < 4; ++m) {
      const int w = i + m * 11;
      t.move(1, (w * 7) % 128);
      const auto again = t.here();
      t.cas(2, p.cell(table, Reg{1}), 0, w);
      const auto done = t.branch(2, Cmp::Eq, 0);
      t.compute(1, Alu::Add, Reg{1}, 1).compute(1, Alu::Mod, Reg{1}, 128).move(3, 0);
      t.branch(3, Cmp::Eq, 0, again);
      t.land(done);
    }
  }
  p.seal();
}

}  // namespace heddle::test
