; what    an offset that wraps around 64 bits, with and without a promise that it does not
; why     without inbounds it is LangRef's meaning: it stayed at the end of its range instead, and a valid access failed
; expect  sc,rc11 holds
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@items = internal global [4 x i32] [i32 10, i32 11, i32 12, i32 13], align 16
@quarter = internal global i64 4611686018427387905, align 8

define i32 @main() {
  %index = load volatile i64, ptr @quarter, align 8
  %one = getelementptr i32, ptr @items, i64 %index
  %second = load i32, ptr %one, align 4
  %right = icmp eq i32 %second, 11
  br i1 %right, label %next, label %wrong

next:
  %less = sub i64 0, %index
  %two = getelementptr [4 x i32], ptr @items, i64 %index, i64 %less
  %fourth = load i32, ptr %two, align 4
  %also = icmp eq i32 %fourth, 13
  br i1 %also, label %last, label %wrong

last:
  %three = getelementptr i32, ptr @items, i64 4611686018427387906
  %third = load i32, ptr %three, align 4
  %all = icmp eq i32 %third, 12
  br i1 %all, label %done, label %wrong

wrong:
  call void @abort()
  unreachable

done:
  ret i32 0
}

declare void @abort()
