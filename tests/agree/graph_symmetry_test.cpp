// Symmetry of threads in execution graphs: with it, exactly one execution of each orbit under permutations of the
// identical threads is explored. The orbits are found naively here, from all executions without symmetry.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "graph/check.h"
#include "support/graph_programs.h"
#include "support/random_mini.h"
#include "support/times.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using test::Cmp;
using test::MiniProgram;
using test::Place;
using test::RandomShape;
using test::Reg;

using Permutation = std::vector<core::Tid>;  // what each thread becomes

// Which threads of the execution are identical: those with the same entry and argument.
std::vector<Permutation> permutations(const core::ExecutionWitness& w, const std::set<std::uint32_t>& bodies) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<core::Tid>> alike;
  for (core::Tid t = 0; t < w.threads.size(); ++t)
    if (bodies.contains(w.threads[t].entry) && (w.threads[t].spawn >= 0 || bodies.contains(0)))
      alike[{w.threads[t].entry, w.threads[t].arg.bits}].push_back(t);
  Permutation identity(w.threads.size());
  for (core::Tid t = 0; t < identity.size(); ++t) identity[t] = t;
  std::vector<Permutation> all{identity};
  for (const auto& [body, threads] : alike) {
    std::vector<Permutation> more;
    for (const Permutation& p : all) {
      auto order = threads;
      do {
        Permutation q = p;
        for (std::size_t i = 0; i < threads.size(); ++i) q[threads[i]] = order[i];
        more.push_back(q);
      } while (std::next_permutation(order.begin(), order.end()));
    }
    all = more;
  }
  return all;
}

// Creation and joins stay the parent's own affair: they are not renamed.
std::string text(const core::ExecutionWitness& w, const Permutation& p) {
  std::map<std::pair<core::Tid, std::uint32_t>, std::string> events;
  const auto name = [&](std::int32_t e) {
    return e < 0 ? std::to_string(e)
                 : std::to_string(p[w.events[static_cast<std::size_t>(e)].thread]) + "." +
                       std::to_string(w.events[static_cast<std::size_t>(e)].index);
  };
  for (const auto& e : w.events)
    events[{p[e.thread], e.index}] = std::to_string(static_cast<int>(e.kind)) + ":" + std::to_string(e.loc.object) +
                                     "=" + std::to_string(e.value.bits) + "<" + name(e.rf) + "," + name(e.co_prev);
  std::string out;
  for (const auto& [at, what] : events)
    out += std::to_string(at.first) + "." + std::to_string(at.second) + " " + what + ";";
  return out;
}

struct Seen {
  std::uint64_t complete = 0, duplicates = 0;
  bool too_many = false;
  std::set<std::string> executions;             // as they are
  std::set<std::string> images;                 // and with threads exchanged
  std::map<std::string, std::uint64_t> orbits;  // least image: how many
};

Seen explore(const MiniProgram& p, const std::string& model, bool symmetry, const std::set<std::uint32_t>& bodies,
             unsigned most) {
  Seen seen;
  Options o;
  o.model = model;
  o.symmetry = symmetry;
  o.hash_executions = true;
  o.count_all = true;
  o.on_restart = [&] { seen = {}; };
  o.on_complete = [&](const Completed& done) {
    std::string least;
    for (const Permutation& q : permutations(done.witness, bodies)) {
      const std::string image = text(done.witness, q);
      if (least.empty()) seen.executions.insert(image);
      if (least.empty() || image < least) least = image;
      seen.images.insert(image);
    }
    ++seen.orbits[least];
  };
  core::Budget budget;
  budget.max_states = most;
  budget.seconds = 10;  // graphs whose promises are not kept are no executions, but may be many
  const auto v = test::unjudged(check(p, o, budget));
  seen.too_many = v.outcome == core::Outcome::Unknown;
  seen.complete = *v.statistics.executions;
  seen.duplicates = v.statistics.duplicates.value_or(0);
  return seen;
}

void expect_covered(const Seen& some, const Seen& all) {
  for (const auto& e : some.executions) ASSERT_TRUE(all.executions.contains(e)) << e;
  std::set<std::string> lost;
  for (const auto& [orbit, n] : all.orbits)
    if (!some.orbits.contains(orbit)) lost.insert(orbit);
  ASSERT_TRUE(lost.empty()) << lost.size() << " of " << all.orbits.size() << " lost, for example " << *lost.begin();
}

