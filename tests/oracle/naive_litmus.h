// A second, slow and obvious reading of small litmus programs, for tests: sc, tso and pso as machines that are simply
// run, armv8, riscv, power and rc11 as published, over relations that are sets of pairs and all choices of rf and co.
// Shares nothing with src/: programs come from random(), and are also written out as litmus tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace naive {

enum class What { Load, Store, Fence, Add };
enum class Order { Na, Rlx, Acq, Rel, AcqRel, Sc };

struct Instr {
  What what = What::Load;
  Order order = Order::Rlx;
  std::string fence;  // AArch64: "DMB SY" …, X86: "MFENCE"
  bool pc = false;    // AArch64: LDAPR
  int loc = 0;
  int constant = 0;  // Store: the value, to which `data` is added; Add: what is added
  int reg = -1;      // Load, Add: target
  int data = -1;     // register whose value is added to the stored one
  int addr = -1;     // register that the address depends on (without changing it)
  int guard = -1;    // executed only if this register is not zero
};

struct Program {
  std::vector<std::vector<Instr>> threads;
  int registers = 0;  // of each thread, numbered from 0
  static constexpr int locations = 2;
};

using Outcome = std::vector<int>;  // registers of all threads, then memory

// --- machines -------------------------------------------------------------------------------------------------------

struct Machine {
  enum class Kind { Sc, Tso, Pso } kind;
  const Program& p;
  std::set<Outcome> outcomes;

  struct Entry {
    int loc, value;
  };  // loc -1: a mark
  struct State {
    std::vector<std::size_t> pc;
    std::vector<std::vector<int>> regs;
    std::vector<std::vector<Entry>> buffers;
    std::vector<bool> drain;  // pso: waits for its buffer after a seq_cst store
    std::vector<int> memory;
    auto key() const {
      std::vector<int> k;
      for (auto x : pc) k.push_back(static_cast<int>(x));
      for (auto& r : regs) k.insert(k.end(), r.begin(), r.end());
      for (auto& b : buffers) {
        k.push_back(-7);
        for (auto& e : b) {
          k.push_back(e.loc);
          k.push_back(e.value);
        }
      }
      for (bool d : drain) k.push_back(d);
      k.insert(k.end(), memory.begin(), memory.end());
      return k;
    }
  };
  std::set<std::vector<int>> seen;

  void run() {
    State s;
    s.pc.assign(p.threads.size(), 0);
    s.regs.assign(p.threads.size(), std::vector<int>(static_cast<std::size_t>(p.registers), 0));
    s.buffers.resize(p.threads.size());
    s.drain.assign(p.threads.size(), false);
    s.memory.assign(Program::locations, 0);
    explore(s);
  }

  static bool releases(Order o) { return o == Order::Rel || o == Order::AcqRel || o == Order::Sc; }

