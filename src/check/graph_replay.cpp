// SPDX-License-Identifier: Apache-2.0
#include "check/graph_replay.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "axioms/mapping.h"
#include "axioms/models.h"
#include "check/graph_claims.h"
#include "check/places.h"
#include "core/rmw.h"

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

class Replayer {
 public:
  Replayer(const core::Program& p, const core::ExecutionWitness& w, const GraphClaim& c)
      : program_(p), witness_(w), claim_(c) {}

  GraphReplay run() {
    out_.trace.model = witness_.model;
    locals_.resize(witness_.threads.size());
    shadows_.resize(witness_.threads.size());
    loads_.resize(witness_.threads.size());
    started_.assign(witness_.threads.size(), false);
    names_.resize(witness_.threads.size());
    deps_.resize(witness_.events.size());
    requests_.resize(witness_.events.size());
    for (core::Tid t = 0; t < program_.initial_threads().size(); ++t) start(t);
    for (std::size_t i = 0; i < witness_.events.size() && out_.why.empty(); ++i) perform(i);
    if (out_.why.empty()) check_reads();
    if (out_.why.empty()) check_claim();
    if (out_.why.empty()) check_axioms(nullptr);
    if (out_.why.empty() && claim_.kind == "use-after-free" && !failed_) check_freed();
    out_.confirmed = out_.why.empty();
    name_threads();
    if (out_.confirmed && !claim_.kind.empty()) say_what_happened();
    return std::move(out_);
  }

 private:
  void fail(std::size_t i, const std::string& what) {
    if (out_.why.empty()) out_.why = "event " + std::to_string(i) + ": " + what;
  }

  void start(core::Tid t) {
    started_[t] = true;
    if (program_.features().dependencies) shadows_[t] = program_.make_shadow();
    program_.start(witness_.threads[t].entry, witness_.threads[t].arg, t, locals_[t], shadows_[t].get());
    names_[t] = own_function(program_, locals_[t]);
  }

  std::optional<core::Value> initial(const core::Loc& l) const {
    const auto globals = program_.globals();
    core::Value v;
    std::uint32_t object = l.object;
    if (object > globals.size()) {
      const auto it = contents_.find(object);
      if (it == contents_.end()) return std::nullopt;
      object = it->second;
      if (object == 0) {
        v.undefined = static_cast<std::uint8_t>((1u << l.size) - 1);
        return v;
      }
    }
    const auto& g = globals[object - 1];
    std::memcpy(&v.bits, g.bytes.data() + l.offset, l.size);
    for (std::uint32_t b = 0; b < l.size && !g.defined.empty(); ++b)
      if (!g.defined[l.offset + b]) v.undefined = static_cast<std::uint8_t>(v.undefined | (1u << b));
    for (const auto at : g.pointers)
      v.pointer |= l.size == 8 ? at == l.offset : at < l.offset + l.size && l.offset < at + 8;
    return v;
  }

