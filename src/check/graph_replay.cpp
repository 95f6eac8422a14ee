// SPDX-License-Identifier: Apache-2.0
#include "check/graph_replay.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "axioms/models.h"
#include "check/graph_axioms.h"
#include "check/graph_claims.h"
#include "check/graph_story.h"
#include "check/linearise.h"
#include "check/phases.h"
#include "core/heap_family.h"
#include "core/rmw.h"

namespace heddle::check {

namespace {

using Kind = core::WitnessEvent::Kind;

constexpr std::string_view freed_word = "use-after-free";
constexpr std::size_t most_restated = 100000;  // events; a loop of nothing but fences never ends

class Replayer {
 public:
  // With `tells` a story listens to all events and becomes the trace.
  Replayer(const core::Program& p, const core::ExecutionWitness& w, const std::optional<core::Claim>& c, bool tells)
      : program_(p), witness_(w), claim_(c), index_(w), run_{p, w, {}, {}, {}, {}, {}, {}} {
    if (tells) story_.emplace(run_);
  }

  Replayed run() {
    follow();
    if (why_.empty()) check_memory();
    if (why_.empty()) check_claim();
    if (why_.empty()) {
      const Ruling judged = ruling(run_);
      why_ = judged.why;
      too_large_ = judged.kind == Ruling::Kind::Unknown;
    }
    if (why_.empty() && claims_freed() && !failed_) check_freed();
    out_.confirmed = why_.empty();
    if (!out_.confirmed) out_.why = {too_large_ ? core::Reason::Kind::TooLarge : core::Reason::Kind::Internal, why_};
    if (story_ && out_.confirmed) tell();
    return std::move(out_);
  }

  // The execution as the program has it now: with its orders, and with fences where it asks for more of them.
  std::optional<core::ExecutionWitness> restated() {
    restated_.emplace();
    restated_->model = witness_.model;
    restated_->threads = witness_.threads;
    restated_->failed = witness_.failed;
    numbers_.assign(witness_.events.size(), 0);
    follow();
    for (core::Tid t = 0; t < run_.started.size() && why_.empty(); ++t)
      if (run_.started[t]) pass_fences(t, core::no_site);
    if (!why_.empty()) return std::nullopt;
    const auto renumber = [&](std::int32_t& event) {
      if (event >= 0) event = static_cast<std::int32_t>(numbers_[static_cast<std::size_t>(event)]);
    };
    std::vector<std::uint32_t> indices(witness_.threads.size(), 0);
    for (core::WitnessEvent& e : restated_->events) {
      e.index = indices[e.thread]++;
      renumber(e.rf);
      renumber(e.co_prev);
    }
    for (auto& thread : restated_->threads) renumber(thread.spawn);
    return std::move(restated_);
  }

  // Events that the claim is about, the one to be told last first; none if it is about all of them. Requires that it
  // was confirmed.
  std::vector<std::size_t> ends() const {
    if (claim_ && claim_->is<core::Race>())
      if (const auto race = race_in(run_)) return {race->second, race->first};
    if (!failed_)
      return claims_freed() ? std::vector{freed_access_.access, freed_access_.free} : std::vector<std::size_t>{};
    std::vector<std::size_t> ends;
    for (std::size_t i = witness_.events.size(); i-- > 0 && ends.empty();)
      if (witness_.events[i].thread == claim_->thread) ends.push_back(i);
    if (ends.empty()) {
      const std::int32_t spawn = witness_.threads[claim_->thread].spawn;
      if (spawn >= 0) ends.push_back(static_cast<std::size_t>(spawn));
      return ends;
    }
    if (witness_.events[ends[0]].kind != Kind::Refused) return ends;
    const core::Request& q = run_.requests[ends[0]];
    const std::uint32_t object = q.kind == core::Kind::Free ? q.value.object() : q.loc.object;
    for (std::size_t i = 0; i < witness_.events.size(); ++i)
      if (witness_.events[i].kind == Kind::Free && witness_.events[i].value.object() == object) ends.push_back(i);
    return ends;
  }

