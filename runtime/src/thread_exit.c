/* pthread_exit. When the first thread leaves by it, its local variables end, and the program ends with its last thread, as
 * if by exit(0): it joins the others first. Only programs that call it record which thread created which. Each thread has
 * a word for those that it created, and the first one looks at it when that thread has ended: so no two threads access it
 * concurrently. Threads beyond the 64th are in one list for all.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include "internal.h"
#include "pthread_impl.h"

enum { words = 64 };
static unsigned long created[words];
static _Thread_local unsigned long by_first; /* the first thread's own word: no step when it creates one */

struct other {
  struct other *next;
  unsigned thread;
};
static struct other *others;

int __heddle_first_ended; /* what pthread_join of the first thread waits for */

void __heddle_remember(unsigned thread) {
  unsigned me = __heddle_self();
  if (me == 0 && thread < words) {
    by_first |= 1UL << thread;
    return;
  }
  if (me < words && thread < words) {
    __atomic_fetch_or(&created[me], 1UL << thread, __ATOMIC_RELAXED);
    return;
  }
  struct other *o = __heddle_alloc(sizeof *o, runtime_kind);
  __heddle_atomic_begin();
  o->thread = thread;
  o->next = others;
  others = o;
  __heddle_atomic_end();
}

static struct other *take_other(void) {
  __heddle_atomic_begin();
  struct other *o = others;
  if (o) others = o->next;
  __heddle_atomic_end();
  return o;
}

/* Those that a thread created are known when it has ended. */
static void see_off(void) {
  for (unsigned long left = by_first; left;) {
    unsigned thread = (unsigned)__builtin_ctzl(left);
    __heddle_join(thread);
    left &= left - 1;
    if (__heddle_creates_elsewhere) left |= created[thread];
  }
  for (struct other *o; (o = take_other());) {
    __heddle_join(o->thread);
    __heddle_free(o);
  }
}

_Noreturn void pthread_exit(void *value) {
  struct __pthread *block = __heddle_thread_pointer();
  while (block && block->cancelbuf) {
    struct __ptcb *handler = block->cancelbuf;
    block->cancelbuf = handler->__next;
    handler->__f(handler->__x);
  }
  __heddle_end_thread(value);
  if (__heddle_self() == 0) {
    __heddle_end_locals();
    if (__heddle_joins_elsewhere) __heddle_swap(&__heddle_first_ended, 1);
    see_off();
    exit(0);
  }
  __heddle_thread_exit();
}
