// what    functions of the library that few programs call
// why     each was UNKNOWN or a false alarm: std::frexp is an instruction of its own, an array was compared by vectors whose
//         spare bits are undefined, a device without numbers was refused
// with    --std c++23
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>
#include <system_error>

int main() {
  volatile double ten = 10;
  volatile float tiny = 0x1p-149f;
  int exponent = 0;
  assert(std::frexp(ten, &exponent) == 0.625 && exponent == 4);
  assert(std::frexp(-tiny, &exponent) == -0.5f && exponent == -148);
  assert(std::frexp(0, &exponent) == 0 && exponent == 0);

  const int whole[] = {1, 2, 3, 4, 5, 6}, part[] = {1, 2, 3, 4, 5, 6}, other[] = {1, 2, 3, 4, 5, 7};
  assert(std::ranges::starts_with(whole, part));
  assert(!std::ranges::starts_with(whole, other));
  assert(std::mismatch(whole, whole + 6, other).first == whole + 5);

  std::random_device numbers("/dev/urandom"), none("/dev/null");
  numbers();
  try {
    none();
    assert(false);
  } catch (const std::system_error&) {}
}
