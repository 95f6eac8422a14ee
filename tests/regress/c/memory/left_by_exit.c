// what    a local variable of a thread that has ended by pthread_exit
// why     its stack is gone with it
// expect  sc,tso,armv8,rc11 violated kind use-after-free
// with    -D MENDED
// expect  sc,tso,armv8,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static int *shared;

static void *run(void *unused) {
#ifdef MENDED
  static int value = 1;
#else
  int value = 1;
#endif
  shared = &value;
  pthread_exit(0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return *shared - 1;
}
