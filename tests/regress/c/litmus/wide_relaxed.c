// what    message passing by a relaxed flag of sixteen bytes
// why     such an operation is taken as an atomic section, whose accesses are seq_cst: SAFE must not hide that
// assumes atomic operations on more than eight bytes are seq_cst
// expect  sc,pso,rc11,armv8,power holds
// with    -D ORDER=memory_order_seq_cst
// assumes nothing
// expect  sc,pso,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static _Atomic unsigned __int128 flag;
static atomic_int data;

static void *send(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, ORDER);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, send, 0);
  int sent = (int)atomic_load_explicit(&flag, ORDER), received = atomic_load_explicit(&data, memory_order_relaxed);
  assert(!sent || received);
  pthread_join(thread, 0);
}
