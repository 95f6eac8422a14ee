// A litmus test as herd7 understands one: initial state, code of the threads, and a condition on final states.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/program.h"
#include "lang/litmus/code.h"

namespace heddle::lang::litmus {

enum class Dialect : std::uint8_t { C, X86, X86_64, AArch64, PPC, RISCV };
std::string_view dialect_name(Dialect);

// How a value of a variable or register is shown and compared.
struct Type {
  std::uint8_t size = 4;
  bool is_signed = true;
  bool declared = false;
  bool address = false;
};

struct Variable {
  std::string name;
  Type type;  // of an element
  bool array = false;
  std::vector<core::Value> initial;  // one per element
};

// Something that has a value at the end: a variable, a cell of one, or a thread's register.
struct Observed {
  int thread = -1;  // -1: memory
  Register reg = no_register;
  std::uint32_t variable = 0;  // index into Test::variables
  std::uint32_t element = 0;
  Type type;
  std::string text;  // "1:X0", "x", "[x]" as herd prints it
  friend bool operator==(const Observed& a, const Observed& b) {
    return a.thread == b.thread && a.reg == b.reg && a.variable == b.variable && a.element == b.element &&
           a.type.size == b.type.size;  // 0:eax is not 0:rax
  }
};

// A boolean formula over observed values.
struct Formula {
  enum class Kind : std::uint8_t { True, False, Equal, Differ, Not, And, Or, Implies };
  Kind kind = Kind::True;
  std::uint32_t left_index = 0;    // Equal, Differ: of Test::observed
  bool right_is_observed = false;  // … compared with another one, not with `value`
  std::uint32_t right_index = 0;
  core::Value value;
  std::vector<Formula> parts;  // one for Not, two for Implies, any number for And and Or
};

enum class Quantifier : std::uint8_t { Exists, NotExists, Forall };

struct Condition {
  Quantifier quantifier = Quantifier::Forall;
  Formula formula;
  std::string text;  // as herd7 prints it: "exists (0:X0=1 /\ 1:X0=0)"
};

struct Test {
  std::string file;
  Dialect dialect = Dialect::C;
  std::string name;
  std::string doc;                                        // the quoted line below the name
  std::vector<std::pair<std::string, std::string>> info;  // Orig=…, Prefetch=…
  std::vector<Variable> variables;                        // variable i is object i + 1
  std::vector<ThreadCode> threads;
  // By thread, its code as it was written, without comments: instructions and labels one by one; of C one text, from
  // the parameters' bracket to the end of the body, where locals without a first value have 0, as registers do.
  std::vector<std::vector<std::string>> written;
  Condition condition;
  bool has_filter = false;
  Formula filter;
  std::vector<Observed> observed;    // all that formulas and `locations` mention …
  std::vector<std::uint32_t> shown;  // … and which of them a final state shows, in order
  std::string source;                // the text, for diagnostics

  std::uint32_t observe(const Observed&);  // its index; added if new
};

// The value as the type has it: "1", "-1", "x" for an address, "x+4".
std::string show_value(const Test&, const core::Value&, const Type&);

// Whether a final value is the one that a formula names: as numbers of the value's type.
bool same_value(const core::Value&, const core::Value& named, const Type&);

// Evaluates a formula over the values of Test::observed.
bool holds(const Formula&, const std::vector<core::Value>& values, const Test&);

std::string show(const Formula&, const Test&);

}  // namespace heddle::lang::litmus
