// SPDX-License-Identifier: Apache-2.0
#include "explore/races.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "memory/machine.h"

namespace heddle::explore {
namespace {

using core::Order;

bool acquires(Order o) { return o == Order::Acquire || o == Order::AcqRel || o == Order::SeqCst; }
bool releases(Order o) { return o == Order::Release || o == Order::AcqRel || o == Order::SeqCst; }

}  // namespace

// What is in an atomic section is seq_cst whatever its order says (docs/models.md). So is an access of the library that
// waits, except where weak models are decided: there it has the order that the library gives it. Locks count as seq_cst
// there, too: a program without races that uses nothing weaker beside them cannot tell.
Order Races::order_of(const core::Request& r) const {
  return r.locked || (r.waits && !seq_cst_only_) || r.owned || r.unlocks ? Order::SeqCst : r.order;
}

bool Races::is_atomic(Order order) const { return seq_cst_only_ ? order == Order::SeqCst : order != Order::Plain; }
Races::Class Races::read_of(Order order) const { return is_atomic(order) ? Class::AtomicRead : Class::PlainRead; }
Races::Class Races::write_of(Order order) const { return is_atomic(order) ? Class::AtomicWrite : Class::PlainWrite; }

void Races::merge(std::span<Count> into, std::span<const Count> from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

bool Races::writes(Class c) { return c == Class::AtomicWrite || c == Class::PlainWrite; }

bool Races::plain(Class c) { return c == Class::PlainRead || c == Class::PlainWrite; }

bool Races::conflict(const Access& a, const Access& b) const {
  if (!writes(a.kind) && !writes(b.kind)) return false;
  return plain(a.kind) || plain(b.kind) || (seq_cst_only_ && a.loc != b.loc);
}

// Whatever conflicts with the older one conflicts with the newer one too. Where accesses that overlap in part are not
// atomic, one that is conflicts with fewer than a part of it would.
bool Races::subsumes(const Access& newer, const Access& older) const {
  if (!newer.loc.covers(older.loc)) return false;
  if (seq_cst_only_ && newer.loc != older.loc && !plain(newer.kind)) return false;
  return newer.kind == older.kind || newer.kind == Class::PlainWrite || older.kind == Class::AtomicRead;
}

void Races::resize(unsigned threads) {
  const auto widen = [&](std::vector<Count>& rows) {
    if (threads_ == 0) return;
    const std::size_t count = rows.size() / threads_;
    scratch_.assign(count * threads, 0);
    for (std::size_t row = 0; row < count; ++row)
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * threads_), threads_,
                  scratch_.begin() + static_cast<std::ptrdiff_t>(row * threads));
    rows.swap(scratch_);
  };
  for (auto* rows : {&now_, &fence_, &heard_, &pool_}) widen(*rows);
  threads_ = threads;
  for (auto* rows : {&now_, &fence_, &heard_}) rows->resize(std::size_t{threads} * threads, 0);
  if (pool_.empty()) pool_.resize(threads, 0);
}

void Races::start(unsigned threads, bool seq_cst_only) {
  *this = Races();
  seq_cst_only_ = seq_cst_only;
  resize(threads);
}

void Races::spawn(Tid parent) {
  resize(threads_ + 1);
  const Tid child = threads_ - 1;
  std::ranges::copy(clock_of(now_, parent), clock_of(now_, child).begin());
}

void Races::join(Tid t, Tid ended) {
  merge(clock_of(now_, t), clock_of(now_, ended));
  std::ranges::fill(clock_of(now_, ended), 0);  // nobody will join it again
}

void Races::fence(Tid t, Order order) {
  if (acquires(order)) merge(clock_of(now_, t), clock_of(heard_, t));
  if (releases(order)) std::ranges::copy(clock_of(now_, t), clock_of(fence_, t).begin());
}

