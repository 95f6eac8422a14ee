// what    two threads that print
// why     the library's own stores must not wait in buffers
// expect  sc,tso,pso,lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdio.h>
static void *run(void *a) { printf("thread %d says %s %.2f\n", *(int *)a, "hello", 1.5); return 0; }
int main(void) {
  pthread_t t[2]; int v[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &v[i]);
  printf("main\n");
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