  void explore(const State& s) {
    if (!seen.insert(s.key()).second) return;
    bool over = true;
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      over &= s.pc[t] == p.threads[t].size() && s.buffers[t].empty();
      flush(s, t);
      step(s, t);
    }
    if (!over) return;
    Outcome o;
    for (auto& r : s.regs) o.insert(o.end(), r.begin(), r.end());
    o.insert(o.end(), s.memory.begin(), s.memory.end());
    outcomes.insert(o);
  }

  void flush(const State& s, std::size_t t) {
    const auto& b = s.buffers[t];
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (i > 0 && kind == Kind::Tso) break;
      bool blocked = false;
      for (std::size_t j = 0; j < i; ++j) blocked |= b[j].loc == -1 || b[j].loc == b[i].loc;
      if (b[i].loc == -1) blocked |= i > 0;
      if (blocked) continue;
      State n = s;
      if (b[i].loc >= 0) n.memory[static_cast<std::size_t>(b[i].loc)] = b[i].value;
      n.buffers[t].erase(n.buffers[t].begin() + static_cast<std::ptrdiff_t>(i));
      explore(n);
    }
  }

  void step(const State& s, std::size_t t) {
    if (s.pc[t] == p.threads[t].size()) return;
    const Instr& i = p.threads[t][s.pc[t]];
    State n = s;
    ++n.pc[t];
    auto& regs = n.regs[t];
    auto& buffer = n.buffers[t];
    if (n.drain[t]) {
      if (!buffer.empty()) return;
      n.drain[t] = false;
    }
    const auto at = static_cast<std::size_t>(i.loc);
    if (i.guard >= 0 && regs[static_cast<std::size_t>(i.guard)] == 0) return explore(n);
    switch (i.what) {
      case What::Load: {
        int v = n.memory[at];
        for (auto& e : buffer)
          if (e.loc == i.loc) v = e.value;
        regs[static_cast<std::size_t>(i.reg)] = v;
        return explore(n);
      }
      case What::Store: {
        const int v = i.constant + (i.data >= 0 ? regs[static_cast<std::size_t>(i.data)] : 0);
        if (kind == Kind::Sc) n.memory[at] = v;
        else if (kind == Kind::Tso && i.order == Order::Sc) {
          if (!buffer.empty()) return;
          n.memory[at] = v;
        } else {
          if (kind == Kind::Pso && releases(i.order)) buffer.push_back({-1, 0});
          buffer.push_back({i.loc, v});
          if (kind == Kind::Pso && i.order == Order::Sc) n.drain[t] = true;
        }
        return explore(n);
      }
      case What::Fence: {
        const bool full = i.fence == "MFENCE" || i.fence == "DMB SY" || (i.fence.empty() && i.order == Order::Sc);
        if (full && !buffer.empty()) return;
        const bool mark =
            i.fence == "DMB ST" || (i.fence.empty() && (i.order == Order::Rel || i.order == Order::AcqRel));
        if (kind == Kind::Pso && mark) buffer.push_back({-1, 0});
        return explore(n);
      }
      case What::Add: {
        if (kind == Kind::Tso && !buffer.empty()) return;
        if (kind == Kind::Pso) {
          for (auto& e : buffer)
            if (e.loc == i.loc || e.loc == -1 || releases(i.order)) return;
        }
        regs[static_cast<std::size_t>(i.reg)] = n.memory[at];
        n.memory[at] += i.constant;
        return explore(n);
      }
    }
  }
};

inline std::set<Outcome> run_machine(const Program& p, Machine::Kind kind) {
  Machine m{kind, p, {}, {}};
  m.run();
  return m.outcomes;
}

// --- relations as sets of pairs -------------------------------------------------------------------------------------

using Rel = std::set<std::pair<int, int>>;
using Set = std::set<int>;

inline Rel operator|(Rel a, const Rel& b) {
  a.insert(b.begin(), b.end());
  return a;
}
inline Set operator|(Set a, const Set& b) {
  a.insert(b.begin(), b.end());
  return a;
}
inline Rel operator&(const Rel& a, const Rel& b) {
  Rel r;
  for (auto& x : a)
    if (b.count(x)) r.insert(x);
  return r;
}
inline Rel operator-(const Rel& a, const Rel& b) {
  Rel r;
  for (auto& x : a)
    if (!b.count(x)) r.insert(x);
  return r;
}
inline Rel then(const Rel& a, const Rel& b) {
  Rel r;
  for (auto& [x, y] : a)
    for (auto& [z, w] : b)
      if (y == z) r.insert({x, w});
  return r;
}
inline Rel on(const Set& s) {
  Rel r;
  for (int e : s) r.insert({e, e});
  return r;
}
inline Rel back(const Rel& a) {
  Rel r;
  for (auto& [x, y] : a) r.insert({y, x});
  return r;
}
inline Rel plus(Rel a) {
  for (;;) {
    Rel longer = a | then(a, a);
    if (longer == a) return a;
    a = longer;
  }
}
inline bool cyclic(const Rel& a) {
  for (auto& [x, y] : plus(a))
    if (x == y) return true;
  return false;
}
inline bool loops(const Rel& a) {
  for (auto& [x, y] : a)
    if (x == y) return true;
  return false;
}

struct Node {
  char kind;
  int thread, loc, value;
  Order order;
  std::string fence;
  bool pc, rmw;
  int instr;
};

struct Graph {
  std::vector<Node> nodes;
  Rel po, rf, co, addr, data, ctrl, rmw;
  Set all() const {
    Set s;
    for (std::size_t i = 0; i < nodes.size(); ++i) s.insert(static_cast<int>(i));
    return s;
  }
  Set pick(const std::function<bool(const Node&)>& f) const {
    Set s;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (f(nodes[i])) s.insert(static_cast<int>(i));
    return s;
  }
  Rel filter(const Rel& r, const std::function<bool(const Node&, const Node&)>& f) const {
    Rel out;
    for (auto& [a, b] : r)
      if (f(nodes[static_cast<std::size_t>(a)], nodes[static_cast<std::size_t>(b)])) out.insert({a, b});
    return out;
  }
};

