// SPDX-License-Identifier: Apache-2.0
#include "graph/sampler.h"

#include <algorithm>

namespace heddle::graph {

Sampler::Sampler(const core::Program& p, Names& n, Tables& t, Consistency& c, const axioms::Model& model,
                 const Options& o, Promises* promises)
    : exploration_(p, n, t, c, model, o, blind_, promises) {}

double Sampler::sample(const std::vector<std::uint32_t>& path, std::mt19937_64& random) {
  random_ = &random;
  likely_.fill(1);
  steps_below_ = 0;
  rule_ = random() % likely_.size();
  return exploration_.descend(path, *this) ? weight() : 0;
}

double Sampler::weight() const {
  double sum = 0;
  for (const double p : likely_) sum += p;
  return static_cast<double>(likely_.size()) / sum;
}

std::uint32_t Sampler::choose(std::uint32_t n) {
  const auto first = [&](std::size_t rule) { return first_likely[rule] == 0 ? 1.0 / n : first_likely[rule]; };
  std::uniform_real_distribution<double> number;
  const std::uint32_t option =
      number(*random_) < first(rule_) ? 0 : 1 + static_cast<std::uint32_t>((*random_)() % (n - 1));
  for (std::size_t i = 0; i < likely_.size(); ++i) likely_[i] *= option == 0 ? first(i) : (1 - first(i)) / (n - 1);
  return option;
}

void Estimate::improve(const Exploration& exploration, std::uint64_t found) {
  constexpr double least_weight = 0.005;
  const auto [path, branches] = exploration.pending(random_);
  const double below = branches == 0 ? 0 : sampler_.sample(path, random_);
  const double steps_below = branches == 0 ? 0 : sampler_.steps_below();
  const double weight = std::max(1 / static_cast<double>(++samples_), least_weight);
  average_ += (static_cast<double>(found) + branches * below - average_) * weight;
  steps_ += (static_cast<double>(exploration.counts().steps) + branches * steps_below - steps_) * weight;
}

}  // namespace heddle::graph
