// Edited reports: a run of one program is altered until it seems to show a violation of another that has none. Each edit
// is one that some rule of the replay is there to refuse.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/json.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using core::WitnessEvent;
using Kind = WitnessEvent::Kind;

struct Forgery {
  const char *name, *extension, *options;
  const char *wrong, *right;  // how the two programs begin, and
  const char* rest;
  void (*edit)(core::Verdict&);
  const char* replay_options = nullptr;  // instead of `options`
};

core::ExecutionWitness& execution(core::Verdict& v) { return *v.trace->execution; }

// Events with other numbers: `number` of those that are left, by their old ones.
void renumber(core::ExecutionWitness& w, const std::vector<std::int32_t>& number) {
  const auto change = [&](std::int32_t& e) {
    if (e >= 0) e = number[static_cast<std::size_t>(e)];
  };
  for (WitnessEvent& e : w.events) change(e.rf), change(e.co_prev);
  for (auto& thread : w.threads) change(thread.spawn);
  std::vector<std::uint32_t> indices(w.threads.size(), 0);
  for (WitnessEvent& e : w.events) e.index = indices[e.thread]++;
}

void keep(core::ExecutionWitness& w, bool (*kept)(const core::ExecutionWitness&, std::size_t)) {
  std::vector<std::int32_t> number;
  std::vector<WitnessEvent> events;
  for (std::size_t i = 0; i < w.events.size(); ++i) {
    number.push_back(static_cast<std::int32_t>(events.size()));
    if (kept(w, i)) events.push_back(w.events[i]);
  }
  w.events = std::move(events);
  renumber(w, number);
}

void refuse(core::Verdict& v, std::size_t events, core::Tid thread, core::Fault fault, const char* kind) {
  core::ExecutionWitness& w = execution(v);
  w.events.resize(std::min(events, w.events.size()));
  WitnessEvent e;
  e.kind = Kind::Refused;
  e.thread = thread;
  e.index = static_cast<std::uint32_t>(std::ranges::count(w.events, thread, &WitnessEvent::thread));
  e.fault = fault;
  w.events.push_back(e);
  w.failed = thread;
  v.violation_kind = kind;
}

void cut_last_read(core::Verdict& v) {
  auto& events = execution(v).events;
  WitnessEvent e = events.back();
  events.pop_back();
  const core::Loc whole = e.loc;
  e.rf = WitnessEvent::initial;
  e.value = 0;
  e.pieces = 2;
  for (e.piece = 0; e.piece < 2; ++e.piece, ++e.index) {
    e.loc = {whole.object, whole.offset + e.piece * whole.size / 2, whole.size / 2};
    events.push_back(e);
  }
}

constexpr const char* message_passing = R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *a) { atomic_store(&x, 1); atomic_store(&y, 1); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int r = atomic_load(&y), s = atomic_load(&x);
  if (r == 1) assert(s == EXPECTED);
  pthread_join(t, 0);
}
)";
constexpr const char *bad = "#define EXPECTED 0\n", *good = "#define EXPECTED 1\n";

