// what    message passing by a plain flag that the reader polls
// why     under the models of the language a data race is undefined behaviour, and so an error without being asked for:
// because Two executions: the flag is seen or not.
//         what holds there holds on every machine; --property assertion leaves it out
// expect  sc,tso holds executions 2
// expect  rc11,ra,rc20 violated kind race
// with    -p assertion
// expect  rc11,ra holds executions 2
// with    -D ATOMIC
// expect  sc,tso,rc11,rc20,ra,armv8,power holds executions 2
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
#ifdef ATOMIC
static atomic_int flag;
#else
static int flag;
#endif

static void *reader(void *unused) {
  if (flag) {
#ifdef ATOMIC
    assert(data == 1);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
#ifdef ATOMIC
  data = 1;
#endif
  flag = 1;
  pthread_join(thread, 0);
}
