// The Michael-Scott queue of ground-truth/executions.csv: tagged indices into a static pool, every access seq_cst.
// E_COUNT threads enqueue and D_COUNT dequeue once; D_LATER more are dequeued when all have ended.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef E_COUNT
#define E_COUNT 1
#define D_COUNT 1
#define D_LATER 0
#endif
typedef uint64_t Ref;
#define PTR(r) ((uint32_t)(r))
#define REF(p, c) ((Ref)(c) << 32 | (uint32_t)(p))
#define COUNT(r) ((uint32_t)((r) >> 32))
static struct { _Atomic(Ref) next; atomic_int data; } pool[8];
static _Atomic(Ref) head = 1, tail = 1;
static void enqueue(uint32_t node, int data) {
  pool[node].data = data;
  Ref last, next;
  for (;;) {
    last = tail;
    next = pool[PTR(last)].next;
    if (last != tail) continue;
    if (PTR(next) == 0) {
      if (atomic_compare_exchange_strong(&pool[PTR(last)].next, &next, REF(node, COUNT(next) + 1))) break;
    } else {
      Ref expected = last;
      atomic_compare_exchange_strong(&tail, &expected, REF(PTR(next), COUNT(last) + 1));
    }
  }
  atomic_compare_exchange_strong(&tail, &last, REF(node, COUNT(last) + 1));
}
static int dequeue(void) {
  for (;;) {
    Ref first = head, last = tail, next = pool[PTR(first)].next;
    if (first != head) continue;
    if (PTR(first) == PTR(last)) {
      if (PTR(next) == 0) return 0;
      Ref expected = last;
      atomic_compare_exchange_strong(&tail, &expected, REF(PTR(next), COUNT(last) + 1));
    } else {
      int data = pool[PTR(next)].data;
      Ref expected = first;
      if (atomic_compare_exchange_strong(&head, &expected, REF(PTR(next), COUNT(first) + 1))) return data;
    }
  }
}
static void *E(void *n) { enqueue((uint32_t)(uintptr_t)n + 2, (int)(uintptr_t)n + 1); return 0; }
static void *D(void *n) { (void)n; dequeue(); return 0; }
int main(void) {
  pthread_t t[E_COUNT + D_COUNT + 1];
  for (uintptr_t i = 0; i < E_COUNT; i++) pthread_create(&t[i], 0, E, (void *)i);
  for (uintptr_t i = 0; i < D_COUNT; i++) pthread_create(&t[E_COUNT + i], 0, D, 0);
  for (int i = 0; i < E_COUNT + D_COUNT; i++) pthread_join(t[i], 0);
  for (int i = 0; i < D_LATER; i++) dequeue();
  return 0;
}