inline bool acquires(Order o) { return o == Order::Acq || o == Order::AcqRel || o == Order::Sc; }

// The ARMv8 model in the form of Pulte et al. (POPL 2018, figure 3), with one later change.
inline bool armv8(const Graph& g) {
  const auto W = g.pick([](auto& n) { return n.kind == 'W'; });
  const auto R = g.pick([](auto& n) { return n.kind == 'R'; });
  const auto Q = g.pick([](auto& n) { return n.kind == 'R' && n.pc; });
  const auto A = g.pick([](auto& n) { return n.kind == 'R' && acquires(n.order) && !n.pc; });
  const auto L = g.pick([](auto& n) { return n.kind == 'W' && Machine::releases(n.order); });
  const auto fence = [&](const char* f) { return on(g.pick([&](auto& n) { return n.kind == 'F' && n.fence == f; })); };
  const Rel fr = then(back(g.rf), g.co);
  const auto same_loc = [](auto& a, auto& b) { return a.kind != 'F' && b.kind != 'F' && a.loc == b.loc; };
  const auto internal = [](auto& a, auto& b) { return a.thread == b.thread; };
  const auto external = [](auto& a, auto& b) { return a.thread != b.thread; };
  if (cyclic(g.filter(g.po, same_loc) | g.rf | g.co | fr)) return false;
  if (!(g.rmw & then(g.filter(fr, external), g.filter(g.co, external))).empty()) return false;
  const Rel rfi = g.filter(g.rf, internal), coi = g.filter(g.co, internal);
  const Rel obs = g.filter(g.rf | fr | g.co, external);
  const Rel addr_po = then(g.addr, g.po);
  const Rel dob = g.addr | g.data | then(g.ctrl, on(W)) |
                  then(then(then(g.ctrl | addr_po, fence("ISB")), g.po), on(R)) | then(addr_po, on(W)) |
                  then(g.ctrl | g.data, coi) | then(g.addr | g.data, rfi);
  // Since 2020 only the read of an atomic instruction precedes an acquire that its write is forwarded to.
  const Rel aob = g.rmw | then(then(g.rmw, rfi), on(A | Q));
  Rel both;  // an atomic instruction that acquires and releases
  for (auto& [r, w] : g.rmw)
    if (A.count(r) && L.count(w)) both = both | then(on({w}), g.po);
  const Rel bob = then(then(g.po, fence("DMB SY")), g.po) | then(then(on(L), g.po), on(A)) |
                  then(then(then(on(R), g.po), fence("DMB LD")), g.po) | then(on(A | Q), g.po) |
                  then(then(then(then(on(W), g.po), fence("DMB ST")), g.po), on(W)) | then(g.po, on(L)) |
                  then(then(g.po, on(L)), coi) | both;
  return !cyclic(obs | dob | aob | bob);
}

// RC11 as in Lahav et al. (PLDI 2017, definition 1 and figure 2).
inline bool rc11(const Graph& g) {
  const auto at_least = [&](bool (*f)(Order)) { return g.pick([&](auto& n) { return n.thread >= 0 && f(n.order); }); };
  const auto W = g.pick([](auto& n) { return n.kind == 'W'; });
  const auto R = g.pick([](auto& n) { return n.kind == 'R'; });
  const auto F = g.pick([](auto& n) { return n.kind == 'F'; });
  const auto atomic = at_least([](Order o) { return o != Order::Na; });
  const auto rel = at_least(Machine::releases), acq = at_least(acquires);
  const auto sc = at_least([](Order o) { return o == Order::Sc; });
  const auto same_loc = [](auto& a, auto& b) { return a.kind != 'F' && b.kind != 'F' && a.loc == b.loc; };
  const auto meet = [](const Set& a, const Set& b) {
    Set s;
    for (int e : a)
      if (b.count(e)) s.insert(e);
    return s;
  };
  const Rel id = on(g.all());
  const Rel fr = then(back(g.rf), g.co);
  const Rel sb_loc = g.filter(g.po, same_loc);
  const Rel rs = then(then(then(on(W), sb_loc | id), on(meet(W, atomic))), plus(then(g.rf, g.rmw)) | id);
  const Rel sw = then(then(then(then(then(on(rel), then(on(F), g.po) | id), rs), g.rf), on(meet(R, atomic))),
                      then(then(g.po, on(F)) | id, on(acq)));
  const Rel hb = plus(g.po | sw);
  const Rel eco = plus(g.rf | g.co | fr);
  if (loops(hb) || loops(then(hb, eco))) return false;
  if (!(g.rmw & then(fr, g.co)).empty()) return false;
  if (cyclic(g.po | g.rf)) return false;
  const Rel sb_other = g.po - sb_loc;
  const Rel scb = g.po | then(then(sb_other, hb), sb_other) | g.filter(hb, same_loc) | g.co | fr;
  const Rel fsc = on(meet(F, sc));
  const Rel base = then(then(on(sc) | then(fsc, hb | id), scb), on(sc) | then(hb | id, fsc));
  const Rel fences = then(then(fsc, hb | then(then(hb, eco), hb)), fsc);
  return !cyclic(base | fences);
}

