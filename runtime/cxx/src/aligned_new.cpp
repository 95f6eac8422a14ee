// operator new with an alignment (new.h).
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

using namespace heddle_runtime;

HEDDLE_WANTS_ALIGNED

extern "C" void* __heddle_plain_aligned_new(std::size_t size) { return allocate<of_aligned_new>(size); }

void* operator new(std::size_t size, std::align_val_t) { return or_throw(__heddle_plain_aligned_new(size)); }
