// SPDX-License-Identifier: Apache-2.0
#include "report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "core/show_value.h"
#include "core/tags.h"
#include "report/markup.h"

namespace heddle::report {

namespace {

using core::WitnessEvent;
using EventKind = core::WitnessEvent::Kind;

const char* order_word(core::Order order) {
  switch (order) {
    case core::Order::Plain: return "";
    case core::Order::Relaxed: return " rlx";
    case core::Order::Acquire: return " acq";
    case core::Order::Release: return " rel";
    case core::Order::AcqRel: return " acq_rel";
    case core::Order::SeqCst: return " sc";
  }
  return "";
}

std::string event_place(const core::SourcePlace& place) {
  if (place.file.empty() || place.line == 0) return {};
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

// What the event is, in the notation of the literature.
std::string event_text(const WitnessEvent& e, const core::Program& program, const std::string& location) {
  const std::string order = e.tag != 0 ? fmt::format(" {}", core::tag_name(e.tag)) : order_word(e.order);
  const std::string value = e.value.undefined != 0 ? "?" : core::show_value(program, e.value, e.loc.size);
  switch (e.kind) {
    case EventKind::Read: return fmt::format("{} {}={}{}", e.rmw ? "R*" : "R", location, value, order);
    case EventKind::Write: return fmt::format("{} {}={}{}", e.rmw ? "W*" : "W", location, value, order);
    case EventKind::Fence: return "F" + order;
    case EventKind::Choose: return "choose " + value;
    case EventKind::Alloc: return "allocate " + value;
    case EventKind::Free: return "free " + value;
    case EventKind::Spawn: return "create " + value;
    case EventKind::Join: return "join " + value;
    case EventKind::Refused: return "refused access";
  }
  return {};
}

// A shortest cycle of rf, co and fr between threads and transitive po (with creation and join of threads), in order.
class CycleFinder {
 public:
  explicit CycleFinder(const core::ExecutionWitness& w) : w_(w), n_(w.events.size()) {
    out_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const WitnessEvent& e = w.events[i];
      for (std::size_t j = 0; j < n_; ++j) {
        const WitnessEvent& f = w.events[j];
        if (e.thread == f.thread && e.index < f.index && shown(e) && shown(f)) out_[i].emplace_back(j, EdgeKind::Po);
        if (f.kind == EventKind::Read && f.rf == static_cast<std::int32_t>(i) && e.thread != f.thread)
          out_[i].emplace_back(j, EdgeKind::Rf);
        if (f.kind != EventKind::Write || !(e.loc == f.loc)) continue;
        if (e.kind == EventKind::Write && i != j && before(static_cast<std::int32_t>(i), j) && e.thread != f.thread)
          out_[i].emplace_back(j, EdgeKind::Co);
        if (e.kind == EventKind::Read && before(e.rf, j) && e.thread != f.thread) out_[i].emplace_back(j, EdgeKind::Fr);
      }
      if (e.kind == EventKind::Spawn)
        for (std::size_t j = 0; j < n_; ++j)
          if (w.events[j].thread == e.value.bits) out_[i].emplace_back(j, EdgeKind::Thread);
      if (e.kind == EventKind::Join)
        for (std::size_t j = 0; j < n_; ++j)
          if (w.events[j].thread == e.value.bits) out_[j].emplace_back(i, EdgeKind::Thread);
    }
  }

  struct Step {
    std::size_t from, to;
    EdgeKind kind;
  };

  std::vector<Step> shortest() const {
    std::vector<Step> best;
    for (std::size_t root = 0; root < n_; ++root) {
      std::vector<std::optional<Step>> came(n_);
      std::vector<std::size_t> queue{root};
      bool found = false;
      for (std::size_t head = 0; head < queue.size() && !found; ++head)
        for (const auto& [to, kind] : out_[queue[head]]) {
          if (to < root || came[to]) continue;
          came[to] = Step{queue[head], to, kind};
          if (to == root) {
            found = true;
            break;
          }
          queue.push_back(to);
        }
      if (!found) continue;
      std::vector<Step> cycle;
      for (std::size_t at = root; cycle.empty() || at != root; at = cycle.back().from) cycle.push_back(*came[at]);
      if (best.empty() || std::pair(cycle.size(), span(cycle)) < std::pair(best.size(), span(best)))
        best = {cycle.rbegin(), cycle.rend()};
    }
    return best;
  }

 private:
  // How far its steps in program order reach: of several shortest cycles the closest is the easiest to see.
  std::size_t span(const std::vector<Step>& cycle) const {
    std::size_t sum = 0;
    for (const Step& step : cycle)
      if (step.kind == EdgeKind::Po) sum += w_.events[step.to].index - w_.events[step.from].index;
    return sum;
  }
  static bool shown(const WitnessEvent& e) {
    return e.kind == EventKind::Read || e.kind == EventKind::Write || e.kind == EventKind::Spawn ||
           e.kind == EventKind::Join;
  }
  // Does write `first` (or the initial one) come before write j of the same location?
  bool before(std::int32_t first, std::size_t j) const {
    for (std::int32_t at = w_.events[j].co_prev;; at = w_.events[static_cast<std::size_t>(at)].co_prev) {
      if (at == first) return true;
      if (at < 0) return false;
    }
  }

  const core::ExecutionWitness& w_;
  std::size_t n_;
  std::vector<std::vector<std::pair<std::size_t, EdgeKind>>> out_;
};

class Builder {
 public:
  Builder(const core::ExecutionWitness& w, const core::Program& program, const core::Trace* replayed)
      : w_(w), program_(program), step_of_(w.events.size(), nullptr) {
    if (replayed == nullptr) return;
    for (const core::TraceStep& step : replayed->steps)
      for (const std::size_t e : step.events)
        if (e < step_of_.size()) step_of_[e] = &step;
    for (const WitnessEvent& e : w.events)
      if (e.kind == EventKind::Free) freed_.insert(e.value.object());
  }

