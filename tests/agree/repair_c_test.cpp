// Cheapest memory orders and fences of C programs: random ones against the check of all assignments of orders, which is
// also a test of monotonicity; Peterson's and Dekker's locks; the weak rows of tests/regress/c/structures; the
// Michael-Scott queue of the LLMC thesis. Every repair is safe, and unsafe without any one of its members.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "drive/order_subject.h"
#include "drive/repair_orders.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using drive::OrderSubject;
using repair::Orders;

const drive::Language& c() { return *drive::language_of(".c"); }

class Sources {
 public:
  Sources() {
    char name[] = "/tmp/heddle-repair-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;
  ~Sources() { fs::remove_all(folder_); }
  std::string file(const std::string& text, const char* extension = ".c") {
    const fs::path path = folder_ / ("p" + std::to_string(++count_) + extension);
    std::ofstream(path) << text;
    return path.string();
  }

 private:
  fs::path folder_;
  int count_ = 0;
};

drive::Task task_of(const std::string& file, const std::string& model, const std::vector<std::string>& defines = {}) {
  drive::Task task;
  task.files = {file};
  task.models.set({model});
  task.defines.set(defines);
  return task;
}

// A subject, and whether it is safe with given orders, by the engines alone.
class Question {
 public:
  Question(const drive::Task& task, const drive::RepairOptions& options) : model_(*models::find(task.models->front())) {
    auto loaded = OrderSubject::load(c(), task, options, {&model_, models::find("sc")}, budget_);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    if (loaded) subject_ = std::move(*loaded);
  }
  OrderSubject& subject() { return *subject_; }
  const repair::OrderSpace& space() const { return subject_->space(); }
  core::Outcome outcome(const Orders& orders) { return outcome(orders, model_); }
  core::Outcome under_sc() { return outcome(space().weakest(), *models::find("sc")); }

 private:
  core::Outcome outcome(const Orders& orders, const models::Model& model) {
    subject_->apply(orders);
    core::Outcome worst = core::Outcome::Safe;
    for (const auto& variant : subject_->variants()) {
      const auto one = drive::decide(c(), *variant, model, budget_).verdict.outcome;
      if (one == core::Outcome::Unknown || worst == core::Outcome::Safe) worst = one;
    }
    return worst;
  }

