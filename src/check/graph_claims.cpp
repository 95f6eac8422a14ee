// SPDX-License-Identifier: Apache-2.0
#include "check/graph_claims.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "axioms/models.h"
#include "check/phases.h"
#include "check/places.h"
#include "core/heap_family.h"
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

// Between the events begin ≤ e < end of a phase. Matrices number them from 0.
class Relations {
 public:
  Relations(const RunGraph& g, const EventIndex& index, std::size_t begin, std::size_t end)
      : events_(g.witness.events), requests_(g.requests), index_(index), begin_(begin), end_(end) {}

  std::size_t size() const { return end_ - begin_; }
  std::size_t place(std::size_t e) const { return whole(e) - begin_; }
  bool access(std::size_t e) const { return events_[e].kind == Kind::Read || events_[e].kind == Kind::Write; }
  bool before_in_thread(std::size_t a, std::size_t b) const {
    return events_[a].thread == events_[b].thread && events_[a].index < events_[b].index;
  }
  // The pieces of one access are one event: it goes by its first.
  std::size_t whole(std::size_t e) const {
    if (events_[e].piece == 0) return e;
    const std::size_t first = index_.at(events_[e].thread, std::uint64_t{events_[e].index} - events_[e].piece);
    return first == EventIndex::none ? e : first;
  }
  std::size_t read_of(std::size_t write) const {
    const std::size_t read = index_.read_of(events_[write]);
    return read == EventIndex::none ? write : read;
  }
  bool co_before(std::size_t a, std::size_t b) const {  // both writes of one location
    for (std::int32_t w = events_[b].co_prev; w >= 0; w = events_[static_cast<std::size_t>(w)].co_prev)
      if (static_cast<std::size_t>(w) == a) return true;
    return false;
  }
  // po, creation and join of threads.
  Matrix program_order() const {
    Matrix m(size());
    for (std::size_t a = begin_; a < end_; ++a)
      for (std::size_t b = begin_; b < end_; ++b) {
        const std::size_t x = place(a), y = place(b);
        if (x == y) continue;
        if (before_in_thread(a, b)) m.add(x, y);
        if (events_[a].kind == Kind::Spawn && events_[b].thread == events_[a].value.bits) m.add(x, y);
        if (events_[b].kind == Kind::Join && events_[a].thread == events_[b].value.bits) m.add(x, y);
      }
    return m;
  }

  // The first event of the atomic step or instruction that e belongs to.
  std::size_t step(std::size_t e) const {
    for (;;) {
      e = whole(e);
      const bool joined = e < requests_.size() && requests_[e].joined;
      const bool goes_on = joined || (events_[e].kind == Kind::Write && events_[e].rmw);
      if (!goes_on || events_[e].index == 0) return e;
      const std::size_t before = index_.at(events_[e].thread, events_[e].index - 1);
      if (before == EventIndex::none || before < begin_) return e;
      e = before;
    }
  }

