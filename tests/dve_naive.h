// A deliberately naive reading of DVE for tests: models as plain structs, written out as DVE text for the real front
// end, and interpreted here by walking the trees over maps. It shares nothing with src/: it follows the description of
// the language, without regard to speed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::tests::naive {

struct Expr;
using E = std::shared_ptr<Expr>;
struct Expr {
  std::string op;        // "num" "var" "at" "state", an operator; unary ones are "u-" "u~" "u!"
  std::int64_t num = 0;  // num; state: the state
  int process = -1;      // var, at: owner, -1 for a global; state: the process
  std::string name;      // var, at
  E l, r;
};

struct Var {
  std::string name;
  bool is_int = false;
  int length = 0;
  std::vector<int> init;
};  // length 0: scalar
struct Chan {
  std::string name;
  bool typed = false;
  int capacity = 0;
  std::vector<bool> is_int;
};
struct Assign {
  int process = -1;
  std::string name;
  E index, value;
};
struct Trans {
  int from = 0, to = 0;
  E guard;
  int chan = -1;
  bool sends = false;
  std::vector<E> values;
  std::vector<Assign> targets, effects;
};
struct Proc {
  std::string name;
  std::vector<Var> vars;
  int states = 1, init = 0;
  std::set<int> commit;
  std::vector<std::pair<int, E>> asserts;
  std::vector<Trans> trans;
};
struct Model {
  std::vector<Var> vars;
  std::vector<Chan> chans;
  std::vector<Proc> procs;
  bool sync = false;
  int property = -1;
};

// --- as text ---

inline int level(const std::string& op) {
  static const std::map<std::string, int> levels{{"imply", 1}, {"or", 2}, {"||", 2}, {"and", 2}, {"&&", 2}, {"|", 3},
                                                 {"&", 3},     {"^", 3},  {"==", 4}, {"!=", 4},  {"<", 5},  {"<=", 5},
                                                 {">", 5},     {">=", 5}, {"<<", 6}, {">>", 6},  {"+", 7},  {"-", 7},
                                                 {"*", 8},     {"/", 8},  {"%", 8}};
  const auto found = levels.find(op);
  return found == levels.end() ? 9 : found->second;
}

// With as few brackets as the levels and left associativity allow. `self` is the process that the text stands in.
inline std::string text(const Model& m, const E& e, int self, int least = 0) {
  if (e->op == "num") return e->num < 0 ? "(" + std::to_string(e->num) + ")" : std::to_string(e->num);
  if (e->op == "state") return m.procs[e->process].name + ".s" + std::to_string(e->num);
  if (e->op == "var" || e->op == "at") {
    std::string s = e->process >= 0 && e->process != self ? m.procs[e->process].name + "->" + e->name : e->name;
    return e->op == "at" ? s + "[" + text(m, e->l, self) + "]" : s;
  }
  if (e->op[0] == 'u') return (e->op[1] == '!' ? "not " : e->op.substr(1)) + std::string(" ") + text(m, e->l, self, 9);
  const int mine = level(e->op);
  const std::string s = text(m, e->l, self, mine) + " " + e->op + " " + text(m, e->r, self, mine + 1);
  return mine < least ? "(" + s + ")" : s;
}

inline std::string text(const Var& v) {
  std::string s = std::string(v.is_int ? "int " : "byte ") + v.name;
  if (v.length > 0) s += "[" + std::to_string(v.length) + "]";
  if (v.init.empty()) return s + ";\n";
  if (v.length == 0) return s + " = " + std::to_string(v.init[0]) + ";\n";
  s += " = {";
  for (std::size_t i = 0; i < v.init.size(); ++i) s += (i ? ", " : "") + std::to_string(v.init[i]);
  return s + "};\n";
}

inline std::string text(const Model& m, const Assign& a, int self) {
  return a.name + (a.index ? "[" + text(m, a.index, self) + "]" : "") + (a.value ? " = " + text(m, a.value, self) : "");
}

