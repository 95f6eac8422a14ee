// SPDX-License-Identifier: Apache-2.0
#include "ltl/translate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "ltl/degeneralise.h"
#include "ltl/formula.h"
#include "ltl/reduce.h"

namespace heddle::ltl {
namespace {

// Classes of letters that a state is divided into at most; beyond, its edges overlap.
constexpr unsigned most_paths = 2000;

// Beyond this number of propositions diagrams over letters and obligations may grow exponentially with it (their order
// has all letters first): products of both are then kept as a list, and states are told apart by their formulas.
constexpr std::size_t most_diagram_atoms = 10;

class Tableau {
 public:
  Tableau(const Sentence& sentence, const TranslateOptions& options) : options_(options) {
    for (const Atom& atom : sentence.atoms) result_.atoms.push_back(atom.text);
    first_variable_ = static_cast<std::uint32_t>(result_.atoms.size());
    root_ = formulas_.from(sentence, !options.negated);
    wide_ = result_.atoms.size() > most_diagram_atoms;
  }

  std::optional<Automaton> run() {
    result_.initial = state({take_recurring()});
    while (!waiting_.empty() || !waiting_lists_.empty()) {
      if (options_.stop && options_.stop()) return std::nullopt;
      if (wide_) {
        const auto [number, owes] = std::move(waiting_lists_.back());
        waiting_lists_.pop_back();
        expand_list(number, owes);
      } else {
        const auto [number, step] = waiting_.back();
        waiting_.pop_back();
        expand(number, step);
      }
      if (numbers_.size() > most_marks) return std::nullopt;
    }
    result_.sets = static_cast<unsigned>(numbers_.size());
    // Until now marks are promises; an acceptance set holds the edges without its promise.
    for (auto& out : result_.edges)
      for (Edge& e : out) e.marks = result_.every_mark() & ~e.marks;
    return std::move(result_);
  }

 private:
  bool is_boolean(Formula f) const {
    const auto& n = formulas_[f];
    return n.op <= Op::Literal ||
           (n.op <= Op::Or && std::ranges::all_of(n.operands, [&](Formula g) { return is_boolean(g); }));
  }

  // The operands of a conjunction, or the formula itself.
  std::vector<Formula> conjuncts(Formula f) const {
    return formulas_[f].op == Op::And ? formulas_[f].operands : std::vector{f};
  }

  // The root without its conjuncts GF p, which may stand together as in G(F p ∧ F q ∧ r).
  Formula take_recurring() {
    std::vector<Formula> rest;
    for (const Formula f : conjuncts(root_)) {
      if (!formulas_.is_globally(f)) {
        rest.push_back(f);
        continue;
      }
      std::vector<Formula> always;
      for (const Formula inner : conjuncts(formulas_[f].operands[1])) {
        if (formulas_.is_finally(inner) && is_boolean(formulas_[inner].operands[1]))
          result_.recurring.push_back(now(formulas_[inner].operands[1]));
        else always.push_back(inner);
      }
      rest.push_back(formulas_.globally(formulas_.conjunction(std::move(always))));
    }
    return formulas_.conjunction(std::move(rest));
  }

  // The state that owes all of these. States are told apart by what they ask of the letter and the next state.
  // Equivalent sets of formulas are not replaced by each other: of φ = a R XF b, which implies XF b, a run could go on
  // owing φ alone, and the promise of b would never be made.
  std::uint32_t state(const std::vector<Formula>& owes) {
    if (wide_) return wide_state(owes);
    Set step = all;
    for (const Formula f : owes) step = letters().both(step, now(f));
    const auto [at, fresh] = states_.try_emplace(step, static_cast<std::uint32_t>(result_.edges.size()));
    if (fresh) {
      result_.edges.emplace_back();
      waiting_.emplace_back(at->second, step);
    }
    return at->second;
  }

