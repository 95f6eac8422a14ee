// The replay of execution graphs believes nothing that a witness says: of real violations every field of every event is
// falsified in turn, and each falsified witness must be refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include <unistd.h>

#include "axioms/models.h"
#include "check/graph_replay.h"
#include "graph/check.h"
#include "lang/llvm/load.h"
#include "support/places.h"

namespace heddle {
namespace {

using core::WitnessEvent;

std::string runtime() {
  const char* elsewhere = std::getenv("HEDDLE_RUNTIME");
  return elsewhere != nullptr ? elsewhere : tests::binary_dir() + "/runtime";
}

struct Case {
  const char* name;
  const char* model;
  const char* text;
};

const Case cases[] = {
    {"message passing", "armv8", R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag;
static void *producer(void *a) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(atomic_load_explicit(&data, memory_order_relaxed));
  pthread_join(t, 0);
}
)"},
    {"a lock released too weakly", "rc11", R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock, x;
static void *worker(void *a) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&lock, &expected, 1, memory_order_acquire, memory_order_relaxed))
    return a;
  atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_relaxed) + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  atomic_store_explicit(&lock, 0, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(x != 1 || lock);
}
)"},
    {"use after free", "rc11", R"(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static void *reader(void *a) {
  int *q = atomic_load_explicit(&p, memory_order_acquire);
  if (q) *q = 2;
  return a;
}
int main(void) {
  pthread_t t;
  int *q = malloc(sizeof *q);
  *q = 1;
  atomic_store_explicit(&p, q, memory_order_release);
  pthread_create(&t, 0, reader, 0);
  free(q);
  pthread_join(t, 0);
}
)"},
    {"out of bounds", "sc", R"(
static int a[4];
int main(void) {
  for (volatile int i = 0; i <= 4; i++) a[i] = i;
}
)"},
};

struct Found {
  core::ExecutionWitness witness;
  core::Claim claim;
};

// Every single change of the event that no execution of the same program can have.
std::vector<std::pair<std::string, WitnessEvent>> falsified(const core::ExecutionWitness& w, std::size_t i) {
  const WitnessEvent& good = w.events[i];
  std::vector<std::pair<std::string, WitnessEvent>> out;
  const auto add = [&](std::string what, auto&& change) {
    WitnessEvent e = good;
    change(e);
    out.emplace_back(std::move(what), std::move(e));
  };
  using Kind = WitnessEvent::Kind;
  const bool access = good.kind == Kind::Read || good.kind == Kind::Write;
  for (unsigned k = 0; k <= static_cast<unsigned>(core::Order::SeqCst); ++k)
    if (static_cast<core::Order>(k) != good.order)
      add("order", [&](auto& e) { e.order = static_cast<core::Order>(k); });
  for (unsigned k = 0; k <= static_cast<unsigned>(Kind::Refused); ++k)
    if (static_cast<Kind>(k) != good.kind) add("kind", [&](auto& e) { e.kind = static_cast<Kind>(k); });
  for (core::Tid t = 0; t < w.threads.size(); ++t)
    if (t != good.thread) add("thread", [&](auto& e) { e.thread = t; });
  add("index", [](auto& e) { ++e.index; });
  add("tag", [](auto& e) { ++e.tag; });
  add("rmw", [](auto& e) { e.rmw = !e.rmw; });
  add("spurious", [](auto& e) { e.spurious = !e.spurious; });
  add("object", [](auto& e) { ++e.loc.object; });
  add("offset", [](auto& e) { ++e.loc.offset; });
  add("size", [](auto& e) { ++e.loc.size; });
  add("pieces", [](auto& e) { ++e.pieces; });
  add("fault", [](auto& e) { e.fault = e.fault == core::Fault::Wild ? core::Fault::None : core::Fault::Wild; });
  // A new object may have any new name.
  if (good.kind != Kind::Alloc) add("value", [](auto& e) { e.value.bits ^= 1; });
  else add("value", [](auto& e) { e.value = core::Value::address(1, 0); });
  add("undefined", [](auto& e) { e.value.undefined ^= 1; });
  add("pointer", [](auto& e) { e.value.pointer = !e.value.pointer; });
  if (good.kind != Kind::Read) add("waits", [](auto& e) { e.waits = true; });
  for (std::int32_t k = WitnessEvent::nothing; k < static_cast<std::int32_t>(w.events.size()); ++k) {
    const WitnessEvent* other = k < 0 ? nullptr : &w.events[static_cast<std::size_t>(k)];
    const bool write_here = other != nullptr && other->kind == Kind::Write && other->loc == good.loc;
    // Another write of the same value, or the initial one, may be as good a source.
    const bool other_value = other != nullptr && !(other->value == good.value);
    if (k != good.rf && (!access || good.kind == Kind::Write || k == WitnessEvent::nothing ||
                         (other != nullptr && (!write_here || other_value))))
      add(fmt::format("rf {}", k), [&](auto& e) { e.rf = k; });
    // Two writes directly behind one, or one behind itself: no order.
    if (k != good.co_prev) add(fmt::format("co {}", k), [&](auto& e) { e.co_prev = k; });
  }
  return out;
}

TEST(GraphReplay, RefusesEveryFalsifiedField) {
  if (!std::ifstream(runtime() + "/symbols.txt")) GTEST_SKIP() << "no runtime library at " << runtime();
  for (const Case& c : cases) {
    const std::string path = testing::TempDir() + fmt::format("falsified_{}.c", getpid());
    std::ofstream(path) << c.text;
    lang::llvm_ir::Options options;
    options.pending_loads = axioms::find_model(c.model)->needs_deps;
    options.runtime = runtime();
    const auto loaded = lang::llvm_ir::load({path}, options);
    ASSERT_TRUE(loaded) << render(loaded.error());
    std::optional<Found> found;
    graph::Options how;
    how.model = c.model;
    core::Budget budget;
    const core::Finding finding = graph::check(**loaded, how, budget);
    if (finding.found() != nullptr)
      found = Found{std::get<core::ExecutionWitness>(finding.found()->run), finding.found()->claim};
    ASSERT_TRUE(found) << c.name;
    EXPECT_TRUE(check::replay_graph(**loaded, found->witness, found->claim).confirmed) << c.name;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < found->witness.events.size(); ++i)
      for (auto& [what, event] : falsified(found->witness, i)) {
        core::ExecutionWitness w = found->witness;
        w.events[i] = std::move(event);
        EXPECT_FALSE(check::replay_graph(**loaded, w, found->claim).confirmed)
            << c.name << ": event " << i << ", another " << what;
        ++tried;
      }
    for (std::size_t t = 0; t < found->witness.threads.size(); ++t)
      for (int field = 0; field < 3; ++field) {
        core::ExecutionWitness w = found->witness;
        auto& thread = w.threads[t];
        if (field == 0) ++thread.entry;
        else if (field == 1) thread.arg.bits ^= 8;
        else thread.spawn = thread.spawn < 0 ? 0 : -1;
        EXPECT_FALSE(check::replay_graph(**loaded, w, found->claim).confirmed)
            << c.name << ": thread " << t << ", field " << field;
      }
    EXPECT_GT(tried, 100U);
  }
}

}  // namespace
}  // namespace heddle
