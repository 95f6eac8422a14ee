/* malloc and its family: every object is one object of the machine, which finds overflows, leaks and bad frees.
 * realloc always moves, so that a pointer kept over it is found stale.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "internal.h"

/* The machine copies objects that are written to, so larger ones take too long; and offsets have 32 bits. */
enum { largest_object = 64 << 20 };

/* Sets errno if so. */
int __heddle_refuses(size_t size) {
  if (size > largest_object && size <= PTRDIFF_MAX) __heddle_unsupported("an object of more than 64 MiB");
  if (size <= PTRDIFF_MAX && !(__heddle_malloc_may_fail && __heddle_choose(2))) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return __heddle_refuses(size) ? 0 : __heddle_alloc(size, 0); }

/* Only C++ has objects of another family. Operators that the program defines itself are not checked. */
WEAK void *__heddle_plain_new(size_t);
WEAK void __heddle_plain_delete(void *);
WEAK void __heddle_plain_delete_array(void *);

static void check_family(void *object) {
  if (!__heddle_plain_new || !__heddle_plain_delete || !__heddle_plain_delete_array) return;
  unsigned long facts = __heddle_object_facts(object);
  if (facts != ~0UL && facts >> 32 != of_malloc)
    __heddle_fail("mismatched-free", "free of memory that new gave: delete or delete[] frees it");
}

void free(void *object) {
  if (!object) return;
  check_family(object);
  __heddle_free(object);
}

void *calloc(size_t count, size_t each) {
  size_t size;
  if (__builtin_mul_overflow(count, each, &size)) size = SIZE_MAX;
  if (__heddle_refuses(size)) return 0;
  return memset(__heddle_alloc(size, 0), 0, size);
}

void *realloc(void *old, size_t size) {
  if (!old) return malloc(size);
  check_family(old);
  size_t before = __heddle_object_size(old);
  if (__heddle_refuses(size)) return 0;
  void *object = __heddle_alloc(size, 0);
  memcpy(object, old, before < size ? before : size);
  __heddle_free(old);
  return object;
}

void *reallocarray(void *old, size_t count, size_t each) {
  size_t size;
  if (__builtin_mul_overflow(count, each, &size)) size = SIZE_MAX;
  return realloc(old, size);
}

/* The machine places objects at multiples of 16; a larger alignment avoids false sharing, which does not matter for
 * correctness. */
void *aligned_alloc(size_t alignment, size_t size) {
  if (!alignment || alignment & (alignment - 1)) {
    errno = EINVAL;
    return 0;
  }
  return malloc(size);
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
  void *object = malloc(size);
  if (!object) return ENOMEM;
  *result = object;
  return 0;
}

size_t malloc_usable_size(void *object) { return object ? __heddle_object_size(object) : 0; }

/* musl calls these where a program's own malloc must not interfere. */
void *__libc_malloc(size_t size) { return malloc(size); }
void *__libc_calloc(size_t count, size_t each) { return calloc(count, each); }
void *__libc_realloc(void *old, size_t size) { return realloc(old, size); }
void __libc_free(void *object) { free(object); }
