// what    message passing with C11 atomics and pthreads
// why     twin of twin_messages.cpp
// with    -D ORDER=memory_order_relaxed
// expect  sc holds executions 2
// expect  pso,armv8 violated kind assertion
// expect  rc11 violated
// with    -D ORDER=memory_order_seq_cst
// expect  sc,pso,rc11 holds executions 2
// because the reader sees the flag, or it does not
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, ORDER);
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, 0, publish, 0);
  if (atomic_load_explicit(&flag, ORDER) == 1) assert(data == 1);
  pthread_join(writer, 0);
}
