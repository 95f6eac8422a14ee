// Threads with unbounded buffers: random programs against explicit states with buffers of one to six stores, protocols in
// C against their Promela twins, certificates. Every proof is certified by check/, and what is found replays.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <regex>

#include <fmt/format.h>

#include "drive/buffers_engine.h"
#include "drive/buffers_threads.h"
#include "drive/explicit_engine.h"
#include "drive/load.h"
#include "drive/referee.h"
#include "drive/saved.h"
#include "support/mini_program.h"
#include "support/own_folder.h"
#include "support/protocols.h"

namespace heddle {
namespace {

using core::Outcome;

const core::Properties everything{{core::Assertion{}, core::Deadlock{}}};

// A program of the tests as a subject. `make` writes it.
template <class Make>
drive::Subject subject_of(const Make& make, core::Properties asked = everything) {
  drive::Subject subject{drive::Threads([make](bool) -> support::Result<drive::Threads::Translation> {
                           auto program = std::make_unique<test::MiniProgram>();
                           make(*program);
                           program->seal();
                           return drive::Threads::Translation{std::move(program), nullptr};
                         }),
                         std::move(asked)};
  EXPECT_TRUE(subject.threads()->prepare(*models::find("tso")));
  return subject;
}

struct Answer {
  core::Verdict verdict;
  std::string certificate;
};

Answer by_buffers(const drive::Subject& subject, const char* name, std::uint64_t most_states = 3000,
                  double seconds = 20) {
  const models::Model& model = *models::find(name);
  drive::Task task;
  core::Budget budget;
  budget.max_states = most_states;
  budget.seconds = seconds;
  core::Finding finding = drive::run_buffers(subject, model, task, budget);
  Answer answer;
  answer.certificate = finding.certificate;
  answer.verdict = drive::judge(subject, model, "buffers", task, std::move(finding));
  return answer;
}

core::Verdict by_states(const drive::Subject& subject, const char* name, unsigned bound) {
  const models::Model& model = *models::find(name);
  drive::Task task;
  task.buffer.set(bound);
  core::Budget budget;
  return drive::judge(subject, model, "explicit", task, drive::run_explicit(subject, model, task, budget));
}

// With how many places in a buffer explicit states find something; 0: with none of one to `most`.
unsigned bound_of(const drive::Subject& subject, const char* model, unsigned most) {
  for (unsigned bound = 1; bound <= most; ++bound)
    if (by_states(subject, model, bound).outcome == Outcome::Unsafe) return bound;
  return 0;
}

// --- random programs

// Threads of a few accesses, most of them in loops; what two registers must not be at the same time.
void random_threads(test::MiniProgram& p, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto any = [&](std::initializer_list<core::Order> orders) {
    return orders.begin()[pick(static_cast<unsigned>(orders.size()))];
  };
  using core::Order;
  const std::vector<test::Place> cells{p.variable("x"), p.variable("y"), p.variable("z")};
  const unsigned threads = 2 + (pick(4) == 0 ? 1 : 0);
  for (unsigned t = 0; t < threads; ++t) {
    test::MiniThread& th = p.thread();
    const auto top = th.here();
    const unsigned n = 2 + pick(4);
    for (unsigned i = 0; i < n; ++i) {
      const test::Place cell = cells[pick(threads == 2 ? 3 : 2)];
      const unsigned r = 1 + pick(2);
      switch (pick(9)) {
        case 0:
        case 1:
        case 2:
          th.store(cell, static_cast<int>(1 + pick(2)), any({Order::Relaxed, Order::Relaxed, Order::Release}));
          break;
        case 3: th.store(cell, 0, any({Order::Relaxed, Order::SeqCst})); break;
        case 4:
        case 5: th.load(r, cell); break;
        case 6: th.cas(r, cell, 0, 1, Order::SeqCst, Order::SeqCst); break;
        case 7: th.wait(r, cell, static_cast<int>(pick(2))); break;
        default: th.fence(any({Order::SeqCst, Order::Release})); break;
      }
    }
    th.compute(3, test::Alu::Mul, test::Reg{1}, 3).compute(3, test::Alu::Add, test::Reg{3}, test::Reg{2});
    th.check(3, test::Cmp::Ne, static_cast<int>(1 + pick(7)));
    if (pick(4) != 0) th.branch(7, test::Cmp::Eq, 0, top);
  }
}

struct Tally {
  int safe = 0, unsafe = 0, open = 0, longer = 0;
};

Tally compare(unsigned first, unsigned count, const char* model, unsigned most) {
  Tally tally;
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("seed {} under {}", seed, model));
    const drive::Subject subject = subject_of([seed](test::MiniProgram& p) { random_threads(p, seed); });
    const Answer answer = by_buffers(subject, model);
    const unsigned bound = bound_of(subject, model, most);
    switch (answer.verdict.outcome) {
      case Outcome::Safe:
        EXPECT_EQ(bound, 0U);
        EXPECT_FALSE(answer.certificate.empty());
        ++tally.safe;
        break;
      case Outcome::Unsafe:
        ++tally.unsafe;
        tally.longer += bound == 0;
        break;
      case Outcome::Unknown:
        EXPECT_TRUE(answer.verdict.reason.limit() || answer.verdict.reason.kind == core::Reason::Kind::Open)
            << answer.verdict.reason.text;
        ++tally.open;
        break;
    }
  }
  return tally;
}

