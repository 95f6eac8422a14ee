/* The name of this program among the objects that a dynamic linker would load: there is one.
 * SPDX-License-Identifier: Apache-2.0 */
void *const __dso_handle = 0;
