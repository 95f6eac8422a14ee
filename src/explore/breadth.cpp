// Breadth-first search, level by level; the levels are ranges of the store, so there is no queue. Each worker owns a
// share of the store (hand.h) and expands the states there; who is done asks for more, and the first who hears it
// gives some of its states away. A level ends when all its states are expanded and all mail is read. Between two
// levels nobody holds the number of a state: there the store may learn other trees and number the states anew.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "explore/hand.h"
#include "explore/level_forecast.h"
#include "explore/pace.h"
#include "explore/searches.h"
#include "support/spin_lock.h"

namespace heddle::explore {
namespace {

constexpr std::uint64_t worth_sharing = 512;  // smaller levels cost less than waking all workers
constexpr unsigned states_between_polls = 256;
constexpr unsigned states_between_mails = 32;
constexpr std::uint64_t effort_between_polls = 1U << 16;                // slots of successors
constexpr std::uint64_t bytes_between_polls = std::uint64_t{16} << 20;  // of the system's own tables

class BreadthFirst {
 public:
  BreadthFirst(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget)
      : system_(system),
        options_(options),
        budget_(budget),
        store_({.fixed_length = system.fixed_length(),
                .parents = options.parents,
                .workers = options.workers,
                .flag_bits = 0,
                .owned = true,
                .starts_small = true,
                .learns = system.fixed_length() == 0 && !options.parents,
                .first_half = system.first_half()}),
        frontier_(store_),
        mail_(options.workers),
        hands_(options.workers),
        expanded_(options.workers) {}

  SearchResult run() {
    make_hand(0);
    hands_[0]->insert_initial();
    next_level();
    if (going_) {  // only with several workers
      auto on_level = [this]() noexcept { next_level(); };
      std::barrier<decltype(on_level)> barrier(options_.workers, on_level);
      const auto work_on_levels = [this, &barrier](unsigned w) {
        while (going_) {
          work(w);
          barrier.arrive_and_wait();
        }
      };
      std::vector<std::jthread> threads;
      for (unsigned w = 1; w < options_.workers; ++w)
        threads.emplace_back([this, w, &work_on_levels] {
          make_hand(w);
          work_on_levels(w);
        });
      work_on_levels(0);
    }
    return result();
  }

 private:
  void make_hand(unsigned worker) {
    hands_[worker] = std::make_unique<Hand>(system_, store_, options_, mail_, worker, stop_);
    hands_[worker]->watch_long_steps([this, worker] {
      poll(worker);
      return stop_.load(std::memory_order_relaxed);
    });
  }

  // All other workers rest: does small levels alone, then ends the search or begins a level for all.
  void next_level() {
    while (begin_level()) {
      if (options_.workers > 1 && level_size_ >= worth_sharing) return;
      Hand& hand = *hands_[0];
      hand.begin_level(level_ - 1, true);
      expand(0, [this](support::Frontier::Batch& batch) { return frontier_.take(batch); });
      hand.finish();
    }
    going_ = false;
  }

  bool begin_level() {
    for (const auto& hand : hands_) {
      if (hand == nullptr || !hand->sighting()) continue;
      if (!best_ || (hand->sighting()->kind == Found::Kind::Deadlock && best_->kind != Found::Kind::Deadlock))
        best_ = hand->sighting();
    }
    if (best_ || stopped_) return false;
    level_size_ = frontier_.advance();
    if (level_size_ == 0 || !worth_going_on()) return false;
    ++level_;
    unfinished_ = options_.workers;
    asking_ = 0;
    return true;
  }

  // At the end of a level. Several workers make no forecasts.
  bool worth_going_on() {
    if (!budget_.goes_on || options_.workers > 1) return true;
    forecast_.add_level(level_size_);
    const std::uint64_t taken = hands_[0]->transitions(), expanded = store_.size() - level_size_;
    if (taken < budget_.forecast_after || expanded == 0) return true;
    std::optional<double> in_all = forecast_.states();
    if (in_all) *in_all *= static_cast<double>(taken) / static_cast<double>(expanded);
    if (budget_.goes_on(taken, in_all)) return true;
    stopped_ = {core::Reason::Kind::StepLimit, "a long search is left"};
    return false;
  }

