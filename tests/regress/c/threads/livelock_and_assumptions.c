// what    assumptions before and inside a loop that waits
// why     a cycle beside a thread whose assumption had failed was a livelock, and an end behind one hid livelocks
// options --property livelock
// other   graph sc,tso refuses does not look for livelocks
// because an execution in which an assumption fails does not count, whether or not other threads go round
// with    -D BEFORE
// expect  sc,tso holds
// with    -D CHOICE
// expect  sc,tso holds
// because main leaves the loop with a failed assumption as soon as the other thread is let run
// with    -D INSIDE
// expect  sc,tso holds
// with    -D LATER
// expect  sc,tso holds
// because only executions in which an assumption fails end, and the other thread need not come to it
// with    -D HIDDEN
// expect  sc,tso violated kind livelock
// because the assumption holds in every round
// with    -D KEPT
// expect  sc,tso violated kind livelock
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, turn;

static void *other(void *unused) {
#if defined(BEFORE)
  heddle_assume(0);
  done = 1;
#elif defined(CHOICE)
  heddle_assume(heddle_choose(2));
  done = 1;
#elif defined(INSIDE) || defined(KEPT)
  turn = 1;
#elif defined(LATER)
  turn = 1;
  turn = 2;
  heddle_assume(turn == 0);
#elif defined(HIDDEN)
  for (;;)
    if (heddle_choose(2)) {
      done = 1;
      heddle_assume(0);
    }
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (!done) {
#ifdef INSIDE
    heddle_assume(turn == 0);
#endif
#ifdef KEPT
    heddle_assume(turn < 2);
#endif
  }
}
