// what    wrong uses of new and delete in optimised code
// why     clang removed new together with what was wrong about its delete: SAFE at -O1 and above
// options -O 2
// with
// expect  sc violated kind double-free
// with    -D LEAK
// expect  sc violated kind memory-leak
// with    -D ARRAY
// expect  sc violated kind mismatched-free
// SPDX-License-Identifier: Apache-2.0
#include <memory>

int main() {
  int* number = new int(2);
#if defined LEAK
  number = nullptr;
#elif defined ARRAY
  std::unique_ptr<int[]> owner(number);
#else
  std::unique_ptr<int> owner(number), other(number);
#endif
}
