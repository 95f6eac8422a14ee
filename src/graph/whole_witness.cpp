// SPDX-License-Identifier: Apache-2.0
#include "graph/whole_witness.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "graph/pieces.h"
#include "graph/witness.h"

namespace heddle::graph {

namespace {

using core::WitnessEvent;
using Kind = core::WitnessEvent::Kind;

class Expansion {
 public:
  Expansion(const core::Program& program, PrivacyRecord& record, const Graph& g, const Tables& tables, bool deps)
      : program_(program), g_(g), tables_(tables), deps_(deps), hidden_(program, record, &steps_) {}

  std::optional<core::ExecutionWitness> whole(core::ExecutionWitness seen, const std::vector<EventId>& events) {
    steps_.next_name = first_new_name(seen);
    out_.model = seen.model;
    out_.threads = seen.threads;
    locals_.resize(seen.threads.size());
    shadows_.resize(seen.threads.size());
    loads_.resize(seen.threads.size());
    seen_loads_.resize(seen.threads.size());
    for (core::Tid t = 0; t < program_.initial_threads().size(); ++t) start(t);
    for (std::size_t i = 0; i < events.size(); ++i) {
      place_.push_back(parts_.size());
      WitnessEvent& e = seen.events[i];
      for (core::LoadSet* set : {&e.addr, &e.data, &e.ctrl})
        for (std::uint32_t& load : *set) {
          if (load >= seen_loads_[e.thread].size()) return std::nullopt;
          load = seen_loads_[e.thread][load];
        }
      if (e.kind == Kind::Read && e.piece == 0) seen_loads_[e.thread].push_back(loads_[e.thread]++);
      if (e.kind == Kind::Refused && !(e.value == core::Value()))  // a free: the object's name may be another here
        e.value = hidden_.request(locals_[e.thread]).value;
      parts_.push_back({std::move(e), {}, false});
      if (!follow(events[i])) return std::nullopt;
    }
    emit();
    return std::move(out_);
  }

 private:
  // An event of the graph, or a private step that becomes one or several.
  struct Part {
    WitnessEvent event;
    core::Request request;
    bool own = false;  // a private one
  };
  using Piece = std::pair<std::uint32_t, std::uint32_t>;  // object and offset
  struct Written {
    std::int32_t event = WitnessEvent::initial;
    core::Value value;
  };

  std::uint32_t first_new_name(const core::ExecutionWitness& seen) const {
    auto name = static_cast<std::uint32_t>(program_.globals().size());
    for (const WitnessEvent& e : seen.events)
      if (e.kind == Kind::Alloc) name = std::max(name, e.value.object());
    return name + 1;
  }

  void start(core::Tid t) {
    if (deps_) shadows_[t] = hidden_.make_shadow();
    hidden_.start(out_.threads[t].entry, out_.threads[t].arg, t, locals_[t], shadows_[t].get());
    take(t);
  }

  // The thread goes on behind this event, if it does. False if it is not known how.
  bool follow(EventId id) {
    const Event& e = g_[id];
    if (e.kind == EventKind::Spawn) start(static_cast<core::Tid>(e.value.bits));
    const bool whole = e.piece + 1 == e.pieces;
    if (e.kind == EventKind::Read && (!whole || e.pending || e.waiting || e.asleep || e.stuck)) return true;
    if (e.kind == EventKind::Write && !whole) return true;
    const std::optional<core::Answer> told = answer(id);
    // With private accesses as events, the thread may have failed at one of them.
    const core::Kind at = hidden_.request(locals_[e.thread]).kind;
    if (!told || at == core::Kind::Failed || at == core::Kind::Ended) return false;
    hidden_.resume(locals_[e.thread], *told, shadows_[e.thread].get());
    take(e.thread);
    return true;
  }

  std::optional<core::Answer> answer(EventId id) const {
    const Event& e = g_[id];
    if (e.kind == EventKind::Read) return core::Answer{value_read(g_, tables_, id), core::Fault::None, e.spurious};
    if (e.kind != EventKind::Write) return tables_.answer(e.before, e.after);
    if (!e.rmw) return core::Answer{};
    EventId read = e.po_prev;
    for (unsigned i = 0; i < e.piece; ++i) read = g_[read].po_prev;
    return core::Answer{value_read(g_, tables_, read), core::Fault::None, false};
  }

