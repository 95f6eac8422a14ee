// What can be asked of a program, one type each, and the words by which users and reports name them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/program.h"

namespace heddle::core {

struct Assertion {};  // failures that a thread finds by itself: assertions and memory errors. Always looked for
struct Overflow {};   // signed overflow; a failure by code that the compiler adds
struct Deadlock {};
struct Leak {};
struct Race {
  bool language_only = false;  // under the models of the language alone, where a race is undefined behaviour
};
struct Livelock {};
struct Liveness {};
struct Robust {};          // every execution is one of sc
struct StateProposition {  // of the program's propositions
  std::uint32_t proposition = 0;
  bool forbidden_when = true;
};
struct PropositionError {  // the evaluation of a proposition goes wrong
  std::uint32_t proposition = 0;
};
struct Ltl {                  // a temporal formula, an automaton of violations, or what a property process accepts
  std::uint32_t formula = 0;  // of those that are asked for
};
struct UnsafeCube {};      // a state of an array-based system's unsafe formulas
struct FinalCondition {};  // of a litmus test

using Property = std::variant<Assertion, Overflow, Deadlock, Leak, Race, Livelock, Liveness, Robust, StateProposition,
                              PropositionError, Ltl, UnsafeCube, FinalCondition>;

// The properties of one question.
struct Properties {
  std::vector<Property> list;

  template <class P>
  const P* find() const {
    for (const Property& property : list)
      if (const P* found = std::get_if<P>(&property)) return found;
    return nullptr;
  }
  template <class P>
  bool has() const {
    return find<P>() != nullptr;
  }
  template <class P>
  Properties without() const {
    Properties rest;
    for (const Property& property : list)
      if (!std::holds_alternative<P>(property)) rest.list.push_back(property);
    return rest;
  }
};

// What `--property` takes.
struct PropertyRow {
  std::string_view name;
  Property property;
};
std::span<const PropertyRow> property_names();
const PropertyRow* find_property(std::string_view name);  // null if there is none

// What an engine says is wrong: which property, and for failures how and whose.
struct Claim {
  Property property = Assertion{};
  std::string failure = {};  // Assertion: the failure's own word (Failure::kind); empty: any
  Tid thread = no_thread;    // Assertion in an execution graph: the thread that fails, if one does
  static constexpr Tid no_thread = 0xffffffff;

  template <class P>
  bool is() const {
    return std::holds_alternative<P>(property);
  }
};

// The word by which verdicts and reports call such a violation, and back again. A word that no property owns is the
// word of a failure.
std::string word_of(const Claim&);
Claim claim_of(std::string_view word, Tid thread = Claim::no_thread);

// Failures that are no errors of the program: it does what we do not support, and the message says what.
inline constexpr std::string_view unsupported_word = "unsupported";
inline bool is_unsupported(std::string_view failure) { return failure == unsupported_word; }

}  // namespace heddle::core
