// what    a thread waits for ever for one that stands at a failed assumption
// why     runs with a failed assumption do not count: what others do behind it is no livelock
// options --property livelock
// other   graph sc,tso refuses does not look for livelocks
// expect  sc,tso holds
// with    -D WAITS
// expect  sc,tso violated kind livelock
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *raise_flag(void *unused) {
  const unsigned choice = heddle_choose(2);
#ifdef WAITS
  if (choice == 0) return unused;
#else
  heddle_assume(choice == 1);
#endif
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, raise_flag, 0);
  while (!atomic_load(&flag)) {
  }
  pthread_join(other, 0);
}
