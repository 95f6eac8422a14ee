/* What the virtual machine offers to the runtime library of checked programs. The translator (lang/llvm) knows these
 * functions by name; runtime/ builds pthreads, malloc, stdio's system calls and the rest on them. Checked programs
 * include heddle.h, never this.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_VM_H
#define HEDDLE_VM_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

unsigned __heddle_choose(unsigned n);              /* any of 0 … n-1 */
void __heddle_assume(int condition);               /* false: this execution is dropped */
_Noreturn void __heddle_fail(const char *kind, const char *message); /* an error of the checked program at the caller's line */
void __heddle_atomic_begin(void);                  /* full fence; then no other thread steps until … */
void __heddle_atomic_end(void);
void __heddle_section_begin(void);                 /* the same for sections of the program's own, which do not nest */
void __heddle_section_end(void);

/* kind: 0 heap (leak-checked), 3 the runtime's own (not), 7 + FAMILY heap of that family; exceptions cannot leak */
void *__heddle_alloc(size_t size, int kind);
enum { of_malloc, of_new, of_new_array, of_aligned_new, of_aligned_new_array, of_exception };
/* Objects of kind 3, and local variables of the library's functions, are outside the memory model: only one thread uses
 * them, or all of them do so inside atomic sections and waits. Their stores may bypass every buffer. */
void __heddle_free(void *object);                  /* double and invalid frees are found by the machine */
size_t __heddle_object_size(const void *object);
/* Its size in the lower half and the family of its allocation in the upper; all bits set if there is no such object. */
unsigned long __heddle_object_facts(const void *object);

unsigned __heddle_spawn(void *(*entry)(void *), void *argument); /* full fence; the number of the new thread */
void __heddle_join(unsigned thread);               /* waits until it has ended and its stores arrived; full fence */
int __heddle_note_join(unsigned thread);           /* 1 if this thread has noted it before; of the first 64 threads */
unsigned __heddle_self(void);
_Noreturn void __heddle_thread_exit(void);         /* ends this thread */
void __heddle_end_locals(void);                    /* the local variables of all functions that this thread is in end */
_Noreturn void __heddle_exit(int status);          /* ends the whole program; leaks are checked */

/* Waiting without spinning. All are seq_cst; the first is a compare-exchange that is enabled only when it succeeds. */
void __heddle_wait_cas(int *cell, int expected, int desired);
void __heddle_wait_cas_long(unsigned long *cell, unsigned long expected, unsigned long desired);
void __heddle_wait_equal(int *cell, int expected);
void __heddle_wait_bits(const volatile unsigned long *cell, unsigned long bits); /* until all these bits are set */
/* A lock: wait_cas from 0, where the lower half of `owner` is the thread's number plus one, and an exchange for 0, which gives
 * the owner. On machines that reorder accesses they are an acquire and a release. */
void __heddle_wait_lock(int *cell, int owner);
int __heddle_unlock(int *cell);
void __heddle_wait_add(int *cell, int bits, int value); /* adds the value, enabled only while all these bits are set */

/* Comes to a barrier: `who` is the thread's number, below 64, and above its six bits the number of threads that meet there.
 * If that many less one have their bits set in the cell already, it clears them, else it sets its own; the cell as it was is
 * returned. One read-modify-write, seq_cst. */
unsigned long __heddle_arrive(unsigned long *cell, unsigned long who);

void __heddle_output(int stream, const char *bytes, size_t length);  /* shown in traces */
void *__heddle_thread_pointer(void);               /* per thread, null at first */
void __heddle_set_thread_pointer(void *);

int __heddle_setjmp(void *buffer) __attribute__((returns_twice));  /* called as setjmp is */
_Noreturn void __heddle_longjmp(void *buffer, int value);

/* The frames of this thread, by numbers from the bottom of its stack: the first is 1, the caller's own the last. */
unsigned long __heddle_frames(void);
const void *__heddle_frame_table(unsigned long frame);        /* the function's exception table, or null */
const void *__heddle_frame_personality(unsigned long frame);  /* the function that reads it, or null */
const void *__heddle_frame_function(unsigned long frame);     /* its address */
unsigned long __heddle_frame_invoke(unsigned long frame);     /* the number of the invoke being carried out; 0: none */
unsigned __heddle_frame_facts(unsigned long frame);
enum {
  frame_nounwind = 1,   /* the function promises not to throw */
  frame_library = 2,    /* it is the library's */
  frame_terminates = 4, /* the landing pad of the invoke being carried out only ends the program */
  frame_atomic = 8      /* the call is an atomic section */
};
/* Goes to the landing pad of the invoke that the frame carries out; the frames above it are left, their objects freed. */
_Noreturn void __heddle_unwind(unsigned long frame, void *object, unsigned long selector);
/* An exception of the type with this mangled name that nothing catches; `text` is what it says of itself, perhaps empty. */
_Noreturn void __heddle_fail_exception(const char *type, const char *text, const char *how);

bool __heddle_before(const void *first, const void *second); /* two addresses of one object, in this order */
void __heddle_disjoint(const void *to, const void *from, size_t length); /* an error if they overlap and are not the same */
int __heddle_defined(const void *value);           /* 0 if some part of it was never set */
long heddle_opaque(long value);                    /* the value: a move of a register that no optimiser sees through */

/* Ends in UNKNOWN, naming `what`. (Nobody need define it: a call of an undefined function does the same.) */
_Noreturn void __heddle_unsupported(const char *what);

#ifdef __cplusplus
}
#endif
#endif
