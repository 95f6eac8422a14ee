// what    a thread other than main ends the program by exit; it has lost an object
// why     the trace was refused, because main, which joins the thread, is not at its end: UNKNOWN
// expect  sc,tso,armv8,rc11 violated kind memory-leak
// with    -D KEPT
// expect  sc,tso,armv8,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

static int *kept;

static void *run(void *unused) {
  int *lost = malloc(sizeof *lost);
  *lost = 1;
#ifdef KEPT
  kept = lost;
#endif
  lost = 0;
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
}
