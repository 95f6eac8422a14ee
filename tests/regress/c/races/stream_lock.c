// what    two threads write to one stream
// why     the library looked at the stream's lock word by a plain read: a data race of its own
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that); there are no files but those that the program makes
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *run(void *unused) {
  fputs("b", file);
  return unused;
}

int main(void) {
  file = fopen("both", "w");
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  fprintf(file, "a");
  pthread_join(t, 0);
  assert(ftell(file) == 2);
  fclose(file);
}
