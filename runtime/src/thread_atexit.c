/* Destructors of thread-local variables, last constructed first. They run when their thread ends, those of the thread
 * that calls exit() before any static variable is destroyed (C++ standard, [basic.start.term]).
 * SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

struct destructor {
  struct destructor *next;
  void (*function)(void *);
  void *object;
};
static _Thread_local struct destructor *first;

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso) {
  (void)dso;
  struct destructor *d = __heddle_alloc(sizeof *d, runtime_kind);
  d->next = first;
  d->function = function;
  d->object = object;
  first = d;
  return 0;
}

__attribute__((noinline)) void __heddle_run_thread_atexit(void) {
  while (first) {
    struct destructor *d = first;
    first = d->next;
    d->function(d->object);
    __heddle_free(d);
  }
}
