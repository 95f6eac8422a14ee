// what    one byte of a pointer is read as a number, from memory or from the thread's own store buffer
// why     hash tables calculate with the bytes of an address; they are those of the object's name, which it keeps from then on
// expect  sc,tso,pso violated kind assertion
// with    -D TWICE
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)
// expect  sc,tso,pso holds
// with    -D WHOLE
// assumes nothing
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
#elif defined TWICE
  assert(((volatile unsigned char *)&p)[4] == ((volatile unsigned char *)&p)[4]);
#else
  assert(((volatile unsigned char *)&p)[4] == 77);
#endif
  pthread_join(t, 0);
}
