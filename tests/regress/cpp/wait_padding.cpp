// what    std::atomic::wait on values with padding and on pointers
// why     values were compared byte by byte: padding was read as uninitialised memory, a false alarm, and pointers were used
//         as numbers, so that the leak of what they point to was not looked for
// with    -D PADDED
// assumes bits that were never set are padding where a compare-exchange compares them
// expect  sc,tso,armv8,rc11 holds
// with    -D PADDED -D SAME
// assumes bits that were never set are padding where a compare-exchange compares them
// expect  sc,tso,armv8,rc11 violated kind deadlock
// with    -D POINTER
// assumes freed memory is not allocated again at the same address
// expect  sc,tso,armv8,rc11 holds
// with    -D POINTER -D LEAKED
// assumes nothing
// expect  sc,tso,armv8,rc11 violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

#ifdef PADDED
struct Value {
  char c;
  int i;
};
std::atomic<Value> value(Value{1, 2});

int main() {
  std::thread other([] {
#ifdef SAME
    value.store(Value{1, 2});
#else
    value.store(Value{1, 3});
#endif
    value.notify_one();
  });
  value.wait(Value{1, 2});
  assert(value.load().i == 3);
  other.join();
}
#else
std::atomic<int*> box{nullptr};

int main() {
  std::thread other([] {
    box.store(new int(3), std::memory_order_release);
    box.notify_one();
  });
  box.wait(nullptr, std::memory_order_acquire);
  int* found = box.exchange(nullptr, std::memory_order_acquire);
  assert(*found == 3);
#ifndef LEAKED
  delete found;
#endif
  other.join();
}
#endif