  Picture build() {
    add_events();
    const auto cycle = w_.events.size() <= largest ? CycleFinder(w_).shortest() : std::vector<CycleFinder::Step>{};
    add_order();
    add_communication();
    add_dependencies();
    mark(cycle);
    place_rows();
    return std::move(p_);
  }

 private:
  static constexpr std::size_t hidden = static_cast<std::size_t>(-1);
  static constexpr std::size_t largest = 600;  // events among which a cycle is looked for: all pairs are compared

  // Local memory, and what the library does by itself, would bury the rest; what it does with shared memory stays.
  bool worth_showing(std::size_t i) const {
    const WitnessEvent& e = w_.events[i];
    switch (e.kind) {
      case EventKind::Read:
      case EventKind::Write: return of_the_user(e);
      case EventKind::Refused:
      case EventKind::Spawn:
      case EventKind::Join: return true;
      case EventKind::Fence: return e.order != core::Order::Plain || e.tag != 0;
      case EventKind::Choose: return !program_.place(e.site).library;
      case EventKind::Free: return !program_.place(e.site).library || told_of_heap(i);
      case EventKind::Alloc: return freed_.contains(e.value.object()) && told_of_heap(i);
    }
    return true;
  }

  // The program's own objects, not the library's records: the replay has something to say of them.
  bool told_of_heap(std::size_t i) const { return step_of_[i] != nullptr && !step_of_[i]->effects.empty(); }

  core::SourcePlace place_of(std::size_t i) const {
    if (step_of_[i] != nullptr && step_of_[i]->place.library && step_of_[i]->caller.line > 0)
      return step_of_[i]->caller;
    return program_.place(w_.events[i].site);
  }

  // The library's accesses to variables of the program (a mutex) are; those to its own records are not.
  bool of_the_user(const WitnessEvent& e) const {
    const auto globals = program_.globals();
    if (e.site == core::no_site || !program_.place(e.site).library) return true;
    return e.loc.object >= 1 && e.loc.object <= globals.size() && !globals[e.loc.object - 1].name.starts_with("_");
  }

