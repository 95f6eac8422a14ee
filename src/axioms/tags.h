// The tags (core/tags.h) that memory models know, resolved once. Front ends write exactly these names.
// Shareability domains are not told apart (one cluster): `dmb ish` is dmb.sy, `dmb ishld` dmb.ld, `dmb oshst` dmb.st.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/program.h"
#include "core/tags.h"

namespace heddle::axioms {

struct Tags {
  // accesses
  core::Tag acquire_pc = core::tag("acquire-pc");  // ARMv8 LDAPR
  core::Tag no_return =
      core::tag("no-return");  // ARMv8 STADD and the like: the read half of an atomic without a result
  // x86
  core::Tag mfence = core::tag("mfence"), lfence = core::tag("lfence"), sfence = core::tag("sfence");
  // ARMv8
  core::Tag dmb_sy = core::tag("dmb.sy"), dmb_ld = core::tag("dmb.ld"), dmb_st = core::tag("dmb.st");
  core::Tag dsb_sy = core::tag("dsb.sy"), dsb_ld = core::tag("dsb.ld"), dsb_st = core::tag("dsb.st");
  core::Tag isb = core::tag("isb");
  // POWER
  core::Tag sync = core::tag("sync"), lwsync = core::tag("lwsync"), eieio = core::tag("eieio"),
            isync = core::tag("isync");
  // RISC-V: fence pred,succ with r = 1, w = 2: rv_fence[pred][succ]
  core::Tag rv_fence[4][4] = {};
  core::Tag fence_tso = core::tag("fence.tso"), fence_i = core::tag("fence.i");
  // SPARC membar #StoreStore and the like are rv_fence with the same meaning.

  Tags() {
    const char* set[] = {"", "r", "w", "rw"};
    for (int p = 1; p < 4; ++p)
      for (int s = 1; s < 4; ++s) rv_fence[p][s] = core::tag(std::string("fence.") + set[p] + "." + set[s]);
  }
};

inline const Tags& tags() {
  static const Tags resolved;
  return resolved;
}

}  // namespace heddle::axioms
