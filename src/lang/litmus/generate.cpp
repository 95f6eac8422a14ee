// Edges and cycles; the code of a dialect is written by generate_code.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lang/litmus/assembler.h"
#include "lang/litmus/generate_code.h"

namespace heddle::lang::litmus {

support::Diagnostic wrong_request(std::string message) { return {"", 0, 0, std::move(message), "", ""}; }

namespace {

struct FenceName {
  const char* edge;
  const char* code;
};

// The fences that a dialect has, by their names in edges and in code. The first is the strongest.
const std::vector<FenceName>& fences_of(Dialect d) {
  static const std::map<Dialect, std::vector<FenceName>> table = {
      {Dialect::X86, {{"MFence", "MFENCE"}, {"SFence", "SFENCE"}, {"LFence", "LFENCE"}}},
      {Dialect::X86_64, {{"MFence", "mfence"}, {"SFence", "sfence"}, {"LFence", "lfence"}}},
      {Dialect::AArch64,
       {{"DMB.SY", "DMB SY"},
        {"DMB.LD", "DMB LD"},
        {"DMB.ST", "DMB ST"},
        {"DSB.SY", "DSB SY"},
        {"DSB.LD", "DSB LD"},
        {"DSB.ST", "DSB ST"},
        {"ISB", "ISB"},
        {"DMB", "DMB SY"}}},
      {Dialect::PPC, {{"Sync", "sync"}, {"LwSync", "lwsync"}, {"Eieio", "eieio"}, {"ISync", "isync"}}},
      {Dialect::RISCV,
       {{"Fence.rw.rw", "fence rw,rw"},
        {"Fence.rw.w", "fence rw,w"},
        {"Fence.rw.r", "fence rw,r"},
        {"Fence.r.rw", "fence r,rw"},
        {"Fence.r.r", "fence r,r"},
        {"Fence.r.w", "fence r,w"},
        {"Fence.w.rw", "fence w,rw"},
        {"Fence.w.w", "fence w,w"},
        {"Fence.w.r", "fence w,r"},
        {"Fence.tso", "fence.tso"},
        {"Fence.i", "fence.i"}}},
      {Dialect::C,
       {{"FenceSc", "memory_order_seq_cst"},
        {"FenceAcqRel", "memory_order_acq_rel"},
        {"FenceAcq", "memory_order_acquire"},
        {"FenceRel", "memory_order_release"}}}};
  return table.at(d);
}

std::vector<std::string> notes_of(Dialect d) {
  switch (d) {
    case Dialect::C: return {"Na", "Rlx", "Acq", "Rel", "Sc"};
    case Dialect::AArch64: return {"P", "A", "L", "Q"};
    case Dialect::RISCV: return {"P", "A", "L"};
    default: return {"P"};
  }
}

bool note_fits(const std::string& note, bool write) {
  if (note == "A" || note == "Q" || note == "Acq") return !write;
  if (note == "L" || note == "Rel") return write;
  return true;
}

// `dWR`, `sRR`, `dW` (from a read): location and events.
bool take_ends(std::string_view& s, Edge& e, bool from_read) {
  if (s.empty() || (s[0] != 'd' && s[0] != 's')) return false;
  e.different = s[0] == 'd';
  s.remove_prefix(1);
  const auto direction = [&](bool& write) {
    if (s.empty() || (s[0] != 'R' && s[0] != 'W')) return false;
    write = s[0] == 'W';
    s.remove_prefix(1);
    return true;
  };
  if (from_read) e.from_write = false;
  else if (!direction(e.from_write)) return false;
  return direction(e.to_write);
}

bool take_notes(std::string_view s, Edge& e, Dialect d) {
  if (s.empty()) return true;
  for (const std::string& a : notes_of(d)) {
    if (!s.starts_with(a)) continue;
    for (const std::string& b : notes_of(d))
      if (s.substr(a.size()) == b) {
        e.from_note = a == "P" ? "" : a;
        e.to_note = b == "P" ? "" : b;
        return note_fits(a, e.from_write) && note_fits(b, e.to_write);
      }
  }
  return false;
}

struct Family {
  const char* name;
  const char* shape;
};
// A shape is the directions of each thread's first and last event and the communications between threads.
constexpr Family families[] = {{"SB", "WR Fre WR Fre"},
                               {"MP", "WW Rfe RR Fre"},
                               {"LB", "RW Rfe RW Rfe"},
                               {"2+2W", "WW Coe WW Coe"},
                               {"S", "WW Rfe RW Coe"},
                               {"R", "WW Coe WR Fre"},
                               {"WRC", "W Rfe RW Rfe RR Fre"},
                               {"RWC", "W Rfe RR Fre WR Fre"},
                               {"WWC", "W Rfe RW Rfe RW Coe"},
                               {"WRW+WR", "W Rfe RW Coe WR Fre"},
                               {"WRR+2W", "W Rfe RR Fre WW Coe"},
                               {"WRW+2W", "W Rfe RW Coe WW Coe"},
                               {"ISA2", "WW Rfe RW Rfe RR Fre"},
                               {"W+RWC", "WW Rfe RR Fre WR Fre"},
                               {"3.SB", "WR Fre WR Fre WR Fre"},
                               {"3.LB", "RW Rfe RW Rfe RW Rfe"},
                               {"3.2W", "WW Coe WW Coe WW Coe"},
                               {"Z6.0", "WW Rfe RW Coe WR Fre"},
                               {"Z6.1", "WW Coe WW Rfe RW Coe"},
                               {"Z6.2", "WW Rfe RW Rfe RW Coe"},
                               {"Z6.3", "WW Coe WW Rfe RR Fre"},
                               {"Z6.4", "WW Coe WR Fre WR Fre"},
                               {"Z6.5", "WW Coe WW Coe WR Fre"},
                               {"IRIW", "W Rfe RR Fre W Rfe RR Fre"},
                               {"IRRWIW", "W Rfe RR Fre W Rfe RW Coe"},
                               {"IRWIW", "W Rfe RW Coe W Rfe RW Coe"},
                               {"CoRR", "W Rfe RR Fre s"},
                               {"CoWR", "WR Fre W Coe s"}};

// Threads as ranges of events after the rotation.
std::string default_name(const std::vector<Edge>& cycle) {
  const std::size_t n = cycle.size();
  std::vector<std::string> threads, labels;
  std::string directions, label;
  const bool one_location = std::none_of(cycle.begin(), cycle.end(), [](const Edge& e) { return e.different; });
  for (std::size_t i = 0; i < n; ++i) {
    directions += cycle[i].from_write ? 'W' : 'R';
    if (!cycle[i].external) {
      label += (label.empty() ? "" : "-") + cycle[i].label;
      continue;
    }
    const std::string ends = directions.size() == 1 ? directions : std::string{directions.front(), directions.back()};
    static const char* const coms[] = {"Rfe", "Fre", "Coe"};
    threads.push_back(ends + " " + coms[static_cast<int>(cycle[i].kind)]);
    if (directions.size() > 1) labels.push_back(label);
    directions.clear();
    label.clear();
  }
  std::string name;
  for (std::size_t r = 0; r < threads.size() && name.empty(); ++r) {
    std::string shape;
    for (std::size_t i = 0; i < threads.size(); ++i) shape += (i ? " " : "") + threads[(i + r) % threads.size()];
    if (one_location) shape += " s";
    for (const Family& f : families)
      if (shape == f.shape) {
        name = f.name;
        break;
      }
  }
  if (name.empty()) {
    for (const Edge& e : cycle) name += (name.empty() ? "" : "+") + lower(e.text);
    return name;
  }
  const bool annotated =
      std::any_of(cycle.begin(), cycle.end(), [](const Edge& e) { return !e.from_note.empty() || !e.to_note.empty(); });
  if (annotated) {
    for (const Edge& e : cycle) name += "+" + e.text;
    return name;
  }
  if (std::all_of(labels.begin(), labels.end(), [](const std::string& l) { return l == "po" || l == "pos"; }))
    return name;
  if (std::all_of(labels.begin(), labels.end(), [&](const std::string& l) { return l == labels.front(); }))
    return name + "+" + labels.front() + (labels.size() > 1 ? "s" : "");
  for (const std::string& l : labels) name += "+" + l;
  return name;
}

bool joins(const Edge& a, const Edge& b) {
  if (a.to_write != b.from_write) return false;
  return a.to_note == b.from_note;
}

// Two communications in a row that come to the same as one (Rf;Fr = Co, Co;Co = Co, Fr;Co = Fr).
bool redundant(const Edge& a, const Edge& b) {
  using K = Edge::Kind;
  if (!a.external || !b.external) return false;
  return (a.kind == K::Rf && b.kind == K::Fr) || (a.kind == K::Co && b.kind == K::Co) ||
         (a.kind == K::Fr && b.kind == K::Co);
}

}  // namespace

support::Result<Edge> parse_edge(std::string_view text, Dialect dialect) {
  Edge e;
  e.text = std::string(text);
  std::string_view s = text;
  using K = Edge::Kind;
  struct Com {
    const char* name;
    K kind;
    bool external, from_write, to_write;
  };
  static const Com coms[] = {{"Rfe", K::Rf, true, true, false}, {"Rfi", K::Rf, false, true, false},
                             {"Fre", K::Fr, true, false, true}, {"Fri", K::Fr, false, false, true},
                             {"Coe", K::Co, true, true, true},  {"Coi", K::Co, false, true, true},
                             {"Wse", K::Co, true, true, true},  {"Wsi", K::Co, false, true, true}};
  const auto done = [&](std::string_view rest) -> support::Result<Edge> {
    if (!take_notes(rest, e, dialect))
      return wrong_request(
          fmt::format("'{}': '{}' are not annotations that fit its events in {}", text, rest, dialect_name(dialect)));
    return e;
  };
  for (const Com& c : coms)
    if (s.starts_with(c.name)) {
      e.kind = c.kind;
      e.external = c.external;
      e.from_write = c.from_write;
      e.to_write = c.to_write;
      e.label = lower(c.name);
      return done(s.substr(3));
    }
  if (s.starts_with("Po") && s.size() > 2 && (s[2] == 'd' || s[2] == 's')) {
    s.remove_prefix(2);
    if (!take_ends(s, e, false))
      return wrong_request(fmt::format("'{}' is not an edge; PodWR, PosRR and the like are", text));
    e.label = e.different ? "po" : "pos";
    return done(s);
  }
  if (s.starts_with("Dp")) {
    s.remove_prefix(2);
    struct Dp {
      const char* name;
      K kind;
      const char* barrier;
      Dialect only;
      const char* label;
    };
    static const Dp deps[] = {{"CtrlIsb", K::Ctrl, "ISB", Dialect::AArch64, "ctrlisb"},
                              {"CtrlIsync", K::Ctrl, "isync", Dialect::PPC, "ctrlisync"},
                              {"CtrlFencei", K::Ctrl, "fence.i", Dialect::RISCV, "ctrlfencei"},
                              {"Addr", K::Addr, "", Dialect::C, "addr"},
                              {"Data", K::Data, "", Dialect::C, "data"},
                              {"Ctrl", K::Ctrl, "", Dialect::C, "ctrl"},
                              {"", K::Addr, "", Dialect::C, "addr"}};
    if (dialect == Dialect::X86 || dialect == Dialect::X86_64)
      return wrong_request(fmt::format("'{}': dependencies order nothing on x86", text));
    for (const Dp& dp : deps) {
      std::string_view rest = s;
      if (!rest.starts_with(dp.name)) continue;
      rest.remove_prefix(std::string_view(dp.name).size());
      if (!take_ends(rest, e, true)) continue;
      if (*dp.barrier != '\0' && dp.only != dialect)
        return wrong_request(fmt::format("'{}' is not an edge of {}", text, dialect_name(dialect)));
      e.kind = dp.kind;
      e.fence = dp.barrier;
      e.label = dp.label;
      if (*dp.name == '\0' && e.to_write) {
        e.kind = K::Data;
        e.label = "data";
      }
      if (e.kind == K::Data && !e.to_write)
        return wrong_request(fmt::format("'{}': only a write can depend on data", text));
      return done(rest);
    }
    return wrong_request(fmt::format("'{}' is not an edge; DpAddrdR, DpDatadW, DpCtrldW and the like are", text));
  }
  const FenceName* best = nullptr;
  for (const FenceName& f : fences_of(dialect))
    if (s.starts_with(f.edge) &&
        (best == nullptr || std::string_view(f.edge).size() > std::string_view(best->edge).size()))
      best = &f;
  std::string_view rest = s;
  if (best != nullptr) rest.remove_prefix(std::string_view(best->edge).size());
  else if (s.starts_with("Fence") && s.size() > 5 && (s[5] == 'd' || s[5] == 's')) {
    best = &fences_of(dialect).front();
    rest.remove_prefix(5);
  }
  if (best != nullptr && take_ends(rest, e, false)) {
    e.kind = K::Fence;
    e.fence = best->code;
    e.label = lower(best->edge);
    return done(rest);
  }
  return wrong_request(fmt::format("'{}' is not an edge of {}", text, dialect_name(dialect)));
}

support::Result<Generated> generate_test(const std::vector<Edge>& edges, Dialect dialect, std::string name) {
  if (edges.empty()) return wrong_request("a cycle has at least two edges");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge &a = edges[i], &b = edges[(i + 1) % edges.size()];
    if (a.to_write != b.from_write)
      return wrong_request(fmt::format("{} ends in a {} and {} begins with a {}", a.text, a.to_write ? "write" : "read",
                                       b.text, b.from_write ? "write" : "read"));
    if (a.to_note != b.from_note)
      return wrong_request(fmt::format("{} and {} annotate the event between them differently", a.text, b.text));
  }
  const auto external = std::count_if(edges.begin(), edges.end(), [](const Edge& e) { return e.external; });
  if (external < 2) return wrong_request("a cycle needs at least two edges between threads");
  const auto different = std::count_if(edges.begin(), edges.end(), [](const Edge& e) { return e.different; });
  if (different == 1) return wrong_request("a single change of location cannot lead back to where the cycle began");

