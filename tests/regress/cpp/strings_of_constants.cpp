// what    a string inserts part of itself while the program is compiled
// why     whether the two overlap is asked by a comparison that the compiler has to understand as well
// with    --std c++20
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <string>

constexpr bool doubles() {
  std::string s = "heddle";
  s.insert(s.begin(), s.begin(), s.end());
  s.append(s.begin(), s.begin() + 3);
  s.replace(s.begin(), s.begin() + 2, s.begin() + 1, s.begin() + 3);
  return s == "edddleheddlehed";
}
static_assert(doubles());

int main() { assert(doubles()); }
