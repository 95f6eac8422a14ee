// what    std::lock and std::scoped_lock of several mutexes in any order
// why     libc++ tries and backs off, which need not end; here they are taken at once, and yet nothing deadlocks
// expect  pso,rc11 holds
// with    -D THREE
// expect  sc holds
// with    -D BESIDE
// expect  sc holds
// with    -D DEFERRED
// expect  sc holds
// with    -D TWICE
// expect  sc violated kind deadlock
// because BESIDE: who holds one mutex and waits for the other is not in the way of an attempt that backs off
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a, b, c;
int count;

int main() {
  std::thread other([] {
#ifdef BESIDE
    const std::lock_guard first(b), second(a);
#elif defined(THREE)
    const std::scoped_lock lock(c, b, a);
#elif defined(TWICE)
    const std::scoped_lock lock(a, a);
#elif defined(DEFERRED)
    std::unique_lock first(b, std::defer_lock), second(a, std::defer_lock);
    std::lock(first, second);
    assert(first.owns_lock() && second.owns_lock());
#else
    const std::scoped_lock lock(b, a);
#endif
    ++count;
  });
  {
#ifdef THREE
    const std::scoped_lock lock(a, b, c);
#else
    const std::scoped_lock lock(a, b);
#endif
    ++count;
  }
  other.join();
  assert(count == 2);
}
