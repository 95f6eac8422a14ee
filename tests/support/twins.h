// Small tests, each of which is two programs: compiled as C it uses pthreads and C11's atomics, compiled as C++ the
// standard library. -D TWIN=n chooses one of 1 … 42. What a run ends in is the contents of `result`.
// SPDX-License-Identifier: Apache-2.0

#ifdef __cplusplus

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

extern "C" {
int result[4];
}

#define ATOMIC(T) std::atomic<T>
#define LOAD(x, o) (x).load(std::memory_order_##o)
#define STORE(x, v, o) (x).store((v), std::memory_order_##o)
#define ADD(x, v, o) (x).fetch_add((v), std::memory_order_##o)
#define OR(x, v, o) (x).fetch_or((v), std::memory_order_##o)
#define AND(x, v, o) (x).fetch_and((v), std::memory_order_##o)
#define SWAP(x, v, o) (x).exchange((v), std::memory_order_##o)
#define CAS(x, e, v, o) (x).compare_exchange_strong((e), (v), std::memory_order_##o)
#define FENCE(o) std::atomic_thread_fence(std::memory_order_##o)
#define FLAG(x) std::atomic_flag x
#define TEST_AND_SET(x, o) (x).test_and_set(std::memory_order_##o)
#define MUTEX(m) std::mutex m
#define LOCK(m) (m).lock()
#define TRY_LOCK(m) (m).try_lock()
#define UNLOCK(m) (m).unlock()
#define CONDITION(c) std::condition_variable c
// Waits until `held` holds; m is locked.
#define WAIT(c, m, held)                                \
  do {                                                  \
    std::unique_lock<std::mutex> l(m, std::adopt_lock); \
    while (!(held)) (c).wait(l);                        \
    l.release();                                        \
  } while (0)
#define NOTIFY_ONE(c) (c).notify_one()
#define NOTIFY_ALL(c) (c).notify_all()
#define LOCAL_TO_THREAD thread_local
#define THREAD(name) static void name()
#define START(t, function) std::thread t(function)
#define JOIN(t) (t).join()
#define THREAD_OF(name, T, argument) static void name(T argument)
#define START_WITH(t, function, argument) std::thread t(function, argument)

#else

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

int result[4];

#define nullptr NULL
#define ATOMIC(T) _Atomic(T)
#define LOAD(x, o) atomic_load_explicit(&(x), memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&(x), (v), memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&(x), (v), memory_order_##o)
#define OR(x, v, o) atomic_fetch_or_explicit(&(x), (v), memory_order_##o)
#define AND(x, v, o) atomic_fetch_and_explicit(&(x), (v), memory_order_##o)
#define SWAP(x, v, o) atomic_exchange_explicit(&(x), (v), memory_order_##o)
#define CAS(x, e, v, o) atomic_compare_exchange_strong_explicit(&(x), &(e), (v), memory_order_##o, failure_##o)
#define failure_relaxed memory_order_relaxed
#define failure_acquire memory_order_acquire
#define failure_release memory_order_relaxed
#define failure_acq_rel memory_order_acquire
#define failure_seq_cst memory_order_seq_cst
#define FENCE(o) atomic_thread_fence(memory_order_##o)
#define FLAG(x) atomic_flag x = ATOMIC_FLAG_INIT
#define TEST_AND_SET(x, o) atomic_flag_test_and_set_explicit(&(x), memory_order_##o)
#define MUTEX(m) pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER
#define LOCK(m) pthread_mutex_lock(&(m))
#define TRY_LOCK(m) (pthread_mutex_trylock(&(m)) == 0)
#define UNLOCK(m) pthread_mutex_unlock(&(m))
#define CONDITION(c) pthread_cond_t c = PTHREAD_COND_INITIALIZER
#define WAIT(c, m, held)                           \
  do {                                             \
    while (!(held)) pthread_cond_wait(&(c), &(m)); \
  } while (0)
