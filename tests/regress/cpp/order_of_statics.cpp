// what    constructors of static variables in the order of their text, destructors and handlers of exit in reverse, thread-local
//         variables before those of the program
// why     C++ standard, [basic.start.dynamic] and [basic.start.term]
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <thread>

static int step;
struct Static {
  int begin, end;
  Static(int b, int e) : begin(b), end(e) {
    assert(std::cout.good());
    assert(step++ == begin);
  }
  ~Static() { assert(step++ == end); }
};
static Static first(0, 8), second(1, 7);

struct Local {
  int end;
  ~Local() { assert(step++ == end); }
};

int main() {
  assert(step++ == 2);
  std::atexit([] { assert(step++ == 6); });
  std::thread([] {
    thread_local Local local{3};
    (void)&local;
  }).join();
  assert(step++ == 4);
  thread_local Local local{5};
  (void)&local;
}
