// RC11, the repaired C11 model (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 3), and RA, which is RC11 with
// every access taken as release or acquire. Release sequences are the paper's: they go on through later writes of the
// same thread to the same location and through read-modify-writes. RC20 has those of C++20, through the latter only.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {
namespace {

// What goes on with a release sequence besides read-modify-writes: later writes of the same thread to the same location
// (C11, and the paper), or nothing (C++20, P0982).
enum class Sequences : std::uint8_t { C11, Cxx20 };

template <unsigned W>
struct Orders {
  EventSet<W> atomic, acquire, release, seq_cst;  // of accesses and fences alike
};

template <unsigned W>
Orders<W> orders_as_written(const Execution<W>& x) {
  using core::Order;
  Orders<W> o;
  for (EventId e = 0; e < x.size(); ++e) {
    const Order order = x.events[e].order;
    if (order != Order::Plain) o.atomic.add(e);
    if (at_least_acquire(order) && !x.writes.has(e)) o.acquire.add(e);
    if (at_least_release(order) && !x.reads.has(e)) o.release.add(e);
    if (order == Order::SeqCst) o.seq_cst.add(e);
  }
  return o;
}

template <unsigned W>
Orders<W> orders_all_acquire_release(const Execution<W>& x) {
  Orders<W> o = orders_as_written(x);
  o.atomic |= x.accesses;
  o.acquire |= x.reads;
  o.release |= x.writes;
  o.seq_cst -= x.accesses;
  return o;
}

template <unsigned W>
Relation<W> happens_before(const Execution<W>& x, const Orders<W>& o, Sequences sequences) {
  const auto before = closure(seq(x.rf, x.rmw));
  // From the head of a release sequence to its members.
  const auto own = sequences == Sequences::C11 ? maybe(x.po_loc) : x.id(x.writes);
  const auto same_thread = own.between(x.writes, x.writes & o.atomic);
  const auto sequence = same_thread | seq(same_thread, before);
  const auto observed = seq(sequence, x.rf.to(x.reads & o.atomic));
  const auto from_write = observed.from(o.release);
  const auto from_fence = seq(x.po.from(x.fences & o.release), observed);
  const auto begun = from_write | from_fence;
  const auto synchronises = begun.to(o.acquire) | seq(begun, x.po.to(x.fences & o.acquire));
  return closure(x.po | x.forced | x.lifted(synchronises));
}

template <unsigned W>
bool repaired_c11(const Execution<W>& x, const Orders<W>& o, Judge<W>& judge, Sequences sequences = Sequences::C11) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  if (!judge.acyclic("no-thin-air", x.lifted(x.po | x.forced | x.rf))) return false;

  const auto hb = happens_before(x, o, sequences);
  // Of accesses of different sizes each group of bytes has its own extended coherence order.
  auto eco = Relation<W>(x.size());
  if (x.slices.empty()) eco = closure(x.rf | x.co | x.fr);
  for (const auto& s : x.slices) {
    const auto of_slice = closure(s.rf | s.co | s.fr);
    if (!judge.irreflexive("coherence", seq(hb, of_slice))) return false;
    eco |= of_slice;
  }
  if (!judge.irreflexive("coherence", x.slices.empty() ? hb | seq(hb, eco) : hb)) return false;

  if (o.seq_cst.empty()) return true;
  const auto named = x.accesses | x.fences;  // what else a thread does is no event of the model
  const auto po_elsewhere = (x.po - x.loc).between(named, named);
  auto scb = x.po | seq(po_elsewhere, hb, po_elsewhere) | (hb & x.loc) | x.co | x.fr;
  if (!x.forced.empty()) {
    // A thread begins and ends with an event at no location: one that its creation precedes, and one before its join.
    const auto to_join = x.forced.to(x.fences), from_creation = x.forced.from(x.fences);
    scb |= seq(to_join, maybe(hb), po_elsewhere | from_creation) | seq(po_elsewhere, maybe(hb), from_creation);
  }
  const auto sc_fences = o.seq_cst & x.fences;
  const auto begins = x.id(o.seq_cst) | maybe(hb).from(sc_fences);
  const auto ends = x.id(o.seq_cst) | maybe(hb).to(sc_fences);
  const auto psc_base = seq(begins, scb, ends);
  const auto psc_fences = (hb | seq(hb, eco, hb)).between(sc_fences, sc_fences);
  return judge.acyclic("psc", x.lifted(psc_base | psc_fences));
}

}  // namespace

template <unsigned W>
bool rc11(const Execution<W>& x, Judge<W>& judge) {
  return repaired_c11(x, orders_as_written(x), judge);
}

template <unsigned W>
bool rc20(const Execution<W>& x, Judge<W>& judge) {
  return repaired_c11(x, orders_as_written(x), judge, Sequences::Cxx20);
}

template <unsigned W>
bool ra(const Execution<W>& x, Judge<W>& judge) {
  return repaired_c11(x, orders_all_acquire_release(x), judge);
}

template <unsigned W>
Relation<W> races(const Execution<W>& x, const Model& model) {
  const auto o = orders_as_written(x);
  const auto hb = happens_before(x, model.all_release_acquire ? orders_all_acquire_release(x) : o,
                                 model.thread_release_sequences ? Sequences::C11 : Sequences::Cxx20);
  const auto accesses = x.accesses - x.inits;
  auto conflict = (x.loc - x.same).between(accesses, accesses);
  conflict -= x.cross(x.reads, x.reads);
  conflict -= x.cross(o.atomic, o.atomic);
  conflict -= hb | inverse(hb);
  Relation<W> once(x.size());
  for (EventId a = 0; a < x.size(); ++a)
    conflict[a].each([&](EventId b) {
      if (a < b) once.add(a, b);
    });
  return once;
}

HEDDLE_FOR_ALL_WIDTHS(rc11)
HEDDLE_FOR_ALL_WIDTHS(rc20)
HEDDLE_FOR_ALL_WIDTHS(ra)
template Relation<1> races<1>(const Execution<1>&, const Model&);
template Relation<4> races<4>(const Execution<4>&, const Model&);
template Relation<16> races<16>(const Execution<16>&, const Model&);

}  // namespace heddle::axioms