inline bool everywhere_alike(const Graph& g, Rel& fr, Rel& po_loc) {
  const auto same_loc = [](auto& a, auto& b) { return a.kind != 'F' && b.kind != 'F' && a.loc == b.loc; };
  const auto external = [](auto& a, auto& b) { return a.thread != b.thread; };
  fr = then(back(g.rf), g.co);
  po_loc = g.filter(g.po, same_loc);
  return !cyclic(po_loc | g.rf | g.co | fr) && (g.rmw & then(g.filter(fr, external), g.filter(g.co, external))).empty();
}

// RVWMO: the thirteen rules of the unprivileged specification, as its text numbers them.
inline bool riscv(const Graph& g) {
  Rel fr, po_loc;
  if (!everywhere_alike(g, fr, po_loc)) return false;
  const auto W = g.pick([](auto& n) { return n.kind == 'W'; });
  const auto R = g.pick([](auto& n) { return n.kind == 'R'; });
  const Set M = R | W;
  const auto aq = g.pick([](auto& n) { return n.kind != 'F' && acquires(n.order); });
  const auto rl = g.pick([](auto& n) { return n.kind != 'F' && n.thread >= 0 && Machine::releases(n.order); });
  const auto atomics = g.pick([](auto& n) { return n.rmw && n.kind != 'F' && n.order != Order::Rlx; });
  const auto internal = [](auto& a, auto& b) { return a.thread == b.thread; };
  const Rel rfi = g.filter(g.rf, internal);
  const auto fenced = [&](const char* f, const Set& before, const Set& after) {
    const Set fence = g.pick([&](auto& n) { return n.kind == 'F' && n.fence == f; });
    return then(then(then(then(on(before), g.po), on(fence)), g.po), on(after));
  };
  Rel ppo = then(po_loc, on(W));
  for (auto& [a, b] : po_loc) {  // rule 2: two reads of different writes with no write between
    if (!R.count(a) || !R.count(b)) continue;
    bool between = false, same = false;
    for (int w : W) between |= po_loc.count({a, w}) && po_loc.count({w, b});
    for (int w : W) same |= g.rf.count({w, a}) && g.rf.count({w, b});
    if (!between && !same) ppo.insert({a, b});
  }
  ppo = ppo | then(on(g.pick([](auto& n) { return n.rmw && n.kind == 'W'; })), rfi);
  ppo = ppo | fenced("fence rw,rw", M, M) | fenced("fence r,rw", R, M) | fenced("fence w,w", W, W) |
        fenced("fence.tso", R, M) | fenced("fence.tso", W, W);
  ppo = ppo | then(then(on(aq), g.po), on(M)) | then(then(on(M), g.po), on(rl)) |
        then(then(on(atomics), g.po), on(atomics)) | g.rmw;
  ppo = ppo | g.addr | g.data | then(g.ctrl, on(W)) | then(then(g.addr | g.data, on(W)), rfi) |
        then(then(g.addr, g.po), on(W));
  // The global memory order has an atomic instruction once, not its two halves.
  std::map<int, int> whole;
  for (auto& [r, w] : g.rmw) whole[w] = r;
  Rel order;
  for (auto [a, b] : ppo | (g.rf - rfi) | g.co | fr) {
    if (whole.count(a)) a = whole[a];
    if (whole.count(b)) b = whole[b];
    if (a != b) order.insert({a, b});
  }
  return !cyclic(order);
}

