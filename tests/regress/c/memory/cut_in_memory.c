// what    bytes of pointers in memory that others can reach: swapped byte by byte, and read after some were overwritten
// why     what was left of a name was taken for uninitialised, but in the memory of one thread
// expect  sc,tso,rc11,armv8 holds
// with    -D REST
// expect  sc,tso,pso,rc11,armv8 holds
// with    -D OTHER
// expect  sc,tso,pso holds
// with    -D LOST
// expect  sc,tso,pso,rc11,armv8 violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static union {
  int* p;
  volatile unsigned char part[8];
} u, v;

static void swap(volatile unsigned char* a, volatile unsigned char* b, int n) {
  for (int i = 0; i < n; ++i) {
    unsigned char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}

static void* other(void* unused) {
#ifdef OTHER
  int* own = malloc(sizeof *own);  // objects get other names while a part of one is left
  *own = u.part[6];
  assert(*own == 0);
  free(own);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
#ifndef OTHER
  pthread_create(&t, 0, other, 0);
#endif
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  u.p = p;
  v.p = q;
#if defined REST || defined OTHER
  u.part[7] = 1;
  for (int i = 4; i < 7; ++i) v.part[i] = u.part[i];
  v.part[7] = 0;
#ifdef OTHER
  pthread_create(&t, 0, other, 0);
#endif
  for (int i = 0; i < 4; ++i) v.part[i] = 0;
  int* same = 0;
  for (int i = 0; i < 8; ++i) ((volatile unsigned char*)&same)[i] = v.part[i];
  assert(same == p);
#elif defined LOST
  u.part[7] = 1;
  p = 0;
#else
  *p = 7;
  *q = 8;
  swap(u.part, v.part, sizeof p);
  assert(*u.p == 8 && *v.p == 7);
#endif
  pthread_join(t, 0);
  free(p);
  free(q);
  return 0;
}