bool Races::access(Tid t, const core::Loc& loc, Class kind) {
  const Access newest{loc, t, kind, ++now(t, t)};
  const bool race = std::ranges::any_of(accesses_, [&](const Access& a) {
    return a.thread != t && a.loc.overlaps(loc) && a.when > now(t, a.thread) && conflict(a, newest);
  });
  std::erase_if(accesses_, [&](const Access& a) { return a.thread == t && subsumes(newest, a); });
  accesses_.push_back(newest);
  return race;
}

bool Races::has_read(Tid t, const core::Request& r) const {
  const Count when = now(t, t);
  const auto last = [&](const Access& a) {
    return a.thread == t && a.when == when && a.kind == Class::AtomicRead && a.loc.covers(r.loc);
  };
  if (std::ranges::none_of(accesses_, last)) return false;
  // Who knows of the last one need not know of this one.
  const auto known = [&](const std::vector<Count>& rows) {
    for (std::size_t at = t; at < rows.size(); at += threads_)
      if (rows[at] >= when && !(&rows == &now_ && at == t * threads_ + t)) return true;
    return false;
  };
  return !known(now_) && !known(fence_) && !known(heard_) && !known(pool_);
}

// The messages of all bytes of `loc` in memory, but for those that a store in `hiding` covers.
void Races::gather(const core::Loc& loc, std::span<Count> into, const memory::Buffer* hiding) {
  for (const Message& m : messages_) {
    if (!m.loc.overlaps(loc)) continue;
    bool seen = hiding == nullptr;
    const std::uint32_t begin = std::max(loc.offset, m.loc.offset),
                        end = std::min(loc.offset + loc.size, m.loc.offset + m.loc.size);
    for (std::uint32_t at = begin; at < end && !seen; ++at)
      seen = std::ranges::none_of(*hiding, [&](const memory::Entry& e) {
        return e.kind == memory::Entry::Kind::Store && e.loc.covers({loc.object, at, 1});
      });
    if (seen) merge(into, clock_of(pool_, m.clock));
  }
}

void Races::hear(Tid t, Order order, std::span<const Count> message) {
  if (acquires(order)) merge(clock_of(now_, t), message);
  else if (order != Order::Plain) merge(clock_of(heard_, t), message);
}

bool Races::load(Tid t, const core::Request& r, const memory::Buffer& own, memory::Entry* buffered) {
  const Order order = order_of(r);
  const Class kind = read_of(order);
  if (buffered != nullptr) {
    buffered->note = acquires(order) ? acquire_load : order == Order::Plain ? plain_load : relaxed_load;
    return !acquires(order) && access(t, r.loc, kind);
  }
  if (order != Order::Plain) {
    scratch_.assign(threads_, 0);
    gather(r.loc, scratch_, &own);
    hear(t, order, scratch_);
  }
  return access(t, r.loc, kind);
}

std::uint32_t Races::add_clock() {
  const auto row = static_cast<std::uint32_t>(pool_.size() / threads_);
  pool_.resize(pool_.size() + threads_, 0);
  return row;
}

// What a store of this order tells those who read it. Its access has been counted already.
std::uint32_t Races::message(Tid t, const core::Loc& loc, Order order) {
  if (order == Order::Plain) return 0;
  const std::uint32_t row = add_clock();
  if (releases(order)) {
    merge(clock_of(pool_, row), clock_of(now_, t));
    std::erase_if(released_, [&](const Message& m) { return m.thread == t && loc.covers(m.loc); });
    released_.push_back({loc, t, row});
  } else {
    merge(clock_of(pool_, row), clock_of(fence_, t));
    for (const Message& m : released_)
      if (m.thread == t && m.loc.overlaps(loc)) merge(clock_of(pool_, row), clock_of(pool_, m.clock));
  }
  return row;
}