// Copies of one body or two, from the start or created by a thread that joins them; now and then with something in
// between that tells them apart.
std::set<std::uint32_t> random_symmetric(MiniProgram& p, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned kind = seed % 4;
  const std::vector<Place> x = {p.variable("x"), p.variable("y")};
  const Place own = p.variable("handles", 4);
  int value = 1;
  const RandomShape shape{2, 2, kind == 2 ? 2u : 3u, pick(4) != 0, pick(3) == 0, true};
  const RandomShape little{2, 2, 2, shape.orders, false, true};
  unsigned copies = 2 + pick(3);
  if (kind == 0) {
    random_body(p.thread(), x, random, value, shape);
    for (unsigned i = 1; i < copies; ++i) p.again(0);
    if (pick(2)) random_body(p.thread(), x, random, value, little);
    p.seal();
    return {0};
  }
  auto& main = p.thread();
  if (kind == 2) copies = 2;
  if (pick(2)) main.store(x[0], 100);
  std::vector<unsigned> entries(copies, 1);
  if (kind == 2) entries = pick(2) ? std::vector<unsigned>{1, 1, 2, 2} : std::vector<unsigned>{1, 2, 1, 2};
  unsigned number = 0;
  for (const unsigned e : entries) {
    main.spawn(7, e, 0).store(p.cell(own, static_cast<int>(number++)), Reg{7});
    if (kind == 3 && pick(2)) random_body(main, x, random, value, {2, 2, 1, shape.orders, false, true});
  }
  const bool alone = pick(4) == 0;  // does things of its own before, or instead of, the joins
  if (alone || pick(3) == 0) random_body(main, x, random, value, little);
  if (!alone) {
    for (unsigned i = 0; i < entries.size(); ++i) {
      main.load(6, p.cell(own, static_cast<int>(i))).join(6);
      if (kind == 3 && pick(3) == 0) main.load(5, x[pick(2)]);
    }
    main.load(4, x[0]).load(5, x[1]);
  }
  random_body(p.body(), x, random, value, shape);
  if (kind == 2) random_body(p.body(), x, random, value, little);
  p.seal();
  return {1, 2};
}

