// what    pointers as keys of hash tables
// why     std::hash calculates with parts of an address: from there on objects keep their names
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

std::mutex mutex;
std::unordered_map<const int*, int> values;

static void enter(const int* key) {
  const std::lock_guard lock(mutex);
  values[key] += *key;
}

int main() {
  int local = 3;
  const int* const heap = new int(4);
  std::thread other(enter, &local);
  enter(heap);
  other.join();
  assert(values.size() == 2 && values.at(&local) == 3 && values.at(heap) == 4);
  assert(values.find(nullptr) == values.end());
  assert(std::hash<const int*>()(heap) == std::hash<const int*>()(heap));
  std::unordered_set<const void*> set{heap, &local, heap};
  assert(set.size() == 2 && set.erase(heap) == 1 && set.count(&local) == 1);
  delete heap;
}
