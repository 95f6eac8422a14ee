// what    one byte of a pointer is read as a number, from memory or from the thread's own store buffer
// why     pointers name objects: their bytes mean nothing, and a number made of one would decide for no reason
// expect  sc,tso,pso unknown reason a part of a pointer is used as a number at
// with    -D WHOLE
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

int x;
int *volatile p;

static void *bystander(void *unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, bystander, 0);
  p = &x;
#ifdef WHOLE
  assert(p == &x);
#else
  assert(((volatile unsigned char *)&p)[4] == 77);
#endif
  pthread_join(t, 0);
}
