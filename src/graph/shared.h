// What the workers of one exploration share: what was found, and the parts of the search tree that wait for a worker.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/evidence.h"
#include "core/execution_witness.h"
#include "core/reason.h"
#include "graph/fingerprint.h"
#include "graph/job.h"
#include "graph/options.h"
#include "graph/promises.h"

namespace heddle::graph {

// A worker that has nothing to do asks for a job; one that has options left gives some away.
class JobQueue {
 public:
  explicit JobQueue(unsigned workers) : workers_(workers) {}

  // This is all there is to do. Requires that no worker takes a job.
  void begin(const Job& job) {
    const std::scoped_lock lock(mutex_);
    jobs_.assign(1, job);
    idle_ = 0;
    hungry_ = 0;
  }
  void put(Job job) {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
    if (hungry_ > 0) --hungry_;
    changed_.notify_one();
  }
  // Waits for a job. Nothing: all workers wait, or the queue was closed.
  std::optional<Job> take() {
    std::unique_lock lock(mutex_);
    if (jobs_.empty()) {
      ++idle_;
      ++hungry_;
      changed_.wait(lock, [&] { return !jobs_.empty() || idle_ == workers_ || closed_; });
      if (jobs_.empty() || closed_) {
        changed_.notify_all();  // whoever sees that all are idle wakes the others
        return std::nullopt;
      }
      --idle_;
    }
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  bool wanted() const { return hungry_.load(std::memory_order_relaxed) > 0; }  // is a worker idle without a job?

 private:
  const unsigned workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  unsigned idle_ = 0;
  bool closed_ = false;
  std::atomic<unsigned> hungry_{0};
};

struct Shared {
  Shared(core::DropProbe* probe, unsigned workers) : drops(probe), jobs(workers) {}
  // The exploration begins anew, with more promises: it finds all that it has found before.
  void begin_again() {
    seen.clear();
    duplicates = 0;
    executions = 0;
  }

  core::Drops drops;
  JobQueue jobs;
  std::uint64_t steps_in_vain = 0;  // of explorations before this one, which an access made void
  std::atomic<bool> stop{false};
  std::atomic<bool> forwarded{false};        // see Observer::check_forwarding
  PromiseBook promises;                      // of models with load buffering
  std::atomic<std::uint64_t> executions{0};  // complete and blocked
  std::mutex mutex;                          // of what follows
  std::optional<Violation> violation;
  core::ExecutionWitness witness;  // of the violation
  // Makes the witness of a graph whose private accesses are no events, with these, and what it made of the violation.
  std::function<std::optional<core::ExecutionWitness>(const Graph&, const Tables&)> whole_of;
  std::optional<core::ExecutionWitness> whole;
  std::vector<std::uint32_t> path;     // the decisions that lead to it
  std::optional<core::Reason> reason;  // why it stopped without one
  std::set<Fingerprint> seen;
  std::uint64_t duplicates = 0;
  std::atomic<bool> decided{false};  // the violation ends the search
};

}  // namespace heddle::graph
