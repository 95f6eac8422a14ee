/* One cell for each thread: set while it has been woken and has not gone on yet.
 * SPDX-License-Identifier: Apache-2.0 */
#include "waiters.h"

int __heddle_woken[most_waiters];
