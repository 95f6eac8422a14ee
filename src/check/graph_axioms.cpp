// SPDX-License-Identifier: Apache-2.0
#include "check/graph_axioms.h"

#include <algorithm>
#include <map>
#include <optional>

#include "axioms/mapping.h"
#include "axioms/models.h"
#include "check/phases.h"
#include "core/address_deps.h"
#include "support/diagnostics.h"

namespace heddle::check {

namespace {

using Kind = core::WitnessEvent::Kind;

// Where the events of a phase stand in an Execution.
class Places {
 public:
  Places(std::size_t begin, std::size_t end) : begin_(begin), places_(end - begin, 0) {}
  std::uint32_t& operator[](std::size_t event) { return places_[index(event)]; }
  std::uint32_t operator[](std::size_t event) const { return places_[index(event)]; }

 private:
  std::size_t index(std::size_t event) const {
    HEDDLE_ASSERT(event >= begin_ && event - begin_ < places_.size());
    return event - begin_;
  }

  std::size_t begin_;
  std::vector<std::uint32_t> places_;
};

class Judgement {
 public:
  Judgement(const RunGraph& g, const Variation& v)
      : witness_(g.witness), requests_(g.requests), loads_(g.loads), deps_(g.deps), change_(v), index_(g.witness) {}

  Ruling run() {
    const axioms::Model* model = axioms::find_model(witness_.model);
    if (model == nullptr) return {Ruling::Kind::Unknown, "there is no model " + witness_.model};
    const std::vector<Phase> phases = phases_of(witness_);
    why_ = out_of_phase(witness_, phases);
    for (const auto& [a, b] : change_.ordered)
      if (a > b && !one_phase(phases, a, b)) why_ = "the model forbids it (phases)";
    for (const Phase& phase : phases) {
      if (phase.serial || !why_.empty()) continue;
      begin_ = phase.begin;
      end_ = phase.end;
      if (!judged<1>(*model) && !judged<4>(*model) && !judged<16>(*model) && !judged<64>(*model))
        return {Ruling::Kind::Unknown, "the execution is too large for its axioms to be evaluated"};
    }
    return {why_.empty() ? Ruling::Kind::Allowed : Ruling::Kind::Forbidden, why_};
  }

 private:
  static bool one_phase(const std::vector<Phase>& phases, std::size_t a, std::size_t b) {
    return std::ranges::any_of(
        phases, [&](const Phase& p) { return !p.serial && p.begin <= a && a < p.end && p.begin <= b && b < p.end; });
  }

  // A phase as an execution of the axioms.
  template <unsigned W>
  struct Drawn {
    Drawn(std::size_t begin, std::size_t end, std::size_t threads) : place(begin, end), of_thread(threads) {}
    axioms::Execution<W> x;
    std::map<core::Loc, std::uint32_t> first;  // what stands for the writes to a location before the phase
    Places place;                              // of the witness's events in x
    std::vector<std::vector<std::uint32_t>> of_thread;
    std::vector<std::uint32_t> controls;                        // accesses on which all that follows depends by control
    std::vector<std::pair<std::size_t, std::uint32_t>> behind;  // accesses with a fence behind them, and that fence

    void push(core::Tid t, axioms::Event e) {
      e.thread = static_cast<std::uint16_t>(t);
      e.index = static_cast<std::uint32_t>(of_thread[t].size());
      of_thread[t].push_back(x.size());
      x.events.push_back(e);
    }
  };

