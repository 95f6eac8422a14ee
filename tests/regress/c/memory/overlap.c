// what    copies between regions that overlap: memcpy of few and of many bytes, strcpy, strncpy, strcat, strncat
// why     they are undefined, and do what they should on one machine and not on the next
// with    -D CASE=1
// expect  sc,rc11 violated kind overlap at ERROR1
// with    -D CASE=2
// expect  sc,rc11 violated kind overlap at ERROR2
// with    -D CASE=3
// expect  sc violated kind overlap at ERROR3
// with    -D CASE=4
// expect  sc violated kind overlap at ERROR4
// with    -D CASE=5
// expect  sc violated kind overlap at ERROR5
// with    -D CASE=7
// expect  sc violated kind overlap at ERROR7
// because One thread without choices has one execution.
// with    -D CASE=6
// expect  sc,tso,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <string.h>

static char text[200] = "a text of some length";
struct pair {
  long first, second;
};

int main(void) {
  unsigned long many = 100;
#if CASE == 1
  memcpy(text + 1, text, 4); // ERROR1
#elif CASE == 2
  memcpy(text, text + 3, many); // ERROR2
#elif CASE == 3
  strcpy(text, text + 3); // ERROR3
#elif CASE == 4
  strncpy(text + 4, text + 6, 5); // ERROR4
#elif CASE == 5
  char *end = text + strlen(text);
  end[1] = 'x';
  strcat(text, end + 1); // ERROR5
#elif CASE == 7
  char *end = text + strlen(text);
  end[2] = end[3] = 'x'; // the final 0 of the copy replaces the first
  strncat(text, end + 2, 2); // ERROR7
#else
  struct pair p = {1, 2}, *same = &p;
  *same = p; // the same place twice is no overlap
  memmove(text, text + 2, 10);
  memcpy(text + 50, text, 50);
  memcpy(text, text + many, many);
  strcpy(text, "left");
  strcpy(text + 20, text);
  strcat(text, text + 21);
  assert(!strcmp(text, "lefteft") && same->second == 2);
  strncat(text, text + 4, 3); // its end is where the copy begins
  assert(!strcmp(text, "leftefteft"));
#endif
  return 0;
}
