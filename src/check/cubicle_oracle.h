// What finite instances have been seen to do: the guide of BRAB's guesses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "array/cube.h"
#include "check/cubicle_explore.h"

namespace heddle::check {

class CubicleOracle {
 public:
  // Explores up to `limit` states of the instance, or until `stop` says so.
  CubicleOracle(const CubicleMachine& machine, std::size_t limit, const std::function<bool()>& stop = {})
      : machine_(machine), seen_(explore(machine, limit, true, stop)) {}

  // Whether some state seen lies in the cube, with every read taken as what the reader sees there. Cubes that a state
  // cannot answer (too many processes, promises, general sums) count as possible.
  bool possible(const array::Cube&, const array::System&) const;
  std::size_t states() const { return seen_.states.size(); }

 private:
  bool matches(const array::Cube&, const array::System&, const CubicleMachine::State&,
               std::vector<unsigned>& names) const;

  const CubicleMachine& machine_;
  CubicleExploration seen_;
};

}  // namespace heddle::check
