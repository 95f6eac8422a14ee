// The machines there are, one file each; models/ has a row for each of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory/machine.h"

namespace heddle::memory {

const Machine& sc();
const Machine& tso();
const Machine& pso();
const Machine& sb1();
const Machine& lmo();
const Machine& nsw();

}  // namespace heddle::memory
