/* The machine's functions over the host's threads: so the runtime library can be tried as native code, before and apart
 * from the checker. Atomic sections are one big lock; waiting is polling.
 * An error of the program ends it with status 99 and "error KIND: MESSAGE" on standard output.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heddle_vm.h"

_Noreturn void __heddle_main(int argc, char **argv);

enum { max_threads = 256 };
static pthread_t threads[max_threads];
static unsigned thread_count = 1;
static pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local unsigned self_number;
static _Thread_local void *thread_block;
static long live_objects;

/* Each object carries its size before it, so that sizes and bad frees are known without the host's malloc. */
struct header { size_t size; int kind; int magic; };
enum { magic_live = 0x5eed, magic_dead = 0xdead };

unsigned __heddle_choose(unsigned n) {
  static _Atomic unsigned step;
  return (step++ * 2654435761U >> 7) % n;
}
void __heddle_assume(int condition) {
  if (!condition) _exit(0);
}
static void say(const char *text) {
  if (write(1, text, strlen(text)) < 0) _exit(98);
}
_Noreturn void __heddle_fail(const char *kind, const char *message) {
  char line[300];
  snprintf(line, sizeof line, "error %s: %s\n", kind, message);
  say(line);
  _exit(99);
}
_Noreturn void __heddle_fail_exception(const char *type, const char *text, const char *how) {
  char line[300];
  snprintf(line, sizeof line, "exception of type %s%s: %s", type, how, text);
  __heddle_fail("uncaught-exception", line);
}
long heddle_opaque(long value) { return value; }
_Noreturn void __heddle_unsupported(const char *what) { __heddle_fail("unsupported", what); }

void __heddle_atomic_begin(void) { pthread_mutex_lock(&big_lock); }
void __heddle_atomic_end(void) { pthread_mutex_unlock(&big_lock); }
void __heddle_section_begin(void) { __heddle_atomic_begin(); }
void __heddle_section_end(void) { __heddle_atomic_end(); }

void *__heddle_alloc(size_t size, int kind) {
  struct header *h = aligned_alloc(16, (sizeof *h + size + 15) & ~(size_t)15);
  h->size = size, h->kind = kind, h->magic = magic_live;
  memset(h + 1, 0xa5, size);
  if (kind == 0) __atomic_fetch_add(&live_objects, 1, __ATOMIC_SEQ_CST);
  return h + 1;
}
void __heddle_free(void *object) {
  struct header *h = (struct header *)object - 1;
  if (h->magic != magic_live) __heddle_fail("double-free", "free of an object that is not live");
  h->magic = magic_dead;
  memset(object, 0xdd, h->size);
  if (h->kind == 0) __atomic_fetch_sub(&live_objects, 1, __ATOMIC_SEQ_CST);
  /* kept, so that a second free is told apart */
}
size_t __heddle_object_size(const void *object) { return ((const struct header *)object - 1)->size; }
unsigned long __heddle_object_facts(const void *object) {
  const struct header *h = (const struct header *)object - 1;
  return h->magic == magic_live ? h->size | (unsigned long)(h->kind < 8 ? 0 : h->kind - 7) << 32 : ~0UL;
}

struct start { void *(*entry)(void *); void *argument; unsigned number; };
static void *begin(void *argument) {
  struct start s = *(struct start *)argument;
  free(argument);
  self_number = s.number;
  return s.entry(s.argument);
}
unsigned __heddle_spawn(void *(*entry)(void *), void *argument) {
  struct start *s = malloc(sizeof *s);
  unsigned number = __atomic_fetch_add(&thread_count, 1, __ATOMIC_SEQ_CST);
  if (number >= max_threads) abort();
  *s = (struct start){entry, argument, number};
  if (pthread_create(&threads[number], 0, begin, s)) abort();
  return number;
}
void __heddle_join(unsigned thread) { pthread_join(threads[thread], 0); }
unsigned __heddle_self(void) { return self_number; }
_Noreturn void __heddle_thread_exit(void) { pthread_exit(0); }
void __heddle_end_locals(void) {}
/* What a test of outcomes leaves, if it is one. */
extern int result[4] __attribute__((__weak__));
static int shows_result; /* the program may replace the environment */
static void show_result(void) {
  char line[100];
  if (!&result || !shows_result) return;
  snprintf(line, sizeof line, "%d%d%d%d\n", result[0], result[1], result[2], result[3]);
  say(line);
}
_Noreturn void __heddle_exit(int status) {
  show_result();
  if (getenv("SHOW_LEAKS") && live_objects) __heddle_fail("leak", "objects are left");
  _exit(status);
}

void __heddle_wait_cas(int *cell, int expected, int desired) {
  int found = expected;
  while (!__atomic_compare_exchange_n(cell, &found, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    found = expected;
    sched_yield();
  }
}
void __heddle_wait_cas_long(unsigned long *cell, unsigned long expected, unsigned long desired) {
  unsigned long found = expected;
  while (!__atomic_compare_exchange_n(cell, &found, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    found = expected;
    sched_yield();
  }
}
void __heddle_wait_add(int *cell, int bits, int value) {
  int found = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
  while ((found & bits) != bits ||
         !__atomic_compare_exchange_n(cell, &found, found + value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    sched_yield();
    found = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
  }
}
unsigned long __heddle_arrive(unsigned long *cell, unsigned long who) {
  unsigned long found = __atomic_load_n(cell, __ATOMIC_SEQ_CST), left;
  do {
    left = found | 1UL << (who & 63);
    if ((unsigned long)__builtin_popcountl(left) >= who >> 6) left = 0;
  } while (!__atomic_compare_exchange_n(cell, &found, left, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return found;
}
void __heddle_wait_equal(int *cell, int expected) {
  while (__atomic_load_n(cell, __ATOMIC_SEQ_CST) != expected) sched_yield();
}
void __heddle_wait_bits(const volatile unsigned long *cell, unsigned long bits) {
  while ((__atomic_load_n(cell, __ATOMIC_SEQ_CST) & bits) != bits) sched_yield();
}

void __heddle_wait_lock(int *cell, int owner) { __heddle_wait_cas(cell, 0, owner); }
int __heddle_unlock(int *cell) { return __atomic_exchange_n(cell, 0, __ATOMIC_SEQ_CST); }

int __heddle_defined(const void *value) { return (void)value, 1; }
int __heddle_note_join(unsigned thread) {
  static _Thread_local unsigned long joined;
  unsigned long bit = thread < 64 ? 1UL << thread : 0, before = joined & bit;
  joined |= bit;
  return before != 0;
}
_Bool __heddle_before(const void *first, const void *second) { return first < second; }

void __heddle_disjoint(const void *to, const void *from, size_t length) {
  uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
  if (a != b && (a < b ? b - a : a - b) < length) __heddle_fail("overlap", "overlapping copy");
}

void __heddle_output(int stream, const char *bytes, size_t length) {
  if (write(stream, bytes, length) < 0) _exit(98);
}
void *__heddle_thread_pointer(void) { return thread_block; }
void __heddle_set_thread_pointer(void *block) { thread_block = block; }

/* A jump, not a call: the caller's frame is the one to come back to. */
#ifdef __aarch64__
__asm__(".globl __heddle_setjmp\n__heddle_setjmp: b _setjmp\n");
#else
__asm__(".globl __heddle_setjmp\n__heddle_setjmp: jmp _setjmp@PLT\n");
#endif
_Noreturn void __heddle_longjmp(void *buffer, int value) { longjmp(buffer, value); }

int main(int argc, char **argv) {
  shows_result = getenv("SHOW_RESULT") != 0;
  __heddle_main(argc, argv);
}