  // The phase begin_ … end_: the last write to a location before it is the initial one. False if there are more events
  // than W has room for.
  template <unsigned W>
  bool judged(const axioms::Model& model) {
    Drawn<W> drawn(begin_, end_, witness_.threads.size());
    axioms::Execution<W>& x = drawn.x;
    draw_initial_writes(drawn);
    std::uint32_t whole_at = 0;  // the event of the access that the current piece belongs to
    for (core::Tid t = 0; t < witness_.threads.size(); ++t)
      for (std::size_t i = begin_; i < end_; ++i)
        if (witness_.events[i].thread == t) draw(model, i, drawn, whole_at);
    if (x.size() > 64 * W) return false;
    x.reset();
    relate_in_program(model, drawn);
    for (std::size_t i = begin_; i < end_; ++i) relate(model, i, drawn);
    const bool cut = slice(x, drawn.place, drawn.first);
    if (!cut) x.co = closure(x.co);
    const auto around = maybe(x.po);
    if (!x.forced.empty()) x.forced = closure(seq(seq(around, x.forced), around));
    for (const auto& [a, b] : change_.ordered)
      if (a >= begin_ && a < end_ && b >= begin_ && b < end_) x.forced.add(drawn.place[a], drawn.place[b]);
    x.derive_static();
    x.derive();
    join_steps(drawn);
    if (cut) return judge(model, x);
    // Coherence must order all writes of a location.
    for (std::uint32_t a = 0; a < x.size(); ++a)
      for (std::uint32_t b = 0; b < x.size(); ++b)
        if (a != b && x.writes.has(a) && x.writes.has(b) && x.events[a].loc == x.events[b].loc &&
            x.co.has(a, b) == x.co.has(b, a))
          why_ = "coherence is no order";
    return judge(model, x);
  }

  template <unsigned W>
  void draw_initial_writes(Drawn<W>& drawn) const {
    for (std::size_t i = begin_; i < end_; ++i)
      if (const auto& e = witness_.events[i]; e.kind == Kind::Read || e.kind == Kind::Write)
        drawn.first.try_emplace(e.loc, 0);
    for (auto& [loc, at] : drawn.first) {
      at = drawn.x.size();
      axioms::Event init;
      init.kind = axioms::EventKind::Init;
      init.loc = loc;
      drawn.x.events.push_back(init);
    }
  }

  // Event i as the model's instructions for it: pieces of one access are one event, with the fences that the mapping
  // puts around it.
  template <unsigned W>
  void draw(const axioms::Model& model, std::size_t i, Drawn<W>& drawn, std::uint32_t& whole_at) {
    const auto& e = witness_.events[i];
    const core::Order order = order_of(i);
    axioms::Event out;
    out.order = order;
    out.tag = e.tag;
    out.loc = e.pieces > 1 ? requests_[i].loc : e.loc;
    out.value = e.value;
    out.in_rmw = e.rmw;
    axioms::Mapped m;
    if (e.kind == Kind::Read || e.kind == Kind::Write) {
      out.kind = e.kind == Kind::Read ? axioms::EventKind::Read : axioms::EventKind::Write;
      out.instruction = order == e.order ? requests_[i].order : order;
      m = axioms::mapped(model.hardware, {out.kind, e.rmw, requests_[i].op == core::RmwOp::Cas,
                                          e.rmw && e.kind == Kind::Read && !has_write(i), order, out.instruction});
      out.order = m.order;
      out.exclusive = m.exclusive;
      out.in_rmw = e.rmw && !m.exclusive;
    } else if (e.kind == Kind::Free) {  // a write that nobody else sees
      out.kind = axioms::EventKind::Write;
      out.loc = {e.value.object(), 0xffffff00, 1};
    } else if (e.kind == Kind::Spawn || e.kind == Kind::Join) {
      if (!model.language) out.order = core::Order::SeqCst;
    } else if (e.kind != Kind::Fence || (e.order == core::Order::Plain && e.tag == 0)) {
      out.kind = axioms::EventKind::Branch;  // a choice, an allocation, a question: no event of the model
    }
    axioms::Event fence;
    if (e.piece == 0) {
      if (std::ranges::find(change_.fences, i) != change_.fences.end()) {
        axioms::Event full;
        full.order = core::Order::SeqCst;
        drawn.push(e.thread, full);
      }
      if (m.before) {
        fence.tag = m.before;
        drawn.push(e.thread, fence);
      }
      whole_at = drawn.x.size();
      drawn.push(e.thread, out);
      if (m.control) drawn.controls.push_back(whole_at);
    }
    drawn.place[i] = whole_at;
    if (m.after && e.piece + 1 == e.pieces) {
      fence.tag = m.after;
      drawn.behind.emplace_back(i, drawn.x.size());
      drawn.push(e.thread, fence);
    }
  }

