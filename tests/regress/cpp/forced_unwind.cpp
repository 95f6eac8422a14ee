// what    a forced unwinding whose stop function ends the program at the end of the stack, optimised
// why     the exception object is the unwinder's until it has gone all the way: the program has not lost it
// with    -O 1
// expect  sc,tso holds
// with    -O 2
// expect  sc,tso,rc11 holds
// with    -O 2 -D LOST
// expect  sc,tso violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <unwind.h>

#include <cassert>
#include <cstdlib>
#include <thread>

static bool destroyed;

struct Guard {
  ~Guard() { destroyed = true; }
};

static _Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                struct _Unwind_Context*, void*) {
  if (!(actions & _UA_END_OF_STACK)) return _URC_NO_REASON;
  assert(destroyed);
  exit(0);
}

__attribute__((noinline)) static void unwound() {
  Guard guard;
#ifdef LOST
  void* volatile lost = malloc(4);
  lost = nullptr;
#endif
  auto* exception = new _Unwind_Exception{};
  _Unwind_ForcedUnwind(exception, stop, nullptr);
  abort();
}

int main() {
  std::thread(unwound).join();
  return 1;
}
