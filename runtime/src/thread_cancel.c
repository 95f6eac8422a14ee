/* Nothing is ever cancelled (pthread_cancel is undefined, hence UNKNOWN where it is called): what a thread says about
 * being cancelled is remembered, and has no effect.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <errno.h>

static _Thread_local int cancel_state, cancel_type;

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE && state != 2) return EINVAL;
  if (old) *old = cancel_state;
  cancel_state = state;
  return 0;
}
int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (old) *old = cancel_type;
  cancel_type = type;
  return 0;
}
