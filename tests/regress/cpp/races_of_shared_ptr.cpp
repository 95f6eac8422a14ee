// what    a std::shared_ptr is copied while another thread assigns to it: the counter is used after it was freed, and
//         then freed again
// why     under armv8 and power the trace did not replay: the thread that uses it fails later in another way
// expect  sc,tso,pso,armv8,power,rc11 violated
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <thread>

std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
  std::thread other([] { shared = std::make_shared<int>(2); });
  auto copy = shared;
  other.join();
}
