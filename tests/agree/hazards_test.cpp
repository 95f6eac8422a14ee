// Hazard intervals (report/hazards.h): figure 3.3 of Havel's thesis, small programs with intervals worked out by hand, and
// runs of random models against the definition, evaluated on the run with its loop unrolled.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <utility>

#include "check/naive_replay.h"
#include "drive/ladder.h"
#include "ir/system.h"
#include "lang/dve/dve.h"
#include "models/models.h"
#include "report/hazards.h"
#include "report/html.h"
#include "report/json.h"
#include "report/text.h"
#include "support/own_folder.h"
#include "support/random_dve.h"

namespace heddle {
namespace {

using Kind = core::Effect::Kind;
using Steps = std::vector<std::size_t>;

class Made {
 public:
  core::Trace trace;

  void step(core::Tid thread, std::vector<std::pair<Kind, char>> effects) {
    core::TraceStep& s = trace.steps.emplace_back();
    s.thread = fmt::format("P{}", thread);
    s.move.thread = thread;
    for (const auto& [kind, location] : effects)
      s.effects.push_back({.kind = kind,
                           .location = {location},
                           .value = "1",
                           .loc = {static_cast<std::uint32_t>(location), 0, 1},
                           .thread = thread});
  }
};

Steps steps_of(const report::Hazard& hazard) {
  Steps steps;
  for (const auto& access : hazard.accesses) steps.push_back(access.step);
  return steps;
}

// Figure 3.3: P0's store of 42 is delayed, P1 reads x meanwhile.
TEST(Hazards, OfTheThesis) {
  Made run;
  run.step(0, {{Kind::Buffered, 'x'}});
  run.step(0, {{Kind::ReadBuffer, 'x'}, {Kind::Buffered, 'y'}});
  run.step(1, {{Kind::ReadMemory, 'x'}});
  run.step(1, {{Kind::ReadMemory, 'z'}});
  run.step(0, {{Kind::Flushed, 'x'}});
  run.step(1, {{Kind::ReadMemory, 'x'}});
  auto found = report::hazards(run.trace);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].begin, 0U);
  EXPECT_EQ(found[0].end, 4U);
  EXPECT_EQ(steps_of(found[0]), (Steps{2}));
  EXPECT_EQ(found[1].effect, 1U);
  EXPECT_EQ(found[1].end, 6U) << "y stays in the buffer";
  EXPECT_TRUE(found[1].accesses.empty());
  // In a loop, y arrives in the next round.
  run.trace.loop_start = 1;
  run.trace.steps[1].effects.insert(
      run.trace.steps[1].effects.begin(),
      core::Effect{.kind = Kind::Flushed, .location = "y", .loc = {'y', 0, 1}, .thread = 0});
  found = report::hazards(run.trace);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].end, 1U);
  EXPECT_EQ(found[1].rounds, 1U);
}

// A queue of two: what a round stores arrives two rounds later.
TEST(Hazards, OutliveARound) {
  Made run;
  run.step(0, {{Kind::Buffered, 'x'}});
  run.step(0, {{Kind::Buffered, 'x'}});
  run.step(1, {{Kind::ReadMemory, 'x'}});
  run.step(0, {{Kind::Buffered, 'x'}});
  run.step(0, {{Kind::Flushed, 'x'}});
  run.trace.loop_start = 2;
  const auto found = report::hazards(run.trace);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i].end, 4U);
    EXPECT_EQ(found[i].rounds, i);
    EXPECT_EQ(steps_of(found[i]), (Steps{2}));
  }
  const auto text = report::trace_text(run.trace, {});
  EXPECT_NE(
      text.find("hazard: x = 1 of P0 is buffered from step 4 to step 5 of the round 2 later; meanwhile P1 reads 1 "
                "in step 3\n"),
      std::string::npos)
      << text;
}

