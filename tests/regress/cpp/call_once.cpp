// what    std::call_once: one thread runs the function, the others wait for it; if it throws, the next one runs it
// why     replaced, because libc++ has one lock for all flags
// expect  tso,rc11 holds
// with    -D THROWS
// expect  sc,tso,armv8,rc11 holds
// with    -D THROWS -D THIRD
// expect  sc,armv8,rc11 holds
// with    -D NO_FENCE
// expect  sc holds
// expect  tso,pso,armv8,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int calls, value;

static void initialise() {
  ++calls;
#ifdef THROWS
  if (calls == 1) throw 1;
#endif
  value = 3;
}

static void use() {
  try {
    std::call_once(flag, initialise);
    assert(value == 3);
  } catch (int) {}
}

#ifdef NO_FENCE
// Whoever runs the function releases; the standard asks for no more.
std::once_flag second;
std::atomic<int> x, y;

int main() {
  int seen = 0;
  std::thread other([&] {
    std::call_once(flag, [] { x.store(1, std::memory_order_relaxed); });
    seen = y.load(std::memory_order_relaxed);
  });
  std::call_once(second, [] { y.store(1, std::memory_order_relaxed); });
  const int here = x.load(std::memory_order_relaxed);
  other.join();
  assert(seen + here > 0);
}
#else
int main() {
  std::thread other(use);
#ifdef THIRD
  std::thread third(use);
#endif
  use();
  other.join();
#ifdef THIRD
  third.join();
#endif
#ifdef THROWS
  assert(calls == 2);
#else
  assert(calls == 1);
#endif
}
#endif
