// SPDX-License-Identifier: Apache-2.0
#include "core/property.h"

#include <array>

namespace heddle::core {
namespace {

const std::array<PropertyRow, 9> asked{{
    {"assertion", Assertion{}},
    {"memory", Assertion{}},
    {"leak", Leak{}},
    {"deadlock", Deadlock{}},
    {"livelock", Livelock{}},
    {"race", Race{}},
    {"liveness", Liveness{}},
    {"robust", Robust{}},
    {"overflow", Overflow{}},
}};

// How reports call a violation.
const std::array<PropertyRow, 11> reported{{
    {"memory-leak", Leak{}},
    {"deadlock", Deadlock{}},
    {"livelock", Livelock{}},
    {"race", Race{}},
    {"liveness", Liveness{}},
    {"robustness", Robust{}},
    {"reach", StateProposition{0, true}},
    {"invariant", StateProposition{0, false}},
    {"ltl", Ltl{}},
    {"unsafe", UnsafeCube{}},
    {"condition", FinalCondition{}},
}};

bool same(const Property& a, const Property& b) {
  if (a.index() != b.index()) return false;
  const auto* x = std::get_if<StateProposition>(&a);
  const auto* y = std::get_if<StateProposition>(&b);
  return x == nullptr || x->forbidden_when == y->forbidden_when;
}

}  // namespace

std::span<const PropertyRow> property_names() { return asked; }

const PropertyRow* find_property(std::string_view name) {
  for (const PropertyRow& row : asked)
    if (row.name == name) return &row;
  return nullptr;
}

std::string word_of(const Claim& claim) {
  for (const PropertyRow& row : reported)
    if (same(row.property, claim.property)) return std::string(row.name);
  return claim.failure;
}

Claim claim_of(std::string_view word, Tid thread) {
  for (const PropertyRow& row : reported)
    if (row.name == word) return {row.property, "", thread};
  return {Assertion{}, std::string(word), thread};
}

}  // namespace heddle::core
