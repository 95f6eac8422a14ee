// std::call_once, in place of libc++'s src/call_once.cpp, which has one mutex and one condition variable for all flags.
// SPDX-License-Identifier: Apache-2.0
#include <mutex>

extern "C" void __heddle_wait_once(volatile unsigned long const* flag);  // until its lowest bit is set

_LIBCPP_BEGIN_NAMESPACE_STD

namespace {

using State = once_flag::_State_type;

// A flag is unset until the first call, and never again: the lowest bit says that nobody runs the function.
constexpr State unset = once_flag::_Unset, running = 2, failed = 1, complete = once_flag::_Complete;

}  // namespace

void __call_once(volatile State& flag, void* argument, void (*function)(void*)) {
  State found = unset;
  while (!__atomic_compare_exchange_n(&flag, &found, running, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    while (found == running) {
      __heddle_wait_once(&flag);
      found = __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    }
    if (found == complete) return;
  }
  try {
    function(argument);
  } catch (...) {
    __atomic_store_n(&flag, failed, __ATOMIC_RELEASE);
    throw;
  }
  __atomic_store_n(&flag, complete, __ATOMIC_RELEASE);
}

_LIBCPP_END_NAMESPACE_STD
