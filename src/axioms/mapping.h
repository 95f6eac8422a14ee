// What compilers emit for a C11 access: its order on the machine, and the fences and branches that stand around it. One
// table for C programs and for litmus tests in C. The axioms of sc, tso, pso, nsw, rmo, ra and rc11 take C11's orders
// as they are.
//
//   armv8   load acquire, seq_cst   ldar                store release, seq_cst   stlr
//           rmw, compare-exchange   ld(a)xr; st(l)xr    the acquire half and the release half, with a gap between them
//   armv8.1 the same, but a read-modify-write is one instruction of the large system extensions (ldaddal, swpal, casal)
//   riscv   load acquire   l; fence r,rw               load seq_cst   fence rw,rw; l; fence r,rw
//           store release, seq_cst                     fence rw,w; s
//           rmw            amo with .aq and .rl
//           compare-exchange   lr(.aq); sc(.rl), of seq_cst lr.aqrl; sc.rl
//   power   load acquire   ld; cmp; bc; isync          load seq_cst   sync; ld; cmp; bc; isync
//           store release  lwsync; st                  store seq_cst  sync; st
//           rmw, compare-exchange   lwsync or sync before (release, seq_cst), cmp; bc; isync after (acquire)
//           fetch_add and the like have a data dependency from their load to their store. (Not so under armv8, whose
//           verdicts are to hold under armv8.1, too: the one instruction there need not have it.)
//
// Sources: armv8 and power: Sewell et al., "C/C++11 mappings to processors" (power: Batty, Memarian, Owens, Sarkar,
// Sewell, POPL 2012); riscv: the unprivileged ISA manual, table A.6. The branch on the value that a compare-exchange
// makes is not counted as an order.
//
// A compare-exchange that fails has no store. Its load is of the kind that its failure order has: what every compiler
// must keep (ldaxr or casa, taken because the success order acquires, would order more). On power it has had the fence
// of its success order, and has cmp; bc; isync after it if its failure order acquires.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/fences.h"
#include "axioms/models.h"

namespace heddle::axioms {

// One event of a C11 access.
struct Access {
  EventKind kind = EventKind::Read;  // Read or Write
  bool rmw = false;                  // half of a read-modify-write, or a compare-exchange that failed
  bool compare_exchange = false;
  bool failed = false;
  core::Order order = core::Order::Plain;        // of a compare-exchange that failed: its failure order
  core::Order instruction = core::Order::Plain;  // as written; of a compare-exchange for success
};

struct Mapped {
  core::Tag before = 0, after = 0;  // fences; 0: none
  bool control = false;             // a branch on the read's value comes before what follows
  bool exclusive = false;           // half of a load-linked/store-conditional pair, not of an atomic instruction
  core::Order order = core::Order::Plain;
};

inline Mapped mapped_to_power(const Access& a) {
  const Tags& t = tags();
  const bool sc = a.order == core::Order::SeqCst, acquire = at_least_acquire(a.order);
  const bool read = a.kind == EventKind::Read;
  Mapped m{.exclusive = a.rmw, .order = core::Order::Relaxed};
  if (a.failed) {
    if (a.instruction == core::Order::SeqCst || sc) m.before = t.sync;
    else if (at_least_release(a.instruction)) m.before = t.lwsync;
    m.control = acquire;
    if (acquire) m.after = t.isync;
    return m;
  }
  if (read ? a.rmw || sc : !a.rmw) {
    if (sc) m.before = t.sync;
    else if (at_least_release(a.order)) m.before = t.lwsync;
  }
  m.control = acquire && read;
  if (acquire && read != a.rmw) m.after = t.isync;
  return m;
}

inline Mapped mapped_to_riscv(const Access& a) {
  const Tags& t = tags();
  const bool sc = a.order == core::Order::SeqCst, read = a.kind == EventKind::Read;
  const bool acquire = at_least_acquire(a.order), release = at_least_release(a.order);
  Mapped m{.order = core::Order::Relaxed};
  if (a.compare_exchange) {
    m.exclusive = true;
    if (read && sc) m.order = core::Order::AcqRel;
    else if (read && acquire) m.order = core::Order::Acquire;
    else if (!read && release) m.order = core::Order::Release;
  } else if (a.rmw) {
    m.order = sc ? core::Order::AcqRel : a.order;
  } else if (read && acquire) {
    if (sc) m.before = t.rv_fence[3][3];
    m.after = t.rv_fence[1][3];
  } else if (!read && release) {
    m.before = t.rv_fence[3][2];
  }
  return m;
}

inline Mapped mapped(Hardware hardware, const Access& a) {
  switch (hardware) {
    case Hardware::Power: return mapped_to_power(a);
    case Hardware::RiscV: return mapped_to_riscv(a);
    case Hardware::Arm: return {.exclusive = a.rmw, .order = a.order};
    case Hardware::ArmLse:
    case Hardware::None: break;
  }
  return {.order = a.order};
}

}  // namespace heddle::axioms
