// SPDX-License-Identifier: Apache-2.0
#include "axioms/cat.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <variant>

#include "axioms/cat_syntax.h"
#include "axioms/fences.h"
#include "axioms/models.h"
#include "core/input.h"

namespace heddle::axioms {

namespace {

using cat::Binding;
using cat::Expr;
using cat::Instruction;

constexpr std::string_view set_names[] = {
    "W", "R", "M", "F", "B", "BR", "IW", "FW", "I", "RMW", "X", "EX", "AMO", "A", "Q", "L", "NoRet", "emptyset",
    // C11
    "NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC", "CON", "ATOMIC",
    // RISC-V annotations
    "Acq", "Rel", "AcqRel", "Sc",
    // fences
    "MFENCE", "LFENCE", "SFENCE", "SYNC", "LWSYNC", "EIEIO", "ISYNC", "ISB", "DMB.SY", "DMB.LD", "DMB.ST", "DSB.SY",
    "DSB.LD", "DSB.ST", "DMB.ISH", "DMB.ISHLD", "DMB.ISHST", "DMB.OSH", "DMB.OSHLD", "DMB.OSHST", "DSB.ISH",
    "DSB.ISHLD", "DSB.ISHST", "DSB.OSH", "DSB.OSHLD", "DSB.OSHST", "Fence.r.r", "Fence.r.w", "Fence.r.rw", "Fence.w.r",
    "Fence.w.w", "Fence.w.rw", "Fence.rw.r", "Fence.rw.w", "Fence.rw.rw", "Fence.tso", "Fence.i"};
constexpr std::string_view relation_names[] = {"po",   "rf",  "co",  "fr",  "rmw", "amo",    "lxsx", "addr", "data",
                                               "ctrl", "loc", "ext", "int", "id",  "po-loc", "rfe",  "rfi",  "coe",
                                               "coi",  "fre", "fri", "com", "si",  "sm",     "co0"};
constexpr std::string_view function_names[] = {"fencerel", "domain", "range", "toid", "noid", "WW", "WR",
                                               "RW",       "RR",     "RM",    "MR",   "WM",   "MW", "MM"};

// Raised during evaluation; becomes CatVerdict::error.
struct Wrong {
  std::string message;
};

// The same where no other way of evaluation (`try`) may be tried instead.
struct Stop {
  std::string message;
  bool by_budget = false;
};

constexpr std::uint64_t most_steps = 1'000'000;
constexpr unsigned deepest = 200;  // a step needs some kilobytes of stack

template <unsigned W>
struct Function;
template <unsigned W>
struct Procedure;

// The empty value is a set or a relation, as its use demands.
struct Nothing {};

template <unsigned W>
using Item = std::variant<Nothing, EventSet<W>, Relation<W>, std::shared_ptr<const Function<W>>>;

template <unsigned W>
struct Environment {
  std::map<std::string, Item<W>, std::less<>> names;
  std::map<std::string, std::shared_ptr<const Procedure<W>>> procedures;
  const Environment* outer = nullptr;

  const Item<W>* find(std::string_view name) const {
    for (const Environment* e = this; e != nullptr; e = e->outer)
      if (const auto found = e->names.find(name); found != e->names.end()) return &found->second;
    return nullptr;
  }
  const Procedure<W>* procedure(const std::string& name) const {
    for (const Environment* e = this; e != nullptr; e = e->outer)
      if (const auto found = e->procedures.find(name); found != e->procedures.end()) return found->second.get();
    return nullptr;
  }
  // What is visible here but for the outermost names, for what outlives this scope and its outer ones.
  std::shared_ptr<const Environment> capture() const {
    auto all = std::make_shared<Environment>(*this);
    for (; all->outer != nullptr && all->outer->outer != nullptr; all->outer = all->outer->outer) {
      all->names.insert(all->outer->names.begin(), all->outer->names.end());
      all->procedures.insert(all->outer->procedures.begin(), all->outer->procedures.end());
    }
    return all;
  }
};

// Both with the names as they were where they were defined.
template <unsigned W>
struct Function {
  const Binding* binding;
  std::shared_ptr<const Environment<W>> captured;
};
template <unsigned W>
struct Procedure {
  const Instruction* definition;
  std::shared_ptr<const Environment<W>> captured;
};

template <unsigned W>
class Evaluation {
 public:
  using Set = EventSet<W>;
  using Rel = Relation<W>;

