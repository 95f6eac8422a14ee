/* POSIX threads with everything they wait on.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

enum { threads = 4, rounds = 2000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t semaphore;
static int counter, once_count, destroyed, queue[4], queue_length, serial, round_sum;
static int left, right;
static _Thread_local int mine;

static void *count(void *argument) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    pthread_spin_lock(&spin);
    counter += 0;
    pthread_spin_unlock(&spin);
    sem_wait(&semaphore);
    left++;
    sem_post(&semaphore);
    mine++;
  }
  CHECK(mine == rounds);
  return argument;
}
static void *produce(void *argument) {
  for (int i = 1; i <= rounds; i++) {
    pthread_mutex_lock(&mutex);
    while (queue_length == 4) pthread_cond_wait(&emptied, &mutex);
    queue[queue_length++] = i;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}
static void *consume(void *argument) {
  intptr_t sum = 0;
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&mutex);
    while (queue_length == 0) pthread_cond_wait(&filled, &mutex);
    sum += queue[--queue_length];
    pthread_cond_broadcast(&emptied);
    pthread_mutex_unlock(&mutex);
  }
  return (void *)(sum + (intptr_t)argument);
}
static void *read_and_write(void *argument) {
  for (int i = 0; i < 500; i++) {
    if (argument) {
      pthread_rwlock_wrlock(&rwlock);
      left = i;
      right = i;
    } else {
      pthread_rwlock_rdlock(&rwlock);
      CHECK(left == right);
    }
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
  }
  return 0;
}
static void *meet(void *argument) {
  for (int i = 0; i < 200; i++) {
    __atomic_fetch_add(&round_sum, 1, __ATOMIC_SEQ_CST);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
    CHECK(round_sum == (i + 1) * threads);
    pthread_barrier_wait(&barrier);
  }
  return argument;
}
static void first(void) { once_count++; }
static void *do_once(void *argument) { return pthread_once(&once, first), argument; }
static void destroy(void *value) { __atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_SEQ_CST); }
static void note(void *value) { *(int *)value += 1; }
static void *specific(void *argument) {
  CHECK(pthread_getspecific(key) == 0 && pthread_setspecific(key, argument) == 0 && pthread_getspecific(key) == argument);
  errno = 7;
  pthread_cleanup_push(note, argument);
  pthread_exit(argument);
  pthread_cleanup_pop(0);
}
static void all(void *(*f)(void *), void *odd, void *even) {
  pthread_t t[threads];
  for (int i = 0; i < threads; i++) CHECK(pthread_create(&t[i], 0, f, i % 2 ? odd : even) == 0);
  for (int i = 0; i < threads; i++) CHECK(pthread_join(t[i], 0) == 0);
}

int main(void) {
  pthread_spin_init(&spin, 0);
  sem_init(&semaphore, 0, 1);
  all(count, 0, 0);
  CHECK(counter == threads * rounds && left == threads * rounds && mine == 0);

  pthread_t p[2], c[2];
  void *sum[2];
  for (int i = 0; i < 2; i++) pthread_create(&p[i], 0, produce, 0), pthread_create(&c[i], 0, consume, (void *)1);
  for (int i = 0; i < 2; i++) pthread_join(p[i], 0), pthread_join(c[i], &sum[i]);
  CHECK((intptr_t)sum[0] + (intptr_t)sum[1] == (intptr_t)rounds * (rounds + 1) + 2);
  CHECK(pthread_cond_destroy(&filled) == 0 && pthread_mutex_destroy(&mutex) == 0);

  left = right = 0;
  all(read_and_write, (void *)1, 0);
  CHECK(pthread_rwlock_rdlock(&rwlock) == 0 && pthread_rwlock_tryrdlock(&rwlock) == 0 && pthread_rwlock_trywrlock(&rwlock) == EBUSY);
  CHECK(pthread_rwlock_unlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0 && pthread_rwlock_trywrlock(&rwlock) == 0);
  CHECK(pthread_rwlock_tryrdlock(&rwlock) == EBUSY && pthread_rwlock_unlock(&rwlock) == 0 && pthread_rwlock_destroy(&rwlock) == 0);

  pthread_barrier_init(&barrier, 0, threads);
  all(meet, 0, 0);
  CHECK(serial == 200 && pthread_barrier_destroy(&barrier) == 0 && pthread_barrier_init(&barrier, 0, 0) == EINVAL);

  all(do_once, 0, 0);
  CHECK(once_count == 1);

  int values[2] = {10, 1};
  CHECK(pthread_key_create(&key, destroy) == 0);
  pthread_t t;
  void *result;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, 0, specific, &values[i]);
    pthread_join(t, &result);
    CHECK(result == &values[i]);
  }
  CHECK(values[0] == 11 && values[1] == 2 && destroyed == 13 && errno != 7 && pthread_key_delete(key) == 0);

  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &a);
  struct timespec soon = {1, 0};
  CHECK(pthread_mutex_unlock(&recursive) == EPERM && pthread_mutex_unlock(&checking) == EPERM);
  CHECK(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0 && pthread_mutex_trylock(&recursive) == 0);
  CHECK(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  CHECK(pthread_mutex_unlock(&recursive) == EPERM);
  CHECK(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK && pthread_mutex_trylock(&checking) == EBUSY);
  CHECK(pthread_mutex_timedlock(&checking, &soon) == EDEADLK && pthread_mutex_unlock(&checking) == 0);
  pthread_mutex_init(&mutex, 0);
  CHECK(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == EBUSY && pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
  CHECK(pthread_cond_timedwait(&emptied, &mutex, &soon) == ETIMEDOUT && pthread_mutex_unlock(&mutex) == 0);
  CHECK(sem_wait(&semaphore) == 0 && sem_trywait(&semaphore) < 0 && errno == EAGAIN && sem_timedwait(&semaphore, &soon) < 0 && errno == ETIMEDOUT);
  int value;
  CHECK(sem_post(&semaphore) == 0 && sem_getvalue(&semaphore, &value) == 0 && value == 1 && sem_destroy(&semaphore) == 0);
  CHECK(pthread_equal(pthread_self(), pthread_self()) && pthread_spin_trylock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY);
  CHECK(sched_yield() == 0 && usleep(1000000) == 0 && sleep(100) == 0);
  puts("ok");
  return 0;
}
