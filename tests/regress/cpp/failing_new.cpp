// what    operator new that fails at every place
// why     std::bad_alloc takes the program through all its clean-ups
// options --malloc-may-fail
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <new>

struct Pair {
  std::unique_ptr<int> a, b;
  Pair() : a(std::make_unique<int>(1)), b(std::make_unique<int>(2)) {}
};

int main() {
  try {
    const auto pair = std::make_unique<Pair>();
    return *pair->a + *pair->b == 3 ? 0 : 1;
  } catch (const std::bad_alloc&) {}
}
