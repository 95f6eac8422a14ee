/* Memory that the library keeps for itself till the end: no leak of the checked program, and never refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "internal.h"

void *__heddle_quiet_malloc(size_t size) { return __heddle_alloc(size, runtime_kind); }

void *__heddle_quiet_realloc(void *old, size_t size) {
  void *object = __heddle_alloc(size, runtime_kind);
  if (old) {
    size_t before = __heddle_object_size(old);
    memcpy(object, old, before < size ? before : size);
    __heddle_free(old);
  }
  return object;
}
