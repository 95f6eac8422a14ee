// what    stop callbacks that are made, run and destroyed while stop is requested
// why     the library locks its list by compare-exchanges on the word of the request: their rounds never ended under rc11
// with
// expect  sc,tso,rc11,armv8 holds
// with    -D ONCE
// expect  sc,rc11 violated kind assertion
// with    -D TWICE
// expect  sc,rc11,armv8 holds
// with    -D POLL
// expect  sc,rc11,armv8 holds
// with    -D LATE
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
#if defined TWICE  // one of two requests is the first, and runs the callback
  std::stop_source source;
  int calls = 0;
  std::stop_callback callback(source.get_token(), [&] { ++calls; });
  bool first = false;
  std::thread other([&] { first = source.request_stop(); });
  const bool second = source.request_stop();
  other.join();
  assert(first != second && calls == 1);
#elif defined POLL
  int written = 0;
  std::jthread other([&](std::stop_token token) {
    while (!token.stop_requested()) std::this_thread::yield();
    assert(written == 1);
  });
  written = 1;
#elif defined LATE  // a callback that comes after the request runs at once; libc++ does not order it, though the standard does
  std::stop_source source;
  int written = 0;
  std::thread other([&] {
    written = 1;
    source.request_stop();
  });
  if (source.stop_possible()) {
    std::stop_callback callback(source.get_token(), [&, me = std::this_thread::get_id()] {
      if (std::this_thread::get_id() == me) written = 2;
    });
  }
  other.join();
#else               // the destructor of a callback waits for its end
  std::stop_source source;
  std::thread other([&] { source.request_stop(); });
  int calls = 0;
  {
    int local = 0;
    std::stop_callback callback(source.get_token(), [&] { calls += ++local; });
  }
#ifdef ONCE
  assert(calls == 1);
#else
  assert(calls <= 1);
#endif
  other.join();
#endif
}
