// what    one thread takes a read lock twenty times and releases it as often
// why     the count of a thread's read locks stuck at fifteen, and the sixteenth release passed for misuse
// expect  sc,rc11 holds
// with    -D ONCE_MORE
// expect  sc,rc11 violated kind misuse
// with    -D KEPT
// expect  sc,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 20; ++i) assert(pthread_rwlock_rdlock(&lock) == 0);
    for (int i = 0; i < 19; ++i) assert(pthread_rwlock_unlock(&lock) == 0);
#ifdef KEPT
    break;
#endif
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
#ifdef ONCE_MORE
  pthread_rwlock_unlock(&lock);
#endif
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
}
