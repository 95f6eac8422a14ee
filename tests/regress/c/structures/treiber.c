// what    Treiber's stack with nodes that are used once: one thread pushes two, the others pop twice each
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
// because Three threads. No load can be buffered, and every access to the top is a read-modify-write or leads to one: hardware has the
//         executions of the language.
// with    -D POPPERS=2 --engine graph --symmetry off
// expect  sc,rc11,armv8,riscv,rmo,power holds executions 209
// with    -D POPPERS=2 -D PUSH=relaxed
// expect  armv8 violated kind assertion
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

#ifndef POPPERS
#define POPPERS 1
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

static void *push_twice(void *unused) {
  push(&nodes[0], 1);
  push(&nodes[1], 2);
  return unused;
}

static void *pop_twice(void *popped) {
  for (int i = 0; i < 2; i++) ((int *)popped)[i] = pop();
  return 0;
}

int main(void) {
  static int popped[POPPERS][2];
  pthread_t others[POPPERS];
  pthread_create(&others[0], 0, push_twice, 0);
  for (int i = 1; i < POPPERS; i++) pthread_create(&others[i], 0, pop_twice, popped[i]);
  pop_twice(popped[0]);
  for (int i = 0; i < POPPERS; i++) pthread_join(others[i], 0);
  int times[3] = {0};
  for (int i = 0; i < POPPERS; i++)
    for (int j = 0; j < 2; j++) {
      int data = popped[i][j];
      assert(data == -1 || data == 1 || data == 2);
      if (data != -1) assert(times[data]++ == 0);
    }
  return 0;
}
