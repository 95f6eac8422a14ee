// SPDX-License-Identifier: Apache-2.0
#include "graph/tables.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/rmw.h"
#include "support/diagnostics.h"

namespace heddle::graph {

namespace {

std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

std::uint64_t hash_bytes(const core::Local& l) {
  // Local states with deep calls are kilobytes long: in four lanes, which the processor works on side by side.
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
  std::size_t i = 0;
  for (; i + sizeof lanes <= l.size(); i += sizeof lanes) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), l.data() + i, sizeof words);
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] = mix(lanes[k] ^ words[k]);
  }
  std::uint64_t h = l.size();
  for (const std::uint64_t lane : lanes) h = mix(h ^ lane);
  for (; i + 8 <= l.size(); i += 8) {
    std::uint64_t w;
    std::memcpy(&w, l.data() + i, 8);
    h = mix(h ^ w);
  }
  for (; i < l.size(); ++i) h = mix(h ^ static_cast<std::uint64_t>(l[i]));
  return h;
}

std::uint64_t hash_edge(StateId s, const core::Answer& a) {
  return mix(mix(a.value.bits + s * 0xd6e8feb86659fd93u) ^
             (a.value.undefined * 0x9e3779b97f4a7c15u + (std::uint64_t{a.value.pointer} << 8) +
              (static_cast<std::uint64_t>(a.fault) << 9) + (std::uint64_t{a.spurious} << 20)));
}

bool equal(const core::Answer& a, const core::Answer& b) {
  return a.value == b.value && a.fault == b.fault && a.spurious == b.spurious;
}

}  // namespace

Names::Names(const core::Program& p) {
  object_info_.emplace_back();
  for (const auto& g : p.globals())
    object_info_.push_back({g.size, core::AllocKind::Static, g.constant, true, 0, none, 0});
  for (const auto& e : p.initial_threads()) entries_.push_back(e.entry);
}

ThreadId Names::spawned(ThreadId parent, std::uint32_t k, std::uint32_t entry) {
  const std::scoped_lock lock(mutex_);
  const auto [it, fresh] = threads_.try_emplace({parent, k, entry}, static_cast<ThreadId>(entries_.size()));
  if (fresh) entries_.push_back(entry);
  return it->second;
}

std::uint32_t Names::allocated(ThreadId by, std::uint32_t k, std::uint32_t size, core::AllocKind kind,
                               std::uint32_t contents) {
  const std::scoped_lock lock(mutex_);
  const auto [it, fresh] = objects_.try_emplace({by, k, size, static_cast<std::uint8_t>(kind), contents},
                                                static_cast<std::uint32_t>(object_info_.size()));
  if (fresh) object_info_.push_back({size, kind, false, false, contents, by, k});
  return it->second;
}

ObjectInfo Names::object(std::uint32_t number) const {
  const std::scoped_lock lock(mutex_);
  return number < object_info_.size() ? object_info_[number] : ObjectInfo{};
}

std::uint32_t Names::thread_count() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::uint32_t>(entries_.size());
}

std::uint32_t Names::entry(ThreadId t) const {
  const std::scoped_lock lock(mutex_);
  return entries_[t];
}

std::vector<core::Loc> Names::pieces(const core::Loc& loc) {
  const std::scoped_lock lock(mutex_);
  auto& known = pieces_[loc.object];
  const auto cut = [&](std::uint32_t at) {
    auto it = known.lower_bound(at);
    if (it == known.begin()) return;
    --it;
    if (it->second <= at) return;
    const std::uint32_t to = it->second;
    it->second = at;
    // A buffer that was filled by words and is gone through by bytes would be cut byte by byte, with a new beginning
    // each: what is left of the piece is cut as the access cuts it.
    const std::uint32_t step = std::max(loc.size, 1U);
    for (; at < to; at += step) known.emplace(at, std::min(to, at + step));
    ++refinements_;
  };
  const std::uint32_t end = loc.offset + loc.size;
  cut(loc.offset);
  cut(end);
  std::vector<core::Loc> out;
  for (std::uint32_t at = loc.offset; at < end;) {
    auto it = known.lower_bound(at);
    if (it == known.end() || it->first != at)
      it = known.emplace(at, it == known.end() ? end : std::min(end, it->first)).first;
    out.push_back({loc.object, at, it->second - at});
    at = it->second;
  }
  return out;
}

void Names::keep_apart(const std::vector<ThreadId>& threads) {
  const std::scoped_lock lock(mutex_);
  for (const ThreadId t : threads) {
    if (apart_.size() <= t) apart_.resize(t + 1);
    apart_[t] = true;
  }
  ++refinements_;
}

