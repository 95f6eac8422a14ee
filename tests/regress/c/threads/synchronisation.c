// what    every kind of lock and wait that POSIX has, used rightly
// why     no false alarm, and everything is seen that was written before
// because A mutex, a semaphore and a spin lock have two executions: either thread is first. The barrier has four: two
//         orders of the increments, two of the arrivals.
// with    -D KIND=0
// expect  sc,tso,pso holds executions 2
// expect  lmo holds
// with    -D KIND=1
// expect  sc,tso,pso,lmo holds
// with    -D KIND=2
// expect  sc,tso,pso holds executions 2
// expect  lmo holds
// with    -D KIND=3
// expect  sc,tso,pso holds executions 2
// expect  lmo holds
// with    -D KIND=4
// expect  sc,tso,pso,lmo holds
// with    -D KIND=5
// expect  sc,tso,pso holds executions 4
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int value;

#if KIND == 0 /* mutex */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void setup(void) {}
static void work(void) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
}
#elif KIND == 1 /* read-write lock */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void setup(void) {}
static void work(void) {
  pthread_rwlock_rdlock(&lock);
  int seen = value;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  assert(value >= seen);
  value++;
  pthread_rwlock_unlock(&lock);
}
#elif KIND == 2 /* semaphore */
static sem_t semaphore;
static void setup(void) { sem_init(&semaphore, 0, 1); }
static void work(void) {
  sem_wait(&semaphore);
  value++;
  sem_post(&semaphore);
}
#elif KIND == 3 /* spin lock */
static pthread_spinlock_t spin;
static void setup(void) { pthread_spin_init(&spin, 0); }
static void work(void) {
  pthread_spin_lock(&spin);
  value++;
  pthread_spin_unlock(&spin);
}
#elif KIND == 4 /* once */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void set(void) { value = 2; }
static void setup(void) {}
static void work(void) {
  pthread_once(&once, set);
  assert(value == 2);
}
#else /* barrier */
static pthread_barrier_t barrier;
static int first;
static void setup(void) { pthread_barrier_init(&barrier, 0, 2); }
static void work(void) {
  __atomic_fetch_add(&first, 1, __ATOMIC_RELAXED);
  if (pthread_barrier_wait(&barrier)) value = 2;
  assert(__atomic_load_n(&first, __ATOMIC_RELAXED) == 2);
}
#endif

static void *run(void *unused) {
  work();
  return unused;
}

int main(void) {
  pthread_t other;
  setup();
  pthread_create(&other, 0, run, 0);
  work();
  pthread_join(other, 0);
  assert(value == 2);
  return 0;
}