inline std::string text(const Model& m) {
  std::string s;
  for (const Var& v : m.vars) s += text(v);
  for (const Chan& c : m.chans) {
    s += "channel ";
    if (c.typed) {
      s += "{";
      for (std::size_t i = 0; i < c.is_int.size(); ++i)
        s += std::string(i ? ", " : "") + (c.is_int[i] ? "int" : "byte");
      s += "} " + c.name + "[" + std::to_string(c.capacity) + "];\n";
    } else {
      s += c.name + ";\n";
    }
  }
  for (int p = 0; p < static_cast<int>(m.procs.size()); ++p) {
    const Proc& proc = m.procs[p];
    s += "process " + proc.name + " {\n";
    for (const Var& v : proc.vars) s += "  " + text(v);
    s += "  state ";
    for (int i = 0; i < proc.states; ++i) s += (i ? ", s" : "s") + std::to_string(i);
    s += ";\n  init s" + std::to_string(proc.init) + ";\n";
    for (const int c : proc.commit) s += "  commit s" + std::to_string(c) + ";\n";
    for (std::size_t i = 0; i < proc.asserts.size(); ++i) {
      s += (i ? ",\n    s" : "  assert s") + std::to_string(proc.asserts[i].first) + ": " +
           text(m, proc.asserts[i].second, p);
    }
    if (!proc.asserts.empty()) s += ";\n";
    for (std::size_t i = 0; i < proc.trans.size(); ++i) {
      const Trans& t = proc.trans[i];
      s += i ? ",\n    " : "  trans\n    ";
      // Sometimes the source state is left out, where it is that of the transition before.
      if (i == 0 || i % 2 == 0 || proc.trans[i - 1].from != t.from) s += "s" + std::to_string(t.from) + " ";
      s += "-> s" + std::to_string(t.to) + " { ";
      if (t.guard) s += "guard " + text(m, t.guard, p) + "; ";
      if (t.chan >= 0) {
        s += "sync " + m.chans[t.chan].name + (t.sends ? "!" : "?");
        const std::size_t n = t.sends ? t.values.size() : t.targets.size();
        if (n > 1) s += "{";
        for (std::size_t k = 0; k < n; ++k)
          s += (k ? ", " : "") + (t.sends ? text(m, t.values[k], p) : text(m, t.targets[k], p));
        s += n > 1 ? "}; " : "; ";
      }
      for (std::size_t k = 0; k < t.effects.size(); ++k) s += (k ? ", " : "effect ") + text(m, t.effects[k], p);
      s += t.effects.empty() ? "}" : "; }";
    }
    s += proc.trans.empty() ? "}\n" : ";\n}\n";
  }
  s += m.sync ? "system sync" : "system async";
  if (m.property >= 0) s += " property " + m.procs[m.property].name;
  return s + ";\n";
}

// --- as behaviour ---

struct RunError {};

struct World {
  std::map<std::pair<int, std::string>, std::vector<std::int64_t>> vars;
  std::vector<int> control;
  std::map<int, std::vector<std::vector<std::int64_t>>> queues;
  friend bool operator<(const World& a, const World& b) {
    return std::tie(a.vars, a.control, a.queues) < std::tie(b.vars, b.control, b.queues);
  }
};

inline std::int64_t wrap32(std::int64_t v) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(v & 0xffffffff));
}

inline std::int64_t value(const World& w, const E& e) {
  const std::string& op = e->op;
  if (op == "num") return e->num;
  if (op == "state") return w.control[e->process] == e->num;
  if (op == "var") return w.vars.at({e->process, e->name})[0];
  if (op == "at") {
    const auto& cells = w.vars.at({e->process, e->name});
    const std::int64_t i = value(w, e->l);
    if (i < 0 || i >= static_cast<std::int64_t>(cells.size())) throw RunError{};
    return cells[static_cast<std::size_t>(i)];
  }
  const std::int64_t a = value(w, e->l);
  if (op == "u-") return wrap32(-a);
  if (op == "u~") return wrap32(~a);
  if (op == "u!") return a == 0;
  if (op == "and" || op == "&&") return a == 0 ? 0 : value(w, e->r) != 0;
  if (op == "or" || op == "||") return a != 0 ? 1 : value(w, e->r) != 0;
  if (op == "imply") return a == 0 ? 1 : value(w, e->r) != 0;
  const std::int64_t b = value(w, e->r);
  if (op == "+") return wrap32(a + b);
  if (op == "-") return wrap32(a - b);
  if (op == "*") return wrap32(a * b);
  if (op == "/" || op == "%") {
    if (b == 0) throw RunError{};
    return wrap32(op == "/" ? a / b : a % b);
  }
  if (op == "<<") return wrap32(a << (b & 31));
  if (op == ">>") return a >> (b & 31);
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "|") return a | b;
  if (op == "&") return a & b;
  return a ^ b;
}

