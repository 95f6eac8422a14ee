/* C11 threads and atomics.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <threads.h>
#include "check.h"
static mtx_t lock;
static cnd_t ready;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int go, once_count, freed;
static atomic_int sum;
static thread_local int own;
struct big { int a[5]; };
static _Atomic struct big shared;
struct pair { void *p; long n; };
static _Atomic struct pair pair;

static void first(void) { once_count++; }
static void release(void *p) { freed += *(int *)p; }
static int run(void *argument) {
  call_once(&flag, first);
  mtx_lock(&lock);
  while (!go) cnd_wait(&ready, &lock);
  mtx_unlock(&lock);
  tss_set(key, argument);
  for (int i = 0; i < 1000; i++) {
    atomic_fetch_add(&sum, 1), own++;
    struct pair old = atomic_load(&pair), next;
    do next = (struct pair){&sum, old.n + 1};
    while (!atomic_compare_exchange_weak(&pair, &old, next));
  }
  struct big mine = {{1, 2, 3, 4, 5}};
  atomic_store(&shared, mine);
  CHECK(own == 1000 && tss_get(key) == argument);
  return *(int *)argument;
}
int main(void) {
  thrd_t t[3];
  int numbers[3] = {1, 2, 3}, result, total = 0;
  CHECK(mtx_init(&lock, mtx_plain) == thrd_success && cnd_init(&ready) == thrd_success && tss_create(&key, release) == thrd_success);
  for (int i = 0; i < 3; i++) CHECK(thrd_create(&t[i], run, &numbers[i]) == thrd_success);
  mtx_lock(&lock);
  go = 1;
  cnd_broadcast(&ready);
  mtx_unlock(&lock);
  for (int i = 0; i < 3; i++) { CHECK(thrd_join(t[i], &result) == thrd_success); total += result; }
  struct pair end = atomic_load(&pair);
  struct big whole = atomic_load(&shared);
  CHECK(total == 6 && sum == 3000 && once_count == 1 && freed == 6 && end.n == 3000 && whole.a[4] == 5);
  mtx_t nested;
  mtx_init(&nested, mtx_recursive | mtx_timed);
  CHECK(mtx_lock(&nested) == thrd_success && mtx_lock(&nested) == thrd_success && mtx_unlock(&nested) == thrd_success && mtx_unlock(&nested) == thrd_success);
  CHECK(mtx_trylock(&lock) == thrd_success && mtx_trylock(&lock) == thrd_busy);
  mtx_unlock(&lock);
  mtx_destroy(&lock);
  puts("ok");
}
