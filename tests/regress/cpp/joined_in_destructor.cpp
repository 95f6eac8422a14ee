// what    a destructor joins a thread that calls virtual functions of the object
// why     it first stores the virtual table that is there already: rc11 took that for a data race. In the destructor of a
//         base class it is another one, and the thread is joined too late
// with
// expect  rc11 holds
// with    -O 2
// expect  rc11 holds
// with    -D IN_BASE
// expect  rc11 violated kind race
// with    -D LOCAL
// expect  rc11 holds
// with    -D VIRTUAL=virtual
// expect  rc11 holds
// with    -D VIRTUAL=virtual -O 2
// expect  rc11 holds
// with    -D VIRTUAL=virtual -D IN_BASE
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#ifndef VIRTUAL
#define VIRTUAL
#endif
// clang-format off: main may begin in front of the classes
#ifdef LOCAL
int main() {
#endif

struct Base {
  std::thread thread;
  void start() {
    thread = std::thread([this] { run(); });
  }
  virtual void run() = 0;
  virtual ~Base() {
#ifdef IN_BASE
    thread.join();
#endif
  }
};

struct Derived : VIRTUAL Base {
  int count = 0;
  void run() override { ++count; }
#ifndef IN_BASE
  ~Derived() override { thread.join(); }
#endif
};

#ifndef LOCAL
int main() {
#endif
  Derived derived;
  derived.start();
}
