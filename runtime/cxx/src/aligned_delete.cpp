// operator delete with an alignment (new.h).
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

using namespace heddle_runtime;

HEDDLE_WANTS_ALIGNED

extern "C" void __heddle_plain_aligned_delete(void* object) {
  // What malloc gave may come from an aligned operator new of the program's own.
  const unsigned long facts = object != nullptr && !checks_aligned() ? __heddle_object_facts(object) : ~0UL;
  if (facts != ~0UL && (facts >> 32 == of_new || facts >> 32 == of_new_array)) mismatch(facts >> 32);
  release(object, of_aligned_new, checks_aligned());
}

void operator delete(void* object, std::align_val_t) noexcept { __heddle_plain_aligned_delete(object); }
