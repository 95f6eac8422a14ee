// operator delete[] with an alignment (new.h): calls operator delete with one where the program has its own.
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

using namespace heddle_runtime;

HEDDLE_WANTS_ALIGNED

extern "C" void __heddle_plain_aligned_delete_array(void* object) { release(object, of_aligned_new_array, true); }

void operator delete[](void* object, std::align_val_t alignment) noexcept {
  if (!checks_aligned()) ::operator delete(object, alignment);
  else __heddle_plain_aligned_delete_array(object);
}