  // One event: the thread must ask for just this, and gets the answer that the graph says.
  void perform(std::size_t i) {
    const core::WitnessEvent& e = witness_.events[i];
    if (e.thread >= started_.size() || !started_[e.thread]) return fail(i, "its thread has not been created");
    core::Local& l = locals_[e.thread];
    const core::Request q = program_.request(l);
    requests_[i] = q;
    if (shadows_[e.thread]) deps_[i] = program_.deps(l, *shadows_[e.thread]);
    show(i, q);
    core::Answer a;
    bool resumes = true;
    switch (e.kind) {
      case Kind::Read: {
        if ((q.kind != core::Kind::Load && q.kind != core::Kind::Rmw) || !next_piece(e, q.loc))
          return fail(i, "the thread does not read this");
        if (e.rmw != (q.kind == core::Kind::Rmw)) return fail(i, "a read-modify-write and a read are confused");
        if (e.piece == 0) loads_[e.thread].push_back(i);
        if (e.piece == 0) pieces_[e.thread].clear();
        pieces_[e.thread].push_back(i);
        if (e.piece + 1 < e.pieces) {
          resumes = false;
          break;
        }
        const core::Value read = put_together(pieces_[e.thread], q.loc);
        const bool equal = core::cas_succeeds(read, q.expected, q.loc.size);
        const bool success = q.kind == core::Kind::Rmw && (q.op != core::RmwOp::Cas || equal) && !e.spurious;
        if (e.spurious && (q.kind != core::Kind::Rmw || q.op != core::RmwOp::Cas || !q.weak || !equal))
          return fail(i, "it has a reason to fail, or cannot");
        a.value = read;
        a.spurious = e.spurious;
        // One that waits as the last event of its thread, though it would write: the loop goes round again instead.
        resumes = (!success || e.waits) && !(q.waits && !equal);
        pending_[e.thread] = success ? std::optional(read) : std::nullopt;
        break;
      }
      case Kind::Write: {
        if (!next_piece(e, q.loc)) return fail(i, "the thread does not write this");
        core::Value v = q.value;
        if (e.rmw) {
          if (q.kind != core::Kind::Rmw || !pending_[e.thread]) return fail(i, "a write of no read-modify-write");
          a.value = *pending_[e.thread];
          if (q.op != core::RmwOp::Cas) v = core::rmw_result(q.op, a.value, q.value, q.loc.size);
        } else if (q.kind != core::Kind::Store) {
          return fail(i, "the thread does not write");
        }
        whole_values_[i] = v;
        if (!(part(v, q.loc, e.loc) == e.value)) return fail(i, "another value is written");
        resumes = e.piece + 1 == e.pieces;
        break;
      }
      case Kind::Fence:
        if (q.kind == core::Kind::Load && q.loc.size == 0) a.value = size_of(q.loc.object);
        else if (q.kind != core::Kind::Fence) return fail(i, "the thread has no fence here");
        break;
      case Kind::Choose:
        if (q.kind != core::Kind::Choose || e.value.bits >= q.value.bits) return fail(i, "no such choice");
        a.value = e.value;
        break;
      case Kind::Alloc:
        if (q.kind == core::Kind::Free && q.value.bits == 0) break;
        if (q.kind != core::Kind::Alloc) return fail(i, "the thread allocates nothing here");
        remember(e, q, false);
        contents_[e.value.object()] = q.expected.object();
        sizes_[e.value.object()] = static_cast<std::uint32_t>(q.value.bits);
        a.value = e.value;
        break;
      case Kind::Free:
        if (q.kind != core::Kind::Free || !(q.value == e.value)) return fail(i, "the thread frees nothing here");
        remember(e, q, true);
        break;
      case Kind::Spawn: {
        const auto child = static_cast<core::Tid>(e.value.bits);
        if (q.kind != core::Kind::Spawn || child >= started_.size() || started_[child])
          return fail(i, "no thread can be created");
        if (witness_.threads[child].entry != q.entry || !(witness_.threads[child].arg == q.value))
          return fail(i, "another thread is created");
        start(child);
        a.value = e.value;
        break;
      }
      case Kind::Join: {
        const auto child = static_cast<core::Tid>(e.value.bits);
        if (q.kind != core::Kind::Join || !(q.value == e.value)) return fail(i, "the thread joins another");
        if (child >= started_.size() || !started_[child] || program_.request(locals_[child]).kind != core::Kind::Ended)
          return fail(i, "the thread to join has not ended");
        break;
      }
      case Kind::Refused:
        a.fault = e.fault;
        if (const auto why = unfounded_fault(run_graph(), i); !why.empty()) return fail(i, why);
        break;
    }
    if (!resumes) return;
    program_.resume(l, a, shadows_[e.thread].get());
    if (names_[e.thread].empty()) names_[e.thread] = own_function(program_, l);
  }

  // Who allocated and who freed what the program allocates: the thread stands at it now.
  void remember(const core::WitnessEvent& e, const core::Request& q, bool freed) {
    if (static_cast<core::AllocKind>(q.entry) != core::AllocKind::Heap) return;
    core::NamedStack stack{freed ? "freed by " : "allocated by ", program_.stack(locals_[e.thread])};
    stack.title += thread_name(e.thread);
    if (!freed) stack.title += fmt::format(" ({} bytes)", q.value.bits);
    (freed ? freed_ : allocated_).insert_or_assign(e.value.object(), std::move(stack));
  }

