// what    a pointer that is published as two halves of four bytes and put together by another thread
// why     the reader had not made a number of a pointer, and its access was called one through an invented address
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)
// with    -D VIA=1
// expect  sc,tso,rc11 holds
// with    -D VIA=2
// expect  sc,tso,rc11 holds
// with    -D VIA=3
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uint32_t low, high;
static _Alignas(8) uint32_t halves[2];
static atomic_int ready;

static void publish(int *p) {
#if VIA == 1
  const uintptr_t number = (uintptr_t)p;
  low = (uint32_t)number;
  high = (uint32_t)(number >> 32);
#elif VIA == 2
  const union { int *pointer; uint32_t half[2]; } u = {.pointer = p};
  low = u.half[0];
  high = u.half[1];
#else
  int **at = malloc(sizeof *at);
  *at = p;
  halves[0] = ((volatile uint32_t *)at)[0];
  halves[1] = ((volatile uint32_t *)at)[1];
  free(at);
#endif
  atomic_store_explicit(&ready, 1, memory_order_release);
}

static void *reader(void *unused) {
  if (!atomic_load_explicit(&ready, memory_order_acquire)) return unused;
#if VIA == 1
  int *p = (int *)((uintptr_t)high << 32 | low);
#elif VIA == 2
  const union { uint32_t half[2]; int *pointer; } u = {{low, high}};
  int *p = u.pointer;
#else
  int *p = *(int *volatile *)halves;
#endif
  assert(*p == 7);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  int *p = malloc(sizeof *p);
  *p = 7;
  publish(p);
  pthread_join(t, 0);
  free(p);
  return 0;
}