  // Program order, and the control dependencies that the mapping makes.
  template <unsigned W>
  void relate_in_program(const axioms::Model& model, Drawn<W>& drawn) const {
    axioms::Execution<W>& x = drawn.x;
    for (const auto& list : drawn.of_thread)
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b) x.po.add(list[a], list[b]);
    for (const auto c : drawn.controls) x.ctrl[c] |= x.po[c];
    if (!model.needs_deps) return;
    for (const auto& [i, f] : drawn.behind)
      for (const auto k : deps_[i].ctrl)
        if (const auto& loads = loads_[witness_.events[i].thread]; k < loads.size() && loads[k] >= begin_)
          x.ctrl.add(drawn.place[loads[k]], f);
  }

  // What the witness says of event i: where it reads from, what it follows in coherence, what it depends on, and whom
  // it creates or joins.
  template <unsigned W>
  void relate(const axioms::Model& model, std::size_t i, Drawn<W>& drawn) {
    axioms::Execution<W>& x = drawn.x;
    Places& place = drawn.place;
    const auto before = static_cast<std::int32_t>(begin_);
    const auto& e = witness_.events[i];
    if (e.kind == Kind::Read)
      x.rf.add(e.rf < before ? drawn.first[e.loc] : place[static_cast<std::size_t>(e.rf)], place[i]);
    if (e.kind == Kind::Write && e.rmw) x.rmw.add(read_of(i, place), place[i]);
    if (e.kind == Kind::Write)
      x.co.add(e.co_prev < before ? drawn.first[e.loc] : place[static_cast<std::size_t>(e.co_prev)], place[i]);
    if (model.needs_deps && e.piece == 0) {
      const auto each = [&](const core::LoadSet& set, axioms::Relation<W>& rel) {
        for (const auto k : set) {
          if (k >= loads_[e.thread].size()) break;
          const std::size_t load = loads_[e.thread][k];
          if (load >= begin_ && load != i) rel.add(place[load], place[i]);
        }
      };
      const bool writes = e.kind == Kind::Write || e.kind == Kind::Free;
      core::Deps d = deps_[i];
      core::settle_addresses(d, !model.overtakes_addresses);
      if (e.kind == Kind::Read || writes) each(d.addr, x.addr);
      if (writes) each(d.data, x.data);
      each(d.ctrl, x.ctrl);
    }
    const auto t = static_cast<std::size_t>(e.value.bits);
    if (e.kind == Kind::Spawn)
      for (const auto c : drawn.of_thread[t]) x.forced.add(place[i], c);
    if (e.kind == Kind::Join)
      for (const auto c : drawn.of_thread[t]) x.forced.add(c, place[i]);
  }

  // Atomic steps of several requests are one event each to all others.
  template <unsigned W>
  void join_steps(Drawn<W>& drawn) const {
    axioms::Execution<W>& x = drawn.x;
    if (std::none_of(requests_.begin() + static_cast<std::ptrdiff_t>(begin_),
                     requests_.begin() + static_cast<std::ptrdiff_t>(end_), [](const auto& q) { return q.joined; }))
      return;
    x.steps = axioms::Relation<W>(x.size());
    std::vector<std::optional<std::uint32_t>> first(witness_.threads.size());  // of each thread's last step
    std::vector<bool> several(witness_.threads.size(), false);                 // requests
    for (std::size_t i = begin_; i < end_; ++i) {
      const auto& e = witness_.events[i];
      const bool same_request = e.piece > 0 || (e.kind == Kind::Write && e.rmw);
      if (!first[e.thread] || !(same_request || requests_[i].joined)) {
        first[e.thread] = drawn.place[i];
        several[e.thread] = false;
      } else if (!same_request) {
        several[e.thread] = true;
      }
      if (!several[e.thread]) continue;
      for (std::uint32_t a = *first[e.thread]; a < drawn.place[i]; ++a)
        for (std::uint32_t b = a + 1; b <= drawn.place[i]; ++b) x.steps.add(a, b), x.steps.add(b, a);
    }
    x.order_steps();
  }

