/* What musl's modules ask for and nobody needs.
 * SPDX-License-Identifier: Apache-2.0 */
void __heddle_nothing(void) {}
