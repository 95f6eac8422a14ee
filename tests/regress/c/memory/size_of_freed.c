// what    malloc_usable_size of an object that was freed before, or that another thread may free at the same time
// why     a question for the size of an object is no access to a location, and execution graphs did not look at it; nor did
//         they where the object has no bytes, and its own thread asks
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power violated kind use-after-free
// with    -D NO_BYTES
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power violated kind use-after-free
// with    -D OTHER
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power violated kind use-after-free
// with    -D ALONE
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power violated kind use-after-free
// with    -D JOINED
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power violated kind use-after-free
// with    -D MENDED
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power holds
// with    -D TOLD
// expect  sc,tso,pso,ra,rc11,rmo,armv8,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef NO_BYTES
enum { size = 0 };
#else
enum { size = 16 };
#endif
_Atomic(char *) shared;
atomic_int asked;

static void *run(void *unused) {
  char *object = atomic_load(&shared);
#ifdef OTHER
  if (malloc_usable_size(object) < size) abort();
#else
#ifdef TOLD
  if (!atomic_load(&asked)) return unused;
#endif
  free(object);
#endif
  return unused;
}

int main(void) {
  char *object = malloc(size);
  if (!object) return 1;
  shared = object;
#ifdef ALONE
  free(object);
  return malloc_usable_size(object) < size;
#endif
#ifdef MENDED
  if (malloc_usable_size(object) < size) return 1;
#endif
  pthread_t other;
  pthread_create(&other, 0, run, 0);
#ifdef OTHER
  free(object);
#elif defined JOINED
  pthread_join(other, 0);
  return malloc_usable_size(object) < size;
#elif !defined MENDED
  if (malloc_usable_size(object) < size) return 1;
  atomic_store(&asked, 1);
#endif
  pthread_join(other, 0);
  return 0;
}