  template <unsigned W>
  bool judge(const axioms::Model& model, const axioms::Execution<W>& x) {
    axioms::Judge<W> judge;
    if (why_.empty() && !model.accepts(x, judge)) why_ = std::string("the model forbids it (") + judge.axiom() + ")";
    return true;
  }

  // Where accesses are cut: reads-from and coherence of each piece apart. False if none is.
  template <unsigned W>
  bool slice(axioms::Execution<W>& x, const Places& place, const std::map<core::Loc, std::uint32_t>& first) {
    const auto& events = witness_.events;
    const auto before = static_cast<std::int32_t>(begin_);
    if (std::none_of(events.begin() + before, events.begin() + static_cast<std::ptrdiff_t>(end_),
                     [](const auto& e) { return e.pieces > 1; }))
      return false;
    x.co = axioms::Relation<W>(x.size());
    for (const auto& [loc, init] : first) {
      typename axioms::Execution<W>::Slice s;
      s.po_loc = s.rf = s.co = s.fr = axioms::Relation<W>(x.size());
      axioms::EventSet<W> here;
      here.add(init);
      std::size_t writes = 0;
      for (std::size_t i = begin_; i < end_; ++i) {
        if ((events[i].kind != Kind::Read && events[i].kind != Kind::Write) || events[i].loc != loc) continue;
        here.add(place[i]);
        if (events[i].kind == Kind::Read)
          s.rf.add(events[i].rf < before ? init : place[static_cast<std::size_t>(events[i].rf)], place[i]);
        else
          s.co.add(events[i].co_prev < before ? init : place[static_cast<std::size_t>(events[i].co_prev)], place[i]),
              ++writes;
      }
      s.co = closure(s.co);
      std::size_t pairs = 0;
      for (std::uint32_t a = 0; a < x.size(); ++a) s.co[a].each([&](auto) { ++pairs; });
      if (pairs != writes * (writes + 1) / 2 || !axioms::acyclic(s.co)) why_ = "coherence is no order";
      s.po_loc = x.po.between(here, here);
      s.fr = seq(inverse(s.rf), s.co);
      x.co |= s.co;
      x.slices.push_back(std::move(s));
    }
    return true;
  }

  // Is the next event of the thread after this access the write of the same read-modify-write?
  bool has_write(std::size_t read) const {
    const auto& r = witness_.events[read];
    const std::size_t next = index_.at(r.thread, std::uint64_t{r.index} - r.piece + r.pieces);
    return next != EventIndex::none && witness_.events[next].kind == Kind::Write && witness_.events[next].rmw;
  }

  std::uint32_t read_of(std::size_t write, const Places& place) const {
    const std::size_t read = index_.read_of(witness_.events[write]);
    return read == EventIndex::none ? place[write] : place[read];
  }

  core::Order order_of(std::size_t event) const {
    for (const auto& [e, order] : change_.strengthened)
      if (e == event) return order;
    return witness_.events[event].order;
  }

  const core::ExecutionWitness& witness_;
  const std::vector<core::Request>& requests_;
  const std::vector<std::vector<std::size_t>>& loads_;
  const std::vector<core::Deps>& deps_;
  const Variation& change_;
  const EventIndex index_;
  std::size_t begin_ = 0, end_ = 0;
  std::string why_;
};

}  // namespace

Ruling ruling(const RunGraph& g, const Variation& v) { return Judgement(g, v).run(); }

}  // namespace heddle::check
