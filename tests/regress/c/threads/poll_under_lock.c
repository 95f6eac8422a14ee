// what    threads that look again and again, under a lock, at what another one is to set
// why     rounds that take a lock and give it up again write; without a bound on them there was no answer
// with    -D HEAD
// because The flag is guarded; who sees it has all that was before it.
// expect  sc,tso,pso,ra,rc11,armv8,armv8.1,power,riscv,rmo holds
// with    -D BODY
// expect  sc,tso,pso,ra,rc11,armv8,armv8.1,power,riscv,rmo holds
// with    -D HEAD -D LATE
// because The relaxed store after the section is not before what the poller reads.
// expect  sc,tso,pso,ra,rc11,armv8,power,riscv,rmo violated kind assertion at LATER
// with    -D HEAD -D ATOMIC
// because A relaxed flag that is set outside of the lock orders nothing, though it is read under it.
// expect  sc,tso holds
// expect  pso,rc11,armv8,power,riscv,rmo violated kind assertion at LATER
// with    -D HEAD -D TRY
// because The section ends, and only then the lock can be had: both trylocks may fail, during two rounds.
// expect  sc,tso,rc11,armv8 violated kind assertion at TWICE
// with    -D HEAD -D TRY -D AFTER
// because Whoever has seen the lock taken waits for it, and the round ends.
// expect  sc,tso,rc11,armv8 violated kind assertion at SEEN
// with    -D HEAD -D NEVER
// because Nobody sets the flag; the other thread has its turn with the lock.
// expect  sc,rc11,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, seen;
#ifdef ATOMIC
atomic_int done;
#define RELAXED(f) atomic_load_explicit(&f, memory_order_relaxed)
#else
int done;
#define RELAXED(f) f
#endif

static void set(void) {
  pthread_mutex_lock(&lock);
#ifndef NEVER
#ifndef ATOMIC
  done = 1;
#endif
#endif
  pthread_mutex_unlock(&lock);
}

static void *setter(void *unused) {
#ifdef TRY
  int failed = 0;
  for (int i = 0; i < 2; ++i) {
    if (pthread_mutex_trylock(&lock) != 0) ++failed;
    else pthread_mutex_unlock(&lock);
#ifdef AFTER
    if (failed) break;
#endif
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
#ifdef AFTER
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  assert(!failed);  // SEEN
#else
  assert(failed < 2);  // TWICE
#endif
#endif
#ifndef LATE
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#endif
#ifdef ATOMIC
  atomic_store_explicit(&done, 1, memory_order_relaxed);
#endif
  set();
#ifdef LATE
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setter, 0);
  int found;
#ifdef HEAD
  do {
    pthread_mutex_lock(&lock);
    found = RELAXED(done);
    pthread_mutex_unlock(&lock);
  } while (!found);
#else
  pthread_mutex_lock(&lock);
  while (!RELAXED(done)) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
#endif
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);  // LATER
  pthread_join(thread, 0);
  return 0;
}
