// std::call_once, in place of libc++'s src/call_once.cpp, which has one mutex and one condition variable for all flags.
// SPDX-License-Identifier: Apache-2.0
#include <mutex>

#include "park.h"

_LIBCPP_BEGIN_NAMESPACE_STD

namespace {

using State = once_flag::_State_type;

void finish(volatile State& flag, State state) {
  __atomic_store_n(&flag, state, __ATOMIC_RELEASE);
  __heddle_unpark_all(&flag);
}

}  // namespace

void __call_once(volatile State& flag, void* argument, void (*function)(void*)) {
  for (;;) {
    State found = once_flag::_Unset;
    if (__atomic_compare_exchange_n(&flag, &found, once_flag::_Pending, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) break;
    if (found == once_flag::_Complete) return;
    __heddle_park(&flag);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == once_flag::_Pending) __heddle_wait_parked(&flag);
    else __heddle_unpark();
  }
  try {
    function(argument);
  } catch (...) {
    finish(flag, once_flag::_Unset);
    throw;
  }
  finish(flag, once_flag::_Complete);
}

_LIBCPP_END_NAMESPACE_STD