  Evaluation(const Execution<W>& x, const core::Budget* budget, bool of_c = false) : x_(x), budget_(budget) {
    predefine();
    if (of_c) base_.names["A"] = base_.names["ATOMIC"];
  }

  CatVerdict run(const cat::Program& program) {
    CatVerdict verdict;
    try {
      Environment<W> globals;
      globals.outer = &base_;
      verdict.accepted = execute(program.instructions, globals, verdict);
    } catch (const Wrong& w) {
      verdict.error = w.message;
    } catch (const Stop& s) {
      verdict.error = s.message;
      verdict.stopped = s.by_budget;
    }
    return verdict;
  }

  // Whether every instruction gets sets where it needs sets and relations where it needs relations; if not, where
  // (Instruction::at) and why.
  struct TypeError {
    std::size_t at;
    std::string message;
    bool stopped;
  };
  std::optional<TypeError> type_error(const cat::Program& program) {
    checking_ = true;
    const CatVerdict verdict = run(program);
    if (verdict.error.empty()) return std::nullopt;
    return TypeError{at_, verdict.error, verdict.stopped};
  }

 private:
  Set fences_with(core::Tag tag) const {
    return x_.where([&](const Event& e) { return e.kind == EventKind::Fence && e.tag == tag; });
  }
  Set ordered(core::Order o) const {
    return x_.where([&](const Event& e) { return e.kind != EventKind::Init && e.tag == 0 && e.order == o; });
  }

  void predefine() {
    using core::Order;
    auto& n = base_.names;
    const Tags& t = tags();
    n["W"] = x_.writes;
    n["R"] = x_.reads;
    n["M"] = x_.accesses;
    n["F"] = x_.fences;
    n["B"] = n["BR"] = x_.branches;
    n["IW"] = n["I"] = x_.inits;
    n["FW"] = x_.writes - x_.co.domain();
    n["RMW"] = x_.rmw.domain() | x_.rmw.range();
    const Set amo = x_.where([](const Event& e) { return e.in_rmw; });
    const Set exclusive = x_.where([](const Event& e) { return e.exclusive; });
    n["X"] = n["AMO"] = amo;
    n["EX"] = exclusive;
    n["emptyset"] = Set{};
    const Set q = x_.where([&](const Event& e) { return e.is_read() && e.tag == t.acquire_pc; });
    n["Q"] = q;
    n["A"] = x_.where([](const Event& e) { return e.is_read() && at_least_acquire(e.order); }) - q;
    n["L"] = x_.where([](const Event& e) { return e.kind == EventKind::Write && at_least_release(e.order); });
    n["NoRet"] = x_.where([&](const Event& e) { return e.tag == t.no_return; });
    n["NA"] = x_.inits | x_.where([](const Event& e) { return e.is_access() && e.order == Order::Plain; });
    n["RLX"] = ordered(Order::Relaxed);
    n["ACQ"] = n["Acq"] = ordered(Order::Acquire);
    n["REL"] = n["Rel"] = ordered(Order::Release);
    n["ACQ_REL"] = n["AcqRel"] = ordered(Order::AcqRel);
    n["SC"] = n["Sc"] = ordered(Order::SeqCst);
    n["CON"] = Set{};
    n["ATOMIC"] = x_.where([](const Event& e) { return e.kind != EventKind::Init && e.order != Order::Plain; });
    n["MFENCE"] = fences_with(t.mfence);
    n["LFENCE"] = fences_with(t.lfence);
    n["SFENCE"] = fences_with(t.sfence);
    n["SYNC"] = fences_with(t.sync);
    n["LWSYNC"] = fences_with(t.lwsync);
    n["EIEIO"] = fences_with(t.eieio);
    n["ISYNC"] = fences_with(t.isync);
    n["ISB"] = fences_with(t.isb);
    n["DMB.SY"] = fences_with(t.dmb_sy);
    n["DMB.LD"] = fences_with(t.dmb_ld);
    n["DMB.ST"] = fences_with(t.dmb_st);
    n["DSB.SY"] = fences_with(t.dsb_sy);
    n["DSB.LD"] = fences_with(t.dsb_ld);
    n["DSB.ST"] = fences_with(t.dsb_st);
    for (const std::string kind : {"DMB.", "DSB."})  // domains are not told apart
      for (const std::string domain : {"ISH", "OSH"}) {
        n[kind + domain] = n[kind + "SY"];
        n[kind + domain + "LD"] = n[kind + "LD"];
        n[kind + domain + "ST"] = n[kind + "ST"];
      }
    const char* sides[] = {"", "r", "w", "rw"};
    for (int p = 1; p < 4; ++p)
      for (int s = 1; s < 4; ++s) n[fmt::format("Fence.{}.{}", sides[p], sides[s])] = fences_with(t.rv_fence[p][s]);
    n["Fence.tso"] = fences_with(t.fence_tso);
    n["Fence.i"] = fences_with(t.fence_i);

    n["po"] = x_.po;
    n["rf"] = x_.rf;
    n["co"] = x_.co;
    n["fr"] = x_.fr;
    n["rmw"] = x_.rmw;
    n["amo"] = x_.rmw.between(amo, amo);
    n["lxsx"] = x_.rmw.between(exclusive, exclusive);
    n["addr"] = x_.addr;
    n["data"] = x_.data;
    n["ctrl"] = x_.ctrl;
    n["loc"] = x_.loc;
    n["ext"] = complement(x_.same);
    n["int"] = x_.same;
    n["id"] = n["si"] = n["sm"] = x_.id(x_.all);
    n["po-loc"] = x_.po_loc;
    n["rfe"] = x_.rfe;
    n["rfi"] = x_.rfi;
    n["coe"] = x_.coe;
    n["coi"] = x_.coi;
    n["fre"] = x_.fre;
    n["fri"] = x_.fri;
    n["com"] = x_.rf | x_.co | x_.fr;
    n["co0"] = x_.loc.between(x_.inits, x_.writes - x_.inits);
  }

