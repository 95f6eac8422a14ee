// A mailbox for one letter: written, then announced. Neither thread asks for any order.
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int letter;
static atomic_int arrived, taken;

static void *sender(void *unused) {
  letter = 42;
  atomic_store_explicit(&arrived, 1, memory_order_relaxed);  // the letter may be seen later than this
  return unused;
}

static void *receiver(void *unused) {
  while (atomic_load_explicit(&arrived, memory_order_relaxed) == 0) {
  }
  assert(letter == 42);
  atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sender, 0);
  pthread_create(&b, 0, receiver, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&taken) == 1);
}
