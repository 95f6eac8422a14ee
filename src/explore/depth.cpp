// Depth-first search: each worker has a stack of states to expand and takes from the others' when its own is empty.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <mutex>
#include <thread>

#include "explore/pace.h"
#include "explore/searches.h"

namespace heddle::explore {
namespace {

class DepthFirst {
 public:
  DepthFirst(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget)
      : system_(system),
        options_(options),
        budget_(budget),
        store_({.fixed_length = system.fixed_length(),
                .parents = options.parents,
                .workers = options.workers,
                .flag_bits = 0,
                .first_half = system.first_half()}),
        stacks_(options.workers) {}

  SearchResult run() {
    for (unsigned w = 0; w < options_.workers; ++w) {
      expanders_.push_back(std::make_unique<Expander>(system_, store_, options_, w));
      expanders_.back()->watch_long_steps([this] {
        poll();
        return stop_.load(std::memory_order_relaxed);
      });
    }
    stacks_[0].states.push_back(expanders_[0]->insert_initial());
    unfinished_ = 1;
    if (expanders_[0]->sighting()) stop_ = true;
    if (options_.workers == 1) {
      work(0);
    } else {
      std::vector<std::jthread> threads;
      for (unsigned w = 0; w < options_.workers; ++w) threads.emplace_back([this, w] { work(w); });
    }
    return result();
  }

 private:
  struct Stack {
    std::mutex mutex;
    std::vector<support::StateNumber> states;
  };

  void work(unsigned worker) {
    Expander& expander = *expanders_[worker];
    unsigned since_poll = 0;
    Pace pace;
    while (!stop_.load(std::memory_order_relaxed)) {
      const auto next = take(worker);
      if (!next) {
        if (unfinished_.load() == 0) return;
        std::this_thread::yield();
        continue;
      }
      expander.expand(*next, 0);
      if (expander.sighting()) stop_ = true;
      if (!expander.fresh().empty()) {
        unfinished_ += expander.fresh().size();
        const std::lock_guard lock(stacks_[worker].mutex);
        // The first successor is on top: expanded next, as a reader of the program would.
        stacks_[worker].states.insert(stacks_[worker].states.end(), expander.fresh().rbegin(), expander.fresh().rend());
      }
      --unfinished_;
      if (++since_poll == 256 || pace.due() || has_all_states(budget_, [this] { return store_.size(); })) {
        since_poll = 0;
        poll();
      }
    }
  }

  std::optional<support::StateNumber> take(unsigned worker) {
    for (unsigned i = 0; i < options_.workers; ++i) {
      Stack& stack = stacks_[(worker + i) % options_.workers];
      const std::lock_guard lock(stack.mutex);
      if (stack.states.empty()) continue;
      const support::StateNumber state = stack.states.back();
      stack.states.pop_back();
      return state;
    }
    return std::nullopt;
  }

  void poll() {
    auto reason = budget_.spent({.states = store_.size(), .depth = unfinished_.load()});
    if (!reason) return;
    const std::lock_guard lock(mutex_);
    if (!stopped_) stopped_ = std::move(reason);
    stop_ = true;
  }

  SearchResult result() {
    SearchResult r;
    r.states = store_.size();
    r.bytes = store_.bytes() + system_.bytes();
    for (const auto& e : expanders_) {
      r.transitions += e->transitions();
      if (e->sighting() && !r.found) r.found = found_from(*e->sighting(), system_, store_, options_);
    }
    if (!r.found) r.stopped = stopped_;
    return r;
  }

  const core::TransitionSystem& system_;
  const SearchOptions& options_;
  core::Budget& budget_;
  support::StateStore store_;
  std::vector<Stack> stacks_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  std::atomic<std::uint64_t> unfinished_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::optional<core::Reason> stopped_;
};

}  // namespace

SearchResult depth_first(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget) {
  return DepthFirst(system, options, budget).run();
}

}  // namespace heddle::explore
