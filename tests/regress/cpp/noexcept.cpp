// what    an exception that leaves a function which promises not to throw; with a handler of the program's own, that one runs
// why     the program ends at the throw, not where the function began
// expect  sc violated kind uncaught-exception at throw
// with    -D HANDLER
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <exception>

static void promises() noexcept {
  throw 1;  // throw
}

int main() {
#ifdef HANDLER
  std::set_terminate([] { std::exit(0); });
#endif
  promises();
}