 private:
  void follow() {
    run_.locals.resize(witness_.threads.size());
    shadows_.resize(witness_.threads.size());
    run_.loads.resize(witness_.threads.size());
    run_.started.assign(witness_.threads.size(), false);
    run_.deps.resize(witness_.events.size());
    run_.requests.resize(witness_.events.size());
    indices_.assign(witness_.threads.size(), 0);
    start_initial_threads();
    for (std::size_t i = 0; i < witness_.events.size() && why_.empty(); ++i) perform(i);
    for (core::Tid t = 0; t < witness_.threads.size() && why_.empty(); ++t)
      if (!run_.started[t] && witness_.threads[t].spawn >= 0) why_ = "no event creates thread " + std::to_string(t);
  }

  void tell() {
    story_->finish();
    if (failed_) out_.violation = story_->failure(claim_->thread);
    else if (claims_freed()) out_.violation = story_->use_after_free(freed_access_);
    else out_.violation = story_->claim(claim_->property);
    const std::string cause = story_->missing_order();
    out_.place = story_->place;
    out_.trace = std::move(story_->trace);
    out_.trace.closing = cause.empty() ? out_.violation : cause;
    out_.trace.execution = witness_;
    out_.trace.execution->failed = claim_->thread;
    out_.claim = *claim_;
  }

  void fail(std::size_t i, const std::string& what) {
    if (why_.empty()) why_ = "event " + std::to_string(i) + ": " + what;
  }

  void start_initial_threads() {
    const auto entries = program_.initial_threads();
    if (entries.size() > witness_.threads.size()) why_ = "a thread of the program is missing";
    for (core::Tid t = 0; t < entries.size() && why_.empty(); ++t) {
      const auto& thread = witness_.threads[t];
      if (thread.entry != entries[t].entry || !(thread.arg == entries[t].arg) || thread.spawn != -1)
        why_ = "thread " + std::to_string(t) + " begins otherwise";
      else start(t);
    }
  }

  void start(core::Tid t) {
    run_.started[t] = true;
    const axioms::Model* model = axioms::find_model(witness_.model);
    if (program_.features().dependencies && model != nullptr && model->needs_deps) shadows_[t] = program_.make_shadow();
    program_.start(witness_.threads[t].entry, witness_.threads[t].arg, t, run_.locals[t], shadows_[t].get());
    out_.addresses |= program_.names_matter(run_.locals[t]);
    if (story_) story_->runs(t);
  }

  std::optional<core::Value> initial(const core::Loc& l) const {
    const auto globals = program_.globals();
    core::Value v;
    std::uint32_t object = l.object;
    if (object == 0) return std::nullopt;
    if (object > globals.size()) {
      const auto it = contents_.find(object);
      if (it == contents_.end()) return std::nullopt;
      object = it->second;
      if (object == 0) {
        v.undefined = core::size_mask(l.size);
        return v;
      }
    }
    const auto& g = globals[object - 1];
    if (l.size > 8 || std::uint64_t{l.offset} + l.size > g.bytes.size()) return std::nullopt;
    std::memcpy(&v.bits, g.bytes.data() + l.offset, l.size);
    for (std::uint32_t b = 0; b < l.size && !g.defined.empty(); ++b)
      if (!g.defined[l.offset + b]) v.undefined |= std::uint64_t{0xff} << (8 * b);
    for (const auto at : g.pointers)
      v.pointer |= l.size == 8 ? at == l.offset : at + 4 < l.offset + l.size && l.offset < at + 8;
    return v;
  }

