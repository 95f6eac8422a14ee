// what    a queue with a mutex and a condition variable, through which threads hand shared pointers to main
// why     copies of whole objects cut their members, and graphs of such accesses were judged anew for each source of each read:
//         a minute and more under power
// options --engine graph
// expect  armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

template <class T>
class BlockingQueue {
 public:
  void put(T value) {
    std::lock_guard lock(mutex_);
    queue_.push(std::move(value));
    filled_.notify_one();
  }
  T take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !queue_.empty(); });
    T value = std::move(queue_.front());
    queue_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::queue<T> queue_;
};

int main() {
  BlockingQueue<std::shared_ptr<int>> queue;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([&, i] { queue.put(std::make_shared<int>(i)); });
  int sum = 0;
  for (int i = 0; i < 2; ++i) sum += *queue.take();
  for (std::thread& thread : threads) thread.join();
  assert(sum == 1);
}
