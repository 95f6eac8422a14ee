// A lock that is tried once. A weak compare-exchange may fail although the lock is free, unless a loop repeats it.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int lock;

int main(void) {
  int free = 0;
  const bool taken = atomic_compare_exchange_weak(&lock, &free, 1);
  assert(taken);
}
