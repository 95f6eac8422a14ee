/* For musl's modules that keep memory till the end on their own account: it is no leak of the checked program.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
void *__heddle_quiet_malloc(size_t);
void *__heddle_quiet_realloc(void *, size_t);
#define malloc __heddle_quiet_malloc
#define realloc __heddle_quiet_realloc
