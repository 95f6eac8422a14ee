// what     a thread stores to a block and then sets a flag, another frees the block when it sees the flag
// why      without release and acquire the store may come after the free; graphs missed it on hardware, since they took all
//          that a free can see for before it
// options  --property assertion
// with     -D SET=relaxed -D SEE=relaxed
// expect   sc,tso,ra  holds
// expect   pso,nsw,rmo,rc11,armv8,riscv,power  violated
// with     -D SET=release -D SEE=acquire
// expect   sc,tso,pso,nsw,rmo,ra,rc11,armv8,riscv,power  holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)

static int* block;
static atomic_int done;

static void* write_and_tell(void* unused) {
  *block = 1;
  atomic_store_explicit(&done, 1, GLUE(memory_order_, SET));
  return unused;
}

static void* free_when_told(void* unused) {
  if (atomic_load_explicit(&done, GLUE(memory_order_, SEE))) free(block);
  return unused;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t a, b;
  pthread_create(&a, 0, write_and_tell, 0);
  pthread_create(&b, 0, free_when_told, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
