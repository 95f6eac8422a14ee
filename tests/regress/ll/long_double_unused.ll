; what    a function with long double of 80 bits that is never called
; why     what is not reached decides nothing
; expect  sc,tso,rc11 holds
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define x86_fp80 @twice(x86_fp80 %v) {
  %w = fadd x86_fp80 %v, %v
  ret x86_fp80 %w
}

define i32 @main() {
  ret i32 0
}
