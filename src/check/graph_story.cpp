// SPDX-License-Identifier: Apache-2.0
#include "check/graph_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/places.h"

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

}  // namespace

GraphStory::GraphStory(const RunGraph& g) : run_(g) {
  trace.model = g.witness.model;
  names_.resize(g.witness.threads.size());
}

void GraphStory::runs(core::Tid t) {
  if (names_[t].empty()) names_[t] = own_function(run_.program, run_.locals[t]);
}

void GraphStory::allocates(const core::WitnessEvent& e, const core::Request& q) { remember(e, q, false); }
void GraphStory::frees(const core::WitnessEvent& e, const core::Request& q) { remember(e, q, true); }

// Who allocated and who freed what the program allocates: the thread stands at it now.
void GraphStory::remember(const core::WitnessEvent& e, const core::Request& q, bool freed) {
  if (static_cast<core::AllocKind>(q.entry) != core::AllocKind::Heap) return;
  core::NamedStack stack{freed ? "freed by " : "allocated by ", run_.program.stack(run_.locals[e.thread])};
  stack.title += thread_name(e.thread);
  if (!freed) stack.title += fmt::format(" ({} bytes)", q.value.bits);
  (freed ? freed_ : allocated_).insert_or_assign(e.value.object(), std::move(stack));
}

// As the replay of machines names them: the function that the program gave the thread, and its number.
std::string GraphStory::thread_name(core::Tid t) const {
  return fmt::format("{} {}", names_[t].empty() ? run_.program.thread_name(run_.witness.threads[t].entry) : names_[t],
                     t);
}

// A thread has its name once it runs a function of the program's own, and a read may come before its write: so names
// are given at the end.
void GraphStory::name_threads() {
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    core::TraceStep& step = trace.steps[i];
    const core::WitnessEvent& e = run_.witness.events[i];
    step.thread = thread_name(e.thread);
    const auto other = static_cast<std::size_t>(e.value.bits);
    for (core::Effect& f : step.effects) {
      if (e.kind == Kind::Spawn && other < names_.size())
        f.value = "starts " + thread_name(static_cast<core::Tid>(other));
      if (e.kind == Kind::Join && other < names_.size())
        f.value = "joins " + thread_name(static_cast<core::Tid>(other));
      if (f.kind != core::Effect::Kind::ReadMemory || e.rf < 0 || static_cast<std::size_t>(e.rf) >= trace.steps.size())
        continue;
      f.from = shown_place(trace.steps[static_cast<std::size_t>(e.rf)]);
      f.by = thread_name(run_.witness.events[static_cast<std::size_t>(e.rf)].thread);
    }
  }
}

std::string GraphStory::did(std::size_t event, const char* what) const {
  const std::string at = where(trace.steps[event]);
  // What a thread does without a place is done at its end.
  return fmt::format("{} {}{}", thread_name(run_.witness.events[event].thread), what,
                     at.empty() ? " when it ends" : at);
}

void GraphStory::show_history(std::uint32_t object) {
  for (const auto* history : {&allocated_, &freed_})
    if (const auto stack = history->find(object); stack != history->end()) trace.stacks.push_back(stack->second);
}

std::string GraphStory::failure(core::Tid t) {
  const core::Failure failure = run_.program.failure(run_.locals[t]);
  const core::SourcePlace at = failure.site == core::no_site ? core::SourcePlace{} : run_.program.place(failure.site);
  std::string violation = failure.message;
  if (at.line != 0) violation += fmt::format(" at {}:{}", at.file, at.line);
  if (auto stack = run_.program.stack(run_.locals[t]); !stack.empty())
    trace.stacks.push_back({"in " + thread_name(t), std::move(stack)});
  for (std::size_t i = run_.witness.events.size(); i-- > 0;) {
    if (run_.witness.events[i].thread != t) continue;
    const core::Request& q = run_.requests[i];
    if (run_.witness.events[i].kind == Kind::Refused)
      show_history(q.kind == core::Kind::Free ? q.value.object() : q.loc.object);
    break;
  }
  return violation;
}

std::string GraphStory::use_after_free(const FreedAccess& pair) {
  const auto& access = run_.witness.events[pair.access];
  show_history(access.loc.object);
  return fmt::format("use after free: {}, {}, and nothing makes the access come first",
                     did(pair.access, access.kind == Kind::Write ? "writes to the object" : "reads the object"),
                     did(pair.free, "frees it"));
}

std::string GraphStory::claim(const std::string& kind) {
  if (kind == "race") return race();
  if (kind == "deadlock" || kind == "liveness") return waiting(kind == "deadlock");
  if (kind != "memory-leak") return {};
  const auto lost = leak_in(run_);
  if (!lost) return {};
  show_history(run_.witness.events[*lost].value.object());
  return fmt::format("{} bytes that {} are never freed, and nothing points to them any more",
                     run_.requests[*lost].value.bits, did(*lost, "allocates"));
}

std::string GraphStory::race() {
  const auto race = race_in(run_);
  if (!race) return {};
  const auto verb = [&](std::size_t e) {
    return run_.witness.events[e].kind == Kind::Write ? "writes it" : "reads it";
  };
  const auto& second = run_.witness.events[race->second];
  const std::string words = fmt::format("data race on {}: {}, {}, and nothing orders the two",
                                        run_.program.location_name(second.loc, run_.locals[second.thread]),
                                        did(race->first, verb(race->first)), did(race->second, verb(race->second)));
  trace.steps[race->first].effects.push_back(
      {core::Effect::Kind::Note, {}, "the first access of the race", {}, {}, {}});
  trace.steps[race->second].effects.push_back(
      {core::Effect::Kind::Note, {}, "the second access of the race", {}, {}, {}});
  return words;
}

