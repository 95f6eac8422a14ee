// what    a function's static variable, initialised by whoever comes first; with an exception the next one tries again
// why     the guard is replaced: it must neither spin nor let a thread see a variable half made
// expect  tso,rc11 holds
// with    -D THROWS
// expect  sc holds
// with    -D RECURSIVE
// expect  sc violated kind recursive-initialisation
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <thread>

static int made;
struct Instance {
  int a = 1, b = 2;
  Instance() {
    ++made;
#ifdef THROWS
    if (made == 1) throw 1;
#endif
  }
};

static Instance& instance() {
#ifdef RECURSIVE
  static int depth = instance().a;
  assert(depth == 0);
#endif
  static Instance only;
  return only;
}

static void use() {
  try {
    const Instance& i = instance();
    assert(i.a == 1 && i.b == 2);
  } catch (int) {}
}

int main() {
  std::thread other(use);
  use();
  other.join();
  assert(made == 1 || made == 2);
}
