// The Michael-Scott queue with counted pointers and a static pool of nodes, after appendix C.2 of the LLMC thesis; the
// names of the five barriers are those of its listings 5.5 and 5.6. Each can be taken out: -D NO_E5, NO_E10, NO_D4, NO_D6, NO_D8.
//
// -D TEST=… chooses what runs (E enqueues 1, 2, 3, …; D dequeues, trying until it gets something; || binds more than ;):
//   1  E||D;E;E;D;D         finds E5 and D6 missing
//   2  E;D||(E;D;D;E)       finds D4 missing
//   3  E;E;D||(D;E);D       finds D8 missing
//   4  E||(E;D;C);E;D;D     finds E10 missing, as a livelock; C claims a node for another data structure
//   5  E||E||E;D;D;D        6  E||E||D||D        7  E||D        8  E||E||D
// A counted pointer is one word of 64 bits; -D WHOLE_WORDS never writes a half. -D ORDER=seq_cst makes every access
// sequentially consistent. What is loaded stays in plain local variables and LOAD is no function: under lmo a value that
// moves through memory or a call would have to be there first, and every load would wait for the one before.
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef TEST
#define TEST 1
#endif
#ifndef ORDER
#define ORDER relaxed
#endif
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define order GLUE(memory_order_, ORDER)

#ifdef NO_E5
#define BARRIER_E5()
#else
#define BARRIER_E5() atomic_thread_fence(memory_order_release)
#endif
#ifdef NO_E10
#define BARRIER_E10()
#else
#define BARRIER_E10() atomic_thread_fence(memory_order_acquire)
#endif
#ifdef NO_D4
#define BARRIER_D4()
#else
#define BARRIER_D4() atomic_thread_fence(memory_order_acquire)
#endif
#ifdef NO_D6
#define BARRIER_D6()
#else
#define BARRIER_D6() atomic_thread_fence(memory_order_acquire)
#endif
#ifdef NO_D8
#define BARRIER_D8()
#else
#define BARRIER_D8() atomic_thread_fence(memory_order_acquire)
#endif

// A counted pointer: the count in the upper half, below it an index into the pool; 0 is null.
typedef uint64_t Ref;
#define PTR(ref) ((uint32_t)(ref))
#define COUNT(ref) ((uint32_t)((ref) >> 32))
#define REF(ptr, count) ((Ref)(count) << 32 | (ptr))

typedef struct {
  Ref next;
  int data;
} Node;

enum { max_nodes = 6 };
static Node pool[max_nodes];
static unsigned char in_use[max_nodes];
static Ref head, tail;

#define LOAD(from) __atomic_load_n(&(from), order)

static int cas(Ref *at, Ref expected, Ref desired) {
  return __atomic_compare_exchange_n(at, &expected, desired, 0, order, order);
}

static uint32_t new_node(void) {
  for (uint32_t i = 1; i < max_nodes; i++) {
    unsigned char unused = 0;
    if (__atomic_compare_exchange_n(&in_use[i], &unused, 1, 0, order, order)) return i;
  }
  assert(!"the pool is large enough");
  return 0;
}

static void free_node(uint32_t node) { __atomic_store_n(&in_use[node], 0, order); }

static void clear_next(uint32_t node) {
#ifdef WHOLE_WORDS
  __atomic_store_n(&pool[node].next, REF(0, COUNT(LOAD(pool[node].next))), order);
#else
  __atomic_store_n((uint32_t *)&pool[node].next, 0, order); // the count stays
#endif
}

static void enqueue(int data) {
  uint32_t node = new_node();
  __atomic_store_n(&pool[node].data, data, order);
  clear_next(node);
  BARRIER_E5();
  Ref last;
  for (;;) {
    last = LOAD(tail);
    Ref next = LOAD(pool[PTR(last)].next); // depends on the load before it: no barrier
    BARRIER_E10();
    Ref again = LOAD(tail);
    if (last != again) continue;
    if (PTR(next) == 0) {
      if (cas(&pool[PTR(last)].next, next, REF(node, COUNT(next) + 1))) break;
    } else {
      cas(&tail, last, REF(PTR(next), COUNT(last) + 1));
    }
  }
  cas(&tail, last, REF(node, COUNT(last) + 1));
}

