// what    a ring buffer between two threads that wait for each other; each round of a loop calls functions with locals
// why     each local object had a name of its own, no round came back to a local state, and the answer was UNKNOWN
// with    --engine graph
// expect  sc,tso,pso,ra,rc11,armv8,riscv,power holds executions 9
// with    -D DANGLING --engine graph
// expect  sc,rc11,armv8 violated kind use-after-free
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <optional>
#include <thread>

template <class T, std::size_t N>
class Ring {
 public:
  bool push(T value) {
    const auto at = tail_.load(std::memory_order_relaxed), next = (at + 1) % N;
    if (next == head_.load(std::memory_order_acquire)) return false;
    items_[at] = value;
    tail_.store(next, std::memory_order_release);
    return true;
  }
  std::optional<T> pop() {
    const auto at = head_.load(std::memory_order_relaxed);
    if (at == tail_.load(std::memory_order_acquire)) return std::nullopt;
    T value = items_[at];
    head_.store((at + 1) % N, std::memory_order_release);
    return value;
  }

 private:
  std::array<T, N> items_{};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// A pointer to a local of a call that is over leads to no local of another call.
static const int* last;
static int remember(int value) {
  int own = value;
  last = &own;
  return own;
}
static int unrelated(int value) {
  std::optional<int> own = value;
  return *own + *last;
}

int main() {
  Ring<int, 3> ring;
  std::jthread producer([&] {
    for (int i = 1; i <= 3; ++i)
      while (!ring.push(i)) std::this_thread::yield();
  });
  for (int expected = 1; expected <= 3;)
    if (auto value = ring.pop()) assert(*value == expected++);
#ifdef DANGLING
  return remember(1) + unrelated(2);
#endif
}
