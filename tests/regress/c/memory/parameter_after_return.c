// what    the address of a parameter that is a structure in memory, used after its function has returned
// why     the caller's copy lives longer than the parameter, and the access went to it
// expect  sc,tso,pso,rc11 violated kind use-after-free at ERROR
// with    -O2 -D VOLATILE=volatile
// expect  sc,rc11 violated kind use-after-free at ERROR
// with    -D MENDED
// expect  sc,tso,pso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#ifndef VOLATILE
#define VOLATILE
#endif
struct record { long fields[4]; };
static long *VOLATILE kept;
static long copy;

__attribute__((noinline)) static void keep(struct record r) {
  kept = &r.fields[1];
#ifdef MENDED
  copy = *kept;
  kept = &copy;
#endif
}

int main(void) {
  struct record x = {{1, 2, 3, 4}};
  keep(x);
  return *kept == 2 ? 0 : 1; // ERROR
}
