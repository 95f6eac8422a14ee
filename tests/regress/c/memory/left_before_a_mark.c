// what     a local variable is stored to, a release store follows, and its frame is left before the first store has left
// why      as with a freed block, the mark of the release store once stayed behind and held the thread for ever
// expect   sc,tso,pso,nsw,lmo,armv8,power,rc11  holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static _Atomic(int*) shown;

static void show(void) {
  int local = 0;
  atomic_store_explicit(&shown, &local, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  local = 1;
  atomic_store_explicit(&go, 1, memory_order_release);
}

static void* run(void* unused) {
  show();
  atomic_thread_fence(memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(atomic_load(&go) == 1);
  return 0;
}
