// SPDX-License-Identifier: Apache-2.0
#include "check/graph_story.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "check/missing_order.h"
#include "check/places.h"
#include "core/heap_family.h"
#include "core/own_function.h"
#include "core/show_value.h"

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
  started_.resize(g.witness.threads.size());
}

void GraphStory::runs(core::Tid t) {
  if (names_[t].empty()) names_[t] = core::own_function(run_.program, run_.locals[t], t);
}

void GraphStory::allocates(const core::WitnessEvent& e, const core::Request& q) { remember(e, q, false); }
void GraphStory::frees(const core::WitnessEvent& e, const core::Request& q) { remember(e, q, true); }

// Who allocated and who freed what the program allocates: the thread stands at it now.
void GraphStory::remember(const core::WitnessEvent& e, const core::Request& q, bool freed) {
  if (!core::is_heap(q.storage)) return;
  core::NamedStack stack{freed ? "freed by " : "allocated by ", run_.program.stack(run_.locals[e.thread])};
  stack.title += thread_name(e.thread);
  if (!freed) stack.title += fmt::format(" ({} bytes)", q.value.bits);
  (freed ? freed_ : allocated_).insert_or_assign(e.value.object(), std::move(stack));
}

// As the replay of machines names them: the function that the program gave the thread, and its number.
std::string GraphStory::thread_name(core::Tid t) const {
  return name_of_thread(run_.program, run_.witness.threads[t].entry, names_[t], started_[t], t);
}

void GraphStory::finish() {
  name_threads();
  find_missed();
  find_quiet();
}

// A thread has its name once it runs a function of the program's own, and a read may come before its write: so names
// are given at the end.
void GraphStory::name_threads() {
  const auto& events = run_.witness.events;
  for (core::TraceStep& s : trace.steps) {
    const core::WitnessEvent& first = events[s.events.front()];
    s.thread = thread_name(first.thread);
    const auto other = static_cast<std::size_t>(first.value.bits);
    for (core::Effect& f : s.effects) {
      if (first.kind == Kind::Spawn && other < names_.size())
        f.value = "starts " + thread_name(static_cast<core::Tid>(other));
      if (first.kind == Kind::Join && other < names_.size())
        f.value = "joins " + thread_name(static_cast<core::Tid>(other));
    }
    std::size_t read = 0;
    for (core::Effect& f : s.effects) {
      if (f.kind != core::Effect::Kind::ReadMemory) continue;
      const std::int32_t rf = events[s.events[read++]].rf;
      if (rf < 0 || static_cast<std::size_t>(rf) >= step_of_.size()) continue;
      f.from = shown_place(step(static_cast<std::size_t>(rf)));
      f.by = thread_name(events[static_cast<std::size_t>(rf)].thread);
    }
  }
}

// Of every location the writes told so far, by their place in coherence order: a read that sees an earlier one misses
// the latest of them.
void GraphStory::find_missed() {
  const auto& events = run_.witness.events;
  std::map<std::int32_t, std::size_t> rank;  // of writes; the initial ones have none
  const auto rank_of = [&](std::int32_t w) -> std::size_t { return w < 0 ? 0 : rank[w]; };
  std::vector<std::vector<std::int32_t>> following(events.size());
  std::vector<std::int32_t> ready;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != Kind::Write) continue;
    if (events[i].co_prev < 0) ready.push_back(static_cast<std::int32_t>(i));
    else following[static_cast<std::size_t>(events[i].co_prev)].push_back(static_cast<std::int32_t>(i));
  }
  while (!ready.empty()) {
    const std::int32_t w = ready.back();
    ready.pop_back();
    rank[w] = rank_of(events[static_cast<std::size_t>(w)].co_prev) + 1;
    for (const std::int32_t next : following[static_cast<std::size_t>(w)]) ready.push_back(next);
  }
  std::map<core::Loc, std::int32_t> latest;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const core::WitnessEvent& e = events[i];
    const auto number = static_cast<std::int32_t>(i);
    if (e.kind == Kind::Write) {
      std::int32_t& w = latest.try_emplace(e.loc, number).first->second;
      if (rank_of(number) > rank_of(w)) w = number;
    }
    if (e.kind != Kind::Read) continue;
    core::TraceStep& s = trace.steps[step_of_[i]];
    const auto of_read = [&](const core::Effect& f) {
      return f.kind == core::Effect::Kind::ReadMemory && f.location == locations_[i] && !f.missed;
    };
    const auto effect = std::ranges::find_if(s.effects, of_read);
    if (effect == s.effects.end()) continue;
    if (e.rf > number) {
      s.effects.insert(
          std::next(effect),
          {core::Effect::Kind::Note, {}, "this store stands below: the load was performed after it", {}, {}, {}, {}});
    } else if (const auto w = latest.find(e.loc); w != latest.end() && rank_of(w->second) > rank_of(e.rf)) {
      const auto& store = events[static_cast<std::size_t>(w->second)];
      effect->missed = {core::show_value(run_.program, store.value, store.loc.size), thread_name(store.thread),
                        step_of_[static_cast<std::size_t>(w->second)]};
    }
  }
}

