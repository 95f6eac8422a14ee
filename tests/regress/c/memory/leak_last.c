// what    a program that leaks on purpose, and has an error in another interleaving
// why     a leak, which every execution has, must not hide the error
// expect  sc,tso,rc11 violated kind assertion at ERROR
// with    -D MENDED
// expect  sc,tso,rc11 violated kind memory-leak at LEAK
// with    -D MENDED --property assertion
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;

static void *other(void *arg) {
  atomic_store(&turn, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  int *lost = malloc(sizeof *lost); // LEAK
  lost = NULL;
  pthread_create(&t, NULL, other, lost);
#ifndef MENDED
  assert(atomic_load(&turn) == 0); // ERROR
#endif
  pthread_join(t, NULL);
}
