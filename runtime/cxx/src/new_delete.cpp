// The other operators new and delete (new.h). Each does what the standard says its default is, in terms of those that the
// program may have replaced: all are weak, or the compiler would put one of them in the place of a call of it.
// SPDX-License-Identifier: Apache-2.0
#include "new.h"

using namespace heddle_runtime;

namespace {

template <class New>
void* or_null(New&& allocates) noexcept {
  try {
    return allocates();
  } catch (...) {
    return nullptr;
  }
}

// Is operator delete the library's? Then it is known what it does.
bool plain_delete() { return __heddle_plain_delete != nullptr; }

// What an aligned operator new of the program's own gave has no size that is known here. Memory that comes from another
// operator than it should is left to what is called next.
void check_aligned_size(void* object, std::size_t size, unsigned long family) {
  const unsigned long facts = object != nullptr ? __heddle_object_facts(object) : ~0UL;
  if (facts != ~0UL && facts >> 32 == family) check_size(facts, size);
}

}  // namespace

HEDDLE_WEAK void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return or_null([&] { return ::operator new(size); });
}
HEDDLE_WEAK void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return or_null([&] { return ::operator new[](size); });
}

HEDDLE_WEAK void operator delete(void* object, const std::nothrow_t&) noexcept { ::operator delete(object); }
HEDDLE_WEAK void operator delete(void* object, std::size_t size) noexcept {
  if (plain_delete()) release(object, of_new, checks(), true, size);
  else ::operator delete(object);
}

HEDDLE_WEAK void operator delete[](void* object, const std::nothrow_t&) noexcept { ::operator delete[](object); }
HEDDLE_WEAK void operator delete[](void* object, std::size_t size) noexcept {
  if (__heddle_plain_delete_array != nullptr && plain_delete() && checks_arrays())
    release(object, of_new_array, true, true, size);
  else ::operator delete[](object);
}

// With an alignment.
HEDDLE_WEAK void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return or_null([&] { return ::operator new(size, alignment); });
}
HEDDLE_WEAK void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return or_null([&] { return ::operator new[](size, alignment); });
}

HEDDLE_WEAK void operator delete(void* object, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  ::operator delete(object, alignment);
}
HEDDLE_WEAK void operator delete(void* object, std::size_t size, std::align_val_t alignment) noexcept {
  check_aligned_size(object, size, of_aligned_new);
  ::operator delete(object, alignment);
}
HEDDLE_WEAK void operator delete[](void* object, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  ::operator delete[](object, alignment);
}
HEDDLE_WEAK void operator delete[](void* object, std::size_t size, std::align_val_t alignment) noexcept {
  check_aligned_size(object, size, checks_aligned() ? of_aligned_new_array : of_aligned_new);
  ::operator delete[](object, alignment);
}
