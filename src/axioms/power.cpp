// IBM POWER as in "Herding cats" (Alglave, Maranget, Tautschnig, TOPLAS 2014, sections 4 and 6): no thin air,
// observation, propagation; preserved program order is the least solution of four mutually recursive relations between
// the beginnings (i) and the commits (c) of instructions.
// A C11 fence is `sync` if seq_cst and `lwsync` otherwise.
//
// One axiom more, which herd7's model of POWER has and the article has not: the writes of
// load-reserve/store-conditional pairs of one thread take their places in coherence in program order, whatever their
// locations. The reason is in Sarkar et al., PLDI 2012, "Synchronising C/C++ and POWER": such instructions of one
// thread are committed in order. An atomic instruction of C11 is such a pair.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {
namespace {

// `rdw`: reads of one location that see different writes, the later one another thread's; `detour`: a write and a later
// read of its location that sees a later write of another thread.
template <unsigned W>
Relation<W> preserved(const Execution<W>& x, const Relation<W>& rdw, const Relation<W>& detour) {
  const Tags& t = tags();
  const auto isync = x.where([&](const Event& e) { return e.kind == EventKind::Fence && e.tag == t.isync; });
  const auto dd = x.addr | x.data;
  const auto ctrl_isync = seq(x.ctrl.to(isync), x.po);

  const auto ci0 = ctrl_isync | detour;
  const auto ii0 = dd | x.rfi | rdw;
  const auto cc0 = dd | x.po_loc | x.ctrl | seq(x.addr, x.po);
  if (ci0.empty()) {  // then so is ci, and the others are sequences of ii, of cc, and of ii before cc
    const auto ii = closure(ii0), cc = closure(cc0);
    return ii.between(x.reads, x.reads) | (ii | cc | seq(ii, cc)).between(x.reads, x.writes);
  }
  Relation<W> ii = ii0, ic(x.size()), ci = ci0, cc = cc0;
  for (;;) {
    const auto ii2 = ii | ci | seq(ic, ci) | seq(ii, ii);
    const auto ic2 = ic | ii2 | cc | seq(ic, cc) | seq(ii2, ic);
    const auto ci2 = ci | seq(ci, ii2) | seq(cc, ci);
    const auto cc2 = cc | ci2 | seq(ci2, ic2) | seq(cc, cc);
    const bool stable = ii2 == ii && ic2 == ic && ci2 == ci && cc2 == cc;
    ii = ii2;
    ic = ic2;
    ci = ci2;
    cc = cc2;
    if (stable) break;
  }
  return ii.between(x.reads, x.reads) | ic.between(x.reads, x.writes);
}

// The fences of this strength: this instruction, and the C11 fences that are compiled to it.
template <unsigned W>
EventSet<W> fences(const Execution<W>& x, core::Tag tag, bool strong) {
  return x.where([&](const Event& e) {
    if (e.kind != EventKind::Fence) return false;
    return e.tag == tag ||
           (e.tag == 0 && e.order >= core::Order::Acquire && (e.order == core::Order::SeqCst) == strong);
  });
}

template <unsigned W>
Relation<W> weakly_fenced(const Execution<W>& x) {
  auto kept = x.fenced(fences(x, tags().lwsync, false)).between(x.accesses, x.accesses);
  x.writes.each([&](EventId e) { kept[e] -= x.reads; });
  const auto eieio = x.where([](const Event& e) { return e.kind == EventKind::Fence && e.tag == tags().eieio; });
  if (!eieio.empty()) kept |= x.fenced(eieio).between(x.writes, x.writes);
  return kept;
}

}  // namespace

template <unsigned W>
Relation<W> power_strong(const Execution<W>& x) {
  return x.fenced(fences(x, tags().sync, true)).between(x.accesses, x.accesses);
}

template <unsigned W>
Relation<W> power_fenced(const Execution<W>& x) {
  return power_strong(x) | weakly_fenced(x);
}

// By coherence a read that sees another thread's write, and not the one that an earlier read of the location saw, sees
// a later one; so does a read after an own write.
template <unsigned W>
Relation<W> power_local(const Execution<W>& x) {
  const auto later = x.po_loc.to(x.rfe.range());
  const auto rdw = later.from(x.reads) - seq(inverse(x.rf), x.rf);
  return preserved(x, rdw, later.from(x.writes)) | power_fenced(x);
}

template <unsigned W>
bool power(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  const auto strong = x.lifted(power_strong(x)), fence = strong | x.lifted(weakly_fenced(x));

  const auto ppo = preserved(x, x.po_loc & seq(x.fre, x.rfe), x.po_loc & seq(x.coe, x.rfe));
  const auto hb = x.lifted(ppo | fence | x.rfe | x.forced);
  if (!judge.acyclic("no-thin-air", hb)) return false;

  const auto hb_star = star(hb);
  const auto prop_base = seq(maybe(x.lifted(x.rfe)), fence, hb_star) | x.forced;
  const auto com_star = star(x.lifted(x.rf | x.co | x.fr));
  const auto prop = prop_base.between(x.writes, x.writes) | seq(com_star, star(prop_base), strong | x.forced, hb_star);
  if (!judge.irreflexive("observation", seq(x.lifted(x.fre), prop, hb_star))) return false;
  if (!judge.acyclic("propagation", x.lifted(x.co | prop))) return false;

  const auto reserving = x.where([](const Event& e) { return e.in_rmw || e.exclusive; });
  return judge.acyclic("reservations in order", x.co | x.po.between(reserving, reserving));
}

HEDDLE_FOR_ALL_WIDTHS(power)
HEDDLE_LOCAL_FOR_ALL_WIDTHS(power_local)
HEDDLE_LOCAL_FOR_ALL_WIDTHS(power_fenced)
HEDDLE_LOCAL_FOR_ALL_WIDTHS(power_strong)

}  // namespace heddle::axioms
