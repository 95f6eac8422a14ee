// what    pointers packed with a counter, xored with each other, and taken apart again
// why     counted pointers and xor lists are numbers for a while
// expect  sc,tso,pso holds
// with    -O2
// expect  sc holds
// with    -D WRONG
// expect  sc violated kind wild-pointer at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
static _Atomic uint64_t top; // a count in the upper sixteen bits

static struct node *pointer(uint64_t packed) { return (struct node *)(uintptr_t)(packed & 0xffffffffffff); }

static void push(struct node *n) {
  uint64_t old = top;
  do n->next = pointer(old);
  while (!atomic_compare_exchange_strong(&top, &old, ((old >> 48) + 1) << 48 | (uintptr_t)n));
}

static void *run(void *node) {
  push(node);
  return 0;
}

int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->value = 1, b->value = 2;
  pthread_t thread;
  pthread_create(&thread, 0, run, a);
  push(b);
  pthread_join(thread, 0);
  int sum = 0;
  for (struct node *n = pointer(top); n;) {
    struct node *next = n->next;
    sum += n->value;
    free(n);
    n = next;
  }
  assert(sum == 3 && top >> 48 == 2);
  int x = 5, y = 7;
  uintptr_t both = (uintptr_t)&x ^ (uintptr_t)&y;
  int *other = (int *)(both ^ (uintptr_t)&x);
  assert(*other == 7);
#ifdef WRONG
  return *(volatile int *)(uintptr_t)0x12345678abcdef; // ERROR
#endif
  return 0;
}
