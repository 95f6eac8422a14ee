// what    a block is moved by realloc while another thread may still write to it
// why     asking for the size of the block was numbered as a load: all dependencies after it named another load
// expect  sc,pso,armv8,power,riscv,rmo violated kind use-after-free
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *block;
static atomic_int go;

static void *user(void *unused) {
  if (go) block[0] = 2;
  return unused;
}

int main(void) {
  block = malloc(4);
  block[0] = 1;
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  go = 1;
  block = realloc(block, 8);
  pthread_join(t, 0);
  free(block);
  return 0;
}
