// what    a loop that waits by a function with a local object, whose address is in another
// why     each such object had a name of its own, no round came back to a local state, and the answer was UNKNOWN
// with    --engine graph
// expect  sc,tso,pso,ra,rc11,armv8,riscv,power holds executions 1
// with    -D WEAK --engine graph
// expect  sc,tso,ra holds
// expect  pso,rc11,armv8,riscv,power violated kind assertion
// with    -D DANGLING
// expect  sc,rc11,armv8 violated kind use-after-free
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct box {
  int *content;
};
static atomic_int ready, data;
#ifdef WEAK
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static int looks(void) {
  int seen = atomic_load_explicit(&ready, memory_order_acquire);
  struct box box = {&seen};
  struct box *through = &box;
  return *through->content;
}

static struct box kept(void) {
  int own = 1;
  struct box box = {&own};
  return box;
}

static int other(struct box box) {
  int own = 1;
  struct box own_box = {&own};
  struct box *through = &own_box;
  return *through->content + *box.content;
}

static void *writes(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, ORDER);
  return unused;
}

int main(void) {
  pthread_t t;
#ifdef DANGLING
  return other(kept());
#endif
  pthread_create(&t, 0, writes, 0);
  while (!looks()) {
  }
  assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  pthread_join(t, 0);
}
