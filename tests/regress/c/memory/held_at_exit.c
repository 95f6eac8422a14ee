// what    a block that somebody still holds when the program ends is not lost
// why     graphs took only global variables for holders, and called what a local of main holds at exit() a leak
// because One thread without choices has one execution.
// with    -D HOLDER=1
// expect  sc,tso,rc11,armv8,power holds executions 1
// expect  nsw,lmo holds
// because The program ends with its last thread as by exit(0), but locals end where main leaves.
// with    -D HOLDER=2
// expect  sc,tso,rc11,armv8,power,nsw,lmo violated kind memory-leak
// with    -D HOLDER=3
// expect  sc,tso,rc11,armv8,power holds executions 1
// expect  nsw,lmo holds
// with    -D HOLDER=4
// expect  sc,tso,rc11,armv8,power,nsw,lmo violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int* own;

int main(void) {
  int* block = malloc(sizeof *block);
  *block = 1;
#if HOLDER == 1  // a local of a function that has not returned
  exit(0);
#elif HOLDER == 2
  pthread_exit(NULL);
#elif HOLDER == 3
  own = block;
#endif
  return 0;  // the local is gone
}
