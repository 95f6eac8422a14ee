// Random small C programs, some with accesses of different sizes to the same bytes: what execution graphs end in under
// sc, tso and pso is what the naive machines of check/ end in, no execution comes twice, and each one replays.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include <unistd.h>

#include "axioms/models.h"
#include "check/graph_replay.h"
#include "graph/check.h"
#include "lang/llvm/load.h"
#include "models/models.h"
#include "support/outcomes.h"
#include "support/places.h"
#include "support/random_c.h"
#include "support/times.h"
#include "support/unjudged.h"
#include "vm/vm_program.h"

namespace heddle {
namespace {

using tests::RandomC;
using tests::Threads;

// Small globals as Product::show() writes them, from the coherence-latest values of the pieces that were accessed.
std::string show_memory(const core::Program& program, const std::vector<std::pair<core::Loc, core::Value>>& memory) {
  std::string out;
  for (std::uint32_t object = 1; object <= program.globals().size(); ++object) {
    const core::GlobalObject& global = program.globals()[object - 1];
    if (global.constant || global.size == 0 || global.size > 32) continue;
    std::vector<std::byte> bytes = global.bytes;
    std::vector<bool> undefined(bytes.size(), false);
    for (const auto& [loc, value] : memory)
      for (std::uint32_t i = 0; loc.object == object && i < loc.size; ++i) {
        bytes[loc.offset + i] = static_cast<std::byte>(value.bits >> (8 * i));
        undefined[loc.offset + i] = ((value.undefined >> (8 * i)) & 0xff) != 0;
      }
    out += fmt::format(" {}=", global.name);
    for (std::uint32_t at = 0; at < global.size; at += 8) {
      std::uint64_t word = 0;
      bool defined = true;
      for (std::uint32_t i = 0; i < 8 && at + i < global.size; ++i) {
        word |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
        defined &= !undefined[at + i];
      }
      out += fmt::format("{}{}", at == 0 ? "" : ",", defined ? std::to_string(word) : "?");
    }
  }
  return out;
}

// `deadlocks`: are asked for, and nothing else goes wrong.
tests::Outcomes by_graphs(const core::Program& program, const std::string& model, bool replay, bool deadlocks = false) {
  tests::Outcomes outcomes;
  graph::Options options;
  options.model = model;
  options.properties.deadlock = options.count_all = deadlocks;
  options.hash_executions = true;
  options.on_restart = [&] { outcomes.memories.clear(); };
  options.on_complete = [&](const graph::Completed& done) {
    outcomes.memories.insert(show_memory(program, done.memory));
    if (!replay) return;
    const auto replayed = check::replay_graph(program, done.witness, {});
    EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
  };
  core::Budget budget;
  const auto v = test::unjudged(graph::check(program, options, budget));
  EXPECT_NE(v.outcome, core::Outcome::Unknown) << v.reason.text;
  EXPECT_EQ(v.statistics.duplicates.value_or(0), 0U);
  (deadlocks ? outcomes.deadlock : outcomes.failed) = v.outcome == core::Outcome::Unsafe;
  return outcomes;
}

// No program of these has an execution that is visited twice: by_graphs() fails on one.
void told(unsigned programs) {
  std::cout << "  " << programs << " programs, " << 3 * programs << " comparisons, no duplicates\n";
}

void compare(unsigned seed, unsigned modules, unsigned programs, unsigned mixing, bool machine = false) {
  modules *= test::times();
  seed = test::first_seed(seed);
  RandomC generator(seed, machine, mixing, false);
  for (unsigned n = 0; n < modules; ++n) {
    const std::string text = generator.module(programs);
    lang::llvm_ir::Options options;
    options.optimise = std::to_string(n % 3);
    const auto loaded = tests::load_module(text, options);
    ASSERT_NE(loaded, nullptr);
    const auto each = tests::programs_of(*loaded, programs);
    for (unsigned i = 0; i < programs; ++i) {
      ASSERT_GE(each[i].size(), 2U);
      const Threads program(*loaded, each[i]);
      for (const char* model : {"sc", "tso", "pso"}) {
        SCOPED_TRACE(fmt::format("seed {} module {} program {} under {} at -O{}\n{}", seed, n, i, model, n % 3,
                                 text.substr(text.find(fmt::format("void *t{}_0", i)), 900)));
        auto found = by_graphs(program, model, true),
             expected = tests::by_naive_machine(program, *check::thread_model(model), 100);
        // An error ends the search; of deadlocks, which are not asked for, graphs say nothing.
        if (found.failed) found.memories = expected.memories;
        expected.deadlock = false;
        ASSERT_EQ(found, expected);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  told(modules * programs);
}

std::string runtime() {
  const char* elsewhere = std::getenv("HEDDLE_RUNTIME");
  return elsewhere != nullptr ? elsewhere : tests::binary_dir() + "/runtime";
}

core::Verdict check_c(const std::string& path, std::vector<std::string> defines, const std::string& model,
                      bool pending = false) {
  lang::llvm_ir::Options options;
  options.defines = std::move(defines);
  options.pending_loads = pending;
  options.runtime = runtime();
  const auto loaded = lang::llvm_ir::load({path}, options);
  if (!loaded) {
    ADD_FAILURE() << render(loaded.error());
    return {};
  }
  graph::Options how;
  how.model = model;
  how.hash_executions = true;
  core::Budget budget;
  const core::Finding finding = graph::check(**loaded, how, budget);
  if (const core::Found* found = finding.found()) {
    const auto replayed = check::replay_graph(**loaded, std::get<core::ExecutionWitness>(found->run), found->claim);
    EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
  }
  return test::unjudged(finding);
}

// ground-truth/executions.csv: complete executions; those that are blocked depend on how the program is written.
TEST(GraphC, MichaelScottQueue) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  const std::string path = tests::source_dir() + "/tests/support/msq_tagged.c";
  const struct {
    const char *e, *d, *later;
    std::uint64_t complete, blocked;
  } rows[] = {{"1", "1", "0", 3, 1}, {"2", "1", "0", 26, 38}, {"3", "0", "3", 126, 264}, {"2", "2", "0", 158, 694}};
  for (const auto& r : rows) {
    const auto v =
        check_c(path, {std::string("E_COUNT=") + r.e, std::string("D_COUNT=") + r.d, std::string("D_LATER=") + r.later},
                "rc11");
    EXPECT_EQ(v.outcome, core::Outcome::Safe) << v.reason.text;
    EXPECT_EQ(v.statistics.executions, r.complete) << r.e << r.d << r.later;
    EXPECT_LE(*v.statistics.blocked, r.blocked) << r.e << r.d << r.later;
    EXPECT_EQ(v.statistics.duplicates.value_or(0), 0U);
  }
}

// A word that is written and read whole and in halves: it never tears, whatever the model, but halves may come apart.
TEST(GraphC, MixedSizes) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  const std::string path = testing::TempDir() + fmt::format("mixed_{}.c", getpid());
  std::ofstream(path) << R"(
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
union { uint64_t whole; uint32_t half[2]; } x;
static void *writer(void *a) {
#ifdef HALVES
  __atomic_store_n(&x.half[0], 1, ORDER);
  __atomic_store_n(&x.half[1], 1, ORDER);
#else
  __atomic_store_n(&x.whole, 0x100000001, ORDER);
#endif
  return a;
}
int main(void) {
  pthread_t t;
  __atomic_store_n(&x.half[1], 0, __ATOMIC_RELAXED);
  pthread_create(&t, 0, writer, 0);
#ifdef READ_HALVES
  uint32_t high = __atomic_load_n(&x.half[1], ORDER), low = __atomic_load_n(&x.half[0], ORDER);
#else
  uint64_t v = __atomic_load_n(&x.whole, ORDER);
  uint32_t low = (uint32_t)v, high = (uint32_t)(v >> 32);
#endif
  assert(!(high && !low));
#ifdef ADD
  assert(__atomic_fetch_add(&x.whole, 1, ORDER) != 1);
#endif
  pthread_join(t, 0);
}
)";
  const std::string relaxed = "ORDER=__ATOMIC_RELAXED", strong = "ORDER=__ATOMIC_SEQ_CST";
  const std::vector<std::string> models = {"sc", "tso", "pso", "nsw", "rmo", "ra", "rc11", "armv8", "riscv", "power"};
  for (const auto& model : models) {
    const bool deps = axioms::find_model(model)->needs_deps;
    EXPECT_EQ(check_c(path, {relaxed}, model, deps).outcome, core::Outcome::Safe) << model;
    EXPECT_EQ(check_c(path, {relaxed, "ADD"}, model, deps).outcome, core::Outcome::Safe) << model;
    EXPECT_EQ(check_c(path, {strong, "HALVES", "READ_HALVES"}, model, deps).outcome, core::Outcome::Safe) << model;
    const bool in_order = model == "sc" || model == "tso" || model == "ra";
    EXPECT_EQ(check_c(path, {relaxed, "HALVES", "READ_HALVES"}, model, deps).outcome,
              in_order ? core::Outcome::Safe : core::Outcome::Unsafe)
        << model;
    EXPECT_EQ(check_c(path, {relaxed, "HALVES", "ADD"}, model, deps).outcome, core::Outcome::Unsafe) << model;
  }
}

// What the library does is told at the line that called it: what it prints, and nothing of what it allocates for that.
TEST(GraphC, ShowsWhatIsPrintedWhereItIsCalled) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  const std::string path = testing::TempDir() + fmt::format("prints_{}.c", getpid());
  std::ofstream(path) << "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  printf(\"%d bottles\\n\", 99);\n"
                         "  assert(0);\n}\n";
  lang::llvm_ir::Options options;
  options.runtime = runtime();
  const auto loaded = lang::llvm_ir::load({path}, options);
  ASSERT_TRUE(loaded) << render(loaded.error());
  std::string printed;
  graph::Options how;
  how.model = "sc";
  core::Budget budget;
  const core::Finding finding = graph::check(**loaded, how, budget);
  const core::Found* found = finding.found();
  ASSERT_NE(found, nullptr);
  const auto replayed = check::replay_graph(**loaded, std::get<core::ExecutionWitness>(found->run), found->claim);
  for (const core::TraceStep& step : replayed.trace.steps)
    for (const core::Effect& effect : step.effects) {
      EXPECT_TRUE(step.place.library) << step.action;
      EXPECT_NE(effect.kind, core::Effect::Kind::Note) << effect.value;
      if (effect.kind != core::Effect::Kind::Output) continue;
      EXPECT_EQ(step.caller.line, 4U);
      printed += effect.value;
    }
  EXPECT_EQ(printed, "99 bottles\n");
}

// Programs of two or three threads that meet at a barrier, a semaphore and a condition variable. The first function of
// each, t<i>_0, creates the others.
std::string meeting_threads(std::mt19937& random, unsigned programs) {
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string text =
      "#include <pthread.h>\n#include <semaphore.h>\n#include <time.h>\n"
      "static pthread_barrier_t barrier; static sem_t semaphore; static int x, ready, out[3];\n"
      "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t cond = "
      "PTHREAD_COND_INITIALIZER;\n"
      "static struct timespec soon;\n";
  const char* operations[] = {
      "r = 3 * r + __atomic_load_n(&x, __ATOMIC_RELAXED);",
      "__atomic_store_n(&x, 1, __ATOMIC_RELAXED);",
      "__atomic_fetch_add(&x, 2, __ATOMIC_RELAXED);",
      "sem_wait(&semaphore);",
      "sem_post(&semaphore);",
      "if (sem_trywait(&semaphore)) r += 5;",
      "pthread_barrier_wait(&barrier);",
      "if (pthread_barrier_wait(&barrier)) r += 7;",
      "pthread_mutex_lock(&mutex); if (!ready) pthread_cond_wait(&cond, &mutex); r += ready; "
      "pthread_mutex_unlock(&mutex);",
      "pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&cond); pthread_mutex_unlock(&mutex);",
      "pthread_cond_signal(&cond);",
      "pthread_cond_broadcast(&cond);",
      "pthread_mutex_lock(&mutex); if (pthread_cond_timedwait(&cond, &mutex, &soon)) r += 9; "
      "pthread_mutex_unlock(&mutex);",
  };
  for (unsigned i = 0; i < programs; ++i) {
    const unsigned threads = 2 + pick(2), kind = pick(4);  // the last kind has all operations
    for (unsigned k = 0; k < threads; ++k) {
      text += fmt::format("static void *w{}_{}(void *a) {{ int r = 0;", i, k);
      for (unsigned n = 2 + pick(threads == 2 ? 2 : 1); n > 0; --n) {
        const unsigned from[] = {3, 6, 8, 0}, count[] = {3, 2, 5, 13};
        text += fmt::format(" {}", operations[pick(3) == 0 ? pick(3) : from[kind] + pick(count[kind])]);
      }
      text += fmt::format(" out[{}] = r; return a; }}\n", k);
    }
    text += fmt::format(
        "void *t{}_0(void *a) {{ pthread_t t[{}]; pthread_barrier_init(&barrier, 0, {}); sem_init(&semaphore, 0, "
        "{});\n",
        i, threads, 2 + pick(threads - 1), pick(2));
    for (unsigned k = 0; k < threads; ++k) text += fmt::format("pthread_create(&t[{}], 0, w{}_{}, 0);", k, i, k);
    for (unsigned k = 0; k < threads; ++k) text += fmt::format("pthread_join(t[{}], 0);", k);
    text += "return a; }\n";
  }
  text += "void *(*all[])(void *) = {";  // what main does not know of is not translated
  for (unsigned i = 0; i < programs; ++i) text += fmt::format("t{}_0, ", i);
  return text + "}; int main(void) { return all[0] == 0; }\n";
}

void compare_meeting_threads(unsigned seed, unsigned modules, unsigned programs) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  modules *= test::times();
  seed = test::first_seed(seed);
  std::mt19937 random(seed);
  for (unsigned n = 0; n < modules; ++n) {
    const std::string text = meeting_threads(random, programs);
    lang::llvm_ir::Options options;
    options.runtime = runtime();
    const auto loaded = tests::load_module(text, options);
    ASSERT_NE(loaded, nullptr);
    const auto each = tests::programs_of(*loaded, programs);
    for (unsigned i = 0; i < programs; ++i) {
      ASSERT_EQ(each[i].size(), 1U);
      const Threads program(*loaded, each[i]);
      for (const char* model : {"sc", "tso", "pso"}) {
        SCOPED_TRACE(fmt::format("seed {} module {} program {} under {}\n{}", seed, n, i, model,
                                 text.substr(text.find(fmt::format("static void *w{}_0", i)), 1200)));
        const auto found = by_graphs(program, model, true, true);
        const explore::Product product(program, *models::machine(model), {.buffer_bound = 100});
        ASSERT_EQ(found, tests::by_product(product, core::Reduction::Safety));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  told(modules * programs);
}
TEST(GraphC, HasTheOutcomesOfExplicitStatesWhereThreadsMeet) { compare_meeting_threads(1, 1, 40); }

TEST(GraphC, HasTheOutcomesOfTheNaiveMachines) { compare(11, 2, 25, 1); }
TEST(GraphC, HasTheirOutcomesWhereSizesAreMixed) { compare(12, 2, 25, 4); }
TEST(GraphC, HasTheirOutcomesWithLocksAndAtomicSections) { compare(13, 2, 25, 0, true); }

unsigned programs_wanted() {
  const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS");  // 20000 for the long run
  return wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 400;
}
TEST(GraphC, HasTheOutcomesOfTheNaiveMachines_slow) {
  compare(5000, (programs_wanted() + 99) / 100, 50, 1);
  compare(6000, (programs_wanted() + 99) / 100, 50, 4);
}
TEST(GraphC, HasTheOutcomesOfExplicitStatesWhereThreadsMeet_slow) {
  compare_meeting_threads(2, (programs_wanted() + 99) / 100, 50);
}
TEST(GraphC, HasTheirOutcomesWithLocksAndAtomicSections_slow) {
  compare(7000, (programs_wanted() + 199) / 200, 50, 1, true);
}

}  // namespace
}  // namespace heddle
