// what     store buffering whose one side is spread over a thread and what follows its join, all of it seq_cst
// why      the order of seq_cst accesses holds across the end of a thread, too, where no other access stands between
// because  every atomic access is seq_cst and there is no race, so all executions are sequentially consistent; ra takes
//          them as release and acquire
// expect   sc,tso,pso,armv8,armv8.1,riscv,power  holds
// expect   rc11,rc20  holds
// expect   ra  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen;

void *writer(void *unused) {
  atomic_store(&x, 1);
  return 0;
}

void *other(void *unused) {
  atomic_store(&y, 1);
  seen = atomic_load(&x);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&b, 0, other, 0);
  pthread_create(&a, 0, writer, 0);
  pthread_join(a, 0);
  int mine = atomic_load(&y);
  pthread_join(b, 0);
  assert(mine == 1 || seen == 1);
}
