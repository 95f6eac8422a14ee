// what    a program's own function in place of one that the library has as an alias of another
// why     where an alias gives way, the function that it is another name of must stay for the rest of the library
// expect  sc     holds
// expect  tso    holds
// expect  armv8  holds
// expect  rc11   holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <string.h>

char *strchrnul(const char *text, int c) {
  (void)text;
  (void)c;
  return 0;
}

int main(void) {
  const char *text = "abc";
  assert(strchr(text, 'b') == text + 1);  // musl's calls the other name of its own strchrnul
  assert(strchrnul(text, 'b') == 0);
}
