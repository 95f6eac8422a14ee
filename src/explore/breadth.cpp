// Breadth-first search, level by level; the levels are ranges of the store, so there is no queue.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "explore/searches.h"

namespace heddle::explore {
namespace {

class BreadthFirst {
 public:
  BreadthFirst(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget)
      : system_(system),
        options_(options),
        budget_(budget),
        store_({.fixed_length = system.fixed_length(), .parents = options.parents, .workers = options.workers, .flag_bits = 0}),
        frontier_(store_) {}

  SearchResult run() {
    for (unsigned w = 0; w < options_.workers; ++w)
      expanders_.push_back(std::make_unique<Expander>(system_, store_, options_, w));
    expanders_[0]->insert_initial();
    next_level();
    if (options_.workers == 1) {
      while (going_) {
        work(0);
        next_level();
      }
    } else {
      auto on_level = [this]() noexcept { next_level(); };
      std::barrier<decltype(on_level)> barrier(options_.workers, on_level);
      std::vector<std::jthread> threads;
      for (unsigned w = 0; w < options_.workers; ++w)
        threads.emplace_back([this, w, &barrier] {
          while (going_) {
            work(w);
            barrier.arrive_and_wait();
          }
        });
    }
    return result();
  }

 private:
  // Alone: ends the search or begins the next level.
  void next_level() {
    for (const auto& e : expanders_)
      if (e->sighting() && (!best_ || (e->sighting()->kind == Found::Kind::Deadlock && best_->kind != Found::Kind::Deadlock)))
        best_ = e->sighting();
    if (best_ || stopped_ || (options_.max_depth && level_ > *options_.max_depth)) {
      going_ = false;
      return;
    }
    if (frontier_.advance() == 0) {
      going_ = false;
      return;
    }
    ++level_;
  }

  void work(unsigned worker) {
    Expander& expander = *expanders_[worker];
    support::Frontier::Batch batch;
    while (!stop_.load(std::memory_order_relaxed) && frontier_.take(batch)) {
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        expander.expand(batch.first + i * support::Frontier::Batch::step, level_ - 1);
        // With deadlocks to look for, one at this level is a step shorter than anything found on the next.
        if (expander.sighting() && !options_.deadlocks) {
          stop_ = true;
          return;
        }
      }
      poll(worker);
    }
  }

  void poll(unsigned worker) {
    const std::uint64_t states = store_.size();
    auto reason = budget_.spent({.states = states, .depth = level_, .bytes = worker == 0 ? store_.bytes() : 0});
    if (!reason) return;
    const std::lock_guard lock(mutex_);
    if (!stopped_) stopped_ = std::move(reason);
    stop_ = true;
  }

  SearchResult result() {
    SearchResult r;
    r.states = store_.size();
    r.levels = level_;
    r.bytes = store_.bytes() + system_.bytes();
    for (const auto& e : expanders_) r.transitions += e->transitions();
    if (best_) {
      r.found = found_from(*best_, system_, store_, options_);
      // What was seen was put in on the level after the one in work; a deadlock is on that level itself.
      r.found->length = best_->kind == Found::Kind::Deadlock ? level_ - 1 : level_;
    } else {
      r.stopped = stopped_;
    }
    return r;
  }

  const core::TransitionSystem& system_;
  const SearchOptions& options_;
  core::Budget& budget_;
  support::StateStore store_;
  support::Frontier frontier_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  std::uint64_t level_ = 0;  // number of levels begun
  std::atomic<bool> going_{true};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::optional<std::string> stopped_;
  std::optional<Sighting> best_;
};

}  // namespace

SearchResult breadth_first(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget) {
  return BreadthFirst(system, options, budget).run();
}

}  // namespace heddle::explore