inline const Var& declared(const Model& m, int process, const std::string& name) {
  const auto& list = process < 0 ? m.vars : m.procs[process].vars;
  return *std::find_if(list.begin(), list.end(), [&](const Var& v) { return v.name == name; });
}

inline bool fits(std::int64_t v, bool is_int) { return is_int ? v >= -32768 && v <= 32767 : v >= 0 && v <= 255; }

inline void assign(const Model& m, World& w, const Assign& a, std::int64_t v) {
  auto& cells = w.vars[{a.process, a.name}];
  const std::int64_t i = a.index ? value(w, a.index) : 0;
  if (i < 0 || i >= static_cast<std::int64_t>(cells.size())) throw RunError{};
  if (!fits(v, declared(m, a.process, a.name).is_int)) throw RunError{};
  cells[static_cast<std::size_t>(i)] = v;
}
inline void effects(const Model& m, World& w, const Trans& t) {
  for (const Assign& a : t.effects) assign(m, w, a, value(w, a.value));
}

inline World initial(const Model& m) {
  World w;
  const auto put = [&](int p, const Var& v) {
    std::vector<std::int64_t> cells(v.length == 0 ? 1 : v.length, 0);
    for (std::size_t i = 0; i < cells.size() && i < v.init.size(); ++i) cells[i] = v.init[i];
    w.vars[{p, v.name}] = cells;
  };
  for (const Var& v : m.vars) put(-1, v);
  for (int p = 0; p < static_cast<int>(m.procs.size()); ++p) {
    for (const Var& v : m.procs[p].vars) put(p, v);
    w.control.push_back(m.procs[p].init);
  }
  return w;
}

