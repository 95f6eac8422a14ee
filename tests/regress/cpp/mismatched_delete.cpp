// what    memory that is freed by another function than the counterpart of the one that gave it
// why     undefined behaviour that runs well until the allocator is another
// with    -D CASE=1
// expect  rc11 violated kind mismatched-free at one
// with    -D CASE=2
// expect  sc violated kind mismatched-free at many
// with    -D CASE=3
// expect  sc violated kind mismatched-free at freed
// with    -D CASE=4
// expect  sc violated kind mismatched-free at deleted
// with    -D CASE=5
// expect  sc violated kind mismatched-free at unaligned
// with    -D CASE=6
// expect  sc violated kind mismatched-free at sliced
// with    -D CASE=7
// expect  sc violated kind double-free
// with    -D CASE=8
// expect  sc,rc11 holds
// with    -D CASE=9
// expect  sc violated kind mismatched-free at elements
// with    -D CASE=10
// expect  sc violated kind mismatched-free at sized
// with    -D CASE=11
// expect  sc violated kind mismatched-free at aligned
// with    -D CASE=12
// expect  sc violated kind mismatched-free at one_aligned
// with    -D CASE=13
// expect  sc violated kind mismatched-free at aligned_array
// with    -D CASE=14
// expect  sc violated kind mismatched-free at aligned_malloc
// with    -D CASE=15
// expect  sc holds
// because case 6 deletes an object through a base class without a virtual destructor: its size tells; so in case 9 for an
//         array and in case 11 for objects with an alignment of their own
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>

struct Base {
  int a = 0;
};
struct Derived : Base {
  long b = 0;
};
struct Proper {
  virtual ~Proper() {}
};
struct Larger : Proper {
  long b = 0;
};
struct alignas(64) Aligned {
  int a = 0;
};

#if CASE == 1
static void run() {
  int* p = new int[3];
  delete p;  // one
}
#elif CASE == 2
static void run() {
  int* p = new int;
  delete[] p;  // many
}
#elif CASE == 3
static void run() {
  int* p = new int;
  std::free(p);  // freed
}
#elif CASE == 4
static void run() {
  int* p = static_cast<int*>(std::malloc(sizeof(int)));
  delete p;  // deleted
}
#elif CASE == 5
static void run() {
  void* p = ::operator new(64, std::align_val_t(64));
  ::operator delete(p);  // unaligned
}
#elif CASE == 6
static void run() {
  Base* p = new Derived;
  delete p;  // sliced
}
#elif CASE == 7
static void run() {
  int* p = new int;
  delete p;
  delete p;
}
#elif CASE == 9
struct Counted {
  int a = 0;
  ~Counted() { a = 1; }
};
struct More : Counted {
  long b = 0;
};
static void run() {
  Counted* p = new More[3];
  delete[] p;  // elements
}
#elif CASE == 10
static void run() {
  void* p = ::operator new[](12);
  ::operator delete[](p, 8);  // sized
}
#elif CASE == 11
struct alignas(64) Wider : Aligned {
  int b[64] = {};
};
static void run() {
  Aligned* p = new Wider;
  delete p;  // aligned
}
#elif CASE == 12
static void run() {
  Aligned* p = new Aligned;
  delete[] p;  // one_aligned
}
#elif CASE == 13
static void run() {
  Aligned* p = new Aligned[1];
  delete p;  // aligned_array
}
#elif CASE == 14
static void run() {
  auto* p = static_cast<Aligned*>(std::aligned_alloc(64, sizeof(Aligned)));
  delete p;  // aligned_malloc
}
#elif CASE == 15
void* operator new(std::size_t size, std::align_val_t alignment) {
  return std::aligned_alloc(static_cast<std::size_t>(alignment), size);
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
static void run() {
  delete new Aligned;
  delete[] new Aligned[2];
}
#else
static void run() {
  delete new int;
  delete[] new int[3];
  delete[] new Larger[2];
  delete[] new char[0];
  delete new Aligned;
  delete[] new Aligned[2];
  delete static_cast<Proper*>(new Larger);
  delete new (std::nothrow) int;
  std::free(std::malloc(3));
  std::free(std::realloc(nullptr, 5));
  const auto shared = std::make_shared<Larger>();
  const std::unique_ptr<int[]> array(new int[4]);
  std::thread([shared] { const std::unique_ptr<Proper> p(new Larger); }).join();
}
#endif

int main() { run(); }
