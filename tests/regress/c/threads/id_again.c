// what    the id of a thread that has been joined is compared with that of one created later
// why     a new thread may get the id of one that has ended, which here it never does: the verdict has to say so
// assumes the id of a thread that has ended is not given to a new thread
// expect  sc,rc11 holds
// with    -D TOGETHER
// assumes nothing
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, nothing, 0);
#ifdef TOGETHER
  pthread_create(&b, 0, nothing, 0);
  assert(!pthread_equal(a, b));
  pthread_join(a, 0);
#else
  pthread_join(a, 0);
  pthread_create(&b, 0, nothing, 0);
  assert(!pthread_equal(a, b));
#endif
  pthread_join(b, 0);
}