// POWER as in "Herding cats" (2014): figures 5, 17 and 18; and herd7's order of reservations.
inline bool power(const Graph& g) {
  Rel fr, po_loc;
  if (!everywhere_alike(g, fr, po_loc)) return false;
  const auto W = g.pick([](auto& n) { return n.kind == 'W'; });
  const auto R = g.pick([](auto& n) { return n.kind == 'R'; });
  const Set M = R | W;
  const auto external = [](auto& a, auto& b) { return a.thread != b.thread; };
  const Rel rfe = g.filter(g.rf, external), rfi = g.rf - rfe, fre = g.filter(fr, external),
            coe = g.filter(g.co, external);
  const auto fence = [&](const char* f) { return on(g.pick([&](auto& n) { return n.kind == 'F' && n.fence == f; })); };
  const auto around = [&](const char* f) { return then(then(then(then(on(M), g.po), fence(f)), g.po), on(M)); };
  const auto kind = [&](const Rel& r, const Set& a, const Set& b) { return then(then(on(a), r), on(b)); };
  const Rel dp = g.addr | g.data, ci0 = then(then(g.ctrl, fence("isync")), g.po) | (po_loc & then(coe, rfe));
  const Rel ii0 = dp | rfi | (po_loc & then(fre, rfe)), cc0 = dp | po_loc | g.ctrl | then(g.addr, g.po);
  Rel ii, ic, ci, cc;
  for (;;) {
    const Rel ii2 = ii0 | ci | then(ic, ci) | then(ii, ii), ic2 = ii | cc | then(ic, cc) | then(ii, ic);
    const Rel ci2 = ci0 | then(ci, ii) | then(cc, ci), cc2 = cc0 | ci | then(ci, ic) | then(cc, cc);
    if (ii2 == ii && ic2 == ic && ci2 == ci && cc2 == cc) break;
    ii = ii2;
    ic = ic2;
    ci = ci2;
    cc = cc2;
  }
  const Rel ppo = kind(ii, R, R) | kind(ic, R, W);
  const Rel full = around("sync"),
            light = (around("lwsync") - kind(around("lwsync"), W, R)) | kind(around("eieio"), W, W);
  const Rel hb = ppo | full | light | rfe;
  if (cyclic(hb)) return false;
  const Rel id = on(g.all()), hbs = plus(hb) | id;
  const Rel base = then(then(rfe | id, full | light), hbs);
  const Rel prop = kind(base, W, W) | then(then(then(plus(g.rf | g.co | fr) | id, plus(base) | id), full), hbs);
  const Set reserving = g.pick([](auto& n) { return n.rmw; });
  return !loops(then(then(fre, prop), hbs)) && !cyclic(g.co | prop) && !cyclic(g.co | kind(g.po, reserving, reserving));
}

