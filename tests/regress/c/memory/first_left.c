// what    a local variable of main, used by another thread after main has ended by pthread_exit
// why     the first thread stays until all others have ended, but its stack is gone
// expect  sc,tso,armv8,rc11 violated kind use-after-free
// with    -D MENDED
// expect  sc,tso,armv8,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static void *run(void *value) {
  ++*(int *)value;
  return 0;
}

int main(void) {
#ifdef MENDED
  static int value = 1;
#else
  int value = 1;
#endif
  pthread_t thread;
  pthread_create(&thread, 0, run, &value);
  pthread_exit(0);
}
