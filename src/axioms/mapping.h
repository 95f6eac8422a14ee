// What compilers emit for a C11 access, as the fences that stand around it. The axioms of armv8, tso and pso know C11's
// orders themselves; for power and riscv the fences of the standard mappings do it (power: Batty, Memarian, Owens,
// Sarkar, Sewell, POPL 2012, "Clarifying and compiling C/C++ concurrency"; riscv: the unprivileged ISA manual, table
// A.6).
//
//   power   load acquire   ld; cmp; bc; isync          load seq_cst   sync; ld; cmp; bc; isync
//           store release  lwsync; st                  store seq_cst  sync; st
//           rmw            lwsync or sync before (release, seq_cst), cmp; bc; isync after (acquire)
//           compare-exchange   as rmw; one that fails has had the fence of its success order, and has cmp; bc; isync
//           after it
//                          if its failure order acquires (the branch of a relaxed one is not counted as an order)
//   riscv   load acquire   l; fence r,rw               load seq_cst   fence rw,rw; l; fence r,rw
//           store release, seq_cst                     fence rw,w; s
//           rmw            amo with .aq and .rl: the order stays with the access
//
// A compare-exchange that fails has no store, and its load is of the kind that its failure order has: what every
// compiler must keep (ldaxr or casa, taken because the success order acquires, would order more). On armv8
// read-modify-writes are taken as the single instructions of the large system extensions (swpal, casal, ldaddal), not
// as ldaxr/stlxr loops, which order a little less after the store.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "axioms/fences.h"

namespace heddle::axioms {

struct Mapped {
  core::Tag before = 0, after = 0;  // fences; 0: none
  bool control = false;             // a branch on the read's value comes before what follows
  bool order_kept = true;           // otherwise the access itself has no order any more
};

// `mapping` is Model::mapping.
// `instruction`: the order that a compare-exchange has for success; `failed`: it did not succeed.
inline Mapped mapped(std::string_view mapping, EventKind kind, bool rmw, core::Order order, core::Order instruction,
                     bool failed) {
  const Tags& t = tags();
  const bool sc = order == core::Order::SeqCst, acquire = at_least_acquire(order), release = at_least_release(order);
  const bool read = kind == EventKind::Read;
  Mapped m;
  if (mapping == "power") {
    m.order_kept = false;
    if (failed) {
      if (instruction == core::Order::SeqCst || sc) m.before = t.sync;
      else if (at_least_release(instruction)) m.before = t.lwsync;
      m.control = acquire;
      if (acquire) m.after = t.isync;
      return m;
    }
    if (read ? rmw || sc : !rmw) {
      if (sc) m.before = t.sync;
      else if (release) m.before = t.lwsync;
    }
    if (acquire && read) m.control = true;
    if (acquire && read != rmw) m.after = t.isync;
  } else if (mapping == "riscv" && !rmw) {
    m.order_kept = false;
    if (read && acquire) {
      if (sc) m.before = t.rv_fence[3][3];
      m.after = t.rv_fence[1][3];
    } else if (!read && release) {
      m.before = t.rv_fence[3][2];
    }
  }
  return m;
}

}  // namespace heddle::axioms
