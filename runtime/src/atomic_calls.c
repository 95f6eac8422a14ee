/* Atomics of sizes that have no instruction: clang calls these, and real libraries take a lock. Sizes with an
 * instruction never come here as long as programs are compiled with -mcx16.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "internal.h"

void load_any(size_t size, const void *object, void *result, int order) __asm__("__atomic_load");
void store_any(size_t size, void *object, const void *value, int order) __asm__("__atomic_store");
void exchange_any(size_t size, void *object, const void *value, void *result, int order) __asm__("__atomic_exchange");
_Bool compare_exchange_any(size_t size, void *object, void *expected, const void *desired, int success,
                           int failure) __asm__("__atomic_compare_exchange");

void load_any(size_t size, const void *object, void *result, int order) {
  (void)order;
  __heddle_atomic_begin();
  memcpy(result, object, size);
  __heddle_atomic_end();
}

void store_any(size_t size, void *object, const void *value, int order) {
  (void)order;
  __heddle_atomic_begin();
  memcpy(object, value, size);
  __heddle_atomic_end();
}

void exchange_any(size_t size, void *object, const void *value, void *result, int order) {
  (void)order;
  __heddle_atomic_begin();
  unsigned char old[size];
  memcpy(old, object, size);
  memcpy(object, value, size);
  memcpy(result, old, size);
  __heddle_atomic_end();
}

_Bool compare_exchange_any(size_t size, void *object, void *expected, const void *desired, int success, int failure) {
  (void)success, (void)failure;
  __heddle_atomic_begin();
  _Bool equal = memcmp(object, expected, size) == 0;
  if (equal) memcpy(object, desired, size);
  else memcpy(expected, object, size);
  __heddle_atomic_end();
  return equal;
}
