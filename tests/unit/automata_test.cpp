// Operations on buffer languages against the words themselves: random automata, all words up to a length.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "buffers/automata.h"

namespace heddle::buffers {
namespace {

using Word = std::vector<Symbol>;
constexpr Symbol symbols = 3;
constexpr std::size_t longest = 7;

bool accepts(const Dfa& d, const Word& word) {
  std::uint32_t q = 0;
  for (const Symbol s : word) {
    const auto next = d.next(q, s);
    if (!next) return false;
    q = *next;
  }
  return d.accepting[q];
}

bool accepts(const Nfa& n, const Word& word) {
  const auto close = [&](std::set<std::uint32_t> set) {
    for (bool grows = true; grows;) {
      grows = false;
      for (const std::uint32_t q : std::set<std::uint32_t>(set))
        for (const std::uint32_t t : n.states[q].empty) grows |= set.insert(t).second;
    }
    return set;
  };
  std::set<std::uint32_t> now = close({0});
  for (const Symbol s : word) {
    std::set<std::uint32_t> next;
    for (const std::uint32_t q : now)
      for (const Arc& a : n.states[q].arcs)
        if (a.symbol == s) next.insert(a.target);
    now = close(next);
  }
  for (const std::uint32_t q : now)
    if (n.states[q].accepting) return true;
  return false;
}

std::vector<Word> all_words() {
  std::vector<Word> words{{}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() == longest) break;
    for (Symbol s = 0; s < symbols; ++s) {
      Word longer = words[i];
      longer.push_back(s);
      words.push_back(std::move(longer));
    }
  }
  return words;
}

Nfa random_nfa(std::mt19937& random) {
  Nfa n;
  const auto size = static_cast<std::uint32_t>(1 + random() % 4);
  for (std::uint32_t q = 0; q < size; ++q) n.add();
  for (std::uint32_t q = 0; q < size; ++q) {
    n.states[q].accepting = random() % 3 == 0;
    for (std::uint32_t k = static_cast<std::uint32_t>(random() % 4); k-- > 0;)
      n.states[q].arcs.push_back(
          {static_cast<Symbol>(random() % symbols), static_cast<std::uint32_t>(random() % size)});
    if (random() % 4 == 0) n.states[q].empty.push_back(static_cast<std::uint32_t>(random() % size));
  }
  return n;
}

class Languages : public testing::Test {
 protected:
  // The words of a language up to a length.
  std::set<Word> words_of(Language l, std::size_t most = longest) const {
    std::set<Word> list;
    for (const Word& w : words_)
      if (w.size() <= most && accepts(automata_.dfa(l), w)) list.insert(w);
    return list;
  }

  Automata automata_;
  const std::vector<Word> words_ = all_words();
};

TEST_F(Languages, DeterminedMinimalAndShared) {
  std::mt19937 random(1);
  std::map<std::set<Word>, Language> known;
  for (unsigned n = 0; n < 200; ++n) {
    const Nfa nfa = random_nfa(random);
    const Language l = automata_.language(nfa, 0);
    std::set<Word> expected;
    for (const Word& w : words_)
      if (accepts(nfa, w)) expected.insert(w);
    ASSERT_EQ(words_of(l), expected);
    // At most four states each: what differs does so within seven symbols.
    const auto [at, fresh] = known.try_emplace(expected, l);
    if (automata_.dfa(at->second).size() + automata_.dfa(l).size() <= longest) {
      EXPECT_EQ(at->second, l);
    }
  }
}

TEST_F(Languages, OperationsByTheirDefinitions) {
  std::mt19937 random(2);
  const auto odd = [](Symbol s) { return s == 1; };
  for (unsigned n = 0; n < 60; ++n) {
    const Language a = automata_.language(random_nfa(random), 0), b = automata_.language(random_nfa(random), 0);
    const std::set<Word> in_a = words_of(a), in_b = words_of(b);
    const auto symbol = static_cast<Symbol>(random() % symbols);
    std::set<Word> appended, derived, removed, united = in_a, filtered, quotients;
    united.insert(in_b.begin(), in_b.end());
    for (const Word& w : in_a) {
      Word longer = w;
      longer.push_back(symbol);
      if (longer.size() <= longest) appended.insert(longer);
      if (!w.empty() && w.back() == symbol) quotients.insert(Word(w.begin(), w.end() - 1));
      if (!w.empty() && w.front() == symbol) derived.insert(Word(w.begin() + 1, w.end()));
      if (std::ranges::all_of(w, odd)) filtered.insert(w);
      // The first occurrence of the symbol goes, if nothing of its kind (here: 1 and itself) stands before it.
      const auto first = std::ranges::find_if(w, [&](Symbol s) { return s == symbol || odd(s); });
      if (first != w.end() && *first == symbol) {
        Word rest(w.begin(), first);
        rest.insert(rest.end(), first + 1, w.end());
        removed.insert(rest);
      }
    }
    EXPECT_EQ(words_of(automata_.append(a, symbol)), appended);
    EXPECT_EQ(words_of(automata_.derive(a, symbol), longest - 1), derived);
    EXPECT_EQ(words_of(automata_.quotient(a, symbol), longest - 1), quotients);
    EXPECT_EQ(words_of(automata_.filter(a, odd)), filtered);
    EXPECT_EQ(words_of(automata_.unite(std::vector{a, b})), united);
    const auto same = [&](Symbol s) { return s == symbol || odd(s); };
    EXPECT_EQ(words_of(automata_.remove_first(a, symbol, same), longest - 1), removed);
    if (automata_.dfa(a).size() + automata_.dfa(b).size() <= longest) {
      EXPECT_EQ(automata_.includes(a, b), std::ranges::includes(in_a, in_b));
    }
    if (!in_a.empty()) {
      EXPECT_TRUE(in_a.contains(automata_.shortest(a)));
    }
    std::set<Word> repeated = in_a;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Word& w : std::set<Word>(repeated))
        for (const Word& cycle : {Word{0, 1}, Word{2}}) {
          Word longer = w;
          longer.insert(longer.end(), cycle.begin(), cycle.end());
          if (longer.size() <= longest) grows |= repeated.insert(longer).second;
        }
    }
    EXPECT_EQ(words_of(automata_.repeat(a, {{0, 1}, {2}})), repeated);
  }
}

}  // namespace
}  // namespace heddle::buffers