TEST(BuffersThreads, AgreeWithStatesOnRandomProgramsUnderTso) {
  const Tally tally = compare(1, 150, "tso", 6);
  EXPECT_GT(tally.safe, 25);
  EXPECT_GT(tally.unsafe, 25);
  EXPECT_LT(tally.open, 8);
}

TEST(BuffersThreads, AgreeWithStatesOnRandomProgramsUnderPso) {
  const Tally tally = compare(1, 80, "pso", 4);
  EXPECT_GT(tally.safe, 10);
  EXPECT_GT(tally.unsafe, 10);
  EXPECT_LT(tally.open, 20);
}

// --- threads that begin, end and wait

TEST(BuffersThreads, AThreadStoresForEver) {
  // The reader must never see 2 behind the fence; nothing bounds the writer's buffer.
  const auto make = [](test::MiniProgram& p, int second) {
    const auto x = p.variable("x");
    test::MiniThread& writer = p.thread();
    writer.store(x, 1).store(x, second);
    writer.branch(7, test::Cmp::Eq, 0, 0);
    p.thread().load(1, x).check(1, test::Cmp::Ne, 2);
  };
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, 0); }), "tso").verdict.outcome, Outcome::Safe);
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, 0); }), "pso").verdict.outcome, Outcome::Safe);
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, 2); }), "tso").verdict.outcome, Outcome::Unsafe);
}

// main creates a thread, joins it and looks at what it left; without the join it may look too early.
TEST(BuffersThreads, CreationAndJoin) {
  const auto make = [](test::MiniProgram& p, bool join) {
    const auto x = p.variable("x");
    test::MiniThread& main = p.thread();
    main.store(x, 5).spawn(1, 1, 7);
    if (join) main.join(1);
    main.load(2, x).check(2, test::Cmp::Eq, 7);
    p.body().load(1, x).check(1, test::Cmp::Eq, 5).store(x, test::Reg{0});
  };
  for (const char* model : {"tso", "pso"}) {
    EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, true); }), model).verdict.outcome, Outcome::Safe);
    EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, false); }), model).verdict.outcome, Outcome::Unsafe);
  }
}

