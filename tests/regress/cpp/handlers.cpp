// what    every kind of handler: by value, reference, pointer conversion, virtual diamond, base, nested, rethrow, catch (...)
// why     the tables that the front end writes are read by libc++abi's own personality function; a wrong one picks another
//         handler, or none
// expect  sc,rc11 holds
// because runs of the same program compiled by clang and linked with libc++ end with status 0
// with    -O1
// expect  sc holds
// with    -O2
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <exception>
#include <new>
#include <stdexcept>
#include <typeinfo>

namespace {

int destroyed;
struct Counter {
  ~Counter() { ++destroyed; }
};

struct Top {
  int value = 1;
  virtual ~Top() = default;
};
struct Left : virtual Top {
  int left = 2;
};
struct Right : virtual Top {
  int right = 3;
};
struct Bottom : Left, Right {
  int bottom = 4;
};
struct Unrelated {};

template <class E>
[[gnu::noinline]] void raise(const E& e) {
  Counter counter;
  throw e;
}

void by_type() {
  try {
    raise(7);
    assert(false);
  } catch (long) {
    assert(false);
  } catch (int i) {
    assert(i == 7);
  }
  try {
    raise(Bottom());
  } catch (const Unrelated&) {
    assert(false);
  } catch (const Right& r) {
    assert(r.right == 3 && r.value == 1);
    assert(typeid(r) == typeid(Bottom));
  }
  try {
    raise(Bottom());
  } catch (const Top& t) {
    assert(dynamic_cast<const Left&>(t).left == 2);
  }
}

void by_pointer() {
  static Bottom bottom;
  try {
    raise(&bottom);
  } catch (Unrelated*) {
    assert(false);
  } catch (const Top* t) {
    assert(t->value == 1);
  }
  try {
    raise(static_cast<const Top*>(&bottom));
  } catch (Top*) {
    assert(false);  // would drop const
  } catch (const void* p) {
    assert(p != nullptr);
  }
  try {
    raise(nullptr);
  } catch (int* p) {
    assert(p == nullptr);
  }
}

void nested() {
  int order = 0;
  try {
    try {
      raise(std::runtime_error("inner"));
    } catch (const std::exception& e) {
      assert(e.what()[0] == 'i');
      order = order * 10 + 1;
      try {
        raise(2);
      } catch (...) {
        order = order * 10 + 2;
      }
      throw;
    }
  } catch (const std::logic_error&) {
    assert(false);
  } catch (const std::runtime_error& e) {
    order = order * 10 + 3;
    assert(e.what()[4] == 'r');
  }
  assert(order == 123);
}

void in_a_loop() {
  int caught = 0, kept = 0;
  for (int i = 0; i < 4; ++i) {
    const int before = kept;
    try {
      kept = i + 1;
      if (i % 2 == 0) raise(i);
    } catch (int found) {
      assert(found == i && kept == i + 1 && before == i);
      ++caught;
    }
  }
  assert(caught == 2 && kept == 4);
}

}  // namespace

int main() {
  by_type();
  by_pointer();
  nested();
  in_a_loop();
  assert(destroyed == 10);
  assert(std::uncaught_exceptions() == 0 && !std::current_exception());
}
