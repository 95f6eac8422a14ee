// Conditions over single states of a thread program (core/program.h): the atoms of temporal formulas.
//
// A state is what an engine and the referee each make of it; a condition sees main memory, not what waits in buffers,
// and the threads' local states. What a condition means is the language's affair.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/program.h"

namespace heddle::core {

class StateReader {
 public:
  virtual ~StateReader() = default;
  virtual Answer read(const Loc&) const = 0;
  virtual std::size_t threads() const = 0;  // 0 once the whole program has ended
  virtual ConstLocal local(Tid) const = 0;
};

enum class Truth : std::uint8_t {
  False,
  True,
  NoValue  // an index out of range, a division by zero, a variable that holds nothing
};

class Conditions {
 public:
  virtual ~Conditions() = default;
  virtual Truth evaluate(std::uint32_t number, const StateReader&) const = 0;
  // May some condition read this global object? Whoever changes it takes a step that conditions can tell.
  virtual bool watched(std::uint32_t object) const = 0;
};

}  // namespace heddle::core
