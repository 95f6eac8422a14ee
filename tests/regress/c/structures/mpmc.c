// what    the bounded queue of Vyukov for several producers and consumers: each cell has a ticket that says whose turn it is; two
//         threads enqueue one value each, then dequeue once, while a third dequeues once
// why     three threads with read-modify-writes, retries and a plain value behind two hand-overs: the ticket alone orders it
// expect  sc,tso,pso,nsw,ra,rc11,armv8,power,riscv holds
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// because The value is there before the cell is the consumers'.
// with    -D FILLED=relaxed
// expect  sc,tso,ra holds
// expect  pso,nsw,armv8,power,rmo,riscv violated kind assertion
// expect  rc11 violated kind race
// because The value is read after the ticket that allows it.
// with    -D LOOK=relaxed
// expect  sc,tso,pso,nsw,ra holds
// expect  armv8,power,rmo,riscv violated kind assertion
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef FILLED
#define FILLED release
#endif
#ifndef LOOK
#define LOOK acquire
#endif

enum { none = 0, size = 2 };
typedef struct {
  atomic_int ticket;
  int value;
} Cell;
static Cell cells[size] = {{0, none}, {1, none}};
static atomic_int head, tail;

// Claims the next position at `end` whose cell has the ticket position + turn; -1 if the queue is full or empty.
static int claim(atomic_int *end, int turn) {
  int position = atomic_load_explicit(end, memory_order_relaxed);
  for (;;) {
    int ahead = atomic_load_explicit(&cells[position % size].ticket, MO(LOOK)) - (position + turn);
    if (ahead < 0) return -1;
    if (ahead > 0) position = atomic_load_explicit(end, memory_order_relaxed);
    else if (atomic_compare_exchange_strong_explicit(end, &position, position + 1, memory_order_relaxed, memory_order_relaxed))
      return position;
  }
}

static void enqueue(int value) {
  int position = claim(&tail, 0);
  assert(position >= 0);
  cells[position % size].value = value;
  atomic_store_explicit(&cells[position % size].ticket, position + 1, MO(FILLED));
}

static int dequeue(void) {
  int position = claim(&head, 1);
  if (position < 0) return none;
  int value = cells[position % size].value;
  assert(value != none);
  atomic_store_explicit(&cells[position % size].ticket, position + size, memory_order_release);
  return value;
}

static int taken[3];

static void *put_and_take(void *argument) {
  int i = (int)(intptr_t)argument;
  enqueue(i);
  taken[i] = dequeue();
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, put_and_take, (void *)(intptr_t)(i + 1));
  taken[0] = dequeue();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  int times[3] = {0};
  for (int i = 0; i < 3; i++) {
    assert(0 <= taken[i] && taken[i] <= 2);
    if (taken[i] != none) assert(times[taken[i]]++ == 0);
  }
  return 0;
}
