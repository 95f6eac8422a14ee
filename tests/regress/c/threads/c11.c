// what    C11 threads, mutexes, condition variables, call_once and thread-specific storage, used rightly
// why     the second interface to the same threads
// expect  sc,tso,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready, count;
static thread_local int own;

static void first(void) { count++; }

static int run(void *argument) {
  call_once(&flag, first);
  own = 5;
  tss_set(key, argument);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return tss_get(key) == argument ? 3 : 4;
}

int main(void) {
  thrd_t other;
  int result;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  tss_create(&key, 0);
  call_once(&flag, first);
  thrd_create(&other, run, &ready);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  thrd_join(other, &result);
  assert(result == 3 && count == 1 && own == 0 && tss_get(key) == 0);
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return 0;
}
