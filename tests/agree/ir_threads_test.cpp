// Models of processes answered by execution graphs (ir::AsThreads) and by explicit states: the two share the evaluator
// of expressions and nothing of what makes a run. Random models whose processes end, with assertions about what a
// process has read.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "drive/explicit_engine.h"
#include "drive/graph_engine.h"
#include "drive/load.h"
#include "drive/referee.h"

namespace heddle {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  // `one_load`: a step reads memory once at most, before it stores, as models with buffers need it.
  std::string model(bool one_load) {
    one_load_ = one_load;
    std::string text = "int x = 0;\nint y = 0;\nint a[2] = {0, 0};\n";
    const int processes = 2 + pick(2);
    for (int p = 0; p < processes; ++p) text += process(p);
    return text + "system async;\n";
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string cell() {
    const char* const cells[] = {"x", "y", "a[0]", "a[1]"};
    return cells[pick(4)];
  }
  std::string local() { return pick(2) == 0 ? "r" : "s"; }

  std::string process(int number) {
    const int states = 3 + pick(2);
    std::string names, edges;
    for (int s = 0; s < states; ++s) names += fmt::format("{}q{}", s == 0 ? "" : ", ", s);
    for (int s = 0; s + 1 < states; ++s)
      for (int e = 0; e < 1 + (pick(4) == 0 ? 1 : 0); ++e)
        edges += fmt::format("{}    q{} -> q{} {{ {} }}", edges.empty() ? "" : ",\n", s,
                             s + 1 + (e > 0 ? pick(states - s - 1) : 0), body());
    return fmt::format(
        "process P{} {{\n  int r = 9;\n  int s = 9;\n  state {};\n  init q0;\n  assert q{}: !(r == {} && s == {});\n"
        "  trans\n{};\n}}\n",
        number, names, states - 1, pick(3), pick(2), edges);
  }

  std::string body() {
    int loads = one_load_ ? 1 : 3;
    std::string guard, effect;
    if (pick(4) == 0 && loads-- > 0) guard = fmt::format("guard {} == {}; ", cell(), pick(2));
    const int effects = 1 + pick(2);
    for (int i = 0; i < effects; ++i) {
      std::string one;
      switch (pick(4)) {
        case 0: one = fmt::format("{} = {}", cell(), 1 + pick(2)); break;
        case 1: one = fmt::format("{} = {} % 3", cell(), local()); break;
        case 2:
          if (loads-- > 0) one = fmt::format("{} = a[{} % 2]", local(), local());
          break;
        default:
          if (loads-- > 0) one = fmt::format("{} = {}", local(), cell());
          break;
      }
      if (one.empty()) one = fmt::format("{} = {}", cell(), pick(2));
      if (one_load_ && one.front() != 'r' && one.front() != 's') loads = 0;
      effect += (effect.empty() ? "" : ", ") + one;
    }
    return guard + "effect " + effect + ";";
  }

  std::mt19937 random_;
  bool one_load_ = false;
};

class ModelFile {
 public:
  explicit ModelFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("heddle_ir_threads_{}.dve", ::getpid())) {
    std::ofstream(path_) << text;
  }
  ~ModelFile() { std::filesystem::remove(path_); }
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(IrThreads, GraphsAndStatesAgreeOnRandomModels) {
  int safe = 0, unsafe = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const bool one_load = seed % 4 != 0;
    const std::string text = Generator(seed).model(one_load);
    const ModelFile file(text);
    drive::Task task;
    task.files = {file.name()};
    task.engine.set("graph");
    core::Budget budget;
    const auto subject = drive::load_dve(task, budget);
    ASSERT_TRUE(subject) << subject.error().message << "\n" << text;
    for (const char* name : {"sc", "tso", "pso"}) {
      const models::Model& model = *models::find(name);
      if (model.machine->has_buffers() && !one_load) continue;
      const auto refused = drive::graph_refuses(*subject, model, task);
      ASSERT_FALSE(refused) << refused->text << "\n" << text;
      const core::Verdict states =
          drive::judge(*subject, model, "explicit", task, drive::run_explicit(*subject, model, task, budget));
      const core::Verdict graphs =
          drive::judge(*subject, model, "graph", task, drive::run_graph(*subject, model, task, budget));
      ASSERT_NE(states.outcome, core::Outcome::Unknown) << states.reason.text << "\n" << text;
      ASSERT_EQ(graphs.outcome, states.outcome) << name << " " << graphs.reason.text << "\n" << text;
      (states.outcome == core::Outcome::Safe ? safe : unsafe) += 1;
    }
  }
  EXPECT_GT(safe, 25);
  EXPECT_GT(unsafe, 25);
}

}  // namespace
}  // namespace heddle
