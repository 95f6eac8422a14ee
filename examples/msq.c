// The Michael-Scott queue with counted pointers and a static pool of nodes, after appendix C.2 of the LLMC thesis; the
// names of the five barriers are those of its listings 5.5 and 5.6. Each can be taken out: -D NO_E5, NO_E10, NO_D4, NO_D6, NO_D8.
//
// -D TEST=… chooses what runs (E enqueues 1, 2, 3, …; D dequeues, trying until it gets something; || binds more than ;):
//   1  E||D;E;E;D;D         finds E5 and D6 missing
//   2  E;D||(E;D;D;E)       finds D4 missing
//   3  E;E;D||(D;E);D       finds D8 missing
//   4  E||(E;D;C);E;D;D     finds E10 missing, as a livelock; C claims a node for another data structure
//   5  E||E||E;D;D;D        6  E||E||D||D        7  E||D        8  E||E||D
// A counted pointer is one word of 64 bits, read at once; -D SPLIT_READS reads its halves one after the other, as the
// thesis does. -D WHOLE_WORDS never writes a half. -D ORDER=seq_cst makes every access sequentially consistent.
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

// The pointer is an index into the pool; 0 is null.
typedef union {
  uint64_t word;
  struct {
    uint32_t ptr, count;
  };
} Ref;

typedef struct {
  Ref next;
  int data;
} Node;

enum { max_nodes = 6 };
static Node pool[max_nodes];
static unsigned char in_use[max_nodes];
static Ref head, tail;

static Ref make(uint32_t ptr, uint32_t count) { return (Ref){.ptr = ptr, .count = count}; }

static inline Ref load(Ref *from) {
#ifdef SPLIT_READS
  uint32_t count = __atomic_load_n(&from->count, order);
  uint32_t ptr = __atomic_load_n(&from->ptr, order);
  return make(ptr, count);
#else
  return (Ref){.word = __atomic_load_n(&from->word, order)};
#endif
}

static inline int cas(Ref *at, Ref expected, Ref desired) {
  return __atomic_compare_exchange_n(&at->word, &expected.word, desired.word, 0, order, order);
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
  Ref old = load(&pool[node].next);
  __atomic_store_n(&pool[node].next.word, make(0, old.count).word, order);
#else
  __atomic_store_n(&pool[node].next.ptr, 0, order);
#endif
}

static void enqueue(int data) {
  uint32_t node = new_node();
  __atomic_store_n(&pool[node].data, data, order);
  clear_next(node);
  BARRIER_E5();
  Ref last;
  for (;;) {
    last = load(&tail);
    Ref next = load(&pool[last.ptr].next); // depends on the load before it: no barrier
    BARRIER_E10();
    Ref again = load(&tail);
    if (last.word != again.word) continue;
    if (next.ptr == 0) {
      if (cas(&pool[last.ptr].next, next, make(node, next.count + 1))) break;
    } else {
      cas(&tail, last, make(next.ptr, last.count + 1));
    }
  }
  cas(&tail, last, make(node, last.count + 1));
}

static int dequeue(int *data) {
  Ref first;
  for (;;) {
    first = load(&head);
    BARRIER_D4();
    Ref last = load(&tail);
    BARRIER_D6();
    Ref next = load(&pool[first.ptr].next);
    BARRIER_D8();
    Ref again = load(&head);
    if (first.word != again.word) continue;
    if (first.ptr == last.ptr) {
      if (next.ptr == 0) return 0;
      cas(&tail, last, make(next.ptr, last.count + 1));
    } else {
      assert(next.ptr);
      *data = __atomic_load_n(&pool[next.ptr].data, order);
      assert(*data);
      if (cas(&head, first, make(next.ptr, first.count + 1))) break;
    }
  }
  free_node(first.ptr);
  return 1;
}

static inline void *E(void *data) {
  enqueue((int)(intptr_t)data);
  return 0;
}

static inline void *D(void *unused) {
  (void)unused;
  int data;
  while (!dequeue(&data)) {
  }
  return (void *)(intptr_t)data;
}

static inline int D_now(void) { return (int)(intptr_t)D(0); }
static inline void E_now(int data) { enqueue(data); }

static inline pthread_t start(void *(*f)(void *), int data) {
  pthread_t thread;
  pthread_create(&thread, 0, f, (void *)(intptr_t)data);
  return thread;
}
static inline void end(pthread_t thread) { pthread_join(thread, 0); }
static inline int end_D(pthread_t thread) {
  void *data;
  pthread_join(thread, &data);
  return (int)(intptr_t)data;
}

// Whatever the order, each value came out once.
static inline void check(int a, int b, int c) {
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
  head.ptr = tail.ptr = 1;
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
