/* pthread_exit. When the first thread leaves by it, the program ends with its last thread, as if by exit(0): it stays to
 * see the others off. Only programs that call it count their threads.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include "pthread_impl.h"
#include "internal.h"

unsigned __heddle_created;

_Noreturn void pthread_exit(void *value) {
  struct __pthread *block = __heddle_thread_pointer();
  while (block && block->cancelbuf) {
    struct __ptcb *handler = block->cancelbuf;
    block->cancelbuf = handler->__next;
    handler->__f(handler->__x);
  }
  if (__heddle_self() == 0) {
    __heddle_end_thread(0);
    for (unsigned i = 1;; i++) {
      __heddle_atomic_begin();
      unsigned created = __heddle_created;
      __heddle_atomic_end();
      if (i > created) exit(0);
      __heddle_join(i);
    }
  }
  __heddle_end_thread(value);
  __heddle_thread_exit();
}
