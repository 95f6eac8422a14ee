// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/test.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/rmw.h"

namespace heddle::lang::litmus {

std::string_view dialect_name(Dialect d) {
  switch (d) {
    case Dialect::C: return "C";
    case Dialect::X86: return "X86";
    case Dialect::X86_64: return "X86_64";
    case Dialect::AArch64: return "AArch64";
    case Dialect::PPC: return "PPC";
    case Dialect::RISCV: return "RISCV";
  }
  return "";
}

std::uint32_t Test::observe(const Observed& o) {
  const auto found = std::find(observed.begin(), observed.end(), o);
  if (found != observed.end()) return static_cast<std::uint32_t>(found - observed.begin());
  observed.push_back(o);
  return static_cast<std::uint32_t>(observed.size() - 1);
}

std::string show_value(const Test& test, const core::Value& v, const Type& type) {
  if (v.pointer && v.object() >= 1 && v.object() <= test.variables.size()) {
    const Variable& variable = test.variables[v.object() - 1];
    if (v.offset() == 0) return variable.name;
    if (variable.array && v.offset() % variable.type.size == 0 &&
        v.offset() / variable.type.size < variable.initial.size())
      return fmt::format("{}[{}]", variable.name, v.offset() / variable.type.size);
    return fmt::format("{}+{}", variable.name, v.offset());
  }
  const std::uint64_t bits = v.bits & core::size_mask(type.size);
  if (!type.is_signed) return fmt::format("{}", bits);
  switch (type.size) {
    case 1: return fmt::format("{}", static_cast<std::int8_t>(bits));
    case 2: return fmt::format("{}", static_cast<std::int16_t>(bits));
    case 4: return fmt::format("{}", static_cast<std::int32_t>(bits));
    default: return fmt::format("{}", static_cast<std::int64_t>(bits));
  }
}

bool same_value(const core::Value& v, const core::Value& named, const Type& type) {
  if (v.pointer != named.pointer) return false;
  if (v.pointer) return v.bits == named.bits;
  // The number may be written as if the type had a sign or as if it had none, but it must be one of the type's.
  const std::uint64_t mask = core::size_mask(type.size), bits = v.bits & mask;
  return named.bits == bits || (bits > mask / 2 && named.bits == (bits | ~mask));
}

bool holds(const Formula& f, const std::vector<core::Value>& values, const Test& test) {
  using K = Formula::Kind;
  switch (f.kind) {
    case K::True: return true;
    case K::False: return false;
    case K::Equal:
    case K::Differ: {
      core::Value right = f.right_is_observed ? values[f.right_index] : f.value;
      if (f.right_is_observed && !right.pointer) {
        // Both are numbers of their own types.
        const Type& type = test.observed[f.right_index].type;
        const std::uint64_t mask = core::size_mask(type.size);
        right.bits &= mask;
        if (type.is_signed && right.bits > mask / 2) right.bits |= ~mask;
      }
      return same_value(values[f.left_index], right, test.observed[f.left_index].type) == (f.kind == K::Equal);
    }
    case K::Not: return !holds(f.parts[0], values, test);
    case K::And:
      return std::all_of(f.parts.begin(), f.parts.end(), [&](const Formula& p) { return holds(p, values, test); });
    case K::Or:
      return std::any_of(f.parts.begin(), f.parts.end(), [&](const Formula& p) { return holds(p, values, test); });
    case K::Implies: return !holds(f.parts[0], values, test) || holds(f.parts[1], values, test);
  }
  return false;
}

std::string show(const Formula& f, const Test& test) {
  using K = Formula::Kind;
  const auto join = [&](const char* separator) {
    std::string s;
    for (const Formula& p : f.parts) {
      if (!s.empty()) s += separator;
      const bool wrap =
          (f.kind == K::And && (p.kind == K::Or || p.kind == K::Implies)) || (f.kind == K::Or && p.kind == K::Implies);
      s += wrap ? "(" + show(p, test) + ")" : show(p, test);
    }
    return s;
  };
  switch (f.kind) {
    case K::True: return "true";
    case K::False: return "false";
    case K::Equal:
    case K::Differ: {
      const Observed& left = test.observed[f.left_index];
      return left.text + (f.kind == K::Equal ? "=" : "!=") +
             (f.right_is_observed ? test.observed[f.right_index].text : show_value(test, f.value, left.type));
    }
    case K::Not: return "not (" + show(f.parts[0], test) + ")";
    case K::And: return join(" /\\ ");
    case K::Or: return join(" \\/ ");
    case K::Implies: return "(" + show(f.parts[0], test) + ") => (" + show(f.parts[1], test) + ")";
  }
  return "";
}

}  // namespace heddle::lang::litmus
