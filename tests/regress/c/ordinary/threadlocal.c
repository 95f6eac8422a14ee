// what    thread-local variables, also by address
// why     each thread has its own, initialised anew
// with    -O0
// expect  sc,tso holds
// with    -O1
// expect  sc,tso holds
// with    -O2
// expect  sc,tso holds
// with    -O3
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static _Thread_local int counter = 10;
static _Thread_local struct { int n; char name[8]; } info;
static int *leak_ptr(void) { return &counter; }
static void *run(void *a) { counter += *(int *)a; info.n = counter; *leak_ptr() += 1; assert(counter == 11 + *(int *)a && info.n == counter - 1); return 0; }
int main(void) {
  pthread_t t[2]; int v[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &v[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(counter == 10 && info.n == 0);
  return 0;
}