bool Names::kept_apart(ThreadId t) const {
  const std::scoped_lock lock(mutex_);
  return t < apart_.size() && apart_[t];
}

void Names::narrow_symmetry(ThreadId eldest) {
  const std::scoped_lock lock(mutex_);
  if (narrowed_ != none) return;
  narrowed_ = eldest;
  ++refinements_;
}

void Names::need_rounds(std::uint32_t n) {
  const std::scoped_lock lock(mutex_);
  if (n <= rounds_) return;
  rounds_ = n;
  ++refinements_;
}

Tables::Tables(const core::Program& p, Names& n, bool history, bool spurious_cas, core::Drops* drops, bool compiled)
    : program_(p),
      names_(n),
      history_(history),
      spurious_cas_(spurious_cas),
      compiled_(compiled),
      edges_(1024),
      refinements_(n.refinements()),
      drops_(drops != nullptr ? drops : &own_drops_) {}

StateId Tables::start(std::uint32_t entry, const core::Value& arg, ThreadId self) {
  const auto [it, fresh] = starts_.try_emplace({entry, self, arg.bits, arg.undefined, arg.pointer}, none);
  if (!fresh) return it->second;
  scratch_.clear();
  auto shadow = history_ ? program_.make_shadow() : nullptr;
  program_.start(entry, arg, self, scratch_, shadow.get());
  return it->second = intern(scratch_, std::move(shadow));
}

StateId Tables::next(StateId s, const core::Answer& answer) {
  if (states_[s].last_next != none && equal(states_[s].last_answer, answer)) return states_[s].last_next;
  Edge* edge = find(s, answer);
  if (edge->from == none) {
    const auto l = local(s);
    scratch_.assign(l.begin(), l.end());
    auto shadow = history_ ? program_.copy_shadow(*states_[s].shadow) : nullptr;
    program_.resume(scratch_, answer, shadow.get());
    const StateId to = intern(scratch_, std::move(shadow));
    if (++edge_count_ * 2 > edges_.size()) grow_edges();
    edge = find(s, answer);
    *edge = {s, to, answer};
  }
  states_[s].last_answer = answer;
  states_[s].last_next = edge->to;
  return edge->to;
}

std::optional<core::Answer> Tables::answer(StateId from, StateId to) const {
  const auto it = std::ranges::find_if(edges_, [&](const Edge& e) { return e.from == from && e.to == to; });
  return it != edges_.end() ? std::optional(it->answer) : std::nullopt;
}

Tables::Edge* Tables::find(StateId s, const core::Answer& a) {
  const std::size_t mask = edges_.size() - 1;
  for (std::size_t i = hash_edge(s, a) & mask;; i = (i + 1) & mask)
    if (edges_[i].from == none || (edges_[i].from == s && equal(edges_[i].answer, a))) return &edges_[i];
}

void Tables::grow_edges() {
  std::vector<Edge> old(edges_.size() * 2);
  old.swap(edges_);
  for (const Edge& e : old)
    if (e.from != none) *find(e.from, e.answer) = e;
}

StateId Tables::intern(const core::Local& l, std::unique_ptr<core::Shadow> shadow) {
  const std::uint64_t h = hash_bytes(l);
  StateId twin = none;
  for (auto [it, end] = by_bytes_.equal_range(h); it != end; ++it) {
    const auto b = local(it->second);
    if (b.size() == l.size() && std::memcmp(b.data(), l.data(), l.size()) == 0) twin = it->second;
  }
  if (twin != none && !history_) return twin;
  const std::uint64_t history = history_ ? shadow->hash() : 0;
  if (twin != none && history != 0)
    for (auto [it, end] = by_history_.equal_range(h ^ history); it != end; ++it)
      if (states_[it->second].same == twin && shadow->equals(*states_[it->second].shadow)) return it->second;
  const auto id = static_cast<StateId>(states_.size());
  State& s = states_.emplace_back();
  if (twin == none) {
    s.begin = bytes_.size();
    s.length = static_cast<std::uint32_t>(l.size());
    s.same = id;
    bytes_.insert(bytes_.end(), l.begin(), l.end());
    by_bytes_.emplace(h, id);
  } else {
    s.begin = states_[twin].begin;
    s.length = states_[twin].length;
    s.same = twin;
  }
  if (history_) {
    if (history != 0) by_history_.emplace(h ^ history, id);
    s.deps = intern(program_.deps(local(id), *shadow));
    s.shadow = std::move(shadow);
  }
  decode(s);
  brief_.push_back({s.same, s.step.request.site, s.step.request.kind});
  return id;
}

