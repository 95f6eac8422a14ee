// what    compare-exchanges of values with padding: a pointer beside a counter, a character beside a number
// why     padding was taken for uninitialised memory; C++20 leaves it out of the comparison. A value that was never set
//         at all has nothing to compare.
// with    -D PUSH
// assumes atomic operations on more than eight bytes are seq_cst; bits that were never set are padding where a compare-exchange compares them
// expect  sc,tso,rc11 holds
// with    -D PUSH -D UNTAGGED
// assumes atomic operations on more than eight bytes are seq_cst; bits that were never set are padding where a compare-exchange compares them
// expect  sc,tso,rc11 violated kind assertion
// with    -D SMALL
// assumes bits that were never set are padding where a compare-exchange compares them
// expect  sc,tso,rc11,armv8 holds
// with    -D SMALL -D DIFFERENT
// assumes nothing
// expect  sc,tso,rc11,armv8 holds
// with    -D NEVER
// assumes nothing
// expect  sc,tso,rc11 violated kind uninitialised
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

#ifdef PUSH
struct Node {
  Node* next = nullptr;
};
struct Head {
  Node* first;
  unsigned tag;
};
std::atomic<Head> head{Head{nullptr, 0}};
Node a, b;

void push(Node* n) {
  Head h = head.load();
  do n->next = h.first;
  while (!head.compare_exchange_strong(h, Head{n, h.tag + 1}));
}

int main() {
  std::thread t([] { push(&a); });
  push(&b);
  t.join();
  int nodes = 0;
  for (Node* n = head.load().first; n != nullptr; n = n->next) ++nodes;
#ifdef UNTAGGED
  assert(head.load().tag == 1);
#endif
  assert(nodes == 2);
}
#elif defined SMALL
struct Small {
  char c;
  int i;
};
std::atomic<Small> s(Small{1, 2});

int main() {
  Small expected;
  expected.c = 1;
#ifdef DIFFERENT
  expected.i = 3;
  assert(!s.compare_exchange_strong(expected, Small{3, 4}));
  assert(expected.c == 1 && expected.i == 2);
#else
  expected.i = 2;
  assert(s.compare_exchange_strong(expected, Small{3, 4}));
  const Small now = s.load();
  assert(now.c == 3 && now.i == 4);
#endif
}
#else
std::atomic<int> n{0};

int main() {
  int expected;
  n.compare_exchange_strong(expected, 1);
}
#endif
