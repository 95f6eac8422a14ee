// what    two threads wait for each other's locks, and the assumption of a third fails
// why     a violation counts if some run reaches it before any assumption fails; graphs took the failure for an excuse
// with    -D WHO=other
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind deadlock
// with    -D WHO=creator
// because main may stop in front of its assumption, as it may if another thread's assertion fails
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind deadlock
// with    -D WHO=reader
// because what is assumed would become true behind the cycle only
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind deadlock
// with    -D WHO=member
// because the assumption keeps a thread from its second lock: there is no cycle
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// with    -D WHO=holder
// because the holder of a lock, in front of its assumption, waits for nothing
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

void heddle_assume(int);
enum { other, creator, reader, member, holder };

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *forwards(void *unused) {
  pthread_mutex_lock(&a);
  if (WHO == holder) heddle_assume(0);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *backwards(void *unused) {
  pthread_mutex_lock(&b);
  if (WHO == member) heddle_assume(atomic_load(&done));
  pthread_mutex_lock(&a);
  atomic_store(&done, 1);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

static void *third(void *unused) {
  if (WHO == other) heddle_assume(0);
  if (WHO == reader) heddle_assume(atomic_load(&done));
  return unused;
}

int main(void) {
  pthread_t t, u, v;
  pthread_create(&v, 0, third, 0);
  pthread_create(&t, 0, forwards, 0);
  pthread_create(&u, 0, backwards, 0);
  if (WHO == creator) heddle_assume(0);
  pthread_join(t, 0);
  return 0;
}