// The coherence-latest write to a location.
std::optional<std::size_t> GraphStory::latest_write(const core::Loc& loc) const {
  const auto& events = run_.witness.events;
  for (std::size_t w = 0; w < events.size(); ++w) {
    if (events[w].kind != Kind::Write || events[w].loc != loc) continue;
    const bool last = std::ranges::none_of(events, [&](const core::WitnessEvent& e) {
      return e.kind == Kind::Write && e.loc == loc && e.co_prev == static_cast<std::int32_t>(w);
    });
    if (last) return w;
  }
  return std::nullopt;
}

std::string GraphStory::waiting(bool deadlock) {
  bool others = false;  // that go on, while some wait for each other's locks
  for (core::Tid t = 0; t < run_.started.size() && deadlock; ++t) {
    if (!run_.started[t]) continue;
    const core::Request q = run_.program.request(run_.locals[t]);
    others |= q.kind != core::Kind::Ended && q.kind != core::Kind::Join && !q.waits;
  }
  std::string words = !deadlock ? "a spin loop reads only the latest values and never ends"
                      : others  ? "threads wait for each other's locks"
                                : "no thread can go on";
  for (core::Tid t = 0; t < run_.started.size(); ++t) {
    if (!run_.started[t]) continue;
    const core::Request q = run_.program.request(run_.locals[t]);
    if (q.kind == core::Kind::Ended || q.site == core::no_site || (others && !q.owned)) continue;
    Holder holder;
    if (q.owned)
      if (const auto lock = latest_write(q.loc)) {
        holder.place = shown_place(trace.steps[*lock]);
        holder.thread = thread_name(run_.witness.events[*lock].thread);
      }
    words += fmt::format("; {} waits {}", thread_name(t), waiting_place(run_.program, run_.locals[t], q.site, holder));
    if (q.kind == core::Kind::Join && q.value.bits < run_.started.size())
      words += fmt::format(" for {} to end", thread_name(static_cast<core::Tid>(q.value.bits)));
    trace.stacks.push_back({thread_name(t), run_.program.stack(run_.locals[t])});
  }
  return words;
}

void GraphStory::sees(std::size_t i, const core::Request& q) {
  const core::WitnessEvent& e = run_.witness.events[i];
  core::TraceStep s;
  s.place = run_.program.place(q.site);
  s.move.thread = e.thread;
  // What the library does is shown at the line that called it.
  for (const core::SourcePlace& frame : run_.program.stack(run_.locals[e.thread])) {
    s.place.library = s.place.library || (s.place.line == 0 && frame.library);
    if (!s.place.library) break;
    if (frame.library || frame.line == 0) continue;
    s.caller = frame;
    break;
  }
  core::Effect f;
  const std::string value =
      e.value.pointer ? "object " + std::to_string(e.value.object()) + " + " + std::to_string(e.value.offset())
                      : std::to_string(static_cast<std::int64_t>(e.value.bits));
  f.value = value;
  switch (e.kind) {
    case Kind::Read:
      s.action = (e.rmw ? std::string("read of read-modify-write") : std::string("load")) + word(e.order);
      f.kind = core::Effect::Kind::ReadMemory;
      f.location = run_.program.location_name(e.loc, run_.locals[e.thread]);
      if (q.output != 0) {
        f = {core::Effect::Kind::Output, q.output == 2 ? "stderr" : "stdout", {}, {}, {}, {}};
        for (std::uint32_t b = 0; b < e.loc.size; ++b) f.value += static_cast<char>(e.value.bits >> (8 * b));
      }
      break;
    case Kind::Write:
      s.action = (e.rmw ? std::string("write of read-modify-write") : std::string("store")) + word(e.order);
      f.kind = core::Effect::Kind::Wrote;
      f.location = run_.program.location_name(e.loc, run_.locals[e.thread]);
      break;
    case Kind::Fence: s.action = std::string("fence") + word(e.order); break;
    case Kind::Choose:
      s.action = "choose";
      f.value = "chooses " + value;
      break;
    case Kind::Alloc:
      s.action = "allocate";
      f.value = "allocates " + value;
      break;
    case Kind::Free:
      s.action = "free";
      f.value = "frees " + value;
      break;
    case Kind::Spawn: s.action = "create thread"; break;
    case Kind::Join: s.action = "join"; break;
    case Kind::Refused:
      s.action = "access";
      f.value = "memory refuses the access";
      break;
  }
  // Of a call of the library people want to see one line: what it was for.
  const bool records = (e.kind == Kind::Alloc || e.kind == Kind::Free) && s.place.library &&
                       (e.kind == Kind::Alloc ? static_cast<core::AllocKind>(q.entry) != core::AllocKind::Heap
                                              : !allocated_.contains(e.value.object()));
  if (s.place.library && e.rmw) s.action = "read-modify-write";
  if (e.kind != Kind::Fence && !records) s.effects.push_back(std::move(f));
  trace.steps.push_back(std::move(s));
}

}  // namespace heddle::check