  const models::Model& model_;
  core::Budget budget_;
  std::unique_ptr<OrderSubject> subject_;
};

// All assignments of orders to the places that cost at most so much; none if they are too many.
constexpr std::size_t too_many = 1500;
std::vector<Orders> all_of(const repair::OrderSpace& space, std::uint64_t most) {
  std::vector<Orders> all = {space.weakest()};
  for (std::uint32_t p = 0; p < space.places(); ++p) {
    std::vector<Orders> more;
    for (const Orders& orders : all)
      for (const core::Order order : space.orders_of(p)) {
        more.push_back(orders);
        more.back()[p] = order;
        if (space.cost(more.back()) > most) more.pop_back();
      }
    if (all.size() + more.size() > too_many) return {};
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

bool at_most(const Orders& a, const Orders& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (!core::at_most(a[p], b[p])) return false;
  return true;
}

drive::Repair repaired(const drive::Task& task, const drive::RepairOptions& options) {
  core::Budget budget;
  const auto repairs = drive::repair_orders(c(), task, options, budget);
  EXPECT_TRUE(repairs) << (repairs ? "" : repairs.error().message);
  return repairs ? repairs->front() : drive::Repair{};
}

// Two threads of two or three accesses to x and y each, the second one in the other order, and an assertion that forbids what
// store buffering, message passing or load buffering show. In its place a thread may go round for ever, from point to point,
// as soon as it has seen its part of that.
std::string random_program(std::mt19937& random) {
  std::string text =
      "#include <assert.h>\n#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, "
      "y;\nstatic int r0, r1;\n";
  std::string condition;
  for (int t = 0; t < 2; ++t) {
    const std::string number = std::to_string(t);
    text += "static void *t" + number + "(void *a) {\n  int r = 0;\n";
    int wanted = 0;
    bool wrote = false;
    const int length = 2 + (t == 0 && random() % 4 == 0 ? 1 : 0);
    for (int i = 0; i < length; ++i) {
      const std::string var = (i + t) % 2 == 0 ? "x" : "y";
      const auto kind = random() % 9;
      if (kind < 4) {
        text += "  atomic_store_explicit(&" + var + ", 1, memory_order_relaxed);\n";
        wrote = true;
        continue;
      }
      text += kind == 8 ? "  r = 4 * r + atomic_fetch_add_explicit(&" + var + ", 1, memory_order_relaxed);\n"
                        : "  r = 4 * r + atomic_load_explicit(&" + var + ", memory_order_relaxed);\n";
      wanted = 4 * wanted + (wrote || (i > 0 && wanted == 1) ? 0 : 1);
    }
    text += "  r" + number + " = r;\n#ifdef POINTS\n  while (r == " + std::to_string(wanted) + ") heddle_point(\"p" +
            number + "\");\n#endif\n  return a;\n}\n";
    condition += (t == 0 ? "r0 == " : " && r1 == ") + std::to_string(wanted);
  }
  return text +
         "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, t0, 0);\n  pthread_create(&b, 0, t1, 0);\n"
         "  pthread_join(a, 0);\n  pthread_join(b, 0);\n#ifdef ASSERT\n  assert(!(" +
         condition + "));\n#endif\n}\n";
}

// The repair against all assignments: as cheap as the cheapest safe one. Strengthening never makes a safe program unsafe.
// False if there is nothing to repair.
bool agrees(const drive::Task& task, const drive::RepairOptions& options, std::uint64_t& pairs) {
  Question question(task, options);
  if (question.under_sc() != core::Outcome::Safe || question.outcome(question.space().weakest()) == core::Outcome::Safe)
    return false;
  const drive::Repair found = repaired(task, options);
  const std::uint64_t enough = options.atomic() ? UINT64_MAX : found.cost.value_or(0);
  const auto all = all_of(question.space(), enough);
  if (all.empty()) return false;
  std::vector<const Orders*> safe, unsafe;
  std::uint64_t least = UINT64_MAX;
  for (const Orders& orders : all) {
    const core::Outcome outcome = question.outcome(orders);
    EXPECT_NE(outcome, core::Outcome::Unknown);
    (outcome == core::Outcome::Safe ? safe : unsafe).push_back(&orders);
    if (outcome == core::Outcome::Safe) least = std::min(least, question.space().cost(orders));
  }
  for (const Orders* weak : safe)
    for (const Orders* strong : unsafe) {
      if (at_most(*weak, *strong)) ADD_FAILURE() << "not monotone";
      ++pairs;
    }
  if (safe.empty()) {
    EXPECT_EQ(found.outcome, core::Outcome::Unsafe) << found.summary;
    return true;
  }
  EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
  EXPECT_EQ(found.cost.value_or(0), least) << report::text_of({found});
  EXPECT_EQ(found.lower_bound, least);
  return true;
}

TEST(RepairC, AgreesWithAllAssignmentsOnRandomPrograms_slow) {
  Sources sources;
  std::mt19937 random(20261116);
  std::map<std::string, int> repaired_under;
  std::uint64_t pairs = 0;
  const std::vector<std::string> models = {"tso", "pso", "lmo", "nsw", "rc11", "ra", "armv8", "riscv", "power", "rmo"};
  for (int i = 0; i < 100; ++i) {
    const std::string text = random_program(random);
    const std::string& model = models[i % models.size()];
    const bool by_graphs = models::find(model)->axioms != nullptr && models::find(model)->equivalent;
    drive::RepairOptions options;
    options.with = random() % 3 == 0 ? "fence" : "atomic";
    drive::Task task = task_of(sources.file(text), model);
    // That every execution is one of sc is violated more often than an assertion; only execution graphs can say so.
    if (by_graphs && random() % 4 != 0) task.properties.set({"robust"});
    else task.defines.set({"ASSERT"});
    SCOPED_TRACE(model + " with " + options.with + "\n" + text);
    if (agrees(task, options, pairs)) ++repaired_under[model];
    if (HasFailure()) return;
  }
  int total = 0;
  for (const auto& [model, count] : repaired_under) total += count;
  EXPECT_GE(total, 25);
  std::printf("%d repairs, %llu pairs\n", total, static_cast<unsigned long long>(pairs));
}

// What the assertion forbids is what both threads see who go round for ever: a formula that says so asks for orders of the
// same cost, by lassos where the assertion has finite runs.
TEST(RepairC, TemporalFormulasAgreeWithAssertions) {
  Sources sources;
  std::mt19937 random(13);
  const std::vector<std::string> models = {"tso", "pso", "lmo", "nsw"};
  int all_repaired = 0;
  for (int i = 0; i < 48; ++i) {
    const std::string text = random_program(random), file = sources.file(text);
    const std::string& model = models[static_cast<std::size_t>(i) % models.size()];
    drive::RepairOptions options;
    options.with = random() % 3 == 0 ? "fence" : "atomic";
    SCOPED_TRACE(model + " with " + options.with + "\n" + text);
    const drive::Repair finite = repaired(task_of(file, model, {"ASSERT"}), options);
    drive::Task task = task_of(file, model, {"POINTS"});
    task.ltl.set({"!(G F p0 && G F p1)"});
    if (i % 3 == 0) task.fair.set(true);
    const drive::Repair infinite = repaired(task, options);
    ASSERT_EQ(infinite.outcome, finite.outcome) << infinite.summary << "\n" << finite.summary;
    ASSERT_EQ(infinite.cost, finite.cost) << report::text_of({infinite, finite});
    ASSERT_EQ(infinite.lower_bound, finite.lower_bound);
    if (finite.cost.value_or(0) > 0) ++all_repaired;
  }
  EXPECT_GT(all_repaired, 3);
}

// Formulas that can tell a fence from none, or a fair run by it, are refused.
TEST(RepairC, TemporalFormulasThatAreNotMonotone) {
  Sources sources;
  std::mt19937 random(13);
  drive::Task task = task_of(sources.file(random_program(random)), "tso", {"POINTS"});
  core::Budget budget;
  const auto refused = [&] {
    const auto repairs = drive::repair_orders(c(), task, {}, budget);
    return repairs ? std::string() : repairs.error().message;
  };
  task.ltl.set({"G (p0 -> X !p0)"});
  EXPECT_NE(refused().find("has X"), std::string::npos) << refused();
  task.ltl.set({"F G !p0"});
  task.fair.set(true);
  EXPECT_EQ(refused(), "");
  task.memory_fairness.set(false);
  EXPECT_NE(refused().find("a fence may add fair runs"), std::string::npos) << refused();
}

const char* const two_threads = R"(
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)";

const char* const peterson = R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define put(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define get(x) atomic_load_explicit(&x, memory_order_relaxed)
static atomic_int left_wants, right_wants, turn, inside;
static void *left(void *a) {
  put(left_wants, 1);
  put(turn, 1);
  while (get(right_wants) && get(turn) == 1) {
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  put(left_wants, 0);
  return a;
}
static void *right(void *a) {
  put(right_wants, 1);
  put(turn, 0);
  while (get(left_wants) && get(turn) == 0) {
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  put(right_wants, 0);
  return a;
}
)";

const char* const dekker = R"(
#include <assert.h>
#include <pthread.h>
static int left_wants, right_wants, inside;
static void *left(void *a) {
  left_wants = 1;
  if (!right_wants) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  left_wants = 0;
  return a;
}
static void *right(void *a) {
  right_wants = 1;
  if (!left_wants) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  right_wants = 0;
  return a;
}
)";

// Safe with the set, unsafe without any one of its members, and with nothing cheaper (by the synthesis).
void expect_minimal(const drive::Task& task, const drive::RepairOptions& options, std::size_t size) {
  const drive::Repair found = repaired(task, options);
  ASSERT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
  EXPECT_EQ(found.places.size(), size) << report::text_of({found});
  Question question(task, options);
  Orders orders = question.space().weakest();
  const auto place_of = [&](const drive::RepairPlace& wanted) {
    for (std::uint32_t p = 0; p < question.space().places(); ++p)
      for (const core::Order order : question.space().orders_of(p)) {
        const auto& at = question.subject().place(p).source;
        if (at.line == wanted.line && at.column == wanted.column && question.subject().change(p, order) == wanted.what)
          return std::pair{p, order};
      }
    ADD_FAILURE() << wanted.what;
    return std::pair{0u, core::Order::Plain};
  };
  for (const auto& place : found.places) orders[place_of(place).first] = place_of(place).second;
  EXPECT_EQ(question.outcome(orders), core::Outcome::Safe);
  for (const auto& place : found.places) {
    Orders without = orders;
    without[place_of(place).first] = question.space().weakest()[place_of(place).first];
    EXPECT_EQ(question.outcome(without), core::Outcome::Unsafe) << place.what;
  }
}

TEST(RepairC, PetersonAndDekkerNeedTwoFencesUnderTso) {
  Sources sources;
  drive::RepairOptions fences;
  fences.with = "fence";
  for (const char* text : {peterson, dekker}) {
    SCOPED_TRACE(text);
    expect_minimal(task_of(sources.file(std::string(text) + two_threads), "tso"), fences, 2);
  }
  drive::RepairOptions either;
  expect_minimal(task_of(sources.file(std::string(peterson) + two_threads), "tso"), either, 2);
}

// All comments of the lines of a patch that begin with this sign.
std::multiset<std::string> comments_of(const std::string& patch, char sign) {
  std::multiset<std::string> comments;
  std::istringstream lines(patch);
  const std::regex comment("/\\*.*?\\*/|//.*");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(sign) && !line.starts_with(std::string(3, sign)))
      for (std::sregex_iterator at(line.begin(), line.end(), comment), end; at != end; ++at) comments.insert(at->str());
  return comments;
}

TEST(RepairC, PatchesHoldAndLoseNoComment) {
  Sources sources;
  const std::string file = sources.file(R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y; /* both */ int a, b;
static int yes(void) { return 1; }
void *left(void *unused) {
  /* before */ atomic_store_explicit(&x /* where */, 1, memory_order_relaxed /* how */); /* after */ // end
  if (yes()) a = atomic_load_explicit(&y, // split
                                      memory_order_relaxed); // tail
  else a = 1; /* never */
  return unused;
}
void *right(void *unused) {
  if (yes()) atomic_store_explicit(&y, 1, memory_order_relaxed); // why
  b = atomic_load_explicit(&x, memory_order_relaxed); /* last */
  return unused;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  assert(a || b);
}
)");
  for (const char* model : {"tso", "rc11", "lmo"})
    for (const char* with : {"atomic", "fence"}) {
      drive::RepairOptions options;
      options.with = with;
      options.patch = "-";
      const drive::Repair found = repaired(task_of(file, model), options);
      SCOPED_TRACE(std::string(model) + " " + with + "\n" + found.text);
      EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
      EXPECT_EQ(found.notes, std::vector<std::string>{"the patched program has been compiled and checked: it is safe"});
      EXPECT_FALSE(found.text.empty());
      EXPECT_EQ(comments_of(found.text, '-'), comments_of(found.text, '+'));
    }
}

const char* const patch_is_safe = "the patched program has been compiled and checked: it is safe";

// A writer that publishes data by a flag, and a reader whose one statement reads both.
std::string handed_over(const std::string& reader) {
  return R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
int bad;
static int id(int a) { return a; }
static void *left(void *u) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return u;
}
)" + reader +
         two_threads;
}

