// Random small DVE models that use every part of the language.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "dve_naive.h"

namespace heddle::tests::naive {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Model model() {
    m_ = {};
    m_.sync = chance(12);
    const int globals = 1 + pick(3);
    for (int i = 0; i < globals; ++i) m_.vars.push_back(variable("g" + std::to_string(i)));
    if (!m_.sync) channels();
    const int processes = 2 + pick(2);
    for (int p = 0; p < processes; ++p) {
      Proc proc;
      proc.name = "P" + std::to_string(p);
      proc.states = 2 + pick(3);
      proc.init = pick(proc.states);
      const int locals = pick(3);
      for (int i = 0; i < locals; ++i)
        proc.vars.push_back(variable(chance(25) ? "g" + std::to_string(i) : "v" + std::to_string(i)));
      if (chance(25)) proc.commit.insert(pick(proc.states));
      m_.procs.push_back(proc);
    }
    if (chance(15)) m_.property = pick(processes);
    for (int p = 0; p < processes; ++p) {
      Proc& proc = m_.procs[p];
      const int asserts = pick(3);
      for (int i = 0; i < asserts; ++i) proc.asserts.emplace_back(pick(proc.states), expr(p, 3));
      const int count = 3 + pick(4);
      for (int i = 0; i < count; ++i) proc.trans.push_back(transition(p));
    }
    return m_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }

  Var variable(const std::string& name) {
    Var v;
    v.name = name;
    v.is_int = chance(40);
    v.length = chance(40) ? 1 + pick(3) : 0;
    if (chance(50)) {
      const int n = v.length == 0 ? 1 : 1 + pick(v.length + 1);
      for (int i = 0; i < n; ++i) v.init.push_back(v.is_int ? pick(5) - 2 : pick(3));
    }
    return v;
  }

  void channels() {
    const int n = pick(3);
    for (int i = 0; i < n; ++i) {
      Chan c;
      c.name = "c" + std::to_string(i);
      c.typed = chance(70);
      const int arity = c.typed ? 1 + pick(2) : pick(3);
      for (int k = 0; k < arity; ++k) c.is_int.push_back(!c.typed || chance(50));
      c.capacity = c.typed ? pick(3) : 0;
      m_.chans.push_back(c);
    }
  }

  E num(std::int64_t n) {
    auto e = std::make_shared<Expr>();
    e->op = "num";
    e->num = n;
    return e;
  }

  // A variable that process p sees under its plain name, or a foreign one.
  E reference(int p, int depth) {
    auto e = std::make_shared<Expr>();
    const int owner = chance(15) ? pick(static_cast<int>(m_.procs.size())) : chance(50) ? p : -1;
    const auto& list = owner < 0 ? m_.vars : m_.procs[owner].vars;
    if (list.empty()) return num(pick(3));
    const Var& v = list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))];
    e->process = owner < 0 && shadowed(p, v.name) ? p : owner;
    e->name = v.name;
    const Var& meant = declared(m_, e->process, e->name);
    e->op = meant.length > 0 ? "at" : "var";
    if (meant.length > 0) e->l = index(p, meant, depth);
    return e;
  }
  bool shadowed(int p, const std::string& name) const {
    const auto& list = m_.procs[p].vars;
    return std::any_of(list.begin(), list.end(), [&](const Var& v) { return v.name == name; });
  }
  E index(int p, const Var& v, int depth) {
    if (chance(70)) return num(pick(v.length));
    if (chance(60)) return binary("%", expr(p, depth - 1), num(v.length));
    return expr(p, depth - 1);
  }
  E binary(const std::string& op, E l, E r) {
    auto e = std::make_shared<Expr>();
    e->op = op;
    e->l = l;
    e->r = r;
    return e;
  }

  E expr(int p, int depth) {
    if (depth <= 0 || chance(20)) {
      if (chance(40)) return num(pick(4));
      if (chance(20)) {
        auto e = std::make_shared<Expr>();
        e->op = "state";
        e->process = pick(static_cast<int>(m_.procs.size()));
        e->num = pick(m_.procs[e->process].states);
        return e;
      }
      return reference(p, depth);
    }
    static const char* const ops[] = {"imply", "or", "||", "and", "&&", "|",  "&", "^", "==", "!=", "==", "!=",
                                      "<",     "<=", ">",  ">=",  "<<", ">>", "+", "-", "*",  "/",  "%"};
    if (chance(15)) {
      static const char* const unary[] = {"u-", "u~", "u!"};
      return binary(unary[pick(3)], expr(p, depth - 1), nullptr);
    }
    return binary(ops[pick(23)], expr(p, depth - 1), expr(p, depth - 1));
  }

  // Small values keep the number of states small; now and then anything.
  E stored(int p) {
    if (chance(10)) return expr(p, 2);
    if (chance(30)) return num(pick(3));
    return binary("&", expr(p, 2), num(3));
  }

  std::optional<Assign> target(int p) {
    const int owner = chance(50) ? p : -1;
    const auto& list = owner < 0 ? m_.vars : m_.procs[owner].vars;
    if (list.empty()) return std::nullopt;
    Assign a;
    a.name = list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))].name;
    a.process = owner < 0 && shadowed(p, a.name) ? p : owner;
    const Var& v = declared(m_, a.process, a.name);
    if (v.length > 0) a.index = index(p, v, 1);
    return a;
  }

  Trans transition(int p) {
    Trans t;
    t.from = pick(m_.procs[p].states);
    t.to = pick(m_.procs[p].states);
    if (chance(60)) t.guard = expr(p, 3);
    if (!m_.chans.empty() && p != m_.property && chance(45)) {
      t.chan = pick(static_cast<int>(m_.chans.size()));
      t.sends = chance(50);
      const std::size_t arity = m_.chans[t.chan].is_int.size();
      for (std::size_t i = 0; i < arity && t.chan >= 0; ++i) {
        if (t.sends) {
          t.values.push_back(stored(p));
        } else if (const auto a = target(p)) {
          t.targets.push_back(*a);
        } else {
          t.chan = -1;
          t.targets.clear();
        }
      }
    }
    const int n = pick(3);
    for (int i = 0; i < n; ++i) {
      if (auto a = target(p)) {
        a->value = stored(p);
        t.effects.push_back(*a);
      }
    }
    return t;
  }

  std::mt19937_64 random_;
  Model m_;
};

}  // namespace heddle::tests::naive
