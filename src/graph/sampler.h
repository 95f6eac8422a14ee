// The number of executions, estimated while they are explored, by random ways down the search tree (Knuth, Mathematics
// of Computation 29, 1975).
//
// A way that ends in an execution counts one over its probability, any other counts 0: on average this is the number of
// executions below. Most revisits hang from ways on which the first option was always taken, so ways are drawn by
// several rules, some of which favour the first option, and weighed by the mean probability of all of these. In the same
// way each step of a way, whether it ends in an execution or not, counts one over the probability of the way so far: on
// average this is the number of steps that the search takes below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "graph/exploration.h"

namespace heddle::graph {

// Has an exploration of its own, so that it does not disturb the one that is sampled.
class Sampler : private Guide {
 public:
  Sampler(const core::Program&, Names&, Tables&, Consistency&, const axioms::Model&, const Options&, Promises*);

  // An estimate of the number of executions below this path.
  double sample(const std::vector<std::uint32_t>& path, std::mt19937_64&);
  double steps_below() const { return steps_below_; }                  // the path of the last sample, estimated
  std::uint64_t steps() const { return exploration_.counts().steps; }  // of all samples

 private:
  // Of samples: nothing they meet is a finding.
  class Blind : public Watcher {
   public:
    void event(Graph&, EventId) override {}
    void failed(Graph&, ThreadId) override {}
    bool maximal(Graph&, bool) override { return true; }
    bool prefix_decides() const override { return true; }
    bool stops() const override { return false; }
  };
  static constexpr std::array<double, 3> first_likely = {0, 0.75, 0.95};  // rules; 0: all options alike

  std::uint32_t choose(std::uint32_t n) override;
  void stepped() override { steps_below_ += weight(); }
  double weight() const;  // of the way so far

  Blind blind_;
  Exploration exploration_;
  std::mt19937_64* random_ = nullptr;
  std::array<double, first_likely.size()> likely_{};  // the way so far, by each of the rules
  std::size_t rule_ = 0;
  double steps_below_ = 0;
};

// The running average over samples of the branches that are left, for a progress line. Each sample says how many
// executions there are in all, so later ones, which know more, go on with the average of the earlier ones.
class Estimate {
 public:
  explicit Estimate(Sampler& sampler) : sampler_(sampler) {}

  // Takes one sample of what `exploration`, which has found so many, still has to explore.
  void improve(const Exploration&, std::uint64_t found);
  bool known() const { return samples_ >= least_samples; }
  double executions() const { return known() ? average_ : 0; }  // 0: not known
  double steps() const { return known() ? steps_ : 0; }

 private:
  static constexpr std::uint64_t least_samples = 30;

  Sampler& sampler_;
  std::mt19937_64 random_{1};
  double average_ = 0, steps_ = 0;
  std::uint64_t samples_ = 0;
};

}  // namespace heddle::graph