#define NOTIFY_ONE(c) pthread_cond_signal(&(c))
#define NOTIFY_ALL(c) pthread_cond_broadcast(&(c))
#define LOCAL_TO_THREAD _Thread_local
#define THREAD(name)                         \
  static void name(void);                    \
  static void* name##_thread(void* unused) { \
    name();                                  \
    return unused;                           \
  }                                          \
  static void name(void)
#define START(t, function) \
  pthread_t t;             \
  pthread_create(&t, NULL, function##_thread, NULL)
#define JOIN(t) pthread_join(t, NULL)
#define THREAD_OF(name, T, argument)        \
  static void name(T);                      \
  static void* name##_thread(void* given) { \
    name((T)given);                         \
    return NULL;                            \
  }                                         \
  static void name(T argument)
#define START_WITH(t, function, argument) \
  pthread_t t;                            \
  pthread_create(&t, NULL, function##_thread, (void*)(argument))

#endif

// Two, three and four threads that run side by side.
#define RUN2(f, g) \
  int main() {     \
    START(s, f);   \
    START(t, g);   \
    JOIN(s);       \
    JOIN(t);       \
    return 0;      \
  }
#define RUN3(f, g, h) \
  int main() {        \
    START(s, f);      \
    START(t, g);      \
    START(u, h);      \
    JOIN(s);          \
    JOIN(t);          \
    JOIN(u);          \
    return 0;         \
  }
#define RUN4(f, g, h, i) \
  int main() {           \
    START(s, f);         \
    START(t, g);         \
    START(u, h);         \
    START(v, i);         \
    JOIN(s);             \
    JOIN(t);             \
    JOIN(u);             \
    JOIN(v);             \
    return 0;            \
  }

static ATOMIC(int) x, y, z;

// clang-format off: one test per paragraph
#if TWIN == 1  // store buffering
THREAD(a) { STORE(x, 1, relaxed); result[0] = LOAD(y, relaxed); }
THREAD(b) { STORE(y, 1, relaxed); result[1] = LOAD(x, relaxed); }
RUN2(a, b)

#elif TWIN == 2  // … with sequential consistency
THREAD(a) { STORE(x, 1, seq_cst); result[0] = LOAD(y, seq_cst); }
THREAD(b) { STORE(y, 1, seq_cst); result[1] = LOAD(x, seq_cst); }
RUN2(a, b)

#elif TWIN == 3  // … with fences
THREAD(a) { STORE(x, 1, relaxed); FENCE(seq_cst); result[0] = LOAD(y, relaxed); }
THREAD(b) { STORE(y, 1, relaxed); FENCE(seq_cst); result[1] = LOAD(x, relaxed); }
RUN2(a, b)

#elif TWIN == 4  // … with release and acquire
THREAD(a) { STORE(x, 1, release); result[0] = LOAD(y, acquire); }
THREAD(b) { STORE(y, 1, release); result[1] = LOAD(x, acquire); }
RUN2(a, b)

#elif TWIN == 5  // message passing
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 1, relaxed); }
THREAD(b) { result[0] = LOAD(y, relaxed); result[1] = LOAD(x, relaxed); }
RUN2(a, b)

#elif TWIN == 6  // … with release and acquire
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 1, release); }
THREAD(b) { result[0] = LOAD(y, acquire); result[1] = LOAD(x, relaxed); }
RUN2(a, b)

#elif TWIN == 7  // … with fences
THREAD(a) { STORE(x, 1, relaxed); FENCE(release); STORE(y, 1, relaxed); }
THREAD(b) { result[0] = LOAD(y, relaxed); FENCE(acquire); result[1] = LOAD(x, relaxed); }
RUN2(a, b)

#elif TWIN == 8  // … of a plain variable
static int data;
THREAD(a) { data = 5; STORE(y, 1, release); }
THREAD(b) { if ((result[0] = LOAD(y, acquire))) result[1] = data; }
RUN2(a, b)

