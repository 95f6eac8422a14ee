// what    barriers and hints that programs write for their processor: intrinsics and inline assembly
// why     spin locks have them; a barrier must be one, and a hint must do nothing
// expect  sc,tso,pso,armv8,power,rc11 holds
// with    -D NONE
// expect  tso,pso,armv8,power,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <strings.h>

static atomic_int x, y;
static int a, b;

#ifdef NONE
#define BARRIER(text) __asm__ volatile("" ::: "memory")
#else
#define BARRIER(text) __asm__ volatile(text ::: "memory")
#endif

static void *run(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  BARRIER("dmb ish");
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  __builtin_ia32_pause();
  __asm__ volatile("yield");
  __asm__ volatile("rep; nop" ::: "memory");
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  BARRIER("sync");
  b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, 0);
  assert(a || b);
  _Atomic unsigned __int128 wide = 5;
  assert(ffs(8) == 4 && (unsigned)atomic_fetch_add(&wide, 3) == 5 && (unsigned)atomic_load(&wide) == 8);
  return 0;
}