  // One event: the thread must ask for just this, and gets the answer that the graph says.
  void perform(std::size_t i) {
    const core::WitnessEvent& e = witness_.events[i];
    if (e.thread >= run_.started.size() || !run_.started[e.thread]) return fail(i, "its thread has not been created");
    core::Local& l = run_.locals[e.thread];
    if (restated_) pass_fences(e.thread, e.kind == Kind::Fence ? e.site : core::no_site);
    const core::Request q = program_.request(l);
    run_.requests[i] = q;
    if (const std::string why = differs(e, q); !why.empty()) return fail(i, why);
    if (restated_) restate(i, q);
    if (shadows_[e.thread]) run_.deps[i] = program_.deps(l, *shadows_[e.thread]);
    if (story_) story_->sees(i, q);
    const bool access = e.kind == Kind::Read || e.kind == Kind::Write;
    if (!access && (pending_[e.thread] || !pieces_[e.thread].empty()))
      return fail(i, "an access has not come to its end");
    core::Answer a;
    bool resumes = true;
    switch (e.kind) {
      case Kind::Read: resumes = read(i, q, a); break;
      case Kind::Write: resumes = write(i, q, a); break;
      case Kind::Fence:
        if (q.asks_size() && exists(q.loc.object)) ask_size(i, q, a);
        else if (q.kind != core::Kind::Fence) return fail(i, "the thread has no fence here");
        break;
      case Kind::Choose:
        if (q.kind != core::Kind::Choose || e.value.bits >= q.value.bits || !(e.value == core::Value(e.value.bits)))
          return fail(i, "no such choice");
        a.value = e.value;
        break;
      case Kind::Alloc:
        if (q.kind == core::Kind::Free && q.value.bits == 0 && e.value == q.value) break;
        if (q.kind != core::Kind::Alloc) return fail(i, "the thread allocates nothing here");
        if (!(e.value == core::Value::address(e.value.object(), 0)) || e.value.object() <= program_.globals().size() ||
            contents_.contains(e.value.object()))
          return fail(i, "this is no new object");
        if (story_) story_->allocates(e, q);
        contents_[e.value.object()] = q.expected.object();
        sizes_[e.value.object()] = static_cast<std::uint32_t>(q.value.bits);
        storage_[e.value.object()] = q.storage;
        a.value = e.value;
        break;
      case Kind::Free:
        if (q.kind != core::Kind::Free || !(q.value == e.value)) return fail(i, "the thread frees nothing here");
        if (story_) story_->frees(e, q);
        break;
      case Kind::Spawn:
        if (!spawn(i, q)) return;
        a.value = e.value;
        break;
      case Kind::Join: {
        const auto child = static_cast<core::Tid>(e.value.bits);
        if (q.kind != core::Kind::Join || !(q.value == e.value)) return fail(i, "the thread joins another");
        if (child >= run_.started.size() || !run_.started[child] ||
            program_.request(run_.locals[child]).kind != core::Kind::Ended)
          return fail(i, "the thread to join has not ended");
        break;
      }
      case Kind::Refused:
        a.fault = e.fault;
        if (const auto why = unfounded_fault(run_, i); !why.empty()) return fail(i, why);
        break;
    }
    if (!resumes) return;
    program_.resume(l, a, shadows_[e.thread].get());
    out_.addresses |= program_.names_matter(l);
    if (story_) story_->runs(e.thread);
  }

  void ask_size(std::size_t i, const core::Request& q, core::Answer& a) {
    a.value = facts_of(q.loc.object);
    core::Local refused = run_.locals[witness_.events[i].thread];
    program_.resume(refused, {.value = {}, .fault = core::Fault::Freed, .spurious = false});
    if (program_.request(refused).kind == core::Kind::Failed) run_.size_questions.insert(i);
  }

  bool denied(std::size_t i, const std::string& why) {
    fail(i, why);
    return false;
  }

