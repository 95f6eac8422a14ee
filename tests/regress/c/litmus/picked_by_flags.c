// what    addresses that come from comparisons of floating point and of 128 bits, and from subtraction with a limit
// why     hardware has their results by its flags, which order no later load; only integer comparisons counted so
// with    -D TYPE=float -D 'INDEX=(r==1)&0'
// expect  sc,tso holds
// expect  armv8,power violated kind assertion at OLD
// with    -D TYPE=double -D 'INDEX=(r<0)'
// expect  sc,tso holds
// expect  armv8,power violated kind assertion at OLD
// with    -D TYPE=__int128 -D 'INDEX=(r==((__int128)zero<<64|1))&0'
// expect  armv8,power violated kind assertion at OLD
// with    -D TYPE=unsigned -D 'INDEX=(r>5?r-5:0)' -O 1
// because clang makes an intrinsic with a limit of it, and the compiler for AArch64 subs and csel of that.
// expect  armv8 violated kind assertion at OLD
// with    -D TYPE=unsigned -D 'INDEX=(r-r)'
// because A difference is data, whatever its value.
// expect  armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data[2];
_Atomic(unsigned) flag;
volatile long zero;

static void *write(void *unused) {
  atomic_store_explicit(&data[0], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write, 0);
  TYPE r = (TYPE)atomic_load_explicit(&flag, memory_order_relaxed);
  int old = atomic_load_explicit(&data[INDEX], memory_order_relaxed);
  assert(r != 1 || old == 1);  // OLD
  pthread_join(thread, 0);
  return 0;
}
