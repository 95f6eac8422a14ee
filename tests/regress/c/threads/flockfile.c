// what    streams that the program locks: recursive, and they exclude other threads and what these print
// why     printing passed a locked console by, so that a deadlock was not seen
// expect  sc,tso,rc11 holds
// with    -D UNLOCKED
// expect  rc11 violated kind race
// with    -D PRINTS
// expect  sc,tso,rc11 violated kind deadlock
// with    -D NOT_HELD
// expect  sc,tso,rc11 violated kind misuse
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *run(void *unused) {
#ifdef PRINTS
  puts("waits");
#else
  if (ftrylockfile(stdout)) return unused;
  shared++;
  funlockfile(stdout);
#ifdef NOT_HELD
  funlockfile(stdout);
#endif
#endif
  return unused;
}

int main(void) {
  pthread_t t;
#ifdef PRINTS
  flockfile(stdout);
#endif
  pthread_create(&t, 0, run, 0);
#ifdef PRINTS
  pthread_join(t, 0);
#endif
  flockfile(stdout);
  assert(ftrylockfile(stdout) == 0);
  shared++;
  printf("%d\n", 1);
  putchar_unlocked('x');
  funlockfile(stdout);
#ifndef UNLOCKED
  shared++;
#endif
  funlockfile(stdout);
#ifdef UNLOCKED
  shared++;
#endif
  pthread_join(t, 0);
}
