// Two threads hand a token to each other, for ever. Graphs of executions have no end here; states repeat.
//
//   heddle check examples/token.c --model sc,tso,pso      explicit states settle it
//   heddle check examples/token.c --loop-bound 3          an answer up to a bound under every model
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef PASS
#define PASS release
#endif
#define ORDER_(name) memory_order_##name
#define ORDER(name) ORDER_(name)

static atomic_int token;
static int holder;

static void *play(void *argument) {
  int me = (int)(intptr_t)argument;
  for (;;) {
    while (atomic_load_explicit(&token, memory_order_acquire) != me) {
    }
    holder = me;
    assert(holder == me);
    atomic_store_explicit(&token, 1 - me, ORDER(PASS));
  }
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, play, (void *)1);
  play(0);
  return 0;
}
