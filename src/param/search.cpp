// SPDX-License-Identifier: Apache-2.0
#include "param/search.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <queue>
#include <set>
#include <thread>
#include <unordered_map>

#include "param/brab.h"
#include "param/canonical.h"
#include "param/subsume.h"

namespace heddle::param {

using array::Cube;
using array::Process;
using array::Step;

namespace {

constexpr std::uint32_t nobody = 0xffffffff;
// The reason why a run was not confirmed.
const char* why_unconfirmed(const array::System& system) {
  if (system.universal_guards)
    return "the runs that were found rely on an over-approximation (universal guards): none of them is possible with "
           "their number of processes or a few more";
  if (system.writes_everywhere)
    return "the runs that were found rely on an over-approximation (writes to the cells of all processes): none of "
           "them is possible with their number of processes or a few more";
  return "the runs that were found could not be replayed with their number of processes or a few more";
}

struct Record {
  Cube cube;
  std::uint32_t parent = nobody;
  Step step;                            // from this cube to the parent's
  std::array<Process, 32> canonical{};  // where the processes of the step's result went
  std::uint32_t root = 0;               // unsafe block, or unsafe.size() + number of a guess
  std::uint32_t depth = 0;
};

struct Found {
  Cube cube;
  Step step;
  std::array<Process, 32> canonical;
  bool initial = false;
};

class Search {
 public:
  Search(const array::System& system, const array::MemoryModel& model, const SearchOptions& options,
         core::Budget& budget)
      : system_(system),
        model_(model),
        options_(options),
        budget_(budget),
        drops_(options.drops != nullptr ? *options.drops : own_drops_),
        index_(system) {}

  SearchResult run() {
    if (drops_.at(core::DropPlace::CubeWrites, !model_.write_write && system_.pure_writes_everywhere)) {
      unknown({core::Reason::Kind::Unsupported,
               "a transition writes weak cells of all processes without reading any, and under " +
                   std::string(model_.name) + " such writes may overtake others: that is not supported"});
      result_.open = true;
      return std::move(result_);
    }
    std::optional<std::string> beyond;
    try {
      while (!attempt()) ++result_.restarts;
    } catch (const array::OutOfRange& e) {
      beyond = e.what;
    }
    if (drops_.at(core::DropPlace::CubeRange, beyond.has_value(), beyond.value_or(""))) unknown(drops_.reason());
    return std::move(result_);
  }

 private:
  void unknown(core::Reason reason) {
    result_.answer = SearchResult::Answer::Unknown;
    result_.reason = std::move(reason);
    if (spurious_)
      result_.reason.text += std::string(result_.reason.text.empty() ? "" : "; ") + why_unconfirmed(system_);
    result_.open = spurious_;
  }

  bool is_trusted(std::uint32_t id) const { return id >= nobody - trusted_.size(); }
  // The index begins with the trusted cubes; those that a visited one subsumes are no longer there.
  std::uint64_t visited() const {
    std::uint64_t count = 0;
    index_.for_each([&](std::uint32_t id, const Cube&) { count += is_trusted(id) ? 0 : 1; });
    return count;
  }

  // False: a guess was wrong, start again without it.
  bool attempt() {
    records_.clear();
    index_.clear();
    trusted_.clear();
    known_.clear();
    queue_ = {};
    guesses_.clear();
    retry_ = done_ = false;
    for (const array::Bad& bad : system_.invariants)
      for (Cube& cube : array::bad_cubes(system_, model_, bad)) {
        canonicalise(cube, system_);
        trusted_.push_back(std::move(cube));
        index_.add(nobody - static_cast<std::uint32_t>(trusted_.size()), &trusted_.back());
      }
    for (std::size_t u = 0; u < system_.unsafe.size() && !done_; ++u)
      for (Cube& cube : array::bad_cubes(system_, model_, system_.unsafe[u])) {
        Found f{std::move(cube), {}, {}, false};
        f.canonical = canonicalise(f.cube, system_);
        f.initial = array::initial(f.cube, system_);
        take(std::move(f), nobody, static_cast<std::uint32_t>(u));
        if (done_) break;
      }
    for (const array::Bad& bad : system_.candidates)
      for (Cube& cube : array::bad_cubes(system_, model_, bad)) {
        if (done_ || retry_) break;
        canonicalise(cube, system_);
        if (refuted_.count(cube) == 0 && !array::initial(cube, system_)) take_guess(cube);
      }
    while (!done_ && !retry_ && !queue_.empty()) {
      auto reason = budget_.spent({result_.generated, "cubes", depth_, 0, -1});
      if (!reason && records_.size() > budget_.max_states)
        reason = {core::Reason::Kind::StateLimit, "limit of " + std::to_string(budget_.max_states) + " cubes reached"};
      if (drops_.stopped(core::DropPlace::CubeLimit, reason)) {
        result_.visited = visited();
        unknown(reason ? *reason : drops_.reason());
        return true;
      }
      step();
    }
    if (retry_) return false;
    if (done_) return true;
    result_.visited = visited();
    if (spurious_) {
      unknown({core::Reason::Kind::Unconfirmed, ""});
      return true;
    }
    result_.answer = SearchResult::Answer::Safe;
    result_.bounded = bounded_;
    index_.for_each([&](std::uint32_t id, const Cube& cube) {
      if (!is_trusted(id)) result_.invariant.push_back(cube);
    });
    result_.kept_guesses = guesses_.size();
    return true;
  }

