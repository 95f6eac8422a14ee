// what    a spinlock lets a thread starve even under a fair scheduler; a mutex is taken in atomic steps but may, too
// why     weak fairness says nothing of a thread whose step is enabled only now and then
// options --ltl 'G (wants -> F has)' --fair
// expect  sc,tso violated kind ltl
// with    -D TURNS
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

#include <heddle.h>

static atomic_flag lock;
static atomic_int turn;

static void *other(void *unused) {
  for (;;) {
#ifdef TURNS
    while (atomic_load(&turn) != 1) {
    }
    atomic_store(&turn, 0);
#else
    while (atomic_flag_test_and_set(&lock)) {
    }
    atomic_flag_clear(&lock);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (;;) {
    heddle_point("wants");
#ifdef TURNS
    while (atomic_load(&turn) != 0) {
    }
    heddle_point("has");
    atomic_store(&turn, 1);
#else
    while (atomic_flag_test_and_set(&lock)) {
    }
    heddle_point("has");
    atomic_flag_clear(&lock);
#endif
  }
}
