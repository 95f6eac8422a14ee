// SPDX-License-Identifier: Apache-2.0
#include "check/graph_replay.h"

#include <cstring>
#include <map>
#include <optional>

#include "axioms/mapping.h"
#include "axioms/models.h"
#include "core/rmw.h"

namespace heddle::check {

namespace {

using Kind = core::WitnessEvent::Kind;

const char* word(core::Order o) {
  switch (o) {
    case core::Order::Plain: return "";
    case core::Order::Relaxed: return " relaxed";
    case core::Order::Acquire: return " acquire";
    case core::Order::Release: return " release";
    case core::Order::AcqRel: return " acq_rel";
    case core::Order::SeqCst: return " seq_cst";
  }
  return "";
}

class Replayer {
 public:
  Replayer(const core::Program& p, const core::ExecutionWitness& w, const GraphClaim& c) : program_(p), witness_(w), claim_(c) {}

  GraphReplay run() {
    out_.trace.model = witness_.model;
    locals_.resize(witness_.threads.size());
    shadows_.resize(witness_.threads.size());
    loads_.resize(witness_.threads.size());
    started_.assign(witness_.threads.size(), false);
    deps_.resize(witness_.events.size());
    for (core::Tid t = 0; t < program_.initial_threads().size(); ++t) start(t);
    for (std::size_t i = 0; i < witness_.events.size() && out_.why.empty(); ++i) perform(i);
    if (out_.why.empty()) check_reads();
    if (out_.why.empty()) check_claim();
    if (out_.why.empty()) check_axioms();
    out_.confirmed = out_.why.empty();
    return std::move(out_);
  }

 private:
  void fail(std::size_t i, const std::string& what) {
    if (out_.why.empty()) out_.why = "event " + std::to_string(i) + ": " + what;
  }

  void start(core::Tid t) {
    started_[t] = true;
    if (program_.features().dependencies) shadows_[t] = program_.make_shadow();
    program_.start(witness_.threads[t].entry, witness_.threads[t].arg, t, locals_[t], shadows_[t].get());
  }

  std::optional<core::Value> initial(const core::Loc& l) const {
    const auto globals = program_.globals();
    core::Value v;
    std::uint32_t object = l.object;
    if (object > globals.size()) {
      const auto it = contents_.find(object);
      if (it == contents_.end()) return std::nullopt;
      object = it->second;
      if (object == 0) {
        v.undefined = static_cast<std::uint8_t>((1u << l.size) - 1);
        return v;
      }
    }
    const auto& g = globals[object - 1];
    std::memcpy(&v.bits, g.bytes.data() + l.offset, l.size);
    for (std::uint32_t b = 0; b < l.size && !g.defined.empty(); ++b)
      if (!g.defined[l.offset + b]) v.undefined = static_cast<std::uint8_t>(v.undefined | (1u << b));
    for (const auto at : g.pointers) v.pointer |= l.size == 8 && at == l.offset;
    return v;
  }