  struct Waiting {
    std::uint32_t weight;
    std::uint32_t id;
    bool operator>(const Waiting& o) const { return weight != o.weight ? weight > o.weight : id > o.id; }
  };

  void step() {
    // The batch: cubes that are still new. With one worker it is one cube, so nothing is computed in vain.
    std::vector<std::uint32_t> batch;
    const std::size_t wanted = options_.workers <= 1 ? 1 : options_.workers * 2;
    while (batch.size() < wanted && !queue_.empty()) {
      const std::uint32_t id = queue_.top().id;
      queue_.pop();
      if (index_.subsumer(records_[id].cube) != Index::none) continue;
      if (options_.possible && guess(id)) continue;
      index_.add(id, &records_[id].cube);
      result_.deleted += index_.remove_subsumed(records_[id].cube, id);
      batch.push_back(id);
    }
    std::vector<std::vector<Found>> found(batch.size());
    if (batch.size() <= 1 || options_.workers <= 1) {
      for (std::size_t i = 0; i < batch.size(); ++i) expand(records_[batch[i]].cube, found[i]);
    } else {
      std::vector<std::exception_ptr> errors(options_.workers);
      std::vector<std::thread> threads;
      for (unsigned w = 0; w < options_.workers; ++w)
        threads.emplace_back([&, w] {
          try {
            for (std::size_t i = w; i < batch.size(); i += options_.workers) expand(records_[batch[i]].cube, found[i]);
          } catch (...) {
            errors[w] = std::current_exception();
          }
        });
      for (std::thread& t : threads) t.join();
      for (const std::exception_ptr& e : errors)
        if (e) std::rethrow_exception(e);
    }
    for (std::size_t i = 0; i < batch.size(); ++i)
      for (Found& f : found[i]) {
        take(std::move(f), batch[i], records_[batch[i]].root);
        if (done_ || retry_) return;
      }
  }

  void expand(const Cube& cube, std::vector<Found>& out) const {
    array::PreimageOptions how;
    how.promises = options_.promises;
    how.bounded = &bounded_;
    array::preimage(system_, model_, cube, how, [&](Cube&& c, const Step& step) {
      Found f{std::move(c), step, {}, false};
      f.canonical = canonicalise(f.cube, system_);
      if (index_.subsumer(f.cube) != Index::none) return;
      f.initial = array::initial(f.cube, system_);
      out.push_back(std::move(f));
    });
  }

  // Keeps a new cube, unless it is known; ends the search if it holds an initial state.
  void take(Found&& f, std::uint32_t parent, std::uint32_t root) {
    ++result_.generated;
    const std::uint64_t h = hash(f.cube);
    const auto [from, to] = known_.equal_range(h);
    for (auto it = from; it != to; ++it)
      if (records_[it->second].cube == f.cube) return;
    const auto id = static_cast<std::uint32_t>(records_.size());
    Record r;
    r.cube = std::move(f.cube);
    r.parent = parent;
    r.step = f.step;
    r.canonical = f.canonical;
    r.root = root;
    r.depth = parent == nobody ? 0 : records_[parent].depth + 1;
    depth_ = std::max<std::uint64_t>(depth_, r.depth);
    result_.most_processes = std::max<unsigned>(result_.most_processes, r.cube.processes);
    records_.push_back(std::move(r));
    known_.emplace(h, id);
    const Cube& cube = records_.back().cube;
    if (f.initial) {
      if (root >= system_.unsafe.size()) {
        refuted_.insert(guesses_[root - system_.unsafe.size()]);
        retry_ = true;
        return;
      }
      Run run = run_from(id);
      const bool real = !options_.confirm || options_.confirm(run);
      if (!drops_.at(core::DropPlace::CubeRun, !real)) {
        result_.answer = SearchResult::Answer::Unsafe;
        result_.run = std::move(run);
        result_.visited = visited();
        done_ = true;
        return;
      }
      spurious_ = true;
      if (!result_.run) result_.run = std::move(run);
    }
    queue_.push(
        {static_cast<std::uint32_t>(cube.processes * 1000 + cube.promises.size() * 200 + cube.size() * 4 + cube.nodes),
         id});
  }