  Set fresh_variable(std::map<Formula, std::uint32_t>& table, Formula f) {
    const auto [at, fresh] = table.try_emplace(f, static_cast<std::uint32_t>(first_variable_ + meaning_.size()));
    if (fresh) meaning_.push_back({&table == &promises_, f});
    return letters().variable(at->second);
  }

  // The next state owes f. A conjunction is owed by parts: parts that several conjuncts owe are one variable.
  Set owed(Formula f) {
    if (f == top) return all;
    if (f == bottom) return none;
    if (formulas_[f].op != Op::And) return fresh_variable(owed_, f);
    Set result = all;
    for (const Formula g : std::vector(formulas_[f].operands)) result = letters().both(result, owed(g));
    return result;
  }

  // What f asks of this letter and of the next state.
  Set now(Formula f) {
    if (const auto known = now_.find(f); known != now_.end()) return known->second;
    const Formulas::Node n = formulas_[f];
    Bdd& b = letters();
    Set result = none;
    switch (n.op) {
      case Op::False: break;
      case Op::True: result = all; break;
      case Op::Literal: result = n.positive ? b.variable(n.atom) : b.complement(b.variable(n.atom)); break;
      case Op::And:
        result = all;
        for (const Formula g : n.operands) result = b.both(result, now(g));
        break;
      case Op::Or:
        for (const Formula g : n.operands) result = b.either(result, now(g));
        break;
      case Op::Next: result = owed(n.operands[0]); break;
      case Op::Until: {
        const Set later = b.both(fresh_variable(promises_, n.operands[1]), owed(f));
        result = b.either(now(n.operands[1]), b.both(now(n.operands[0]), later));
        break;
      }
      case Op::Release: result = b.both(now(n.operands[1]), b.either(now(n.operands[0]), owed(f))); break;
    }
    now_.emplace(f, result);
    return result;
  }

  // Letters that leave the same diagram over what is owed and promised, as one label: the automaton becomes as
  // deterministic as its formula allows. False: there are too many such classes of letters.
  bool letters_of(Set s, Set path, std::map<Set, Set>& labels) {
    if (s == none) return true;
    if (++paths_ > most_paths) return false;
    const Bdd::Node n = letters()[s];
    if (n.variable >= first_variable_) {
      Set& label = labels.try_emplace(s, none).first->second;
      label = letters().either(label, path);
      return true;
    }
    const Set v = letters().variable(n.variable);
    return letters_of(n.low, letters().without(path, v), labels) && letters_of(n.high, letters().both(path, v), labels);
  }

  void expand(std::uint32_t number, Set step) {
    std::map<Set, Set> labels;
    paths_ = 0;
    if (!letters_of(step, all, labels)) labels = {{step, all}};
    // What is owed and promised occurs positively only, so a product of the diagram is a product of them.
    for (const auto& [rest, label] : labels)
      for (const Cube& cube : irredundant_cubes(letters(), rest)) add_edge(number, label, cube);
  }

  void add_edge(std::uint32_t number, Set label, const Cube& cube) {
    std::vector<Formula> next;
    Marks promised = 0;
    for (const Literal& literal : cube) {
      if (literal.variable < first_variable_) {
        const Set v = letters().variable(literal.variable);
        label = literal.positive ? letters().both(label, v) : letters().without(label, v);
        continue;
      }
      const auto& [is_promise, formula] = meaning_[literal.variable - first_variable_];
      if (!is_promise) next.push_back(formula);
      else promised |= Marks{1} << (promise_number(formula) % most_marks);
    }
    const std::uint32_t target = state(next);
    result_.edges[number].push_back({label, target, promised});
  }

  // Many propositions ------------------------------------------------------------------------------------------------

  struct Product {
    Set label = all;
    std::vector<Formula> next, promised;  // sorted
  };
  using Products = std::vector<Product>;

  static std::vector<Formula> united(const std::vector<Formula>& a, const std::vector<Formula>& b) {
    std::vector<Formula> result;
    std::ranges::set_union(a, b, std::back_inserter(result));
    return result;
  }

