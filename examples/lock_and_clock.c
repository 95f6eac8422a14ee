// Peterson's lock beside a thread that ticks for ever: nothing bounds what waits in that thread's store buffer.
// -D NO_FENCE leaves the fence of the lock out.
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef NO_FENCE
#define FENCE()
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int flag[2], turn, tick, inside;

static void *user(void *argument) {
  int me = argument != 0, other = 1 - me;
  for (;;) {
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
    atomic_store_explicit(&turn, other, memory_order_release);
    FENCE();
    while (atomic_load_explicit(&flag[other], memory_order_acquire) == 1 &&
           atomic_load_explicit(&turn, memory_order_acquire) == other)
      ;
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store_explicit(&flag[me], 0, memory_order_release);
  }
}

static void *ticks(void *unused) {
  for (int now = 0;; now = !now) atomic_store_explicit(&tick, now, memory_order_relaxed);
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, 0, user, 0);
  pthread_create(&second, 0, user, (void *)1);
  pthread_create(&third, 0, ticks, 0);
  pthread_join(first, 0);
}
