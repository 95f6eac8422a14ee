/* heddle.h's own functions; heddle_opaque is the machine's.
 * SPDX-License-Identifier: Apache-2.0 */
#include "heddle.h"
#include "internal.h"

unsigned heddle_choose(unsigned n) {
  if (n == 0) MISUSE("heddle_choose(0): there is nothing to choose from");
  return n == 1 ? 0 : __heddle_choose(n);
}
void heddle_assume(int condition) { __heddle_assume(condition); }
void heddle_atomic_begin(void) { __heddle_section_begin(); }
void heddle_atomic_end(void) { __heddle_section_end(); }