core::Verdict checked(const std::string& name, const std::string& text, const char* model, const std::string& reach) {
  const std::filesystem::path file = tests::own_folder() / name;
  std::ofstream(file, std::ios::binary) << text;
  drive::Task task;
  task.files = {file.string()};
  task.models.set({model});
  task.order.set("cost");
  if (!reach.empty()) task.reach.set({reach});
  if (reach.empty()) task.engine.set("explicit");
  core::Budget budget;
  const auto verdicts = drive::check(*drive::language_of(task.files.front()), task, budget);
  if (!verdicts) throw std::runtime_error(render(verdicts.error()));
  return verdicts->front();
}

std::vector<std::string> sentences_of(const core::Verdict& verdict) {
  if (!verdict.trace) return {"no trace: " + verdict.reason.text};
  return report::hazard_sentences(*verdict.trace, report::rows_of(*verdict.trace));
}

using Sentences = std::vector<std::string>;

// Message passing: only if the two stores arrive the wrong way round, which is a matter of pso.
TEST(Hazards, OfMessagePassing) {
  const auto verdict = checked("mp.dve", R"(byte data, ready;
process A { state a, b, c; init a; trans a -> b { effect data = 7; }, b -> c { effect ready = 1; }; }
process B { byte r = 2; state a, b, c; init a; trans a -> b { guard ready == 1; }, b -> c { effect r = data; }; }
system async;
)",
                               "pso", "B->r == 0");
  EXPECT_EQ(sentences_of(verdict),
            (Sentences{"data = 7 of A is buffered from step 1 on; meanwhile B reads 0 in step 5"}));
}

// The receiver's store is the receiver's: what the sender reads afterwards is inconsistent, what the receiver reads is not.
TEST(Hazards, OfTheReceiver) {
  const auto verdict = checked("receiver.dve", R"(byte x; channel c;
process S { byte r = 2; state a, b, c; init a; trans a -> b { sync c!; }, b -> c { effect r = x; }; }
process R { byte r = 2; state a, b, c; init a; trans a -> b { sync c?; effect x = 1; }, b -> c { effect r = x; }; }
system async;
)",
                               "tso", "S->r == 0 && R->r == 1 && x == 0");
  EXPECT_EQ(verdict.trace->steps.size(), 3U);
  const auto sentences = sentences_of(verdict);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_TRUE(sentences[0].starts_with("x = 1 of S -> R is buffered from step 1 on; meanwhile S reads 0 in step"))
      << sentences[0];
  EXPECT_EQ(sentences[0].find("R reads"), std::string::npos);
}

// sb1: the second store takes the slot of the first, and both arrive with it.
TEST(Hazards, OfAReplacedStore) {
  const auto verdict = checked("slot.dve", R"(byte x;
process A { state a, b, c; init a; trans a -> b { effect x = 1; }, b -> c { effect x = 2; }; }
process B { byte r = 9, s = 9; state a, b, c; init a;
  trans a -> b { guard A.c; effect r = x; }, b -> c { guard x == 2; effect s = x; }; }
system async;
)",
                               "sb1", "B->r == 0 && B->s == 2");
  EXPECT_EQ(sentences_of(verdict),
            (Sentences{"x = 1 of A is buffered from step 1 to step 4; meanwhile B reads 0 in step 3",
                       "x = 2 of A is buffered from step 2 to step 4; meanwhile B reads 0 in step 3"}));
  const std::string json = report::json({.files = {}, .verdicts = {verdict}, .tests = {}});
  const auto again = report::read_json(json, "r.json");
  ASSERT_TRUE(again);
  EXPECT_EQ(report::json(*again), json);
  EXPECT_NE(json.find("\"hazards\": [\n"), std::string::npos);
  const std::string page = report::html({.files = {}, .verdicts = {verdict}, .tests = {}});
  EXPECT_NE(page.find("<li>x = 2 of A is buffered from step 2 to step 4; meanwhile B reads 0 in step 3</li>"),
            std::string::npos);
}