  // Adds the product unless another one asks for less.
  void add_product(Products& products, Product product) {
    const auto weaker = [&](const Product& a, const Product& b) {
      return letters().within(b.label, a.label) && std::ranges::includes(b.next, a.next) &&
             std::ranges::includes(b.promised, a.promised);
    };
    if (product.label == none ||
        std::ranges::any_of(products, [&](const Product& other) { return weaker(other, product); }))
      return;
    std::erase_if(products, [&](const Product& other) { return weaker(product, other); });
    products.push_back(std::move(product));
  }

  Products both(const Products& a, const Products& b) {
    Products result;
    for (const Product& x : a)
      for (const Product& y : b)
        add_product(result, {letters().both(x.label, y.label), united(x.next, y.next), united(x.promised, y.promised)});
    return result;
  }

  Products either(Products a, const Products& b) {
    for (const Product& y : b) add_product(a, y);
    return a;
  }

  // As now().
  Products products_now(Formula f) {
    const Formulas::Node n = formulas_[f];
    const Products later = {{all, {f}, {}}};
    Products result;
    switch (n.op) {
      case Op::False:
      case Op::True:
      case Op::Literal: return {{now(f), {}, {}}};
      case Op::And:
        result = {{}};
        for (const Formula g : n.operands) result = both(result, products_now(g));
        return result;
      case Op::Or:
        for (const Formula g : n.operands) result = either(std::move(result), products_now(g));
        return result;
      case Op::Next: return {{all, {n.operands[0]}, {}}};
      case Op::Until:
        return either(products_now(n.operands[1]), both(products_now(n.operands[0]), {{all, {f}, {n.operands[1]}}}));
      case Op::Release: return both(products_now(n.operands[1]), either(products_now(n.operands[0]), later));
    }
    return result;
  }

  std::uint32_t wide_state(const std::vector<Formula>& owes) {
    const auto [at, fresh] = lists_.try_emplace(owes, static_cast<std::uint32_t>(result_.edges.size()));
    if (fresh) {
      result_.edges.emplace_back();
      waiting_lists_.emplace_back(at->second, owes);
    }
    return at->second;
  }

  void expand_list(std::uint32_t number, const std::vector<Formula>& owes) {
    Products products = {{}};
    for (const Formula f : owes) products = both(products, products_now(f));
    for (const Product& product : products) {
      Marks promised = 0;
      for (const Formula f : product.promised) promised |= Marks{1} << (promise_number(f) % most_marks);
      const std::uint32_t target = wide_state(product.next);
      result_.edges[number].push_back({product.label, target, promised});
    }
  }

  std::size_t promise_number(Formula f) { return numbers_.try_emplace(f, numbers_.size()).first->second; }

  Bdd& letters() { return *result_.letters; }

  const TranslateOptions& options_;
  Formulas formulas_;
  Formula root_ = top;
  Automaton result_;
  std::uint32_t first_variable_ = 0;
  std::map<Formula, std::uint32_t> owed_, promises_;
  std::vector<std::pair<bool, Formula>> meaning_;  // of the variables from first_variable_ on: promise?, formula
  std::map<Formula, std::size_t> numbers_;
  std::unordered_map<Formula, Set> now_;
  unsigned paths_ = 0;
  std::unordered_map<Set, std::uint32_t> states_;
  std::vector<std::pair<std::uint32_t, Set>> waiting_;
  bool wide_ = false;
  std::map<std::vector<Formula>, std::uint32_t> lists_;
  std::vector<std::pair<std::uint32_t, std::vector<Formula>>> waiting_lists_;
};

}  // namespace

std::optional<Automaton> generalised(const Sentence& sentence, const TranslateOptions& options) {
  auto automaton = Tableau(sentence, options).run();
  if (automaton) reduce(*automaton);
  return automaton;
}

std::optional<Automaton> buchi(const Sentence& sentence, const TranslateOptions& options) {
  const auto automaton = generalised(sentence, options);
  if (!automaton) return std::nullopt;
  return degeneralise(*automaton);
}

}  // namespace heddle::ltl
