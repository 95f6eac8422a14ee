// Sets of events and relations between events as bit matrices, with the small vocabulary that memory models are
// written in: union, intersection, difference, sequence, inverse, closures, restriction, products.
//
// W is the number of 64-bit words in a row: W = 1 serves executions of up to 64 events (every litmus test, most
// programs) and lives on the stack; larger W keep their rows on the heap. A Relation knows the number of its events
// and touches no row beyond it. Operands of one operation have the same number of events (unchecked in the hot path).
// What is hot here is watched by bench/litmus_bench.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace heddle::axioms {

using EventId = std::uint32_t;

template <unsigned W>
struct EventSet {
  static constexpr unsigned capacity = 64 * W;
  std::array<std::uint64_t, W> words{};

  static EventSet all(unsigned n) {
    EventSet s;
    for (unsigned i = 0; i < W; ++i) {
      const unsigned low = 64 * i;
      s.words[i] = n >= low + 64 ? ~std::uint64_t{0} : n > low ? (std::uint64_t{1} << (n - low)) - 1 : 0;
    }
    return s;
  }
  static EventSet single(EventId e) {
    EventSet s;
    s.add(e);
    return s;
  }

  void add(EventId e) { words[e >> 6] |= std::uint64_t{1} << (e & 63); }
  void remove(EventId e) { words[e >> 6] &= ~(std::uint64_t{1} << (e & 63)); }
  bool has(EventId e) const { return (words[e >> 6] >> (e & 63)) & 1; }
  bool empty() const {
    std::uint64_t any = 0;
    for (auto w : words) any |= w;
    return any == 0;
  }
  unsigned count() const {
    unsigned n = 0;
    for (auto w : words) n += static_cast<unsigned>(std::popcount(w));
    return n;
  }
  EventId first() const {  // requires !empty()
    for (unsigned i = 0;; ++i)
      if (words[i] != 0) return 64 * i + static_cast<unsigned>(std::countr_zero(words[i]));
  }
  template <class F>
  void each(F&& f) const {  // in ascending order
    for (unsigned i = 0; i < W; ++i)
      for (std::uint64_t w = words[i]; w != 0; w &= w - 1) f(64 * i + static_cast<unsigned>(std::countr_zero(w)));
  }
  template <class F>
  void each_down(F&& f) const {  // in descending order
    for (unsigned i = W; i-- > 0;)
      for (std::uint64_t w = words[i]; w != 0;) {
        const unsigned bit = 63 - static_cast<unsigned>(std::countl_zero(w));
        w ^= std::uint64_t{1} << bit;
        f(64 * i + bit);
      }
  }

  EventSet& operator|=(const EventSet& o) {
    for (unsigned i = 0; i < W; ++i) words[i] |= o.words[i];
    return *this;
  }
  EventSet& operator&=(const EventSet& o) {
    for (unsigned i = 0; i < W; ++i) words[i] &= o.words[i];
    return *this;
  }
  EventSet& operator-=(const EventSet& o) {
    for (unsigned i = 0; i < W; ++i) words[i] &= ~o.words[i];
    return *this;
  }
  friend EventSet operator|(EventSet a, const EventSet& b) { return a |= b; }
  friend EventSet operator&(EventSet a, const EventSet& b) { return a &= b; }
  friend EventSet operator-(EventSet a, const EventSet& b) { return a -= b; }
  friend bool operator==(const EventSet&, const EventSet&) = default;
  bool meets(const EventSet& o) const {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < W; ++i) any |= words[i] & o.words[i];
    return any != 0;
  }
};

template <unsigned W>
class Relation {
 public:
  using Set = EventSet<W>;

  explicit Relation(unsigned n = 0) : n_(n) {
    if constexpr (W > 1) rows_.resize(n);
    else
      for (unsigned i = 0; i < n; ++i) rows_[i] = Set{};
  }
  Relation(const Relation& o) : n_(o.n_) { take(o); }
  Relation& operator=(const Relation& o) {
    n_ = o.n_;
    take(o);
    return *this;
  }
  Relation(Relation&& o) noexcept : n_(o.n_) { take(std::move(o)); }
  Relation& operator=(Relation&& o) noexcept {
    n_ = o.n_;
    take(std::move(o));
    return *this;
  }

  unsigned size() const { return n_; }
  Set& operator[](EventId e) { return rows_[e]; }  // the successors of e
  const Set& operator[](EventId e) const { return rows_[e]; }
  void add(EventId a, EventId b) { rows_[a].add(b); }
  bool has(EventId a, EventId b) const { return rows_[a].has(b); }
  bool empty() const {
    for (unsigned i = 0; i < n_; ++i)
      if (!rows_[i].empty()) return false;
    return true;
  }
  unsigned count() const {
    unsigned c = 0;
    for (unsigned i = 0; i < n_; ++i) c += rows_[i].count();
    return c;
  }

  Relation& operator|=(const Relation& o) {
    for (unsigned i = 0; i < n_; ++i) rows_[i] |= o.rows_[i];
    return *this;
  }
  Relation& operator&=(const Relation& o) {
    for (unsigned i = 0; i < n_; ++i) rows_[i] &= o.rows_[i];
    return *this;
  }
  Relation& operator-=(const Relation& o) {
    for (unsigned i = 0; i < n_; ++i) rows_[i] -= o.rows_[i];
    return *this;
  }
  friend Relation operator|(Relation a, const Relation& b) { return a |= b; }
  friend Relation operator&(Relation a, const Relation& b) { return a &= b; }
  friend Relation operator-(Relation a, const Relation& b) { return a -= b; }
  friend bool operator==(const Relation& a, const Relation& b) {
    if (a.n_ != b.n_) return false;
    for (unsigned i = 0; i < a.n_; ++i)
      if (!(a.rows_[i] == b.rows_[i])) return false;
    return true;
  }

