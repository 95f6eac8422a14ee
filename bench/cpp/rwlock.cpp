// Readers and writers of two numbers, which a lock for readers and writers keeps equal, each several times over (Courtois, Heymans,
// Parnas: "Concurrent control with readers and writers", CACM 1971).
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

class ReadersWriters {
 public:
  ~ReadersWriters() { pthread_rwlock_destroy(&lock_); }

  void write(int value) {
    pthread_rwlock_wrlock(&lock_);
    first_.store(value, std::memory_order_relaxed);
    second_.store(value, std::memory_order_relaxed);
    pthread_rwlock_unlock(&lock_);
  }
  bool agree() {
    pthread_rwlock_rdlock(&lock_);
    const bool same = first_.load(std::memory_order_relaxed) == second_.load(std::memory_order_relaxed);
    pthread_rwlock_unlock(&lock_);
    return same;
  }

 private:
  pthread_rwlock_t lock_ = PTHREAD_RWLOCK_INITIALIZER;
  std::atomic<int> first_{0}, second_{0};
};

int main() {
  ReadersWriters numbers;
  std::vector<std::thread> threads;
  for (int i = 0; i < WRITERS; ++i)
    threads.emplace_back([&numbers, i] {
      for (int round = 0; round < ROUNDS; ++round) numbers.write(i + 1);
    });
  for (int i = 0; i < READERS; ++i)
    threads.emplace_back([&numbers] {
      for (int round = 0; round < ROUNDS; ++round) assert(numbers.agree());
    });
  for (auto& thread : threads) thread.join();
}
