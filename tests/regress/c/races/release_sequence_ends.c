// what    a release sequence goes on through a read-modify-write, and ends with the next store of that thread
// why     the read-modify-write releases too, so later stores of its thread hand on what it released, but not what it read:
//         without acquire it does not know of that itself
// options --property race
// other   graph sc,tso,pso,nsw refuses whose axioms know none
// expect  sc,tso,pso,lmo,nsw,rc11,rc20 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int data;

void *first(void *unused) {
  data = 1;
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}
void *second(void *unused) {
  if (atomic_fetch_add_explicit(&x, 1, memory_order_release) == 1) atomic_store_explicit(&x, 5, memory_order_relaxed);
  return unused;
}
void *third(void *unused) {
  if (atomic_load_explicit(&x, memory_order_acquire) == 5) data = 2;
  return unused;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