  // The event is the next piece of this access: in place, in order, and of the size that it says.
  bool next_piece(const core::WitnessEvent& e, const core::Loc& whole) {
    std::uint32_t& done = done_[e.thread];
    if (e.piece == 0) done = 0;
    if (e.pieces == 0 || e.piece >= e.pieces || !whole.covers(e.loc) || e.loc.offset != whole.offset + done)
      return false;
    done += e.loc.size;
    return e.piece + 1 < e.pieces ? done < whole.size : done == whole.size;
  }

  static core::Value part(const core::Value& v, const core::Loc& whole, const core::Loc& piece) {
    if (whole.size == piece.size) return v;
    core::Value out;
    for (std::uint32_t i = 0; i < piece.size; ++i) {
      const std::uint32_t from = piece.offset - whole.offset + i;
      out.bits |= ((v.bits >> (8 * from)) & 0xff) << (8 * i);
      if ((v.undefined >> from) & 1) out.undefined = static_cast<std::uint8_t>(out.undefined | (1u << i));
    }
    out.pointer = v.pointer && whole.size == 8;
    return out;
  }

  // Bytes as memory gives them: a pointer is one only if all its bytes are still there, each in its place.
  core::Value put_together(const std::vector<std::size_t>& events, const core::Loc& whole) const {
    const auto& first = witness_.events[events.front()];
    if (events.size() == 1) return first.value;
    core::Value v;
    bool some = false, one = whole.size == 8;
    std::optional<core::Value> pointer;
    for (const std::size_t i : events) {
      const auto& e = witness_.events[i];
      const std::uint32_t at = e.loc.offset - whole.offset;
      for (std::uint32_t b = 0; b < e.loc.size; ++b) {
        v.bits |= ((e.value.bits >> (8 * b)) & 0xff) << (8 * (at + b));
        if ((e.value.undefined >> b) & 1) v.undefined = static_cast<std::uint8_t>(v.undefined | (1u << (at + b)));
      }
      some |= e.value.pointer;
      if (!one) continue;
      std::optional<core::Value> source;
      if (e.rf >= 0) {
        const auto written = whole_values_.find(static_cast<std::size_t>(e.rf));
        const core::Loc& loc = requests_[static_cast<std::size_t>(e.rf)].loc;
        if (written != whole_values_.end() && loc == whole) source = written->second;
      } else {
        source = initial(whole);
      }
      one = e.value.pointer && source && source->pointer && (!pointer || *pointer == *source);
      pointer = source;
    }
    v.pointer = one || (some && whole.size < 8);
    if (some && !one && whole.size == 8) v.undefined = 0xff;
    return v;
  }

  RunGraph run_graph() const { return {program_, witness_, requests_, locals_, started_}; }

  std::uint32_t size_of(std::uint32_t object) const {
    if (object >= 1 && object <= program_.globals().size()) return program_.globals()[object - 1].size;
    const auto it = sizes_.find(object);
    return it == sizes_.end() ? 0 : it->second;
  }

  void check_reads() {
    for (std::size_t i = 0; i < witness_.events.size(); ++i) {
      const auto& e = witness_.events[i];
      if (e.kind != Kind::Read) continue;
      if (e.rf == core::WitnessEvent::initial) {
        const auto v = initial(e.loc);
        if (!v || !(*v == e.value)) fail(i, "the location does not begin with this value");
      } else if (e.rf >= 0) {
        const auto& w = witness_.events[static_cast<std::size_t>(e.rf)];
        if (w.kind != Kind::Write || w.loc != e.loc || !(w.value == e.value))
          fail(i, "the write that it reads from is another");
      } else {
        fail(i, "it reads from nothing");
      }
    }
  }

  void check_claim() {
    if (claim_.kind.empty()) return;
    failed_ = claim_.thread < started_.size() && started_[claim_.thread] &&
              program_.request(locals_[claim_.thread]).kind == core::Kind::Failed;
    if (failed_) {
      if (program_.failure(locals_[claim_.thread]).kind != claim_.kind) out_.why = "the thread fails otherwise";
      return;
    }
    static const char* const of_graphs[] = {"race", "deadlock", "liveness", "memory-leak", "robustness"};
    for (const char* kind : of_graphs)
      if (claim_.kind == kind) {
        out_.why = refuted(run_graph(), claim_.kind);
        return;
      }
    if (claim_.kind != "use-after-free") out_.why = "the thread does not fail";
  }

