// what    Treiber's stack with nodes that are used once: one thread pushes two, the other pops twice
// why     a node must be complete before it is linked in; what is read through the pointer depends on it, which is enough for most
//         machines but not for C11
// expect  sc,tso,pso,nsw,ra,rc11,armv8,power,rmo,riscv holds
// with    -D PUSH=relaxed
// expect  sc,tso,ra holds
// expect  pso,nsw,armv8,power,rmo,riscv,lmo violated kind assertion
// expect  rc11 violated kind race
// because The second pop reads the top that the first one wrote: dependency, own store, own load, dependency. All machines keep this
//         chain in order. C11 knows no dependencies.
// with    -D POP=relaxed
// expect  sc,tso,pso,nsw,ra,rmo,armv8,power,riscv,lmo holds
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef PUSH
#define PUSH release
#endif
#ifndef POP
#define POP acquire
#endif

typedef struct Node {
  struct Node *next;
  int data;
} Node;
static Node nodes[2];
static Node *_Atomic top;

static void push(Node *n, int data) {
  n->data = data;
  Node *seen = atomic_load_explicit(&top, memory_order_relaxed);
  do n->next = seen;
  while (!atomic_compare_exchange_strong_explicit(&top, &seen, n, MO(PUSH), memory_order_relaxed));
}

static int pop(void) {
  Node *seen = atomic_load_explicit(&top, MO(POP));
  while (seen && !atomic_compare_exchange_strong_explicit(&top, &seen, seen->next, MO(POP), MO(POP))) {
  }
  return seen ? seen->data : -1;
}

static void *run(void *unused) {
  push(&nodes[0], 1);
  push(&nodes[1], 2);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  int first = pop(), second = pop();
  pthread_join(other, 0);
  assert(first == -1 || first == 1 || first == 2);
  assert(second == -1 || second == 1 || second == 2);
  assert(first == -1 || first != second);
  return 0;
}