  // po ∪ rf ∪ co ∪ fr between atomic steps, closed.
  Matrix sequential() const {
    Matrix m(size());
    std::vector<std::size_t> steps;
    for (std::size_t e = begin_; e < end_; ++e) steps.push_back(step(e) - begin_);
    const auto add = [&](std::size_t a, std::size_t b) {
      if (a < begin_ || a >= end_ || steps[a - begin_] == steps[b - begin_]) return;
      m.add(steps[a - begin_], steps[b - begin_]);
    };
    const Matrix po = program_order();
    for (std::size_t a = begin_; a < end_; ++a)
      for (std::size_t b = begin_; b < end_; ++b)
        if (po.has(place(a), place(b))) add(a, b);
    for (std::size_t e = begin_; e < end_; ++e) {
      if (events_[e].kind == Kind::Read && events_[e].rf >= 0) add(static_cast<std::size_t>(events_[e].rf), e);
      if (events_[e].kind != Kind::Write) continue;
      if (events_[e].co_prev >= 0) add(static_cast<std::size_t>(events_[e].co_prev), e);
      for (std::size_t r = begin_; r < end_; ++r)
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
    for (std::size_t head = begin_; head < end_; ++head) {
      const bool fence = events_[head].kind == Kind::Fence && releases(events_[head].order);
      const bool write = events_[head].kind == Kind::Write && (all || releases(events_[head].order));
      if (!fence && !write) continue;
      std::set<std::size_t> sequence;
      for (std::size_t w = begin_; w < end_; ++w) {
        if (events_[w].kind != Kind::Write || !atomic(w)) continue;
        if (fence ? before_in_thread(head, w)
                  : w == head || (own && before_in_thread(head, w) && events_[w].loc == events_[head].loc))
          sequence.insert(w);
      }
      for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t w = begin_; w < end_; ++w) {
          if (events_[w].kind != Kind::Write || !events_[w].rmw) continue;
          const std::int32_t from = events_[read_of(w)].rf;
          if (from >= 0 && sequence.contains(static_cast<std::size_t>(from))) grown |= sequence.insert(w).second;
        }
      }
      for (std::size_t r = begin_; r < end_; ++r) {
        if (events_[r].kind != Kind::Read || !atomic(r) || events_[r].rf < 0 ||
            !sequence.contains(static_cast<std::size_t>(events_[r].rf)))
          continue;
        if (all || acquires(events_[r].order)) m.add(place(head), place(r));
        for (std::size_t f = begin_; f < end_; ++f)
          if (events_[f].kind == Kind::Fence && acquires(events_[f].order) && before_in_thread(r, f))
            m.add(place(head), place(f));
      }
    }
    m.close();
    return m;
  }

 private:
  const std::vector<core::WitnessEvent>& events_;
  const std::vector<core::Request>& requests_;
  const EventIndex& index_;
  std::size_t begin_, end_;
};

