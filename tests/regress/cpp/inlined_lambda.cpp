// what    a thread's lambda that the compiler inlines into the library's template is still the program's code
// why     the violation was said to be in the library, at its function abort
// options -O 2
// expect  sc,rc11 violated kind assertion at seen
// with    -D FREES
// expect  sc violated kind use-after-free at read
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
std::atomic<int>* shared = new std::atomic<int>(1);

int main() {
  std::thread other([] {
#ifdef FREES
    x = shared->load();  // read
#else
    assert(x.load() == 0);  // seen
#endif
  });
#ifdef FREES
  delete shared;
#else
  delete shared;
  x.store(1);
#endif
  other.join();
}