#elif TWIN == 9  // load buffering
THREAD(a) { result[0] = LOAD(x, relaxed); STORE(y, 1, relaxed); }
THREAD(b) { result[1] = LOAD(y, relaxed); STORE(x, 1, relaxed); }
RUN2(a, b)

#elif TWIN == 10  // independent reads of independent writes
THREAD(a) { STORE(x, 1, release); }
THREAD(b) { STORE(y, 1, release); }
THREAD(c) { result[0] = LOAD(x, acquire); result[1] = LOAD(y, acquire); }
THREAD(d) { result[2] = LOAD(y, acquire); result[3] = LOAD(x, acquire); }
RUN4(a, b, c, d)

#elif TWIN == 11  // two writes in two orders
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 2, relaxed); }
THREAD(b) { STORE(y, 1, relaxed); STORE(x, 2, relaxed); }
int main() { START(s, a); START(t, b); JOIN(s); JOIN(t); result[0] = LOAD(x, relaxed); result[1] = LOAD(y, relaxed); return 0; }

#elif TWIN == 12  // coherence of two reads
THREAD(a) { STORE(x, 1, relaxed); STORE(x, 2, relaxed); }
THREAD(b) { result[0] = LOAD(x, relaxed); result[1] = LOAD(x, relaxed); }
RUN2(a, b)

#elif TWIN == 13  // write to read causality
THREAD(a) { STORE(x, 1, relaxed); }
THREAD(b) { result[0] = LOAD(x, acquire); STORE(y, 1, release); }
THREAD(c) { result[1] = LOAD(y, acquire); result[2] = LOAD(x, relaxed); }
RUN3(a, b, c)

#elif TWIN == 14  // ISA2
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 1, release); }
THREAD(b) { result[0] = LOAD(y, acquire); STORE(z, 1, release); }
THREAD(c) { result[1] = LOAD(z, acquire); result[2] = LOAD(x, relaxed); }
RUN3(a, b, c)

#elif TWIN == 15  // R
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 1, relaxed); }
THREAD(b) { STORE(y, 2, relaxed); result[0] = LOAD(x, relaxed); }
int main() { START(s, a); START(t, b); JOIN(s); JOIN(t); result[1] = LOAD(y, relaxed); return 0; }

#elif TWIN == 16  // S
THREAD(a) { STORE(x, 2, relaxed); STORE(y, 1, release); }
THREAD(b) { result[0] = LOAD(y, acquire); STORE(x, 1, relaxed); }
int main() { START(s, a); START(t, b); JOIN(s); JOIN(t); result[1] = LOAD(x, relaxed); return 0; }

#elif TWIN == 17  // two increments
THREAD(a) { result[0] = ADD(x, 1, relaxed); }
THREAD(b) { result[1] = ADD(x, 1, relaxed); }
RUN2(a, b)

#elif TWIN == 18  // three increments
THREAD(a) { result[0] = ADD(x, 1, acq_rel); }
THREAD(b) { result[1] = ADD(x, 1, acq_rel); }
THREAD(c) { result[2] = ADD(x, 1, acq_rel); }
RUN3(a, b, c)

#elif TWIN == 19  // an increment that is none: load, then store
THREAD(a) { STORE(x, LOAD(x, relaxed) + 1, relaxed); }
THREAD(b) { STORE(x, LOAD(x, relaxed) + 1, relaxed); }
int main() { START(s, a); START(t, b); JOIN(s); JOIN(t); result[0] = LOAD(x, relaxed); return 0; }

#elif TWIN == 20  // one compare-exchange of two wins
THREAD(a) { int e = 0; result[0] = CAS(x, e, 1, acq_rel); result[1] = e; }
THREAD(b) { int e = 0; result[2] = CAS(x, e, 2, acq_rel); result[3] = e; }
RUN2(a, b)

