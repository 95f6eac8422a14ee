// All candidate executions of a small program, without any reduction: every run of every thread with every value that
// its reads might see, every reads-from, every coherence order; a model of axioms/ then says which are executions.
// Executions are named by strings, so that sets of them can be compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "axioms/mapping.h"
#include "axioms/models.h"
#include "core/address_deps.h"
#include "core/execution_witness.h"
#include "core/program.h"
#include "core/rmw.h"

namespace heddle::test {

struct BruteEvent {
  axioms::Event e;
  bool joined = false;  // to the atomic step of the request before
  core::LoadSet addr, data, ctrl;
};
using BruteRun = std::vector<BruteEvent>;
using Domain = std::map<core::Loc, std::set<std::uint64_t>>;

// "t.i" of a write, or "init".
inline std::string event_name(std::uint32_t thread, std::uint32_t index) {
  return std::to_string(thread) + "." + std::to_string(index);
}

// The same name for a graph engine's execution.
inline std::string name_of(const core::ExecutionWitness& w) {
  using Kind = core::WitnessEvent::Kind;
  std::map<std::string, std::string> parts;
  const auto name = [&](std::int32_t i) {
    return i < 0
               ? std::string("init")
               : event_name(w.events[static_cast<std::size_t>(i)].thread, w.events[static_cast<std::size_t>(i)].index);
  };
  for (const auto& e : w.events) {
    std::string s;
    if (e.kind == Kind::Read)
      s = "R" + std::to_string(e.loc.object) + "+" + std::to_string(e.loc.offset) + "=" + std::to_string(e.value.bits) +
          "<" + name(e.rf);
    else if (e.kind == Kind::Write)
      s = "W" + std::to_string(e.loc.object) + "+" + std::to_string(e.loc.offset) + "=" + std::to_string(e.value.bits) +
          ">" + name(e.co_prev);
    else continue;
    parts[event_name(e.thread, e.index)] = s;
  }
  std::string all;
  for (const auto& [n, s] : parts) all += n + s + " ";
  return all;
}

class BruteForce {
 public:
  explicit BruteForce(const core::Program& p) : program_(p) {
    bool settled = false;
    for (std::uint32_t round = 0; round < 7; ++round) {
      runs_.assign(p.initial_threads().size(), {});
      const Domain before = domain_;
      for (std::uint32_t t = 0; t < runs_.size(); ++t) {
        const auto entry = p.initial_threads()[t];
        core::Local l;
        auto shadow = p.make_shadow();
        p.start(entry.entry, entry.arg, t, l, shadow.get());
        BruteRun run;
        extend(t, l, *shadow, run);
      }
      settled = domain_ == before;
      for (const auto& r : runs_) settled &= r.size() <= 2000;
      if (settled) break;
    }
    double product = 1;
    for (const auto& r : runs_) product *= static_cast<double>(r.size());
    too_many_ = product > 50000 || !settled;
  }

  std::uint64_t candidates = 0;

  // Where there are too many, stops and returns an empty set with `gave_up` set.
  bool gave_up = false;
  std::set<std::string> executions(const axioms::Model& model, std::uint64_t limit) {
    std::set<std::string> found;
    std::vector<const BruteRun*> chosen;
    gave_up = too_many_;
    candidates = 0;
    choose(model, chosen, found, limit);
    return found;
  }

  struct Compiled {
    std::uint32_t access;  // its place in the execution; a fence behind it comes next
    bool after = false;    // there is one
    bool control = false;  // it is followed by a branch on its value
  };

