// what    an atomic section that its thread never leaves: it waits for a mutex, for a variable, or ends the program
// why     graphs left out failures of others while a thread was inside, and showed others what the section had written,
//         though to them a section is one event, and this one has not happened
// expect  sc,tso,pso,rc11,armv8,power violated kind assertion
// with    -D SPINS
// expect  sc,tso,pso,rc11,armv8,power violated kind assertion
// with    -D EXITS
// expect  sc,tso,pso,rc11,armv8,power violated kind assertion
// with    -D SEEN -p assertion
// expect  sc,tso,pso,rc11,armv8,power holds
// with    -D SEEN -D SPINS -p assertion --engine graph
// expect  sc,tso,pso,rc11,armv8,power holds
// with    -D SEEN -D EXITS -p assertion
// expect  sc,tso,pso,rc11,armv8,power holds
// other   graph sc,tso,pso,rc11,armv8,power unknown exit() inside an atomic section
// with    -D FREED -p assertion
// expect  sc,tso,pso,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int begun, never, *shared;

static void *stay(void *unused) {
  __VERIFIER_atomic_begin();
  begun = 1;
#ifdef SPINS
  while (!never) {
  }
#elif defined EXITS
  exit(0);
#else
  pthread_mutex_lock(&mutex);
#endif
  __VERIFIER_atomic_end();
  return unused;
}

static void *write_shared(void *unused) {
  *shared = 1;
  return unused;
}

static int has_begun(void) {
  __VERIFIER_atomic_begin();
  const int seen = begun;
  __VERIFIER_atomic_end();
  return seen;
}

int main(void) {
  pthread_t stays, writes;
  shared = malloc(sizeof *shared);
  pthread_mutex_lock(&mutex);
  pthread_create(&writes, 0, write_shared, 0);
  pthread_create(&stays, 0, stay, 0);
  const int seen = has_begun();
#ifdef SEEN
  assert(!seen);
#elif defined FREED
  if (seen) free(shared);
#else
  assert(seen);
#endif
  return 0;
}