  // A read, or one piece of it. True if the thread goes on with answer `a`; else more of it follows, or it was refuted.
  bool read(std::size_t i, const core::Request& q, core::Answer& a) {
    const core::WitnessEvent& e = witness_.events[i];
    if ((q.kind != core::Kind::Load && q.kind != core::Kind::Rmw) || pending_[e.thread] || !next_piece(i, q.loc))
      return denied(i, "the thread does not read this");
    if (e.rmw != (q.kind == core::Kind::Rmw)) return denied(i, "a read-modify-write and a read are confused");
    if (e.piece == 0) {
      // A request counts once among the loads: one that was to wait is made again.
      if (waiting_.erase(e.thread) != 0) run_.loads[e.thread].pop_back();
      run_.loads[e.thread].push_back(i);
    }
    if (e.piece + 1 < e.pieces) return false;
    const std::vector<std::size_t> pieces = std::exchange(pieces_[e.thread], {});
    const core::Value read = put_together(pieces, q.loc);
    const bool equal = core::cas_succeeds(read, q.expected, q.loc.size);
    const bool blocked = q.waits && !core::wait_over(q, read);
    const bool success = q.kind == core::Kind::Rmw && (q.op != core::RmwOp::Cas || equal) && !e.spurious && !blocked;
    if (e.spurious && (q.kind != core::Kind::Rmw || q.op != core::RmwOp::Cas || !q.weak || !equal))
      return denied(i, "it has a reason to fail, or cannot");
    if (success && e.waits && !is_last(i)) return denied(i, "the read-modify-write has no write");
    for (const std::size_t piece : pieces) {
      if (restated_) restated_->events[numbers_[piece]].order = order_of_read(q, success);
      else if (witness_.events[piece].order != order_of_read(q, success))
        return denied(i, "its memory order is another");
    }
    a.value = read;
    a.spurious = e.spurious;
    out_.spurious |= e.spurious;
    if (success && !e.waits) pending_[e.thread] = read;
    // One that waits as the last event of its thread, though it would write, is not performed: the thread stays there.
    if (blocked) waiting_.insert(e.thread);
    return !success && !blocked;
  }

  // A write, or one piece of it; as read().
  bool write(std::size_t i, const core::Request& q, core::Answer& a) {
    const core::WitnessEvent& e = witness_.events[i];
    if (!next_piece(i, q.loc)) return denied(i, "the thread does not write this");
    core::Value v = q.value;
    if (e.rmw) {
      if (q.kind != core::Kind::Rmw || !pending_[e.thread]) return denied(i, "a write of no read-modify-write");
      a.value = *pending_[e.thread];
      if (q.op != core::RmwOp::Cas) v = core::rmw_result(q.op, a.value, q.value, q.loc.size);
    } else if (q.kind != core::Kind::Store) {
      return denied(i, "the thread does not write");
    }
    if (!(part(v, q.loc, e.loc) == e.value)) return denied(i, "another value is written");
    if (e.piece + 1 < e.pieces) return false;
    pieces_[e.thread].clear();
    pending_[e.thread].reset();
    return true;
  }

  bool spawn(std::size_t i, const core::Request& q) {
    const core::WitnessEvent& e = witness_.events[i];
    const auto child = static_cast<core::Tid>(e.value.bits);
    if (q.kind != core::Kind::Spawn || child >= run_.started.size() || run_.started[child])
      return denied(i, "no thread can be created");
    if (witness_.threads[child].entry != q.entry || !(witness_.threads[child].arg == q.value) ||
        witness_.threads[child].spawn != static_cast<std::int32_t>(i) || !(e.value == core::Value(child)))
      return denied(i, "another thread is created");
    start(child);
    return true;
  }

  // What every event has, whatever its kind: its place in its thread, and nothing that its kind does not have.
  std::string differs(const core::WitnessEvent& e, const core::Request& q) {
    if (e.index != indices_[e.thread]++) return "it is not the next event of its thread";
    const bool access = e.kind == Kind::Read || e.kind == Kind::Write;
    const bool asks_for_size = q.asks_size();
    const bool ordered = access || (e.kind == Kind::Fence && !asks_for_size);
    if (e.tag != (ordered ? q.tag : core::Tag{0})) return "it has another tag";
    if (!restated_ && e.kind != Kind::Read && e.order != order_of(q, e.kind)) return "its memory order is another";
    if (access ? e.loc.size == 0 : e.loc != core::Loc{} || e.pieces != 1 || e.rmw) return "its location is another";
    if (e.kind != Kind::Read && (e.spurious || e.waits || e.rf != core::WitnessEvent::nothing))
      return "only reads have a source, wait and fail";
    if (e.kind != Kind::Write && e.co_prev != core::WitnessEvent::nothing) return "only writes are in coherence order";
    if (e.kind == Kind::Fence && !(e.value == core::Value())) return "a fence has no value";
    if (e.kind == Kind::Refused && !(e.value == (q.kind == core::Kind::Free ? q.value : core::Value())))
      return "memory refuses another access";
    if ((e.kind == Kind::Refused) != (e.fault != core::Fault::None)) return "memory refuses without a reason";
    return {};
  }