  // Some access must be able to come after its object was freed.
  void check_freed() {
    const auto pairs = accesses_of_freed(run_graph());
    const bool decided = witness_.model == "rc11" || witness_.model == "ra";
    for (const FreedAccess& p : pairs) {
      freed_access_ = p;
      if (decided) return;
      check_axioms(&p);
      if (out_.why.empty()) return;
      out_.why.clear();
    }
    out_.why = "every access to a freed object comes before it is freed";
  }

  // As the replay of machines names them: the function that the program gave the thread, and its number.
  std::string thread_name(core::Tid t) const {
    return fmt::format("{} {}", names_[t].empty() ? program_.thread_name(witness_.threads[t].entry) : names_[t], t);
  }

  // A thread has its name once it runs a function of the program's own, and a read may come before its write: so names
  // are given at the end.
  void name_threads() {
    for (std::size_t i = 0; i < out_.trace.steps.size(); ++i) {
      core::TraceStep& step = out_.trace.steps[i];
      const core::WitnessEvent& e = witness_.events[i];
      step.thread = thread_name(e.thread);
      const auto other = static_cast<std::size_t>(e.value.bits);
      for (core::Effect& f : step.effects) {
        if (e.kind == Kind::Spawn && other < names_.size())
          f.value = "starts " + thread_name(static_cast<core::Tid>(other));
        if (e.kind == Kind::Join && other < names_.size())
          f.value = "joins " + thread_name(static_cast<core::Tid>(other));
        if (f.kind != core::Effect::Kind::ReadMemory || e.rf < 0 ||
            static_cast<std::size_t>(e.rf) >= out_.trace.steps.size())
          continue;
        f.from = shown_place(out_.trace.steps[static_cast<std::size_t>(e.rf)]);
        f.by = thread_name(witness_.events[static_cast<std::size_t>(e.rf)].thread);
      }
    }
  }

  std::string did(std::size_t event, const char* what) const {
    const std::string at = where(out_.trace.steps[event]);
    // What a thread does without a place is done at its end.
    return fmt::format("{} {}{}", thread_name(witness_.events[event].thread), what, at.empty() ? " when it ends" : at);
  }

  void show_history(std::uint32_t object) {
    for (const auto* history : {&allocated_, &freed_})
      if (const auto stack = history->find(object); stack != history->end()) out_.trace.stacks.push_back(stack->second);
  }

  void say_what_happened() {
    const RunGraph g = run_graph();
    const auto name = [&](std::size_t event) {
      const auto& e = witness_.events[event];
      return program_.location_name(e.loc, locals_[e.thread]);
    };
    if (failed_) {
      const core::Failure failure = program_.failure(locals_[claim_.thread]);
      const core::SourcePlace at = failure.site == core::no_site ? core::SourcePlace{} : program_.place(failure.site);
      out_.violation = failure.message;
      if (at.line != 0) out_.violation += fmt::format(" at {}:{}", at.file, at.line);
      if (auto stack = program_.stack(locals_[claim_.thread]); !stack.empty())
        out_.trace.stacks.push_back({"in " + thread_name(claim_.thread), std::move(stack)});
      for (std::size_t i = witness_.events.size(); i-- > 0;)
        if (witness_.events[i].thread == claim_.thread) {
          const core::Request& q = requests_[i];
          if (witness_.events[i].kind == Kind::Refused)
            show_history(q.kind == core::Kind::Free ? q.value.object() : q.loc.object);
          break;
        }
    } else if (claim_.kind == "use-after-free") {
      const auto& access = witness_.events[freed_access_.access];
      out_.violation = fmt::format(
          "use after free: {}, {}, and nothing makes the access come first",
          did(freed_access_.access, access.kind == Kind::Write ? "writes to the object" : "reads the object"),
          did(freed_access_.free, "frees it"));
      show_history(access.loc.object);
    } else if (claim_.kind == "memory-leak") {
      if (const auto lost = leak_in(g)) {
        out_.violation = fmt::format("{} bytes that {} are never freed, and nothing points to them any more",
                                     requests_[*lost].value.bits, did(*lost, "allocates"));
        show_history(witness_.events[*lost].value.object());
      }
    } else if (claim_.kind == "race") {
      if (const auto race = race_in(g)) {
        const auto verb = [&](std::size_t e) {
          return witness_.events[e].kind == Kind::Write ? "writes it" : "reads it";
        };
        out_.violation = fmt::format("data race on {}: {}, {}, and nothing orders the two", name(race->second),
                                     did(race->first, verb(race->first)), did(race->second, verb(race->second)));
        out_.trace.steps[race->first].effects.push_back(
            {core::Effect::Kind::Note, {}, "the first access of the race", {}, {}, {}});
        out_.trace.steps[race->second].effects.push_back(
            {core::Effect::Kind::Note, {}, "the second access of the race", {}, {}, {}});
      }
    } else if (claim_.kind == "deadlock" || claim_.kind == "liveness") {
      out_.violation =
          claim_.kind == "deadlock" ? "no thread can go on" : "a spin loop reads only the latest values and never ends";
      for (core::Tid t = 0; t < started_.size(); ++t) {
        if (!started_[t]) continue;
        const core::Request q = program_.request(locals_[t]);
        if (q.kind == core::Kind::Ended || q.site == core::no_site) continue;
        out_.violation += fmt::format("; {} waits {}", thread_name(t), waiting_place(program_, locals_[t], q.site));
        out_.trace.stacks.push_back({thread_name(t), program_.stack(locals_[t])});
      }
    }
  }