  // Replaces cube `id` by a guessed invariant, if there is one.
  bool guess(std::uint32_t id) {
    const auto candidate = generalise(records_[id].cube, system_, [&](const Cube& c) {
      return refuted_.count(c) == 0 && !array::initial(c, system_) && index_.subsumer(c) == Index::none &&
             !options_.possible(c);
    });
    if (!candidate) return false;
    take_guess(*candidate);
    return true;
  }

  // A cube that is believed never to occur: if an initial state is found behind it, the search starts again without.
  void take_guess(const Cube& cube) {
    ++result_.guesses;
    guesses_.push_back(cube);
    const auto root = static_cast<std::uint32_t>(system_.unsafe.size() + guesses_.size() - 1);
    take({cube, {}, {}, false}, nobody, root);
  }

  // The run that a cube with an initial state stands for, with one numbering of processes throughout.
  Run run_from(std::uint32_t id) const {
    Run run;
    run.unsafe = records_[id].root;
    std::array<Process, 32> identity{};
    unsigned next = 0;
    for (; next < records_[id].cube.processes; ++next) identity[next] = static_cast<Process>(next);
    const auto order = [&](const Cube& cube) {
      for (const array::Literal& l : cube.literals)
        if (l.op == logic::Op::LessThan && l.x.is_process() && l.y.is_process())
          run.order.emplace_back(identity[l.x.a()], identity[l.y.a()]);
    };
    order(records_[id].cube);
    while (records_[id].parent != nobody) {
      const Record& r = records_[id];
      const Cube& parent = records_[r.parent].cube;
      // Processes of the parent, and new ones of the step, by what became of them in this cube.
      std::array<Process, 32> before;
      before.fill(array::no_process);
      std::uint32_t used = 0;
      for (unsigned e = 0; e < 32; ++e)
        if (r.step.moved[e] != array::no_process) {
          before[e] = identity[r.canonical[r.step.moved[e]]];
          used |= std::uint32_t{1} << before[e];
        }
      const auto fresh = [&](unsigned e) {
        if (before[e] != array::no_process) return;
        unsigned candidate = next;
        if (next < system_.limit()) ++next;
        else
          for (candidate = 0; (used >> candidate & 1) != 0; ++candidate) {}
        before[e] = static_cast<Process>(candidate);
        used |= std::uint32_t{1} << candidate;
      };
      for (unsigned e = 0; e < parent.processes; ++e) fresh(e);
      RunStep step;
      step.transition = r.step.transition;
      for (unsigned k = 0; k < system_.transitions[r.step.transition].parameters; ++k) {
        fresh(r.step.parameters[k]);
        step.parameters.push_back(before[r.step.parameters[k]]);
      }
      run.steps.push_back(std::move(step));
      identity = before;
      id = r.parent;
      order(records_[id].cube);
    }
    run.processes = std::max(next, std::max(1U, system_.named()));
    return run;
  }

  const array::System& system_;
  const array::MemoryModel& model_;
  const SearchOptions& options_;
  core::Budget& budget_;
  core::Drops own_drops_;
  core::Drops& drops_;
  std::deque<Record> records_;  // never moves its elements: the index points to their cubes
  std::deque<Cube> trusted_;
  Index index_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
  std::vector<Cube> guesses_;
  std::set<Cube> refuted_;
  std::uint64_t depth_ = 0;
  mutable std::atomic<bool> bounded_ = false;
  bool retry_ = false, done_ = false, spurious_ = false;
  SearchResult result_;
};

}  // namespace

SearchResult search(const array::System& system, const array::MemoryModel& model, const SearchOptions& options,
                    core::Budget& budget) {
  return Search(system, model, options, budget).run();
}

}  // namespace heddle::param
