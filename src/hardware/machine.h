// The machines that litmus tests can be run on, one row each: which tests, which memory model they are held against,
// how the compiler is called, and how a thread's instructions become one block of inline assembly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/litmus/test.h"
#include "support/diagnostics.h"

namespace heddle::hardware {

// One way to call the compiler.
struct Setting {
  std::string name;                // "llsc -O2"; empty: there is only this one
  std::vector<std::string> flags;  // beside those that all have
  std::string model;               // that its code obeys
  bool pairs = false;              // weak compare-exchanges are pairs of instructions, and may fail without a cause
};

// How tests of a dialect become inline assembly.
struct Notation {
  lang::litmus::Dialect dialect;
  Setting setting;
  std::string (*whole)(std::string_view canonical);  // all 64 bits of a register, as assemblers and clobbers name them
  const char* fetch;  // 64 bits into register {0} from the context at byte {1}; %[c] is the context's address
  const char* keep;   // … and from the register to the context
  // An instruction without labels, or nothing if no machine has it. `variables` are those of the test, which x86 names
  // in operands: %[v0], %[v1], … hold their addresses.
  std::optional<std::string> (*translate)(std::string_view instruction,
                                          const std::vector<lang::litmus::Variable>& variables);
};

struct Machine {
  std::string_view name;  // as uname says it
  std::vector<Notation> notations;
  std::vector<Setting> c;  // for tests in C: what compilers emit differs

  const Notation* notation(lang::litmus::Dialect) const;  // null if its tests are another machine's
};

std::span<const Machine> machines();
const Machine* this_machine();  // null if it is none of them

// The code of a thread as lines of inline assembly, its labels made local so that several copies can be assembled
// together. A mistake names the instruction that no machine has.
support::Result<std::vector<std::string>> assembly_of(const Notation&, const lang::litmus::Test&, std::size_t thread);

}  // namespace heddle::hardware
