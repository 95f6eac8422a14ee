// what    pointers at odd addresses (packed structures) and pointers copied byte by byte
// why     they are numbers for a while, and still lead to their objects, in every engine
// expect  sc,tso,pso,rc11,armv8 holds
// with    -O2
// expect  sc holds
// with    -D FREED
// expect  sc,tso,rc11 violated kind use-after-free at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct __attribute__((packed)) odd { char c; int *p; };
static int x = 5;
static struct odd global, initialised = {1, &x};
static int *copied;

static void *writer(void *unused) { return unused; }

int main(void) {
  pthread_t t;
  struct odd local = {1, &x};
  assert(*local.p == 5 && *initialised.p == 5);
  global.p = malloc(sizeof(int));
  *global.p = 7;
  local = global;
  pthread_create(&t, 0, writer, 0);
  assert(*local.p == 7);
  for (unsigned i = 0; i < sizeof copied; i++) ((char *)&copied)[i] = ((char *)&global.p)[i];
#ifdef FREED
  free(local.p);
  *copied = 8;  // ERROR
#else
  *copied = 8;
  assert(*global.p == 8 && copied == global.p);
  free(copied);
#endif
  pthread_join(t, 0);
  return 0;
}