std::string_view Tables::beyond(const core::Request& q) const {
  if (q.exclusive) return "load-linked/store-conditional pairs";
  if (q.kind == core::Kind::Await) return "deferred loads";
  if (q.kind == core::Kind::Choose && q.value.bits > 0xffffffff) return "a choice among more than 2^32 values";
  return {};
}

core::Fault Tables::fault_of(const core::Request& q) const {
  const ObjectInfo o = names_.object(q.loc.object);
  if (q.loc.object == 0) return core::Fault::Null;
  if (!o.exists()) return core::Fault::Wild;
  if (q.loc.size == 0) return core::Fault::None;  // asks for the size of the object only
  if (std::uint64_t{q.loc.offset} + q.loc.size > o.size) return core::Fault::OutOfBounds;
  if (o.constant && q.kind != core::Kind::Load) return core::Fault::ReadOnly;
  return core::Fault::None;
}

void Tables::decode(State& s) {
  Step& step = s.step;
  step.request = program_.request({bytes_.data() + s.begin, s.length});
  const core::Request& q = step.request;
  if (q.joined) atomic_steps_ = true;
  size_questions_ |= q.asks_size();
  const bool access = q.kind == core::Kind::Load || q.kind == core::Kind::Store || q.kind == core::Kind::Rmw;
  const bool weak = q.kind == core::Kind::Rmw && q.op == core::RmwOp::Cas && q.weak;
  weak_cas_ |= weak;
  addresses_ |= program_.names_matter({bytes_.data() + s.begin, s.length});
  if (access) step.fault = fault_of(q);
  std::string_view what = beyond(q);
  if (access && step.fault == core::Fault::None && q.loc.size > 8) what = "an access of more than eight bytes";
  unsupported_ |= drops_->at(core::DropPlace::GraphRequest, !what.empty(), what);
  if (!access || step.fault != core::Fault::None || q.loc.size == 0 || q.loc.size > 8) return;
  const auto pieces = names_.pieces(q.loc);
  step.loc = intern(pieces.front());
  if (pieces.size() == 1) return;
  unsupported_ |=
      drops_->at(core::DropPlace::GraphRequest, weak && spurious_cas_,
                 "weak compare-exchanges that fail spuriously of a location that others access by its bytes");
  step.pieces = static_cast<std::uint16_t>(pieces.size());
  step.more_pieces = static_cast<std::uint32_t>(pieces_.size());
  for (std::size_t i = 1; i < pieces.size(); ++i) pieces_.push_back(intern(pieces[i]));
}

std::uint32_t Tables::intern(core::Deps deps) {
  const auto [it, fresh] = deps_numbers_.try_emplace(std::move(deps), static_cast<std::uint32_t>(deps_.size()));
  if (fresh) deps_.push_back(&it->first);
  return it->second;
}

LocId Tables::intern(const core::Loc& loc) {
  const auto [it, fresh] = by_loc_.try_emplace(loc, static_cast<LocId>(locations_.size()));
  if (fresh) {
    const ObjectInfo o = names_.object(loc.object);
    locations_.push_back({loc, initial_value(loc), o.by, o.ordinal});
    if (by_object_.size() <= loc.object) by_object_.resize(loc.object + 1);
    by_object_[loc.object].push_back(it->second);
  }
  return it->second;
}

core::Value Tables::initial_value(const core::Loc& loc) const {
  core::Value v;
  const auto globals = program_.globals();
  const std::uint32_t source = loc.object <= globals.size() ? loc.object : names_.object(loc.object).contents;
  if (source == 0 || source > globals.size() || loc.offset + loc.size > globals[source - 1].size) {
    v.undefined = core::size_mask(loc.size);
    return v;
  }
  const auto& g = globals[source - 1];
  std::memcpy(&v.bits, g.bytes.data() + loc.offset, loc.size);
  if (!g.defined.empty())
    for (std::uint32_t i = 0; i < loc.size; ++i)
      if (!g.defined[loc.offset + i]) v.undefined |= std::uint64_t{0xff} << (8 * i);
  // Less than a pointer is marked too, so that nobody takes it for a number.
  for (const auto at : g.pointers)
    v.pointer |= loc.size == 8 ? at == loc.offset : at + 4 < loc.offset + loc.size && loc.offset < at + 8;
  return v;
}

std::uint64_t Tables::bytes() const {
  return states_.capacity() * sizeof(State) + brief_.capacity() * sizeof(Brief) + bytes_.capacity() +
         edges_.capacity() * sizeof(Edge) + locations_.capacity() * sizeof(LocInfo) +
         (by_bytes_.size() + by_history_.size()) * 40;
}

}  // namespace heddle::graph
