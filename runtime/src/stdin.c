/* Standard input: what the front end gave (config.c), else empty.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stdio_impl.h"
#include "internal.h"

static unsigned char buffer[UNGET + 256];
static off_t seek_nowhere(FILE *f, off_t offset, int whence) { return (void)f, (void)offset, (void)whence, -1; }
static int close_not(FILE *f) { return (void)f, 0; }

FILE __stdin_FILE = {.buf = buffer + UNGET, .buf_size = sizeof buffer - UNGET, .fd = 0, .flags = F_PERM | F_NOWR,
                     .read = __stdio_read, .seek = seek_nowhere, .close = close_not, .lock = 0};
#undef stdin
FILE *const stdin = &__stdin_FILE;