  void show(std::size_t i, const core::Request& q) {
    const core::WitnessEvent& e = witness_.events[i];
    core::TraceStep s;
    s.place = program_.place(q.site);
    s.move.thread = e.thread;
    // What the library does is shown at the line that called it.
    for (const core::SourcePlace& frame : program_.stack(locals_[e.thread])) {
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
        f.location = program_.location_name(e.loc, locals_[e.thread]);
        if (q.output != 0) {
          f = {core::Effect::Kind::Output, q.output == 2 ? "stderr" : "stdout", {}, {}, {}, {}};
          for (std::uint32_t b = 0; b < e.loc.size; ++b) f.value += static_cast<char>(e.value.bits >> (8 * b));
        }
        break;
      case Kind::Write:
        s.action = (e.rmw ? std::string("write of read-modify-write") : std::string("store")) + word(e.order);
        f.kind = core::Effect::Kind::Wrote;
        f.location = program_.location_name(e.loc, locals_[e.thread]);
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
    out_.trace.steps.push_back(std::move(s));
  }

  // With `order`: is there such an execution in which the free comes before the access?
  void check_axioms(const FreedAccess* order) {
    const axioms::Model* model = axioms::find_model(witness_.model);
    if (model == nullptr) {
      out_.why = "there is no model " + witness_.model;
      return;
    }
    if (judged<1>(*model, order) || judged<4>(*model, order) || judged<16>(*model, order)) return;
    out_.why = "the execution is too large for its axioms to be evaluated";
  }

  // False if there are more events than W has room for.
  template <unsigned W>
  bool judged(const axioms::Model& model, const FreedAccess* order) {
    axioms::Execution<W> x;
    std::map<core::Loc, std::uint32_t> first;
    std::vector<std::uint32_t> place(witness_.events.size(), 0);
    for (const auto& e : witness_.events)
      if (e.kind == Kind::Read || e.kind == Kind::Write) first.try_emplace(e.loc, 0);
    for (auto& [loc, at] : first) {
      at = x.size();
      axioms::Event init;
      init.kind = axioms::EventKind::Init;
      init.loc = loc;
      x.events.push_back(init);
    }
    std::vector<std::uint32_t> controls;
    std::vector<std::vector<std::uint32_t>> of_thread(witness_.threads.size());
    std::uint32_t whole_at = 0;
    for (core::Tid t = 0; t < witness_.threads.size(); ++t)
      for (std::size_t i = 0; i < witness_.events.size(); ++i) {
        const auto& e = witness_.events[i];
        if (e.thread != t) continue;
        axioms::Event out;
        const auto push = [&](axioms::Event v) {
          v.thread = static_cast<std::uint16_t>(t);
          v.index = static_cast<std::uint32_t>(of_thread[t].size());
          of_thread[t].push_back(x.size());
          x.events.push_back(v);
        };
        out.order = e.order;
        out.tag = e.tag;
        out.loc = e.pieces > 1 ? requests_[i].loc : e.loc;
        out.value = e.value;
        out.in_rmw = e.rmw;
        axioms::Mapped m;
        if (e.kind == Kind::Read || e.kind == Kind::Write) {
          out.kind = e.kind == Kind::Read ? axioms::EventKind::Read : axioms::EventKind::Write;
          out.instruction = requests_[i].order;
          m = axioms::mapped(model.mapping, out.kind, e.rmw, e.order, out.instruction,
                             e.rmw && e.kind == Kind::Read && !has_write(i));
          if (!m.order_kept) out.order = core::Order::Relaxed;
        } else if (e.kind == Kind::Free) {  // a write that nobody else sees
          out.kind = axioms::EventKind::Write;
          out.loc = {e.value.object(), 0xffffff00, 1};
        } else if ((e.kind == Kind::Spawn || e.kind == Kind::Join) && model.name != "rc11" && model.name != "ra") {
          out.order = core::Order::SeqCst;
        }
        axioms::Event fence;
        if (e.piece == 0) {
          if (m.before) {
            fence.tag = m.before;
            push(fence);
          }
          whole_at = x.size();
          push(out);
          if (m.control) controls.push_back(whole_at);
        }
        place[i] = whole_at;
        if (m.after && e.piece + 1 == e.pieces) {
          fence.tag = m.after;
          push(fence);
        }
      }
    if (x.size() > 64 * W) return false;
    x.reset();
    for (const auto& list : of_thread)
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b) x.po.add(list[a], list[b]);
    for (const auto c : controls) x.ctrl[c] |= x.po[c];
    for (std::size_t i = 0; i < witness_.events.size(); ++i) {
      const auto& e = witness_.events[i];
      if (e.kind == Kind::Read) x.rf.add(e.rf < 0 ? first[e.loc] : place[static_cast<std::size_t>(e.rf)], place[i]);
      if (e.kind == Kind::Write && e.rmw) x.rmw.add(place[i] == 0 ? 0 : read_of(i, place), place[i]);
      if (e.kind == Kind::Write)
        x.co.add(e.co_prev < 0 ? first[e.loc] : place[static_cast<std::size_t>(e.co_prev)], place[i]);
      if (model.needs_deps && e.piece == 0) {
        const auto each = [&](const core::LoadSet& set, axioms::Relation<W>& rel) {
          for (const auto k : set)
            if (k < loads_[e.thread].size() && loads_[e.thread][k] != i) rel.add(place[loads_[e.thread][k]], place[i]);
        };
        const bool writes = e.kind == Kind::Write || e.kind == Kind::Free;
        if (e.kind == Kind::Read || writes) each(deps_[i].addr, x.addr);
        if (writes) each(deps_[i].data, x.data);
        each(deps_[i].ctrl, x.ctrl);
      }
      const auto t = static_cast<std::size_t>(e.value.bits);
      if (e.kind == Kind::Spawn)
        for (const auto c : of_thread[t]) x.forced.add(place[i], c);
      if (e.kind == Kind::Join)
        for (const auto c : of_thread[t]) x.forced.add(c, place[i]);
    }
    const bool cut = slice(x, place, first);
    if (!cut) x.co = closure(x.co);
    const auto around = maybe(x.po);
    if (!x.forced.empty()) x.forced = closure(seq(seq(around, x.forced), around));
    if (order != nullptr) x.forced.add(place[order->free], place[order->access]);
    x.derive_static();
    x.derive();
    if (cut) return judge(model, x);
    // Coherence must order all writes of a location.
    for (std::uint32_t a = 0; a < x.size(); ++a)
      for (std::uint32_t b = 0; b < x.size(); ++b)
        if (a != b && x.writes.has(a) && x.writes.has(b) && x.events[a].loc == x.events[b].loc &&
            x.co.has(a, b) == x.co.has(b, a))
          out_.why = "coherence is no order";
    return judge(model, x);
  }

