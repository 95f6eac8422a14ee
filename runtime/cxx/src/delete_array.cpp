// operator delete[] (new.h): calls operator delete where the program has one of its own, as the standard says.
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

using namespace heddle_runtime;

HEDDLE_WANTS_NEW
HEDDLE_WANTS_DELETE

extern "C" void __heddle_plain_delete_array(void* object) {
  if (__heddle_plain_delete != nullptr && checks_arrays()) release(object, of_new_array, true);
  else ::operator delete(object);
}

void operator delete[](void* object) noexcept { __heddle_plain_delete_array(object); }