  Rel as_relation(const Item<W>& v, std::string_view what) const {
    if (const Rel* r = std::get_if<Rel>(&v)) return *r;
    if (std::holds_alternative<Nothing>(v)) return Rel(x_.size());
    throw Wrong{fmt::format("a relation is needed in {}", what)};
  }
  Set as_set(const Item<W>& v, std::string_view what) const {
    if (const Set* s = std::get_if<Set>(&v)) return *s;
    if (std::holds_alternative<Nothing>(v)) return Set{};
    throw Wrong{fmt::format("a set is needed in {}", what)};
  }

  // For operations that work on two sets or on two relations.
  template <class F>
  Item<W> both(const Item<W>& a, const Item<W>& b, std::string_view what, F&& f) const {
    if (std::holds_alternative<Set>(a) || std::holds_alternative<Set>(b)) return f(as_set(a, what), as_set(b, what));
    if (std::holds_alternative<Nothing>(a) && std::holds_alternative<Nothing>(b)) return Nothing{};
    return f(as_relation(a, what), as_relation(b, what));
  }

  // Functions can call each other twice each: a short text may stand for any number of steps.
  void count_step() {
    if (++steps_ > most_steps)
      throw Stop{fmt::format("the model takes more than {} operations for one execution", most_steps)};
    if (budget_ == nullptr || steps_ % 16 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    next_look_ = now + std::chrono::milliseconds(20);
    if (auto reason = budget_->over()) throw Stop{std::move(reason->text), true};
  }

  class Deeper {
   public:
    explicit Deeper(unsigned& depth) : depth_(depth) {
      if (depth_ == deepest) throw Wrong{"expressions and functions are nested too deeply"};
      ++depth_;
    }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    unsigned& depth_;
  };

  // An operation on two sets or on two relations, from the left through all parts.
  template <class F>
  Item<W> fold(const Expr& e, const Environment<W>& env, std::string_view what, F&& f) {
    Item<W> result = evaluate(*e.parts[0], env);
    for (std::size_t i = 1; i < e.parts.size(); ++i) {
      const Item<W> right = evaluate(*e.parts[i], env);
      result = both(result, right, what, f);
      count_step();
    }
    return result;
  }

  Item<W> sequence(const Expr& e, const Environment<W>& env) {
    Rel result = as_relation(evaluate(*e.parts[0], env), "a sequence");
    for (std::size_t i = 1; i < e.parts.size(); ++i) {
      result = seq(result, as_relation(evaluate(*e.parts[i], env), "a sequence"));
      count_step();
    }
    return result;
  }

  Item<W> evaluate(const Expr& e, const Environment<W>& env) {
    using K = Expr::Kind;
    count_step();
    const Deeper deeper(depth_);
    const auto part = [&](std::size_t i) { return evaluate(*e.parts[i], env); };
    switch (e.kind) {
      case K::Empty: return Nothing{};
      case K::Universe: return x_.all;
      case K::Name: {
        const Item<W>* found = env.find(e.name);
        if (found == nullptr) throw Wrong{fmt::format("'{}' is not a value", e.name)};
        return *found;
      }
      case K::Call: return call(e, env);
      case K::Union: return fold(e, env, "a union", [](auto a, const auto& b) -> Item<W> { return a | b; });
      case K::Intersection:
        return fold(e, env, "an intersection", [](auto a, const auto& b) -> Item<W> { return a & b; });
      case K::Difference: return fold(e, env, "a difference", [](auto a, const auto& b) -> Item<W> { return a - b; });
      case K::Sequence: return sequence(e, env);
      case K::Product: return x_.cross(as_set(part(0), "a product"), as_set(part(1), "a product"));
      case K::Inverse: return inverse(as_relation(part(0), "an inverse"));
      case K::Plus: return closure(as_relation(part(0), "a closure"));
      case K::Star: return star(as_relation(part(0), "a closure"));
      case K::Maybe: return maybe(as_relation(part(0), "an optional step"));
      case K::Complement: {
        const Item<W> v = part(0);
        if (const Set* s = std::get_if<Set>(&v)) return x_.all - *s;
        return complement(as_relation(v, "a complement"));
      }
      case K::Identity: return x_.id(as_set(part(0), "[…]"));
      case K::Let: {
        Environment<W> inner;
        inner.outer = &env;
        bind(e.bindings, e.recursive, inner);
        return evaluate(*e.parts[0], inner);
      }
      case K::Try: try { return part(0);
        } catch (const Wrong&) {
          return part(1);
        }
    }
    throw Wrong{"an expression that is not supported"};
  }

  Item<W> call(const Expr& e, const Environment<W>& env) {
    std::vector<Item<W>> args;
    for (const auto& p : e.parts) args.push_back(evaluate(*p, env));
    if (const Item<W>* found = env.find(e.name)) {
      const auto* f = std::get_if<std::shared_ptr<const Function<W>>>(found);
      if (f == nullptr) throw Wrong{fmt::format("'{}' is not a function", e.name)};
      const Binding& b = *(*f)->binding;
      if (args.size() != b.params.size()) throw Wrong{fmt::format("'{}' takes {} arguments", e.name, b.params.size())};
      Environment<W> inner;
      inner.outer = (*f)->captured.get();
      for (std::size_t i = 0; i < args.size(); ++i) inner.names[b.params[i]] = args[i];
      return evaluate(*b.body, inner);
    }
    const std::string_view n = e.name;
    if (std::ranges::find(function_names, n) == std::end(function_names))
      throw Wrong{fmt::format("there is no function '{}'", n)};
    if (args.size() != 1) throw Wrong{fmt::format("'{}' takes one argument", n)};
    if (n == "fencerel") return x_.fenced(as_set(args[0], n));
    if (n == "toid") return x_.id(as_set(args[0], n));
    const Rel r = as_relation(args[0], n);
    if (n == "domain") return r.domain();
    if (n == "range") return r.range();
    if (n == "noid") return r - x_.id(x_.all);
    const auto kind = [&](char c) { return c == 'W' ? x_.writes : c == 'R' ? x_.reads : x_.accesses; };
    return r.between(kind(n[0]), kind(n[1]));
  }

  void bind(const std::vector<Binding>& bindings, bool recursive, Environment<W>& env) {
    if (!recursive) {
      std::vector<Item<W>> values;
      for (const Binding& b : bindings) {
        if (b.is_function) {
          values.push_back(std::make_shared<const Function<W>>(Function<W>{&b, env.capture()}));
        } else {
          values.push_back(evaluate(*b.body, env));
        }
      }
      for (std::size_t i = 0; i < bindings.size(); ++i) env.names[bindings[i].name] = std::move(values[i]);
      return;
    }
    // The least solution, from the empty one upwards.
    for (const Binding& b : bindings) env.names[b.name] = Nothing{};
    for (unsigned round = 0;; ++round) {
      bool stable = true;
      for (const Binding& b : bindings) {
        Item<W> next = evaluate(*b.body, env);
        Item<W>& now = env.names[b.name];
        const bool same = both_equal(next, now);
        stable &= same;
        now = std::move(next);
      }
      if (stable) return;
      if (round > x_.size() * x_.size() * bindings.size() + 10)
        throw Wrong{fmt::format("the recursive definition of '{}' has no least solution", bindings[0].name)};
    }
  }

  bool both_equal(const Item<W>& a, const Item<W>& b) const {
    if (std::holds_alternative<Set>(a) || std::holds_alternative<Set>(b))
      return as_set(a, "a recursive definition") == as_set(b, "a recursive definition");
    return as_relation(a, "a recursive definition") == as_relation(b, "a recursive definition");
  }

  // False as soon as a test fails.
  bool execute(const std::vector<Instruction>& instructions, Environment<W>& env, CatVerdict& verdict) {
    for (const Instruction& i : instructions) {
      at_ = i.at;
      switch (i.kind) {
        case Instruction::Kind::Let: bind(i.bindings, i.recursive, env); break;
        case Instruction::Kind::Procedure:
          env.procedures[i.name] = std::make_shared<const Procedure<W>>(Procedure<W>{&i, env.capture()});
          break;
        case Instruction::Kind::Call: {
          const Procedure<W>* p = env.procedure(i.name);
          if (p == nullptr) throw Wrong{fmt::format("there is no procedure '{}'", i.name)};
          const std::vector<std::string>& params = p->definition->params;
          Environment<W> inner;
          inner.outer = p->captured.get();
          for (std::size_t k = 0; k < params.size(); ++k) inner.names[params[k]] = evaluate(*i.args[k], env);
          const Deeper deeper(depth_);
          if (!execute(p->definition->body, inner, verdict)) return false;
          break;
        }
        case Instruction::Kind::Test: {
          const Item<W> v = evaluate(*i.expr, env);
          bool holds = false;
          if (i.test == Instruction::Test::Empty && std::holds_alternative<Set>(v)) holds = std::get<Set>(v).empty();
          else {
            const Rel r = as_relation(v, "a test");
            holds = i.test == Instruction::Test::Acyclic       ? acyclic(r)
                    : i.test == Instruction::Test::Irreflexive ? irreflexive(r)
                                                               : r.empty();
          }
          holds = holds != i.negated;
          if (i.flag) {
            if (holds) verdict.flags.push_back(i.name.empty() ? "flag" : i.name);
          } else if (!holds && !checking_) {
            verdict.failed = i.name.empty() ? "a test without a name" : i.name;
            return false;
          }
          break;
        }
      }
    }
    return true;
  }

  const Execution<W>& x_;
  const core::Budget* budget_;
  std::uint64_t steps_ = 0;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
  Environment<W> base_;
  unsigned depth_ = 0;
  bool checking_ = false;  // no test ends the run
  std::size_t at_ = 0;     // the present instruction
};

}  // namespace

bool cat::is_predefined(std::string_view name) {
  for (std::string_view n : set_names)
    if (n == name) return true;
  for (std::string_view n : relation_names)
    if (n == name) return true;
  for (std::string_view n : function_names)
    if (n == name) return true;
  return false;
}

support::Result<CatModel> CatModel::parse(const std::string& file, std::string_view text, const core::Budget* budget) {
  auto program = cat::parse(file, text, budget);
  if (!program) return program.error();
  Execution<1> nothing;  // types do not depend on the events
  nothing.reset();
  nothing.derive_static();
  nothing.derive();
  if (const auto wrong = Evaluation<1>(nothing, budget).type_error(*program)) {
    support::Diagnostic d = cat::mistake(file, text, wrong->at, wrong->message);
    d.limit = wrong->stopped;
    return d;
  }
  CatModel model;
  model.name_ = program->title.empty() ? std::filesystem::path(file).stem().string() : program->title;
  model.program_ = std::make_shared<const cat::Program>(std::move(*program));
  return model;
}

support::Result<CatModel> CatModel::read(const std::string& file, const core::Budget* budget) {
  const auto text = core::read_input(file, budget);
  if (!text) return text.error();
  return parse(file, *text, budget);
}

CatVerdict CatModel::judge(const Execution<1>& x, const core::Budget* budget, bool of_c) const {
  return Evaluation<1>(x, budget, of_c).run(*program_);
}
CatVerdict CatModel::judge(const Execution<4>& x, const core::Budget* budget, bool of_c) const {
  return Evaluation<4>(x, budget, of_c).run(*program_);
}
CatVerdict CatModel::judge(const Execution<16>& x, const core::Budget* budget, bool of_c) const {
  return Evaluation<16>(x, budget, of_c).run(*program_);
}

}  // namespace heddle::axioms