void Races::set_message(const core::Loc& loc, std::uint32_t clock) {
  const std::size_t count = messages_.size();
  for (std::size_t i = 0; i < count; ++i) {
    Message& m = messages_[i];
    if (!m.loc.overlaps(loc)) continue;
    const std::uint32_t end = m.loc.offset + m.loc.size, new_end = loc.offset + loc.size;
    const Message right{{m.loc.object, new_end, end > new_end ? end - new_end : 0}, 0, m.clock};
    m.loc.size = m.loc.offset < loc.offset ? loc.offset - m.loc.offset : 0;
    if (right.loc.size != 0) messages_.push_back(right);
  }
  std::erase_if(messages_, [](const Message& m) { return m.loc.size == 0; });
  if (clock != 0) messages_.push_back({loc, 0, clock});
}

bool Races::store(Tid t, const core::Request& r, memory::Entry* buffered) {
  const Order order = order_of(r);
  const bool race = access(t, r.loc, write_of(order));
  const std::uint32_t clock = message(t, r.loc, order);
  if (buffered != nullptr) buffered->note = clock;
  else set_message(r.loc, clock);
  return race;
}

bool Races::rmw(Tid t, const core::Request& r, bool wrote) {
  const Order order = wrote || r.locked || r.waits ? order_of(r) : r.failure;
  const Order own = !seq_cst_only_ || r.locked || r.owned || r.unlocks ? Order::SeqCst
                    : wrote || r.op != core::RmwOp::Cas                ? r.order
                                                                       : r.failure;
  read_.assign(threads_, 0);
  gather(r.loc, read_);
  hear(t, order, read_);
  const bool race = access(t, r.loc, wrote ? write_of(own) : read_of(own));
  if (!wrote) return race;
  std::uint32_t clock = message(t, r.loc, order);
  if (clock != 0) {
    // The release sequences that it read from go on through it, but not through later stores of its thread: the clock that
    // `released_` has for these stays as it is.
    const std::uint32_t own_release = std::exchange(clock, add_clock());
    merge(clock_of(pool_, clock), clock_of(pool_, own_release));
    merge(clock_of(pool_, clock), read_);
  }
  set_message(r.loc, clock);
  return race;
}

bool Races::free(Tid t, std::uint32_t object) {
  const bool race = std::ranges::any_of(accesses_, [&](const Access& a) {
    return a.loc.object == object && a.thread != t &&
           (seq_cst_only_ || a.kind == Class::PlainRead || a.kind == Class::PlainWrite) && a.when > now(t, a.thread);
  });
  const auto gone = [&](const auto& a) { return a.loc.object == object; };
  std::erase_if(accesses_, gone);
  std::erase_if(messages_, gone);
  std::erase_if(released_, gone);
  return race;
}

bool Races::flush(Tid t, const memory::Entry& e) {
  if (e.kind == memory::Entry::Kind::Store) {
    set_message(e.loc, e.note);
    return false;
  }
  if (e.kind != memory::Entry::Kind::Load || e.note == plain_load) return false;
  scratch_.assign(threads_, 0);
  gather(e.loc, scratch_);
  hear(t, e.note == acquire_load ? Order::Acquire : Order::Relaxed, scratch_);
  return e.note == acquire_load && access(t, e.loc, Class::AtomicRead);
}

// Replaces the counts of thread `of`. With its recorded accesses in order, e1 < … < ek, a clock is as good as the
// number p of them that it knows; accesses that no clock tells apart get the same rank.
void Races::rank(Tid of) {
  epochs_.clear();
  for (const Access& a : accesses_)
    if (a.thread == of) epochs_.push_back(a.when);
  std::ranges::sort(epochs_);
  epochs_.erase(std::unique(epochs_.begin(), epochs_.end()), epochs_.end());
  const auto known = [&](Count v) {
    return static_cast<Count>(std::ranges::upper_bound(epochs_, v) - epochs_.begin());
  };
  // Every place that holds a count of this thread, but for the thread's own clock, which knows all.
  const auto each = [&](auto&& f) {
    for (Tid u = 0; u < threads_; ++u) {
      if (u != of) f(now(u, of));
      f(fence_[u * threads_ + of]);
      f(heard_[u * threads_ + of]);
    }
    for (std::size_t row = 1; row < used_.size(); ++row)
      if (used_[row]) f(pool_[row * threads_ + of]);
  };
  cuts_.clear();
  each([&](Count& v) { cuts_.push_back(v = known(v)); });
  std::ranges::sort(cuts_);
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  // The rank of the i-th access, from 1: one more than the cuts before it.
  const auto rank_of = [&](Count i) {
    const auto below = static_cast<Count>(std::ranges::lower_bound(cuts_, i) - cuts_.begin());
    return i == 0 ? 0 : 1 + below - (!cuts_.empty() && cuts_.front() == 0 ? 1 : 0);
  };
  each([&](Count& v) { v = rank_of(v); });
  for (Access& a : accesses_)
    if (a.thread == of) a.when = rank_of(known(a.when));
  now(of, of) = rank_of(static_cast<Count>(epochs_.size()));
}

