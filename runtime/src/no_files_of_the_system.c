/* Locales, time zones and message catalogues are read from files of the system: there are none.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

const unsigned char *__map_file(const char *name, size_t *size) { return (void)name, (void)size, (void *)0; }
int __munmap(void *start, size_t length) { return (void)start, (void)length, 0; }
int munmap(void *start, size_t length) { return (void)start, (void)length, -1; }
