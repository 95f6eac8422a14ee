// what    a byte of the only pointer to an object is overwritten
// why     without its upper half the pointer is lost, and the object with it; the lower half may change
// expect  sc,tso,pso,rc11,armv8 violated kind memory-leak
// with    -D LOWER
// expect  sc,tso,pso,rc11 holds
// with    -D BESIDE
// expect  sc,tso,pso,rc11 violated kind memory-leak
// with    -D BYTE=0
// expect  sc,tso,pso,rc11,armv8 violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

#ifndef BYTE
#define BYTE 1
#endif

int *p;

static void *other(void *unused) { return unused; }

int main(void) {
#ifdef BESIDE
  pthread_t t;
  pthread_create(&t, 0, other, 0);
#endif
  p = malloc(sizeof *p);
#ifdef LOWER
  ((volatile unsigned char *)&p)[0] = 0;
#else
  ((volatile unsigned char *)&p)[7] = BYTE;
#endif
#ifdef BESIDE
  pthread_join(t, 0);
#endif
  return 0;
}
