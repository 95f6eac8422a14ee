// operator new (new.h).
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

HEDDLE_WANTS_NEW
HEDDLE_WANTS_DELETE

extern "C" void* __heddle_plain_new(std::size_t size) { return heddle_runtime::allocate<of_new>(size); }

void* operator new(std::size_t size) { return heddle_runtime::or_throw(__heddle_plain_new(size)); }
