// SPDX-License-Identifier: Apache-2.0
#include "check/graph_claims.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "axioms/models.h"
#include "core/idle.h"
#include "core/rmw.h"

namespace heddle::check {

namespace {

using core::Order;
using Kind = core::WitnessEvent::Kind;

// A relation between events as a matrix.
class Matrix {
 public:
  explicit Matrix(std::size_t n) : n_(n), words_((n + 63) / 64), rows_(n * words_, 0) {}
  void add(std::size_t a, std::size_t b) { rows_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64); }
  bool has(std::size_t a, std::size_t b) const { return ((rows_[a * words_ + b / 64] >> (b % 64)) & 1) != 0; }
  void close() {
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t i = 0; i < n_; ++i)
        if (has(i, k))
          for (std::size_t w = 0; w < words_; ++w) rows_[i * words_ + w] |= rows_[k * words_ + w];
  }
  bool cyclic() const {  // requires close()
    for (std::size_t i = 0; i < n_; ++i)
      if (has(i, i)) return true;
    return false;
  }

 private:
  std::size_t n_, words_;
  std::vector<std::uint64_t> rows_;
};

bool acquires(Order o) { return o == Order::Acquire || o == Order::AcqRel || o == Order::SeqCst; }
bool releases(Order o) { return o == Order::Release || o == Order::AcqRel || o == Order::SeqCst; }

class Relations {
 public:
  explicit Relations(const RunGraph& g) : g_(g), events_(g.witness.events) {}

  std::size_t size() const { return events_.size(); }
  bool access(std::size_t e) const { return events_[e].kind == Kind::Read || events_[e].kind == Kind::Write; }
  bool before_in_thread(std::size_t a, std::size_t b) const {
    return events_[a].thread == events_[b].thread && events_[a].index < events_[b].index;
  }
  // The pieces of one access are one event: it goes by its first.
  std::size_t whole(std::size_t e) const {
    for (std::size_t i = 0; i < size() && events_[e].piece > 0; ++i)
      if (events_[i].thread == events_[e].thread && events_[i].index + events_[e].piece == events_[e].index) return i;
    return e;
  }
  std::size_t read_of(std::size_t write) const {
    for (std::size_t i = 0; i < size(); ++i)
      if (events_[i].thread == events_[write].thread &&
          events_[i].index + events_[write].pieces == events_[write].index)
        return i;
    return write;
  }
  bool co_before(std::size_t a, std::size_t b) const {  // both writes of one location
    for (std::int32_t w = events_[b].co_prev; w >= 0; w = events_[static_cast<std::size_t>(w)].co_prev)
      if (static_cast<std::size_t>(w) == a) return true;
    return false;
  }
  bool latest(std::size_t read) const {
    for (std::size_t w = 0; w < size(); ++w) {
      if (events_[w].kind != Kind::Write || events_[w].loc != events_[read].loc) continue;
      if (events_[read].rf < 0 || co_before(static_cast<std::size_t>(events_[read].rf), w)) return false;
    }
    return true;
  }

  // po, creation and join of threads.
  Matrix program_order() const {
    Matrix m(size());
    for (std::size_t a = 0; a < size(); ++a)
      for (std::size_t b = 0; b < size(); ++b) {
        const std::size_t x = whole(a), y = whole(b);
        if (x == y) continue;
        if (before_in_thread(a, b)) m.add(x, y);
        if (events_[a].kind == Kind::Spawn && events_[b].thread == events_[a].value.bits) m.add(x, y);
        if (events_[b].kind == Kind::Join && events_[a].thread == events_[b].value.bits) m.add(x, y);
      }
    return m;
  }

  // po ∪ rf ∪ co ∪ fr of whole accesses, closed.
  Matrix sequential() const {
    Matrix m = program_order();
    const auto add = [&](std::size_t a, std::size_t b) {
      if (whole(a) != whole(b)) m.add(whole(a), whole(b));
    };
    for (std::size_t e = 0; e < size(); ++e) {
      if (events_[e].kind == Kind::Read && events_[e].rf >= 0) add(static_cast<std::size_t>(events_[e].rf), e);
      if (events_[e].kind != Kind::Write) continue;
      if (events_[e].co_prev >= 0) add(static_cast<std::size_t>(events_[e].co_prev), e);
      for (std::size_t r = 0; r < size(); ++r)
        if (events_[r].kind == Kind::Read && events_[r].loc == events_[e].loc &&
            (events_[r].rf < 0 || co_before(static_cast<std::size_t>(events_[r].rf), e)))
          add(r, e);
    }
    m.close();
    return m;
  }

