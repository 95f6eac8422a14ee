/* Threads that wait, each in a cell of its own, in the order of their numbers: who came first leaves no trace in the
 * state. All of it happens inside atomic sections. Used by condition variables and barriers.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_WAITERS_H
#define HEDDLE_WAITERS_H
#include "internal.h"

struct waiter {
  struct waiter *next;
  unsigned thread;
  int woken;
};

static inline void waiters_add(struct waiter **list, struct waiter *w) {
  w->thread = __heddle_self();
  w->woken = 0;
  while (*list && (*list)->thread < w->thread) list = &(*list)->next;
  w->next = *list;
  *list = w;
}

static inline void waiters_wake(struct waiter **at) {
  struct waiter *w = *at;
  *at = w->next;
  w->next = 0;
  w->woken = 1;
}

static inline void waiters_remove(struct waiter **list, struct waiter *w) {
  while (*list != w) list = &(*list)->next;
  *list = w->next;
}
#endif
