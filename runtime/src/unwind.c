/* The unwinder (Itanium C++ ABI: Exception Handling, 1.3 to 1.6), over what the machine knows of a thread's frames.
 * Frames have numbers from the bottom of the stack: the first is 1. A place in a function is the number of the invoke
 * that is being carried out, 0 if it is none; that is what the tables of lang/llvm/exceptions.cpp are about.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include "internal.h"

struct _Unwind_Exception {
  uint64_t exception_class;
  void (*cleanup)(int, struct _Unwind_Exception *);
  uintptr_t stop;  /* forced unwinding: the function that decides where it ends; `uncaught` if nothing catches it */
  uintptr_t where; /* its argument; otherwise the number of the frame that catches, or that must not be left */
} __attribute__((aligned(16)));

struct _Unwind_Context {
  unsigned long frame;
  void *object;
  uintptr_t selector;
};

enum reason { no_reason = 0, phase_2_error = 2, phase_1_error = 3, end_of_stack = 5, handler_found = 6, install_context = 7, goes_on = 8 };
enum { uncaught = 1 };
enum action { search_phase = 1, cleanup_phase = 2, handler_frame = 4, force_unwind = 8, at_end_of_stack = 16 };
typedef int personality(int, int, uint64_t, struct _Unwind_Exception *, struct _Unwind_Context *);
typedef int stop(int, int, uint64_t, struct _Unwind_Exception *, struct _Unwind_Context *, void *);

WEAK personality __gxx_personality_v0;
/* Reports an exception that leads to the default terminate handler; returns if the program has set another. */
WEAK void __heddle_report_exception(struct _Unwind_Exception *, const char *);
WEAK void __cxa_call_terminate(struct _Unwind_Exception *);

uintptr_t _Unwind_GetLanguageSpecificData(struct _Unwind_Context *c) { return (uintptr_t)__heddle_frame_table(c->frame); }
uintptr_t _Unwind_GetRegionStart(struct _Unwind_Context *c) { return (uintptr_t)__heddle_frame_function(c->frame); }
/* Plus one: a return address, which lies after the call. */
uintptr_t _Unwind_GetIP(struct _Unwind_Context *c) {
  return (uintptr_t)__heddle_frame_function(c->frame) + __heddle_frame_invoke(c->frame) + 1;
}
void _Unwind_SetGR(struct _Unwind_Context *c, int number, uintptr_t value) {
  if (number == 0) c->object = (void *)value;
  else c->selector = value;
}
void _Unwind_SetIP(struct _Unwind_Context *c, uintptr_t value) { (void)c, (void)value; /* the machine knows it */ }

/* Calls the frame's personality function, directly where that is possible: so the context need not be an object. */
static inline int ask(int action, struct _Unwind_Exception *e, struct _Unwind_Context *c) {
  personality *p = (personality *)__heddle_frame_personality(c->frame);
  if (!p || !__heddle_frame_invoke(c->frame)) return goes_on;
  if (p == __gxx_personality_v0) return __gxx_personality_v0(1, action, e->exception_class, e, c);
  __heddle_unsupported("an exception passes a function of another language than C++");
}

static void report(struct _Unwind_Exception *e, unsigned long frame) {
  if (__heddle_report_exception)
    __heddle_report_exception(e, frame ? " leaves a function that promises not to throw" : "");
}

/* Nothing catches it: the standard leaves open whether destructors run before the program ends ([except.terminate]). */
static int unwind_uncaught(struct _Unwind_Exception *e, unsigned long frame) {
  for (; frame > e->where; frame--) {
    struct _Unwind_Context c = {frame, 0, 0};
    if (ask(cleanup_phase, e, &c) == install_context) __heddle_unwind(frame, c.object, c.selector);
  }
  report(e, e->where);
  if (__cxa_call_terminate) __cxa_call_terminate(e); /* a handler of the program's own */
  return phase_2_error;
}

static int destructors_first(void) { return __heddle_uncaught == 2 ? (int)__heddle_choose(2) : __heddle_uncaught; }

