// what    a thread that is cancelled
// why     cancellation is not supported: the verdict says so instead of taking the thread for one that never ends
// options --engine explicit
// expect  sc,tso unknown reason has a function pthread_cancel at
// with    -D ASKS_ONLY
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static void *run(void *unused) {
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0) == 0);
  assert(pthread_setcancelstate(7, &old) != 0);
#ifdef ASKS_ONLY
  pthread_testcancel();
#else
  for (;;) pthread_testcancel();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
#ifndef ASKS_ONLY
  pthread_cancel(thread);
#endif
  pthread_join(thread, 0);
}
