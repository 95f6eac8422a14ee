// Child processes: programs that Heddle runs (clang, m4), and work on broken input that might end the process.
//
// A child never outlives its parent, however that ends (PR_SET_PDEATHSIG, Linux), and is in a process group of its
// own, which is killed as a whole when a limit of the budget is reached. Its memory counts as ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.h"

namespace heddle::core {

struct ChildLimits {
  const Budget* budget = nullptr;                                   // time, memory, the interrupt key; may be null
  double seconds = std::numeric_limits<double>::infinity();         // of this child alone
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  // of this child alone
  std::size_t largest_output = std::size_t{1} << 30;                // on its standard output
  std::size_t largest_messages = std::size_t{1} << 20;              // on its standard error; the rest is dropped
};

struct ChildEnd {
  std::string out, err;
  int status = 0;         // exit code, if `signal` is 0
  int signal = 0;         // that ended it; 0: it ended by itself
  std::string stopped;    // why we ended it ("time limit reached after 10.00 s"); empty: we did not
  std::string unstarted;  // why it could not be started; empty: it was

  bool good() const { return status == 0 && signal == 0 && stopped.empty() && unstarted.empty(); }
};

// Runs a program that is looked for as a shell does; `input` is its standard input. Call it with SIGPIPE ignored.
ChildEnd run_program(const std::vector<std::string>& command, std::string_view input, const ChildLimits&);

// Runs `work` in a copy of this process, which ends with its result; what it writes to the descriptor comes back as
// `out`. Threads other than the caller's do not exist there.
ChildEnd run_copy(const std::function<int(int out)>& work, const ChildLimits&);

// The name of a file as a word of a compiler's command line, where "-x.c" is an option and "@x.c" a file of options.
std::string file_word(const std::string& file);

// "was stopped: time limit reached after 10.00 s", "ended by signal 11 (Segmentation fault)", "failed with exit code
// 1".
std::string end_text(const ChildEnd&);

}  // namespace heddle::core