  void work(unsigned worker) {
    Hand& hand = *hands_[worker];
    hand.begin_level(level_ - 1, false);
    expand(worker, [&](support::Frontier::Batch& batch) {
      give(worker);
      return frontier_.take_own(worker, batch, states_between_mails);
    });
    hand.finish();
    unfinished_.fetch_sub(1, std::memory_order_release);
    support::Patience patience;
    while (!stop_.load(std::memory_order_relaxed)) {
      const bool all = unfinished_.load(std::memory_order_acquire) == 0;  // before the last look at the mail
      const bool mail = hand.read_mail();
      if (Mail::Block* const block = hand.take_work()) {
        for (const auto& root : block->contents()) hand.expand(root);
        mail_.give_back(block);
        hand.finish();
        if (hand.sighting() && !options_.deadlocks) stop_ = true;
        unfinished_.fetch_sub(1, std::memory_order_release);
        continue;
      }
      if (all) return;
      if (mail) continue;
      if (unsigned nobody = 0; asking_.load(std::memory_order_relaxed) == 0)
        asking_.compare_exchange_strong(nobody, worker + 1);
      patience.wait();
    }
  }

  // Gives states away to whoever asks.
  void give(unsigned worker) {
    if (asking_.load(std::memory_order_relaxed) == 0) return;
    const unsigned asking = asking_.exchange(0);
    Mail::Block* const block = asking == 0 ? nullptr : mail_.blank(worker);
    if (block == nullptr) return;
    support::Frontier::Batch batch;
    while (block->used < Mail::Block::room && frontier_.take_own(worker, batch, Mail::Block::room - block->used)) {
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        const support::StateNumber number = batch.first + i * support::Frontier::Batch::step;
        block->arrivals[block->used++] = {store_.root(number), number};
      }
    }
    if (block->used == 0) {
      mail_.give_back(block);
      return;
    }
    block->work = true;
    unfinished_.fetch_add(1, std::memory_order_relaxed);  // the giver is not finished, so this was not 0
    mail_.post(asking - 1, block);
  }

  template <class Take>
  void expand(unsigned worker, const Take& take) {
    Hand& hand = *hands_[worker];
    std::uint64_t& expanded = expanded_[worker].states;
    std::uint64_t& next_effort = expanded_[worker].next_effort;
    support::Frontier::Batch batch;
    while (!stop_.load(std::memory_order_relaxed) && take(batch)) {
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        hand.expand(batch.first + i * support::Frontier::Batch::step);
        // With deadlocks to look for, one at this level is a step shorter than anything found on the next.
        if (hand.sighting() && !options_.deadlocks) {
          stop_ = true;
          return;
        }
        if (++expanded % states_between_mails == 0) hand.read_mail();
        // States may be large: then few of them take long or fill memory.
        if (expanded_[worker].pace.due() || expanded % states_between_polls == 0 || hand.effort() >= next_effort ||
            system_.bytes() >= next_look_.load(std::memory_order_relaxed) ||
            has_all_states(budget_, [this] { return store_.size(); })) {
          poll(worker);
          next_effort = hand.effort() + effort_between_polls;
        }
      }
    }
  }

  void poll(unsigned worker) {
    const std::uint64_t states = store_.size();
    next_look_.store(system_.bytes() + bytes_between_polls, std::memory_order_relaxed);
    auto reason = budget_.spent({.states = states,
                                 .depth = level_,
                                 .bytes = worker == 0 ? store_.bytes() : 0,
                                 .steps = hands_[worker]->transitions()});
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
    for (const auto& hand : hands_)
      if (hand != nullptr) r.transitions += hand->transitions();
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
  Mail mail_;
  std::vector<std::unique_ptr<Hand>> hands_;
  struct alignas(64) Expanded {
    std::uint64_t states = 0;
    std::uint64_t next_effort = effort_between_polls;
    Pace pace;
  };
  std::vector<Expanded> expanded_;  // by each worker, over all levels: thousands of small ones are polled in too
  std::uint64_t level_ = 0;         // number of levels begun
  std::uint64_t level_size_ = 0;
  LevelForecast forecast_;
  std::atomic<bool> going_{true};
  std::mutex mutex_;
  std::optional<core::Reason> stopped_;
  std::optional<Sighting> best_;
  std::atomic<std::uint64_t> next_look_{bytes_between_polls};  // at the limits, when the system's tables are so large
  alignas(64) std::atomic<bool> stop_{false};
  alignas(64) std::atomic<unsigned> unfinished_{0};  // shares and gifts of this level that somebody is still at
  alignas(64) std::atomic<unsigned> asking_{0};      // the worker that asks for states, plus 1; 0: nobody
};

}  // namespace

SearchResult breadth_first(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget) {
  return BreadthFirst(system, options, budget).run();
}

}  // namespace heddle::explore