// Two threads call one place by different names, and two places by one name.
TEST(Hazards, OfPlacesNotNames) {
  const char* text = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct cell { atomic_int value; };
static struct cell *one, *two;
static int seen = 2;
static atomic_int done;
static void *left(void *unused) {
  struct cell *mine = one;
  atomic_store_explicit(&mine->value, 1, memory_order_relaxed);
  seen = atomic_load_explicit(&done, memory_order_relaxed);
  return unused;
}
int main(void) {
  one = calloc(1, sizeof *one), two = calloc(1, sizeof *two);
  pthread_t thread;
  pthread_create(&thread, 0, left, 0);
  struct cell *theirs = one, *mine = two;
  int first = atomic_load_explicit(&mine->value, memory_order_relaxed);
  atomic_store_explicit(&done, 1, memory_order_seq_cst);
  int second = atomic_load_explicit(&theirs->value, memory_order_relaxed);
  pthread_join(thread, 0);
  assert(first || second || seen);
}
)";
  const auto sentences = sentences_of(checked("names.c", text, "tso", ""));
  ASSERT_EQ(sentences.size(), 1U) << fmt::format("{}", fmt::join(sentences, "\n"));
  EXPECT_TRUE(sentences[0].starts_with("mine->value = 1 of left 1 is buffered from step ")) << sentences[0];
  EXPECT_NE(sentences[0].find("; meanwhile main 0 reads 0 in step "), std::string::npos) << sentences[0];
  EXPECT_EQ(sentences[0].find(", main 0 reads"), std::string::npos) << sentences[0];
}

TEST(Hazards, NoneWithoutBuffers) {
  const auto verdict = checked("sc.dve", R"(byte x;
process A { state a, b; init a; trans a -> b { effect x = 1; }; }
process B { byte r = 2; state a, b; init a; trans a -> b { effect r = x; }; }
system async;
)",
                               "sc", "B->r == 1");
  EXPECT_EQ(sentences_of(verdict), Sentences{});
  EXPECT_EQ(report::trace_text(*verdict.trace, {}).find("hazard"), std::string::npos);
}

// By the definition, on the run with its loop unrolled: a store is the n-th of its thread and location, counted from the
// first that has not arrived, and ends with the n-th flush after it; in a slot (sb1), with the first.
struct Interval {
  std::size_t begin, end, rounds;
  std::set<std::size_t> accesses;
  friend bool operator==(const Interval&, const Interval&) = default;
};

std::vector<Interval> by_definition(const core::Trace& trace, bool slots) {
  constexpr std::size_t most_rounds = 12;
  const std::size_t length = trace.steps.size();
  Steps order;
  for (std::size_t i = 0; i < length; ++i) order.push_back(i);
  for (std::size_t r = 0; r < most_rounds; ++r)
    for (std::size_t i = trace.loop_start; i < length; ++i) order.push_back(i);
  std::vector<std::pair<std::size_t, const core::Effect*>> all;  // place in `order`, effect
  for (std::size_t at = 0; at < order.size(); ++at)
    for (const core::Effect& e : trace.steps[order[at]].effects) all.emplace_back(at, &e);
  std::vector<Interval> found;
  for (std::size_t k = 0; k < all.size() && all[k].first < length; ++k) {
    const core::Effect& store = *all[k].second;
    if (store.kind != Kind::Buffered) continue;
    const auto same = [&](const core::Effect& e) { return e.location == store.location && e.thread == store.thread; };
    int waiting = 0;
    for (std::size_t i = 0; i < k && !slots; ++i)
      if (same(*all[i].second))
        waiting += (all[i].second->kind == Kind::Buffered) - (all[i].second->kind == Kind::Flushed);
    std::size_t end = order.size();
    for (std::size_t i = k + 1; i < all.size() && end == order.size(); ++i) {
      const core::Effect& e = *all[i].second;
      if (same(e) && (e.kind == Kind::Wrote || (e.kind == Kind::Flushed && waiting-- == 0))) end = all[i].first;
    }
    Interval interval{all[k].first, length, 0, {}};
    if (end < order.size()) {
      interval.end = order[end];
      if (end >= length) interval.rounds = 1 + (end - length) / (length - trace.loop_start);
    }
    for (const auto& [at, e] : all) {
      const bool access = e->kind == Kind::ReadMemory || e->kind == Kind::ReadBuffer || e->kind == Kind::Buffered ||
                          e->kind == Kind::Wrote || e->kind == Kind::Flushed;
      if (access && at > all[k].first && at < end && e->location == store.location && e->thread != store.thread)
        interval.accesses.insert(order[at]);
    }
    found.push_back(std::move(interval));
  }
  return found;
}

