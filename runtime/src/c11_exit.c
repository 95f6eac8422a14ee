/* thrd_exit, a module of its own: only programs that call it count their threads.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

_Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
