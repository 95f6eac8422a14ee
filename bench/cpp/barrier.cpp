// Threads that meet at a barrier in every round: nobody is more than a round ahead of the others.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

class Barrier {
 public:
  explicit Barrier(unsigned threads) { pthread_barrier_init(&barrier_, nullptr, threads); }
  ~Barrier() { pthread_barrier_destroy(&barrier_); }
  void arrive_and_wait() { pthread_barrier_wait(&barrier_); }

 private:
  pthread_barrier_t barrier_;
};

int main() {
  Barrier barrier(THREADS);
  std::array<std::atomic<int>, THREADS> at{};
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i)
    threads.emplace_back([&, i] {
      for (int round = 1; round <= ROUNDS; ++round) {
        at[i].store(round);
        barrier.arrive_and_wait();
        for (const auto& other : at) assert(other.load() >= round);
        barrier.arrive_and_wait();
      }
    });
  for (auto& thread : threads) thread.join();
}