  // Of an event that is no read.
  static core::Order order_of(const core::Request& q, Kind kind) {
    if (kind == Kind::Write) return q.locked ? core::Order::SeqCst : q.order;
    return kind == Kind::Fence && !q.asks_size() ? q.order : core::Order::Plain;
  }

  // Fences that the thread asks for and the witness does not have; the one at `own` is the witness's.
  void pass_fences(core::Tid t, core::Site own) {
    core::Local& l = run_.locals[t];
    for (core::Request q = program_.request(l); q.kind == core::Kind::Fence && q.site != own; q = program_.request(l)) {
      if (restated_->events.size() > most_restated) {
        why_ = "too many fences";
        return;
      }
      core::WitnessEvent fence;
      fence.thread = t;
      fence.order = q.order;
      fence.tag = q.tag;
      fence.site = q.site;
      restated_->events.push_back(fence);
      program_.resume(l, {}, shadows_[t].get());
    }
  }

  void restate(std::size_t i, const core::Request& q) {
    const core::WitnessEvent& e = witness_.events[i];
    // Whoever is joined passes its fences first.
    if (e.kind == Kind::Join && e.value.bits < run_.started.size() && run_.started[e.value.bits])
      pass_fences(static_cast<core::Tid>(e.value.bits), core::no_site);
    numbers_[i] = restated_->events.size();
    restated_->events.push_back(e);
    if (e.kind != Kind::Read) restated_->events.back().order = order_of(q, e.kind);
  }

  static core::Order order_of_read(const core::Request& q, bool success) {
    if (q.locked) return core::Order::SeqCst;
    return q.kind == core::Kind::Rmw && q.op == core::RmwOp::Cas && !success ? q.failure : q.order;
  }

  // Of its thread; and the thread that fails has gone on.
  bool is_last(std::size_t event) const {
    const core::Tid t = witness_.events[event].thread;
    return (!claim_ || t != claim_->thread || about_graph()) &&
           std::none_of(witness_.events.begin() + static_cast<std::ptrdiff_t>(event) + 1, witness_.events.end(),
                        [&](const auto& e) { return e.thread == t; });
  }

  // The event is the next piece of this access: in place, in order, and of the size that it says.
  bool next_piece(std::size_t i, const core::Loc& whole) {
    const core::WitnessEvent& e = witness_.events[i];
    std::vector<std::size_t>& before = pieces_[e.thread];
    std::uint32_t done = 0;
    for (const std::size_t p : before) {
      if (witness_.events[p].kind != e.kind || witness_.events[p].pieces != e.pieces) return false;
      done += witness_.events[p].loc.size;
    }
    if (e.piece != before.size() || e.piece >= e.pieces || !whole.covers(e.loc) || e.loc.offset != whole.offset + done)
      return false;
    before.push_back(i);
    done += e.loc.size;
    return e.piece + 1 < e.pieces ? done < whole.size : done == whole.size;
  }

  static core::Value part(const core::Value& v, const core::Loc& whole, const core::Loc& piece) {
    if (whole.size == piece.size) return v;
    core::Value out;
    for (std::uint32_t i = 0; i < piece.size; ++i) {
      const std::uint32_t from = piece.offset - whole.offset + i;
      out.bits |= ((v.bits >> (8 * from)) & 0xff) << (8 * i);
      out.undefined |= ((v.undefined >> (8 * from)) & 0xff) << (8 * i);
    }
    out.pointer = v.pointer && whole.size == 8 && piece.offset + piece.size > whole.offset + 4;
    return out;
  }

