// Linear temporal logic: what is read and refused, automata against the semantics on lassos, their sizes, and HOA there
// and back.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <regex>

#include "check/lasso_semantics.h"
#include "ltl/degeneralise.h"
#include "ltl/hoa.h"
#include "ltl/show.h"
#include "ltl/translate.h"
#include "support/random_ltl.h"
#include "support/shared.h"

using namespace heddle;
using tests::Lasso;

namespace {

ltl::Sentence formula(const std::string& text) {
  auto sentence = ltl::read_formula(text);
  EXPECT_TRUE(sentence) << text << "\n" << (sentence ? "" : support::render(sentence.error()));
  return sentence ? *sentence : ltl::Sentence{{{}}, 0, {}};
}

// The atoms of random formulas are p0, p1, …; a sentence numbers them in the order of its text.
Lasso as_seen_by(const std::vector<std::string>& atoms, const Lasso& lasso) {
  Lasso result{{}, lasso.loop_start};
  for (const auto& letter : lasso.letters) {
    result.letters.emplace_back();
    for (const std::string& atom : atoms)
      result.letters.back().push_back(letter[static_cast<std::size_t>(std::stoi(atom.substr(1)))]);
  }
  return result;
}

std::vector<std::string> names(const ltl::Sentence& s) {
  std::vector<std::string> result;
  for (const ltl::Atom& atom : s.atoms) result.push_back(atom.text);
  return result;
}

TEST(Ltl, reads_operators_and_expressions) {
  const std::pair<const char*, const char*> table[] = {
      {"GF p", "G(F(\"p\"))"},
      {"[]<>p && q U r", "(G(F(\"p\"))) & ((\"q\") U (\"r\"))"},
      {"p -> q -> r", "(\"p\") -> ((\"q\") -> (\"r\"))"},
      {"! P_0.CS || turn == 1", "(!(\"P_0.CS\")) | (\"turn == 1\")"},
      {"a[i + 1] < (x + 3) * 2 && (x+1) == y", "(\"a[i + 1] < (x + 3) * 2\") & (\"(x+1) == y\")"},
      {"always not (p and q)", "G(!((\"p\") & (\"q\")))"},
      {"(p) U (q)", "(\"p\") U (\"q\")"},
      {"Gone || Xray", "(\"Gone\") | (\"Xray\")"},
      {"\"x < 3 && y\" W false", "(\"x < 3 && y\") W (0)"},
      {"x == 1 <-> y != 2", "(\"x == 1\") <-> (\"y != 2\")"},
      {"x<y && y>=x", "(\"x<y\") & (\"y>=x\")"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(ltl::text_of(formula(text)), expected) << text;
  ltl::ReadOptions options;
  options.owns_variables = [](std::string_view name) { return name == "P"; };
  const auto foreign = ltl::read_formula("P->x == 1 && q->r", options);
  ASSERT_TRUE(foreign);
  EXPECT_EQ(ltl::text_of(*foreign), "((\"P->x == 1\") & (\"q\")) -> (\"r\")");
}

TEST(Ltl, names_the_place_of_a_mistake) {
  struct Row {
    const char* text;
    unsigned line, column;
    const char* part;
  };
  const Row table[] = {
      {"", 1, 1, "ends where an operand is missing"},
      {"G (p && )", 1, 9, "where an operand is expected"},
      {"p U", 1, 4, "ends where an operand is missing"},
      {"(p || q", 1, 8, "')' is missing"},
      {"p q", 1, 3, "does not belong here"},
      {"p &&\n  ] q", 2, 3, "where an operand is expected"},
      {"a[1 == 2", 1, 2, "has no partner"},
      {"\"p", 1, 1, "has no end"},
      {"x<>y", 1, 2, "does not belong here"},
  };
  for (const Row& row : table) {
    const auto sentence = ltl::read_formula(row.text);
    ASSERT_FALSE(sentence) << row.text;
    EXPECT_EQ(sentence.error().line, row.line) << row.text;
    EXPECT_EQ(sentence.error().column, row.column) << row.text << ": " << sentence.error().message;
    EXPECT_NE(sentence.error().message.find(row.part), std::string::npos)
        << row.text << ": " << sentence.error().message;
  }
  EXPECT_FALSE(ltl::read_formula(std::string(100000, '(')));
  EXPECT_FALSE(ltl::read_formula(std::string(100000, '!') + "p"));
  std::string chain = "p";
  for (int i = 0; i < 50000; ++i) chain += " U p";
  EXPECT_FALSE(ltl::read_formula(chain));
}

// With `padding`, propositions that mean nothing are added, so that the translation takes its way for many of them.
void compare_with_semantics(unsigned seed, unsigned formulas, unsigned size, unsigned lassos, bool padding = false) {
  std::mt19937 random(seed);
  std::size_t accepted = 0, refused = 0;
  for (unsigned f = 0; f < formulas; ++f) {
    const std::string text = tests::random_formula(random, 1 + static_cast<unsigned>(random() % size), 3);
    ltl::Sentence sentence = formula(text);
    for (int i = 0; padding && i < 12; ++i) sentence.atoms.push_back({"p0", 1, 1});
    const auto general = ltl::generalised(sentence), buchi = ltl::buchi(sentence);
    const auto negated = ltl::generalised(sentence, {.negated = true, .stop = {}});
    ASSERT_TRUE(general && buchi && negated) << text;
    EXPECT_TRUE(buchi->by_state);
    for (unsigned k = 0; k < lassos; ++k) {
      const Lasso word = as_seen_by(names(sentence), tests::random_lasso(random, 3, 5));
      const bool holds = check::holds_on_lasso(sentence, word.letters, word.loop_start);
      (holds ? accepted : refused) += 1;
      ASSERT_EQ(tests::accepts(*general, word), holds) << text << "\n" << ltl::hoa_text(*general, text);
      ASSERT_EQ(tests::accepts(*buchi, word), holds) << text << "\n" << ltl::hoa_text(*buchi, text);
      ASSERT_EQ(tests::accepts(*negated, word), !holds) << text << "\n" << ltl::hoa_text(*negated, text);
    }
  }
  EXPECT_GT(accepted, formulas * lassos / 10);
  EXPECT_GT(refused, formulas * lassos / 10);
}

TEST(Ltl, automata_accept_what_the_semantics_says) { compare_with_semantics(1, 600, 7, 12); }

TEST(Ltl, automata_over_many_propositions) { compare_with_semantics(4, 300, 7, 12, true); }

TEST(Ltl, automata_of_larger_formulas_slow) {
  const char* more = std::getenv("HEDDLE_RANDOM_FORMULAS");
  compare_with_semantics(2, more != nullptr ? static_cast<unsigned>(std::atoi(more)) : 600, 12, 12);
}

TEST(Ltl, hoa_there_and_back_is_the_same_language) {
  std::mt19937 random(3);
  for (unsigned f = 0; f < 200; ++f) {
    const std::string text = tests::random_formula(random, 1 + static_cast<unsigned>(random() % 7), 3);
    const ltl::Sentence sentence = formula(text);
    for (const auto& automaton : {ltl::generalised(sentence), ltl::buchi(sentence)}) {
      ASSERT_TRUE(automaton);
      const std::string written = ltl::hoa_text(*automaton, text);
      const auto read = ltl::read_hoa(written, "a.hoa");
      ASSERT_TRUE(read) << support::render(read.error()) << written;
      for (unsigned k = 0; k < 6; ++k) {
        const Lasso word = tests::random_lasso(random, 3, 4);
        ASSERT_EQ(tests::accepts(*read, as_seen_by(read->atoms, word)),
                  tests::accepts(*automaton, as_seen_by(automaton->atoms, word)))
            << written;
      }
    }
  }
}

TEST(Ltl, hoa_of_other_tools_is_read_or_refused_by_name) {
  const std::string head = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\n";
  // Aliases, implicit labels, state labels, several initial states, nested comments, sets that nobody needs.
  const std::pair<std::string, bool> table[] = {
      {head + "Alias: @a 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 [@a] 1 [!@a] 0\nState: 1 {0} [t] 1\n--END--",
       true},
      {head + "Acceptance: 1 Inf(0)\n/* a /* b */ */--BODY--\nState: 0 0 1\nState: 1 \"end\" {0} 1 1\n--END--", true},
      {head + "Acceptance: 2 (Inf(1))&(t&Inf(0))\n--BODY--\nState: 0 [t] 1\nState: 1 [t] 1 {0 1}\n--END--", true},
      {head + "Acceptance: 2 Inf(1)\n--BODY--\nState: [!0] 0 0\nState: 1 [t] 1 {1}\n--END--", false},
      {"HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAP: 1 \"p\"\nAcceptance: 0 t\n--BODY--\nState: [0] 1 1\nState: "
       "0\n--END--",
       true},
  };
  const Lasso eventually{{{false}, {true}}, 1}, always{{{true}}, 0};
  for (const auto& [text, accepts_something] : table) {
    const auto read = ltl::read_hoa(text, "a.hoa");
    ASSERT_TRUE(read) << support::render(read.error());
    EXPECT_EQ(tests::accepts(*read, eventually) || tests::accepts(*read, always), accepts_something) << text;
  }
  const std::pair<std::string, const char*> mistakes[] = {
      {"", "begins with HOA"},
      {"HOA: v2", "version v2"},
      {head + "Acceptance: 1 Fin(0)\n--BODY--\n--END--", "Fin acceptance is not supported, only Büchi"},
      {head + "Acceptance: 2 Inf(0)|Inf(1)\n--BODY--\n--END--", "disjunctive acceptance"},
      {head + "Acceptance: 2 Inf(0)&(Inf(1)|Fin(0))\n--BODY--\n--END--", "disjunctive acceptance"},
      {head + "acc-name: Rabin 1\nAcceptance: 2 Fin(0)&Inf(1)\n--BODY--\n--END--", "Rabin 1 acceptance"},
      {head + "acc-name: parity min even 2\nAcceptance: 2 Inf(0)|Fin(1)\n--BODY--\n--END--", "parity min even 2"},
      {head + "acc-name: none\nAcceptance: 0 f\n--BODY--\n--END--", "none acceptance"},
      {head + "Acceptance: 1 Foo(0)\n--BODY--\n--END--", "Inf(i), Fin(i), t, f, & and | is expected"},
      {head + "Acceptance: 1 (Inf(0)\n--BODY--\n--END--", "')' is expected"},
      {head + "Acceptance: 1 Inf(0))\n--BODY--\n--END--", "')' has no partner"},
      {head + "Acceptance: 1 Inf(0)\nAcceptance: 1 Inf(0)\n--BODY--\n--END--", "Acceptance: occurs twice"},
      {head + "States: 3\nAcceptance: 1 Inf(0)\n--BODY--\n--END--", "States: occurs twice"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [0] 0 State: 0 [!0] 1\n--END--", "state 0 is described twice"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0} 0\n--END--", "for 1 of 2 letters"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [t] 0 1\n--END--", "either all edges"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 1 1 [t] 0\n--END--", "either all edges"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: [0] 0 [t] 0\n--END--", "contradicts the one of its state"},
      {head + "Acceptance: 1 Inf(!0)\n--BODY--\n--END--", "complemented"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [0] 0&1\n--END--", "alternating"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [7] 1\n--END--", "only 1 propositions"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 9\n--END--", "only 2 states"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [0 1\n--END--", "']' is expected"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\n--ABORT--", "aborted"},
      {head + "--BODY--\n--END--", "Acceptance: is missing"},
      {head + "Acceptance: 99999999999999999999 Inf(0)\n--BODY--\n--END--", "too large"},
      {head + "Magic: 1\nAcceptance: 0 t\n--BODY--\n--END--", "Magic:"},
      {head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 [@b] 1\n--END--", "@b is not defined"},
  };
  for (const auto& [text, part] : mistakes) {
    const auto read = ltl::read_hoa(text, "a.hoa");
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message << "\n" << text;
  }
}

// Etessami and Holzmann's, Dwyer's, and Somenzi and Bloem's formulas, by LTL2BA.
TEST(Ltl, automata_are_no_larger_than_those_of_ltl2ba) {
  const auto file = tests::shared("ground-truth/ltl-sizes.csv");
  if (file.empty()) GTEST_SKIP() << "no table of sizes beside the checkout";
  std::ifstream rows(file);
  std::size_t states = 0, transitions = 0, their_states = 0, their_transitions = 0, formulas = 0;
  for (std::string line; std::getline(rows, line);) {
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (line.starts_with("#") || begin == std::string::npos) continue;
    std::size_t s = 0, t = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + end + 2, "%zu,%zu", &s, &t), 2) << line;
    // LTL2BA takes the letter X for the operator wherever it stands.
    const std::string text = std::regex_replace(line.substr(begin + 1, end - begin - 1), std::regex("X"), "X ");
    const auto automaton = ltl::buchi(formula(text));
    ASSERT_TRUE(automaton);
    ++formulas;
    states += automaton->states(), transitions += automaton->transitions();
    their_states += s, their_transitions += t;
  }
  EXPECT_EQ(formulas, 184U);
  EXPECT_LE(states, their_states);
  EXPECT_LE(transitions, their_transitions);
}

TEST(Ltl, conjunctions_of_recurrence_stay_small) {
  std::string text = "GF p0";
  for (int i = 1; i < 20; ++i) text += " && GF p" + std::to_string(i);
  const auto general = ltl::generalised(formula(text));
  ASSERT_TRUE(general);
  EXPECT_EQ(general->states(), 1U);
  EXPECT_EQ(general->recurring.size(), 20U);
  const auto buchi = ltl::buchi(formula(text));
  EXPECT_EQ(buchi->states(), 21U);
  const auto violations = ltl::buchi(formula(text), {.negated = true, .stop = {}});
  EXPECT_EQ(violations->states(), 21U);
  const Lasso fair{{std::vector<bool>(20, true)}, 0};
  Lasso unfair = fair;
  unfair.letters[0][13] = false;
  EXPECT_TRUE(tests::accepts(*buchi, fair) && !tests::accepts(*violations, fair));
  EXPECT_TRUE(!tests::accepts(*general, unfair) && tests::accepts(*violations, unfair));
}

TEST(Ltl, never_claim_of_a_response) {
  const auto automaton = ltl::buchi(formula("G(p -> F q)"), {.negated = true, .stop = {}});
  ASSERT_TRUE(automaton);
  EXPECT_EQ(ltl::never_text(*automaton, "!G(p -> F q)"),
            "never { /* !G(p -> F q) */\n"
            "T0_init:\n"
            "  if\n"
            "  :: (1) -> goto T0_init\n"
            "  :: (p) && !(q) -> goto accept_S1\n"
            "  fi;\n"
            "accept_S1:\n"
            "  if\n"
            "  :: !(q) -> goto accept_S1\n"
            "  fi;\n"
            "}\n");
}

}  // namespace
