// what    an exception that leaks: what was allocated before it is never freed
// why     the mistake that smart pointers are for
// expect  sc violated kind memory-leak
// with    -D MENDED
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <memory>

static void work(int* p) {
  if (*p == 1) throw 1;
}

int main() {
  try {
#ifdef MENDED
    const auto p = std::make_unique<int>(1);
    work(p.get());
#else
    int* p = new int(1);
    work(p);
    delete p;
#endif
  } catch (int) {}
}