// The fence goes between two accesses of one statement, or there is none: never before the first or behind the last.
TEST(RepairC, FencesBetweenAccessesOfOneStatement) {
  Sources sources;
  const std::string flag = "atomic_load_explicit(&flag, memory_order_relaxed)",
                    data = "atomic_load_explicit(&data, memory_order_relaxed)";
  drive::RepairOptions options;
  options.with = "fence";
  options.patch = "-";
  const std::vector<std::string> bodies = {
      "  int ok = " + flag + " ? " + data + " : 1;\n  assert(ok);\n  return u;\n",
      "  assert(get());\n  return u;\n",
      "  int ok = !" + flag + " || " + data + ";\n  assert(ok);\n  return u;\n",
      "  int ok = !(" + flag + " && !" + data + ");\n  assert(ok);\n  return u;\n",
      "  int f = id(" + flag + "), d = id(" + data + ");\n  assert(!f || d);\n  return u;\n",
      "  int t = ({ int f = " + flag + "; int d = 1; if (f) d = " + data + "; d; });\n  assert(t);\n  return u;\n"};
  for (const std::string& body : bodies) {
    const std::string get = "static int get(void) { return " + flag + " ? " + data + " : 1; }\n";
    const std::string file = sources.file(handed_over(get + "static void *right(void *u) {\n" + body + "}\n"));
    const drive::Repair found = repaired(task_of(file, "rc11"), options);
    SCOPED_TRACE(body + found.text);
    EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
    EXPECT_EQ(found.no_text, "");
    EXPECT_EQ(found.notes, std::vector<std::string>{patch_is_safe});
    EXPECT_EQ(found.cost, 3U);
  }
}

