/* Thread-specific values. Keys are never given twice, so that a value left under a deleted key cannot turn up under a
 * new one. A thread's values are in its own block.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "pthread_impl.h"
#include "internal.h"

struct key {
  struct key *next;
  unsigned number;
  int deleted;
  void (*destructor)(void *);
};
static struct key *keys;
static unsigned last_number, live;

struct pair {
  struct pair *next;
  unsigned key;
  void *value;
};

/* Key 0 is the C++ library's, where that is linked: it exists from the start, has a place of its own, and its
 * destructor runs first. */
static _Thread_local void *of_key_0;
WEAK void __heddle_end_key_0(void *);

void __heddle_drop_key_0(void) {
  void *value = of_key_0;
  of_key_0 = 0;
  if (value && __heddle_end_key_0) __heddle_end_key_0(value);
}

int pthread_key_create(pthread_key_t *result, void (*destructor)(void *)) {
  struct key *k = __heddle_alloc(sizeof *k, runtime_kind);
  __heddle_atomic_begin();
  k->destructor = destructor;
  k->deleted = 0;
  int full = live == PTHREAD_KEYS_MAX;
  if (!full) {
    live++;
    *result = k->number = ++last_number;
    k->next = keys;
    keys = k;
  }
  __heddle_atomic_end();
  if (full) __heddle_free(k);
  return full ? EAGAIN : 0;
}

/* Records of keys stay where they are, so that the others can be looked for without a fence: of memory, getting and setting
 * a value is none. */
int pthread_key_delete(pthread_key_t number) {
  __heddle_atomic_begin();
  struct key *k = keys;
  while (k && k->number != number) k = k->next;
  int found = k && !k->deleted;
  if (found) {
    k->deleted = 1;
    live--;
  }
  __heddle_atomic_end();
  if (!found) MISUSE("pthread_key_delete of a key that does not exist");
  return 0;
}

static struct key *look_for(unsigned number) {
  struct key *k = __atomic_load_n(&keys, __ATOMIC_RELAXED);
  while (k && k->number != number) k = k->next;
  return k && !__atomic_load_n(&k->deleted, __ATOMIC_RELAXED) ? k : 0;
}

/* Nothing orders a thread that comes to know a key by a relaxed access after its creation: what is not found at first may
 * be there. */
static struct key *find(unsigned number) {
  struct key *k = look_for(number);
  if (k) return k;
  __heddle_atomic_begin();
  k = look_for(number);
  __heddle_atomic_end();
  return k;
}

static struct pair **pair_of(struct __pthread *block, unsigned number) {
  struct pair **at = (struct pair **)&block->tsd;
  while (*at && (*at)->key != number) at = &(*at)->next;
  return at;
}

void *pthread_getspecific(pthread_key_t number) {
  if (number == 0 && __heddle_end_key_0) return of_key_0;
  if (!find(number)) MISUSE("pthread_getspecific with a key that does not exist");
  struct __pthread *block = __heddle_thread_pointer();
  struct pair *p = block ? *pair_of(block, number) : 0;
  return p ? p->value : 0;
}

int pthread_setspecific(pthread_key_t number, const void *value) {
  if (number == 0 && __heddle_end_key_0) {
    of_key_0 = (void *)value;
    return 0;
  }
  if (!find(number)) MISUSE("pthread_setspecific with a key that does not exist");
  struct pair **at = pair_of(__heddle_block(), number);
  if (!*at) {
    struct pair *p = __heddle_alloc(sizeof *p, runtime_kind);
    p->next = 0;
    p->key = number;
    *at = p;
  }
  (*at)->value = (void *)value;
  return 0;
}

/* Destructors may set values again: some rounds, then the rest is dropped (POSIX, pthread_key_create). */
void __heddle_run_key_destructors(struct __pthread *block) {
  struct pair **head = (struct pair **)&block->tsd;
  int again = 1;
  for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    again = 0;
    for (struct pair *p = *head; p; p = p->next) {
      void *value = p->value;
      struct key *key = value ? find(p->key) : 0;
      if (!key || !key->destructor) continue;
      p->value = 0;
      key->destructor(value);
      again = 1;
    }
  }
  while (*head) {
    struct pair *p = *head;
    *head = p->next;
    __heddle_free(p);
  }
}
