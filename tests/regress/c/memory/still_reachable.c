// what    memory that the frames of main or a thread-local variable still hold when the program exits
// why     only what nothing points to is a leak
// with    -D WAY=1
// expect  sc,tso holds
// with    -D WAY=2
// expect  sc,tso holds
// with    -D WAY=3
// expect  sc,tso holds
// with    -D WAY=4
// expect  sc violated kind memory-leak
// with    -D WAY=5
// expect  sc violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int *own;
static int *volatile global;

int main(void) {
#if WAY == 1
  int *p = malloc(4);
  *p = 1;
  exit(0);
#elif WAY == 2
  own = malloc(4);
  *own = 1;
#elif WAY == 3
  global = malloc(4);
#elif WAY == 4
  int *p = malloc(4);
  *p = 1;
#else
  int *p = malloc(4);
  *p = 1;
  p = 0;
  pthread_exit(0);
#endif
  return 0;
}