// Accesses of a thread that another one of it, not known to fewer clocks, makes superfluous.
bool Races::drop_subsumed() {
  const std::size_t before = accesses_.size();
  for (std::size_t i = 0; i < accesses_.size();) {
    const Access& a = accesses_[i];
    const bool gone = std::ranges::any_of(accesses_, [&](const Access& b) {
      return &a != &b && a.thread == b.thread && a.when <= b.when && subsumes(b, a);
    });
    if (gone) accesses_.erase(accesses_.begin() + static_cast<std::ptrdiff_t>(i));
    else ++i;
  }
  return accesses_.size() != before;
}

void Races::normalise(std::span<const Owner> owners) {
  for (Tid u = 0; u < threads_; ++u) {
    if (owners[u].ended) {
      std::ranges::fill(clock_of(fence_, u), 0);
      std::ranges::fill(clock_of(heard_, u), 0);
      std::erase_if(released_, [&](const Message& m) { return m.thread == u; });
    }
    for (Tid of = 0; of < threads_; ++of)
      if (Count& v = heard_[u * threads_ + of]; of == u || v <= now(u, of)) v = 0;
  }
  std::erase_if(accesses_, [&](const Access& a) {
    for (Tid u = 0; u < threads_; ++u)
      if (u != a.thread && !owners[u].ended && now(u, a.thread) < a.when) return false;
    return true;
  });
  used_.assign(pool_.size() / std::max(threads_, 1u), false);
  for (const auto* list : {&messages_, &released_})
    for (const Message& m : *list) used_[m.clock] = true;
  for (const Owner& o : owners)
    for (const memory::Entry& e : *o.buffer)
      if (e.kind == memory::Entry::Kind::Store) used_[e.note] = true;
  for (Tid of = 0; of < threads_; ++of) rank(of);
  if (drop_subsumed())
    for (Tid of = 0; of < threads_; ++of) rank(of);
  // Clocks that teach nobody anything are none.
  const auto empty = [&](std::uint32_t clock) {
    return std::ranges::all_of(clock_of(pool_, clock), [](Count c) { return c == 0; });
  };
  for (auto* list : {&messages_, &released_}) std::erase_if(*list, [&](const Message& m) { return empty(m.clock); });
  for (const Owner& o : owners)
    for (memory::Entry& e : *o.buffer)
      if (e.kind == memory::Entry::Kind::Store && e.note != 0 && empty(e.note)) e.note = 0;
  std::ranges::sort(accesses_, {}, [](const Access& a) { return std::tuple(a.loc, a.thread, a.kind); });
  for (auto* list : {&messages_, &released_})
    std::ranges::sort(*list, {}, [](const Message& m) { return std::tuple(m.loc, m.thread); });
}

void Races::rename(std::span<const std::uint32_t> name, std::uint32_t first) {
  const auto each = [&](auto& list) {
    for (auto& a : list)
      if (a.loc.object >= first) a.loc.object = a.loc.object < name.size() ? name[a.loc.object] : 0;
    std::erase_if(list, [](const auto& a) { return a.loc.object == 0; });
  };
  each(accesses_);
  each(messages_);
  each(released_);
}

