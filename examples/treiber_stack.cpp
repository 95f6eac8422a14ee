// A stack without a lock (Treiber 1986). Nodes are published by compare-exchange.
//
//   heddle check examples/treiber_stack.cpp                    right under every model
//   heddle check examples/treiber_stack.cpp -D PUSH=relaxed    a node may be seen before what is in it
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

#ifndef PUSH
#define PUSH release
#endif

class Stack {
  struct Node {
    int value;
    Node* next;
  };

 public:
  void push(int value) {
    Node* node = new Node{value, head_.load(std::memory_order_relaxed)};
    while (!head_.compare_exchange_strong(node->next, node, std::memory_order::PUSH, std::memory_order_relaxed)) {
    }
  }

  // Only one thread takes: nodes can be freed at once.
  int pop() {
    Node* node = head_.load(std::memory_order_acquire);
    while (node != nullptr && !head_.compare_exchange_strong(node, node->next, std::memory_order_acquire)) {
    }
    if (node == nullptr) return 0;
    const int value = node->value;
    delete node;
    return value;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

int main() {
  static Stack stack;
  std::thread other([] { stack.push(1); });
  const int first = stack.pop();
  assert(first == 0 || first == 1);
  other.join();
  const int second = stack.pop();
  assert(first + second == 1);
}
