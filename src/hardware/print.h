// Outcomes observed on hardware, for people and programs: a histogram per test, a table over many, JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hardware/run.h"

namespace heddle::hardware {

struct Answer {
  std::string file;
  std::string mistake;  // rendered, if the test could not be read; then nothing else is set
  lang::litmus::Test test;
  std::vector<TestRun> runs;
};

// The histograms of one test, one per setting. In front of an outcome stands `*` if it satisfies the condition, `!` if
// the model forbids it.
std::string histograms(const Answer&);

// A line per test and setting, and below it what it comes to.
std::string table(const std::vector<Answer>&);

// Two lines: how many tests, what was forbidden, what went beyond sc.
std::string summary(const std::vector<Answer>&);

std::string json(const std::vector<Answer>&, std::string_view machine, const std::string& compiler);

}  // namespace heddle::hardware