  void add_events() {
    number_.assign(w_.events.size(), hidden);
    std::map<core::Tid, std::size_t> columns;
    std::vector<char> seen(w_.threads.size(), false);
    for (std::size_t i = 0; i < w_.events.size(); ++i)
      if (worth_showing(i)) seen[w_.events[i].thread] = true;
    for (core::Tid t = 0; t < w_.threads.size(); ++t) {
      if (!seen[t]) continue;
      columns[t] = p_.columns.size();
      p_.columns.push_back(thread_name(t));
    }
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const WitnessEvent& e = w_.events[i];
      if (!worth_showing(i)) continue;
      number_[i] = p_.events.size();
      std::string location;
      if (e.kind == EventKind::Read || e.kind == EventKind::Write)
        location = step_of_[i] != nullptr && !step_of_[i]->effects.empty() ? step_of_[i]->effects[0].location
                                                                           : program_.location_name(e.loc, {});
      Picture::Event shown;
      shown.column = columns[e.thread];
      shown.text = event_text(e, program_, location);
      if (e.site != core::no_site) shown.place = event_place(place_of(i));
      shown.marked = e.kind == EventKind::Refused;
      p_.events.push_back(std::move(shown));
    }
  }

  std::string thread_name(core::Tid t) const {
    for (std::size_t i = 0; i < w_.events.size(); ++i)
      if (w_.events[i].thread == t && step_of_[i] != nullptr) return with_number(step_of_[i]->thread, t);
    // Threads begin in the library; people know them by the function of their own.
    std::string name = program_.thread_name(w_.threads[t].entry);
    if (const auto first = std::ranges::find_if(w_.events,
                                                [&](const WitnessEvent& e) {
                                                  return e.thread == t && e.site != core::no_site &&
                                                         !program_.place(e.site).library;
                                                });
        first != w_.events.end() && w_.threads[t].spawn >= 0)
      if (const std::string function = program_.place(first->site).function; !function.empty()) name = function;
    return name == fmt::format("P{}", t) ? name : fmt::format("{} (thread {})", name, t);
  }

  // "producer 1", as traces have it.
  static std::string with_number(const std::string& name, core::Tid t) {
    const std::string number = fmt::format(" {}", t);
    return name.ends_with(number) ? fmt::format("{} (thread {})", name.substr(0, name.size() - number.size()), t)
                                  : name;
  }

  void edge(std::size_t from, std::size_t to, EdgeKind kind) {
    if (from != hidden && to != hidden) p_.edges.push_back({from, to, kind, false});
  }

