/* The C++ ABI's name for the registration of a thread-local's destructor, separate from what it calls: a program may
 * define its own __cxa_thread_atexit_impl.
 * SPDX-License-Identifier: Apache-2.0 */
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso);

int __cxa_thread_atexit(void (*function)(void *), void *object, void *dso) {
  return __cxa_thread_atexit_impl(function, object, dso);
}
