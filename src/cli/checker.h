// What `heddle check` asks of a language, and how a language answers.
//
// A Checker reads the files of a request, chooses machine and engine, and gives one verdict a model, in the order of
// `request.models`. It refuses what it cannot do before it runs anything: by a Diagnostic if the user's input or
// options are at fault, by a verdict Unknown that names the obstacle if the program met it on the way. Options that a
// language does not list in its row of languages.cpp never reach it: the command refuses them up front.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/verdict.h"
#include "support/diagnostics.h"

namespace heddle::report {
struct Drawing;
}

namespace heddle::cli {

// Every member but `ladder` and the last three is set by one row of the table in options.cpp.
struct CheckRequest {
  std::vector<std::string> files;
  std::vector<std::string> models;      // never empty; `ladder` has been replaced by the language's ladder
  bool ladder = false;                  // none of them was named by itself: they are the language's choice
  std::string engine;                   // empty: the language chooses
  std::vector<std::string> properties;  // assertion, deadlock, race, …; empty: the language's default
  std::vector<std::string> invariants;  // expressions in the language's own syntax
  std::vector<std::string> reach;

  // bounds of the search
  std::uint64_t buffer = 5;
  std::uint64_t loop_bound = 0;  // 0: none
  std::uint64_t brab = 0;        // processes of the forward exploration that guesses invariants; 0: none
  std::uint64_t procs = 0;       // instance of a parameterised system; 0: any number
  std::uint64_t max_states = 0;  // 0: none. These three have been put into the Budget already
  double timeout = 0;            // seconds; 0: none
  std::uint64_t memory = 0;      // bytes; 0: none

  // how to search
  std::uint64_t workers = 1;
  bool por = true;            // partial order reduction
  bool symmetry = true;       // of threads, in execution graphs
  std::string order = "bfs";  // bfs, dfs or cost (least relaxed first)
  std::string spurious_cas;   // a weak compare-exchange may fail although the values are equal; empty: by model
  bool malloc_may_fail = false;
  std::string spurious_wakeups;  // on or off, empty: on; a wait on a condition variable may return unasked
  std::string nondet;            // LOW:HIGH, what __VERIFIER_nondet_* choose from; empty: nothing

  // how to read the program
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::vector<std::string> include_dirs;
  std::string optimise = "0";  // -O LEVEL of the compiler
  std::string standard;        // -std; empty: by the file's extension
  std::vector<std::string> cflags;
  std::string atomic_file;  // atomic writes and fences of a DVE model
  std::string model_file;   // a memory model of the user's own, in cat

  // what to do with the answer
  std::string replay;                // a JSON report whose trace is replayed instead of a search
  std::string certificate;           // file that a proof is written to
  std::string check_certificate;     // file of a proof that is checked instead of a search
  bool table = false;                // litmus tests: one line a test, one column a model
  bool explain = false;              // litmus tests: why a forbidden state is forbidden
  std::vector<std::string> require;  // models that decide the exit code; empty: all
  bool strict = false;               // SAFE up to a bound is not good enough
  bool quiet = false;
  bool trace = true;
  std::string json, sarif, html, dot, svg;  // files to write; "-" is standard output

  std::vector<std::string> given;  // names of the options that were on the command line, as "--buffer"
  // To be filled where --dot, --svg or --html was given and there is more to show than a trace; null otherwise.
  std::vector<report::Drawing>* drawings = nullptr;
  // May be called with each verdict as soon as it is known, in order, so that a long ladder shows its lines early.
  // Only once nothing can end in a Diagnostic any more. Empty in tests.
  std::function<void(const core::Verdict&)> decided;
};

using Checker = support::Result<std::vector<core::Verdict>> (*)(const CheckRequest&, core::Budget&);

// Of a language whose answers have a format of their own: prints them and gives the exit code.
using Runner = int (*)(const CheckRequest&, core::Budget&);

}  // namespace heddle::cli