  // Begin with a thread, so that the last edge is external; on one location, one that closes by reading the past.
  std::vector<Edge> cycle = edges;
  bool found = false;
  for (std::size_t r = 0; r < edges.size() && !found; ++r) {
    std::rotate_copy(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(r), edges.end(), cycle.begin());
    found = cycle.back().external && (different > 0 || cycle.back().kind == Edge::Kind::Fr);
  }
  if (!found) return wrong_request("a cycle on one location must have an edge Fre");

  Skeleton skeleton = make_skeleton(cycle);
  if (name.empty()) name = default_name(cycle);
  std::string orig;
  for (const Edge& e : edges) orig += (orig.empty() ? "" : " ") + e.text;
  return Generated{name, write_test(skeleton, dialect, name, orig)};
}

std::vector<Edge> default_pool(Dialect dialect) {
  std::vector<Edge> pool;
  for (const char* e : {"PodWR", "PodWW", "PodRR", "PodRW", "Rfe", "Fre", "Coe"})
    pool.push_back(*parse_edge(e, dialect));
  return pool;
}

std::vector<std::vector<Edge>> all_cycles(const std::vector<Edge>& pool, unsigned size) {
  std::vector<std::vector<Edge>> result;
  std::set<std::vector<std::size_t>> seen;
  std::vector<std::size_t> path;
  const auto accept = [&] {
    if (path.size() < 2 || !joins(pool[path.back()], pool[path.front()]) ||
        redundant(pool[path.back()], pool[path.front()]))
      return;
    unsigned external = 0, different = 0;
    for (std::size_t i : path) {
      external += pool[i].external;
      different += pool[i].different;
    }
    if (external < 2 || different < 2) return;
    // A thread that changes location twice holds a shorter cycle, or none: beginning after an external edge, count.
    std::size_t first = 0;
    while (!pool[path[first]].external) ++first;
    unsigned changes = 0;
    for (std::size_t k = 1; k <= path.size(); ++k) {
      const Edge& e = pool[path[(first + k) % path.size()]];
      changes = e.external ? 0 : changes + e.different;
      if (changes > 1) return;
    }
    std::vector<std::size_t> least = path, turned = path;
    for (std::size_t r = 1; r < path.size(); ++r) {
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      least = std::min(least, turned);
    }
    if (!seen.insert(least).second) return;
    std::vector<Edge> cycle;
    for (std::size_t i : path) cycle.push_back(pool[i]);
    result.push_back(std::move(cycle));
  };
  const auto extend = [&](auto&& self) -> void {
    if (!path.empty()) accept();
    if (path.size() == size) return;
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (!path.empty() && (!joins(pool[path.back()], pool[i]) || redundant(pool[path.back()], pool[i]))) continue;
      path.push_back(i);
      self(self);
      path.pop_back();
    }
  };
  extend(extend);
  return result;
}

}  // namespace heddle::lang::litmus
