// operator new[] (new.h): calls operator new where the program has one of its own, as the standard says.
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

HEDDLE_WANTS_NEW
HEDDLE_WANTS_DELETE

extern "C" void* __heddle_plain_new_array(std::size_t size) { return heddle_runtime::allocate<of_new_array>(size); }

void* operator new[](std::size_t size) {
  if (!heddle_runtime::checks()) return ::operator new(size);
  return heddle_runtime::or_throw(__heddle_plain_new_array(size));
}