const Forgery forgeries[] = {
    {"a read cut where no other access is", "c", "--engine graph --model sc", bad, good, message_passing,
     cut_last_read},
    {"a refused allocation", "c", "--engine graph --model sc", bad, good, message_passing,
     [](core::Verdict& v) { refuse(v, 0, 0, core::Fault::Null, "null-dereference"); }},
    {"a refused creation of a thread", "c", "--engine graph --model sc", bad, good, message_passing,
     [](core::Verdict& v) {
       const auto& events = execution(v).events;
       const auto spawn = std::ranges::find(events, Kind::Spawn, &WitnessEvent::kind) - events.begin();
       execution(v).threads.resize(1);
       refuse(v, static_cast<std::size_t>(spawn), 0, core::Fault::Null, "null-dereference");
     }},
    {"a refusal behind the end of a thread", "c", "--engine graph --model sc", bad, good, message_passing,
     [](core::Verdict& v) {
       auto& events = execution(v).events;
       std::erase_if(events, [](const WitnessEvent& e) { return e.kind == Kind::Read && e.thread == 0; });
       refuse(v, events.size(), 1, core::Fault::Wild, "wild-pointer");
     }},
    {"threads that nobody creates", "c", "--engine graph --model sc", bad, bad, message_passing,
     [](core::Verdict& v) { execution(v).threads.resize(20000, execution(v).threads[1]); }},
    {"coherence that goes round", "c", "--engine graph --model tso --property robust --timeout 60", "", "", R"(
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *a) { atomic_store_explicit(&y, 1, memory_order_relaxed); atomic_load(&x); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_load(&y);
  pthread_join(t, 0);
}
)",
     [](core::Verdict& v) {
       auto& events = execution(v).events;
       for (std::size_t i = 0; i < events.size(); ++i)
         if (events[i].co_prev >= 0) events[i].co_prev = static_cast<std::int32_t>(i);
     }},
    {"a read-modify-write without its write", "c", "--engine graph --model sc", bad, good, R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *other(void *a) { atomic_fetch_add(&x, 1); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(atomic_load(&x) == EXPECTED);
}
)",
     [](core::Verdict& v) {
       auto& events = execution(v).events;
       WitnessEvent& last = events.back();
       last.value = 0;
       last.rf = WitnessEvent::initial;
       for (WitnessEvent& e : events) e.waits |= e.kind == Kind::Read && e.rmw && e.thread == 1 && e.loc == last.loc;
       keep(execution(v), [](const core::ExecutionWitness& w, std::size_t i) {
         return w.events[i].kind != Kind::Write || !w.events[i].rmw || w.events[i].loc != w.events.back().loc;
       });
     }},
    {"one request read twice, so that dependencies are on others", "c", "--engine graph --model armv8",
     "#define AT 0\n", "#define AT (r & 256)\n", R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, c;
static void *other(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_fetch_add_explicit(&c, 1, memory_order_relaxed);
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  int s = atomic_load_explicit(&x + AT, memory_order_relaxed);
  assert(!(r == 1 && s == 0));
}
)",
     [](core::Verdict& v) {
       core::ExecutionWitness& w = execution(v);
       const auto is_add = [](const WitnessEvent& e) { return e.thread == 0 && e.kind == Kind::Write && e.rmw; };
       const auto read = std::ranges::find_if(w.events, is_add) - w.events.begin() - 1;
       std::vector<std::int32_t> number;
       for (std::int32_t i = 0; i < static_cast<std::int32_t>(w.events.size()); ++i) number.push_back(i + (i > read));
       w.events.insert(w.events.begin() + read, WitnessEvent(w.events[static_cast<std::size_t>(read)]));
       renumber(w, number);
     }},
    {"a plain access refused for its alignment", "c", "--engine graph --model sc", bad, good, R"(
#include <assert.h>
#include <pthread.h>
static struct __attribute__((packed)) { char c; int i; } s;
static void *other(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  s.i = 1;
  assert(s.i == EXPECTED);
}
)",
     [](core::Verdict& v) {
       const auto& events = execution(v).events;
       const auto access = std::ranges::find(events, core::Loc{events.back().loc}, &WitnessEvent::loc);
       refuse(v, static_cast<std::size_t>(access - events.begin()), 0, core::Fault::Misaligned, "misaligned");
     }},
    {"a deadlock behind exit", "c", "--engine graph --model sc --property deadlock", "#define LEAVES 1\n",
     "#define LEAVES 0\n", R"(
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int leaves = LEAVES;
static void *other(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, other, 0);
  if (atomic_load(&leaves)) pthread_exit(0);
  return 0;
}
)",
     [](core::Verdict& v) {
       core::ExecutionWitness& w = execution(v);
       std::ranges::find_if(w.events, [](const WitnessEvent& e) {
         return e.thread == 0 && e.kind == Kind::Read && !e.rmw && e.order == core::Order::SeqCst;
       })->value = 0;
       keep(w, [](const core::ExecutionWitness& all, std::size_t i) {
         const auto leaves = std::ranges::find_if(all.events, [](const WitnessEvent& e) {
           return e.thread == 0 && e.kind == Kind::Read && !e.rmw && e.order == core::Order::SeqCst;
         });
         return all.events[i].thread != 0 || static_cast<std::ptrdiff_t>(i) <= leaves - all.events.begin();
       });
     }},
    {"a failed assumption as a deadlock", "c", "--engine explicit --model sc --property deadlock",
     "#define NEXT pthread_mutex_lock(&m)\n", "#define NEXT heddle_assume(0)\n", R"(
#include <pthread.h>
void heddle_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  NEXT;
}
)",
     nullptr},
    {"a proper end as a deadlock", "dve", "--model sc --property deadlock",
     "byte x = 0;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }, b -> a { guard x == 0; }; }\n",
     "byte x = 0;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }; }\n", "system async;\n", nullptr},
    {"a proper end as a deadlock", "pml", "--model sc --property deadlock",
     "byte x;\nactive proctype P() { x = 1; x = 1; x = 1; (x == 0) }\n",
     "byte x;\nactive proctype P() { x = 1; x = 1 }\n", "", nullptr},
    {"an error of an invariant as a violation of it", "dve", "--model sc --invariant x==1", "byte x = 0;\n",
     "byte x = 0;\n",
     "process P { state a, b; init a; trans a -> b { effect x = 1; }, b -> a { effect x = 0; }; }\nsystem async;\n",
     nullptr, "--invariant '1/x == 0'"},
};

struct Output {
  int code = -1;
  std::string text;
};
Output run(const std::string& arguments) {
  const std::string command = fmt::format("'{}/heddle' check {} 2>&1", tests::binary_dir(), arguments);
  Output output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.text.append(buffer, n);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return output;
}

void edit(const std::string& report, void (*how)(core::Verdict&)) {
  std::stringstream text;
  text << std::ifstream(report).rdbuf();
  auto saved = report::read_json(text.str(), report);
  ASSERT_TRUE(saved) << render(saved.error());
  if (how != nullptr) how(saved->verdicts.front());
  std::ofstream(report) << report::json(*saved);
}

TEST(Forged, ReportsAreRefused) {
  if (!fs::exists(tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  for (const Forgery& f : forgeries) {
    SCOPED_TRACE(f.name);
    const std::string file = fmt::format("{}forged_{}.{}", testing::TempDir(), getpid(), f.extension);
    const std::string report = file + ".json";
    std::ofstream(file) << f.wrong << f.rest;
    const Output real = run(fmt::format("'{}' {} --json '{}'", file, f.options, report));
    ASSERT_EQ(real.code, 1) << real.text;
    ASSERT_NO_FATAL_FAILURE(edit(report, nullptr));
    const Output same = run(fmt::format("'{}' {} --replay '{}'", file, f.options, report));
    EXPECT_EQ(same.code, 1) << same.text;
    ASSERT_NO_FATAL_FAILURE(edit(report, f.edit));
    std::ofstream(file) << f.right << f.rest;
    const char* options = f.replay_options != nullptr ? f.replay_options : f.options;
    const Output forged = run(fmt::format("'{}' {} --replay '{}'", file, options, report));
    EXPECT_EQ(forged.code, 2) << forged.text;
    EXPECT_NE(forged.text.find("does not lead to its violation"), std::string::npos) << forged.text;
    fs::remove(file);
    fs::remove(report);
  }
}

}  // namespace
}  // namespace heddle