  // Appends a thread's events, with the fences that C11's orders become on the model's machine.
  static std::vector<Compiled> compile(const axioms::Model& model, const BruteRun& run, axioms::Execution<1>& x) {
    std::vector<Compiled> places;
    for (std::size_t i = 0; i < run.size(); ++i) {
      axioms::Event e = run[i].e;
      const auto fence = [&](core::Tag tag) {
        axioms::Event f;
        f.kind = axioms::EventKind::Fence;
        f.tag = tag;
        f.thread = e.thread;
        x.events.push_back(f);
      };
      if (!e.is_access()) {
        places.push_back({x.size()});
        x.events.push_back(e);
        continue;
      }
      const bool read = e.kind == axioms::EventKind::Read;
      const bool writes = i + 1 < run.size() && run[i + 1].e.kind == axioms::EventKind::Write && run[i + 1].e.in_rmw;
      const auto m = axioms::mapped(
          model.hardware, {e.kind, e.in_rmw, e.exclusive, read && e.in_rmw && !writes, e.order, e.instruction});
      e.order = m.order;
      e.exclusive = m.exclusive;
      e.in_rmw = e.in_rmw && !m.exclusive;
      if (m.before) fence(m.before);
      places.push_back({x.size(), m.after != 0, m.control});
      x.events.push_back(e);
      if (m.after) fence(m.after);
    }
    return places;
  }

 private:
  std::uint64_t initial(const core::Loc& l) const {
    std::uint64_t v = 0;
    std::memcpy(&v, program_.globals()[l.object - 1].bytes.data() + l.offset, l.size);
    return v;
  }

  void extend(std::uint32_t t, const core::Local& l, const core::Shadow& shadow, BruteRun& run) {
    const core::Request q = program_.request(l);
    if (q.kind == core::Kind::Ended) {
      runs_[t].push_back(run);
      return;
    }
    if (q.stands_still() || q.kind == core::Kind::Failed || run.size() > 12 || runs_[t].size() > 2000) return;
    core::Deps d = program_.deps(l, shadow);
    core::settle_addresses(d, true);
    const auto event = [&](axioms::EventKind kind, std::uint64_t value) {
      BruteEvent b;
      b.e.kind = kind;
      b.joined = q.joined;
      b.e.instruction = q.order;
      b.e.order = q.locked ? core::Order::SeqCst : q.order;
      b.e.tag = q.tag;
      b.e.in_rmw = q.kind == core::Kind::Rmw;
      b.e.exclusive = b.e.in_rmw && q.op == core::RmwOp::Cas;  // a compare-exchange, until compile() decides
      b.e.thread = static_cast<std::uint16_t>(t);
      b.e.index = static_cast<std::uint32_t>(run.size());
      if (kind != axioms::EventKind::Fence) b.e.loc = q.loc;
      b.e.value = value;
      b.ctrl = d.ctrl;
      if (kind != axioms::EventKind::Fence) b.addr = d.addr;
      if (kind == axioms::EventKind::Write) b.data = d.data;
      return b;
    };
    const auto go_on = [&](const core::Answer& a) {
      core::Local next = l;
      auto s = program_.copy_shadow(shadow);
      program_.resume(next, a, s.get());
      extend(t, next, *s, run);
    };
    if (q.kind == core::Kind::Fence) {
      run.push_back(event(axioms::EventKind::Fence, 0));
      go_on({});
      run.pop_back();
    } else if (q.kind == core::Kind::Store) {
      domain_[q.loc].insert(initial(q.loc));
      domain_[q.loc].insert(q.value.bits);
      run.push_back(event(axioms::EventKind::Write, q.value.bits));
      go_on({});
      run.pop_back();
    } else {
      domain_[q.loc].insert(initial(q.loc));
      const std::set<std::uint64_t> values = domain_[q.loc];
      for (const std::uint64_t v : values) {
        if (q.waits && !core::cas_succeeds(v, q.expected, q.loc.size)) continue;
        run.push_back(event(axioms::EventKind::Read, v));
        bool writes = q.kind == core::Kind::Rmw;
        if (writes && q.op == core::RmwOp::Cas) {
          writes = core::cas_succeeds(v, q.expected, q.loc.size);
          if (!writes && !q.locked) run.back().e.order = q.failure;
        }
        if (writes) {
          const std::uint64_t to =
              q.op == core::RmwOp::Cas ? q.value.bits : core::rmw_result(q.op, v, q.value, q.loc.size).bits;
          domain_[q.loc].insert(to);
          run.push_back(event(axioms::EventKind::Write, to));
        }
        go_on({v});
        run.resize(run.size() - (writes ? 2 : 1));
      }
    }
  }

