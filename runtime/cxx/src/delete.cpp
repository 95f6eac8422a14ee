// operator delete (new.h).
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

HEDDLE_WANTS_NEW
HEDDLE_WANTS_DELETE

extern "C" void __heddle_plain_delete(void* object) { heddle_runtime::release(object, of_new, heddle_runtime::checks()); }

void operator delete(void* object) noexcept { __heddle_plain_delete(object); }
