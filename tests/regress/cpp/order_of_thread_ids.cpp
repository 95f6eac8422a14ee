// what    the ids of threads as keys of a map
// why     no standard says how they are ordered: the verdict must say what it takes for granted
// assumes the ids of threads grow in the order of their creation, and their order does not matter where different threads create them
// expect  sc holds
// with    -D EQUAL
// assumes nothing
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <map>
#include <thread>

int main() {
  std::thread a([] {}), b([] {});
#ifdef EQUAL
  assert(a.get_id() != b.get_id());
#else
  std::map<std::thread::id, int> number{{a.get_id(), 1}, {b.get_id(), 2}};
  assert(number.begin()->second == 1);
#endif
  a.join();
  b.join();
}
