// what    store buffering around locks of two mutexes at once, which are no fence
// why     they were taken in one atomic section, which is one: SAFE where the same locks in turn were UNSAFE
// options -p assertion
// expect  sc,tso,pso holds
// expect  rc11,armv8,riscv,power violated kind assertion at ERROR
// with    -D IN_TURN
// expect  sc,tso,pso holds
// expect  rc11,armv8,riscv,power violated kind assertion at ERROR
// with    -D SAME
// expect  sc,tso,pso,rc11,armv8,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int> x, y;
std::mutex a, b, c, d;
int seen;

static void pass(std::mutex& first, std::mutex& second) {
#ifdef IN_TURN
  const std::lock_guard one(first), two(second);
#else
  const std::scoped_lock both(first, second);
#endif
}

int main() {
  std::thread other([] {
    x.store(1, std::memory_order_relaxed);
    pass(a, b);
    seen = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
#ifdef SAME
  pass(b, a);
#else
  pass(c, d);
#endif
  const int found = x.load(std::memory_order_relaxed);
  other.join();
  assert(seen || found);  // ERROR
}
