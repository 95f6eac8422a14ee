/* Waiting for a notification by address (src/park.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PARK_H
#define HEDDLE_PARK_H
#ifdef __cplusplus
extern "C" {
#endif
/* Waiting takes three steps: park, look whether there is still a reason to wait, then wait or leave. */
void __heddle_park(const volatile void *address); /* from here on a notification counts */
void __heddle_wait_parked(const volatile void *address);
void __heddle_unpark(void);
void __heddle_unpark_one(const volatile void *address); /* any of those that wait at this moment */
void __heddle_unpark_all(const volatile void *address);
#ifdef __cplusplus
}
#endif
#endif
