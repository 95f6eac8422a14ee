// what    a megabyte set, an array of 100,000 filled, a list of 30,000 elements
// why     what one thread writes within a step is written in place: memory and time go with the bytes, not with their square
// with    --memory 400M
// other   graph sc,tso unknown a thread goes on for too long
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; };
static int a[100000];

int main(void) {
  char *block = malloc(1000000);
  memset(block, 3, 1000000);
  assert(block[0] == 3 && block[999999] == 3);
  free(block);
  for (int i = 0; i < 100000; i++) a[i] = i;
  assert(a[77777] == 77777);
  struct node *list = 0;
  for (int i = 0; i < 30000; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    n->value = i;
    list = n;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
