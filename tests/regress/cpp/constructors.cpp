// what    exceptions out of constructors and function try blocks, destructors during unwinding, arrays, placement of members
// why     what was built is taken down, in reverse order, and nothing else
// expect  sc,rc11 holds
// because runs of the same program compiled by clang and linked with libc++ end with status 0
// with    -O1
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <exception>
#include <memory>
#include <vector>

namespace {

std::vector<int> log;
struct Part {
  int number;
  explicit Part(int n) : number(n) {
    if (n < 0) throw n;
    log.push_back(n);
  }
  ~Part() { log.push_back(-number); }
};

struct Whole {
  Part first, second, third;
  explicit Whole(int n) : first(1), second(2), third(n) {}
};

struct Translates {
  Part part;
  explicit Translates(int n) try : part(n) { throw 5; } catch (int i) {
    throw static_cast<long>(i);
  }
};

struct InUnwinding {
  ~InUnwinding() {
    try {
      assert(std::uncaught_exceptions() == 1);
      throw 'x';
    } catch (char c) {
      log.push_back(c);
    }
    assert(std::uncaught_exceptions() == 1);
  }
};

int parts_made;
struct Third {
  Third() {
    if (++parts_made == 3) throw 3;
  }
  ~Third() { --parts_made; }
};

bool is(const std::vector<int>& expected) {
  const bool same = log == expected;
  log.clear();
  return same;
}

}  // namespace

int main() {
  try {
    Whole whole(-3);
    assert(false);
  } catch (int n) {
    assert(n == -3);
  }
  assert(is({1, 2, -2, -1}));
  try {
    auto whole = std::make_unique<Whole>(3);
    throw 1L;
  } catch (long) {}
  assert(is({1, 2, 3, -3, -2, -1}));
  try {
    Translates t(4);
  } catch (long l) {
    assert(l == 5);
  }
  assert(is({4, -4}));
  try {
    Translates t(-4);
  } catch (long l) {
    assert(l == -4);
  }
  assert(is({}));
  try {
    InUnwinding u;
    throw 1;
  } catch (int) {}
  assert(is({'x'}));
  try {
    auto array = std::make_unique<Third[]>(4);
  } catch (int) {}
  assert(parts_made == 1);  // the one whose constructor failed was never destroyed
}
