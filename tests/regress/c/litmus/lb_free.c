// what    load buffering across the end of an object: a load, free(), and a store that need not wait for the load
// why     free() is no fence: what stands before it was taken for ordered with what stands behind it, so that under models
//         with load buffering executions were missed
// options -p assertion
// because Three executions: each load sees the initial value or the other store, not both the store.
// expect  sc,tso,pso,ra,rc11 holds executions 3
// expect  armv8,armv8.1,riscv,power,rmo violated kind assertion
// with    -D LOCAL
// because the same with a local variable whose address is handed to a function
// expect  sc,tso,pso,ra,rc11 holds executions 3
// expect  armv8,armv8.1,riscv,power,rmo violated kind assertion
// with    -D FENCE
// because with a fence behind free() the load comes first
// expect  armv8,armv8.1,riscv,power,rmo holds executions 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int seen_x, seen_y;

__attribute__((noinline)) static void set(volatile int* place) { *place = 1; }

static void* first(void* unused) {
  (void)unused;
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef LOCAL
  {
    int local;
    set(&local);
  }
#else
  int* object = malloc(sizeof *object);
  if (object) set(object);
  free(object);
#endif
#ifdef FENCE
  atomic_thread_fence(memory_order_acq_rel);
#endif
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return 0;
}

static void* second(void* unused) {
  (void)unused;
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, seen_y, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(!(seen_x == 1 && seen_y == 1));
  return 0;
}
