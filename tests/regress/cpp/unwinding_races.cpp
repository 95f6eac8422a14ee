// what    store buffering between two destructors that stack unwinding runs
// why     what runs during unwinding is under the memory model like all else
// expect  sc holds
// expect  tso,armv8,rc11 violated kind assertion
// with    -D ORDER=seq_cst
// expect  tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>
#ifndef ORDER
#define ORDER relaxed
#endif

std::atomic<int> x, y;
int seen_x = -1, seen_y = -1;

struct WritesX {
  ~WritesX() {
    x.store(1, std::memory_order::ORDER);
    seen_y = y.load(std::memory_order::ORDER);
  }
};
struct WritesY {
  ~WritesY() {
    y.store(1, std::memory_order::ORDER);
    seen_x = x.load(std::memory_order::ORDER);
  }
};

template <class Guard>
void run() {
  try {
    Guard guard;
    throw 1;
  } catch (int) {}
}

int main() {
  std::thread other(run<WritesX>);
  run<WritesY>();
  other.join();
  assert(seen_x == 1 || seen_y == 1);
}
