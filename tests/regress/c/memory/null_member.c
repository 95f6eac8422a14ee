// what    a read of a member through a null pointer
// why     the address is near null, not null
// expect  sc,tso,pso violated kind null-dereference at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
struct pair {
  int first, second;
};
static struct pair cell;

int main(void) {
#ifdef MENDED
  struct pair *volatile p = &cell;
#else
  struct pair *volatile p = 0;
#endif
  return p->second; // ERROR
}
