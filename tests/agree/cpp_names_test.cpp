// What traces of C++ programs call the places in memory: by the members and variables of the program, never by those of
// the library that its methods work on; how they show the way of an exception, and what they call threads.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "drive/ladder.h"
#include "drive/languages.h"
#include "support/own_folder.h"

namespace heddle {
namespace {

core::Verdict checked(const char* text, const char* model) {
  const std::string file = (tests::own_folder() / "names.cpp").string();
  std::ofstream(file) << text;
  drive::Task task;
  task.files = {file};
  task.models.set({model});
  core::Budget budget;
  const auto verdicts = drive::check(*drive::language_of(file), task, budget);
  EXPECT_TRUE(verdicts) << (verdicts ? "" : verdicts.error().message);
  if (!verdicts) return {};
  EXPECT_EQ(verdicts->front().outcome, core::Outcome::Unsafe) << verdicts->front().reason.text;
  return verdicts->front();
}

std::set<std::string> names_in_trace(const char* text, const char* model) {
  const core::Verdict verdict = checked(text, model);
  std::set<std::string> names;
  if (!verdict.trace) return names;
  for (const core::TraceStep& step : verdict.trace->steps) {
    if (step.quiet) continue;  // the library at work on its own
    for (const core::Effect& effect : step.effects)
      if (!effect.location.empty()) names.insert(effect.location);
  }
  return names;
}

TEST(CppNames, MembersBehindMethodsOfTheLibrary) {
  const auto names = names_in_trace(R"(
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
struct Ring {
  std::array<int, 2> slots;
  std::atomic<unsigned> head{0}, tail{0};
  void push(int value) {
    const auto at = tail.load(std::memory_order_relaxed);
    slots[at] = value;
    tail.store(at + 1, std::memory_order_relaxed);
  }
  bool pop(int& value) {
    const auto from = head.load(std::memory_order_relaxed);
    if (from == tail.load(std::memory_order_acquire)) return false;
    value = slots[from];
    head.store(from + 1, std::memory_order_release);
    return true;
  }
} ring;
int main() {
  std::thread writer([] { ring.push(1); });
  int value = 1;
  ring.pop(value);
  assert(value == 1);
  writer.join();
})",
                                    "pso");
  for (const std::string& name : names) EXPECT_EQ(name.find("__"), std::string::npos) << name;
  for (const char* expected : {"ring.head", "ring.tail", "ring.slots[0]"})
    EXPECT_TRUE(names.contains(expected)) << expected;
}

TEST(CppNames, ObjectsOnTheStack) {
  const auto names = names_in_trace(R"(
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
struct Box {
  std::atomic<bool> full{false};
  std::vector<int> content{0};
};
int main() {
  Box box;
  std::thread writer([&] {
    box.content[0] = 1;
    box.full.store(true, std::memory_order_relaxed);
  });
  if (box.full.load(std::memory_order_acquire)) assert(box.content[0] == 1);
  writer.join();
})",
                                    "pso");
  for (const std::string& name : names) EXPECT_EQ(name.find("__"), std::string::npos) << name;
  EXPECT_TRUE(names.contains("box.full") || names.contains("this->box.full"));
}

TEST(CppNames, LocksThatThreadsWaitFor) {
  const std::string message = checked(R"(
#include <mutex>
#include <thread>
struct Account {
  std::mutex lock;
};
void transfer(Account& from, Account& to) {
  std::lock_guard first(from.lock);
  std::lock_guard second(to.lock);
}
int main() {
  Account a, b;
  std::thread other([&] { transfer(a, b); });
  transfer(b, a);
  other.join();
})",
                                      "sc")
                                  .violation;
  EXPECT_NE(message.find("for the mutex to.lock"), std::string::npos) << message;
  const std::string forgotten = checked(R"(
#include <mutex>
std::mutex bank;
int main() {
  bank.lock();
  std::unique_lock again(bank);
})",
                                        "sc")
                                    .violation;
  EXPECT_NE(forgotten.find("for the mutex bank"), std::string::npos) << forgotten;
}