// All successors; an empty optional is an error state.
inline std::vector<std::optional<World>> successors(const Model& m, const World& w) {
  std::vector<std::optional<World>> out;
  const int n = static_cast<int>(m.procs.size());
  // Guard of a transition in w: no, yes, or an error.
  enum class G { No, Yes, Error };
  const auto guard = [&](int p, const Trans& t) {
    if (t.from != w.control[p]) return G::No;
    try {
      return !t.guard || value(w, t.guard) != 0 ? G::Yes : G::No;
    } catch (RunError&) {
      return G::Error;
    }
  };
  if (m.sync) {
    std::vector<std::vector<const Trans*>> can(n);
    for (int p = 0; p < n; ++p) {
      for (const Trans& t : m.procs[p].trans) {
        const G g = guard(p, t);
        if (g == G::Error) return {std::nullopt};
        if (g == G::Yes) can[p].push_back(&t);
      }
      if (can[p].empty()) return {};
    }
    std::vector<std::vector<const Trans*>> rows{{}};
    for (int p = 0; p < n; ++p) {
      std::vector<std::vector<const Trans*>> longer;
      for (const auto& row : rows) {
        for (const Trans* t : can[p]) {
          longer.push_back(row);
          longer.back().push_back(t);
        }
      }
      rows = longer;
    }
    for (const auto& row : rows) {
      World next = w;
      try {
        for (int p = 0; p < n; ++p) {
          effects(m, next, *row[p]);
          next.control[p] = row[p]->to;
        }
        out.push_back(next);
      } catch (RunError&) {
        out.push_back(std::nullopt);
      }
    }
    return out;
  }
  bool committed = false;
  const auto commits = [&](int p) { return m.procs[p].commit.count(w.control[p]) > 0; };
  for (int p = 0; p < n; ++p) committed |= p != m.property && commits(p);
  // One step: process p by t, with q by u as receiver if u is not null; then with every move of the property process.
  const auto step = [&](int p, const Trans& t, int q, const Trans* u) {
    std::vector<const Trans*> observers{nullptr};
    if (m.property >= 0) {
      observers.clear();
      for (const Trans& o : m.procs[m.property].trans) {
        const G g = guard(m.property, o);
        if (g == G::Error) out.push_back(std::nullopt);
        if (g == G::Yes) observers.push_back(&o);
      }
    }
    for (const Trans* o : observers) {
      World next = w;
      try {
        if (u != nullptr) {
          std::vector<std::int64_t> sent;
          for (const E& v : t.values) sent.push_back(value(next, v));
          for (std::size_t i = 0; i < sent.size(); ++i) assign(m, next, u->targets[i], sent[i]);
          effects(m, next, *u);
          next.control[q] = u->to;
          effects(m, next, t);
        } else if (t.chan >= 0 && t.sends) {
          effects(m, next, t);
          std::vector<std::int64_t> sent;
          for (std::size_t i = 0; i < t.values.size(); ++i) {
            sent.push_back(value(next, t.values[i]));
          }
          for (std::size_t i = 0; i < sent.size(); ++i) {
            if (!fits(sent[i], m.chans[t.chan].is_int[i])) throw RunError{};
          }
          next.queues[t.chan].push_back(sent);
        } else if (t.chan >= 0) {
          const std::vector<std::int64_t> message = next.queues[t.chan].front();
          next.queues[t.chan].erase(next.queues[t.chan].begin());
          if (next.queues[t.chan].empty()) next.queues.erase(t.chan);
          for (std::size_t i = 0; i < message.size(); ++i) assign(m, next, t.targets[i], message[i]);
          effects(m, next, t);
        } else {
          effects(m, next, t);
        }
        next.control[p] = t.to;
        if (o != nullptr) {
          effects(m, next, *o);
          next.control[m.property] = o->to;
        }
        out.push_back(next);
      } catch (RunError&) {
        out.push_back(std::nullopt);
      }
    }
  };
  for (int p = 0; p < n; ++p) {
    if (p == m.property || (committed && !commits(p))) continue;
    for (const Trans& t : m.procs[p].trans) {
      const bool buffered = t.chan >= 0 && m.chans[t.chan].capacity > 0;
      if (t.chan >= 0 && !buffered && !t.sends) continue;
      const G g = guard(p, t);
      if (g == G::No) continue;
      if (g == G::Error) {
        out.push_back(std::nullopt);
        continue;
      }
      if (buffered) {
        const auto queue = w.queues.find(t.chan);
        const int length = queue == w.queues.end() ? 0 : static_cast<int>(queue->second.size());
        if (t.sends ? length < m.chans[t.chan].capacity : length > 0) step(p, t, -1, nullptr);
      } else if (t.chan < 0) {
        step(p, t, -1, nullptr);
      } else {
        for (int q = 0; q < n; ++q) {
          if (q == p || q == m.property || (committed && !commits(q))) continue;
          for (const Trans& u : m.procs[q].trans) {
            if (u.chan != t.chan || u.sends) continue;
            const G h = guard(q, u);
            if (h == G::Error) out.push_back(std::nullopt);
            if (h == G::Yes) step(p, t, q, &u);
          }
        }
      }
    }
  }
  return out;
}

struct Result {
  std::uint64_t states = 0, edges = 0, errors = 0, failed_asserts = 0, deadlocks = 0, levels = 0;
  bool complete = true;
};

inline Result explore(const Model& m, std::size_t most) {
  Result r;
  std::set<World> seen{initial(m)};
  std::vector<World> level{initial(m)};
  while (!level.empty() && r.complete) {
    ++r.levels;
    std::vector<World> next_level;
    for (const World& w : level) {
      bool failed = false;
      for (int p = 0; p < static_cast<int>(m.procs.size()); ++p) {
        for (const auto& [state, condition] : m.procs[p].asserts) {
          if (state != w.control[p]) continue;
          try {
            failed |= value(w, condition) == 0;
          } catch (RunError&) {
            failed = true;
          }
        }
      }
      r.failed_asserts += failed;
      const auto next = successors(m, w);
      if (next.empty()) ++r.deadlocks;
      for (const auto& n : next) {
        if (!n) {
          ++r.errors;
          continue;
        }
        ++r.edges;
        if (seen.insert(*n).second) next_level.push_back(*n);
      }
      if (seen.size() > most) {
        r.complete = false;
        break;
      }
    }
    level = std::move(next_level);
  }
  r.states = seen.size();
  return r;
}

}  // namespace heddle::tests::naive
