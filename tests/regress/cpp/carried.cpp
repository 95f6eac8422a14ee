// what    an exception that travels to another thread by std::exception_ptr, std::promise and std::async
// why     exception objects are counted by threads, and freed by the last one
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::exception_ptr pointer;
  std::thread thrower([&] {
    try {
      throw std::out_of_range("far");
    } catch (...) {
      pointer = std::current_exception();
    }
  });
  thrower.join();
  try {
    std::rethrow_exception(pointer);
  } catch (const std::out_of_range& e) {
    assert(e.what()[0] == 'f');
  }
  pointer = nullptr;

  std::promise<int> promise;
  std::thread setter([&] { promise.set_exception(std::make_exception_ptr(4)); });
  try {
    promise.get_future().get();
    assert(false);
  } catch (int i) {
    assert(i == 4);
  }
  setter.join();
}
