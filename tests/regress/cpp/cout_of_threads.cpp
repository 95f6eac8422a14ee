// what    two threads that write to std::cout and std::cerr at the same time
// why     the standard allows it ([iostream.objects.overview]); rc11 reported the library's own stores as a data race
// expect  rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <thread>

int main() {
  std::thread other([] { std::cout << "one\n"; });
  std::cout << "other\n";
  std::cerr << 3 << '\n';
  other.join();
}