// A fence on a line of its own moves the line that must not be reached.
TEST(RepairC, PatchesMoveLinesThatAreAskedAbout) {
  Sources sources;
  const std::string text = handed_over(R"(static void *right(void *u) {
  int f = atomic_load_explicit(&flag, memory_order_relaxed);
  int d = atomic_load_explicit(&data, memory_order_relaxed);
  if (f && !d) {
    if (f == 5)
      bad = 2;
    bad = 1;
  }
  return u;
}
)");
  const std::string file = sources.file(text);
  const auto line_of = [](const std::string& in, const std::string& what) {
    const auto at = static_cast<long>(in.find(what));
    return std::to_string(1 + std::count(in.begin(), in.begin() + at, '\n'));
  };
  drive::RepairOptions options;
  options.with = "fence";
  options.patch = "-";
  for (const std::string& name : {file, fs::path(file).filename().string()}) {
    drive::Task task = task_of(file, "rc11");
    task.reach.set({name + ":" + line_of(text, "    bad = 1")});
    const drive::Repair found = repaired(task, options);
    SCOPED_TRACE(found.text);
    EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
    EXPECT_EQ(found.notes, std::vector<std::string>{patch_is_safe});
    EXPECT_NE(found.text.find("\n+  atomic_thread_fence"), std::string::npos);
  }
}