  void choose(const axioms::Model& model, std::vector<const BruteRun*>& chosen, std::set<std::string>& found,
              std::uint64_t limit) {
    if (gave_up) return;
    if (chosen.size() < runs_.size()) {
      for (const auto& r : runs_[chosen.size()]) {
        chosen.push_back(&r);
        choose(model, chosen, found, limit);
        chosen.pop_back();
      }
      return;
    }
    // Every value read must have been written.
    std::set<std::pair<core::Loc, std::uint64_t>> written;
    for (const auto* r : chosen)
      for (const auto& b : *r)
        if (b.e.kind == axioms::EventKind::Write) written.insert({b.e.loc, b.e.value.bits});
    for (const auto* r : chosen)
      for (const auto& b : *r)
        if (b.e.kind == axioms::EventKind::Read && b.e.value.bits != initial(b.e.loc) &&
            !written.contains({b.e.loc, b.e.value.bits}))
          return;
    // Events, with the initial writes in front.
    using X = axioms::Execution<1>;
    X x;
    std::map<core::Loc, std::uint32_t> first;
    for (const auto* r : chosen)
      for (const auto& b : *r)
        if (b.e.kind != axioms::EventKind::Fence) first[b.e.loc];
    for (auto& [l, at] : first) {
      at = x.size();
      axioms::Event e;
      e.kind = axioms::EventKind::Init;
      e.loc = l;
      e.value = initial(l);
      x.events.push_back(e);
    }
    std::vector<std::vector<Compiled>> code;
    for (const auto* r : chosen) code.push_back(compile(model, *r, x));
    if (x.size() > 64) {
      gave_up = true;
      return;
    }
    x.reset();
    for (std::uint32_t a = 0; a < x.size(); ++a)
      for (std::uint32_t b = a + 1; b < x.size() && x.events[a].kind != axioms::EventKind::Init; ++b)
        if (x.events[b].thread == x.events[a].thread) x.po.add(a, b);
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      std::vector<std::uint32_t> loads;
      for (std::uint32_t i = 0; i < chosen[t]->size(); ++i) {
        const auto& b = (*chosen[t])[i];
        const std::uint32_t at = code[t][i].access;
        if (code[t][i].control) x.ctrl[at] |= x.po[at];
        for (const auto k : b.addr)
          if (loads[k] != at) x.addr.add(loads[k], at);
        for (const auto k : b.data)
          if (loads[k] != at) x.data.add(loads[k], at);
        for (const auto k : b.ctrl)
          if (loads[k] != at) {
            x.ctrl.add(loads[k], at);
            if (code[t][i].after) x.ctrl.add(loads[k], at + 1);
          }
        if (b.e.kind == axioms::EventKind::Write && b.e.in_rmw) x.rmw.add(code[t][i - 1].access, at);
        if (b.e.kind == axioms::EventKind::Read) loads.push_back(at);
      }
    }
    relate_steps(chosen, code);
    x.derive_static();
    std::vector<std::uint32_t> reads;
    x.reads.each([&](std::uint32_t r) { reads.push_back(r); });
    std::vector<std::vector<std::uint32_t>> writes;
    for (const auto& [l, at] : first) {
      auto& w = writes.emplace_back();
      x.writes.each([&](std::uint32_t e) {
        if (x.events[e].loc == l && e != at) w.push_back(e);
      });
    }
    read_from(model, x, reads, 0, writes, found, limit);
  }