// What other threads would do after the program has ended they do not do.
TEST(BuffersThreads, ExitEndsEverybody) {
  const auto subject = subject_of([](test::MiniProgram& p) {
    const auto x = p.variable("x");
    p.thread().store(x, 1).fence().exit();
    p.thread().wait(1, x, 1).load(1, x).check(1, test::Cmp::Eq, 1);
  });
  EXPECT_EQ(by_buffers(subject, "tso").verdict.outcome, Outcome::Safe);
  const auto late = subject_of([](test::MiniProgram& p) {
    const auto x = p.variable("x");
    test::MiniThread& first = p.thread();
    first.rmw(1, core::RmwOp::Add, x, 1, core::Order::SeqCst).locked();
    first.exit();
    p.thread().wait(1, x, 1).check(1, test::Cmp::Ne, 1);
  });
  EXPECT_EQ(by_buffers(late, "tso").verdict.outcome, Outcome::Unsafe);
}

TEST(BuffersThreads, Deadlock) {
  const auto make = [](test::MiniProgram& p, int value) {
    const auto x = p.variable("x");
    p.thread().store(x, value);
    p.thread().wait(1, x, 1);
  };
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, 1); }), "tso").verdict.outcome, Outcome::Safe);
  const auto stuck = by_buffers(subject_of([&](auto& p) { make(p, 2); }), "tso").verdict;
  EXPECT_EQ(stuck.outcome, Outcome::Unsafe);
  EXPECT_EQ(stuck.violation_kind, "deadlock");
  // An assumption that fails is no deadlock.
  const auto assumed = subject_of([](test::MiniProgram& p) {
    const auto x = p.variable("x");
    p.thread().wait(1, x, 1);
    p.thread().load(1, x).assume(1, test::Cmp::Eq, 1);
  });
  EXPECT_EQ(by_buffers(assumed, "tso").verdict.outcome, Outcome::Safe);
}

// Under pso the flag may arrive before the data, unless it is stored with release.
TEST(BuffersThreads, MarksOfRelease) {
  const auto make = [](test::MiniProgram& p, core::Order order) {
    const auto x = p.variable("x"), y = p.variable("y");
    test::MiniThread& writer = p.thread();
    writer.store(x, 1).store(y, 1, order).store(x, 1).store(y, 1, order);
    writer.branch(7, test::Cmp::Eq, 0, 0);
    p.thread().wait(1, y, 1).load(2, x).check(2, test::Cmp::Eq, 1);
  };
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, core::Order::Relaxed); }), "pso").verdict.outcome,
            Outcome::Unsafe);
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, core::Order::Release); }), "pso").verdict.outcome,
            Outcome::Safe);
  EXPECT_EQ(by_buffers(subject_of([&](auto& p) { make(p, core::Order::Relaxed); }), "tso").verdict.outcome,
            Outcome::Safe);
}

TEST(BuffersThreads, WhatDoesNotFitIsUnknownByName) {
  const auto reason = [](const auto& make, const char* model = "tso") {
    const core::Verdict verdict = by_buffers(subject_of(make), model, 3000, 2).verdict;
    EXPECT_EQ(verdict.outcome, Outcome::Unknown);
    return verdict.reason.text;
  };
  EXPECT_NE(reason([](test::MiniProgram& p) {
              p.variable("x");
              p.thread().alloc(1, 8).free(1);
            }).find("allocates memory on the heap"),
            std::string::npos);
  EXPECT_NE(reason([](test::MiniProgram& p) {
              const auto x = p.variable("x");
              p.thread().store(x, 1);
              p.thread().load(1, test::MiniProgram::part(x, 0, 4));
            }).find("accesses a part of x"),
            std::string::npos);
  EXPECT_NE(reason(
                [](test::MiniProgram& p) {
                  const auto x = p.variable("x");
                  p.thread().store(x, 1).rmw(1, core::RmwOp::Add, x, 1);
                },
                "pso")
                .find("read-modify-write without release"),
            std::string::npos);
  // A counter without end has too many local states, or too many symbolic ones.
  EXPECT_FALSE(reason([](test::MiniProgram& p) {
                 const auto x = p.variable("x");
                 test::MiniThread& th = p.thread();
                 th.load(1, x).compute(1, test::Alu::Add, test::Reg{1}, 1).store(x, test::Reg{1});
                 th.branch(7, test::Cmp::Eq, 0, 0);
               }).empty());
}

