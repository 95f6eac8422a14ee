// what    a write to a constant that is thread-local
// why     only the numbers of global objects were known to be constants
// expect  sc,tso,armv8,rc11 violated kind read-only at ERROR
// SPDX-License-Identifier: Apache-2.0
_Thread_local const int own = 1;

int main(void) {
  int *p = (int *)&own;
  *p = 2; // ERROR
  return own;
}
