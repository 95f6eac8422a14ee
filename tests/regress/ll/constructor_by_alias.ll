; what    a constructor that the list of constructors names by an alias
; why     it was passed over
; expect  sc,tso,armv8,rc11 violated kind abort
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@x = global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @other, ptr null }]
@other = internal alias void (), ptr @init

declare void @abort()

define internal void @init() {
  store i32 1, ptr @x
  ret void
}

define i32 @main() {
  %v = load i32, ptr @x
  %c = icmp eq i32 %v, 1
  br i1 %c, label %bad, label %ok
bad:
  call void @abort()
  unreachable
ok:
  ret i32 0
}
