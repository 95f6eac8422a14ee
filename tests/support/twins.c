// The twins in C: pthreads and C11's atomics.
// SPDX-License-Identifier: Apache-2.0
#include "twins.h"
