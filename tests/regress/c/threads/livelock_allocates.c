// what    a loop that allocates and frees for ever
// why     its rounds differ in the names of their objects only; a loop whose list grows never comes back
// options --property livelock
// other   graph sc refuses does not look for livelocks
// expect  sc violated kind livelock
// with    -D ENDS
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
#ifdef ENDS
  for (int i = 0; i < 3; i++) free(malloc(4));
#else
  for (;;) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
  }
#endif
}