  // What the access that write w is a piece of writes, if that is to `whole`. From the witness: w may be yet to come. Exact
  // for eight bytes, of which the last piece says whether they are a pointer.
  std::optional<core::Value> whole_write(std::size_t w, const core::Loc& whole) const {
    if (w >= witness_.events.size()) return std::nullopt;
    const auto& any = witness_.events[w];
    core::Value v;
    std::uint32_t done = 0;
    for (unsigned piece = 0; piece < any.pieces; ++piece) {
      const std::size_t i = index_.at(any.thread, std::uint64_t{any.index} - any.piece + piece);
      if (i == EventIndex::none) return std::nullopt;
      const auto& e = witness_.events[i];
      if (e.kind != Kind::Write || !whole.covers(e.loc) || e.loc.offset != whole.offset + done) return std::nullopt;
      v.bits |= e.value.bits << (8 * done);
      v.undefined |= e.value.undefined << (8 * done);
      v.pointer = e.value.pointer;
      done += e.loc.size;
    }
    return done == whole.size ? std::optional(v) : std::nullopt;
  }

  // Bytes as memory gives them: a pointer is one only if all its bytes are still there, each in its place.
  core::Value put_together(const std::vector<std::size_t>& events, const core::Loc& whole) const {
    const auto& first = witness_.events[events.front()];
    if (events.size() == 1) return first.value;
    core::Value v;
    bool one = whole.size == 8;
    std::uint64_t names = 0;  // bytes of objects' names, which are the upper halves of pointers
    std::optional<core::Value> pointer;
    for (const std::size_t i : events) {
      const auto& e = witness_.events[i];
      const std::uint32_t at = e.loc.offset - whole.offset;
      for (std::uint32_t b = 0; b < e.loc.size; ++b) {
        v.bits |= ((e.value.bits >> (8 * b)) & 0xff) << (8 * (at + b));
        v.undefined |= ((e.value.undefined >> (8 * b)) & 0xff) << (8 * (at + b));
      }
      if (e.value.pointer) names |= core::size_mask(e.loc.size) << (8 * at);
      if (!one || at + e.loc.size <= 4) continue;
      const auto source = e.rf >= 0 ? whole_write(static_cast<std::size_t>(e.rf), whole) : initial(whole);
      one = e.value.pointer && source && source->pointer && (!pointer || *pointer == *source);
      pointer = source;
    }
    v.pointer = one || (names != 0 && whole.size < 8);
    if (!v.pointer) v.undefined |= names & ~core::size_mask(4);
    else core::settle_pointer(v, whole.size);
    v.bits &= ~v.undefined;
    return v;
  }

  bool exists(std::uint32_t object) const {
    return object != 0 && (object <= program_.globals().size() || contents_.contains(object));
  }

  std::uint32_t size_of(std::uint32_t object) const {
    if (object >= 1 && object <= program_.globals().size()) return program_.globals()[object - 1].size;
    const auto it = sizes_.find(object);
    return it == sizes_.end() ? 0 : it->second;
  }

  core::Value facts_of(std::uint32_t object) const {
    const auto it = storage_.find(object);
    return core::object_facts(size_of(object), it == storage_.end() ? core::AllocKind::Static : it->second);
  }

  // Do the locations of two events overlap without being equal? Sorted, two that do have two neighbours that do.
  bool cut_otherwise() const {
    std::set<core::Loc> locations;
    for (const auto& e : witness_.events)
      if (e.kind == Kind::Read || e.kind == Kind::Write) locations.insert(e.loc);
    return std::ranges::adjacent_find(locations, [](const auto& a, const auto& b) { return a.overlaps(b); }) !=
           locations.end();
  }

