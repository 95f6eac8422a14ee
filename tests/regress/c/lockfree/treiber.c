// what    Treiber's stack with nodes that are used once
// why     a node must be complete before it is linked in; what is read through it needs no more
// with    -D PUSH=release -D POP=relaxed
// expect  sc,tso,pso,lmo holds
// with    -D PUSH=relaxed -D POP=acquire
// expect  sc,tso holds
// expect  pso,lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

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
  while (!atomic_compare_exchange_weak_explicit(&top, &seen, n, MO(PUSH), memory_order_relaxed));
}

static int pop(void) {
  Node *seen = atomic_load_explicit(&top, MO(POP));
  while (seen && !atomic_compare_exchange_weak_explicit(&top, &seen, seen->next, MO(POP), memory_order_relaxed)) {
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
