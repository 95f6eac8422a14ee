/* thrd_detach, a module of its own: only programs that call it record which threads were detached.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <threads.h>

int thrd_detach(thrd_t thread) { return pthread_detach(thread) ? thrd_error : thrd_success; }