// All candidate executions: which guarded instructions are executed, every rf, every co; the model's outcomes.
inline std::set<Outcome> run_axioms(const Program& p, bool (*model)(const Graph&)) {
  std::set<Outcome> outcomes;
  std::vector<std::pair<int, int>> guarded;
  for (std::size_t t = 0; t < p.threads.size(); ++t)
    for (std::size_t i = 0; i < p.threads[t].size(); ++i)
      if (p.threads[t][i].guard >= 0) guarded.push_back({static_cast<int>(t), static_cast<int>(i)});
  for (unsigned choice = 0; choice < (1u << guarded.size()); ++choice) {
    Graph g;
    for (int l = 0; l < Program::locations; ++l) g.nodes.push_back({'W', -1, l, 0, Order::Na, "", false, false, -1});
    std::vector<int> reads;
    for (int t = 0; t < static_cast<int>(p.threads.size()); ++t) {
      std::map<int, int> reader;  // register -> node
      Set branched;
      const int first = static_cast<int>(g.nodes.size());
      for (int i = 0; i < static_cast<int>(p.threads[static_cast<std::size_t>(t)].size()); ++i) {
        const Instr& in = p.threads[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
        if (in.guard >= 0) {
          if (reader.count(in.guard)) branched.insert(reader[in.guard]);
          const auto at = std::find(guarded.begin(), guarded.end(), std::pair(t, i)) - guarded.begin();
          if (!((choice >> at) & 1)) continue;
        }
        const auto add = [&](char kind) {
          const int n = static_cast<int>(g.nodes.size());
          g.nodes.push_back({kind, t, in.loc, 0, in.order, in.fence, in.pc, in.what == What::Add, i});
          for (int e = first; e < n; ++e) g.po.insert({e, n});
          for (int b : branched) g.ctrl.insert({b, n});
          if (kind != 'F' && in.addr >= 0 && reader.count(in.addr)) g.addr.insert({reader[in.addr], n});
          if (kind == 'W' && in.what == What::Store && in.data >= 0 && reader.count(in.data))
            g.data.insert({reader[in.data], n});
          return n;
        };
        if (in.what == What::Load) {
          const int n = add('R');
          reads.push_back(n);
          reader[in.reg] = n;
        }
        if (in.what == What::Store) add('W');
        if (in.what == What::Fence) add('F');
        if (in.what == What::Add) {
          const int r = add('R');
          reads.push_back(r);
          const int w = add('W');
          reader[in.reg] = r;
          g.rmw.insert({r, w});
        }
      }
    }
    // coherence orders
    std::vector<std::vector<int>> orders[Program::locations];
    for (int l = 0; l < Program::locations; ++l) {
      std::vector<int> w;
      for (std::size_t n = Program::locations; n < g.nodes.size(); ++n)
        if (g.nodes[n].kind == 'W' && g.nodes[n].loc == l) w.push_back(static_cast<int>(n));
      do orders[l].push_back(w);
      while (std::next_permutation(w.begin(), w.end()));
    }
    std::vector<int> source(reads.size(), 0);
    const std::function<void(std::size_t)> choose = [&](std::size_t k) {
      if (k < reads.size()) {
        for (std::size_t n = 0; n < g.nodes.size(); ++n)
          if (g.nodes[n].kind == 'W' && g.nodes[n].loc == g.nodes[static_cast<std::size_t>(reads[k])].loc) {
            source[k] = static_cast<int>(n);
            choose(k + 1);
          }
        return;
      }
      // values, to a fixed point; whatever keeps changing depends on itself, which both models forbid
      Graph x = g;
      for (std::size_t i = 0; i < reads.size(); ++i) x.rf.insert({source[i], reads[i]});
      std::vector<std::vector<int>> regs;
      bool stable = false;
      for (std::size_t round = 0; round < 3 * g.nodes.size() && !stable; ++round) {
        const auto before = x.nodes;
        regs.assign(p.threads.size(), std::vector<int>(static_cast<std::size_t>(p.registers), 0));
        for (auto& n : x.nodes) {
          if (n.thread < 0 || n.kind == 'F') continue;
          const Instr& in = p.threads[static_cast<std::size_t>(n.thread)][static_cast<std::size_t>(n.instr)];
          auto& mine = regs[static_cast<std::size_t>(n.thread)];
          const int self = static_cast<int>(&n - x.nodes.data());
          if (n.kind == 'R') {
            for (std::size_t i = 0; i < reads.size(); ++i)
              if (reads[i] == self) n.value = x.nodes[static_cast<std::size_t>(source[i])].value;
            mine[static_cast<std::size_t>(in.reg)] = n.value;
          } else if (in.what == What::Add) {
            n.value = x.nodes[static_cast<std::size_t>(self - 1)].value + in.constant;
          } else {
            n.value = in.constant + (in.data >= 0 ? mine[static_cast<std::size_t>(in.data)] : 0);
          }
        }
        stable = true;
        for (std::size_t i = 0; i < before.size(); ++i) stable &= before[i].value == x.nodes[i].value;
      }
      if (!stable) return;
      for (std::size_t i = 0; i < guarded.size(); ++i) {
        // The guard looks at its register when it is reached; registers are assigned once.
        const Instr& in =
            p.threads[static_cast<std::size_t>(guarded[i].first)][static_cast<std::size_t>(guarded[i].second)];
        if ((regs[static_cast<std::size_t>(guarded[i].first)][static_cast<std::size_t>(in.guard)] != 0) !=
            (((choice >> i) & 1) != 0))
          return;
      }
      for (auto& first : orders[0])
        for (auto& second : orders[1]) {
          x.co.clear();
          Outcome o;
          for (auto& r : regs) o.insert(o.end(), r.begin(), r.end());
          int l = 0;
          for (const auto* order : {&first, &second}) {
            std::vector<int> whole{l++};
            whole.insert(whole.end(), order->begin(), order->end());
            for (std::size_t a = 0; a < whole.size(); ++a)
              for (std::size_t b = a + 1; b < whole.size(); ++b) x.co.insert({whole[a], whole[b]});
            o.push_back(x.nodes[static_cast<std::size_t>(whole.back())].value);
          }
          if (outcomes.count(o)) continue;
          if (model(x)) outcomes.insert(o);
        }
    };
    choose(0);
  }
  return outcomes;
}

}  // namespace naive
