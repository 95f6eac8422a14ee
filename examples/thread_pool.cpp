// A pool of threads that run tasks, with futures for their results. A task's exception reaches whoever asks for the result.
//
//   heddle check examples/thread_pool.cpp --model sc
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

class Pool {
 public:
  Pool() : worker_([this] { run(); }) {}
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  template <class F>
  auto submit(F f) {
    auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
    auto result = task->get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void run() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool ending_ = false;
  std::thread worker_;
};

int main() {
  Pool pool;
  auto fails = pool.submit([]() -> int { throw std::runtime_error("no result"); });
  try {
    fails.get();
    assert(false);
  } catch (const std::runtime_error&) {
  }
}
