// Memory for exceptions, in place of libc++abi's fallback_malloc.cpp: that keeps some for when there is none left, and tells
// it apart by comparing addresses. Here it never runs out.
// SPDX-License-Identifier: Apache-2.0
#include "fallback_malloc.h"

#include <string.h>

#include "heddle_vm.h"

namespace __cxxabiv1 {

void* __aligned_malloc_with_fallback(size_t size) { return __heddle_alloc(size == 0 ? 1 : size, 7 + of_exception); }

void* __calloc_with_fallback(size_t count, size_t size) {
  return memset(__heddle_alloc(count * size, 0), 0, count * size);
}

void __aligned_free_with_fallback(void* object) { __heddle_free(object); }
void __free_with_fallback(void* object) { __heddle_free(object); }

}  // namespace __cxxabiv1