  void add_order() {
    std::vector<std::size_t> last(w_.threads.size(), hidden), first(w_.threads.size(), hidden);
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      if (number_[i] == hidden) continue;
      const core::Tid t = w_.events[i].thread;
      edge(last[t], number_[i], EdgeKind::Po);
      if (first[t] == hidden) first[t] = number_[i];
      last[t] = number_[i];
    }
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const WitnessEvent& e = w_.events[i];
      if (e.value.bits >= first.size()) continue;
      if (e.kind == EventKind::Spawn) edge(number_[i], first[e.value.bits], EdgeKind::Thread);
      if (e.kind == EventKind::Join) edge(last[e.value.bits], number_[i], EdgeKind::Thread);
    }
  }

  void add_communication() {
    std::map<std::int32_t, std::vector<std::size_t>> readers;  // of each write
    for (std::size_t i = 0; i < w_.events.size(); ++i)
      if (w_.events[i].kind == EventKind::Read) readers[w_.events[i].rf].push_back(i);
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const WitnessEvent& e = w_.events[i];
      if (e.kind == EventKind::Read && e.rf >= 0)
        edge(number_[static_cast<std::size_t>(e.rf)], number_[i], EdgeKind::Rf);
      if (e.kind != EventKind::Write) continue;
      if (e.co_prev >= 0) edge(number_[static_cast<std::size_t>(e.co_prev)], number_[i], EdgeKind::Co);
      // From-read, to the write that comes directly after the one that was read.
      for (const std::size_t j : readers[e.co_prev])
        if (w_.events[j].loc == e.loc && w_.events[j].thread != e.thread) edge(number_[j], number_[i], EdgeKind::Fr);
    }
  }

  // Dependencies go from the thread's reads, counted in program order.
  void add_dependencies() {
    std::vector<std::vector<std::size_t>> reads(w_.threads.size());
    for (std::size_t i = 0; i < w_.events.size(); ++i) {
      const WitnessEvent& e = w_.events[i];
      for (const auto& [set, kind] : {std::pair{&e.addr, EdgeKind::Addr}, std::pair{&e.data, EdgeKind::Data},
                                      std::pair{&e.ctrl, EdgeKind::Ctrl}}) {
        // Of many control dependencies the last is enough to see: the others stand before it.
        if (kind == EdgeKind::Ctrl && !set->empty() && set->back() < reads[e.thread].size() &&
            e.kind == EventKind::Write)
          edge(number_[reads[e.thread][set->back()]], number_[i], kind);
        if (kind != EdgeKind::Ctrl)
          for (const std::uint32_t load : *set)
            if (load < reads[e.thread].size()) edge(number_[reads[e.thread][load]], number_[i], kind);
      }
      if (e.kind == EventKind::Read) reads[e.thread].push_back(i);
    }
  }

  void mark(const std::vector<CycleFinder::Step>& cycle) {
    if (cycle.empty()) {
      p_.caption = w_.events.size() <= largest ? "no cycle: this is also an execution of sequential consistency"
                                               : "too large to look for a cycle";
      return;
    }
    p_.caption = "red: a cycle that sequential consistency forbids";
    for (const auto& step : cycle) {
      const std::size_t from = number_[step.from], to = number_[step.to];
      if (from == hidden || to == hidden) continue;
      p_.events[from].marked = p_.events[to].marked = true;
      if (step.kind == EdgeKind::Po) {
        // Along the chain.
        for (std::size_t at = from; at != to;) {
          const auto next = std::ranges::find_if(
              p_.edges, [&](const Picture::Edge& e) { return e.kind == EdgeKind::Po && e.from == at; });
          if (next == p_.edges.end()) break;
          next->marked = true;
          at = next->to;
        }
        continue;
      }
      const auto drawn = std::ranges::find_if(
          p_.edges, [&](const Picture::Edge& e) { return e.kind == step.kind && e.from == from && e.to == to; });
      if (drawn != p_.edges.end()) drawn->marked = true;
      else p_.edges.push_back({from, to, step.kind, true});
    }
  }

  // As high as program order and the threads' lives allow, so that threads stand side by side.
  void place_rows() {
    std::vector<std::size_t> row(p_.events.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Picture::Edge& e : p_.edges)
        if ((e.kind == EdgeKind::Po || e.kind == EdgeKind::Thread) && row[e.to] < row[e.from] + 1) {
          row[e.to] = row[e.from] + 1;
          changed = true;
        }
    }
    for (std::size_t i = 0; i < row.size(); ++i) p_.events[i].row = row[i];
  }

  const core::ExecutionWitness& w_;
  const core::Program& program_;
  std::vector<const core::TraceStep*> step_of_;  // of each event, where a replay tells it
  std::set<std::uint32_t> freed_;                // objects
  Picture p_;
  std::vector<std::size_t> number_;  // of a witness's event in the picture
};

const char* style_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Po: return "color=black";
    case EdgeKind::Rf: return "color=forestgreen, fontcolor=forestgreen";
    case EdgeKind::Co: return "color=sienna, fontcolor=sienna";
    case EdgeKind::Fr: return "color=darkorange, fontcolor=darkorange";
    case EdgeKind::Addr:
    case EdgeKind::Data:
    case EdgeKind::Ctrl: return "color=royalblue, fontcolor=royalblue, style=dashed";
    case EdgeKind::Thread: return "color=gray50, style=dotted";
  }
  return "";
}

}  // namespace

