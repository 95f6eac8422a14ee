/* One misuse each, chosen by -DCASE=n; runtime_test.cpp has the expected messages.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <heddle.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_key_t key;
static void *lock_it(void *unused) { return pthread_mutex_lock(&mutex), unused; }
static void *read_it(void *unused) { return pthread_rwlock_rdlock(&rwlock), unused; }
static void in_thread(void *(*f)(void *)) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
}
int main(void) {
  switch (CASE) {
    case 0: pthread_mutex_unlock(&mutex); break;
    case 1: in_thread(lock_it), pthread_mutex_unlock(&mutex); break;
    case 2: pthread_mutex_lock(&mutex), pthread_mutex_destroy(&mutex); break;
    case 3: pthread_cond_wait(&cond, &mutex); break;
    case 4: pthread_rwlock_unlock(&rwlock); break;
    case 5: in_thread(read_it), pthread_rwlock_unlock(&rwlock); break;
    case 6: pthread_rwlock_wrlock(&rwlock), pthread_rwlock_destroy(&rwlock); break;
    case 7: pthread_spin_unlock(&spin); break;
    case 8: pthread_setspecific(key, &key); break;
    case 9: assert(CASE != 9); break;
    case 10: abort();
    case 11: reach_error(); break;
    case 12: __VERIFIER_nondet_int(); break;
    case 13: pthread_join((pthread_t)0, 0); break;
    case 14: heddle_choose(0); break;
  }
  puts("unnoticed");
}
