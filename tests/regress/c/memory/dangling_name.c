// what    the address of a local variable is stored after the variable has ended, and used when another one is there
// why     graphs gave the second variable the name of the first, and the access went to it
// options -O0
// expect  sc,tso,pso,ra,rc11,armv8 violated kind use-after-free
// with    -D THREAD
// expect  sc,tso,pso,ra,rc11,armv8 violated kind use-after-free
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static int *kept;

static void set(int *p, int value) { *p = value; }
static int *same(int *p) { return p; }
static int first(int *p) { return p[0]; }
static int (*get)(int *) = first;

static int *leave(void) {
  int local[4];
  set(local, 1);
  return same(local);
}

static void *use(void *unused) {
  int local[4];
  set(local, 7);
  get(local);
  int *p = kept;
  *p = 3;
  return get(local) == 3 ? &kept : unused;
}

int main(void) {
  kept = leave();
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, 0, use, 0);
  pthread_join(t, 0);
#else
  use(0);
#endif
  return 0;
}
