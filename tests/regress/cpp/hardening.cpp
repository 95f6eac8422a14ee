// what    misuse of the library that its own checks find: an element that is not there
// why     the vector has room for it, so no access is out of bounds
// expect  sc violated kind hardening at access
// SPDX-License-Identifier: Apache-2.0
#include <vector>

int main() {
  std::vector<int> v;
  v.reserve(4);
  return v[2];  // access
}