  // C11's happens-before, closed: release sequences go on through later atomic writes of the same thread to the same
  // bytes and through read-modify-writes. `all`: every access is a release or an acquire.
  // As the model has it. Requires one of the language.
  Matrix happens_before(const axioms::Model& model) const {
    const bool all = model.all_release_acquire, own = model.thread_release_sequences;
    Matrix m = program_order();
    const auto atomic = [&](std::size_t e) { return all || events_[e].order != Order::Plain; };
    for (std::size_t head = 0; head < size(); ++head) {
      const bool fence = events_[head].kind == Kind::Fence && releases(events_[head].order);
      const bool write = events_[head].kind == Kind::Write && (all || releases(events_[head].order));
      if (!fence && !write) continue;
      std::set<std::size_t> sequence;
      for (std::size_t w = 0; w < size(); ++w) {
        if (events_[w].kind != Kind::Write || !atomic(w)) continue;
        if (fence ? before_in_thread(head, w)
                  : w == head || (own && before_in_thread(head, w) && events_[w].loc == events_[head].loc))
          sequence.insert(w);
      }
      for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t w = 0; w < size(); ++w) {
          if (events_[w].kind != Kind::Write || !events_[w].rmw) continue;
          const std::int32_t from = events_[read_of(w)].rf;
          if (from >= 0 && sequence.contains(static_cast<std::size_t>(from))) grown |= sequence.insert(w).second;
        }
      }
      for (std::size_t r = 0; r < size(); ++r) {
        if (events_[r].kind != Kind::Read || !atomic(r) || events_[r].rf < 0 ||
            !sequence.contains(static_cast<std::size_t>(events_[r].rf)))
          continue;
        if (all || acquires(events_[r].order)) m.add(whole(head), whole(r));
        for (std::size_t f = 0; f < size(); ++f)
          if (events_[f].kind == Kind::Fence && acquires(events_[f].order) && before_in_thread(r, f))
            m.add(whole(head), whole(f));
      }
    }
    m.close();
    return m;
  }

 private:
  const RunGraph& g_;
  const std::vector<core::WitnessEvent>& events_;
};

// The final value of every byte, as events leave it.
class FinalMemory {
 public:
  FinalMemory(const RunGraph& g, const Relations& r) : g_(g) {
    for (std::size_t w = 0; w < r.size(); ++w) {
      const auto& e = g.witness.events[w];
      if (e.kind != Kind::Write) continue;
      bool last = true;
      for (std::size_t v = 0; v < r.size(); ++v)
        last &= !(g.witness.events[v].kind == Kind::Write && g.witness.events[v].loc == e.loc && r.co_before(w, v));
      if (last) written_.emplace_back(e.loc, e.value);
    }
  }
  core::Value read(const core::Loc& loc) const {
    core::Value v;
    const auto globals = g_.program.globals();
    if (loc.object >= 1 && loc.object <= globals.size() && loc.offset + loc.size <= globals[loc.object - 1].size)
      std::memcpy(&v.bits, globals[loc.object - 1].bytes.data() + loc.offset, loc.size);
    for (const auto& [at, value] : written_) {
      if (at == loc) return value;
      if (!at.overlaps(loc)) continue;
      for (std::uint32_t i = 0; i < at.size; ++i) {
        if (at.offset + i < loc.offset || at.offset + i >= loc.offset + loc.size) continue;
        const std::uint32_t shift = 8 * (at.offset + i - loc.offset);
        v.bits = (v.bits & ~(std::uint64_t{0xff} << shift)) | (((value.bits >> (8 * i)) & 0xff) << shift);
        v.pointer |= value.pointer;
      }
    }
    return v;
  }

 private:
  const RunGraph& g_;
  std::vector<std::pair<core::Loc, core::Value>> written_;
};

enum class Rest { Ended, Waits, Spins, Joins, Assumed, Moves };

// Runs a copy of the thread on, all reads seeing the latest values: does it come back to where it was, memory
// unchanged?
bool spins(const RunGraph& g, const FinalMemory& memory, core::Tid t) {
  std::set<core::Local> seen;
  core::Local l = g.locals[t];
  for (int steps = 0; steps < 20000; ++steps) {
    const core::Request q = g.program.request(l);
    core::Answer a;
    if (q.kind == core::Kind::Load || q.kind == core::Kind::Rmw) {
      a.value = memory.read(q.loc);
      if (q.waits && !core::cas_succeeds(a.value, q.expected, q.loc.size)) return false;
      if (q.kind == core::Kind::Rmw) {
        const bool writes = q.op != core::RmwOp::Cas || core::cas_succeeds(a.value, q.expected, q.loc.size);
        const core::Value after =
            q.op == core::RmwOp::Cas ? q.value : core::rmw_result(q.op, a.value, q.value, q.loc.size);
        if (writes && after.bits != a.value.bits) return false;
      }
    } else if (q.kind != core::Kind::Fence && q.kind != core::Kind::Choose) {
      return false;
    }
    if (!seen.insert(l).second) return true;
    g.program.resume(l, a);
  }
  return false;
}

