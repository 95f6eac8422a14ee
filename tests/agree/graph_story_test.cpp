// How violating executions are told: in an order in which they happen, up to the step that goes wrong, stale reads with
// the store that they miss, and with a sentence on the accesses that lack order. That this sentence is right is tried
// out: with the orders that it names the program must be safe.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include <unistd.h>

#include "axioms/models.h"
#include "check/graph_replay.h"
#include "graph/check.h"
#include "lang/llvm/load.h"
#include "support/places.h"

namespace heddle {
namespace {

std::string runtime() {
  const char* elsewhere = std::getenv("HEDDLE_RUNTIME");
  return elsewhere != nullptr ? elsewhere : tests::binary_dir() + "/runtime";
}

std::optional<check::Replayed> told(const std::string& text, const std::string& model) {
  const std::string path = testing::TempDir() + fmt::format("story_{}.c", getpid());
  std::ofstream(path) << text;
  lang::llvm_ir::Options options;
  options.pending_loads = axioms::find_model(model)->needs_deps;
  options.runtime = runtime();
  const auto loaded = lang::llvm_ir::load({path}, options);
  if (!loaded) {
    ADD_FAILURE() << render(loaded.error());
    return std::nullopt;
  }
  std::optional<check::Replayed> found;
  graph::Options how;
  how.model = model;
  core::Budget budget;
  const core::Finding finding = graph::check(**loaded, how, budget);
  if (finding.found() == nullptr) return found;
  found = check::replay_graph(**loaded, std::get<core::ExecutionWitness>(finding.found()->run), finding.found()->claim);
  EXPECT_TRUE(found->confirmed) << found->why.text;
  return found;
}

// Program order, reads after their writes, both halves of a read-modify-write in one step.
void in_order(const core::Trace& trace) {
  const auto& events = trace.execution->events;
  std::set<std::size_t> before;
  for (const core::TraceStep& step : trace.steps) {
    for (const std::size_t e : step.events) {
      EXPECT_EQ(events[e].thread, events[step.events.front()].thread);
      const bool reads = events[e].rf >= 0;
      EXPECT_TRUE(!reads || before.contains(static_cast<std::size_t>(events[e].rf))) << "event " << e;
      const bool second_half = events[e].kind == core::WitnessEvent::Kind::Write && events[e].rmw;
      EXPECT_TRUE(!second_half || step.events.size() >= 2) << "event " << e;
      before.insert(e);
    }
  }
  EXPECT_EQ(before.size(), events.size());
}

constexpr const char* message_passing = R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag;
static void *producer(void *a) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, STORE); // line 8
  return a;
}
int main(void) {
  pthread_t t;
  atomic_store_explicit(&data, 7, memory_order_relaxed);
  pthread_create(&t, 0, producer, 0);
  if (atomic_load_explicit(&flag, LOAD)) // line 15
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  pthread_join(t, 0);
}
)";

std::string with(const char* store, const char* load) {
  return fmt::format("#define STORE memory_order_{}\n#define LOAD memory_order_{}\n#line 2\n{}", store, load,
                     std::string(message_passing).substr(1));
}

TEST(GraphStory, NamesTheAccessesThatLackOrder) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  for (const char* model : {"rc11", "armv8", "power", "riscv", "rmo"}) {
    SCOPED_TRACE(model);
    const bool by_default = std::string(model) == "rmo";  // has no orders of accesses
    const auto both = told(with("relaxed", "relaxed"), model);
    ASSERT_TRUE(both);
    in_order(both->trace);
    EXPECT_EQ(both->place.line, 16U);
    const std::string& closing = both->trace.closing;
    for (const char* place : {":7", ":8", ":15", ":16"}) EXPECT_NE(closing.find(place), std::string::npos) << closing;
    if (by_default) continue;
    // One half is there: only the other thread's pair is named.
    const auto load = told(with("release", "relaxed"), model);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->trace.closing.find(":8"), std::string::npos) << load->trace.closing;
    EXPECT_NE(load->trace.closing.find("an acquire load at"), std::string::npos) << load->trace.closing;
    const auto store = told(with("relaxed", "acquire"), model);
    ASSERT_TRUE(store);
    EXPECT_EQ(store->trace.closing.find(":15"), std::string::npos) << store->trace.closing;
    EXPECT_NE(store->trace.closing.find("a release store at"), std::string::npos) << store->trace.closing;
    EXPECT_FALSE(told(with("release", "acquire"), model));
  }
}

TEST(GraphStory, MarksStaleValuesThatAreNotTheInitialOne) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  const auto found = told(with("relaxed", "relaxed"), "rc11");
  ASSERT_TRUE(found);
  unsigned stale = 0;
  for (const core::TraceStep& step : found->trace.steps)
    for (const core::Effect& effect : step.effects) {
      if (!effect.missed) continue;
      ++stale;
      EXPECT_EQ(effect.value, "7");
      EXPECT_EQ(effect.missed->value, "1");
      EXPECT_EQ(effect.missed->by, "producer 1");
      EXPECT_EQ(found->trace.steps[effect.missed->step].place.line, 7U);
    }
  EXPECT_EQ(stale, 1U);
  EXPECT_EQ(found->trace.steps.back().place.line, 16U);
}

TEST(GraphStory, TellsTheFreeBeforeTheUse) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  const std::string text = R"(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static atomic_int after;
static void *reader(void *a) {
  int *q = atomic_load(&p);
  if (q) *q = 2;
  atomic_store(&after, 1);
  return a;
}
int main(void) {
  pthread_t t;
  int *q = malloc(sizeof *q);
  *q = 1;
  atomic_store(&p, q);
  pthread_create(&t, 0, reader, 0);
  atomic_fetch_add(&after, 2);
  free(q);
  pthread_join(t, 0);
}
)";
  for (const char* model : {"sc", "tso", "rc11", "armv8"}) {
    SCOPED_TRACE(model);
    const auto found = told(text, model);
    ASSERT_TRUE(found);
    in_order(found->trace);
    EXPECT_EQ(found->place.line, 9U);
    bool freed = false;
    for (const core::TraceStep& step : found->trace.steps) {
      freed |= step.action == "free" && !step.effects.empty();
      EXPECT_TRUE(freed || step.place.library || step.place.line != 9) << step.action;
      EXPECT_NE(step.action, "join");
    }
    EXPECT_EQ(found->trace.steps.back().place.line, 9U);
  }
}

TEST(GraphStory, SaysSoOfUninitialisedMemory) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  const auto found = told(
      "#include <stdlib.h>\nint main(void) {\n  volatile int *p = malloc(4);\n  int x = *p;\n"
      "  free((void *)p);\n  if (x) return 1;\n  return 0;\n}\n",
      "sc");
  ASSERT_TRUE(found);
  bool undefined = false;
  for (const core::TraceStep& step : found->trace.steps)
    for (const core::Effect& effect : step.effects) undefined |= effect.value == "undefined";
  EXPECT_TRUE(undefined);
  EXPECT_EQ(found->place.line, 6U);
}

}  // namespace
}  // namespace heddle
