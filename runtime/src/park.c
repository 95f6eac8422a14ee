/* Threads that wait for a notification by address: std::atomic's wait and notify. The list is in the order of their
 * numbers: the order of arrival is no part of the state.
 * SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"
#include "park.h"

struct parked {
  struct parked *next;
  const volatile void *address;
  unsigned thread;
  int woken;
};
/* Its accesses are atomic: unlike the rest of the list they are subject to the memory model. One fence stands between
 * entering the list and the second check, another between the store and the notification: so the notifier sees the
 * waiter, or the waiter sees the store (store buffering). */
static struct parked *first;

static _Thread_local struct parked self;

/* The one behind `p`, the `length`th of the list. An execution graph is asked whether its atomic sections act as one only
 * when it has ended (src/graph/atomic_steps.h): in one that they do not, the list may be a ring and have no end. */
enum { longest = 1024 }; /* more than the threads of any program that is checked */
static struct parked *behind(struct parked *p, unsigned length) {
  __heddle_assume(length < longest);
  return p->next;
}

static struct parked *get_first(void) { return __atomic_load_n(&first, __ATOMIC_SEQ_CST); }

static void set_next(struct parked *before, struct parked *next) {
  if (before) before->next = next;
  else __atomic_store_n(&first, next, __ATOMIC_SEQ_CST);
}

void __heddle_park(const volatile void *address) {
  struct parked *me = &self, *before = 0, *next;
  __heddle_atomic_begin(); /* whoever woke this thread last has written here, and is not waited for */
  me->address = address;
  me->thread = __heddle_self();
  me->woken = 0;
  unsigned length = 0;
  for (next = get_first(); next && next->thread < me->thread; next = behind(next, ++length)) before = next;
  __heddle_assume(next != me);
  me->next = next;
  set_next(before, me);
  __heddle_atomic_end();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __heddle_unpark(void) {
  struct parked *me = &self, *before = 0;
  __heddle_atomic_begin();
  struct parked *p = get_first();
  for (unsigned length = 0; p && p != me; p = behind(p, ++length)) before = p;
  if (p) set_next(before, me->next);
  __heddle_atomic_end();
}

void __heddle_wait_parked(const volatile void *address) {
  (void)address; /* for people: it says what is waited for */
  __heddle_wait_equal(&self.woken, 1);
}

/* Wakes the waiter with this number among those at the address, all of them if it is negative. */
static void wake(const volatile void *address, int number) {
  struct parked *before = 0;
  unsigned length = 0;
  for (struct parked *p = get_first(), *next; p; p = next) {
    next = behind(p, ++length);
    if (p->address != address || number > 0) {
      if (p->address == address) number--;
      before = p;
      continue;
    }
    set_next(before, next);
    p->next = 0;
    p->woken = 1;
    if (number == 0) return;
  }
}

void __heddle_unpark_all(const volatile void *address) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __heddle_atomic_begin();
  wake(address, -1);
  __heddle_atomic_end();
}

void __heddle_unpark_one(const volatile void *address) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __heddle_atomic_begin();
  unsigned count = 0, length = 0;
  for (struct parked *p = get_first(); p; p = behind(p, ++length)) count += p->address == address;
  if (count) wake(address, count > 1 ? (int)__heddle_choose(count) : 0);
  __heddle_atomic_end();
}
