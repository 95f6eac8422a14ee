; what    a branch on uninitialised memory in a loop, which the optimiser made one on the frozen value in front of it
; why     freezing gives any value, and was taken to give zero: SAFE, though the assertion may fail
; expect  sc,tso,rc11 unknown reason the optimised code goes on with some value for one that is uninitialised or undefined (freeze)
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@rounds = internal global i32 3, align 4

define i32 @main() {
  %memory = call ptr @malloc(i64 4)
  %value = load i32, ptr %memory, align 4
  call void @free(ptr %memory)
  %rounds = load volatile i32, ptr @rounds, align 4
  %known = freeze i32 %rounds
  %any = icmp sgt i32 %known, 0
  br i1 %any, label %loop, label %done

loop:
  %frozen = freeze i32 %value
  %set = icmp eq i32 %frozen, 5
  br i1 %set, label %wrong, label %done

wrong:
  call void @abort()
  unreachable

done:
  ret i32 0
}

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @abort()
