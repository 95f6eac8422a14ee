// SPDX-License-Identifier: Apache-2.0
#include "check/lasso_semantics.h"

#include <functional>

#include "support/diagnostics.h"

namespace heddle::check {
namespace {

using Truth = std::vector<char>;  // by place

// The least (or greatest) solution of x = f(x at this place, x at the next one) over the places of the lasso.
Truth solve(std::size_t places, std::size_t loop_start, bool greatest,
            const std::function<bool(std::size_t, bool next)>& f) {
  Truth x(places, greatest ? 1 : 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = places; i-- > 0;) {
      const bool value = f(i, x[i + 1 < places ? i + 1 : loop_start] != 0);
      changed |= value != (x[i] != 0);
      x[i] = value ? 1 : 0;
    }
  }
  return x;
}

}  // namespace

bool holds_on_lasso(const ltl::Sentence& sentence, const std::vector<std::vector<bool>>& letters,
                    std::size_t loop_start) {
  const std::size_t places = letters.size();
  HEDDLE_ASSERT(loop_start < places);
  std::vector<Truth> truth;
  for (const ltl::SyntaxNode& n : sentence.nodes) {
    const auto l = [&](std::size_t i) { return truth[n.left][i] != 0; };
    const auto r = [&](std::size_t i) { return truth[n.right][i] != 0; };
    const auto each = [&](const std::function<bool(std::size_t)>& f) {
      Truth result(places);
      for (std::size_t i = 0; i < places; ++i) result[i] = f(i) ? 1 : 0;
      return result;
    };
    const auto least = [&](const std::function<bool(std::size_t, bool)>& f) {
      return solve(places, loop_start, false, f);
    };
    const auto greatest = [&](const std::function<bool(std::size_t, bool)>& f) {
      return solve(places, loop_start, true, f);
    };
    using enum ltl::Operator;
    switch (n.op) {
      case True: truth.push_back(each([](std::size_t) { return true; })); break;
      case False: truth.push_back(each([](std::size_t) { return false; })); break;
      case Atom: truth.push_back(each([&](std::size_t i) { return bool{letters[i][n.left]}; })); break;
      case Not: truth.push_back(each([&](std::size_t i) { return !l(i); })); break;
      case Next: truth.push_back(each([&](std::size_t i) { return l(i + 1 < places ? i + 1 : loop_start); })); break;
      case Finally: truth.push_back(least([&](std::size_t i, bool next) { return l(i) || next; })); break;
      case Globally: truth.push_back(greatest([&](std::size_t i, bool next) { return l(i) && next; })); break;
      case And: truth.push_back(each([&](std::size_t i) { return l(i) && r(i); })); break;
      case Or: truth.push_back(each([&](std::size_t i) { return l(i) || r(i); })); break;
      case Implies: truth.push_back(each([&](std::size_t i) { return !l(i) || r(i); })); break;
      case Iff: truth.push_back(each([&](std::size_t i) { return l(i) == r(i); })); break;
      case Until: truth.push_back(least([&](std::size_t i, bool next) { return r(i) || (l(i) && next); })); break;
      case WeakUntil:
        truth.push_back(greatest([&](std::size_t i, bool next) { return r(i) || (l(i) && next); }));
        break;
      case Release: truth.push_back(greatest([&](std::size_t i, bool next) { return r(i) && (l(i) || next); })); break;
      case StrongRelease:
        truth.push_back(least([&](std::size_t i, bool next) { return r(i) && (l(i) || next); }));
        break;
    }
  }
  return truth[sentence.root][0] != 0;
}

}  // namespace heddle::check
