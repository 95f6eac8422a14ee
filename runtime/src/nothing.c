/* Functions that musl's modules refer to and that have nothing to do here.
 * SPDX-License-Identifier: Apache-2.0 */
void __heddle_nothing(void) {}