// A step is loud if another thread could notice it: it starts or ends a thread, or touches memory that another thread
// uses, too, once there are several threads.
void GraphStory::find_quiet() {
  const auto& events = run_.witness.events;
  std::map<core::Loc, std::set<core::Tid>> users;
  std::set<core::Tid> active;
  for (const core::WitnessEvent& e : events) {
    active.insert(e.thread);
    if (e.kind == Kind::Read || e.kind == Kind::Write) users[e.loc].insert(e.thread);
  }
  if (active.size() < 2) return;
  const bool alone_at_first = run_.program.initial_threads().size() == 1;
  std::set<core::Tid> heard;
  bool several = !alone_at_first;
  for (std::size_t k = 0; k + 1 < trace.steps.size(); ++k) {
    core::TraceStep& s = trace.steps[k];
    const core::WitnessEvent& e = events[s.events.front()];
    const bool access = e.kind == Kind::Read || e.kind == Kind::Write;
    several |= e.kind == Kind::Spawn;
    if (access ? several && users[e.loc].size() > 1
               : e.kind == Kind::Spawn || e.kind == Kind::Join || e.kind == Kind::Refused || e.kind == Kind::Choose)
      heard.insert(e.thread);
    s.quiet = !heard.contains(e.thread);
  }
}

std::string GraphStory::did(std::size_t event, const char* what) const {
  const std::string at = where(step(event));
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
  place = at;
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
  // The step that fails is the last one, at its own line.
  const auto shows = [&](const core::SourcePlace& p) { return p.line == at.line && p.file == at.file; };
  if (at.line != 0 &&
      (trace.steps.empty() || trace.steps.back().move.thread != t || !shows(shown_place(trace.steps.back())))) {
    core::TraceStep last;
    last.thread = thread_name(t);
    last.place = at;
    last.action = failure.kind;
    last.move.thread = t;
    trace.steps.push_back(std::move(last));
  }
  return violation;
}

std::string GraphStory::use_after_free(const FreedAccess& pair) {
  const auto& access = run_.witness.events[pair.access];
  const bool asks = access.kind == Kind::Fence;
  show_history(asks ? run_.requests[pair.access].loc.object : access.loc.object);
  place = shown_place(step(pair.access));
  return fmt::format("use after free: {}, {}, and nothing makes the {} come first",
                     did(pair.access, asks                         ? "asks for the size of the object"
                                      : access.kind == Kind::Write ? "writes to the object"
                                                                   : "reads the object"),
                     did(pair.free, "frees it"), asks ? "question" : "access");
}

