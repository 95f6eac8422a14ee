// what    a queue under a mutex with a condition variable, two consumers, and a broadcast that ends them
// why     558,744 executions under sc and some thousand states: only the theorem on data-race freedom decides the weak
//         models in seconds
// with    --engine drf
// expect  tso,pso,rc11,armv8,armv8.1,riscv,power holds
// with    -D FORGOTTEN --engine drf
// because one signal wakes one consumer, and the other waits for ever: a violation is for engines that can show it
// expect  armv8 unknown reason the program goes wrong under sc
// with    -D UNLOCKED --engine drf
// because sum is read without the lock while a consumer adds to it
// expect  armv8 unknown reason under sc two accesses race that are not both seq_cst
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[4], first, last, closed, sum;

static void push(int item) {
  pthread_mutex_lock(&mutex);
  items[last++] = item;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&changed);
}

static void* consume(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (first == last && !closed) pthread_cond_wait(&changed, &mutex);
    int ended = first == last;
    if (!ended) sum += items[first++];
    pthread_mutex_unlock(&mutex);
    if (ended) return 0;
  }
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, consume, 0);
  pthread_create(&two, 0, consume, 0);
  push(1);
#ifdef UNLOCKED
  if (sum > 3) return 1;
#else
  push(2);
#endif
  pthread_mutex_lock(&mutex);
  closed = 1;
  pthread_mutex_unlock(&mutex);
#ifdef FORGOTTEN
  pthread_cond_signal(&changed);
#else
  pthread_cond_broadcast(&changed);
#endif
  pthread_join(one, 0);
  pthread_join(two, 0);
#ifndef UNLOCKED
  assert(sum == 3);
#endif
  return 0;
}
