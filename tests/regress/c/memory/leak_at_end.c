// what    memory that nothing points to when the program ends by a return, or with its last thread
// why     the second end has no call of exit in the program
// with    -D WAY=4
// expect  sc violated kind memory-leak
// with    -D WAY=5
// expect  sc violated kind memory-leak
// because what only the local variables of main pointed to is lost when pthread_exit ends them, also if no other
//         function knows them and they stand in registers
// with    -D WAY=6
// expect  sc,tso,armv8 violated kind memory-leak
// with    -D WAY=7
// expect  sc,tso,armv8 violated kind memory-leak
// with    -D WAY=8
// expect  sc,tso,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  *p = 1;
#if WAY == 7
  struct {
    long number;
    int *pointer;
  } local = {1, p};
  local.pointer[0] = (int)local.number;
  p = 0;
#elif WAY == 8
  free(p);
#elif WAY != 6
  p = 0;
#endif
#if WAY >= 5
  pthread_exit(0);
#endif
  return 0;
}