const char* name_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Po: return "po";
    case EdgeKind::Rf: return "rf";
    case EdgeKind::Co: return "co";
    case EdgeKind::Fr: return "fr";
    case EdgeKind::Addr: return "addr";
    case EdgeKind::Data: return "data";
    case EdgeKind::Ctrl: return "ctrl";
    case EdgeKind::Thread: return "thread";
  }
  return "";
}

Picture execution_picture(const core::ExecutionWitness& witness, const core::Program& program,
                          const core::Trace* replayed, std::string title) {
  Picture picture = Builder(witness, program, replayed).build();
  picture.title = std::move(title);
  return picture;
}

Picture trace_picture(const core::Trace& trace, std::string title) {
  Picture picture;
  picture.title = std::move(title);
  picture.caption = trace.closing;
  std::map<std::string, std::size_t> columns, last;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const core::TraceStep& step = trace.steps[i];
    if (step.place.library && i + 1 < trace.steps.size()) continue;
    const auto [column, fresh] = columns.try_emplace(step.thread, picture.columns.size());
    if (fresh) picture.columns.push_back(step.thread);
    Picture::Event event;
    event.column = column->second;
    event.row = picture.events.size();
    // What it did, or else what it is.
    for (const core::Effect& effect : step.effects) {
      if (effect.kind == core::Effect::Kind::Changed) continue;
      const bool write = effect.kind == core::Effect::Kind::Wrote || effect.kind == core::Effect::Kind::Buffered ||
                         effect.kind == core::Effect::Kind::Flushed;
      const char* verb = effect.kind == core::Effect::Kind::Buffered  ? "buffer "
                         : effect.kind == core::Effect::Kind::Flushed ? "flush "
                         : write                                      ? "W "
                         : effect.location.empty()                    ? ""
                                                                      : "R ";
      event.text += fmt::format("{}{}{}{}", event.text.empty() ? "" : ", ", verb, effect.location,
                                effect.location.empty() ? effect.value : "=" + effect.value);
    }
    if (event.text.empty()) event.text = step.action.empty() ? step.place.text : step.action;
    if (event.text.size() > 60) event.text = event.text.substr(0, 57) + "...";
    event.place = event_place(step.place);
    event.marked = i + 1 == trace.steps.size();
    if (const auto before = last.find(step.thread); before != last.end())
      picture.edges.push_back({before->second, picture.events.size(), EdgeKind::Po, false});
    last[step.thread] = picture.events.size();
    picture.events.push_back(std::move(event));
  }
  return picture;
}

std::string dot(const Picture& p) {
  std::string text = fmt::format("digraph {} {{\n  node [shape=box, fontname=\"monospace\"];\n  label={};\n",
                                 dot_string(p.title), dot_string(p.title + "\n" + p.caption));
  for (std::size_t c = 0; c < p.columns.size(); ++c) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", c, dot_string(p.columns[c]));
    for (std::size_t i = 0; i < p.events.size(); ++i) {
      const Picture::Event& e = p.events[i];
      if (e.column == c)
        text +=
            fmt::format("    n{} [label={}{}];\n", i, dot_string(e.place.empty() ? e.text : e.text + "  " + e.place),
                        e.marked ? ", color=red" : "");
    }
    text += "  }\n";
  }
  for (const Picture::Edge& e : p.edges)
    text += fmt::format("  n{} -> n{} [label={}, {}];\n", e.from, e.to,
                        dot_string(e.kind == EdgeKind::Po || e.kind == EdgeKind::Thread ? "" : name_of(e.kind)),
                        e.marked                 ? "color=red, fontcolor=red, penwidth=2"
                        : e.kind == EdgeKind::Po ? style_of(e.kind)
                                                 : fmt::format("{}, constraint=false", style_of(e.kind)));
  return text + "}\n";
}

}  // namespace heddle::report