// What the patched text does is not taken for granted: one that is not safe is not written.
TEST(RepairC, NoPatchThatIsNotSafe) {
  Sources sources;
  const std::string file = sources.file(handed_over(R"(static void *right(void *u) {
  int f = atomic_load_explicit(&flag, memory_order_relaxed);
  int d = atomic_load_explicit(&data, memory_order_relaxed);
  assert(!f || d);
  const int here = __LINE__; assert(here == 16);
  return u;
}
)"));
  drive::RepairOptions options;
  options.with = "fence";
  options.patch = "-";
  const drive::Repair found = repaired(task_of(file, "rc11"), options);
  EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
  EXPECT_TRUE(found.no_text.starts_with("the patched program is not safe: under rc11, assertion failed: here == 16"))
      << found.no_text;
}

// The orders of std::atomic are edited where the program names them, fences are put into lambdas.
TEST(RepairC, CppIsPatched) {
  Sources sources;
  const std::string file = sources.file(R"(#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x{0}, y{0};
int r1, r2;
int main() {
  std::thread a([] {
    x.store(1, std::memory_order_relaxed);
    r1 = y.load(std::memory_order_relaxed);
  });
  std::thread b([] {
    y.store(1, std::memory_order_relaxed);
    r2 = x.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(r1 || r2);
}
)",
                                        ".cpp");
  for (const char* with : {"atomic", "fence"}) {
    drive::RepairOptions options;
    options.with = with;
    options.patch = "-";
    const drive::Repair found = repaired(task_of(file, "tso"), options);
    SCOPED_TRACE(found.text);
    EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
    EXPECT_EQ(found.notes, std::vector<std::string>{patch_is_safe});
    EXPECT_EQ(found.places.size(), 2U);
  }
}

// acquire and release of one place are acq_rel: one repair, which several sets of elements make.
TEST(RepairC, AllAreListedOnce) {
  Sources sources;
  const std::string file = sources.file(R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int l;
int d, e;
static void *t1(void *u) {
  d = 1;
  atomic_store_explicit(&l, 1, memory_order_release);
  return u;
}
static void *t2(void *u) {
  e = 1;
  int k = 1;
  if (atomic_compare_exchange_strong_explicit(&l, &k, 2, memory_order_relaxed, memory_order_relaxed)) assert(d == 1);
  return u;
}
static void *t3(void *u) {
  if (atomic_load_explicit(&l, memory_order_acquire) == 2) assert(e == 1);
  return u;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  pthread_create(&c, 0, t3, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
)");
  drive::RepairOptions options;
  options.all = true;
  const drive::Repair found = repaired(task_of(file, "rc11"), options);
  EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
  std::multiset<std::string> lists;
  const auto words = [](const std::vector<drive::RepairPlace>& list) {
    std::string text;
    for (const auto& place : list) text += report::text_of(place) + "\n";
    return text;
  };
  lists.insert(words(found.places));
  for (const auto& other : found.others) lists.insert(words(other));
  EXPECT_EQ(lists.size(), std::set<std::string>(lists.begin(), lists.end()).size()) << report::text_of({found});
}

// That nothing helps is said of the places that an edit of the source can reach.
TEST(RepairC, SaysWhichFencesWereLeftOut) {
  Sources sources;
  const std::string file = sources.file(handed_over(R"(
#define SEND() do { atomic_store_explicit(&data, 1, memory_order_relaxed); atomic_store_explicit(&flag, 1, memory_order_relaxed); } while (0)
static void *sender(void *u) {
  SEND();
  return u;
}
static void *right(void *u) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(atomic_load_explicit(&data, memory_order_relaxed));
  return u;
}
#define left sender
)"));
  drive::RepairOptions options;
  options.with = "fence";
  const drive::Repair found = repaired(task_of(file, "rc11"), options);
  EXPECT_EQ(found.outcome, core::Outcome::Unsafe) << found.summary;
  ASSERT_FALSE(found.notes.empty());
  EXPECT_TRUE(found.notes.front().starts_with("left out: fences inside macros")) << found.notes.front();
}

// What is compiled is the patched header, by whatever name the source includes it.
TEST(RepairC, HeadersArePatched) {
  Sources sources;
  for (const std::string order : {"relaxed", "seq_cst"}) {
    const fs::path header = sources.file(
        "#include <stdatomic.h>\nextern atomic_int full;\n"
        "static void put(void) { atomic_store_explicit(&full, 1, memory_order_" +
            order +
            "); }\n"
            "static int get(void) { return atomic_load_explicit(&full, memory_order_" +
            order + "); }\n",
        ".h");
    const std::string included = (header.parent_path() / "." / header.filename()).string();
    const std::string file = sources.file("#include <assert.h>\n#include <pthread.h>\n#include \"" + included + R"("
atomic_int full;
int letter;
void *sender(void *unused) { letter = 1; put(); return unused; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, sender, 0);
  if (get()) assert(letter == 1);
  pthread_join(p, 0);
}
)");
    drive::RepairOptions options;
    options.with = "atomic";
    options.patch = "-";
    options.minimise = order == "seq_cst";
    const drive::Repair found = repaired(task_of(file, "rc11"), options);
    SCOPED_TRACE(order + "\n" + found.text);
    EXPECT_EQ(found.notes, std::vector<std::string>{"the patched program has been compiled and checked: it is safe"});
    EXPECT_NE(found.text.find("memory_order_release"), std::string::npos);
    EXPECT_NE(found.text.find("+++ b" + header.string()), std::string::npos);  // git takes no "/./"
    EXPECT_EQ(found.places.size(), 2U);
  }
}

// Options and models of the rows that are violated although the file's first row holds.
struct WeakRow {
  std::string file, options, model;
};
std::vector<WeakRow> weak_rows() {
  std::vector<WeakRow> rows;
  for (const auto& entry : fs::directory_iterator(tests::source_dir() + "/tests/regress/c/structures")) {
    std::ifstream in(entry.path());
    std::string line, options;
    std::map<std::string, bool> strong;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      std::string slashes, what, models, verdict;
      words >> slashes >> what;
      if (slashes != "//") break;
      if (what == "with") std::getline(words >> std::ws, options);
      if (what != "expect") continue;
      words >> models >> verdict;
      std::istringstream list(models);
      for (std::string model; std::getline(list, model, ',');) {
        if (options.empty()) strong[model] = verdict == "holds";
        else if (verdict == "violated" && strong[model]) rows.push_back({entry.path().string(), options, model});
      }
    }
  }
  return rows;
}

std::vector<std::string> defines_of(const std::string& options) {
  std::vector<std::string> defines;
  std::istringstream words(options);
  for (std::string word; words >> word;)
    if (word != "-D") defines.push_back(word.starts_with("-D") ? word.substr(2) : word);
  return defines;
}

// What the strong row has beyond the weak one, in costs.
std::uint64_t cost_of_strong(const WeakRow& row) {
  const repair::OrderCosts costs;
  Question weak(task_of(row.file, row.model, defines_of(row.options)), {}), strong(task_of(row.file, row.model), {});
  const auto orders_at = [&](Question& q) {
    std::map<std::tuple<unsigned, unsigned, int>, core::Order> orders;
    for (const auto& translation : q.subject().variants().front()->translations)
      for (const vm::OrderPlace& p : translation.places)
        if (p.kind != vm::OrderPlace::Kind::Slot)
          orders[{p.source.line, p.source.column, static_cast<int>(p.kind)}] = p.own;
    return orders;
  };
  const auto before = orders_at(weak);
  std::uint64_t sum = 0;
  for (const auto& [key, order] : orders_at(strong)) {
    const auto kind = static_cast<repair::Priced>(std::min(std::get<2>(key), 4));
    const auto old = before.find(key);
    const core::Order from = old != before.end()             ? old->second
                             : kind == repair::Priced::Fence ? core::Order::Plain
                                                             : order;
    if (core::at_most(from, order)) sum += costs.between(kind, from, order);
  }
  return sum;
}

TEST(RepairC, OfAWeakRowCostsNoMoreThanTheStrongRow_slow) {
  const auto rows = weak_rows();
  EXPECT_GE(rows.size(), 90u);
  for (std::size_t i = 0; i < rows.size(); i += 3) {  // each structure and each model many times
    SCOPED_TRACE(rows[i].file + " " + rows[i].options + " " + rows[i].model);
    const drive::Repair found = repaired(task_of(rows[i].file, rows[i].model, defines_of(rows[i].options)), {});
    EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
    EXPECT_GT(found.cost.value_or(0), 0u) << found.summary;
    // Another algorithm (-D EXCHANGE) is no stronger row of the same one.
    if (rows[i].options.find("EXCHANGE") != std::string::npos || rows[i].options.find("FENCE") != std::string::npos)
      continue;
    EXPECT_LE(found.cost.value_or(UINT64_MAX), cost_of_strong(rows[i]));
  }
}

// The thesis has five fences: E5 E10 D4 D6 D8.
TEST(RepairC, MichaelScottNeedsNoMoreThanTheFiveOfTheThesis_slow) {
  drive::RepairOptions options;
  options.with = "fence";
  options.cost = "count";
  options.variants = {"-D TEST=1", "-D TEST=2", "-D TEST=3", "-D TEST=4 --property livelock"};
  const drive::Task task =
      task_of(tests::source_dir() + "/examples/msq.c", "lmo", {"NO_E5", "NO_E10", "NO_D4", "NO_D6", "NO_D8"});
  const drive::Repair found = repaired(task, options);
  ASSERT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
  EXPECT_LE(found.cost.value_or(100), 5u);
  EXPECT_EQ(found.lower_bound, 0u);  // fences may also take away the runs that end a loop
}

// Orders that nobody could be told the place of: to say that no change helps would be wrong.
TEST(RepairC, IrWithoutPlacesIsRefused) {
  Sources sources;
  const drive::Task task = task_of(sources.file("@x = global i32 0\n"
                                                "define i32 @main() {\n"
                                                "  store atomic i32 1, ptr @x monotonic, align 4\n"
                                                "  ret i32 0\n}\n",
                                                ".ll"),
                                   "rc11");
  core::Budget budget;
  const auto repairs = drive::repair_orders(c(), task, {}, budget);
  ASSERT_FALSE(repairs);
  EXPECT_EQ(repairs.error().message, "has atomic accesses without a place in a source");
}

}  // namespace
}  // namespace heddle
