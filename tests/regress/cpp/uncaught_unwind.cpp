// what    what destructors do before an exception that nothing catches ends the program
// why     the standard leaves open whether the stack is unwound then
// with    --uncaught stay
// expect  sc violated kind uncaught-exception at throw
// with    --uncaught unwind
// expect  rc11 violated kind assertion at destructor
// with    --uncaught both -D HANDLER
// expect  sc violated kind assertion at destructor
// with    --uncaught unwind -D QUIET
// expect  sc violated kind uncaught-exception
// with    --uncaught unwind -D QUIET -D HANDLER
// expect  sc holds
// with    --uncaught unwind -D PROMISES
// expect  sc violated kind assertion at destructor
// with    --uncaught unwind -D THREAD
// expect  sc violated kind assertion at destructor
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cstdlib>
#include <exception>
#include <thread>

static bool forbidden;

struct Cleanup {
  ~Cleanup() {
#ifndef QUIET
    assert(forbidden);  // destructor
#endif
  }
};

static void fails() {
  Cleanup cleanup;
  throw 1;  // throw
}

#ifdef PROMISES
static void promises() noexcept { fails(); }
#endif

int main() {
#ifdef HANDLER
  std::set_terminate([] { std::_Exit(0); });
#endif
#ifdef PROMISES
  promises();
#elif defined(THREAD)
  std::thread(fails).join();
#else
  fails();
#endif
}