Rest rest_of(const RunGraph& g, const Relations& r, const FinalMemory& memory, core::Tid t) {
  const core::Request q = g.program.request(g.locals[t]);
  if (q.kind == core::Kind::Ended || q.kind == core::Kind::Exit) return Rest::Ended;
  if (q.kind == core::Kind::Blocked) return core::is_idle(q) ? Rest::Spins : Rest::Assumed;
  if (q.kind == core::Kind::Join) {
    const auto child = static_cast<std::size_t>(q.value.bits);
    const bool ended =
        child < g.started.size() && g.started[child] && g.program.request(g.locals[child]).kind == core::Kind::Ended;
    return ended ? Rest::Moves : Rest::Joins;
  }
  std::size_t last = r.size();
  for (std::size_t e = 0; e < r.size(); ++e)
    if (g.witness.events[e].thread == t &&
        (last == r.size() || g.witness.events[e].index > g.witness.events[last].index))
      last = e;
  if (q.waits) {
    const core::Value now = memory.read(q.loc);
    return core::cas_succeeds(now, q.expected, q.loc.size) ? Rest::Moves : Rest::Waits;
  }
  if (last == r.size() || !g.witness.events[last].waits) return Rest::Moves;
  if (g.witness.events[last].kind == Kind::Read && !r.latest(last)) return Rest::Moves;
  return spins(g, memory, t) ? Rest::Spins : Rest::Moves;
}

std::string refuted_waiting(const RunGraph& g, bool liveness) {
  const Relations r(g);
  const FinalMemory memory(g, r);
  bool waits = false, spinning = false;
  for (core::Tid t = 0; t < g.started.size(); ++t) {
    if (!g.started[t]) continue;
    switch (rest_of(g, r, memory, t)) {
      case Rest::Moves: return "thread " + std::to_string(t) + " can go on";
      case Rest::Assumed: return "thread " + std::to_string(t) + " made an assumption that does not hold";
      case Rest::Waits:
      case Rest::Joins: waits = true; break;
      case Rest::Spins: spinning = true; break;
      default: break;
    }
  }
  if (liveness) return spinning ? "" : "no thread spins";
  return waits && !spinning ? "" : "no thread waits for ever";
}

}  // namespace

bool by_happens_before(const RunGraph& g) {
  const axioms::Model* model = axioms::find_model(g.witness.model);
  return model != nullptr && model->language;
}

std::optional<std::pair<std::size_t, std::size_t>> race_in(const RunGraph& g) {
  const Relations r(g);
  const Matrix hb = r.happens_before(*axioms::find_model(g.witness.model));
  const auto& events = g.witness.events;
  for (std::size_t a = 0; a < r.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (!r.access(a) || !r.access(b) || events[a].thread == events[b].thread ||
          !events[a].loc.overlaps(events[b].loc))
        continue;
      if (events[a].kind == Kind::Read && events[b].kind == Kind::Read) continue;
      if (events[a].order != Order::Plain && events[b].order != Order::Plain) continue;
      if (!hb.has(r.whole(a), r.whole(b)) && !hb.has(r.whole(b), r.whole(a))) return std::pair{b, a};
    }
  return std::nullopt;
}

namespace {

// Does a chain of pointers lead from a global variable or a thread to the object, in what memory holds at the end?
bool pointed_to(const RunGraph& g, std::uint32_t object) {
  const Relations r(g);
  const FinalMemory memory(g, r);
  std::set<std::uint32_t> reached;
  const auto globals = g.program.globals();
  for (std::uint32_t o = 1; o <= globals.size(); ++o) reached.insert(o);
  for (std::size_t t = 0; t < g.started.size(); ++t) {
    if (!g.started[t]) continue;
    core::Local copy = g.locals[t];
    g.program.visit_pointers(copy, [&](core::Value& v) { reached.insert(v.object()); });
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const std::uint32_t o : std::set<std::uint32_t>(reached)) {
      for (const auto& e : g.witness.events) {
        if (e.kind != Kind::Write || e.loc.object != o) continue;
        const core::Loc word{o, e.loc.offset - e.loc.offset % 8, 8};
        for (const core::Loc& at : {e.loc, word})
          if (const core::Value v = memory.read(at); v.pointer) grown |= reached.insert(v.object()).second;
      }
      if (o > globals.size()) continue;
      for (const auto at : globals[o - 1].pointers) grown |= reached.insert(memory.read({o, at, 8}).object()).second;
    }
  }
  return reached.contains(object);
}