  // Atomic steps of several requests, each with the fences between its accesses.
  void relate_steps(const std::vector<const BruteRun*>& chosen, const std::vector<std::vector<Compiled>>& code) {
    steps_.clear();
    for (std::size_t t = 0; t < chosen.size(); ++t)
      for (std::size_t i = 0, begin = 0; i < code[t].size(); ++i) {
        const BruteEvent& b = (*chosen[t])[i];
        const bool second_half = b.e.in_rmw && b.e.kind == axioms::EventKind::Write;
        if (!b.joined && !second_half) begin = i;
        if (!b.joined) continue;
        for (std::uint32_t from = code[t][begin].access; from < code[t][i].access; ++from)
          for (std::uint32_t to = from + 1; to <= code[t][i].access; ++to) steps_.insert({from, to});
      }
  }

  void read_from(const axioms::Model& model, axioms::Execution<1>& x, const std::vector<std::uint32_t>& reads,
                 std::size_t k, std::vector<std::vector<std::uint32_t>>& writes, std::set<std::string>& found,
                 std::uint64_t limit) {
    if (gave_up) return;
    if (k == reads.size()) {
      order_writes(model, x, writes, 0, found, limit);
      return;
    }
    const auto r = reads[k];
    x.writes.each([&](std::uint32_t w) {
      if (x.events[w].loc != x.events[r].loc || x.events[w].value.bits != x.events[r].value.bits) return;
      x.rf.add(w, r);
      read_from(model, x, reads, k + 1, writes, found, limit);
      x.rf[w].remove(r);
    });
  }

  void order_writes(const axioms::Model& model, axioms::Execution<1>& x,
                    std::vector<std::vector<std::uint32_t>>& writes, std::size_t k, std::set<std::string>& found,
                    std::uint64_t limit) {
    if (gave_up) return;
    if (k == writes.size()) {
      if (++candidates > limit) {
        gave_up = true;
        return;
      }
      x.co = axioms::Relation<1>(x.size());
      std::uint32_t init = 0;
      for (const auto& list : writes) {
        for (std::size_t i = 0; i < list.size(); ++i) {
          x.co.add(init, list[i]);
          for (std::size_t j = i + 1; j < list.size(); ++j) x.co.add(list[i], list[j]);
        }
        ++init;
      }
      x.derive();
      if (steps_.empty()) {
        if (model.accepts(x)) found.insert(name(x, writes));
        return;
      }
      auto whole = x;
      whole.steps = axioms::Relation<1>(x.size());
      for (const auto& [a, b] : steps_) whole.steps.add(a, b), whole.steps.add(b, a);
      whole.order_steps();
      if (model.accepts(whole)) found.insert(name(x, writes));
      return;
    }
    std::sort(writes[k].begin(), writes[k].end());
    do order_writes(model, x, writes, k + 1, found, limit);
    while (std::next_permutation(writes[k].begin(), writes[k].end()));
  }

  std::string name(const axioms::Execution<1>& x, const std::vector<std::vector<std::uint32_t>>& writes) const {
    std::map<std::string, std::string> parts;
    const auto full = [&](std::uint32_t e) {
      return x.events[e].kind == axioms::EventKind::Init ? std::string("init")
                                                         : event_name(x.events[e].thread, x.events[e].index);
    };
    const auto place = [&](std::uint32_t e) {
      return std::to_string(x.events[e].loc.object) + "+" + std::to_string(x.events[e].loc.offset) + "=" +
             std::to_string(x.events[e].value.bits);
    };
    x.writes.each([&](std::uint32_t w) {
      x.rf[w].each([&](std::uint32_t r) { parts[full(r)] = "R" + place(r) + "<" + full(w); });
    });
    for (const auto& list : writes)
      for (std::size_t i = 0; i < list.size(); ++i)
        parts[full(list[i])] = "W" + place(list[i]) + ">" + (i == 0 ? std::string("init") : full(list[i - 1]));
    std::string all;
    for (const auto& [n, s] : parts) all += n + s + " ";
    return all;
  }

  const core::Program& program_;
  Domain domain_;
  std::vector<std::vector<BruteRun>> runs_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> steps_;  // pairs of events of one, of the chosen runs
  bool too_many_ = false;
};

}  // namespace heddle::test
