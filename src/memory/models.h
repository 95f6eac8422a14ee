// The memory models that have a machine, in one table. A new model is one file and one row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "memory/machine.h"

namespace heddle::memory {

const Machine& sc();
const Machine& tso();
const Machine& pso();
const Machine& sb1();
const Machine& lmo();
const Machine& nsw();

struct Model {
  std::string_view name;
  const Machine& (*machine)();
  std::string_view summary;
};

std::span<const Model> models();
const Machine* find_machine(std::string_view name);  // null if there is none of that name

}  // namespace heddle::memory
