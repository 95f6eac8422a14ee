// what    a lost object that only a freed one pointed to, and a global variable still points to the freed one
// why     graphs followed pointers through what had been freed, and so did the check of their leaks
// expect  sc,tso,pso,rc11,armv8 violated kind memory-leak
// with    -D IN_ORDER
// expect  sc,tso,pso,rc11,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

int **outer;

static void *idle(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, idle, 0);
  outer = malloc(sizeof *outer);
  *outer = malloc(sizeof **outer);
#ifdef IN_ORDER
  free(*outer);
#endif
  free(outer);
  pthread_join(thread, 0);
  return 0;
}