TEST(CppNames, ConditionVariablesAndWhatLambdasCapture) {
  const core::Verdict verdict = checked(R"(
#include <condition_variable>
#include <mutex>
#include <thread>
struct Gate {
  std::mutex m;
  std::condition_variable opened;
  bool open = false;
  void pass() {
    std::unique_lock l(m);
    opened.wait(l, [&] { return open; });
  }
  void unlock() {
    std::lock_guard l(m);
    open = true;
  }
};
int main() {
  Gate gate;
  std::thread other([&] { gate.pass(); });
  gate.unlock();
  other.join();
})",
                                        "sc");
  EXPECT_NE(verdict.violation.find("for the condition variable this->opened"), std::string::npos) << verdict.violation;
  ASSERT_TRUE(verdict.trace);
  bool member = false;
  for (const core::TraceStep& step : verdict.trace->steps)
    for (const core::Effect& effect : step.effects) {
      EXPECT_EQ(effect.location.find("this->this"), std::string::npos) << effect.location;
      EXPECT_EQ(effect.value.find("locks the mutex this->opened"), std::string::npos) << effect.value;
      member |= effect.location == "this->open";
    }
  EXPECT_TRUE(member);
}

TEST(CppNames, ConditionVariablesOfAnyLock) {
  const std::string message = checked(R"(
#include <condition_variable>
#include <mutex>
std::mutex m;
std::condition_variable_any opened;
int main() {
  std::unique_lock l(m);
  opened.wait(l);
  opened.wait(l, [] { return false; });
})",
                                      "sc")
                                  .violation;
  EXPECT_NE(message.find("for the condition variable opened"), std::string::npos) << message;
}

// Notes of the trace that contain the word, each with the program's line that it stands at.
std::vector<std::pair<unsigned, std::string>> notes_about(const char* word, const core::Verdict& verdict) {
  std::vector<std::pair<unsigned, std::string>> notes;
  if (!verdict.trace) return notes;
  for (const core::TraceStep& step : verdict.trace->steps)
    for (const core::Effect& effect : step.effects)
      if (effect.kind == core::Effect::Kind::Note && effect.value.find(word) != std::string::npos)
        notes.emplace_back(step.place.library ? step.caller.line : step.place.line, effect.value);
  return notes;
}

TEST(CppNames, WayOfAnException) {
  const char* text = R"(#include <atomic>
#include <cassert>
#include <stdexcept>
std::atomic<int> cleaned;
struct Guard {
  ~Guard() { cleaned++; }
};
void innermost() {
  Guard guard;
  throw std::runtime_error("no");
}
void middle() { innermost(); }
void again() {
  try {
    middle();
  } catch (...) {
    throw;
  }
}
int main() {
  try {
    again();
  } catch (const std::exception&) {
    assert(cleaned == 0);
  }
}
)";
  const std::vector<std::pair<unsigned, std::string>> expected{
      {10, "throws an exception"},          {16, "the exception has left innermost, middle"},
      {16, "catches the exception"},        {17, "throws the exception again"},
      {23, "the exception has left again"}, {23, "catches the exception"}};
  for (const char* model : {"sc", "rc11"}) EXPECT_EQ(notes_about("exception", checked(text, model)), expected) << model;
}

TEST(CppNames, ThreadsThatHaveNotRunGoByTheirLine) {
  const char* text = R"(#include <cassert>
#include <thread>
int main() {
  std::jthread other([] {});
  assert(false);
}
)";
  const std::vector<std::pair<unsigned, std::string>> expected{{4, "starts thread 1 of names.cpp:4"}};
  for (const char* model : {"sc", "rc11"}) EXPECT_EQ(notes_about("starts", checked(text, model)), expected) << model;
}

// What std::thread::join is made of is nobody's name for it. (Whether it has a frame of its own is the compiler's choice.)
TEST(CppNames, ThreadsThatWaitForAnEndDoSoAtTheProgramsLine) {
  const char* text = R"(#include <mutex>
#include <thread>
std::mutex m;
int main() {
  m.lock();
  std::thread other([] { m.lock(); });
  other.join();
}
)";
  const std::string violation = checked(text, "sc").violation;
  EXPECT_NE(violation.find("main 0 waits "), std::string::npos) << violation;
  EXPECT_NE(violation.find("names.cpp:7:9"), std::string::npos) << violation;
  EXPECT_EQ(violation.find("__"), std::string::npos) << violation;
}

}  // namespace
}  // namespace heddle
