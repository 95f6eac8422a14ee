// what    the first thread leaves by pthread_exit, and the program ends with its last thread as if by exit(0)
// why     functions registered with atexit run then (POSIX, pthread_exit)
// expect  sc,tso violated kind assertion at ERROR
// with    -D MENDED
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

static void last(void) {
#ifdef MENDED
  assert(done == 1);
#else
  assert(done == 2); // ERROR
#endif
}

static void *run(void *unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(last);
  pthread_create(&thread, 0, run, 0);
  pthread_exit(0);
}