  // One event: the thread must ask for just this, and gets the answer that the graph says.
  void perform(std::size_t i) {
    const core::WitnessEvent& e = witness_.events[i];
    if (e.thread >= started_.size() || !started_[e.thread]) return fail(i, "its thread has not been created");
    core::Local& l = locals_[e.thread];
    const core::Request q = program_.request(l);
    if (shadows_[e.thread]) deps_[i] = program_.deps(l, *shadows_[e.thread]);
    show(i, q);
    core::Answer a;
    bool resumes = true;
    switch (e.kind) {
      case Kind::Read: {
        if ((q.kind != core::Kind::Load && q.kind != core::Kind::Rmw) || q.loc != e.loc) return fail(i, "the thread does not read this");
        const bool success = q.kind == core::Kind::Rmw && (q.op != core::RmwOp::Cas || core::cas_succeeds(e.value, q.expected, q.loc.size));
        if (e.rmw != (q.kind == core::Kind::Rmw)) return fail(i, "a read-modify-write and a read are confused");
        a.value = e.value;
        resumes = !success && !(q.waits && !core::cas_succeeds(e.value, q.expected, q.loc.size));
        loads_[e.thread].push_back(i);
        pending_[e.thread] = success ? static_cast<std::int32_t>(i) : -1;
        break;
      }
      case Kind::Write: {
        if (q.loc != e.loc) return fail(i, "the thread does not write this");
        core::Value v = q.value;
        if (e.rmw) {
          const auto read = pending_.find(e.thread);
          if (q.kind != core::Kind::Rmw || read == pending_.end() || read->second < 0) return fail(i, "a write of no read-modify-write");
          a.value = witness_.events[static_cast<std::size_t>(read->second)].value;
          if (q.op != core::RmwOp::Cas) v = core::rmw_result(q.op, a.value, q.value, q.loc.size);
        } else if (q.kind != core::Kind::Store) {
          return fail(i, "the thread does not write");
        }
        if (!(v == e.value)) return fail(i, "another value is written");
        break;
      }
      case Kind::Fence:
        if (q.kind == core::Kind::Load && q.loc.size == 0) a.value = size_of(q.loc.object);
        else if (q.kind != core::Kind::Fence) return fail(i, "the thread has no fence here");
        break;
      case Kind::Choose:
        if (q.kind != core::Kind::Choose || e.value.bits >= q.value.bits) return fail(i, "no such choice");
        a.value = e.value;
        break;
      case Kind::Alloc:
        if (q.kind == core::Kind::Free && q.value.bits == 0) break;
        if (q.kind != core::Kind::Alloc) return fail(i, "the thread allocates nothing here");
        contents_[e.value.object()] = q.expected.object();
        sizes_[e.value.object()] = static_cast<std::uint32_t>(q.value.bits);
        a.value = e.value;
        break;
      case Kind::Free:
        if (q.kind != core::Kind::Free || !(q.value == e.value)) return fail(i, "the thread frees nothing here");
        break;
      case Kind::Spawn: {
        const auto child = static_cast<core::Tid>(e.value.bits);
        if (q.kind != core::Kind::Spawn || child >= started_.size() || started_[child]) return fail(i, "no thread can be created");
        if (witness_.threads[child].entry != q.entry || !(witness_.threads[child].arg == q.value)) return fail(i, "another thread is created");
        start(child);
        a.value = e.value;
        break;
      }
      case Kind::Join: {
        const auto child = static_cast<core::Tid>(e.value.bits);
        if (q.kind != core::Kind::Join || !(q.value == e.value)) return fail(i, "the thread joins another");
        if (child >= started_.size() || !started_[child] || program_.request(locals_[child]).kind != core::Kind::Ended)
          return fail(i, "the thread to join has not ended");
        break;
      }
      case Kind::Refused:
        a.fault = e.fault;
        if (e.fault == core::Fault::None) return fail(i, "an access is refused for no reason");
        break;
    }
    if (resumes) program_.resume(l, a, shadows_[e.thread].get());
  }

  std::uint32_t size_of(std::uint32_t object) const {
    if (object >= 1 && object <= program_.globals().size()) return program_.globals()[object - 1].size;
    const auto it = sizes_.find(object);
    return it == sizes_.end() ? 0 : it->second;
  }

  void check_reads() {
    for (std::size_t i = 0; i < witness_.events.size(); ++i) {
      const auto& e = witness_.events[i];
      if (e.kind != Kind::Read) continue;
      if (e.rf == core::WitnessEvent::initial) {
        const auto v = initial(e.loc);
        if (!v || !(*v == e.value)) fail(i, "the location does not begin with this value");
      } else if (e.rf >= 0) {
        const auto& w = witness_.events[static_cast<std::size_t>(e.rf)];
        if (w.kind != Kind::Write || w.loc != e.loc || !(w.value == e.value)) fail(i, "the write that it reads from is another");
      } else {
        fail(i, "it reads from nothing");
      }
    }
  }

  void check_claim() {
    if (claim_.thread >= started_.size() || claim_.kind == "deadlock" || claim_.kind == "liveness" || claim_.kind == "race" ||
        claim_.kind == "memory-leak" || claim_.kind == "use-after-free")
      return;  // about the graph; its own words say what
    const core::Local& l = locals_[claim_.thread];
    if (program_.request(l).kind != core::Kind::Failed) out_.why = "the thread does not fail";
    else if (program_.failure(l).kind != claim_.kind) out_.why = "the thread fails otherwise";
  }

