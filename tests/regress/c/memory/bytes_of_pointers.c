// what    pointers that are taken apart in the memory of one thread: swapped byte by byte, with a tag in the upper bytes
// why     what was left of a pointer was taken for uninitialised, and its lower half for a number that everybody knows
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)
// expect  sc,tso,rc11,armv8 holds
// with    -D TAG
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)
// expect  sc,tso,rc11,armv8 holds
// with    -D LOWER
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)
// expect  sc,tso,rc11,armv8 holds
// with    -D LOST
// assumes objects have the addresses that the checker chose (they are used as numbers)
// expect  sc,rc11,armv8 violated kind wild-pointer
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdint.h>

static int x = 7, y = 8;

#ifdef TAG
int main(void) {
  union {
    int *p;
    uint64_t word;
    uint16_t part[4];
  } u = {&x}, v;
  u.part[3] = 5;
  assert(u.part[3] == 5);
  v.word = u.word & 0xffffffffffff;
  assert(*v.p == 7);
  u.part[3] = 0;
  assert(*u.p == 7);
}
#elif defined LOWER
int main(void) {
  union {
    int *p;
    unsigned lower;
  } u = {&x};
  assert(u.lower == 0);  // an address that the checker chose (they are used as numbers; leaks are not looked for after that)
}
#elif defined LOST
int main(void) {
  int *p = &x;
  ((unsigned char *)&p)[7] = 18;
  return *p;
}
#else
static void swap(char *a, char *b, int n) {
  for (int i = 0; i < n; ++i) {
    char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}

int main(void) {
  int *p = &x, *q = &y;
  swap((char *)&p, (char *)&q, sizeof p);
  assert(*p == 8 && *q == 7);
}
#endif
