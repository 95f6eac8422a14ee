// what    longjmp and pthread_exit out of functions whose loads nobody waits for
// why     under lmo and nsw such loads may be under way when their frame goes
// expect  sc,tso,pso,lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static int x, y;
static jmp_buf there;

static void leave(void) {
  int unused = x;
  (void)unused;
  longjmp(there, 1);
}

static void *quits(void *unused) {
  int never_used = y;
  (void)never_used;
  pthread_exit(unused);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, quits, 0);
  if (!setjmp(there)) leave();
  x = 1;
  y = 1;
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
