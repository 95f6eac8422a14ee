// what    ids of threads that two threads create are compared
// why     the second creation may come first although the first creator's store was seen, which no engine looks at; the
//         verdict took only for granted that ids grow in the order of creation, by which it was wrong
// assumes the ids of threads grow in the order of their creation, and their order does not matter where different threads create them
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static pthread_t first, second;
static int seen;

static void *nothing(void *unused) { return unused; }

static void *one(void *unused) {
  atomic_store(&flag, 1);
  pthread_create(&first, 0, nothing, 0);
  pthread_join(first, 0);
  return unused;
}

static void *two(void *unused) {
  seen = atomic_load(&flag);
  pthread_create(&second, 0, nothing, 0);
  pthread_join(second, 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(!(seen == 1 && second < first));
}
