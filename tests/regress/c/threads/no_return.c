// what    a thread function that ends without return
// why     only the use of the missing value is an error
// expect  sc,tso,armv8,rc11 holds executions 1
// with    -D USED
// expect  sc,tso,armv8,rc11 violated kind uninitialised at ERROR
// with    -D TAKEN
// expect  sc,tso,armv8,rc11 holds
// with    -D C11
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static int done;

static void *run(void *unused) { done++; }
static int run11(void *unused) { done++; }

int main(void) {
#ifdef C11
  thrd_t thread;
  thrd_create(&thread, run11, 0);
  thrd_join(thread, 0);
#else
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, run, 0);
#if defined USED || defined TAKEN
  pthread_join(thread, &result);
#else
  pthread_join(thread, 0);
#endif
#ifdef USED
  if (result) puts("something"); // ERROR
#endif
#endif
  return 0;
}
