// what    the usual push of a stack by a weak compare-exchange: it stores what it saw into its node, and tries again
// why     every spurious failure stored once more, and the loop was taken for one that may never end
// with    --engine graph --symmetry off
// expect  rc11 holds executions 116
// with    --engine graph --symmetry off -D LOCAL
// expect  rc11 holds executions 116
// with    --spurious-cas=on --engine explicit
// expect  sc,tso holds
// with    -D WRONG
// expect  rc11,armv8 violated kind assertion
// with    -D WRONG --spurious-cas=on --engine explicit
// expect  sc,tso violated kind assertion
// with    --engine graph --symmetry off
// assumes a weak compare-exchange does not fail spuriously twice in a row
// expect  armv8,riscv,power holds executions 414
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;
static struct node nodes[2];

static int push(struct node *n) {
  int failures = 0;
#ifdef LOCAL
  struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
  do n->next = seen;
  while (!atomic_compare_exchange_weak_explicit(&top, &seen, n, memory_order_release, memory_order_relaxed));
#else
  n->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release, memory_order_relaxed)) {
#ifdef WRONG
    if (failures++ == 2) break;  // another thread can make it fail once only
#endif
  }
#endif
  return failures;
}

static struct node *pop(void) {
  struct node *n = atomic_load_explicit(&top, memory_order_acquire);
  while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->next, memory_order_acquire, memory_order_acquire)) {
  }
  return n;
}

static void *pushes(void *n) {
  ((struct node *)n)->value = 1;
  assert(push(n) < 3);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pushes, &nodes[0]);
  pthread_create(&b, 0, pushes, &nodes[1]);
  struct node *n = pop();
  if (n) assert(n->value == 1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
