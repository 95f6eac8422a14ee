/* pthread_exit. When the first thread leaves by it, the program ends with its last thread, as if by exit(0): it stays to
 * see the others off. Only programs that call it remember who created whom. Each thread keeps the list of those that it
 * created to itself, and the first one looks at it when that thread has ended: no two threads ever meet there.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include "internal.h"
#include "pthread_impl.h"

struct children {
  struct child *first;
};
struct child {
  struct child *next;
  struct children *own; /* those that it created itself: not to be looked at before it has ended */
  unsigned thread;
};
static _Thread_local struct children of_first, *given; /* the latter is null in the first thread */

struct start {
  void *(*routine)(void *);
  void *argument;
  struct children *own;
};

static void *begin(void *argument) {
  struct start s = *(struct start *)argument;
  __heddle_free(argument);
  given = s.own;
  __heddle_end_thread(s.routine(s.argument));
  return 0;
}

/* All of this is known to one thread alone, but for the list of another one's children: that has one writer. */
unsigned __heddle_spawn_remembered(void *(*routine)(void *), void *argument) {
  struct start *s = __heddle_alloc(sizeof *s, runtime_kind);
  struct child *c = __heddle_alloc(sizeof *c, runtime_kind);
  struct children *list = given ? given : &of_first;
  s->routine = routine;
  s->argument = argument;
  c->own = s->own = __heddle_alloc(sizeof *c->own, runtime_kind);
  c->own->first = 0;
  c->next = list->first;
  c->thread = __heddle_spawn(begin, s);
  list->first = c;
  return c->thread;
}

static void see_off(struct child *c) {
  while (c) {
    struct child *ended = c, *last = 0;
    __heddle_join(ended->thread);
    c = ended->next;
    for (struct child *grandchild = ended->own->first; grandchild; grandchild = grandchild->next) last = grandchild;
    if (last) {
      last->next = c;
      c = ended->own->first;
    }
    __heddle_free(ended->own);
    __heddle_free(ended);
  }
}

_Noreturn void pthread_exit(void *value) {
  struct __pthread *block = __heddle_thread_pointer();
  while (block && block->cancelbuf) {
    struct __ptcb *handler = block->cancelbuf;
    block->cancelbuf = handler->__next;
    handler->__f(handler->__x);
  }
  if (__heddle_self() == 0) {
    __heddle_end_thread(0);
    see_off(of_first.first);
    exit(0);
  }
  __heddle_end_thread(value);
  __heddle_thread_exit();
}