std::string GraphStory::claim(const core::Property& property) {
  const auto is = [&]<class P>(P) { return std::holds_alternative<P>(property); };
  if (is(core::Race{})) return race();
  if (is(core::Deadlock{}) || is(core::Liveness{})) return waiting(is(core::Deadlock{}));
  if (is(core::Robust{})) return "this execution is not one of sequential consistency";
  if (!is(core::Leak{})) return {};
  const auto lost = leak_in(run_);
  if (!lost) return {};
  show_history(run_.witness.events[*lost].value.object());
  place = shown_place(step(*lost));
  return fmt::format("{} bytes that {} are never freed, and nothing points to them any more",
                     run_.requests[*lost].value.bits, did(*lost, "allocates"));
}

std::string GraphStory::race() {
  const auto race = race_in(run_);
  if (!race) return {};
  const auto verb = [&](std::size_t e) {
    return run_.witness.events[e].kind == Kind::Write ? "writes it" : "reads it";
  };
  place = shown_place(step(race->second));
  const std::string words = fmt::format("data race on {}: {}, {}, and nothing orders the two", told(race->second),
                                        did(race->first, verb(race->first)), did(race->second, verb(race->second)));
  trace.steps[step_of_[race->first]].effects.push_back(
      {core::Effect::Kind::Note, {}, "the first access of the race", {}, {}, {}});
  trace.steps[step_of_[race->second]].effects.push_back(
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
        holder.place = shown_place(step(*lock));
        holder.thread = thread_name(run_.witness.events[*lock].thread);
      }
    words += fmt::format("; {} waits {}", thread_name(t), waiting_place(run_.program, run_.locals[t], q.site, holder));
    if (q.kind == core::Kind::Join && q.value.bits < run_.started.size())
      words += fmt::format(" for {} to end", thread_name(static_cast<core::Tid>(q.value.bits)));
    trace.stacks.push_back({thread_name(t), run_.program.stack(run_.locals[t])});
    if (place.line == 0) place = own_place(run_.program, run_.locals[t]);
  }
  return words;
}

bool GraphStory::continues(const core::WitnessEvent& e) const {
  return !trace.steps.empty() && trace.steps.back().move.thread == e.thread &&
         (e.piece > 0 || (e.kind == Kind::Write && e.rmw));
}

void GraphStory::sees(std::size_t i, const core::Request& q) {
  const core::WitnessEvent& e = run_.witness.events[i];
  step_of_.resize(i + 1);
  locations_.resize(i + 1);
  if (e.kind == Kind::Read || e.kind == Kind::Write)
    locations_[i] = run_.program.location_name(e.loc, run_.locals[e.thread]);
  if (continues(e)) {
    core::TraceStep& s = trace.steps.back();
    step_of_[i] = trace.steps.size() - 1;
    s.events.push_back(i);
    s.effects.push_back(effect_of(e, q));
    if (e.kind == Kind::Write && e.rmw && !s.place.library)
      s.action = (q.op == core::RmwOp::Cas ? "compare-exchange" : "read-modify-write") + std::string(word(q.order));
    if (e.kind == Kind::Write && q.owned) add_lock_note(run_.program, run_.locals[e.thread], s.effects);
    return;
  }
  core::TraceStep s;
  s.place = run_.program.place(q.site);
  s.move.thread = e.thread;
  s.events = {i};
  // What the library does is shown at the line that called it.
  for (const core::SourcePlace& frame : run_.program.stack(run_.locals[e.thread])) {
    s.place.library = s.place.library || (s.place.line == 0 && frame.library);
    if (!s.place.library) break;
    if (frame.library || frame.line == 0) continue;
    s.caller = frame;
    break;
  }
  switch (e.kind) {
    case Kind::Read:
      s.action = !e.rmw ? "load" : q.op == core::RmwOp::Cas ? "failed compare-exchange" : "read-modify-write";
      s.action += word(e.order);
      break;
    case Kind::Write: s.action = std::string("store") + word(e.order); break;
    case Kind::Fence: s.action = std::string("fence") + word(e.order); break;
    case Kind::Choose: s.action = "choose"; break;
    case Kind::Alloc: s.action = "allocate"; break;
    case Kind::Free: s.action = "free"; break;
    case Kind::Spawn: s.action = "create thread"; break;
    case Kind::Join: s.action = "join"; break;
    case Kind::Refused: s.action = "access"; break;
  }
  // Of a call of the library people want to see one line: what it was for. Variables that come and go, and what the
  // library frees when a thread has ended, are no news.
  const bool of_heap = e.kind == Kind::Alloc ? core::is_heap(q.storage) : allocated_.contains(e.value.object());
  const bool by_user = (!s.place.library && s.place.line > 0) || s.caller.line > 0;
  const bool records = (e.kind == Kind::Alloc || e.kind == Kind::Free) && !(of_heap && by_user);
  if (s.place.library && e.rmw) s.action = "read-modify-write";
  if (e.kind != Kind::Fence && !records) s.effects.push_back(effect_of(e, q));
  exceptions_.note(run_.program, e.thread, run_.locals[e.thread], s.effects);
  if (const auto child = static_cast<std::size_t>(e.value.bits); e.kind == Kind::Spawn && child < started_.size())
    started_[child] = shown_place(s);
  step_of_[i] = trace.steps.size();
  trace.steps.push_back(std::move(s));
}