namespace {

// Numbers are small: one byte, or 255 and four.
void put(std::vector<std::byte>& out, std::uint32_t v) {
  if (v < 255) {
    out.push_back(static_cast<std::byte>(v));
    return;
  }
  out.push_back(std::byte{255});
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>(v >> shift));
}

std::uint32_t get(std::span<const std::byte> in, std::size_t& at) {
  const auto first = std::to_integer<std::uint32_t>(in[at++]);
  if (first < 255) return first;
  std::uint32_t v = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) v |= std::to_integer<std::uint32_t>(in[at++]) << shift;
  return v;
}

}  // namespace

void Races::encode(std::span<const Owner> owners, std::vector<std::byte>& clocks,
                   std::vector<std::byte>& accesses) const {
  clocks.clear();
  const auto put_clock = [&](std::vector<std::byte>& out, std::uint32_t row) {
    for (unsigned i = 0; i < threads_; ++i) put(out, pool_[row * threads_ + i]);
  };
  for (const auto* rows : {&now_, &fence_, &heard_})
    for (const Count v : *rows) put(clocks, v);
  for (const Owner& o : owners)
    for (const memory::Entry& e : *o.buffer) {
      if (e.kind == memory::Entry::Kind::Load) put(clocks, e.note);
      if (e.kind == memory::Entry::Kind::Store) put_clock(clocks, e.note);
    }
  accesses.clear();
  put(accesses, static_cast<std::uint32_t>(accesses_.size()));
  for (const Access& a : accesses_)
    for (const std::uint32_t v :
         {a.loc.object, a.loc.offset, a.loc.size, a.thread, static_cast<std::uint32_t>(a.kind), a.when})
      put(accesses, v);
  for (const auto* list : {&messages_, &released_}) {
    put(accesses, static_cast<std::uint32_t>(list->size()));
    for (const Message& m : *list) {
      for (const std::uint32_t v : {m.loc.object, m.loc.offset, m.loc.size, m.thread}) put(accesses, v);
      put_clock(accesses, m.clock);
    }
  }
}

void Races::decode(std::span<const Owner> owners, std::span<const std::byte> clocks,
                   std::span<const std::byte> accesses, bool seq_cst_only) {
  seq_cst_only_ = seq_cst_only;
  threads_ = static_cast<unsigned>(owners.size());
  std::size_t at = 0;
  for (auto* rows : {&now_, &fence_, &heard_}) {
    rows->resize(std::size_t{threads_} * threads_);
    for (Count& v : *rows) v = get(clocks, at);
  }
  pool_.assign(threads_, 0);
  const auto get_clock = [&](std::span<const std::byte> in, std::size_t& from) {
    const auto row = static_cast<std::uint32_t>(pool_.size() / threads_);
    bool any = false;
    for (unsigned i = 0; i < threads_; ++i) {
      pool_.push_back(get(in, from));
      any |= pool_.back() != 0;
    }
    if (any) return row;
    pool_.resize(pool_.size() - threads_);
    return 0u;
  };
  for (const Owner& o : owners)
    for (memory::Entry& e : *o.buffer) {
      if (e.kind == memory::Entry::Kind::Load) e.note = get(clocks, at);
      if (e.kind == memory::Entry::Kind::Store) e.note = get_clock(clocks, at);
    }
  at = 0;
  accesses_.resize(get(accesses, at));
  for (Access& a : accesses_) {
    for (std::uint32_t* v : {&a.loc.object, &a.loc.offset, &a.loc.size, &a.thread}) *v = get(accesses, at);
    a.kind = static_cast<Class>(get(accesses, at));
    a.when = get(accesses, at);
  }
  for (auto* list : {&messages_, &released_}) {
    list->resize(get(accesses, at));
    for (Message& m : *list) {
      for (std::uint32_t* v : {&m.loc.object, &m.loc.offset, &m.loc.size, &m.thread}) *v = get(accesses, at);
      m.clock = get_clock(accesses, at);
    }
  }
}

}  // namespace heddle::explore
