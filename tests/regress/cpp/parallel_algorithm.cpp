// what    an algorithm with an execution policy runs in the thread that calls it, and the verdict says so
// why     what races between the calls of its function is not found
// assumes algorithms with an execution policy run in the thread that calls them
// expect  sc holds
// with    -O 2
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cassert>
#include <execution>
#include <vector>

int main() {
  std::vector<int> numbers{3, 1, 2};
  std::atomic<int> sum;
  std::for_each(std::execution::par, numbers.begin(), numbers.end(), [&](int n) { sum += n; });
  assert(sum == 6);
}
