/* musl's port to the checker's machine: there is no kernel. Modules that call one are left out (../MODULES); what slips
 * through refers to a function that nobody defines, and so is named as unsupported when it is reached.
 * SPDX-License-Identifier: Apache-2.0 */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)
long __heddle_system_call(long, long, long, long, long, long, long);
#define HEDDLE_CALL static inline long
HEDDLE_CALL __syscall0(long n) { return __heddle_system_call(n, 0, 0, 0, 0, 0, 0); }
HEDDLE_CALL __syscall1(long n, long a) { return __heddle_system_call(n, a, 0, 0, 0, 0, 0); }
HEDDLE_CALL __syscall2(long n, long a, long b) { return __heddle_system_call(n, a, b, 0, 0, 0, 0); }
HEDDLE_CALL __syscall3(long n, long a, long b, long c) { return __heddle_system_call(n, a, b, c, 0, 0, 0); }
HEDDLE_CALL __syscall4(long n, long a, long b, long c, long d) { return __heddle_system_call(n, a, b, c, d, 0, 0); }
HEDDLE_CALL __syscall5(long n, long a, long b, long c, long d, long e) {
  return __heddle_system_call(n, a, b, c, d, e, 0);
}
HEDDLE_CALL __syscall6(long n, long a, long b, long c, long d, long e, long f) {
  return __heddle_system_call(n, a, b, c, d, e, f);
}
#undef HEDDLE_CALL
#define IPC_64 0
