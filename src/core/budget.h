// What a run may use, and how it tells of itself while it runs. Engines poll `spent` every few thousand steps and end
// with Unknown and what is known so far when it returns a reason.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace heddle::core {

struct Progress {
  std::uint64_t states = 0;  // or executions
  const char* unit = "states";
  std::uint64_t depth = 0;
  std::uint64_t bytes = 0;
  double estimated_rest = -1;   // seconds; negative: not known
  double estimated_total = -1;  // of `states`; negative: not known
};

class Budget {
 public:
  std::optional<double> seconds;
  std::optional<std::uint64_t> bytes;  // resident memory of the process
  std::uint64_t max_states = std::numeric_limits<std::uint64_t>::max();
  const std::atomic<bool>* interrupted = nullptr;  // set by a signal handler
  std::function<void(const Progress&)> progress;   // called at most some times a second; may be empty

  void start() { begun_ = std::chrono::steady_clock::now(); }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }

  // The reason to stop now, in words ("time limit of 10 s reached"), or nothing. Thread-safe. Also reports progress.
  std::optional<std::string> spent(const Progress&);

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> last_report_ms_{0};
};

// Bytes of memory that this process occupies now; 0 where the system does not say.
std::uint64_t resident_bytes();

}  // namespace heddle::core
