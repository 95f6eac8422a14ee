// SPDX-License-Identifier: Apache-2.0
#include "axioms/thread_runs.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "axioms/mapping.h"
#include "core/rmw.h"

namespace heddle::axioms {

core::Value part_of(const core::Value& v, const core::Loc& whole, const core::Loc& part) {
  if (whole.offset == part.offset && whole.size == part.size) return v;
  return core::Value((v.bits >> (8 * (part.offset - whole.offset))) & core::size_mask(part.size));
}

namespace {
// The operation that candidate enumeration does not support, by name; empty: it is supported.
std::string_view unsupported(core::Kind kind) {
  switch (kind) {
    case core::Kind::Alloc:
    case core::Kind::Free: return "allocates memory";
    case core::Kind::Spawn:
    case core::Kind::Join: return "creates threads";
    case core::Kind::Await: return "defers a load";
    default: return {};
  }
}
}  // namespace

ThreadRuns::ThreadRuns(const core::Program& program, const CandidateOptions& options, core::Budget* budget)
    : program_(program), options_(options), success_counts_(program.features().success_counts), budget_(budget) {}

core::Value ThreadRuns::initial(const core::Loc& loc) const {
  const core::GlobalObject& object = program_.globals()[loc.object - 1];
  core::Value v;
  std::memcpy(&v.bits, object.bytes.data() + loc.offset, loc.size);
  for (std::uint32_t p : object.pointers)
    if (p == loc.offset) {
      // A narrow cell that holds an address: the bytes cannot show it whole, the object's own record can.
      if (loc.size < 8)
        std::memcpy(&v.bits, object.bytes.data() + loc.offset,
                    std::min<std::size_t>(8, object.bytes.size() - loc.offset));
      v.pointer = true;
    }
  return v;
}

bool ThreadRuns::compute() {
  const auto entries = program_.initial_threads();
  for (std::size_t rounds = 0;;) {
    rebuild();
    divided_ = found_values_ = blocked_ = false;
    runs_.assign(entries.size(), {});
    std::size_t most = 0;
    for (std::size_t t = 0; t < entries.size(); ++t) {
      core::Local local;
      std::unique_ptr<core::Shadow> shadow = options_.dependencies ? program_.make_shadow() : nullptr;
      program_.start(entries[t].entry, entries[t].arg, static_cast<core::Tid>(t), local, shadow.get());
      most_writes_ = 0;
      run(t, std::move(local), std::move(shadow), {});
      if (!refusal_.none()) return false;
      most += most_writes_;
    }
    if (divided_) continue;  // there are only so many bytes
    // A value that is found only after more rounds than there are writes depends on itself.
    if (!found_values_ || ++rounds > most + 2) return true;
  }
}

void ThreadRuns::rebuild() {
  slices_.clear();
  for (const auto& [object, cuts] : cuts_) {
    auto& slices = slices_[object];
    for (auto it = cuts.begin(); std::next(it) != cuts.end(); ++it) {
      Slice s;
      s.loc = {object, *it, *std::next(it) - *it};
      if (s.loc.size > 8) continue;  // between two accesses: nobody reads it
      s.held.push_back({initial(s.loc), 1});
      slices.push_back(std::move(s));
    }
  }
  for (const Written& w : writes_)
    for (Slice& s : slices_[w.loc.object]) {
      if (!w.loc.covers(s.loc)) continue;
      const core::Value v = part_of(w.value, w.loc, s.loc);
      const auto found = std::find_if(s.held.begin(), s.held.end(), [&](const Held& h) { return h.value == v; });
      if (found == s.held.end()) s.held.push_back({v, w.writer});
      else found->writers |= w.writer;
    }
}

void ThreadRuns::note_access(const core::Loc& loc) {
  auto& cuts = cuts_[loc.object];
  divided_ |= cuts.insert(loc.offset).second;
  divided_ |= cuts.insert(loc.offset + loc.size).second;
}

void ThreadRuns::note_write(const ThreadRun& r, const core::Loc& loc, const core::Value& value, std::size_t thread) {
  const auto writes = std::ranges::count(r.events, EventKind::Write, &Event::kind);
  most_writes_ = std::max(most_writes_, static_cast<std::size_t>(writes));
  const std::uint64_t writer = std::uint64_t{2} << std::min<std::size_t>(thread, 62);
  if (!known_writes_.emplace(loc.object, loc.offset, loc.size, value.bits, value.pointer, writer).second) return;
  writes_.push_back({loc, value, writer});
  found_values_ = true;
}

// What a read may return: for each slice of its location, what its thread wrote there last, what others may have
// written, and, unless the thread itself wrote there before, what was there initially.
std::vector<core::Value> ThreadRuns::readable(const core::Loc& loc, std::size_t thread, const ThreadRun& run) const {
  const auto found = slices_.find(loc.object);
  std::vector<core::Value> values{core::Value{}};
  std::uint32_t covered = 0;
  const std::uint64_t self = thread < 62 ? std::uint64_t{2} << thread : 0;
  if (found != slices_.end())
    for (const Slice& s : found->second) {
      if (!loc.covers(s.loc)) continue;
      covered += s.loc.size;
      const Event* own = nullptr;
      for (const Event& e : run.events)
        if (e.kind == EventKind::Write && e.loc.covers(s.loc)) own = &e;
      std::vector<core::Value> longer;
      for (const Held& h : s.held) {
        const bool from_self = own != nullptr && part_of(own->value, own->loc, s.loc) == h.value;
        const bool from_others = (h.writers & ~self & ~std::uint64_t{1}) != 0;
        const bool from_start = own == nullptr && (h.writers & 1) != 0;
        if (!from_self && !from_others && !from_start) continue;
        for (const core::Value& v : values) {
          if (s.loc == loc) {
            longer.push_back(h.value);
          } else {
            longer.push_back(core::Value(v.bits | (h.value.bits & core::size_mask(s.loc.size))
                                                      << (8 * (s.loc.offset - loc.offset))));
          }
        }
      }
      values = std::move(longer);
    }
  if (covered != loc.size) return {initial(loc)};  // first met in this round; the next one knows its slices
  return values;
}

void ThreadRuns::append_one(ThreadRun& r, const Asked& asked, Event e) const {
  e.thread = static_cast<std::uint16_t>(asked.thread);
  e.index = static_cast<std::uint32_t>(r.events.size());
  e.site = asked.request.site;
  if (asked.shadow != nullptr) {
    // Loads are numbered by the program; their events are the reads, in the same order.
    const core::Deps deps = program_.deps(asked.local, *asked.shadow);
    ThreadRun::Dependencies d;
    const auto positions = [&](const core::LoadSet& loads, std::vector<std::uint32_t>& to) {
      std::uint32_t number = 0;
      std::size_t next = 0;
      for (std::uint32_t i = 0; i < r.events.size() && next < loads.size(); ++i) {
        const Event& source = r.events[i];
        const bool succeeded = success_counts_ && source.kind == EventKind::Write && source.exclusive;
        if (source.kind != EventKind::Read && !succeeded) continue;
        if (loads[next] == number++) {
          to.push_back(i);
          ++next;
        }
      }
    };
    if (e.kind != EventKind::Fence) positions(deps.addr, d.addr);
    if (e.kind == EventKind::Write) positions(deps.data, d.data);
    positions(deps.ctrl, d.ctrl);
    d.ctrl.insert(d.ctrl.end(), r.controls.begin(), r.controls.end());
    r.deps.push_back(std::move(d));
  }
  r.events.push_back(e);
}

// The position of the event itself.
std::uint32_t ThreadRuns::append(ThreadRun& r, const Asked& asked, EventKind kind, const core::Value& value,
                                 bool failed) const {
  const core::Request& q = asked.request;
  Event e;
  e.kind = kind;
  e.order = failed ? q.failure : q.order;
  e.instruction = q.order;
  e.tag = q.tag;
  e.exclusive = q.exclusive;
  e.in_rmw = q.kind == core::Kind::Rmw;
  e.value = value;
  Mapped m;
  const auto fence = [&](core::Tag tag) {
    Event f;
    f.kind = EventKind::Fence;
    f.tag = tag;
    append_one(r, asked, f);
  };
  if (kind != EventKind::Fence) {
    e.loc = q.loc;
    m = mapped(options_.hardware, {kind, e.in_rmw, q.op == core::RmwOp::Cas, failed, e.order, q.order});
    e.order = m.order;
    if (m.exclusive) {
      e.exclusive = true;
      e.in_rmw = false;
    }
    if (m.before) fence(m.before);
  }
  const auto at = static_cast<std::uint32_t>(r.events.size());
  append_one(r, asked, e);
  if (m.control) r.controls.push_back(at);
  if (m.after) fence(m.after);
  return at;
}

void ThreadRuns::finish(std::size_t thread, core::Local&& local, ThreadRun&& r, bool failed) {
  r.end = std::move(local);
  r.failed = failed;
  runs_[thread].push_back(std::move(r));
  drop(core::DropPlace::RunNumber, runs_[thread].size() > options_.max_runs, std::to_string(options_.max_runs));
}

bool ThreadRuns::drop(core::DropPlace place, bool really, std::string_view detail) {
  core::Drops& drops = options_.drops != nullptr ? *options_.drops : own_drops_;
  if (!drops.at(place, really, detail)) return false;
  if (refusal_.none()) refusal_ = drops.reason();
  return true;
}

void ThreadRuns::run(std::size_t t, core::Local local, std::unique_ptr<core::Shadow> shadow, ThreadRun r) {
  const auto copy = [&] { return shadow ? program_.copy_shadow(*shadow) : nullptr; };
  while (refusal_.none()) {
    // By steps, not by finished runs: those that block never finish.
    if (budget_ != nullptr && ++steps_ % 256 == 0)
      if (auto spent = budget_->spent({})) {
        refusal_ = *spent;
        return;
      }
    if (drop(core::DropPlace::RunLength, r.events.size() > 1000)) return;
    const core::Request q = program_.request(local);
    const Asked asked{t, q, local, shadow.get()};
    const std::string_view beyond = unsupported(q.kind);
    if (drop(core::DropPlace::RunRequest, !beyond.empty(), beyond)) return;
    switch (q.kind) {
      case core::Kind::Ended:
      case core::Kind::Exit: return finish(t, std::move(local), std::move(r), false);
      case core::Kind::Failed: return finish(t, std::move(local), std::move(r), true);
      case core::Kind::Blocked:
      case core::Kind::Diverges: blocked_ = true; return;
      case core::Kind::Fence:
        append(r, asked, EventKind::Fence, q.value);
        program_.resume(local, {}, shadow.get());
        continue;
      case core::Kind::Load: {
        note_access(q.loc);
        for (const core::Value& v : readable(q.loc, t, r)) {
          if (q.waits && !wait_over(q, v)) continue;
          ThreadRun longer = r;
          const std::uint32_t at = append(longer, asked, EventKind::Read, v);
          if (q.exclusive) longer.monitor = at;
          core::Local next = local;
          auto next_shadow = copy();
          program_.resume(next, {v, core::Fault::None}, next_shadow.get());
          run(t, std::move(next), std::move(next_shadow), std::move(longer));
        }
        return;
      }
      case core::Kind::Store: {
        if (q.exclusive) {
          // It belongs to the nearest exclusive load, if no other store-conditional came between; success or not, it
          // ends that.
          const std::size_t link = std::exchange(r.monitor, ThreadRun::no_monitor);
          const bool can_succeed = link != ThreadRun::no_monitor && r.events[link].loc == q.loc;
          if (options_.store_conditional_may_fail || !can_succeed) {
            core::Local next = local;
            auto next_shadow = copy();
            program_.resume(next, {core::Value(0), core::Fault::None}, next_shadow.get());
            ThreadRun without = r;
            run(t, std::move(next), std::move(next_shadow), std::move(without));
          }
          if (!can_succeed) return;
          r.rmw.emplace_back(static_cast<std::uint32_t>(link), static_cast<std::uint32_t>(r.events.size()));
        }
        note_access(q.loc);
        append(r, asked, EventKind::Write, q.value);
        note_write(r, q.loc, q.value, t);
        program_.resume(local, {core::Value(1), core::Fault::None}, shadow.get());
        continue;
      }
      case core::Kind::Rmw: {
        note_access(q.loc);
        for (const core::Value& v : readable(q.loc, t, r)) {
          if (q.waits && !wait_over(q, v)) continue;
          const bool cas = q.op == core::RmwOp::Cas;
          const bool equal = !cas || (cas_succeeds(v, q.expected, q.loc.size) && v.pointer == q.expected.pointer);
          for (const bool writes : {true, false}) {
            if (writes && !equal) continue;
            if (!writes && equal && !(q.weak && options_.spurious_failures)) continue;
            ThreadRun longer = r;
            const std::uint32_t read = append(longer, asked, EventKind::Read, v, !writes);
            if (writes) {
              const core::Value result =
                  cas || q.op == core::RmwOp::Xchg ? q.value : core::rmw_result(q.op, v, q.value, q.loc.size);
              const std::uint32_t write = append(longer, asked, EventKind::Write, result);
              longer.rmw.emplace_back(read, write);
              if (asked.shadow != nullptr && options_.hardware == Hardware::Power && core::uses_old_value(q.op))
                longer.deps[write].data.push_back(read);
              note_write(longer, q.loc, result, t);
            }
            core::Local next = local;
            auto next_shadow = copy();
            program_.resume(next, {v, core::Fault::None, cas && equal && !writes}, next_shadow.get());
            run(t, std::move(next), std::move(next_shadow), std::move(longer));
          }
        }
        return;
      }
      case core::Kind::Choose:
        for (std::uint64_t i = 0; i < q.value.bits; ++i) {
          core::Local next = local;
          auto next_shadow = copy();
          program_.resume(next, {core::Value(i), core::Fault::None}, next_shadow.get());
          ThreadRun longer = r;
          run(t, std::move(next), std::move(next_shadow), std::move(longer));
        }
        return;
      case core::Kind::Alloc:
      case core::Kind::Free:
      case core::Kind::Spawn:
      case core::Kind::Join:
      case core::Kind::Await: return;  // see unsupported()
    }
  }
}

}  // namespace heddle::axioms
