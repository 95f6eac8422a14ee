// what    the program ends while main's pointers lead to objects
// why     only calls of exit itself were known to leave main's variables as they are: those pointed to nothing behind
//         others that do not return
// with
// expect  sc holds
// with    -D LOST
// expect  sc violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <string>

static volatile bool wrong = true;

[[noreturn]] static void usage() { std::exit(2); }

int main() {
  const auto owner = std::make_unique<int>(1);
  const std::string text = "a text that is too long for the object itself";
  int* number = new int(7);
#ifdef LOST
  number = nullptr;
#endif
  if (wrong) usage();
  delete number;
}
