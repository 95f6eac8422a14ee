// what    a program in C++98
// why     a change of ours to <mutex>, which <vector> includes then, used a constant that only C++11 has
// options --std c++98
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <vector>

int main() {
  std::vector<int> numbers(3, 1);
  int sum = 0;
  for (std::vector<int>::iterator i = numbers.begin(); i != numbers.end(); ++i) sum += *i;
  assert(sum == 3);
}
