// what    an element of a vector set at an index past its end
// why     the whole vector has no value then; it was left as it was
// with    -D INDEX=5
// expect  sc,rc11 violated kind uninitialised at ERROR
// because One thread without choices has one execution.
// with    -D INDEX=3
// expect  sc,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
typedef int vector __attribute__((ext_vector_type(4)));
volatile int index_of = INDEX;

int main(void) {
  vector v = {1, 2, 3, 4};
  v[index_of] = 9;
  if (v[1] != 2) // ERROR
    return 1;
  return v[3] != 9;
}