static int end_uncaught(struct _Unwind_Exception *e, unsigned long top, unsigned long frame) {
  if (destructors_first()) {
    e->stop = uncaught;
    e->where = frame;
    return unwind_uncaught(e, top);
  }
  report(e, frame);
  return end_of_stack;
}

static int unwind(struct _Unwind_Exception *e, unsigned long frame) {
  for (unsigned long handler = e->where; frame >= handler; frame--) {
    struct _Unwind_Context c = {frame, 0, 0};
    int answer = ask(cleanup_phase | (frame == handler ? handler_frame : 0), e, &c);
    if (answer == install_context) __heddle_unwind(frame, c.object, c.selector);
    if (answer != goes_on) break;
  }
  return phase_2_error;
}

WEAK void __heddle_run_atexit(void);
WEAK void __heddle_run_at_quick_exit(void);
WEAK void __heddle_run_thread_atexit(void);

/* C functions of the library let exceptions of their callbacks pass, but no handler of an end may throw
 * ([support.start.term], [basic.start.term]). */
static int promises(unsigned long frame, unsigned facts) {
  if (!(facts & frame_library)) return facts & frame_nounwind;
  const void *f = __heddle_frame_function(frame);
  return f == (void *)__heddle_run_atexit || f == (void *)__heddle_run_at_quick_exit ||
         f == (void *)__heddle_run_thread_atexit;
}

int _Unwind_RaiseException(struct _Unwind_Exception *e) {
  unsigned long top = __heddle_frames() - 1; /* without this function's own */
  for (unsigned long frame = top; frame > 0; frame--) {
    struct _Unwind_Context c = {frame, 0, 0};
    int answer = ask(search_phase, e, &c);
    unsigned facts = __heddle_frame_facts(frame);
    if (answer == handler_found) {
      /* With destructors first, the landing pad ends the program. */
      if (facts & frame_terminates && !destructors_first()) report(e, frame);
      e->stop = 0;
      e->where = frame;
      return unwind(e, top);
    }
    if (answer != goes_on) return phase_1_error;
    if (facts & frame_atomic) __heddle_fail("exception", "an exception leaves an atomic section");
    if (promises(frame, facts) && __heddle_report_exception)
      return end_uncaught(e, top, frame);
  }
  return end_uncaught(e, top, 0);
}

static int unwind_by_force(struct _Unwind_Exception *e, unsigned long frame) {
  stop *decide = (stop *)e->stop;
  for (; frame > 0; frame--) {
    struct _Unwind_Context c = {frame, 0, 0};
    if (decide(1, force_unwind | cleanup_phase, e->exception_class, e, &c, (void *)e->where) != no_reason)
      return phase_2_error;
    int answer = ask(force_unwind | cleanup_phase, e, &c);
    if (answer == install_context) __heddle_unwind(frame, c.object, c.selector);
    if (answer != goes_on) return phase_2_error;
  }
  struct _Unwind_Context c = {0, e, 0}; /* the program may end in there, and has not lost the object then */
  decide(1, force_unwind | cleanup_phase | at_end_of_stack, e->exception_class, e, &c, (void *)e->where);
  return end_of_stack;
}

int _Unwind_ForcedUnwind(struct _Unwind_Exception *e, stop *decide, void *argument) {
  e->stop = (uintptr_t)decide;
  e->where = (uintptr_t)argument;
  return unwind_by_force(e, __heddle_frames() - 1);
}

_Noreturn void _Unwind_Resume(struct _Unwind_Exception *e) {
  unsigned long frame = __heddle_frames() - 1;
  if (e->stop == uncaught) unwind_uncaught(e, frame);
  else if (e->stop) unwind_by_force(e, frame);
  else unwind(e, frame);
  __heddle_fail("exception", "an exception was resumed that nothing catches");
}

void _Unwind_DeleteException(struct _Unwind_Exception *e) {
  if (e->cleanup) e->cleanup(1, e);
}

int _Unwind_Backtrace(int (*visit)(struct _Unwind_Context *, void *), void *argument) {
  for (unsigned long frame = __heddle_frames() - 1; frame > 0; frame--) {
    struct _Unwind_Context c = {frame, 0, 0};
    if (visit(&c, argument) != no_reason) return phase_1_error;
  }
  return end_of_stack;
}
