// what    store buffering, in which one thread also reads memory of its own between its two accesses
// why     such a load is no step of its own for other searches; least relaxed first it must be, or the trace in which the
//         store before it has arrived is missed, and two loads overtake stores where one is enough
// options --engine explicit --search cost --property assertion
// because b's load overtakes its store; a's store has arrived before it reads anything.
// expect  tso,pso violated kind assertion cost 0,0,1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int seen_by_a, seen_by_b;

static void *a(void *unused) {
  int *own = malloc(sizeof *own);
  *own = 1;
  atomic_store_explicit(&x, *own, memory_order_relaxed);
  seen_by_a = *own - 1 + atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *b(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  seen_by_b = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, a, 0);
  pthread_create(&threads[1], 0, b, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(seen_by_a == 1 || seen_by_b == 1);
  return 0;
}
