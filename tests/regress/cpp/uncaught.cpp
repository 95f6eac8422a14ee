// what    an exception that nothing catches, in the first thread or in another
// why     it is a violation of its own kind, at the line of the throw
// expect  sc violated kind uncaught-exception at throw
// with    -D THREAD
// expect  tso,rc11 violated kind uncaught-exception at throw
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>
#include <thread>

struct Quiet {
  ~Quiet() {}
};

static void fails() {
  Quiet quiet;
  throw std::runtime_error("no such " + std::string("thing"));  // throw
}

int main() {
#ifdef THREAD
  std::thread thread(fails);
  thread.join();
#else
  try {
    fails();
  } catch (const std::logic_error&) {}
#endif
}