  // Does coherence, followed backwards from a write, come back to where it was?
  bool coherence_goes_round() const {
    const auto& events = witness_.events;
    std::vector<std::size_t> passed(events.size(), 0);  // by which walk, from 1
    for (std::size_t first = 0; first < events.size(); ++first)
      for (auto at = static_cast<std::int32_t>(first); at >= 0; at = events[static_cast<std::size_t>(at)].co_prev) {
        std::size_t& walk = passed[static_cast<std::size_t>(at)];
        if (walk == first + 1) return true;
        if (walk != 0) break;
        walk = first + 1;
      }
    return false;
  }

  // Every access is one that memory performs, reads have the value of their source, and coherence is made of writes to
  // the same bytes, in chains; that these are one order the axioms see to.
  void check_memory() {
    if (cut_otherwise()) why_ = "two accesses overlap, and their pieces are not the same";
    for (std::size_t i = 0; i < witness_.events.size(); ++i) {
      const auto& e = witness_.events[i];
      if (e.kind == Kind::Free &&
          (!contents_.contains(e.value.object()) || e.value.offset() != 0 || !gone_.insert(e.value.object()).second))
        return fail(i, "memory refuses to free this");
      if (e.kind != Kind::Read && e.kind != Kind::Write) continue;
      const auto source = e.kind == Kind::Read ? e.rf : e.co_prev;
      if (source < core::WitnessEvent::initial || source >= static_cast<std::int32_t>(witness_.events.size()))
        return fail(i, "it refers to an event that there is not");
      const core::Loc& whole = run_.requests[i].loc;
      if (whole.object == 0 || std::uint64_t{whole.offset} + whole.size > size_of(whole.object))
        return fail(i, "memory refuses this access");
      if (e.kind == Kind::Write && whole.object <= program_.globals().size() &&
          program_.globals()[whole.object - 1].constant)
        return fail(i, "memory refuses this access");
      if (e.kind == Kind::Write && source >= 0) {
        const auto& w = witness_.events[static_cast<std::size_t>(source)];
        if (w.kind != Kind::Write || w.loc != e.loc) fail(i, "the write before it is to another location");
      }
      if (e.kind != Kind::Read) continue;
      if (e.rf == core::WitnessEvent::initial) {
        const auto v = initial(e.loc);
        if (!v || !(*v == e.value)) fail(i, "the location does not begin with this value");
      } else {
        const auto& w = witness_.events[static_cast<std::size_t>(e.rf)];
        if (w.kind != Kind::Write || w.loc != e.loc || !(w.value == e.value))
          fail(i, "the write that it reads from is another");
      }
    }
    if (why_.empty() && coherence_goes_round()) why_ = "coherence is no order";
  }

  // Claims about the graph itself rather than about one of its threads.
  bool about_graph() const { return claim_ && !claim_->is<core::Assertion>(); }
  bool claims_freed() const { return claim_ && claim_->is<core::Assertion>() && claim_->failure == freed_word; }

  void check_claim() {
    if (!claim_) return;
    failed_ = claim_->thread < run_.started.size() && run_.started[claim_->thread] &&
              program_.request(run_.locals[claim_->thread]).kind == core::Kind::Failed;
    // A thread that has used a freed object, or raced, may fail behind that, in another way.
    const std::string failure = failed_ ? program_.failure(run_.locals[claim_->thread]).kind : std::string();
    if (claims_freed()) failed_ = failure == freed_word;
    else if (claim_->is<core::Race>()) failed_ = false;
    else if (failed_ && failure != word_of(*claim_))
      why_ = fmt::format("the thread fails by {}, not by {}", failure, word_of(*claim_));
    if (failed_) return;
    if (about_graph()) why_ = refuted(run_, claim_->property);
    else if (!claims_freed()) why_ = "the thread does not fail";
  }

  // Some access must be able to come after its object was freed.
  void check_freed() {
    const auto pairs = accesses_of_freed(run_);
    const bool decided = by_happens_before(run_);
    for (const FreedAccess& p : pairs) {
      freed_access_ = p;
      if (decided || run_.size_questions.contains(p.access)) return;
      if (ruling(run_, {.ordered = {{p.free, p.access}}, .fences = {}}).kind == Ruling::Kind::Allowed) return;
    }
    why_ = "every access to a freed object comes before it is freed";
  }