// A random run of the model of some steps, as a lasso if it comes back to a state.
class Wandering final : private core::SuccessorSink {
 public:
  Wandering(const ir::Program& program, const char* model, std::mt19937& random)
      : program_(program),
        model_(model),
        random_(random),
        system_(program, *models::machine(model), {.buffer_bound = 3, .visible = {}}) {}

  core::Trace run(std::size_t most_steps) {
    const auto scratch = system_.make_scratch();
    core::Trace trace;
    trace.model = model_;
    check::Replay replay(program_, *check::naive_model(model_), check::NaivePort::unbounded);
    std::vector<std::vector<std::uint32_t>> seen{system_.initial(*scratch)};
    while (trace.steps.size() < most_steps) {
      next_.clear();
      system_.successors(seen.back(), core::Reduction::None, *scratch, *this);
      if (next_.empty()) break;
      const auto& [move, state] = next_[random_() % next_.size()];
      EXPECT_TRUE(replay.move(move, trace));
      const auto before = std::ranges::find(seen, state);
      // Short loops come often: some are gone round once more as part of the way.
      if (before != seen.end() && random_() % 4 == 0) {
        trace.loop_start = static_cast<std::size_t>(before - seen.begin());
        break;
      }
      seen.push_back(state);
    }
    return trace;
  }

 private:
  void successor(const core::Successor& s) override {
    if (s.error == 0) next_.emplace_back(s.move, std::vector<std::uint32_t>(s.state.begin(), s.state.end()));
  }

  const ir::Program& program_;
  const char* model_;
  std::mt19937& random_;
  ir::System system_;
  std::vector<std::pair<core::Move, std::vector<std::uint32_t>>> next_;
};

TEST(Hazards, AgreeWithTheDefinition) {
  tests::RandomDve models(404);
  std::mt19937 random(404);
  int lassos = 0, later = 0, inconsistent = 0, shown = 0;
  for (int i = 0; i < 500; ++i) {
    const tests::RandomModel model = models.next();
    const auto program = dve::load_text(model.text, "random.dve", model.atomic);
    ASSERT_TRUE(program);
    for (const char* name : {"tso", "pso", "sb1"}) {
      const core::Trace trace = Wandering(*program, name, random).run(25);
      SCOPED_TRACE(model.text + model.atomic + report::trace_text(trace, {}));
      std::vector<Interval> found;
      std::size_t with_accesses = 0;
      for (const auto& hazard : report::hazards(trace)) {
        const Steps steps = steps_of(hazard);
        found.push_back({hazard.begin, hazard.end, hazard.rounds, {steps.begin(), steps.end()}});
        later += hazard.rounds > 0;
        with_accesses += steps.empty() ? 0 : 1;
      }
      ASSERT_TRUE(found == by_definition(trace, std::string_view(name) == "sb1"));
      const auto sentences = report::hazard_sentences(trace, report::rows_of(trace));
      EXPECT_EQ(sentences.size(), with_accesses);
      lassos += trace.loop_start < trace.steps.size();
      inconsistent += static_cast<int>(with_accesses);
      for (const std::string& sentence : sentences)
        shown += report::trace_text(trace, {}).find("  hazard: " + sentence + "\n") != std::string::npos;
    }
  }
  std::printf("%d lassos, %d intervals end in a later round, %d with inconsistent accesses\n", lassos, later,
              inconsistent);
  EXPECT_EQ(shown, inconsistent);
  EXPECT_GT(lassos, 50);
  EXPECT_GT(later, 50);
  EXPECT_GT(inconsistent, 500);
}

}  // namespace
}  // namespace heddle
