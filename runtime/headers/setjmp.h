/* <setjmp.h> of checked programs. setjmp is called as what it is, a function of the machine: a function of the library
 * could not return twice into its caller's frame.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef _SETJMP_H
#define _SETJMP_H
#ifdef __cplusplus
extern "C" {
#define _Noreturn [[noreturn]]
#endif

typedef struct __jmp_buf_tag { unsigned long __words[25]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;

int __heddle_setjmp(void *) __attribute__((__returns_twice__));
_Noreturn void longjmp(jmp_buf, int);
_Noreturn void _longjmp(jmp_buf, int);
_Noreturn void siglongjmp(sigjmp_buf, int);

#define setjmp(buffer) __heddle_setjmp(buffer)
#define _setjmp(buffer) __heddle_setjmp(buffer)
#define sigsetjmp(buffer, save) ((void)(save), __heddle_setjmp(buffer))

#ifdef __cplusplus
#undef _Noreturn
}
#endif
#endif
