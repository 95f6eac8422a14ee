// What memory orders, fences and locked writes cost on this machine; see fences.sh.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Figure 4.1 of V. Havel's thesis: two threads count up x, then y, without atomicity, with the first loop atomic, with both.
static volatile int x, y;
static long rounds;

static void *plain(void *unused) {
  for (long i = 0; i < rounds; ++i) x = x + 1;
  for (long i = 0; i < rounds; ++i) y = y + 1;
  return unused;
}
static void *first_atomic(void *unused) {
  for (long i = 0; i < rounds; ++i) __sync_fetch_and_add(&x, 1);
  for (long i = 0; i < rounds; ++i) y = y + 1;
  return unused;
}
static void *both_atomic(void *unused) {
  for (long i = 0; i < rounds; ++i) __sync_fetch_and_add(&x, 1);
  for (long i = 0; i < rounds; ++i) __sync_fetch_and_add(&y, 1);
  return unused;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double two_threads(void *(*work)(void *)) {
  double best = 1e9;
  for (int k = 0; k < 3; ++k) {
    pthread_t a, b;
    const double begun = now();
    if (pthread_create(&a, 0, work, 0) != 0 || pthread_create(&b, 0, work, 0) != 0) exit(1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    const double taken = now() - begun;
    if (taken < best) best = taken;
  }
  return best;
}

// One access or fence between a store to one line and a load from another, as in a lock; one thread alone. A seq_cst store is
// followed by a seq_cst load, without which it need not wait.
static struct {
  _Alignas(128) atomic_int mine;
  _Alignas(128) atomic_int theirs;
  _Alignas(128) atomic_int counter;
} memory;

enum { repeats = 7 };
static long iterations = 2000000;
static int sink;

#define MEASURE(body)                                                      \
  ({                                                                       \
    double least = 1e9;                                                    \
    for (int k = 0; k < repeats; ++k) {                                    \
      int seen = 0;                                                        \
      const double begun = now();                                          \
      for (long i = 0; i < iterations; ++i) {                              \
        body;                                                              \
      }                                                                    \
      const double taken = (now() - begun) * 1e9 / (double)iterations;     \
      sink += seen;                                                        \
      if (taken < least) least = taken;                                    \
    }                                                                      \
    least;                                                                 \
  })

#define STORE(order) atomic_store_explicit(&memory.mine, (int)i, memory_order_##order)
#define LOAD(order) seen += atomic_load_explicit(&memory.theirs, memory_order_##order)
#define ADD(order) seen += atomic_fetch_add_explicit(&memory.counter, 1, memory_order_##order)
#define FAIL(order)                                                                                               \
  do {                                                                                                            \
    int expected = -1;                                                                                            \
    seen += atomic_compare_exchange_strong_explicit(&memory.theirs, &expected, 1, memory_order_seq_cst,           \
                                                    memory_order_##order);                                        \
  } while (0)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

// Extra time of the stronger orders of one kind, weakest first, as the numbers that --cost takes: tenths of a nanosecond, at
// least 1, none below a weaker order's.
static void row(const char *kind, double base, int n, const char *const *orders, const double *times) {
  static const char *separator = "";
  static char line[1024];
  static size_t used;
  if (kind == 0) {
    printf("--cost %s\n", line);
    return;
  }
  long most = 1;
  for (int k = 0; k < n; ++k) {
    const int weakest = orders[k][0] == 'r' || orders[k][3] == 'u';  // release, acquire: nothing is below them
    long cost = (long)((times[k] - base) * 10 + 0.5);
    if (cost < 1 || (!weakest && cost < most)) cost = weakest ? 1 : most;
    if (cost > most) most = cost;
    printf("  %-8s %-8s %7.2f ns more than without\n", kind, orders[k], times[k] - base);
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%s.%s=%ld", separator, kind, orders[k], cost);
    separator = ",";
  }
}

int main(int count, char **arguments) {
  rounds = count > 1 ? atol(arguments[1]) : 10000000;
  printf("figure 4.1, two threads, %ld increments of x and of y each:\n", rounds);
  printf("  plain              %6.2f s\n", two_threads(plain));
  printf("  x atomic           %6.2f s\n", two_threads(first_atomic));
  printf("  x and y atomic     %6.2f s\n", two_threads(both_atomic));

  const double access = MEASURE(STORE(relaxed); LOAD(relaxed));
  const double add = MEASURE(STORE(relaxed); ADD(relaxed); LOAD(relaxed));
  const double fail = MEASURE(STORE(relaxed); FAIL(relaxed));
  printf("one thread, a relaxed store and a relaxed load: %.2f ns\n", access);
  row("load", access, 2, (const char *[]){"acquire", "seq_cst"},
      (double[]){MEASURE(STORE(relaxed); LOAD(acquire)), MEASURE(STORE(relaxed); LOAD(seq_cst))});
  row("store", access, 2, (const char *[]){"release", "seq_cst"},
      (double[]){MEASURE(STORE(release); LOAD(relaxed)), MEASURE(STORE(seq_cst); LOAD(seq_cst))});
  row("rmw", add, 4, (const char *[]){"acquire", "release", "acq_rel", "seq_cst"},
      (double[]){MEASURE(STORE(relaxed); ADD(acquire); LOAD(relaxed)), MEASURE(STORE(relaxed); ADD(release); LOAD(relaxed)),
                 MEASURE(STORE(relaxed); ADD(acq_rel); LOAD(relaxed)),
                 MEASURE(STORE(relaxed); ADD(seq_cst); LOAD(relaxed))});
  row("failure", fail, 2, (const char *[]){"acquire", "seq_cst"},
      (double[]){MEASURE(STORE(relaxed); FAIL(acquire)), MEASURE(STORE(relaxed); FAIL(seq_cst))});
  const double full = MEASURE(STORE(relaxed); FENCE(seq_cst); LOAD(relaxed));
  row("fence", access, 4, (const char *[]){"acquire", "release", "acq_rel", "seq_cst"},
      (double[]){MEASURE(STORE(relaxed); FENCE(acquire); LOAD(relaxed)), MEASURE(STORE(relaxed); FENCE(release); LOAD(relaxed)),
                 MEASURE(STORE(relaxed); FENCE(acq_rel); LOAD(relaxed)), full});
  const double locked = MEASURE(seen += atomic_exchange(&memory.mine, (int)i); LOAD(relaxed));
  printf("  locked write      %7.2f ns more than a relaxed store\n", locked - access);
  printf("for C:      ");
  row(0, 0, 0, 0, 0);
  const long a = (long)((locked - access) * 10 + 0.5), f = (long)((full - access) * 10 + 0.5);
  printf("for models: --cost atomic=%ld,fence=%ld\n", a > 1 ? a : 1, f > 1 ? f : 1);
  return sink == -1;
}