void compare(unsigned from, unsigned count, unsigned most) {
  unsigned compared = 0, reduced = 0, narrowed = 0;
  const unsigned first = test::first_seed(from), last = first + count * test::times();
  for (unsigned seed = first; seed < last; ++seed) {
    MiniProgram p;
    const auto bodies = random_symmetric(p, seed);
    for (const char* model : {"sc", "tso", "pso", "nsw", "ra", "rc11"}) {
      SCOPED_TRACE(std::string(model) + " seed " + std::to_string(seed));
      const Seen all = explore(p, model, false, bodies, most);
      if (all.too_many) break;
      ASSERT_EQ(all.duplicates, 0u);
      const Seen some = explore(p, model, true, bodies, most);
      ++compared;
      ASSERT_EQ(some.duplicates, 0u);
      reduced += some.complete < all.complete;
      ASSERT_NO_FATAL_FAILURE(expect_covered(some, all));
      if (all.images == all.executions) {
        // The program is symmetric. Where the engine has not seen that, it leaves nothing out.
        const bool exact = std::string_view(model) != "ra" && std::string_view(model) != "rc11";
        if (!exact && some.complete != all.orbits.size()) {
          ++narrowed;  // to three threads of one group
        } else if (some.complete != all.complete || seed % 4 != 3) {
          ASSERT_EQ(some.complete, all.orbits.size()) << "of " << all.complete;
        }
      } else {
        ASSERT_EQ(some.complete, all.complete) << "not symmetric";
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  std::printf("%u compared, %u reduced, of these %u not as far as possible\n", compared, reduced, narrowed);
  EXPECT_GT(reduced * 3, compared);
  EXPECT_LT(narrowed * 10, compared);
}

TEST(GraphSymmetry, OneExecutionAnOrbit) { compare(1, 299, 300); }
TEST(GraphSymmetry, OneExecutionAnOrbit_slow) { compare(1000, 900, 300); }

core::Verdict verdict(const core::Program& p, const std::string& model, bool symmetry, unsigned workers = 1,
                      bool waiting = true, std::optional<double> seconds = 10) {
  Options o;
  o.model = model;
  o.symmetry = symmetry;
  o.workers = workers;
  o.properties.deadlock = o.properties.liveness = waiting;
  core::Budget budget;
  budget.max_states = 50000;
  budget.seconds = seconds;
  return test::unjudged(check(p, o, budget));
}

// Several copies of one body or two, and other threads: loads before stores, so that stores overtake loads, with or
// without dependencies. Some copies have an argument of their own, which they store.
std::set<std::uint32_t> random_buffering(MiniProgram& p, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned variables = 2 + pick(2);
  std::vector<Place> x;
  for (unsigned v = 0; v < variables; ++v) x.push_back(p.variable(std::string(1, static_cast<char>('x' + v))));
  const unsigned copies = 2 + pick(3), others = copies == 4 ? pick(2) : pick(3);
  int value = 1;
  const auto body = [&](test::MiniThread& th) {
    using core::Order;
    const unsigned loads = 1 + pick(2), stores = 1 + (copies > 2 ? 0 : pick(2));
    for (unsigned i = 0; i < loads; ++i) th.load(1 + i, x[pick(variables)], pick(8) ? Order::Relaxed : Order::Acquire);
    if (pick(8) == 0) th.fence(pick(2) ? Order::AcqRel : Order::SeqCst);
    const bool conditional = pick(5) == 0;
    const auto skip = conditional ? th.branch(1 + pick(loads), Cmp::Eq, static_cast<int>(pick(2))) : 0;
    for (unsigned i = 0; i < stores; ++i) {
      const Place v = x[pick(variables)];
      const auto r = static_cast<std::uint8_t>(1 + pick(loads));
      switch (pick(8)) {
        case 0: th.rmw(5, core::RmwOp::Add, v, 1, pick(2) ? Order::Relaxed : Order::AcqRel); break;
        case 1: th.cas(5, v, static_cast<int>(pick(2)), value++, Order::Relaxed, Order::Relaxed); break;
        case 2: th.store(v, Reg{0}, Order::Relaxed); break;
        case 3: th.store(v, Reg{r}, Order::Relaxed); break;
        case 4: th.store(v, value++, Order::Release); break;
        default: th.store(v, pick(3) ? 1 : value++, Order::Relaxed); break;
      }
    }
    if (conditional) th.land(skip);
    if (pick(4) == 0) th.load(6, x[pick(variables)], Order::Relaxed);
  };
  body(p.thread());
  for (unsigned i = 1; i < copies; ++i) p.again(0, pick(6) == 0 ? 1 + pick(2) : 0);
  for (unsigned i = 0; i < others; ++i) {
    body(p.thread());
    if (i == 0 && copies == 2 && pick(2)) p.again(1);
  }
  p.seal();
  return {0, 1};
}

// Models with load buffering: an orbit may be visited more than once, but none is left out.
void compare_buffering(std::set<std::uint32_t> (*make)(MiniProgram&, unsigned), unsigned from, unsigned count,
                       unsigned most) {
  unsigned compared = 0, reduced = 0;
  std::uint64_t all_executions = 0, visited = 0, orbits = 0;
  const unsigned first = test::first_seed(from), last = first + count * test::times();
  for (unsigned seed = first; seed < last; ++seed) {
    MiniProgram p;
    const auto bodies = make(p, seed);
    for (const char* model : {"rmo", "armv8", "armv8.1", "riscv", "power"}) {
      SCOPED_TRACE(std::string(model) + " seed " + std::to_string(seed));
      const Seen all = explore(p, model, false, bodies, most);
      if (all.too_many) break;
      const Seen some = explore(p, model, true, bodies, most);
      ASSERT_FALSE(some.too_many);
      ++compared;
      reduced += some.complete < all.complete;
      ASSERT_NO_FATAL_FAILURE(expect_covered(some, all));
      ASSERT_LE(some.complete, all.complete);
      if (all.images != all.executions) {
        ASSERT_EQ(some.complete, all.complete) << "not symmetric";
      }
      all_executions += all.complete;
      visited += some.complete;
      orbits += all.orbits.size();
    }
    if (testing::Test::HasFailure()) return;
  }
  std::printf("%u compared, %u reduced: %s executions, %s visited, %s orbits\n", compared, reduced,
              std::to_string(all_executions).c_str(), std::to_string(visited).c_str(), std::to_string(orbits).c_str());
  EXPECT_GT(reduced * 3, compared);
}

TEST(GraphSymmetry, LoadBuffering) { compare_buffering(random_buffering, 1, 60, 200); }
TEST(GraphSymmetry, LoadBufferingAndSpawns) { compare_buffering(random_symmetric, 1, 60, 200); }

// Locks, loops that wait and assertions that some executions break: an error is found with symmetry iff without.
void find_the_same_errors(unsigned seeds, const std::vector<const char*>& models, unsigned least) {
  std::map<core::Outcome, unsigned> outcomes;
  std::map<std::string, unsigned> kinds;
  const unsigned first = test::first_seed(1), last = first + seeds * test::times();
  for (unsigned seed = first; seed < last; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    MiniProgram p;
    const std::vector<Place> x = {p.variable("x"), p.variable("y")};
    const Place lock = p.variable("lock", 1, pick(2)), other = p.variable("other");
    int value = 1;
    const RandomShape shape{2, 2, 2, true, true, true};
    auto& main = p.thread();
    const unsigned copies = 2 + pick(2);
    for (unsigned i = 0; i < copies; ++i) main.spawn(i, 1, 0);
    if (pick(2)) main.store(x[0], 100, core::Order::Release);
    if (pick(2)) main.unlock(lock);
    const bool joins = pick(3) != 0;
    for (unsigned i = 0; joins && i < copies; ++i) {
      main.join(i);
      if (pick(12) == 0) main.load(6, x[0]).check(6, Cmp::Ne, static_cast<int>(pick(4)));
    }
    main.load(4, x[0]).load(5, x[1]);
    if (pick(2)) main.check(4, Cmp::Ne, 1 + static_cast<int>(pick(4)));
    auto& body = p.body();
    if (pick(2)) random_body(body, x, random, value, shape);
    const bool locked = pick(2);
    if (locked) body.lock(6, lock);
    if (pick(3) == 0) body.lock(6, other);
    random_body(body, x, random, value, shape);
    if (pick(4) == 0) body.rmw(6, core::RmwOp::Add, x[1], 1).assume(6, Cmp::Eq, 1);
    if (locked && pick(8)) body.unlock(lock);
    if (pick(2)) body.load(6, x[0]).check(6, Cmp::Ne, static_cast<int>(pick(4)));
    p.seal();
    for (const char* model : models) {
      const auto without = verdict(p, model, false);
      if (without.reason.limit()) continue;
      const auto with = verdict(p, model, true);
      ASSERT_EQ(with.outcome, without.outcome) << model << " seed " << seed << ": " << without.violation << " against "
                                               << with.violation << with.reason.text;
      ++outcomes[with.outcome];
      ++kinds[with.violation_kind];
      if (with.outcome != core::Outcome::Safe) continue;
      ASSERT_LE(*with.statistics.executions, *without.statistics.executions) << model << " seed " << seed;
      ASSERT_LE(*with.statistics.blocked, *without.statistics.blocked) << model << " seed " << seed;
    }
  }
  for (const char* kind : {"", "assertion", "deadlock", "liveness"}) EXPECT_GT(kinds[kind], least) << kind;
  std::printf("%u safe, %u unsafe with and without symmetry\n", outcomes[core::Outcome::Safe],
              outcomes[core::Outcome::Unsafe]);
}

TEST(GraphSymmetry, FindsTheSameErrors) { find_the_same_errors(3000, {"sc", "tso", "pso", "nsw", "ra", "rc11"}, 100); }
TEST(GraphSymmetry, FindsTheSameErrorsWithLoadBuffering) {
  find_the_same_errors(60, {"rmo", "armv8", "armv8.1", "riscv", "power"}, 5);
}

// n threads that each count k times: (nk)! / (k!)^n executions, and n! of them are alike.
TEST(GraphSymmetry, Counting) {
  const struct {
    int n, k;
    std::uint64_t complete;
  } rows[] = {{2, 1, 1},   {2, 2, 3}, {2, 3, 10},  {3, 1, 1},  {3, 2, 15},
              {3, 3, 280}, {4, 1, 1}, {4, 2, 105}, {5, 2, 945}};
  for (const char* model : {"sc", "tso", "pso", "nsw", "ra", "rc11", "rmo", "armv8", "riscv", "power"})
    for (const auto& r : rows)
      for (const unsigned workers : {1u, 3u}) {
        MiniProgram p;
        test::counting(p, r.n, r.k);
        const auto v = verdict(p, model, true, workers, false, std::nullopt);
        EXPECT_EQ(v.statistics.executions, r.complete) << model << " " << r.n << "," << r.k;
      }
}

}  // namespace
}  // namespace heddle::graph
