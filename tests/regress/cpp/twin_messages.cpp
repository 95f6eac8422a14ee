// what    message passing with std::atomic and std::thread
// why     twin of twin_messages.c: the same verdicts, and as many executions
// with    -D ORDER=relaxed
// expect  sc holds executions 2
// expect  pso,armv8 violated kind assertion
// expect  rc11 violated
// with    -D ORDER=seq_cst
// expect  sc,pso,rc11 holds executions 2
// because the reader sees the flag, or it does not
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread writer([] {
    data = 1;
    flag.store(1, std::memory_order::ORDER);
  });
  if (flag.load(std::memory_order::ORDER) == 1) assert(data == 1);
  writer.join();
}