  const core::Program& program_;
  const core::ExecutionWitness& witness_;
  const std::optional<core::Claim>& claim_;
  const EventIndex index_;
  RunGraph run_;
  std::optional<GraphStory> story_;
  Replayed out_;
  std::string why_;  // it is not to be believed; empty so far
  bool too_large_ = false;
  std::vector<std::unique_ptr<core::Shadow>> shadows_;
  std::map<core::Tid, std::optional<core::Value>> pending_;  // what an unfinished read-modify-write has read
  std::map<core::Tid, std::vector<std::size_t>> pieces_;     // of the access that the thread is at
  std::set<core::Tid> waiting_;                              // threads whose last read was in vain, and is made again
  FreedAccess freed_access_{};
  bool failed_ = false;                                      // the thread that the claim names has failed
  std::map<std::uint32_t, std::uint32_t> contents_, sizes_;  // of allocated objects
  std::map<std::uint32_t, core::AllocKind> storage_;         // likewise
  std::set<std::uint32_t> gone_;                             // freed objects
  std::vector<std::uint32_t> indices_;                       // of each thread: how many events it has had
  std::optional<core::ExecutionWitness> restated_;           // made anew, for a program with other orders
  std::vector<std::size_t> numbers_;                         // of the witness's events in it
};

// Does every thread begin behind its creation, and is it joined behind its end? Where program order and reads-from have a
// cycle through a join, the engine's order may have the join first.
bool keeps_lives(const core::ExecutionWitness& w) {
  std::vector<bool> ended(w.threads.size(), false);
  for (std::size_t i = 0; i < w.events.size(); ++i) {
    const core::WitnessEvent& e = w.events[i];
    if (e.thread >= w.threads.size() || ended[e.thread] || w.threads[e.thread].spawn > static_cast<std::int32_t>(i))
      return false;
    if (e.kind == Kind::Join && e.value.bits < ended.size()) ended[e.value.bits] = true;
  }
  return true;
}

// A saved execution may refer to anything.
bool well_formed(const core::ExecutionWitness& w) {
  const auto exists = [&](std::int32_t event) { return event < static_cast<std::int32_t>(w.events.size()); };
  return std::ranges::all_of(w.threads, [&](const auto& thread) { return exists(thread.spawn); }) &&
         std::ranges::all_of(w.events, [&](const core::WitnessEvent& e) {
           return e.thread < w.threads.size() && exists(e.rf) && exists(e.co_prev);
         });
}

// Runs `use` on the execution in an order that can be replayed, which nothing but a cycle through the lives of threads
// could forbid: no model has one.
template <class Use>
auto in_order(const core::ExecutionWitness& w, const Use& use) {
  return keeps_lives(w) || !well_formed(w) ? use(w) : use(linearised(w, {}));
}

}  // namespace

Replayed confirm_graph(const core::Program& p, const core::ExecutionWitness& w, const core::Claim& c) {
  const std::optional<core::Claim> claim = c;
  return in_order(w, [&](const core::ExecutionWitness& run) { return Replayer(p, run, claim, false).run(); });
}

std::optional<core::ExecutionWitness> restated(const core::Program& p, const core::ExecutionWitness& w) {
  const std::optional<core::Claim> none;
  return in_order(w, [&](const core::ExecutionWitness& run) { return Replayer(p, run, none, false).restated(); });
}

Replayed replay_graph(const core::Program& p, const core::ExecutionWitness& w, const std::optional<core::Claim>& c) {
  return in_order(w, [&](const core::ExecutionWitness& run) {
    Replayer first(p, run, c, false);
    Replayed confirmed = first.run();
    if (!confirmed.confirmed || !c) return confirmed;
    // The shorter execution that is told is believed no more than the first was.
    const core::ExecutionWitness told = linearised(run, first.ends());
    Replayed shorter = Replayer(p, told, c, true).run();
    return shorter.confirmed ? shorter : Replayer(p, run, c, true).run();
  });
}

}  // namespace heddle::check