  void show(std::size_t i, const core::Request& q) {
    const core::WitnessEvent& e = witness_.events[i];
    core::TraceStep s;
    s.thread = program_.thread_name(witness_.threads[e.thread].entry) + " (thread " + std::to_string(e.thread) + ")";
    s.place = program_.place(q.site);
    s.move.thread = e.thread;
    core::Effect f;
    const std::string value = e.value.pointer ? "object " + std::to_string(e.value.object()) + " + " + std::to_string(e.value.offset())
                                              : std::to_string(static_cast<std::int64_t>(e.value.bits));
    f.value = value;
    switch (e.kind) {
      case Kind::Read:
        s.action = (e.rmw ? std::string("read of read-modify-write") : std::string("load")) + word(e.order);
        f.kind = core::Effect::Kind::ReadMemory;
        f.location = program_.location_name(e.loc, locals_[e.thread]);
        if (e.rf >= 0) f.from = program_.place(witness_.events[static_cast<std::size_t>(e.rf)].site);
        break;
      case Kind::Write:
        s.action = (e.rmw ? std::string("write of read-modify-write") : std::string("store")) + word(e.order);
        f.kind = core::Effect::Kind::Wrote;
        f.location = program_.location_name(e.loc, locals_[e.thread]);
        break;
      case Kind::Fence: s.action = std::string("fence") + word(e.order); break;
      case Kind::Choose: s.action = "choose"; f.value = "chooses " + value; break;
      case Kind::Alloc: s.action = "allocate"; f.value = "allocates " + value; break;
      case Kind::Free: s.action = "free"; f.value = "frees " + value; break;
      case Kind::Spawn: s.action = "create thread"; f.value = "creates thread " + value; break;
      case Kind::Join: s.action = "join"; f.value = "joins thread " + value; break;
      case Kind::Refused: s.action = "access"; f.value = "memory refuses the access"; break;
    }
    if (e.kind != Kind::Fence) s.effects.push_back(std::move(f));
    out_.trace.steps.push_back(std::move(s));
  }

  void check_axioms() {
    const axioms::Model* model = axioms::find_model(witness_.model);
    if (model == nullptr) { out_.why = "there is no model " + witness_.model; return; }
    if (judged<1>(*model) || judged<4>(*model) || judged<16>(*model)) return;
    out_.why = "the execution is too large for its axioms to be evaluated";
  }