  // What the thread has been answered privately.
  void take(core::Tid t) {
    for (PrivateObjects::Steps::Step& s : steps_.list) {
      const core::Request& q = s.request;
      WitnessEvent e;
      e.thread = t;
      e.site = q.site;
      e.addr = std::move(s.deps.addr);
      e.data = std::move(s.deps.data);
      e.ctrl = std::move(s.deps.ctrl);
      switch (q.kind) {
        case core::Kind::Alloc:
          e.kind = Kind::Alloc;
          e.value = s.answer.value;
          contents_[e.value.object()] = {static_cast<std::uint32_t>(q.value.bits), q.initial_contents().object()};
          break;
        case core::Kind::Free:
          e.kind = Kind::Free;
          e.value = q.value;
          break;
        default:
          e.kind = q.asks_size() ? Kind::Fence : q.kind == core::Kind::Load ? Kind::Read : Kind::Write;
          if (e.kind == Kind::Fence) break;
          loads_[t] += e.kind == Kind::Read;
          e.order = q.order;
          cuts_[q.loc.object].insert({q.loc.offset, q.loc.offset + q.loc.size});
          break;
      }
      parts_.push_back({std::move(e), q, true});
    }
    steps_.list.clear();
  }

  void emit() {
    std::vector<std::int32_t> number(parts_.size());
    std::vector<std::uint32_t> index(out_.threads.size(), 0);
    const auto add = [&](WitnessEvent e) {
      e.index = index[e.thread]++;
      out_.events.push_back(std::move(e));
      return static_cast<std::int32_t>(out_.events.size() - 1);
    };
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      const bool access = part.event.kind == Kind::Read || part.event.kind == Kind::Write;
      if (!part.own || !access) number[i] = add(part.event);
      else add_pieces(part, add);
    }
    const auto renumber = [&](std::int32_t& event) {
      if (event >= 0) event = number[place_[static_cast<std::size_t>(event)]];
    };
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].own) continue;
      WitnessEvent& e = out_.events[static_cast<std::size_t>(number[i])];
      renumber(e.rf);
      renumber(e.co_prev);
    }
    for (auto& thread : out_.threads) renumber(thread.spawn);
  }

  void add_pieces(const Part& part, auto&& add) {
    const core::Loc whole = part.request.loc;
    const std::set<std::uint32_t>& cuts = cuts_[whole.object];
    const auto first = cuts.find(whole.offset), last = cuts.find(whole.offset + whole.size);
    WitnessEvent e = part.event;
    e.pieces = static_cast<std::uint8_t>(std::distance(first, last));
    e.piece = 0;
    for (auto at = first; at != last; ++at, ++e.piece) {
      e.loc = {whole.object, *at, *std::next(at) - *at};
      auto [it, fresh] = written_.try_emplace({whole.object, *at});
      if (fresh) it->second.value = initial(e.loc);
      if (e.kind == Kind::Read) {
        e.rf = it->second.event;
        e.value = it->second.value;
        add(e);
      } else {
        e.co_prev = it->second.event;
        e.value = part_of(part.request.value, whole, e.loc);
        it->second.value = e.value;
        it->second.event = add(e);
      }
    }
  }

  core::Value initial(const core::Loc& loc) const {
    const auto it = contents_.find(loc.object);
    const auto [size, contents] = it != contents_.end() ? it->second : std::pair{loc.offset + loc.size, 0u};
    PrivateMemory memory;
    PrivateMemory::Object object;
    object.number = loc.object;
    object.size = size;
    memory.add(object, contents != 0 ? &program_.globals()[contents - 1] : nullptr);
    return memory.read(memory.find(loc.object), loc.offset, loc.size);
  }

  const core::Program& program_;
  const Graph& g_;
  const Tables& tables_;
  const bool deps_;
  PrivateObjects::Steps steps_;
  const PrivateObjects hidden_;
  core::ExecutionWitness out_;
  std::vector<core::Local> locals_;
  std::vector<std::unique_ptr<core::Shadow>> shadows_;
  std::vector<std::uint32_t> loads_;                    // of each thread, so far
  std::vector<std::vector<std::uint32_t>> seen_loads_;  // … the numbers of those that the graph has
  std::vector<Part> parts_;
  std::vector<std::size_t> place_;                         // in parts_, of each event of the graph's witness
  std::map<std::uint32_t, std::set<std::uint32_t>> cuts_;  // of each object: where private accesses begin and end
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> contents_;  // … size, and what it is a copy of
  std::map<Piece, Written> written_;
};

}  // namespace

std::optional<core::ExecutionWitness> whole_witness(const core::Program& program, PrivacyRecord& record,
                                                    const Graph& graph, const Tables& tables, const std::string& model,
                                                    bool deps) {
  std::vector<EventId> events;
  core::ExecutionWitness seen = witness(program, graph, tables, model, deps, &events);
  return Expansion(program, record, graph, tables, deps).whole(std::move(seen), events);
}

}  // namespace heddle::graph
