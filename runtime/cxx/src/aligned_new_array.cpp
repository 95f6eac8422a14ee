// operator new[] with an alignment (new.h): calls operator new with one where the program has its own.
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

using namespace heddle_runtime;

HEDDLE_WANTS_ALIGNED

extern "C" void* __heddle_plain_aligned_new_array(std::size_t size) { return allocate<of_aligned_new_array>(size); }

void* operator new[](std::size_t size, std::align_val_t alignment) {
  if (!checks_aligned()) return ::operator new(size, alignment);
  return or_throw(__heddle_plain_aligned_new_array(size));
}