  // False if there are more events than W has room for.
  template <unsigned W>
  bool judged(const axioms::Model& model) {
    axioms::Execution<W> x;
    std::map<core::Loc, std::uint32_t> first;
    std::vector<std::uint32_t> place(witness_.events.size(), 0);
    for (const auto& e : witness_.events)
      if (e.kind == Kind::Read || e.kind == Kind::Write) first.try_emplace(e.loc, 0);
    for (auto& [loc, at] : first) {
      at = x.size();
      axioms::Event init;
      init.kind = axioms::EventKind::Init;
      init.loc = loc;
      x.events.push_back(init);
    }
    std::vector<std::uint32_t> controls;
    std::vector<std::vector<std::uint32_t>> of_thread(witness_.threads.size());
    for (core::Tid t = 0; t < witness_.threads.size(); ++t)
      for (std::size_t i = 0; i < witness_.events.size(); ++i) {
        const auto& e = witness_.events[i];
        if (e.thread != t) continue;
        axioms::Event out;
        const auto push = [&](axioms::Event v) {
          v.thread = static_cast<std::uint16_t>(t);
          v.index = static_cast<std::uint32_t>(of_thread[t].size());
          of_thread[t].push_back(x.size());
          x.events.push_back(v);
        };
        out.order = e.order;
        out.tag = e.tag;
        out.loc = e.loc;
        out.value = e.value;
        out.in_rmw = e.rmw;
        axioms::Mapped m;
        if (e.kind == Kind::Read || e.kind == Kind::Write) {
          out.kind = e.kind == Kind::Read ? axioms::EventKind::Read : axioms::EventKind::Write;
          out.instruction = e.order;
          m = axioms::mapped(model.mapping, out.kind, e.rmw, e.order);
          if (!m.order_kept) out.order = core::Order::Relaxed;
        } else if (e.kind != Kind::Fence && e.kind != Kind::Choose && e.kind != Kind::Alloc && e.kind != Kind::Refused) {
          out.order = core::Order::SeqCst;
        }
        axioms::Event fence;
        if (m.before) { fence.tag = m.before; push(fence); }
        place[i] = x.size();
        push(out);
        if (m.control) controls.push_back(place[i]);
        if (m.after) { fence.tag = m.after; push(fence); }
      }
    if (x.size() > 64 * W) return false;
    x.reset();
    for (const auto& list : of_thread)
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b) x.po.add(list[a], list[b]);
    for (const auto c : controls) x.ctrl[c] |= x.po[c];
    for (std::size_t i = 0; i < witness_.events.size(); ++i) {
      const auto& e = witness_.events[i];
      if (e.kind == Kind::Read) x.rf.add(e.rf < 0 ? first[e.loc] : place[static_cast<std::size_t>(e.rf)], place[i]);
      if (e.kind == Kind::Write && e.rmw) x.rmw.add(place[i] == 0 ? 0 : read_of(i, place), place[i]);
      if (e.kind == Kind::Write) x.co.add(e.co_prev < 0 ? first[e.loc] : place[static_cast<std::size_t>(e.co_prev)], place[i]);
      if (model.needs_deps) {
        const auto each = [&](const core::LoadSet& set, axioms::Relation<W>& rel) {
          for (const auto k : set)
            if (k < loads_[e.thread].size() && loads_[e.thread][k] != i) rel.add(place[loads_[e.thread][k]], place[i]);
        };
        const bool access = e.kind == Kind::Read || e.kind == Kind::Write;
        if (access) each(deps_[i].addr, x.addr);
        if (e.kind == Kind::Write) each(deps_[i].data, x.data);
        each(deps_[i].ctrl, x.ctrl);
      }
      const auto t = static_cast<std::size_t>(e.value.bits);
      if (e.kind == Kind::Spawn) for (const auto c : of_thread[t]) x.forced.add(place[i], c);
      if (e.kind == Kind::Join) for (const auto c : of_thread[t]) x.forced.add(c, place[i]);
    }
    x.co = closure(x.co);
    const auto around = maybe(x.po);
    if (!x.forced.empty()) x.forced = closure(seq(seq(around, x.forced), around));
    x.derive_static();
    x.derive();
    // Coherence must order all writes of a location.
    for (std::uint32_t a = 0; a < x.size(); ++a)
      for (std::uint32_t b = 0; b < x.size(); ++b)
        if (a != b && x.writes.has(a) && x.writes.has(b) && x.events[a].loc == x.events[b].loc && x.co.has(a, b) == x.co.has(b, a))
          out_.why = "coherence is no order";
    axioms::Judge<W> judge;
    if (out_.why.empty() && !model.accepts(x, judge)) out_.why = std::string("the model forbids it (") + judge.axiom() + ")";
    return true;
  }

  std::uint32_t read_of(std::size_t write, const std::vector<std::uint32_t>& place) const {
    for (std::size_t i = 0; i < witness_.events.size(); ++i)
      if (witness_.events[i].thread == witness_.events[write].thread && witness_.events[i].index + 1 == witness_.events[write].index) return place[i];
    return 0;
  }

  const core::Program& program_;
  const core::ExecutionWitness& witness_;
  const GraphClaim& claim_;
  GraphReplay out_;
  std::vector<core::Local> locals_;
  std::vector<std::unique_ptr<core::Shadow>> shadows_;
  std::vector<bool> started_;
  std::vector<std::vector<std::size_t>> loads_;  // of each thread: numbers of its reading events
  std::vector<core::Deps> deps_;
  std::map<core::Tid, std::int32_t> pending_;
  std::map<std::uint32_t, std::uint32_t> contents_, sizes_;  // of allocated objects
};

}  // namespace

GraphReplay replay_graph(const core::Program& p, const core::ExecutionWitness& w, const GraphClaim& c) { return Replayer(p, w, c).run(); }

}  // namespace heddle::check
