/* Initialisation once. The way taken after the first time is an acquire load, as in real libraries: the program gets no
 * fence that it would not have there.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <threads.h>
#include "internal.h"

enum { untouched = 0, running = 1, done = 2 };

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  if (__atomic_load_n(control, __ATOMIC_ACQUIRE) == done) return 0;
  int found = untouched;
  if (__atomic_compare_exchange_n(control, &found, running, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    routine();
    __atomic_store_n(control, done, __ATOMIC_RELEASE);
  } else if (found == running) {
    __heddle_wait_equal((int *)control, done);
  }
  return 0;
}

/* For std::call_once: until nobody runs the function any more. */
void __heddle_wait_once(const volatile unsigned long *flag) { __heddle_wait_bits(flag, 1); }

void call_once(once_flag *control, void (*routine)(void)) { pthread_once(control, routine); }
