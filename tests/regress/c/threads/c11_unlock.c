// what    mtx_unlock of a recursive mutex that nobody holds, or another thread
// why     C11 7.26.4.6 wants it locked by the calling thread; the error code of POSIX was passed on
// expect  sc,rc11 violated kind misuse
// with    -D OTHER
// expect  sc,rc11 violated kind misuse
// with    -D OWN
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <threads.h>

static mtx_t m;

static int holds(void *unused) {
  (void)unused;
  return mtx_lock(&m) != thrd_success;
}

int main(void) {
  mtx_init(&m, mtx_plain | mtx_recursive);
#ifdef OTHER
  thrd_t t;
  thrd_create(&t, holds, 0);
  thrd_join(t, 0);
#elif defined OWN
  holds(0);
  holds(0);
  mtx_unlock(&m);
#endif
  mtx_unlock(&m);
}
