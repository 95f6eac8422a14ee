// what    std::call_once: one thread runs the function, the others wait for it; if it throws, the next one runs it
// why     replaced, because libc++ has one lock for all flags
// expect  tso,rc11 holds
// with    -D THROWS
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
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

int main() {
  std::thread other(use);
  use();
  other.join();
#ifdef THROWS
  assert(calls == 2);
#else
  assert(calls == 1);
#endif
}
