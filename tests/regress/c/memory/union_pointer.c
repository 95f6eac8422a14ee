// what    a slot that holds a pointer and a number by turns, for ever
// why     a number over the lower half of a pointer must not keep names of objects in the state: there would be ever more
// other   graph sc,tso,pso unknown a thread goes on for too long
// expect  sc,tso,pso holds
// with    -D STALE
// expect  sc,tso violated kind use-after-free at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static struct { int kind; union { int *pointer; int number; } u; } slot;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *turn(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    switch (slot.kind) {
      case 0:
        slot.u.pointer = malloc(sizeof(int));
        *slot.u.pointer = 1;
        slot.kind = 1;
        break;
      case 1:
        assert(*slot.u.pointer == 1);
        free(slot.u.pointer);
#ifndef STALE
        slot.u.number = 5;
#endif
        slot.kind = 2;
        break;
      default:
#ifdef STALE
        assert(*slot.u.pointer == 1);  // ERROR
#else
        assert(slot.u.number == 5);
#endif
        slot.kind = 0;
    }
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turn, 0);
  turn(0);
  return 0;
}
