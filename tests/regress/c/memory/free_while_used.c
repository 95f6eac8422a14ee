// what    one thread frees what another is still reading
// why     a race that ends in a use after free; it takes the right schedule
// expect  sc,tso,pso violated kind use-after-free
// with    -D MENDED
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *reader(void *unused) {
  int value = *shared;
  (void)value;
  return unused;
}

int main(void) {
  pthread_t other;
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_create(&other, 0, reader, 0);
#ifdef MENDED
  pthread_join(other, 0);
  free(shared);
#else
  free(shared);
  pthread_join(other, 0);
#endif
  return 0;
}