#elif TWIN == 21  // exchanges
THREAD(a) { result[0] = SWAP(x, 1, acq_rel); result[1] = SWAP(y, 1, acq_rel); }
THREAD(b) { result[2] = SWAP(y, 2, acq_rel); result[3] = SWAP(x, 2, acq_rel); }
RUN2(a, b)

#elif TWIN == 22  // a flag that one of two sets
static FLAG(f);
THREAD(a) { result[0] = TEST_AND_SET(f, acquire); }
THREAD(b) { result[1] = TEST_AND_SET(f, acquire); }
RUN2(a, b)

#elif TWIN == 23  // a lock around a counter
static MUTEX(m);
static int count;
THREAD(a) { LOCK(m); result[0] = count++; UNLOCK(m); }
THREAD(b) { LOCK(m); result[1] = count++; UNLOCK(m); }
RUN2(a, b)

#elif TWIN == 24  // three threads and a lock
static MUTEX(m);
static int count;
THREAD(a) { LOCK(m); result[0] = count++; UNLOCK(m); }
THREAD(b) { LOCK(m); result[1] = count++; UNLOCK(m); }
THREAD(c) { LOCK(m); result[2] = count++; UNLOCK(m); }
RUN3(a, b, c)

#elif TWIN == 25  // an attempt to lock
static MUTEX(m);
THREAD(a) { if ((result[0] = TRY_LOCK(m))) UNLOCK(m); }
THREAD(b) { LOCK(m); result[1] = 1; UNLOCK(m); }
RUN2(a, b)

#elif TWIN == 26  // two locks, always in the same order
static MUTEX(m); static MUTEX(n);
static int count;
THREAD(a) { LOCK(m); LOCK(n); result[0] = count++; UNLOCK(n); UNLOCK(m); }
THREAD(b) { LOCK(m); LOCK(n); result[1] = count++; UNLOCK(n); UNLOCK(m); }
RUN2(a, b)

#elif TWIN == 27  // a lock and an access beside it
static MUTEX(m);
THREAD(a) { LOCK(m); STORE(x, 1, relaxed); STORE(y, 1, relaxed); UNLOCK(m); }
THREAD(b) { result[0] = LOAD(y, relaxed); LOCK(m); result[1] = LOAD(x, relaxed); UNLOCK(m); }
RUN2(a, b)

#elif TWIN == 28  // a condition variable
static MUTEX(m); static CONDITION(c);
static int ready;
THREAD(a) { LOCK(m); ready = 1; UNLOCK(m); NOTIFY_ONE(c); }
THREAD(b) { LOCK(m); WAIT(c, m, ready); result[0] = ready; UNLOCK(m); }
RUN2(a, b)

#elif TWIN == 29  // … two threads wait for it
static MUTEX(m); static CONDITION(c);
static int ready;
THREAD(a) { LOCK(m); ready = 1; NOTIFY_ALL(c); UNLOCK(m); }
THREAD(b) { LOCK(m); WAIT(c, m, ready); result[0] = ready++; UNLOCK(m); }
THREAD(d) { LOCK(m); WAIT(c, m, ready); result[1] = ready++; UNLOCK(m); }
RUN3(a, b, d)

#elif TWIN == 30  // thread-local variables
static LOCAL_TO_THREAD int own;
THREAD(a) { own += 3; STORE(x, own, relaxed); }
THREAD(b) { own += 5; result[0] = LOAD(x, relaxed) + own; }
int main() { own = 7; START(s, a); START(t, b); JOIN(s); JOIN(t); result[1] = own; return 0; }

#elif TWIN == 31  // threads with an argument
THREAD_OF(a, int *, p) { *p = ADD(x, 1, relaxed); }
int main() { START_WITH(s, a, &result[0]); START_WITH(t, a, &result[1]); JOIN(s); JOIN(t); return 0; }

