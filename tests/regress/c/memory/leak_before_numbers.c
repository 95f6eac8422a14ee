// what    an object is lost, and later a piece of another pointer is read as a number
// why     numbers that were made of pointers may lead to any object: from there on nothing counts as lost
// expect  sc,tso,pso,rc11 holds
// with    -D FIRST
// expect  sc,tso,pso,rc11 violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int *p, *q, *s;

static void* other(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  p = malloc(4);
  q = malloc(8);
  ((volatile unsigned*)&q)[1] = 1;
#ifndef FIRST
  memmove((char*)&s + 7, (char*)&p + 7, 1);
#endif
  pthread_join(t, 0);
  return 0;
}
