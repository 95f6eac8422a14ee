// Random ways down the search tree, from which the number of executions is estimated while they are explored.
// SPDX-License-Identifier: Apache-2.0
#include "graph/explorer.h"

namespace heddle::graph {

std::pair<std::vector<std::uint32_t>, std::uint64_t> Explorer::pending(std::mt19937_64& random) const {
  std::uint64_t count = 0;
  for (const Frame& f : frames_) count += f.end - f.next;
  std::vector<std::uint32_t> path;
  if (count == 0) return {path, 0};
  std::uint64_t chosen = random() % count;
  for (const Frame& f : frames_) {
    if (chosen < f.end - f.next) {
      path.push_back(f.next + static_cast<std::uint32_t>(chosen));
      break;
    }
    chosen -= f.end - f.next;
    path.push_back(f.next - 1);
  }
  return {path, count};
}

double Explorer::sample(const std::vector<std::uint32_t>& path, std::mt19937_64& random) {
  const Job job{path, 1};
  job_ = &job;
  followed_ = 0;
  stopped_ = found_ = false;
  begin();
  random_ = &random;
  likely_.fill(1);
  rule_ = random() % likely_.size();
  while (advance()) continue;
  random_ = nullptr;
  double sum = 0;
  for (const double p : likely_) sum += p;
  return found_ ? static_cast<double>(likely_.size()) / sum : 0;
}

// One of n > 1 options, by the rule of this sample.
std::uint32_t Explorer::draw(std::uint32_t n) {
  const auto first = [&](std::size_t rule) { return first_likely_[rule] == 0 ? 1.0 / n : first_likely_[rule]; };
  std::uniform_real_distribution<double> number;
  const std::uint32_t option =
      number(*random_) < first(rule_) ? 0 : 1 + static_cast<std::uint32_t>((*random_)() % (n - 1));
  for (std::size_t i = 0; i < likely_.size(); ++i) likely_[i] *= option == 0 ? first(i) : (1 - first(i)) / (n - 1);
  return option;
}

}  // namespace heddle::graph
