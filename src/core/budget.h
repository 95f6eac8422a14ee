// What a run may use, and how it tells of itself while it runs. Engines poll `spent` every few thousand steps and end
// with Unknown and what is known so far when it returns a reason. Whatever else may take long (reading a file, waiting
// for a child process, evaluating a user's model) polls `over`. core/watchdog.h is the net below both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/reason.h"

namespace heddle::core {

struct Progress {
  std::uint64_t states = 0;  // or executions
  const char* unit = "states";
  std::uint64_t depth = 0;
  std::uint64_t bytes = 0;
  double estimated_rest = -1;   // seconds; negative: not known
  double estimated_total = -1;  // of `states`; negative: not known
  std::string_view subject;     // what is searched and how ("tso, explicit"); set by the Budget
  std::uint64_t steps = 0;      // of executions, or transitions: what time is in proportion to
};

struct DropProbe;  // core/evidence.h

class Budget {
 public:
  std::optional<double> seconds;
  std::optional<std::uint64_t> bytes;  // resident memory of the process
  std::uint64_t max_states = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  // For an engine that can estimate how many steps its whole search takes: after `forecast_after` steps, and now and
  // then later on, it asks whether to go on, and ends as at a limit of steps if not. `in_all`: its estimate, if it has
  // one that it trusts. Empty: it need not ask.
  std::uint64_t forecast_after = 0;
  std::function<bool(std::uint64_t taken, std::optional<double> in_all)> goes_on;
  const std::atomic<bool>* interrupted = nullptr;  // set by a signal handler
  std::function<void(const Progress&)> progress;   // called at most some times a second; may be empty
  std::string subject;                             // for the progress line; set before a search begins

  // Set for a run whose searches may explain a violation that they have found when their own time is over: how many
  // seconds that may take at most. Shared with every part of this budget; read by the watchdog.
  std::atomic<double>* overtime = nullptr;
  double overtime_allowed() const { return overtime != nullptr ? overtime->load(std::memory_order_relaxed) : 0; }
  DropProbe* probe = nullptr;  // of a test: for the ledgers of what is left out

  void start() { begun_ = std::chrono::steady_clock::now(); }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

  // The reason to stop now, or nothing. Thread-safe. Also reports progress.
  std::optional<Reason> spent(const Progress&);

  // The same without a count of states. `children`: bytes that child processes occupy, which count as ours.
  std::optional<Reason> over(std::uint64_t children = 0) const;

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> last_report_ms_{0};
};

// Bytes of memory that this process occupies now; 0 where the system does not say.
std::uint64_t resident_bytes();

}  // namespace heddle::core
