// what    the first thread leaves by pthread_exit and waits for all threads, also those that its own ones created
// why     who has ended is asked for the threads that it created, only if another thread than the first may create any
// with    --engine explicit
// because Nobody creates any here: two states fewer, one per thread that has ended, than with that question (11).
// expect  sc holds states 9
// with    -D NESTED
// because The program ends with its last thread, which the second one created.
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef NESTED

static int done;

static void last(void) { assert(done == 1); }

static void *run(void *unused) {
  done = 1;
  return unused;
}

static void *create(void *unused) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(last);
  pthread_create(&thread, 0, create, 0);
  pthread_exit(0);
}

#else

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 2; i++) pthread_create(&thread, 0, nothing, 0);
  pthread_exit(0);
}

#endif
