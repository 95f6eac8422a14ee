/* Functions to be called at the end, last registered first.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include "internal.h"

struct handler {
  struct handler *next;
  void (*function)(void *);
  void *argument;
};
static struct handler *at_exit, *at_quick_exit_;

static void push(struct handler **list, void (*function)(void *), void *argument) {
  struct handler *h = __heddle_alloc(sizeof *h, runtime_kind);
  __heddle_atomic_begin();
  h->function = function;
  h->argument = argument;
  h->next = *list;
  *list = h;
  __heddle_atomic_end();
}

/* Handlers may register further ones: take one at a time. */
static void run(struct handler **list) {
  for (;;) {
    __heddle_atomic_begin();
    struct handler *h = *list;
    if (h) *list = h->next;
    __heddle_atomic_end();
    if (!h) return;
    h->function(h->argument);
    __heddle_free(h);
  }
}

/* No exception passes these (unwind.c), so they keep their frames. */
__attribute__((noinline)) void __heddle_run_atexit(void) { run(&at_exit); }
__attribute__((noinline)) void __heddle_run_at_quick_exit(void) { run(&at_quick_exit_); }

static void call(void *function) { ((void (*)(void))function)(); }

int atexit(void (*function)(void)) {
  push(&at_exit, call, (void *)function);
  return 0;
}
int at_quick_exit(void (*function)(void)) {
  push(&at_quick_exit_, call, (void *)function);
  return 0;
}
int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
  (void)dso;
  push(&at_exit, function, argument);
  return 0;
}