  // The pairs that begin in `from` (end in `to`).
  Relation from(const Set& s) const {
    Relation r(n_);
    s.each([&](EventId e) { r.rows_[e] = rows_[e]; });
    return r;
  }
  Relation to(const Set& s) const {
    Relation r(*this);
    for (unsigned i = 0; i < n_; ++i) r.rows_[i] &= s;
    return r;
  }
  Relation between(const Set& a, const Set& b) const {
    Relation r(n_);
    a.each([&](EventId e) { r.rows_[e] = rows_[e] & b; });
    return r;
  }

  Set domain() const {
    Set s;
    for (unsigned i = 0; i < n_; ++i)
      if (!rows_[i].empty()) s.add(i);
    return s;
  }
  Set range() const {
    Set s;
    for (unsigned i = 0; i < n_; ++i) s |= rows_[i];
    return s;
  }

 private:
  using Rows = std::conditional_t<W == 1, std::array<Set, 64>, std::vector<Set>>;
  void take(const Relation& o) {
    if constexpr (W > 1) rows_ = o.rows_;
    else
      for (unsigned i = 0; i < n_; ++i) rows_[i] = o.rows_[i];
  }
  void take(Relation&& o) noexcept {
    if constexpr (W > 1) rows_ = std::move(o.rows_);
    else
      for (unsigned i = 0; i < n_; ++i) rows_[i] = o.rows_[i];
  }
  unsigned n_;
  Rows rows_;
};

// a ; b — and of several: seq(a, b, c).
template <unsigned W>
Relation<W> seq(const Relation<W>& a, const Relation<W>& b) {
  Relation<W> r(a.size());
  for (unsigned i = 0; i < a.size(); ++i) a[i].each([&](EventId k) { r[i] |= b[k]; });
  return r;
}
template <unsigned W, class... More>
Relation<W> seq(const Relation<W>& a, const Relation<W>& b, const More&... more) {
  return seq(seq(a, b), more...);
}

template <unsigned W>
Relation<W> inverse(const Relation<W>& a) {
  Relation<W> r(a.size());
  for (unsigned i = 0; i < a.size(); ++i) a[i].each([&](EventId k) { r.add(k, i); });
  return r;
}

// Takes away events without successors among the rest until none is left, or none can be, and calls f(e) for each. What
// is left is on cycles or before them. Program order ascends: from above, few rounds are needed.
template <unsigned W, class F>
EventSet<W> peel(const Relation<W>& a, F&& f) {
  EventSet<W> rest = a.domain();
  for (bool progress = true; progress;) {
    progress = false;
    rest.each_down([&](EventId e) {
      if (a[e].meets(rest)) return;
      f(e);
      rest.remove(e);
      progress = true;
    });
  }
  return rest;
}

// a⁺: from the last events backwards, and what is on cycles or before them by Warshall's algorithm, a row at a time.
template <unsigned W>
Relation<W> closure(Relation<W> a) {
  const auto add_rows_of = [&](EventId e, const EventSet<W>& successors) {
    successors.each([&](EventId s) { a[e] |= a[s]; });
  };
  const EventSet<W> rest = peel(a, [&](EventId e) { add_rows_of(e, EventSet<W>(a[e])); });
  rest.each([&](EventId e) { add_rows_of(e, a[e] - rest); });
  rest.each([&](EventId k) {
    const EventSet<W> row = a[k];
    rest.each([&](EventId e) {
      if (a[e].has(k)) a[e] |= row;
    });
  });
  return a;
}

template <unsigned W>
Relation<W> maybe(Relation<W> a) {  // a?
  for (unsigned i = 0; i < a.size(); ++i) a.add(i, i);
  return a;
}
template <unsigned W>
Relation<W> star(const Relation<W>& a) {  // a*
  return maybe(closure(a));
}
template <unsigned W>
Relation<W> complement(const Relation<W>& a) {
  Relation<W> r(a.size());
  const auto all = EventSet<W>::all(a.size());
  for (unsigned i = 0; i < a.size(); ++i) r[i] = all - a[i];
  return r;
}

template <unsigned W>
Relation<W> identity(unsigned n, const EventSet<W>& s) {  // [s]
  Relation<W> r(n);
  s.each([&](EventId e) { r.add(e, e); });
  return r;
}
template <unsigned W>
Relation<W> product(unsigned n, const EventSet<W>& a, const EventSet<W>& b) {  // a × b
  Relation<W> r(n);
  a.each([&](EventId e) { r[e] = b; });
  return r;
}

template <unsigned W>
bool irreflexive(const Relation<W>& a) {
  for (unsigned i = 0; i < a.size(); ++i)
    if (a.has(i, i)) return false;
  return true;
}

template <unsigned W>
bool acyclic(const Relation<W>& a) {
  return peel(a, [](EventId) {}).empty();
}

// The events of a shortest cycle, in order; empty if there is none.
template <unsigned W>
std::vector<EventId> shortest_cycle(const Relation<W>& a) {
  std::vector<EventId> best;
  for (EventId start = 0; start < a.size(); ++start) {
    std::vector<EventId> queue{start}, parent(a.size(), start);
    EventSet<W> seen;  // start is not in it: reaching it again closes the cycle
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const EventId at = queue[i];
      if (a.has(at, start)) {
        std::vector<EventId> path;
        for (EventId e = at; e != start; e = parent[e]) path.push_back(e);
        path.push_back(start);
        if (best.empty() || path.size() < best.size()) best.assign(path.rbegin(), path.rend());
        break;
      }
      (a[at] - seen).each([&](EventId e) {
        seen.add(e);
        parent[e] = at;
        queue.push_back(e);
      });
    }
  }
  return best;
}

}  // namespace heddle::axioms
