// what    a compare-exchange of a pointer whose node another thread has freed, in the ways in which C++ frees
// why     a new node may have the old one's address (ABA); that none has was not said for these ways
// with    -D ARRAY
// assumes freed memory is not allocated again at the same address
// expect  sc holds
// with    -D ALIGNED
// assumes freed memory is not allocated again at the same address
// expect  sc holds
// with    -D UNIQUE
// assumes freed memory is not allocated again at the same address
// expect  sc holds
// with    -D UNIQUE -O 2
// assumes freed memory is not allocated again at the same address
// expect  sc holds
// with    -D ALLOCATOR
// assumes freed memory is not allocated again at the same address
// expect  sc holds
// with    -D KEPT
// assumes nothing
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <memory>
#include <thread>

#ifdef ALIGNED
struct alignas(64) Node {
#else
struct Node {
#endif
  int value;
};

#if defined ARRAY
static Node* make(int value) { return new Node[1]{{value}}; }
static void drop(Node* node) { delete[] node; }
#elif defined ALLOCATOR
static Node* make(int value) { return new (std::allocator<Node>().allocate(1)) Node{value}; }
static void drop(Node* node) { std::allocator<Node>().deallocate(node, 1); }
#elif defined KEPT
static Node nodes[2];
static Node* make(int value) { return &(nodes[value - 1] = {value}); }
static void drop(Node*) {}
#else
static Node* make(int value) { return new Node{value}; }
#ifdef UNIQUE
static void drop(Node* node) { const std::unique_ptr<Node> owner(node); }
#else
static void drop(Node* node) { delete node; }
#endif
#endif

static std::atomic<Node*> head;

static bool take() {
  Node* node = head.load();
  if (node == nullptr || !head.compare_exchange_strong(node, nullptr)) return false;
  drop(node);
  return true;
}

int main() {
  head = make(1);
  std::thread other(take);
  if (take()) head = make(2);
  other.join();
  take();
}
