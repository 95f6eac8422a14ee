/* dat3m.h: for programs written for another checker, the functions of heddle.h that have its names.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_DAT3M_H
#define HEDDLE_DAT3M_H
#include <heddle.h>
#define await_while(condition) while (condition)
#endif
