// what    std::barrier with a completion function; a thread that leaves out an arrival is waited for in vain
// why     libc++ polls with pauses in between: that nobody comes was no deadlock
// options -O 2
// expect  sc,armv8,rc11 holds
// with    -D MISSING
// expect  sc,rc11 violated kind deadlock
// with    -D EARLY
// expect  sc violated kind assertion at sum
// SPDX-License-Identifier: Apache-2.0
#include <barrier>
#include <cassert>
#include <thread>

int parts[2], sum, rounds;

struct Adds {
  void operator()() noexcept {
    sum = parts[0] + parts[1];
    ++rounds;
  }
};

int main() {
  std::barrier<Adds> barrier(2);
  const auto work = [&](int i) {
    parts[i] = i + 1;
#ifdef EARLY
    if (i == 0) (void)barrier.arrive();
    else barrier.arrive_and_wait();
#else
    barrier.arrive_and_wait();
#endif
    assert(sum == 3);  // sum
#ifdef MISSING
    if (i == 0)
#endif
      barrier.arrive_and_wait();
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(rounds == 2);
}
