// Operators new and delete, in place of libc++abi's stdlib_new_delete.cpp: objects know by which of them they were allocated
// (heddle_vm.h), and each delete knows what it may free. new.cpp, new_array.cpp, delete.cpp and delete_array.cpp are modules of
// their own, each linked only where the program does not replace its operator, and each wants all others: so it is known
// which are the program's. What those allocate and free is not checked. The same goes for the four with an alignment
// (aligned_*.cpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <new>

#include "heddle_vm.h"

#define HEDDLE_WEAK __attribute__((__weak__))

extern "C" {
int __heddle_refuses(std::size_t);
HEDDLE_WEAK void* __heddle_plain_new(std::size_t);        // defined where operator new is the library's
HEDDLE_WEAK void* __heddle_plain_new_array(std::size_t);  // likewise operator new[]
HEDDLE_WEAK void __heddle_plain_delete(void*);            // likewise operator delete
HEDDLE_WEAK void __heddle_plain_delete_array(void*);      // likewise operator delete[]
// Likewise those with an alignment.
HEDDLE_WEAK void* __heddle_plain_aligned_new(std::size_t);
HEDDLE_WEAK void* __heddle_plain_aligned_new_array(std::size_t);
HEDDLE_WEAK void __heddle_plain_aligned_delete(void*);
HEDDLE_WEAK void __heddle_plain_aligned_delete_array(void*);
}

#define HEDDLE_WANTS_NEW                                                         \
  [[gnu::used]] static void* (*const wanted_new)(std::size_t) = &operator new; \
  [[gnu::used]] static void* (*const wanted_new_array)(std::size_t) = &operator new[];
#define HEDDLE_WANTS_DELETE                                                           \
  [[gnu::used]] static void (*const wanted_delete)(void*) noexcept = &operator delete; \
  [[gnu::used]] static void (*const wanted_delete_array)(void*) noexcept = &operator delete[];
#define HEDDLE_WANTS_ALIGNED                                                                                      \
  [[gnu::used]] static void* (*const wanted_new)(std::size_t, std::align_val_t) = &operator new;                  \
  [[gnu::used]] static void* (*const wanted_new_array)(std::size_t, std::align_val_t) = &operator new[];          \
  [[gnu::used]] static void (*const wanted_delete)(void*, std::align_val_t) noexcept = &operator delete;          \
  [[gnu::used]] static void (*const wanted_delete_array)(void*, std::align_val_t) noexcept = &operator delete[];

namespace heddle_runtime {

// One byte at least; null if there is no memory and no handler that finds some.
template <int Family>
inline void* allocate(std::size_t size) {
  if (size == 0) size = 1;
  while (__heddle_refuses(size)) {
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) return nullptr;
    handler();
  }
  return __heddle_alloc(size, 7 + Family);
}

inline void* or_throw(void* object) {
  if (object == nullptr) throw std::bad_alloc();
  return object;
}

[[noreturn]] inline void mismatch(unsigned long family) {
  const char* text = family == of_malloc      ? "delete of memory that malloc gave: free frees it"
                     : family == of_new       ? "memory that new gave is freed by delete, and by nothing else"
                     : family == of_new_array ? "memory that new[] gave is freed by delete[], and by nothing else"
                     : family == of_aligned_new
                         ? "memory that new with an alignment gave is freed by delete with one, and by nothing else"
                         : "memory that new[] with an alignment gave is freed by delete[] with one, and by nothing else";
  __heddle_fail("mismatched-free", text);
}

// `size` is what the caller of delete takes the object's size to be.
inline void check_size(unsigned long facts, std::size_t size) {
  if ((facts & 0xffffffff) == (size == 0 ? 1 : size)) return;
  __heddle_fail("mismatched-free",
                facts >> 32 == of_new_array
                    ? "delete[] with another size than that of the array: is it deleted by a pointer to a base class of its elements?"
                : facts >> 32 == of_aligned_new_array
                    ? "delete[] with another size than that of the array, whose elements have an alignment of their own"
                : facts >> 32 == of_aligned_new
                    ? "delete with another size than that of the object, which has an alignment of its own: is it deleted by a "
                      "pointer to a base class that has no virtual destructor?"
                    : "delete with another size than that of the object: is it deleted by a pointer to a base class that has no "
                      "virtual destructor?");
}

// Frees what was allocated in this family. `size` is what the caller takes its size to be, if `sized`.
inline void release(void* object, unsigned long family, bool checked, bool sized = false, std::size_t size = 0) {
  if (object == nullptr) return;
  const unsigned long facts = checked ? __heddle_object_facts(object) : ~0UL;
  if (facts != ~0UL) {  // otherwise it is no object: freeing it is an error of another kind
    if (facts >> 32 != family) mismatch(facts >> 32);
    if (sized) check_size(facts, size);
  }
  __heddle_free(object);
}

inline bool checks() { return __heddle_plain_new != nullptr; }
inline bool checks_arrays() { return checks() && __heddle_plain_new_array != nullptr; }
inline bool checks_aligned() {
  return __heddle_plain_aligned_new != nullptr && __heddle_plain_aligned_new_array != nullptr &&
         __heddle_plain_aligned_delete != nullptr && __heddle_plain_aligned_delete_array != nullptr;
}

}  // namespace heddle_runtime
