// what    a weak compare-exchange fails spuriously while an older store of its thread is still in the buffer
// why     explicit states let it fail with an empty buffer only; graphs and explicit states gave two answers under pso
// options --spurious-cas --property assertion
// because Four executions: the exchange finds 0 and succeeds or fails, and `first` is 2 at the end; or it finds 1 and
//         the stores to `first` have either order.
// expect  sc,tso holds executions 4
// expect  pso,lmo,nsw violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static int seen, done;

static void *exchanger(void *unused) {
  int expected = 0;
  atomic_store_explicit(&first, 1, memory_order_relaxed);
  done = atomic_compare_exchange_weak_explicit(&second, &expected, 2, memory_order_relaxed, memory_order_relaxed);
  seen = expected;
  return unused;
}

static void *writer(void *unused) {
  atomic_store_explicit(&second, 1, memory_order_release);
  atomic_store_explicit(&first, 2, memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, exchanger, 0);
  pthread_create(&u, 0, writer, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(!(seen == 0 && !done && first == 1 && second == 1));
  return 0;
}