core::Effect GraphStory::effect_of(const core::WitnessEvent& e, const core::Request& q) const {
  core::Effect f;
  f.value = core::show_value(run_.program, e.value, e.loc.size);
  switch (e.kind) {
    case Kind::Read:
      f.kind = core::Effect::Kind::ReadMemory;
      f.location = run_.program.location_name(e.loc, run_.locals[e.thread]);
      if (q.output == 0) break;
      f = {core::Effect::Kind::Output, q.output == 2 ? "stderr" : "stdout", {}, {}, {}, {}, {}};
      for (std::uint32_t b = 0; b < e.loc.size; ++b) f.value += static_cast<char>(e.value.bits >> (8 * b));
      break;
    case Kind::Write:
      f.kind = core::Effect::Kind::Wrote;
      f.location = run_.program.location_name(e.loc, run_.locals[e.thread]);
      break;
    case Kind::Choose: f.value = "chooses " + f.value; break;
    case Kind::Alloc: f.value = "allocates " + f.value; break;
    case Kind::Free: f.value = "frees " + f.value; break;
    case Kind::Refused: f.value = "memory refuses the access"; break;
    default: break;
  }
  return f;
}

// "the store to x at f.c:3"
std::string GraphStory::access(std::size_t event) const {
  const core::WitnessEvent& e = run_.witness.events[event];
  const char* what = e.rmw ? "atomic update of" : e.kind == Kind::Write ? "store to" : "load of";
  return fmt::format("the {} {}{}", what, told(event), where(step(event)));
}

std::string GraphStory::missing_order() const {
  const MissingOrder missing = check::missing_order(run_);
  if (missing.pairs.empty()) return {};
  const auto& events = run_.witness.events;
  std::string words;
  for (const auto& [a, b] : missing.pairs) {
    const std::string two = fmt::format("{} and {} ({})", access(a), access(b), thread_name(events[a].thread));
    words += words.empty() ? two + " are not ordered" : "; nor are " + two;
    if (&missing.pairs.front().first != &a) continue;
    words += missing.fenced           ? ", although a fence or a stronger order stands between them"
             : missing.enough.empty() ? ": no fence stands between them"
                                      : ": neither release/acquire nor a fence stands between them";
  }
  if (missing.enough.empty()) {
    words += missing.pairs.size() == 1 ? "; with a seq_cst fence there this could not happen"
                                       : "; with a seq_cst fence in each of these places this could not happen";
    return words;
  }
  std::string mend;
  for (const auto& [e, order] : missing.enough)
    mend += fmt::format("{}a{}{}", mend.empty() ? "" : " and ",
                        order == core::Order::Release ? " release store" : "n acquire load", where(step(e)));
  return fmt::format("{}; with {} this could not happen", words, mend);
}

}  // namespace heddle::check