// --- C

std::string file_of(const std::string& text, const char* name) {
  const auto path = tests::own_folder() / name;
  std::ofstream(path) << text;
  return path.string();
}

drive::Subject load_c(const std::string& file, core::Budget& budget) {
  drive::Task task;
  task.files = {file};
  task.models.set({"tso"});
  auto subject = drive::load_c(task, budget);
  if (!subject) throw std::runtime_error(render(subject.error()));
  if (const auto made = subject->threads()->prepare(*models::find("tso")); !made)
    throw std::runtime_error(render(made.error()));
  return std::move(*subject);
}

// The twin in C of a protocol of tests/support/protocols.h: its statements are few. Who comes to `cs` counts itself.
std::string in_c(const std::string& promela) {
  std::string text = std::regex_replace(promela, std::regex("byte ([^;]*);"), "atomic_int $1, inside;");
  const std::pair<const char*, const char*> rules[] = {
      {R"(active proctype P(\d)\(\) \{)", "static void *P$1(void *unused) {"},
      {R"(store\((\w+), (\w+)\);)", "atomic_store_explicit(&$1, $2, memory_order_relaxed);"},
      {R"(sync;)", "atomic_thread_fence(memory_order_seq_cst);"},
      {R"(if :: load\((\w+), (\d)\) -> goto (\w+) :: load\(\w+, \d\) -> goto (\w+) fi;)",
       "if (atomic_load_explicit(&$1, memory_order_relaxed) == $2) goto $3; else goto $4;"},
      {R"(if :: load\((\w+), (\d)\) -> goto (\w+) :: load\(\w+, \d\) fi;)",
       "if (atomic_load_explicit(&$1, memory_order_relaxed) == $2) goto $3;"},
      {R"((^|\n|: )load\((\w+), (\d)\);)", "$1while (atomic_load_explicit(&$2, memory_order_relaxed) != $3) {}"},
      {R"(cs: (skip;)?)", "cs: if (atomic_fetch_add(&inside, 1) != 0) assert(0);\natomic_fetch_sub(&inside, 1);\n"},
      {R"(goto top\n\})", "goto top;\n}"},
  };
  for (const auto& [from, to] : rules) text = std::regex_replace(text, std::regex(from), to);
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" + text +
         "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, P0, 0);\n  pthread_create(&b, 0, P1, 0);\n"
         "  pthread_join(a, 0);\n}\n";
}

Outcome promela_answer(const tests::Protocol& protocol, const char* model) {
  core::Budget budget;
  drive::Task task;
  task.files = {file_of(protocol.text, "twin.pml")};
  task.models.set({model});
  task.properties.set({"assertion"});
  task.reach.set({protocol.bad});
  const auto subject = drive::load_promela(task, budget);
  if (!subject) throw std::runtime_error(render(subject.error()));
  return drive::judge(*subject, *models::find(model), "buffers", task,
                      drive::run_buffers(*subject, *models::find(model), task, budget))
      .outcome;
}

