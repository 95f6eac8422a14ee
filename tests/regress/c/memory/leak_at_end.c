// what    memory that nothing points to when the program ends by a return, or with its last thread
// why     the second end has no call of exit in the program
// with    -D WAY=4
// expect  sc violated kind memory-leak
// with    -D WAY=5
// expect  sc violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  *p = 1;
  p = 0;
#if WAY == 5
  pthread_exit(0);
#endif
  return 0;
}
