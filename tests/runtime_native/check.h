/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#define CHECK(...)                                             \
  do {                                                         \
    if (!(__VA_ARGS__)) {                                      \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
      exit(1);                                                 \
    }                                                          \
  } while (0)