// The final value of every byte, as events leave it.
class FinalMemory {
 public:
  explicit FinalMemory(const RunGraph& g) : g_(g) {
    const auto& events = g.witness.events;
    std::vector<bool> overwritten(events.size(), false);
    for (const auto& e : events)
      if (e.kind == Kind::Write && e.co_prev >= 0) overwritten[static_cast<std::size_t>(e.co_prev)] = true;
    for (std::size_t w = 0; w < events.size(); ++w)
      if (events[w].kind == Kind::Write && !overwritten[w])
        written_[events[w].loc.object].push_back({events[w].loc, events[w].value, w});
  }
  // Does the read see what is there at the end?
  bool latest(std::size_t read) const {
    const auto& e = g_.witness.events[read];
    const auto here = written_.find(e.loc.object);
    if (here != written_.end())
      for (const Written& w : here->second)
        if (w.at == e.loc) return e.rf >= 0 && static_cast<std::size_t>(e.rf) == w.event;
    return e.rf < 0;
  }
  struct Written {
    core::Loc at;
    core::Value value;
    std::size_t event;
  };
  const std::vector<Written>& written_to(std::uint32_t object) const {
    static const std::vector<Written> none;
    const auto it = written_.find(object);
    return it == written_.end() ? none : it->second;
  }
  core::Value read(const core::Loc& loc) const {
    core::Value v;
    const auto globals = g_.program.globals();
    if (loc.object >= 1 && loc.object <= globals.size() && loc.offset + loc.size <= globals[loc.object - 1].size)
      std::memcpy(&v.bits, globals[loc.object - 1].bytes.data() + loc.offset, loc.size);
    for (const auto& [at, value, event] : written_to(loc.object)) {
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
  // Is the upper half of the word all of a pointer? It is its object's name; a number that happens to be equal is not.
  bool holds_name(std::uint32_t object, std::uint32_t word) const {
    unsigned named = 0;
    for (const auto& [at, value, event] : written_to(object))
      for (std::uint32_t i = 0; i < at.size && value.pointer; ++i)
        if (at.offset + i >= word + 4 && at.offset + i < word + 8) named |= 1u << (at.offset + i - word);
    return named == 0xf0;
  }

 private:
  const RunGraph& g_;
  std::map<std::uint32_t, std::vector<Written>> written_;  // by object: what no other write follows
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
      if (q.waits && !core::wait_over(q, a.value)) return false;
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

// Does every choice lead to another one, for ever?
bool only_chooses(const RunGraph& g, core::Tid t) {
  std::set<core::Local> seen{g.locals[t]}, fresh = seen;
  while (!fresh.empty() && seen.size() < 20000) {
    std::set<core::Local> next;
    for (const core::Local& l : fresh) {
      const core::Request q = g.program.request(l);
      if (q.kind == core::Kind::Diverges) continue;
      if (q.kind != core::Kind::Choose || q.value.bits > 20000) return false;
      for (std::uint64_t choice = 0; choice < q.value.bits; ++choice) {
        core::Local after = l;
        g.program.resume(after, {core::Value(choice)});
        if (seen.insert(after).second) next.insert(after);
      }
    }
    fresh = std::move(next);
  }
  return fresh.empty();
}

Rest rest_of(const RunGraph& g, const FinalMemory& memory, core::Tid t) {
  const core::Request q = g.program.request(g.locals[t]);
  if (q.kind == core::Kind::Choose) return only_chooses(g, t) ? Rest::Spins : Rest::Moves;
  if (q.kind == core::Kind::Ended) return Rest::Ended;
  if (q.stands_still()) return q.kind == core::Kind::Diverges ? Rest::Spins : Rest::Assumed;
  if (q.kind == core::Kind::Join) {
    const auto child = static_cast<std::size_t>(q.value.bits);
    const bool ended =
        child < g.started.size() && g.started[child] && g.program.request(g.locals[child]).kind == core::Kind::Ended;
    return ended ? Rest::Moves : Rest::Joins;
  }
  const std::size_t n = g.witness.events.size();
  std::size_t last = n;
  for (std::size_t e = 0; e < n; ++e)
    if (g.witness.events[e].thread == t && (last == n || g.witness.events[e].index > g.witness.events[last].index))
      last = e;
  if (q.waits) {
    const core::Value now = memory.read(q.loc);
    return core::wait_over(q, now) ? Rest::Moves : Rest::Waits;
  }
  if (last == n || !g.witness.events[last].waits) return Rest::Moves;
  if (g.witness.events[last].kind == Kind::Read && !memory.latest(last)) return Rest::Moves;
  return spins(g, memory, t) ? Rest::Spins : Rest::Moves;
}

// Does a chain of threads, each waiting for a lock that the next one holds, come back to where it began?
bool has_lock_cycle(const RunGraph& g, const FinalMemory& memory) {
  for (core::Tid first = 0; first < g.started.size(); ++first) {
    core::Tid t = first;
    for (std::size_t steps = 0; steps < g.started.size() && g.started[t]; ++steps) {
      const core::Request q = g.program.request(g.locals[t]);
      const auto holder = q.owned ? holder_of(memory.read(q.loc)) : std::nullopt;
      if (!holder || *holder >= g.started.size()) break;
      if ((t = *holder) == first) return true;
    }
  }
  return false;
}

std::string refuted_waiting(const RunGraph& g, bool liveness) {
  const FinalMemory memory(g);
  if (!liveness && has_lock_cycle(g, memory)) return "";
  bool waits = false, spinning = false;
  for (core::Tid t = 0; t < g.started.size(); ++t) {
    if (!g.started[t]) continue;
    if (g.program.request(g.locals[t]).kind == core::Kind::Exit) return "the program has ended";
    switch (rest_of(g, memory, t)) {
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
  const EventIndex index(g.witness);
  const auto& events = g.witness.events;
  for (const Phase& phase : phases_of(g.witness)) {
    if (phase.serial) continue;
    const Relations r(g, index, phase.begin, phase.end);
    const Matrix hb = r.happens_before(*axioms::find_model(g.witness.model));
    for (std::size_t a = phase.begin; a < phase.end; ++a)
      for (std::size_t b = phase.begin; b < a; ++b) {
        if (!r.access(a) || !r.access(b) || events[a].thread == events[b].thread ||
            !events[a].loc.overlaps(events[b].loc))
          continue;
        if (events[a].kind == Kind::Read && events[b].kind == Kind::Read) continue;
        if (events[a].order != Order::Plain && events[b].order != Order::Plain) continue;
        if (!hb.has(r.place(a), r.place(b)) && !hb.has(r.place(b), r.place(a))) return std::pair{b, a};
      }
  }
  return std::nullopt;
}

namespace {

// The objects that a chain of pointers leads to from a global variable or a thread, in what memory holds at the end.
std::set<std::uint32_t> pointed_to(const RunGraph& g) {
  const FinalMemory memory(g);
  std::set<std::uint32_t> reached, freed;  // what was freed holds nothing
  for (const auto& f : g.witness.events)
    if (f.kind == Kind::Free) freed.insert(f.value.object());
  const auto globals = g.program.globals();
  for (std::uint32_t o = 1; o <= globals.size(); ++o) reached.insert(o);
  for (std::size_t t = 0; t < g.started.size(); ++t) {
    if (!g.started[t]) continue;
    core::Local copy = g.locals[t];
    g.program.visit_pointers(copy, [&](core::Value& v) { reached.insert(v.object()); });
  }
  for (std::size_t a = 0; a < g.witness.events.size(); ++a)
    if (const auto& e = g.witness.events[a];
        e.kind == Kind::Alloc && core::is_kept(g.requests[a].storage) && !freed.contains(e.value.object()))
      reached.insert(e.value.object());
  std::vector<std::uint32_t> rest(reached.begin(), reached.end());
  const auto reach = [&](const core::Value& v) {
    if (reached.insert(v.object()).second) rest.push_back(v.object());
  };
  while (!rest.empty()) {
    const std::uint32_t o = rest.back();
    rest.pop_back();
    if (freed.contains(o)) continue;
    for (const auto& w : memory.written_to(o)) {
      if (w.at.size == 8) {
        if (w.value.pointer) reach(w.value);
        continue;
      }
      // A piece of a pointer names no object by itself: the word that it is a part of may.
      const std::uint32_t word = w.at.offset - w.at.offset % 8;
      if (memory.holds_name(o, word)) reach(memory.read({o, word, 8}));
    }
  }
  return reached;
}

std::string not_at_its_end(const RunGraph& g) {
  bool all_ended = true;
  for (core::Tid t = 0; t < g.started.size(); ++t) {
    const core::Kind k = g.started[t] ? g.program.request(g.locals[t]).kind : core::Kind::Ended;
    if (k == core::Kind::Exit) return "";
    all_ended &= k == core::Kind::Ended;
  }
  return all_ended ? "" : "the execution is not at its end";
}

}  // namespace

std::optional<std::size_t> leak_in(const RunGraph& g) {
  std::set<std::uint32_t> kept = pointed_to(g);
  for (const auto& f : g.witness.events)
    if (f.kind == Kind::Free) kept.insert(f.value.object());
  for (std::size_t a = 0; a < g.witness.events.size(); ++a) {
    const auto& e = g.witness.events[a];
    if (e.kind != Kind::Alloc || g.requests[a].kind != core::Kind::Alloc || !core::can_leak(g.requests[a].storage))
      continue;
    if (!kept.contains(e.value.object())) return a;
  }
  return std::nullopt;
}

std::vector<FreedAccess> accesses_of_freed(const RunGraph& g) {
  const EventIndex index(g.witness);
  const axioms::Model* model = axioms::find_model(g.witness.model);
  const bool by_hb = by_happens_before(g);
  const auto& events = g.witness.events;
  std::map<std::uint32_t, std::size_t> freed;
  for (std::size_t f = 0; f < events.size(); ++f)
    if (events[f].kind == Kind::Free) freed.emplace(events[f].value.object(), f);
  std::vector<FreedAccess> out;
  for (const Phase& phase : phases_of(g.witness)) {
    const Relations r(g, index, phase.begin, phase.end);
    std::optional<Matrix> order, sequential;
    for (std::size_t a = phase.begin; a < phase.end; ++a) {
      const bool asks = g.size_questions.contains(a);
      const auto free = asks          ? freed.find(g.requests[a].loc.object)
                        : r.access(a) ? freed.find(events[a].loc.object)
                                      : freed.end();
      if (free == freed.end()) continue;
      const std::size_t f = free->second;
      if (phase.serial || f < phase.begin || f >= phase.end) {
        if (f < a) out.push_back({a, f});
        continue;
      }
      if (asks && !by_hb) {
        if (!sequential) sequential = r.sequential();
        const bool first = events[a].thread == events[f].thread
                               ? r.before_in_thread(a, f)
                               : sequential->has(r.step(a) - phase.begin, r.step(f) - phase.begin);
        if (!first) out.push_back({a, f});
        continue;
      }
      if (!order) order = by_hb ? r.happens_before(*model) : r.program_order();
      if (!order->has(r.place(a), r.place(f))) out.push_back({a, f});
    }
  }
  std::ranges::sort(out, {}, [](const FreedAccess& p) { return std::pair{p.free, p.access}; });
  return out;
}

std::string refuted(const RunGraph& g, const core::Property& property) {
  const auto is = [&]<class P>(P) { return std::holds_alternative<P>(property); };
  if (is(core::Race{})) {
    if (!by_happens_before(g)) return "data races are a notion of the language: rc11 and ra";
    return race_in(g) ? "" : "all conflicting accesses are ordered by happens-before";
  }
  if (is(core::Deadlock{}) || is(core::Liveness{})) return refuted_waiting(g, is(core::Liveness{}));
  if (is(core::Leak{})) {
    if (const std::string why = not_at_its_end(g); !why.empty()) return why;
    return leak_in(g) ? "" : "everything that was allocated is freed or still pointed to";
  }
  if (is(core::Robust{})) {
    const EventIndex index(g.witness);
    for (const Phase& phase : phases_of(g.witness))
      if (!phase.serial && Relations(g, index, phase.begin, phase.end).sequential().cyclic()) return "";
    return "the execution is sequentially consistent";
  }
  return "no execution graph shows that";
}

std::string unfounded_fault(const RunGraph& g, std::size_t event) {
  const core::Request& q = g.requests[event];
  const bool frees = q.kind == core::Kind::Free;
  if (!frees && q.kind != core::Kind::Load && q.kind != core::Kind::Store && q.kind != core::Kind::Rmw)
    return "memory refuses only accesses";
  const auto globals = g.program.globals();
  const std::uint32_t object = frees ? q.value.object() : q.loc.object;
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
      const auto kind = g.requests[a].storage;
      heap = core::is_heap(kind) || kind == core::AllocKind::Outside;
    }
  const bool freed = std::any_of(g.witness.events.begin(), g.witness.events.end(),
                                 [&](const auto& f) { return f.kind == Kind::Free && f.value.object() == object; });
  bool holds = false;
  switch (g.witness.events[event].fault) {
    case core::Fault::None: break;
    case core::Fault::Null: holds = !frees && object == 0; break;
    case core::Fault::Wild: holds = !frees && object != 0 && !known; break;
    case core::Fault::OutOfBounds: holds = !frees && known && std::uint64_t{q.loc.offset} + q.loc.size > size; break;
    case core::Fault::ReadOnly:
      holds = !frees && global && globals[object - 1].constant && q.kind != core::Kind::Load;
      break;
    case core::Fault::DoubleFree: holds = frees && freed; break;
    case core::Fault::InvalidFree:
      // Other storage than the heap is freed by the frame or the thread that it belongs to.
      holds = frees && q.value.bits != 0 &&
              (!q.value.pointer || q.value.offset() != 0 || global || !known ||
               (q.storage == core::AllocKind::Heap && !heap));
      break;
    case core::Fault::Freed: holds = !frees && freed; break;
    case core::Fault::Misaligned: break;  // threads find that by themselves
  }
  return holds ? "" : "memory has no reason to refuse the access";
}

}  // namespace heddle::check
