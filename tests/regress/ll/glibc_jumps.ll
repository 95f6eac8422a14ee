; what    setjmp and sigsetjmp in IR that was made with glibc's headers for x86-64
; why     there they are functions, _setjmp and __sigsetjmp, and no macros as in Heddle's own headers
; expect  sc,tso,rc11 holds
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@outer = internal global [25 x i64] zeroinitializer, align 16
@inner = internal global [25 x i64] zeroinitializer, align 16
@text = private constant [4 x i8] c"n==\00"
@file = private constant [7 x i8] c"jump.c\00"

define i32 @main() {
  %n = alloca i32, align 4
  store volatile i32 0, ptr %n, align 4
  %r = call i32 @_setjmp(ptr @outer) #0
  %again = icmp slt i32 %r, 3
  br i1 %again, label %jump, label %done

jump:
  %old = load volatile i32, ptr %n, align 4
  %new = add nsw i32 %old, 1
  store volatile i32 %new, ptr %n, align 4
  %next = add nsw i32 %r, 1
  call void @longjmp(ptr @outer, i32 %next)
  unreachable

done:
  %count = load volatile i32, ptr %n, align 4
  %three = icmp eq i32 %count, 3
  br i1 %three, label %signal, label %wrong

signal:
  %s = call i32 @__sigsetjmp(ptr @inner, i32 1) #0
  %first = icmp eq i32 %s, 0
  br i1 %first, label %back, label %judge

back:
  call void @siglongjmp(ptr @inner, i32 0)
  unreachable

judge:
  %one = icmp eq i32 %s, 1
  br i1 %one, label %well, label %wrong

wrong:
  call void @__assert_fail(ptr @text, ptr @file, i32 1, ptr @file)
  unreachable

well:
  ret i32 0
}

declare i32 @_setjmp(ptr) #0
declare i32 @__sigsetjmp(ptr, i32) #0
declare void @longjmp(ptr, i32)
declare void @siglongjmp(ptr, i32)
declare void @__assert_fail(ptr, ptr, i32, ptr)

attributes #0 = { returns_twice }
