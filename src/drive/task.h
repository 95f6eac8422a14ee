// The question that a user asks: which program, under which models, which properties, within which bounds.
//
// A Setting knows whether the user gave it: some defaults depend on the language, and an option that an engine cannot
// honour is refused only if it was given. Options that a language does not list in its row of languages.cpp never
// reach drive/: the command line refuses them up front.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/verdict.h"

namespace heddle::report {
struct Drawing;
}

namespace heddle::drive {

template <class T>
struct Setting {
  T value{};
  bool given = false;

  Setting() = default;
  Setting(T initial) : value(std::move(initial)) {}  // NOLINT: a default is written as one
  void set(T chosen) {
    value = std::move(chosen);
    given = true;
  }
  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
};

using Words = std::vector<std::string>;

struct Task {
  Words files;
  Setting<Words> models;  // after settle(): never empty; `ladder` has been replaced by the language's ladder
  bool ladder = false;    // none of them was named by itself: they are the language's choice

  // what to check
  Setting<std::string> engine;          // empty: the language chooses
  Setting<Words> properties;            // names of core/property.h; empty: the language's default
  Setting<Words> invariants, reach;     // expressions in the language's own syntax
  Setting<Words> ltl;                   // temporal formulas, or files of them
  Setting<std::string> automaton;       // file of an automaton whose accepted runs are violations
  Setting<bool> fair;                   // of infinite runs, those only in which no process is passed over for ever
  Setting<bool> memory_fairness{true};  // … and in which no buffered store is delayed for ever
  Setting<std::string> fairness{"acceptance"};  // how that is said: by acceptance sets, or by a formula

  // bounds of the search
  Setting<std::uint64_t> buffer{5};
  Setting<std::uint64_t> loop_bound;  // 0: none
  Setting<std::uint64_t> brab;        // processes of the forward exploration that guesses invariants; 0: none
  Setting<std::uint64_t> procs;       // instance of a parameterised system; 0: any number

  // how to search
  Setting<std::uint64_t> workers{1};
  Setting<bool> por{true};            // partial order reduction
  Setting<bool> symmetry{true};       // of threads, in execution graphs
  Setting<std::string> order{"bfs"};  // bfs, dfs or cost (least relaxed first)
  Setting<std::string> spurious_cas;  // a weak compare-exchange may fail although the values are equal; empty: by model
  Setting<bool> malloc_may_fail;
  Setting<std::string> spurious_wakeups;  // on or off, empty: on; a wait on a condition variable may return unasked
  Setting<std::string> uncaught{
      "stay"};                  // is the stack unwound for an exception that nothing catches: unwind, stay, both
  Setting<std::string> nondet;  // LOW:HIGH, what __VERIFIER_nondet_* choose from; empty: nothing

  // how to read the program
  Setting<Words> defines;  // NAME or NAME=VALUE
  Setting<Words> include_dirs;
  Setting<std::string> optimise{"0"};  // -O LEVEL of the compiler
  Setting<std::string> standard;       // -std; empty: by the file's extension
  Setting<Words> cflags;
  Setting<std::string> atomic_file;  // atomic writes and fences of a DVE model
  Setting<std::string> model_file;   // a memory model of the user's own, in cat

  // what to do instead of a search, and beside it
  Setting<std::string> replay;             // a JSON report whose trace is replayed
  Setting<std::string> certificate;        // file that a proof is written to
  Setting<std::string> check_certificate;  // file of a proof that is checked
  Setting<bool> explain;                   // litmus tests: why a forbidden state is forbidden
  Setting<Words> require;                  // models that decide the exit code; empty: all
  Setting<bool> strict;                    // SAFE up to a bound is not good enough

  // What is drawn beside the verdicts; null: nothing is.
  std::vector<report::Drawing>* drawings = nullptr;
  bool draws_states = false;  // state spaces too
  // May be called with each verdict as soon as it is known, in order, so that a long ladder shows its lines early.
  // Only once nothing can end in a Diagnostic any more. Empty in tests.
  std::function<void(const core::Verdict&)> decided;
  // Is told, when all verdicts are known, what to do about them; not called if there is nothing to say. Empty in tests.
  std::function<void(const std::string&)> advise;
  // The options of the command line as they were given: name and value; a name that ends in = takes its value so.
  std::vector<std::pair<std::string, std::string>> said;
};

// 0 safe, 1 unsafe, 2 input error, 3 unknown: docs/verdicts.md.
enum ExitCode : int { exit_safe = 0, exit_unsafe = 1, exit_input_error = 2, exit_unknown = 3 };

// The one policy for all languages: a violation under a model that counts decides; then what is not known.
int exit_code(const Task&, const std::vector<core::Verdict>&, bool violations_count = true);

}  // namespace heddle::drive