TEST(BuffersThreads, ProtocolsInCAndTheirTwins) {
  struct Row {
    const char* name;
    tests::Protocol (*make)(std::uint64_t fences);
    std::vector<std::uint64_t> fences;
  };
  const Row rows[] = {
      {"peterson", [](std::uint64_t f) { return tests::peterson(f); }, {0, 63, 0b010010, 0b011011, 0b000010, 0b001001}},
      {"dekker", [](std::uint64_t f) { return tests::dekker(f); }, {0, 255, 0b00010001, 0b00010000}},
      {"simple dekker", tests::simple_dekker, {0, 0b0101, 0b0001}},
      {"burns", tests::burns2, {0, 0b00101, 0b00100}},
  };
  int safe = 0, unsafe = 0;
  for (const Row& row : rows)
    for (const std::uint64_t fences : row.fences) {
      const tests::Protocol protocol = row.make(fences);
      const std::string text = in_c(protocol.text);
      core::Budget budget;
      const drive::Subject subject = load_c(file_of(text, "twin.c"), budget);
      for (const char* model : {"tso", "pso"}) {
        SCOPED_TRACE(fmt::format("{} with fences {:b} under {}\n{}", row.name, fences, model, text));
        const core::Verdict verdict = by_buffers(subject, model, 20000).verdict;
        ASSERT_NE(verdict.outcome, Outcome::Unknown) << verdict.reason.text;
        EXPECT_EQ(verdict.outcome, promela_answer(protocol, model));
        EXPECT_EQ(verdict.outcome == Outcome::Unsafe, bound_of(subject, model, 2) != 0);
        ++(verdict.outcome == Outcome::Safe ? safe : unsafe);
      }
    }
  EXPECT_GE(safe, 8);
  EXPECT_GE(unsafe, 8);
}

constexpr const char* ticket_lock = R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int next, now, tick;
int data;
static void *user(void *unused) {
  for (;;) {
    int mine = next;
    while (!atomic_compare_exchange_strong(&next, &mine, (mine + 1) & 3)) {}
    while (atomic_load_explicit(&now, memory_order_acquire) COMPARED mine) {}
    data = 1;
    assert(data == 1);
    data = 0;
    atomic_store_explicit(&now, (mine + 1) & 3, memory_order_release);
  }
}
static void *ticks(void *unused) {
  for (int i = 0;; i = !i) atomic_store_explicit(&tick, i, memory_order_relaxed);
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_create(&c, 0, ticks, 0);
  pthread_join(a, 0);
}
)";

// A ticket lock beside a clock; with the wrong comparison two threads are let in.
TEST(BuffersThreads, TicketLock) {
  for (const bool right : {true, false}) {
    const std::string text = std::regex_replace(std::string(ticket_lock), std::regex("COMPARED"), right ? "!=" : ">");
    core::Budget budget;
    const drive::Subject subject = load_c(file_of(text, "ticket.c"), budget);
    const core::Verdict verdict = by_buffers(subject, "tso", 20000).verdict;
    EXPECT_EQ(verdict.outcome, right ? Outcome::Safe : Outcome::Unsafe) << verdict.reason.text;
    if (right) {
      const core::Verdict bounded = by_states(subject, "tso", 2);
      EXPECT_EQ(bounded.outcome, Outcome::Safe);
      EXPECT_FALSE(bounded.bounds.empty());
    }
  }
}

// … as other engines name it: by its own function, not by the library's that it begins in.
TEST(BuffersThreads, ThreadsAreNamedByTheirOwnFunctions) {
  constexpr const char* text = R"(
#include <pthread.h>
#include <stdlib.h>
static void *worker(void *unused) {
  free(malloc(4));
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
}
)";
  core::Budget budget;
  const core::Verdict verdict = by_buffers(load_c(file_of(text, "worker.c"), budget), "tso").verdict;
  EXPECT_EQ(verdict.outcome, Outcome::Unknown);
  EXPECT_EQ(verdict.reason.text, "worker 1 allocates memory on the heap");
}

constexpr const char* dining = R"(
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t fork_a = PTHREAD_MUTEX_INITIALIZER, fork_b = PTHREAD_MUTEX_INITIALIZER;
atomic_int tick;
static void *eat(void *other) {
  pthread_mutex_t *first = other ? &fork_b : &fork_a, *second = other ? SECOND : &fork_b;
  pthread_mutex_lock(first);
  if (second != first) pthread_mutex_lock(second);
  if (second != first) pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}
