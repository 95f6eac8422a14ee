// what    a write through a number that happens to be the name of an object, but was not made of a pointer
// why     the machine took every such number for a pointer that had been taken apart and put together again
// expect  sc,tso,pso,lmo,rc11 violated kind wild-pointer at ERROR
// with    -D THREAD
// expect  sc,tso,rc11,armv8 violated kind wild-pointer at ERROR
// with    -D HALVES
// expect  sc,tso,rc11 violated kind wild-pointer at HALF
// because The one number that is followed was not made of a pointer, but another thread may make such numbers.
// with    -D THREAD -D OTHER
// assumes objects have the addresses that the checker chose (they are used as numbers)
// expect  sc,tso,rc11,armv8 holds
// assumes nothing
// with    -D TAGGED
// expect  sc,tso,pso,lmo,rc11 holds
// with    -D WIDE
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int cell = 1;
static union { int halves[2]; volatile int *pointer; } both = {{0, 1}};

#ifdef OTHER
static _Atomic uintptr_t number;
static void *run(void *unused) {
  if (unused) number += (uintptr_t)&cell;
  return unused;
}
#else
static void *run(void *unused) { return unused; }
#endif

int main(void) {
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
#endif
#ifdef HALVES
  *both.pointer = 7; // HALF
#elif defined TAGGED
  uintptr_t tagged = (uintptr_t)&cell | 1;
  *(volatile int *)(tagged & ~(uintptr_t)1) = 7;
  assert(cell == 7);
#elif defined WIDE
  unsigned __int128 counted = (unsigned __int128)(uintptr_t)&cell << 64 | 5;
  *(volatile int *)(uintptr_t)(counted >> 64) = 7;
  assert(cell == 7);
#else
  *(volatile int *)0x100000000 = 7; // ERROR
#endif
}
