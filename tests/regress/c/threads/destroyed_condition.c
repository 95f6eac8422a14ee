// what    a condition variable is used after it was destroyed, in each of the ways there are
// why     its word kept its value: a signal, a broadcast or a wait found nothing wrong
// with    -D "USE=pthread_cond_signal(&c)"
// expect  sc,rc11 violated kind misuse
// with    -D "USE=pthread_cond_broadcast(&c)"
// expect  sc,rc11 violated kind misuse
// with    -D "USE=pthread_cond_wait(&c,&m)"
// expect  sc,rc11 violated kind misuse
// with    -D "USE=pthread_cond_destroy(&c)"
// expect  sc,rc11 violated kind misuse
// with    -D "USE=pthread_cond_init(&c,0),pthread_cond_signal(&c)"
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&m);
  pthread_cond_destroy(&c);
  USE;
  pthread_mutex_unlock(&m);
}