static void *ticks(void *unused) {
  for (int i = 0;; i = !i) atomic_store_explicit(&tick, i, memory_order_relaxed);
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&c, 0, ticks, 0);
  pthread_create(&a, 0, eat, 0);
  pthread_create(&b, 0, eat, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)";

// Two threads that wait for each other's mutexes are a deadlock, although a third one goes on for ever.
TEST(BuffersThreads, LocksInACircle) {
  for (const bool circle : {true, false}) {
    const std::string text =
        std::regex_replace(std::string(dining), std::regex("SECOND"), circle ? "&fork_a" : "&fork_b");
    core::Budget budget;
    const drive::Subject subject = load_c(file_of(text, "dining.c"), budget);
    const core::Verdict verdict = by_buffers(subject, "tso", 20000).verdict;
    EXPECT_EQ(verdict.outcome, circle ? Outcome::Unsafe : Outcome::Safe) << verdict.reason.text << verdict.violation;
    if (circle) {
      EXPECT_EQ(verdict.violation_kind, "deadlock");
    }
  }
}

// --- certificates

TEST(BuffersThreads, CertificatesOfThreads) {
  const std::string text = in_c(tests::peterson(63).text);
  const std::string file = file_of(text, "certified.c"), proof = (tests::own_folder() / "proof").string();
  core::Budget budget;
  drive::Subject subject = load_c(file, budget);
  const Answer answer = by_buffers(subject, "tso", 20000);
  ASSERT_EQ(answer.verdict.outcome, Outcome::Safe) << answer.verdict.reason.text;
  drive::Task task;
  task.check_certificate.set(proof);
  const auto recheck = [&](const std::string& certificate, drive::Subject& about) {
    std::ofstream(proof) << certificate;
    return drive::recheck_certificate(about, task, budget);
  };
  const auto good = recheck(answer.certificate, subject);
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->front().outcome, Outcome::Safe);
  EXPECT_EQ(good->front().model, "tso");
  // Without one of its states, it does not hold; which one is the last, the text says by 'memory'.
  std::string less = answer.certificate;
  less.erase(less.rfind("memory"));
  const std::size_t size = less.find("size ");
  std::istringstream numbers(less.substr(size + 5));
  unsigned processes = 0, automata = 0, states = 0;
  numbers >> processes >> automata >> states;
  less.replace(size, less.find('\n', size) - size, fmt::format("size {} {} {}", processes, automata, states - 1));
  const auto bad = recheck(less, subject);
  ASSERT_TRUE(bad) << bad.error().message;
  EXPECT_EQ(bad->front().outcome, Outcome::Unknown);
  EXPECT_NE(bad->front().reason.text.find("the certificate does not hold"), std::string::npos);
  // An answer that is missing opens a hole, or makes another program.
  std::string unanswered = answer.certificate;
  const std::size_t head = unanswered.find("answers 0 "), end = unanswered.find('\n', head);
  const unsigned long count = std::stoul(unanswered.substr(head + 10));
  std::size_t last = end + 1;
  for (unsigned long i = 0; i + 1 < count; ++i) last = unanswered.find('\n', last) + 1;
  unanswered.erase(last, unanswered.find('\n', last) + 1 - last);
  unanswered.replace(head, end - head, fmt::format("answers 0 {}", count - 1));
  const auto hole = recheck(unanswered, subject);
  EXPECT_TRUE(!hole || hole->front().outcome == Outcome::Unknown);
  // It is none about the lock without fences, and none about pso.
  drive::Subject other = load_c(file_of(in_c(tests::peterson(0).text), "other.c"), budget);
  const auto elsewhere = recheck(answer.certificate, other);
  ASSERT_FALSE(elsewhere);
  EXPECT_NE(elsewhere.error().message.find("about another program"), std::string::npos);
  task.models.set({"pso"});
  EXPECT_FALSE(recheck(answer.certificate, subject));
}

}  // namespace
}  // namespace heddle
