; what    long double of 80 bits, as compilers make it for x86-64 unless told otherwise
; why     checked programs have 64 bits for it, so that the IR must be made anew: the reason has to say how
; expect  sc,tso,rc11 unknown reason compile it with -mlong-double-64
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@x = global x86_fp80 0xK00000000000000000000, align 16

define i32 @main() {
  %v = load x86_fp80, ptr @x, align 16
  %w = fadd x86_fp80 %v, 0xK3FFF8000000000000000
  store x86_fp80 %w, ptr @x, align 16
  ret i32 0
}
