// what    longjmp with the buffer of an earlier call of the function that runs
// why     its frame lies where that of the earlier call lay, and the jump went there
// expect  sc,tso,pso,lmo,rc11 violated kind bad-jump
// with    -D THREAD
// expect  sc,tso,rc11 violated kind bad-jump
// with    -D MENDED
// expect  sc,tso,pso,lmo,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <setjmp.h>

#ifdef MENDED
enum { sets_anew = 1 };
#else
enum { sets_anew = 0 };
#endif

static jmp_buf buffer;

static void *call(void *jumps) {
  if (!jumps || sets_anew) {
    if (setjmp(buffer)) return 0;
    if (!jumps) return 0;
  }
  longjmp(buffer, 1);
}

int main(void) {
#ifdef THREAD
  pthread_t t;
  if (setjmp(buffer)) return 0;
  pthread_create(&t, 0, call, &t);
  pthread_join(t, 0);
#else
  call(0);
  call(&buffer);
#endif
}