#elif TWIN == 32  // a thread that starts another
THREAD(b) { STORE(x, 2, relaxed); }
THREAD(a) { STORE(x, 1, relaxed); START(t, b); result[0] = LOAD(x, relaxed); JOIN(t); }
int main() { START(s, a); result[1] = LOAD(x, relaxed); JOIN(s); return 0; }

#elif TWIN == 33  // one thread after the other
THREAD(a) { STORE(x, 1, relaxed); result[0] = LOAD(y, relaxed); }
THREAD(b) { STORE(y, 1, relaxed); result[1] = LOAD(x, relaxed); }
int main() { START(s, a); JOIN(s); START(t, b); JOIN(t); return 0; }

#elif TWIN == 34  // a pointer that publishes what it points to
static int data;
static ATOMIC(int *) p;
THREAD(a) { data = 4; STORE(p, &data, release); }
THREAD(b) { int *q = LOAD(p, acquire); if (q != nullptr) result[0] = *q; }
RUN2(a, b)

#elif TWIN == 35  // bits
THREAD(a) { result[0] = OR(x, 1, relaxed); }
THREAD(b) { result[1] = OR(x, 2, relaxed); result[2] = AND(x, 1, relaxed); }
RUN2(a, b)

#elif TWIN == 36  // 64 bits and one byte
static ATOMIC(long) l; static ATOMIC(bool) f;
THREAD(a) { STORE(l, 1L << 40, relaxed); STORE(f, true, release); }
THREAD(b) { result[0] = LOAD(f, acquire); result[1] = (int)(LOAD(l, relaxed) >> 40); }
RUN2(a, b)

#elif TWIN == 37  // two threads push to a stack
struct node { struct node *next; };
static struct node nodes[2];
static ATOMIC(struct node *) top;
THREAD(a) { struct node *old = LOAD(top, relaxed); do nodes[0].next = old; while (!CAS(top, old, &nodes[0], release)); }
THREAD(b) { struct node *old = LOAD(top, relaxed); do nodes[1].next = old; while (!CAS(top, old, &nodes[1], release)); }
int main() { START(s, a); START(t, b); JOIN(s); JOIN(t); result[0] = LOAD(top, relaxed) == &nodes[0]; return 0; }

#elif TWIN == 38  // Dekker's entry: at most one gets in
THREAD(a) { STORE(x, 1, seq_cst); if (!LOAD(y, seq_cst)) result[0] = 1; }
THREAD(b) { STORE(y, 1, seq_cst); if (!LOAD(x, seq_cst)) result[1] = 1; }
RUN2(a, b)

#elif TWIN == 39  // one attempt to read under a sequence lock
THREAD(a) { STORE(z, 1, relaxed); FENCE(release); STORE(x, 1, relaxed); STORE(y, 1, relaxed); STORE(z, 2, release); }
THREAD(b) {
  const int before = LOAD(z, acquire), first = LOAD(x, relaxed), second = LOAD(y, relaxed);
  FENCE(acquire);
  if (before == LOAD(z, relaxed) && before % 2 == 0) { result[0] = 1 + first; result[1] = 1 + second; }
}
RUN2(a, b)

#elif TWIN == 40  // a release sequence
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 1, release); }
THREAD(b) { result[2] = ADD(y, 1, relaxed); }
THREAD(c) { result[0] = LOAD(y, acquire); result[1] = LOAD(x, relaxed); }
RUN3(a, b, c)

#elif TWIN == 41  // what a thread did is seen by who joins it
static int data;
THREAD(a) { data = 3; }
int main() { START(s, a); JOIN(s); result[0] = data; return 0; }

#elif TWIN == 42  // each waits for the other's lock: a deadlock
static MUTEX(m); static MUTEX(n);
THREAD(a) { LOCK(m); LOCK(n); UNLOCK(n); UNLOCK(m); }
THREAD(b) { LOCK(n); LOCK(m); UNLOCK(m); UNLOCK(n); }
RUN2(a, b)

#else
#error "-D TWIN=1 … 42"
#endif
// clang-format on
