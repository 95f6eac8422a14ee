// what    a vector whose memory resource has gone is read
// why     the graph engine ended with an internal error: a private access failed when the violation was told again
// expect  sc,rc11 violated kind use-after-free at read
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <memory_resource>
#include <vector>

int main() {
  std::pmr::vector<int>* numbers;
  {
    std::pmr::monotonic_buffer_resource resource(1024);
    numbers = new std::pmr::vector<int>({1, 2, 3}, &resource);
  }
  assert((*numbers)[0] == 1);  // read
}
