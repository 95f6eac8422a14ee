// Random small DVE models: two or three processes over a few shared cells, with guards, transitions of several
// accesses, loops, rendezvous now and then, and a list of atomic writes and fences. Small enough to be enumerated
// naively. Every draw is a statement of its own: the order of arguments is not the same on all machines, and a seed
// would not name the same models.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace heddle::tests {

struct RandomModel {
  std::string text;
  std::string atomic;       // contents of an --atomic file
  std::string proposition;  // something to ask about
};

class RandomDve {
 public:
  explicit RandomDve(std::uint64_t seed) : random_(seed) {}

  RandomModel next() {
    RandomModel model;
    const int processes = pick(10) == 0 ? 3 : 2;
    const bool channel = pick(6) == 0;
    const bool commit = pick(8) == 0;
    const bool asserts = pick(4) == 0;
    model.text = "byte x, y = 1;\nbyte a[2];\n";
    if (channel) model.text += "channel {byte} c[0];\n";
    for (int p = 0; p < processes; ++p) {
      const int states = 2 + pick(3);
      model.text += fmt::format("process P{} {{\nbyte l{};\nstate ", p, pick(3) == 0 ? " = 1" : "");
      for (int s = 0; s < states; ++s) model.text += fmt::format("{}s{}", s == 0 ? "" : ", ", s);
      model.text += ";\ninit s0;\n";
      if (commit && pick(2) == 0) model.text += fmt::format("commit s{};\n", pick(states));
      if (asserts && pick(2) == 0) {
        const int state = 1 + pick(states - 1);
        model.text += fmt::format("assert s{}: {};\n", state, condition());
      }
      model.text += "trans\n";
      int number = 0;
      for (int s = 0; s < states; ++s) {
        const int edges = s + 1 < states ? 1 + pick(2) : pick(2);
        for (int e = 0; e < edges; ++e) {
          // Mostly forwards; a step back now and then makes cycles.
          const int target = pick(5) == 0 ? pick(states) : std::min(s + 1, states - 1);
          std::string body;
          if (pick(3) == 0) body += fmt::format("guard {}; ", condition());
          if (channel && pick(4) == 0) body += p == 0 ? fmt::format("sync c!{}; ", value()) : "sync c?l; ";
          const int effects = pick(3);
          writes_shared_ = false;
          for (int i = 0; i < effects; ++i) body += fmt::format("{}{}", i == 0 ? "effect " : ", ", assignment());
          if (effects != 0) body += ";";
          model.text += fmt::format("{}s{} -> s{} {{ {} }}", number == 0 ? "" : ",\n", s, target, body);
          ++number;
          if (pick(12) == 0 && writes_shared_) model.atomic += fmt::format("* P{}.{}\n", p, number);
          if (pick(12) == 0) model.atomic += fmt::format("fence P{}.{}\n", p, number);
        }
      }
      model.text += ";\n}\n";
    }
    model.text += "system async;\n";
    const std::string shared = shared_condition();
    model.proposition = fmt::format("({}) and P{}.s1", shared, pick(processes));
    return model;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::string cell() {
    static const char* const cells[] = {"x", "y", "a[0]", "a[1]", "a[l % 2]"};
    return cells[pick(pick(4) == 0 ? 5 : 4)];
  }
  std::string value() { return pick(2) == 0 ? std::to_string(pick(3)) : pick(2) == 0 ? "l" : cell(); }
  std::string condition() {
    static const char* const operators[] = {"==", "!=", "<"};
    std::string text = pick(3) == 0 ? "l" : cell();
    text += fmt::format(" {} ", operators[pick(3)]);
    text += value();
    if (pick(4) != 0) return text;
    text += pick(2) == 0 ? " and " : " or ";
    text += cell();
    text += fmt::format(" == {}", pick(3));
    return text;
  }
  std::string shared_condition() {
    std::string text = pick(2) == 0 ? "x ==" : "x !=";
    text += fmt::format(" {}", pick(3));
    text += fmt::format(" or a[{}]", pick(2));
    text += fmt::format(" == {}", pick(3));
    return text;
  }
  std::string assignment() {
    const std::string target = pick(3) == 0 ? "l" : cell();
    writes_shared_ |= target != "l";
    return pick(4) == 0 ? fmt::format("{} = ({} + 1) % 3", target, value()) : fmt::format("{} = {}", target, value());
  }

  std::mt19937_64 random_;
  bool writes_shared_ = false;  // does the transition in the making?
};

}  // namespace heddle::tests
