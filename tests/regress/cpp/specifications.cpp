// what    dynamic exception specifications of C++14: what may pass passes, all else is unexpected
// why     they are the only filters in exception tables
// options --std c++14
// expect  sc holds
// because runs of the same program compiled by clang and linked with libc++ end with status 0
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <exception>

static void may(int n) throw(int, long) {
  if (n == 0) throw 1;
  if (n == 1) throw 2L;
  throw 'c';
}
static void never() throw() {}
static void translate() { throw 9; }

int main() {
  never();
  try {
    may(0);
  } catch (int i) {
    assert(i == 1);
  }
  try {
    may(1);
  } catch (long l) {
    assert(l == 2);
  }
  std::set_unexpected(translate);
  try {
    may(2);
    assert(false);
  } catch (int i) {
    assert(i == 9);
  }
}
