// what    three threads that move money between two accounts, each under the locks of both
// why     data-race freedom decides the weak models under sc; where something is not locked, it must not
// with    --engine drf
// expect  tso,pso,rc11,armv8,armv8.1,riscv,power holds
// with    -D UNLOCKED --engine drf
// because one thread reads a balance without its lock
// expect  tso,armv8 unknown reason under sc two accesses race that are not both seq_cst
// with    -D LOST --engine drf
// because the sum is wrong under sc already: a violation is for engines that can show it
// expect  tso,armv8 unknown reason the program goes wrong under sc
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {5, 5};

static void* move(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
#ifdef UNLOCKED
    if (balance[1] > 9) return 0;
#endif
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    balance[0]--;
#ifndef LOST
    balance[1]++;
#endif
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
  }
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, move, 0);
  pthread_create(&two, 0, move, 0);
  move(0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(balance[0] + balance[1] == 10);
  return 0;
}
