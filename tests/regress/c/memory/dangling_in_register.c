// what    a pointer to a block's local whose address others have seen, after the end of the block
// why     where locals become registers it became null at the end: what follows it was never reached
// with    -D CASE=1
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind use-after-free at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind use-after-free at ERROR2
// because One thread without choices has one execution.
// with    -D CASE=3
// expect  sc,tso,armv8,riscv,power,rmo,rc11 holds executions 1
// expect  nsw,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stddef.h>

struct node {
  struct node *next;
  int value;
};
struct node *volatile shared;

int main(void) {
  struct node *head = NULL;
#if CASE == 1
  for (int i = 0; i < 2; i++) {
    struct node n = {head, i};
    shared = head = &n;
  }
  int sum = 0;
  for (struct node *p = head; p; p = p->next)
    sum += p->value; // ERROR1
#else
  {
    struct node n = {NULL, 1};
    shared = head = &n;
  }
#if CASE == 2
  if (head) head->value = 3; // ERROR2
#else
  assert(head != NULL);
#endif
#endif
}
