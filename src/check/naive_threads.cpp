// SPDX-License-Identifier: Apache-2.0
#include "check/naive_threads.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "check/places.h"
#include "core/heap_family.h"
#include "core/own_function.h"
#include "core/rmw.h"
#include "core/show_value.h"

namespace heddle::check {

using core::Effect;
using core::Fault;
using core::Loc;
using core::Order;
using core::Request;
using core::Value;

std::optional<ThreadModel> thread_model(std::string_view name) {
  static constexpr std::pair<std::string_view, ThreadModel> table[] = {{"sc", ThreadModel::Sc},
                                                                       {"tso", ThreadModel::Tso},
                                                                       {"pso", ThreadModel::Pso},
                                                                       {"lmo", ThreadModel::Lmo},
                                                                       {"nsw", ThreadModel::Nsw}};
  for (const auto& [model, machine] : table)
    if (model == name) return machine;
  return std::nullopt;
}

NaiveThreads::NaiveThreads(const core::Program& program, ThreadModel model, unsigned bound, bool history)
    : program_(&program), model_(model), bound_(bound), with_history_(history) {
  for (const core::GlobalObject& global : program.globals()) {
    const std::uint32_t object = next_object_++;
    objects[object] = {global.size, core::AllocKind::Static, false, global.constant, global.outside};
    initialise(object, global);
  }
  for (const auto& entry : program.initial_threads()) {
    threads.emplace_back();
    threads.back().entry = entry.entry;
    program.start(entry.entry, entry.arg, static_cast<core::Tid>(threads.size() - 1), threads.back().local);
  }
}

void NaiveThreads::initialise(std::uint32_t object, const core::GlobalObject& global) {
  for (std::uint32_t i = 0; i < global.size; ++i) {
    NaiveByte& b = bytes[{object, i}];
    b.value = global.bytes.empty() ? 0 : std::to_integer<std::uint8_t>(global.bytes[i]);
    b.undefined = !global.defined.empty() && !global.defined[i] ? 0xff : 0;
  }
  for (const std::uint32_t offset : global.pointers) {
    Value v;
    v.pointer = true;
    for (unsigned i = 0; i < 8; ++i) v.bits |= std::uint64_t{bytes[{object, offset + i}].value} << (8 * i);
    for (std::uint8_t i = 0; i < 8; ++i) {
      bytes[{object, offset + i}].pointer = v;
      bytes[{object, offset + i}].index = i;
    }
  }
}

Fault NaiveThreads::fault(const Loc& loc, bool writes) const {
  if (loc.object == 0) return Fault::Null;
  const auto object = objects.find(loc.object);
  if (object == objects.end()) return Fault::Wild;
  if (object->second.freed) return Fault::Freed;
  if (std::uint64_t{loc.offset} + loc.size > object->second.size) return Fault::OutOfBounds;
  if (writes && object->second.constant) return Fault::ReadOnly;
  return Fault::None;
}

core::Answer NaiveThreads::read(const Loc& loc) const {
  if (const Fault f = fault(loc, false); f != Fault::None) return {.value = {}, .fault = f};
  Value v;
  bool whole = loc.size == 8, some = false, remains = false;
  const NaiveByte& name = bytes.at({loc.object, loc.offset + (whole ? 4 : 0)});
  for (std::uint32_t i = 0; i < loc.size; ++i) {
    const NaiveByte& b = bytes.at({loc.object, loc.offset + i});
    v.bits |= std::uint64_t{b.value} << (8 * i);
    v.undefined |= std::uint64_t{b.undefined} << (8 * i);
    if (b.pointer && b.index >= 4) some = true;
    if (b.remains && loc.size == 8) v.undefined |= std::uint64_t{0xff} << (8 * i);
    remains |= b.remains;
    if (i >= 4) whole = whole && b.pointer && name.pointer && *b.pointer == *name.pointer && b.index == i;
  }
  // The upper half of a pointer is its object's name. Fewer than eight bytes with some of it are marked too: they depend
  // on the name. Eight that lie across make no value at all. Of what is left of a name, fewer than eight bytes are marked,
  // too, and among eight there is no value.
  v.pointer = whole || ((some || remains) && loc.size < 8);
  if (some && !v.pointer) v.undefined = core::size_mask(8);
  if (v.pointer) core::settle_pointer(v, loc.size);
  v.bits &= ~v.undefined;
  return {v};
}

std::vector<std::size_t> NaiveThreads::writers(const Loc& loc) const {
  std::vector<std::size_t> from;
  for (std::uint32_t i = 0; i < loc.size; ++i)
    if (const auto b = bytes.find({loc.object, loc.offset + i}); b != bytes.end()) from.push_back(b->second.writer);
  return from;
}

Fault NaiveThreads::write(const Loc& loc, const Value& value, std::size_t writer) {
  if (const Fault f = fault(loc, true); f != Fault::None) return f;
  // A name that loses a byte is one no more: what is left of it keeps its value, and nobody can reach the object by it.
  for (std::uint32_t word = loc.offset / 8 * 8; word < loc.offset + loc.size; word += 8) {
    const auto last = bytes.find({loc.object, word + 7});
    if (last == bytes.end() || !last->second.pointer || last->second.index != 7 || loc.offset + loc.size <= word + 4)
      continue;
    for (std::uint32_t k = word + 4; k < word + 8; ++k) {
      NaiveByte& b = bytes.at({loc.object, k});
      b.pointer.reset();
      b.remains = true;
    }
  }
  for (std::uint32_t i = 0; i < loc.size; ++i) {
    NaiveByte b;
    b.writer = writer;
    b.undefined = static_cast<std::uint8_t>(value.undefined >> (8 * i));
    b.value = static_cast<std::uint8_t>((value.bits & ~value.undefined) >> (8 * i));
    if (value.pointer && loc.size == 8) {
      b.pointer = value;
      b.index = static_cast<std::uint8_t>(i);
    }
    bytes[{loc.object, loc.offset + i}] = b;
  }
  return Fault::None;
}

// Byte by byte: the newest own store that covers it, else memory. Done by writing the own stores to a copy.
core::Answer NaiveThreads::see(const NaiveThread& thread, const Loc& loc, bool& own,
                               std::vector<std::size_t>& from) const {
  own = std::ranges::any_of(thread.buffer, [&](const NaiveEntry& e) { return !e.load && e.loc.overlaps(loc); });
  if (!own) {
    from = writers(loc);
    return read(loc);
  }
  NaiveThreads copy = *this;
  for (const NaiveEntry& e : thread.buffer)
    if (!e.load && e.loc.overlaps(loc)) copy.write(e.loc, e.value, e.made);
  from = copy.writers(loc);
  return copy.read(loc);
}

bool NaiveThreads::has_ended(core::Tid t) const {
  return threads[t].buffer.empty() && request(t).kind == core::Kind::Ended;
}

std::string NaiveThreads::show(const Value& value, const Loc& loc) const {
  return core::show_value(*program_, value, loc.size);
}

std::string NaiveThreads::name(const Loc& loc, core::Tid t) const {
  return program_->location_name(loc, threads[t].local);
}

Effect NaiveThreads::access(Effect::Kind kind, const Loc& loc, core::Tid t, std::string value, std::string old) const {
  return {.kind = kind,
          .location = name(loc, t),
          .value = std::move(value),
          .old = std::move(old),
          .loc = loc,
          .thread = t};
}

std::string NaiveThreads::thread_name(core::Tid t) const {
  std::string& name = threads[t].name;
  if (name.empty()) name = core::own_function(*program_, threads[t].local, t);
  return name_of_thread(*program_, threads[t].entry, name, threads[t].started, t);
}

void NaiveThreads::note_failure(core::Tid t, NaiveReport& report) const {
  if (request(t).kind == core::Kind::Failed) report.failure = program_->failure(threads[t].local);
}

// Requires that thread t rests before the allocation or the free.
void NaiveThreads::remember(core::Tid t, std::uint32_t object, bool freed) {
  const auto found = objects.find(object);
  if (!with_history_ || found == objects.end() || !core::is_heap(found->second.kind)) return;
  core::NamedStack stack;
  stack.title = freed ? "freed by " + thread_name(t)
                      : fmt::format("allocated by {} ({} bytes)", thread_name(t), found->second.size);
  stack.frames = program_->stack(threads[t].local);
  auto& history = freed ? freed_ : allocated_;
  history.insert_or_assign(object, std::move(stack));
}

void NaiveThreads::explain(core::Tid t, std::uint32_t object, NaiveReport& report) const {
  if (!with_history_) return;
  const std::string& kind = report.failure->kind;
  if (auto stack = program_->stack(threads[t].local);
      kind != "write-after-free" && kind != "memory-leak" && !stack.empty())
    report.stacks.push_back({"in " + thread_name(t), std::move(stack)});
  const bool about_object = kind == "use-after-free" || kind == "write-after-free" || kind == "double-free" ||
                            kind == "invalid-free" || kind == "out-of-bounds";
  if (!about_object) return;
  for (const auto* history : {&allocated_, &freed_})
    if (const auto stack = history->find(object); stack != history->end()) report.stacks.push_back(stack->second);
}

void NaiveThreads::resume(core::Tid t, const core::Answer& answer, NaiveReport& report) {
  program_->resume(threads[t].local, answer);
  note_failure(t, report);
}

void NaiveThreads::settle(NaiveThread& thread) {
  if (thread.buffer.empty()) thread.until_empty = false;
  if (std::ranges::none_of(thread.buffer, &NaiveEntry::load)) thread.until_no_loads = false;
}

std::optional<core::Tid> NaiveThreads::inside() const {
  for (core::Tid t = 0; t < threads.size(); ++t)
    if (request(t).joined) return t;
  return std::nullopt;
}

bool NaiveThreads::step(core::Tid t, std::uint32_t choice, NaiveReport* report) {
  NaiveReport ignored;
  NaiveReport& out = report != nullptr ? *report : ignored;
  if (ended_ || t >= threads.size()) return false;
  if (threads[t].until_empty || threads[t].until_no_loads || inside().value_or(t) != t) return false;
  if (!perform_step(t, choice, out)) return false;
  ++steps_;
  return true;
}

// What an access means for happens-before. In atomic sections, and where the library waits, it is atomic whatever its
// order says.
RaceEvent NaiveThreads::access_event(core::Tid t, const Request& r) {
  RaceEvent e;
  e.kind = r.kind == core::Kind::Fence ? RaceEvent::Kind::Fence : RaceEvent::Kind::Access;
  e.thread = t;
  e.loc = r.loc;
  e.order = r.locked || r.waits ? Order::SeqCst : r.order;
  e.reads = r.kind == core::Kind::Load || r.kind == core::Kind::Rmw;
  e.writes = r.kind == core::Kind::Store || r.kind == core::Kind::Rmw;
  return e;
}

// The thread reads what it waits for, and it is not there. It synchronises with nobody, so nothing is read from.
bool NaiveThreads::wait_in_vain(core::Tid t, const Request& r, NaiveReport& out) const {
  const core::Answer answer = read(r.loc);
  if (r.locked || !threads[t].buffer.empty() || answer.fault != Fault::None || core::wait_over(r, answer.value))
    return false;
  out.action = "wait";
  out.event.kind = RaceEvent::Kind::Access;
  out.event.thread = t;
  out.event.loc = r.loc;
  out.event.order = Order::Relaxed;
  out.event.reads = true;
  out.effects.push_back(access(Effect::Kind::ReadMemory, r.loc, t, show(answer.value, r.loc)));
  return true;
}

bool NaiveThreads::perform_step(core::Tid t, std::uint32_t choice, NaiveReport& out) {
  const Request r = request(t);
  out.site = r.site;
  if (r.waits && choice == 1) return wait_in_vain(t, r, out);
  const bool memory = r.kind == core::Kind::Load || r.kind == core::Kind::Store || r.kind == core::Kind::Rmw ||
                      r.kind == core::Kind::Fence;
  if (!(memory ? memory_request(t, r, choice, out) : other_request(t, r, choice, out))) return false;
  if (out.failure) explain(t, r.kind == core::Kind::Free ? r.value.object() : r.loc.object, out);
  return true;
}

// The request acts on memory in one step.
bool NaiveThreads::at_once(core::Tid t, const Request& r, std::uint32_t choice, NaiveReport& out) {
  out.event = access_event(t, r);
  if (r.kind == core::Kind::Fence) {
    resume(t, {}, out);
    return true;
  }
  if (r.kind == core::Kind::Store) {
    const core::Answer before = read(r.loc);
    const Fault f = write(r.loc, r.value, steps_);
    if (f != Fault::None) out.event = {};
    if (f == Fault::None)
      out.effects.push_back(access(Effect::Kind::Wrote, r.loc, t, show(r.value, r.loc), show(before.value, r.loc)));
    resume(t, {.value = r.exclusive ? Value(1) : Value(), .fault = f}, out);
    return true;
  }
  core::Answer answer = read(r.loc);
  const bool equal = core::cas_succeeds(answer.value, r.expected, r.loc.size);
  if (r.waits && answer.fault == Fault::None && !core::wait_over(r, answer.value)) return false;
  out.event.from = writers(r.loc);
  if (answer.fault != Fault::None) out.event = {};
  if (answer.fault == Fault::None)
    out.effects.push_back(access(Effect::Kind::ReadMemory, r.loc, t, show(answer.value, r.loc)));
  if (r.kind == core::Kind::Rmw && answer.fault == Fault::None) {
    const bool cas = r.op == core::RmwOp::Cas;
    bool wrote = false;
    if (choice == 1) {
      if (!cas || !r.weak || !equal) return false;
      answer.spurious = out.spurious = true;
    } else if (!cas || equal) {
      const Value next = cas ? r.value : core::rmw_result(r.op, answer.value, r.value, r.loc.size);
      out.effects.push_back(access(Effect::Kind::Wrote, r.loc, t, show(next, r.loc), show(answer.value, r.loc)));
      answer.fault = write(r.loc, next, steps_);
      wrote = true;
    }
    if (!wrote) {
      out.event.writes = false;
      if (!r.locked && !r.waits) out.event.order = r.failure;
    }
  }
  resume(t, answer, out);
  return true;
}

// What the thread's buffer holds, as the rules of the machines ask for it.
struct NaiveThreads::Waiting {
  Waiting(const NaiveThread& thread, const core::Loc& loc) : empty(thread.buffer.empty()) {
    for (const NaiveEntry& e : thread.buffer) {
      if (e.load) loads = true;
      else ++stores;
      overlap |= e.loc.overlaps(loc);
      marked |= e.epoch < thread.epoch;
    }
  }
  bool empty;
  bool loads = false, overlap = false, marked = false;
  unsigned stores = 0;
};

namespace {
bool is_release(Order order) { return order == Order::Release || order == Order::AcqRel || order == Order::SeqCst; }
bool is_acquire(Order order) { return order == Order::Acquire || order == Order::SeqCst; }
}  // namespace

bool NaiveThreads::memory_request(core::Tid t, const Request& r, std::uint32_t choice, NaiveReport& out) {
  NaiveThread& thread = threads[t];
  const Waiting waiting(thread, r.loc);
  out.action = r.kind == core::Kind::Load    ? "load"
               : r.kind == core::Kind::Store ? "store"
               : r.kind == core::Kind::Rmw   ? "read-modify-write"
                                             : "fence";

  if (r.asks_size()) {  // asks for the size of an object
    core::Answer answer{.value = {}, .fault = fault(r.loc, false)};
    if (answer.fault == Fault::None) {
      const auto& object = objects.at(r.loc.object);
      answer.value = core::object_facts(object.size, object.kind);
    }
    out.action = "size of an object";
    resume(t, answer, out);
    return true;
  }
  if (r.output != 0 && fault(r.loc, false) == Fault::None) {
    bool own = false;
    std::vector<std::size_t> from;
    const core::Answer printed = see(thread, r.loc, own, from);
    std::string text;
    for (std::uint32_t i = 0; i < r.loc.size; ++i) text += static_cast<char>(printed.value.bits >> (8 * i));
    out.effects.push_back({Effect::Kind::Output, r.output == 2 ? "stderr" : "stdout", text, {}, {}});
  }
  if (model_ == ThreadModel::Sc) return at_once(t, r, choice, out);
  if (r.locked) return waiting.empty && at_once(t, r, choice, out);

  // What is outside the model never waits in a buffer; what must come before it does (a release store everything,
  // a later access after an acquire load under lmo and nsw).
  if (const auto there = objects.find(r.loc.object); there != objects.end() && there->second.outside && !r.waits &&
                                                     (r.kind == core::Kind::Load || r.kind == core::Kind::Store)) {
    if (!waiting.empty && r.kind == core::Kind::Store && is_release(r.order)) return false;
    if (!waiting.empty && r.kind == core::Kind::Load && defers_loads() && r.order > Order::Relaxed) return false;
    return at_once(t, r, choice, out);
  }

  switch (r.kind) {
    case core::Kind::Fence: return fence_request(t, r, waiting, out);
    case core::Kind::Rmw: return rmw_request(t, r, waiting, choice, out);
    case core::Kind::Store: return store_request(t, r, waiting, out);
    default: return defers_loads() ? late_load(t, r, waiting, out) : load_request(t, r, waiting, out);
  }
}

bool NaiveThreads::defers_loads() const { return model_ == ThreadModel::Lmo || model_ == ThreadModel::Nsw; }

bool NaiveThreads::fence_request(core::Tid t, const Request& r, const Waiting& waiting, NaiveReport& out) {
  if (r.order == Order::SeqCst && !waiting.empty) return false;
  if (defers_loads() && r.order == Order::AcqRel && !waiting.empty) return false;
  if (defers_loads() && r.order == Order::Release && waiting.stores != 0) return false;
  if (defers_loads() && r.order == Order::Acquire && waiting.loads) return false;
  if (model_ == ThreadModel::Pso && is_release(r.order)) ++threads[t].epoch;
  return at_once(t, r, 0, out);
}

bool NaiveThreads::rmw_request(core::Tid t, const Request& r, const Waiting& waiting, std::uint32_t choice,
                               NaiveReport& out) {
  const bool relaxed = r.order == Order::Relaxed || r.order == Order::Plain;
  if (model_ == ThreadModel::Tso && !waiting.empty) return false;
  if (model_ == ThreadModel::Pso && (is_release(r.order) ? !waiting.empty : waiting.overlap || waiting.marked))
    return false;
  if (defers_loads() && (relaxed ? waiting.overlap : !waiting.empty)) return false;
  if (model_ == ThreadModel::Nsw && waiting.loads) return false;
  const core::Answer old = read(r.loc);
  const bool writes =
      choice != 1 && (r.op != core::RmwOp::Cas || core::cas_succeeds(old.value, r.expected, r.loc.size));
  if (!at_once(t, r, choice, out)) return false;
  const bool stores = waiting.stores != 0;
  out.cost = {waiting.loads ? 1u : 0u, stores && writes ? 1u : 0u, stores ? 1u : 0u};
  return true;
}

bool NaiveThreads::store_request(core::Tid t, const Request& r, const Waiting& waiting, NaiveReport& out) {
  NaiveThread& thread = threads[t];
  const bool release = is_release(r.order);
  if (model_ == ThreadModel::Tso && r.order == Order::SeqCst) return waiting.empty && at_once(t, r, 0, out);
  if (defers_loads() && release && !waiting.empty) return false;
  if (const Fault f = fault(r.loc, true); f != Fault::None) {
    resume(t, {.value = {}, .fault = f}, out);
    return true;
  }
  if (bound_ == 0 && model_ == ThreadModel::Nsw && waiting.loads) return false;
  if (bound_ == 0) return !(defers_loads() && waiting.overlap) && at_once(t, r, 0, out);
  if (waiting.stores >= bound_) {
    waited_for_room_ = true;
    return false;
  }
  if (model_ == ThreadModel::Pso && release && !waiting.empty) ++thread.epoch;
  thread.buffer.push_back({false, r.loc, r.value, 0, r.site, thread.epoch, steps_, r.order, name(r.loc, t)});
  out.event = access_event(t, r);
  if (model_ != ThreadModel::Tso && r.order == Order::SeqCst) thread.until_empty = true;
  out.effects.push_back(access(Effect::Kind::Buffered, r.loc, t, show(r.value, r.loc)));
  resume(t, {}, out);
  return true;
}

bool NaiveThreads::load_request(core::Tid t, const Request& r, const Waiting& waiting, NaiveReport& out) {
  bool own = false;
  RaceEvent event = access_event(t, r);
  const core::Answer answer = see(threads[t], r.loc, own, event.from);
  if (r.waits && answer.fault == Fault::None && !core::wait_over(r, answer.value)) return false;
  out.cost.wr = waiting.empty ? 0 : 1;
  if (answer.fault == Fault::None) {
    out.event = event;
    out.effects.push_back(
        access(own ? Effect::Kind::ReadBuffer : Effect::Kind::ReadMemory, r.loc, t, show(answer.value, r.loc)));
  }
  resume(t, answer, out);
  return true;
}

// A load under lmo and nsw: of an own store that covers it at once, else later.
bool NaiveThreads::late_load(core::Tid t, const Request& r, const Waiting& waiting, NaiveReport& out) {
  NaiveThread& thread = threads[t];
  const bool acquire = is_acquire(r.order);
  if (r.waits) return waiting.empty && at_once(t, r, 0, out);
  for (auto e = thread.buffer.rbegin(); e != thread.buffer.rend(); ++e) {
    if (e->load || !e->loc.overlaps(r.loc)) continue;
    if (!e->loc.covers(r.loc)) break;  // partly covered: it waits its turn
    bool own = false;
    out.event = access_event(t, r);
    const core::Answer answer = see(thread, r.loc, own, out.event.from);
    out.cost = {waiting.loads ? 1u : 0u, 0, 1};
    out.effects.push_back(access(Effect::Kind::ReadBuffer, r.loc, t, show(answer.value, r.loc)));
    if (acquire && waiting.loads) thread.until_no_loads = true;
    resume(t, answer, out);
    return true;
  }
  if (const Fault f = fault(r.loc, false); f != Fault::None) {
    resume(t, {.value = {}, .fault = f}, out);
    return true;
  }
  thread.buffer.push_back({true, r.loc, {}, r.slot, r.site, 0, steps_, r.order, name(r.loc, t)});
  if (acquire) thread.until_no_loads = true;
  else out.event = access_event(t, r);
  out.effects.push_back(access(Effect::Kind::Deferred, r.loc, t, {}));
  program_->defer(thread.local);
  note_failure(t, out);
  return true;
}

bool NaiveThreads::other_request(core::Tid t, const Request& r, std::uint32_t choice, NaiveReport& out) {
  const bool empty = threads[t].buffer.empty();
  switch (r.kind) {
    case core::Kind::Blocked: return false;
    case core::Kind::Diverges:
      out.action = "loop";
      out.effects.push_back({Effect::Kind::Note, {}, "goes round for ever without any visible action", {}, {}});
      return true;
    case core::Kind::Choose:
      if (choice >= r.value.bits) return false;
      out.action = "choose";
      if (r.value.bits != 1) out.effects.push_back({Effect::Kind::Note, {}, fmt::format("chooses {}", choice), {}, {}});
      resume(t, {Value(choice)}, out);
      if (r.value.bits == 1) {  // a named point: the thread comes there, or goes on
        const bool stays = request(t).kind == core::Kind::Choose && request(t).site == r.site;
        out.action = "point";
        out.effects.push_back({Effect::Kind::Note, {}, stays ? "is at the point" : "goes on from the point", {}, {}});
      }
      return true;
    case core::Kind::Alloc: {
      const std::uint32_t object = next_object_++;
      const auto size = static_cast<std::uint32_t>(r.value.bits);
      const core::AllocKind kind = r.storage;
      objects[object] = {size, kind, false, false, kind == core::AllocKind::Outside, r.site};
      for (std::uint32_t i = 0; i < size; ++i) bytes[{object, i}] = {};
      if (const std::uint32_t model = r.expected.object(); model != 0)
        initialise(object, program_->globals()[model - 1]);
      remember(t, object, false);
      out.action = "allocate";
      resume(t, {Value::address(object, 0)}, out);
      return true;
    }
    case core::Kind::Free: return free_request(t, r, out);
    case core::Kind::Spawn: {
      if (!empty) return false;
      const auto self = static_cast<core::Tid>(threads.size());
      threads.emplace_back();
      threads.back().entry = r.entry;
      if (with_history_) threads.back().started = own_place(*program_, threads[t].local);
      program_->start(r.entry, r.value, self, threads.back().local);
      out.action = "spawn";
      out.event.kind = RaceEvent::Kind::Spawn;
      out.event.thread = t;
      out.event.other = self;
      out.effects.push_back({Effect::Kind::Note, {}, "starts " + thread_name(self), {}, {}});
      note_failure(self, out);
      resume(t, {Value(self)}, out);
      return true;
    }
    case core::Kind::Join: {
      if (!empty) return false;
      const std::uint64_t other = r.value.bits;
      out.action = "join";
      if (other >= threads.size() || other == t) {
        resume(t, {.value = {}, .fault = Fault::Wild}, out);
        return true;
      }
      if (!has_ended(static_cast<core::Tid>(other))) return false;
      out.event.kind = RaceEvent::Kind::Join;
      out.event.thread = t;
      out.event.other = static_cast<core::Tid>(other);
      resume(t, {}, out);
      return true;
    }
    case core::Kind::Exit:
      if (!empty) return false;
      out.action = "exit";
      ended_ = true;
      out.failure = leak(out.stacks);
      return true;
    default: return false;
  }
}

bool NaiveThreads::free_request(core::Tid t, const Request& r, NaiveReport& out) {
  const auto mine = [&](const NaiveEntry& e) { return e.loc.object == r.value.object(); };
  if (std::ranges::any_of(threads[t].buffer, [&](const NaiveEntry& e) { return e.load && mine(e); })) return false;
  const auto object = objects.find(r.value.object());
  Fault f = Fault::None;
  const auto allocated = [&](core::AllocKind kind) { return core::is_heap(kind) || kind == core::AllocKind::Outside; };
  const bool by_program = r.storage == core::AllocKind::Heap;
  if (!r.value.pointer || object == objects.end() || object->second.kind == core::AllocKind::Static ||
      r.value.offset() != 0 || (by_program && !allocated(object->second.kind)))
    f = Fault::InvalidFree;
  else if (object->second.freed) f = Fault::DoubleFree;
  else {
    remember(t, object->first, true);
    object->second.freed = true;
    object->second.freed_at = r.site;
    std::erase_if(threads[t].buffer, mine);
    out.event.kind = RaceEvent::Kind::Free;
    out.event.thread = t;
    out.event.loc.object = r.value.object();
    if (core::is_heap(object->second.kind))
      out.effects.push_back(
          {.kind = Effect::Kind::Note, .value = "frees " + core::show_value(*program_, r.value, sizeof(void*))});
    settle(threads[t]);
  }
  out.action = "free";
  resume(t, {.value = {}, .fault = f}, out);
  return true;
}

// A leak at the end of the program, with the places where the first of the lost objects were allocated.
std::optional<core::Failure> NaiveThreads::leak(std::vector<core::NamedStack>& stacks) const {
  const auto lost = leaked();
  if (lost.empty()) return std::nullopt;
  std::string where;
  for (const std::uint32_t object : lost) {
    const auto history = allocated_.find(object);
    if (history == allocated_.end()) continue;
    // The innermost place that is the user's own.
    const auto& frames = history->second.frames;
    const auto own = std::ranges::find_if(frames, [](const core::SourcePlace& p) { return !p.library && p.line != 0; });
    if (own != frames.end() && where.size() < 400)
      where += fmt::format("; {} bytes allocated at {}:{}", objects.at(object).size, own->file, own->line);
    if (stacks.size() < 8) stacks.push_back(history->second);
  }
  return core::Failure{"memory-leak", "memory was allocated, never freed, and nothing points to it any more" + where,
                       core::no_site};
}

// Heap objects that no global and no thread leads to.
std::set<std::uint32_t> NaiveThreads::leaked() const {
  std::set<std::uint32_t> reached;
  std::vector<std::uint32_t> todo;
  for (const auto& [number, object] : objects)
    if (object.kind == core::AllocKind::Static || core::is_kept(object.kind)) todo.push_back(number);
  for (const NaiveThread& thread : threads) {
    if (program_->names_matter(thread.local)) return {};  // any number may be a pointer
    core::Local copy = thread.local;
    program_->visit_pointers(copy, [&](Value& v) { todo.push_back(v.object()); });
    for (const NaiveEntry& e : thread.buffer) {
      todo.push_back(e.loc.object);
      if (e.value.pointer) todo.push_back(e.value.object());
    }
  }
  while (!todo.empty()) {
    const std::uint32_t object = todo.back();
    todo.pop_back();
    const auto it = objects.find(object);
    if (it == objects.end() || it->second.freed || !reached.insert(object).second) continue;
    // The upper half of a pointer is its object's name, and holds it whatever became of the rest.
    for (std::uint32_t i = 0; i + 4 <= it->second.size; ++i) {
      const NaiveByte& first = bytes.at({object, i});
      bool name = first.pointer.has_value() && first.index == 4;
      for (std::uint32_t k = 1; k < 4 && name; ++k) {
        const NaiveByte& b = bytes.at({object, i + k});
        name = b.pointer == first.pointer && b.index == 4 + k;
      }
      if (name) todo.push_back(first.pointer->object());
    }
  }
  std::set<std::uint32_t> lost;
  for (const auto& [number, object] : objects)
    if (core::can_leak(object.kind) && !object.freed && !reached.contains(number)) lost.insert(number);
  return lost;
}

std::vector<unsigned> NaiveThreads::flushable(core::Tid t) const {
  const auto& buffer = threads[t].buffer;
  std::vector<unsigned> possible;
  if (buffer.empty() || inside()) return possible;
  for (unsigned i = 0; i < buffer.size(); ++i) {
    bool may = true;
    for (unsigned j = 0; j < i; ++j) {
      may &= !buffer[j].loc.overlaps(buffer[i].loc);
      may &= model_ != ThreadModel::Tso;
      may &= buffer[j].epoch == buffer[i].epoch;
      may &= !(model_ == ThreadModel::Nsw && buffer[j].load && !buffer[i].load);
    }
    if (may) possible.push_back(i);
  }
  return possible;
}

void NaiveThreads::flush(core::Tid t, unsigned index, NaiveReport* report) {
  NaiveReport ignored;
  NaiveReport& out = report != nullptr ? *report : ignored;
  NaiveThread& thread = threads[t];
  const NaiveEntry e = thread.buffer[index];
  bool older_load = false;
  bool older_store = false;
  for (unsigned i = 0; i < index; ++i) (thread.buffer[i].load ? older_load : older_store) = true;
  out.cost = {older_load ? 1u : 0u, older_store && !e.load ? 1u : 0u, older_store && e.load ? 1u : 0u};
  out.site = e.site;
  out.action = e.load ? "perform load" : "flush";
  const core::Answer before = read(e.loc);
  ++steps_;
  thread.buffer.erase(thread.buffer.begin() + index);
  settle(thread);
  if (e.load) {
    out.event.kind = RaceEvent::Kind::Access;
    out.event.thread = t;
    out.event.loc = e.loc;
    out.event.order = e.order;
    out.event.reads = true;
    out.event.from = writers(e.loc);
    out.event.performs = e.made;
    out.effects.push_back({Effect::Kind::Performed, e.name, show(before.value, e.loc), {}, {}, {}, e.loc, t});
    program_->deliver(thread.local, e.slot, before);
    note_failure(t, out);
    if (out.failure) explain(t, e.loc.object, out);
    return;
  }
  out.effects.push_back(
      {Effect::Kind::Flushed, e.name, show(e.value, e.loc), show(before.value, e.loc), {}, {}, e.loc, t});
  out.flushes = e.made;
  if (write(e.loc, e.value, e.made) != Fault::None) {
    std::string where;
    if (const auto object = objects.find(e.loc.object);
        object != objects.end() && object->second.freed_at != core::no_site) {
      core::SourcePlace place = program_->place(object->second.freed_at);
      if (const auto by = freed_.find(e.loc.object); place.library && by != freed_.end())
        for (const core::SourcePlace& frame : by->second.frames)
          if (!frame.library) {
            place = frame;
            break;
          }
      where = fmt::format(" (freed at {}:{})", place.file, place.line);
    }
    out.failure =
        core::Failure{"write-after-free", "a buffered store reached memory that has been freed" + where, e.site};
    explain(t, e.loc.object, out);
  }
}

}  // namespace heddle::check