  template <unsigned W>
  bool judge(const axioms::Model& model, const axioms::Execution<W>& x) {
    axioms::Judge<W> judge;
    if (out_.why.empty() && !model.accepts(x, judge))
      out_.why = std::string("the model forbids it (") + judge.axiom() + ")";
    return true;
  }

  // Where accesses are cut: reads-from and coherence of each piece apart. False if none is.
  template <unsigned W>
  bool slice(axioms::Execution<W>& x, const std::vector<std::uint32_t>& place,
             const std::map<core::Loc, std::uint32_t>& first) {
    const auto& events = witness_.events;
    if (std::none_of(events.begin(), events.end(), [](const auto& e) { return e.pieces > 1; })) return false;
    x.co = axioms::Relation<W>(x.size());
    for (const auto& [loc, init] : first) {
      typename axioms::Execution<W>::Slice s;
      s.po_loc = s.rf = s.co = s.fr = axioms::Relation<W>(x.size());
      axioms::EventSet<W> here;
      here.add(init);
      std::size_t writes = 0;
      for (std::size_t i = 0; i < events.size(); ++i) {
        if ((events[i].kind != Kind::Read && events[i].kind != Kind::Write) || events[i].loc != loc) continue;
        here.add(place[i]);
        if (events[i].kind == Kind::Read)
          s.rf.add(events[i].rf < 0 ? init : place[static_cast<std::size_t>(events[i].rf)], place[i]);
        else
          s.co.add(events[i].co_prev < 0 ? init : place[static_cast<std::size_t>(events[i].co_prev)], place[i]),
              ++writes;
      }
      s.co = closure(s.co);
      std::size_t pairs = 0;
      for (std::uint32_t a = 0; a < x.size(); ++a) s.co[a].each([&](auto) { ++pairs; });
      if (pairs != writes * (writes + 1) / 2 || !axioms::acyclic(s.co)) out_.why = "coherence is no order";
      s.po_loc = x.po.between(here, here);
      s.fr = seq(inverse(s.rf), s.co);
      x.co |= s.co;
      x.slices.push_back(std::move(s));
    }
    return true;
  }

