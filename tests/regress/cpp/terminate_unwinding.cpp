// what    a terminate handler that ends the program while exceptions are on their way
// why     they are in nobody's hands any more, and yet no leak
// expect  sc,rc11 holds
// with    -D LOST
// expect  sc,rc11 violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

struct Throws {
  ~Throws() noexcept(false) { throw std::runtime_error(std::string(40, 'b')); }
};

int main() {
  std::set_terminate([] { std::exit(0); });
#ifdef LOST
  new int;
#endif
  try {
    Throws throws;
    throw std::runtime_error(std::string(40, 'a'));
  } catch (const std::exception&) {}
  std::abort();
}
