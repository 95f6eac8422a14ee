// std::atomic's notifications, in place of libc++'s src/atomic.cpp; its waits are in __atomic/atomic_sync.h (libcxx.patch).
// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "park.h"

_LIBCPP_BEGIN_NAMESPACE_STD

void __cxx_atomic_notify_one(void const volatile* location) noexcept { __heddle_unpark_one(location); }
void __cxx_atomic_notify_all(void const volatile* location) noexcept { __heddle_unpark_all(location); }
void __cxx_atomic_notify_one(__cxx_atomic_contention_t const volatile* location) noexcept {
  __heddle_unpark_one(location);
}
void __cxx_atomic_notify_all(__cxx_atomic_contention_t const volatile* location) noexcept {
  __heddle_unpark_all(location);
}

_LIBCPP_END_NAMESPACE_STD