  // Is the next event of the thread after this access the write of the same read-modify-write?
  bool has_write(std::size_t read) const {
    const auto& r = witness_.events[read];
    for (const auto& e : witness_.events)
      if (e.thread == r.thread && e.kind == Kind::Write && e.rmw && e.index == r.index - r.piece + r.pieces)
        return true;
    return false;
  }

  std::uint32_t read_of(std::size_t write, const std::vector<std::uint32_t>& place) const {
    for (std::size_t i = 0; i < witness_.events.size(); ++i)
      if (witness_.events[i].thread == witness_.events[write].thread &&
          witness_.events[i].index + witness_.events[write].pieces == witness_.events[write].index)
        return place[i];
    return 0;
  }

  const core::Program& program_;
  const core::ExecutionWitness& witness_;
  const GraphClaim& claim_;
  GraphReplay out_;
  std::vector<core::Local> locals_;
  std::vector<std::unique_ptr<core::Shadow>> shadows_;
  std::vector<bool> started_;
  std::vector<std::vector<std::size_t>> loads_;  // of each thread: numbers of its reading events
  std::vector<core::Deps> deps_;
  std::vector<core::Request> requests_;                          // of each event
  std::map<core::Tid, std::optional<core::Value>> pending_;      // what an unfinished read-modify-write has read
  std::map<core::Tid, std::vector<std::size_t>> pieces_;         // of the access that the thread is at
  std::map<core::Tid, std::uint32_t> done_;                      // bytes of it
  std::map<std::size_t, core::Value> whole_values_;              // of writes
  std::vector<std::string> names_;                               // of each thread: its function
  std::map<std::uint32_t, core::NamedStack> allocated_, freed_;  // by object
  FreedAccess freed_access_{};
  bool failed_ = false;                                      // the thread that the claim names has failed
  std::map<std::uint32_t, std::uint32_t> contents_, sizes_;  // of allocated objects
};

}  // namespace

GraphReplay replay_graph(const core::Program& p, const core::ExecutionWitness& w, const GraphClaim& c) {
  return Replayer(p, w, c).run();
}

}  // namespace heddle::check