std::string not_at_its_end(const RunGraph& g) {
  for (core::Tid t = 0; t < g.started.size(); ++t) {
    const core::Kind k = g.started[t] ? g.program.request(g.locals[t]).kind : core::Kind::Ended;
    if (k == core::Kind::Exit) break;
    if (k != core::Kind::Ended) return "the execution is not at its end";
  }
  return "";
}

}  // namespace

std::optional<std::size_t> leak_in(const RunGraph& g) {
  for (std::size_t a = 0; a < g.witness.events.size(); ++a) {
    const auto& e = g.witness.events[a];
    if (e.kind != Kind::Alloc || g.requests[a].kind != core::Kind::Alloc ||
        static_cast<core::AllocKind>(g.requests[a].entry) != core::AllocKind::Heap)
      continue;
    const bool freed = std::any_of(g.witness.events.begin(), g.witness.events.end(), [&](const auto& f) {
      return f.kind == Kind::Free && f.value.object() == e.value.object();
    });
    if (!freed && !pointed_to(g, e.value.object())) return a;
  }
  return std::nullopt;
}

std::vector<FreedAccess> accesses_of_freed(const RunGraph& g) {
  const Relations r(g);
  const Matrix order =
      by_happens_before(g) ? r.happens_before(*axioms::find_model(g.witness.model)) : r.program_order();
  std::vector<FreedAccess> out;
  for (std::size_t f = 0; f < r.size(); ++f) {
    if (g.witness.events[f].kind != Kind::Free) continue;
    for (std::size_t a = 0; a < r.size(); ++a)
      if (r.access(a) && g.witness.events[a].loc.object == g.witness.events[f].value.object() &&
          !order.has(r.whole(a), f))
        out.push_back({a, f});
  }
  return out;
}

std::string refuted(const RunGraph& g, const std::string& kind) {
  if (kind == "race") {
    if (!by_happens_before(g)) return "data races are a notion of the language: rc11 and ra";
    return race_in(g) ? "" : "all conflicting accesses are ordered by happens-before";
  }
  if (kind == "deadlock" || kind == "liveness") return refuted_waiting(g, kind == "liveness");
  if (kind == "memory-leak") {
    if (const std::string why = not_at_its_end(g); !why.empty()) return why;
    return leak_in(g) ? "" : "everything that was allocated is freed or still pointed to";
  }
  if (kind == "robustness") return Relations(g).sequential().cyclic() ? "" : "the execution is sequentially consistent";
  return "";
}

std::string unfounded_fault(const RunGraph& g, std::size_t event) {
  const core::Request& q = g.requests[event];
  const auto globals = g.program.globals();
  const std::uint32_t object = q.kind == core::Kind::Free ? q.value.object() : q.loc.object;
  std::uint64_t size = 0;
  bool known = object >= 1 && object <= globals.size();
  const bool global = known;
  bool heap = false;  // may be freed by the program
  if (known) size = globals[object - 1].size;
  for (std::size_t a = 0; a < g.witness.events.size(); ++a)
    if (g.witness.events[a].kind == Kind::Alloc && a < g.requests.size() && g.requests[a].kind == core::Kind::Alloc &&
        g.witness.events[a].value.object() == object) {
      known = true;
      size = g.requests[a].value.bits;
      const auto kind = static_cast<core::AllocKind>(g.requests[a].entry);
      heap = kind == core::AllocKind::Heap || kind == core::AllocKind::Outside;
    }
  const bool freed = std::any_of(g.witness.events.begin(), g.witness.events.end(),
                                 [&](const auto& f) { return f.kind == Kind::Free && f.value.object() == object; });
  bool holds = false;
  switch (g.witness.events[event].fault) {
    case core::Fault::None: break;
    case core::Fault::Null: holds = object == 0; break;
    case core::Fault::Wild: holds = !known; break;
    case core::Fault::OutOfBounds: holds = known && std::uint64_t{q.loc.offset} + q.loc.size > size; break;
    case core::Fault::ReadOnly: holds = global && globals[object - 1].constant && q.kind != core::Kind::Load; break;
    case core::Fault::DoubleFree: holds = q.kind == core::Kind::Free && freed; break;
    case core::Fault::InvalidFree:
      holds = q.kind == core::Kind::Free && (!q.value.pointer || q.value.offset() != 0 || global || !heap);
      break;
    case core::Fault::Freed: holds = freed; break;
    case core::Fault::Misaligned: holds = q.loc.size != 0 && q.loc.offset % q.loc.size != 0; break;
  }
  return holds ? "" : "memory has no reason to refuse the access";
}

}  // namespace heddle::check
