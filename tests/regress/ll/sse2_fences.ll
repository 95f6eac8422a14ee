; what    store buffering with x86's sfence and pause between store and load
; why     neither of them keeps a load behind a store
; expect  sc holds
; expect  tso,pso,rc11 violated kind assertion
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@x = global i32 0, align 4
@y = global i32 0, align 4
@a = global i32 0, align 4
@b = global i32 0, align 4
@text = private constant [8 x i8] c"a||b==1\00"
@file = private constant [5 x i8] c"sb.c\00"

define ptr @left(ptr %ignored) {
  store atomic i32 1, ptr @x monotonic, align 4
  call void @llvm.x86.sse.sfence()
  call void @llvm.x86.sse2.pause()
  %r = load atomic i32, ptr @y monotonic, align 4
  store i32 %r, ptr @a, align 4
  ret ptr null
}

define ptr @right(ptr %ignored) {
  store atomic i32 1, ptr @y monotonic, align 4
  call void @llvm.x86.sse.sfence()
  call void @llvm.x86.sse2.pause()
  %r = load atomic i32, ptr @x monotonic, align 4
  store i32 %r, ptr @b, align 4
  ret ptr null
}

define i32 @main() {
  %p = alloca i64, align 8
  %q = alloca i64, align 8
  %1 = call i32 @pthread_create(ptr %p, ptr null, ptr @left, ptr null)
  %2 = call i32 @pthread_create(ptr %q, ptr null, ptr @right, ptr null)
  %3 = load i64, ptr %p, align 8
  %4 = call i32 @pthread_join(i64 %3, ptr null)
  %5 = load i64, ptr %q, align 8
  %6 = call i32 @pthread_join(i64 %5, ptr null)
  %7 = load i32, ptr @a, align 4
  %8 = load i32, ptr @b, align 4
  %9 = or i32 %7, %8
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %wrong, label %well

wrong:
  call void @__assert_fail(ptr @text, ptr @file, i32 1, ptr @file)
  unreachable

well:
  ret i32 0
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @__assert_fail(ptr, ptr, i32, ptr)
declare void @llvm.x86.sse.sfence()
declare void @llvm.x86.sse2.pause()