// What was dequeued, or 0 if the queue was empty.
static int dequeue(void) {
  int data;
  Ref first;
  for (;;) {
    first = LOAD(head);
    BARRIER_D4();
    Ref last = LOAD(tail);
    BARRIER_D6();
    Ref next = LOAD(pool[PTR(first)].next);
    BARRIER_D8();
    Ref again = LOAD(head);
    if (first != again) continue;
    if (PTR(first) == PTR(last)) {
      if (PTR(next) == 0) return 0;
      cas(&tail, last, REF(PTR(next), COUNT(last) + 1));
    } else {
      assert(PTR(next));
      data = LOAD(pool[PTR(next)].data);
      assert(data);
      if (cas(&head, first, REF(PTR(next), COUNT(first) + 1))) break;
    }
  }
  free_node(PTR(first));
  return data;
}

static void *E(void *data) {
  enqueue((int)(intptr_t)data);
  return 0;
}

static void *D(void *unused) {
  (void)unused;
  int data;
  do data = dequeue();
  while (!data);
  return (void *)(intptr_t)data;
}

static int D_now(void) { return (int)(intptr_t)D(0); }
static void E_now(int data) { enqueue(data); }

static pthread_t start(void *(*f)(void *), int data) {
  pthread_t thread;
  pthread_create(&thread, 0, f, (void *)(intptr_t)data);
  return thread;
}
static void end(pthread_t thread) { pthread_join(thread, 0); }
static int end_D(pthread_t thread) {
  void *data;
  pthread_join(thread, &data);
  return (int)(intptr_t)data;
}

// Whatever the order, each value came out once.
static void check(int a, int b, int c) {
  assert(a != b && b != c && a != c);
  assert(1 <= a && a <= 3 && 1 <= b && b <= 3 && 1 <= c && c <= 3);
}

#if TEST == 4
static void *EDC(void *unused) {
  (void)unused;
  enqueue(2);
  int first = D_now();
  clear_next(new_node()); // C
  return (void *)(intptr_t)first;
}
#endif

int main(void) {
  head = tail = 1;
  in_use[1] = 1;
#if TEST == 1
  pthread_t e = start(E, 1);
  int a = D_now();
  end(e);
  E_now(2);
  E_now(3);
  int b = D_now();
  check(a, b, D_now());
#elif TEST == 2
  E_now(1);
  pthread_t d = start(D, 0);
  E_now(2);
  int a = D_now(), b = D_now();
  E_now(3);
  check(a, b, end_D(d));
#elif TEST == 3
  E_now(1);
  E_now(2);
  pthread_t d = start(D, 0);
  int a = D_now();
  E_now(3);
  int b = end_D(d);
  check(a, b, D_now());
#elif TEST == 4
  pthread_t other = start(EDC, 0);
  E_now(1);
  int a = end_D(other);
  E_now(3);
  int b = D_now();
  check(a, b, D_now());
#elif TEST == 5
  pthread_t e1 = start(E, 1), e2 = start(E, 2);
  E_now(3);
  end(e1);
  end(e2);
  int a = D_now(), b = D_now();
  check(a, b, D_now());
#elif TEST == 6
  pthread_t e1 = start(E, 1), e2 = start(E, 2), d = start(D, 0);
  int a = D_now();
  end(e1);
  end(e2);
  check(a, end_D(d), 3);
#elif TEST == 7
  pthread_t e = start(E, 1);
  assert(D_now() == 1);
  end(e);
#elif TEST == 8
  pthread_t e1 = start(E, 1), e2 = start(E, 2);
  int a = D_now();
  end(e1);
  end(e2);
  assert(a == 1 || a == 2);
#else
#error no such test
#endif
  return 0;
}
