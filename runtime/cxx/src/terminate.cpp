// What happens where a program cannot go on: an exception that nobody catches is a violation that names its type and text.
// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "cxa_exception.h"
#include "cxa_handlers.h"
#include "heddle_vm.h"
#include "private_typeinfo.h"

using namespace __cxxabiv1;

extern "C" void __heddle_terminate();

namespace {

constexpr unsigned longest = 200;

// In a function of its own: the text lies in its frame, where the machine reads it, and not in memory.
[[noreturn]] void report(const char* type, const char* what, const char* how) {
  char text[longest + 1];
  unsigned n = 0;
  if (what != nullptr)
    for (; n < longest && what[n] != 0; ++n) text[n] = what[n];
  text[n] = 0;
  __heddle_fail_exception(type, text, how);
}

[[noreturn]] void report(__cxa_exception* header, _Unwind_Exception* exception, const char* how) {
  void* thrown = __getExceptionClass(exception) == kOurDependentExceptionClass
                     ? reinterpret_cast<__cxa_dependent_exception*>(header)->primaryException
                     : static_cast<void*>(header + 1);
  const auto* type = static_cast<const __shim_type_info*>(header->exceptionType);
  const auto* standard = static_cast<const __shim_type_info*>(&typeid(std::exception));
  const char* what = nullptr;
  if (standard->can_catch(type, thrown)) what = static_cast<const std::exception*>(thrown)->what();
  report(type->name(), what, how);
}

}  // namespace

// Called by the unwinder while the stack is still there. With a handler of the program's own it leaves all to that one.
extern "C" void __heddle_report_exception(_Unwind_Exception* exception, const char* how) {
  if (!__isOurExceptionClass(exception) || std::get_terminate() != __heddle_terminate) return;
  report(reinterpret_cast<__cxa_exception*>(exception + 1) - 1, exception, how);
}

// The default handler of std::terminate (cxx/MODULES).
extern "C" void __heddle_terminate() {
  __cxa_eh_globals* globals = __cxa_get_globals_fast();
  __cxa_exception* header = globals != nullptr ? globals->caughtExceptions : nullptr;
  if (header == nullptr) __heddle_fail("terminate", "std::terminate was called");
  auto* exception = reinterpret_cast<_Unwind_Exception*>(header + 1) - 1;
  if (!__isOurExceptionClass(exception)) __heddle_fail("terminate", "std::terminate was called");
  report(header, exception, " ends in std::terminate");
}

// libc++abi's own complaints, as of a pure virtual call.
extern "C" [[noreturn]] void abort_message(const char* format, ...) { __heddle_fail("abort", format); }

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char* format, ...) { __heddle_fail("abort", format); }
_LIBCPP_END_NAMESPACE_STD
