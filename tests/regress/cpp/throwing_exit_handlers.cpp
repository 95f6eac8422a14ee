// what    an exception leaves what runs at the end of a program or of a thread, and a handler stands around that end
// why     it was caught there, though the program must terminate ([support.start.term], [basic.start.term])
// expect  sc,rc11 violated kind uncaught-exception
// with    -D STATIC
// expect  sc violated kind uncaught-exception
// with    -D QUICK
// expect  sc violated kind uncaught-exception
// with    -D THREAD
// expect  sc violated kind uncaught-exception
// with    -D CAUGHT
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <cstdlib>

struct Thrower {
  int value = 1;
  ~Thrower() noexcept(false) {
#ifdef CAUGHT
    try {
      throw value;
    } catch (int) {}
#else
    throw value;
#endif
  }
};

#if defined THREAD
thread_local Thrower thrower;

void* thread(void*) {
  thrower.value = 2;
  try {
    pthread_exit(nullptr);
  } catch (int) {}
  return nullptr;
}
#endif

int main() {
#if defined THREAD
  pthread_t t;
  pthread_create(&t, nullptr, thread, nullptr);
  pthread_join(t, nullptr);
#elif defined QUICK
  std::at_quick_exit([] { throw 1; });
  try {
    std::quick_exit(0);
  } catch (int) {}
#elif defined STATIC || defined CAUGHT
  static Thrower thrower;
  thrower.value = 2;
  try {
    std::exit(0);
  } catch (int) {}
#else
  std::atexit([] { throw 1; });
  try {
    std::exit(0);
  } catch (int) {}
#endif
}
