// what    a release store, then a relaxed store of the same thread to the same location, which the reader acquires
// why     C11's release sequences go on through it (rc11), C++20's do not (rc20): data is then read in a race
// because Three executions: the reader sees the flag as 0, 1 or 2; where it sees 2, data is 1.
// expect  sc,rc11 holds executions 3
// expect  rc20 violated kind race
// with    -D EXCHANGE
// because read-modify-writes go on with a release sequence in both
// expect  rc11,rc20 holds executions 3
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *reader(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) assert(data == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef EXCHANGE
  atomic_exchange_explicit(&flag, 2, memory_order_relaxed);
#else
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
  pthread_join(thread, 0);
}
