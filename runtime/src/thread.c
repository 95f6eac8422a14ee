/* Threads. A pthread_t is the thread's number plus one, not a pointer: handles cost no memory and no step, and states
 * stay the same whatever order they were made in. A result other than null is left for pthread_join.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include "pthread_impl.h"
#include "internal.h"

struct start {
  void *(*routine)(void *);
  void *argument;
};

/* Results of the first threads have a cell each, which only the thread and who joins it use. */
enum { cells = 64 };
static void *cell[cells];

struct result {
  struct result *next;
  unsigned thread;
  void *value;
};
static struct result *results; /* of the others; by thread, so that the order of ends is no part of the state */

WEAK void __heddle_run_thread_atexit(void);
WEAK void __heddle_run_key_destructors(struct __pthread *);
WEAK void __heddle_drop_key_0(void);                      /* key.c */
WEAK void __heddle_end_key_0(void *);                     /* the C++ library's */
WEAK void __heddle_remember(unsigned);                    /* thread_exit.c */
WEAK extern int __heddle_first_ended;                     /* thread_exit.c */
WEAK void __heddle_not_joinable(unsigned, const char *);  /* thread_detach.c */
WEAK int __heddle_detached(const pthread_attr_t *);       /* thread_detach.c */

static void leave_result(void *value) {
  /* A function that ended without `return` has no value: an error only if it is read. */
  if (__heddle_defined(value) && !value) return;
  unsigned me = __heddle_self();
  if (me < cells) {
    __heddle_atomic_begin();
    cell[me] = value;
    __heddle_atomic_end();
    return;
  }
  struct result *r = __heddle_alloc(sizeof *r, runtime_kind);
  __heddle_atomic_begin();
  r->thread = me;
  r->value = value;
  struct result **at = &results;
  while (*at && (*at)->thread < me) at = &(*at)->next;
  r->next = *at;
  *at = r;
  __heddle_atomic_end();
}

static void *take_result(unsigned number) {
  void *value = 0;
  __heddle_atomic_begin();
  if (number < cells) {
    value = cell[number];
    cell[number] = 0;
    __heddle_atomic_end();
    return value;
  }
  struct result **at = &results, *found;
  while (*at && (*at)->thread != number) at = &(*at)->next;
  if ((found = *at)) *at = found->next;
  __heddle_atomic_end();
  if (found) {
    value = found->value;
    __heddle_free(found);
  }
  return value;
}

void __heddle_end_thread(void *value) {
  if (__heddle_run_thread_atexit) __heddle_run_thread_atexit();
  if (__heddle_drop_key_0) __heddle_drop_key_0();
  struct __pthread *block = __heddle_thread_pointer();
  if (block) {
    if (__heddle_run_key_destructors) __heddle_run_key_destructors(block);
    __heddle_set_thread_pointer(0);
    __heddle_free(block);
  }
  if (__heddle_results_read) leave_result(value);
}

static void *begin(void *argument) {
  struct start s = *(struct start *)argument;
  __heddle_free(argument);
  __heddle_end_thread(s.routine(s.argument));
  return 0;
}

/* The record is outside the memory model: its stores are never buffered. */
static unsigned spawn(void *(*routine)(void *), void *argument) {
  struct start *s = __heddle_alloc(sizeof *s, runtime_kind);
  s->routine = routine;
  s->argument = argument;
  return __heddle_spawn(begin, s);
}

static inline pthread_t handle_of(unsigned number) { return (pthread_t)((uintptr_t)number + 1); }

static unsigned number_of(pthread_t thread) {
  unsigned handle = (unsigned)(uintptr_t)thread;
  if (handle == 0) MISUSE("this value is no thread");
  return handle - 1;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*routine)(void *),
                   void *restrict argument) {
  unsigned number = spawn(routine, argument);
  if (__heddle_remember) __heddle_remember(number);
  if (__heddle_detached && attributes && __heddle_detached(attributes))
    __heddle_not_joinable(number, "pthread_detach of a thread that was created detached");
  *thread = handle_of(number);
  return 0;
}

/* Joining a thread twice. What one thread has joined is a part of its own state; only where others than the first
 * thread may join (the front end knows) is it shared, as one word for each thread that is joined. */
static void only_once(unsigned number) {
  static int joined[64];
  const char *wrong = "pthread_join of a thread that was detached or joined";
  if (__heddle_not_joinable && __heddle_detaches) {
    __heddle_not_joinable(number, wrong);
  } else if (!__heddle_joins_elsewhere || number >= 64) {
    if (__heddle_note_join(number)) MISUSE(wrong);
  } else if (__atomic_exchange_n(&joined[number], 1, __ATOMIC_RELAXED)) {
    MISUSE(wrong);
  }
}

int pthread_join(pthread_t thread, void **value) {
  unsigned number = number_of(thread);
  if (number == __heddle_self() && __heddle_end_key_0) return EDEADLK; /* std::thread throws it */
  if (number == __heddle_self()) MISUSE("pthread_join of the thread that calls it");
  only_once(number);
  if (number == 0 && &__heddle_first_ended) __heddle_wait_equal(&__heddle_first_ended, 1);
  else __heddle_join(number);
  if (value) *value = take_result(number);
  return 0;
}

pthread_t pthread_self(void) { return handle_of(__heddle_self()); }
int (pthread_equal)(pthread_t a, pthread_t b) { return a == b; }

void _pthread_cleanup_push(struct __ptcb *handler, void (*function)(void *), void *argument) {
  struct __pthread *block = __heddle_block();
  handler->__f = function;
  handler->__x = argument;
  handler->__next = block->cancelbuf;
  block->cancelbuf = handler;
}

void _pthread_cleanup_pop(struct __ptcb *handler, int run) {
  __heddle_block()->cancelbuf = handler->__next;
  if (run) handler->__f(handler->__x);
}
