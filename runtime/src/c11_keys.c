/* C11 thread-specific storage over keys.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <threads.h>

int tss_create(tss_t *key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) ? thrd_error : thrd_success;
}
void tss_delete(tss_t key) { pthread_key_delete(key); }
int tss_set(tss_t key, void *value) { return pthread_setspecific(key, value) ? thrd_error : thrd_success; }
void *(tss_get)(tss_t key) { return pthread_getspecific(key); }
