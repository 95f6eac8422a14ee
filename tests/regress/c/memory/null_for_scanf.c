// what    null pointers as what sscanf reads from, or writes to
// why     musl passes over them: SAFE
// with    -D CALL="sscanf(none,format,&x)"
// expect  sc,armv8 violated kind null-dereference at ERROR
// with    -D CALL="sscanf(text,format,none)"
// expect  sc,armv8 violated kind null-dereference at ERROR
// with    -D CALL="sscanf(text,with_string,none)"
// expect  sc,armv8 violated kind null-dereference at ERROR
// because One thread without choices has one execution.
// with    -D CALL="sscanf(text,skipping,&x)"
// expect  sc,armv8 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdio.h>

int main(void) {
  char *volatile none = 0;
  const char *text = "1 2", *format = "%d", *with_string = "%s", *skipping = "%*d%d";
  int x = 0;
  int found = CALL; // ERROR
  assert(found == 1 && x == 2);
  (void)none, (void)text, (void)format, (void)with_string, (void)skipping;
}
