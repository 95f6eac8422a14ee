// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/prelude.h"

namespace heddle::lang::llvm_ir {

// Block copies go word by word where both sides are aligned alike, so that pointers stay pointers, then byte by byte;
// __heddle_before tells whether two addresses are of one object and in this order. Output is read by the machine in
// pieces of up to eight bytes.
const char* const prelude = R"IR(
define void @__heddle_copy(ptr nocapture %0, ptr nocapture %1, i64 %2) {
  %4 = ptrtoint ptr %0 to i64
  %5 = and i64 %4, 7
  %6 = ptrtoint ptr %1 to i64
  %7 = and i64 %6, 7
  %8 = icmp eq i64 %5, %7
  br i1 %8, label %9, label %27
9:
  %.07 = phi i64 [ %19, %15 ], [ %2, %3 ]
  %.01 = phi ptr [ %16, %15 ], [ %1, %3 ]
  %.0 = phi ptr [ %18, %15 ], [ %0, %3 ]
  %10 = icmp ne i64 %.07, 0
  %11 = ptrtoint ptr %.0 to i64
  %12 = and i64 %11, 7
  %13 = icmp ne i64 %12, 0
  %14 = select i1 %10, i1 %13, i1 false
  br i1 %14, label %15, label %20
15:
  %16 = getelementptr inbounds i8, ptr %.01, i32 1
  %17 = load i8, ptr %.01, align 1
  %18 = getelementptr inbounds i8, ptr %.0, i32 1
  store i8 %17, ptr %.0, align 1
  %19 = add i64 %.07, -1
  br label %9
20:
  %.18 = phi i64 [ %24, %22 ], [ %.07, %9 ]
  %.12 = phi ptr [ %26, %22 ], [ %.01, %9 ]
  %.1 = phi ptr [ %25, %22 ], [ %.0, %9 ]
  %21 = icmp uge i64 %.18, 8
  br i1 %21, label %22, label %38
22:
  %23 = load i64, ptr %.12, align 8
  store i64 %23, ptr %.1, align 8
  %24 = sub i64 %.18, 8
  %25 = getelementptr inbounds i8, ptr %.1, i64 8
  %26 = getelementptr inbounds i8, ptr %.12, i64 8
  br label %20
27:
  %28 = or i64 %5, %7
  %29 = and i64 %28, 3
  %30 = icmp ne i64 %29, 0
  br i1 %30, label %38, label %31
31:
  %.29 = phi i64 [ %35, %33 ], [ %2, %27 ]
  %.23 = phi ptr [ %37, %33 ], [ %1, %27 ]
  %.2 = phi ptr [ %36, %33 ], [ %0, %27 ]
  %32 = icmp uge i64 %.29, 4
  br i1 %32, label %33, label %38
33:
  %34 = load i32, ptr %.23, align 4
  store i32 %34, ptr %.2, align 4
  %35 = sub i64 %.29, 4
  %36 = getelementptr inbounds i8, ptr %.2, i64 4
  %37 = getelementptr inbounds i8, ptr %.23, i64 4
  br label %31
38:
  %.411 = phi i64 [ %.18, %20 ], [ %2, %27 ], [ %.29, %31 ]
  %.45 = phi ptr [ %.12, %20 ], [ %1, %27 ], [ %.23, %31 ]
  %.4 = phi ptr [ %.1, %20 ], [ %0, %27 ], [ %.2, %31 ]
  br label %39
39:
  %.512 = phi i64 [ %.411, %38 ], [ %45, %41 ]
  %.56 = phi ptr [ %.45, %38 ], [ %42, %41 ]
  %.5 = phi ptr [ %.4, %38 ], [ %44, %41 ]
  %40 = icmp ne i64 %.512, 0
  br i1 %40, label %41, label %46
41:
  %42 = getelementptr inbounds i8, ptr %.56, i32 1
  %43 = load i8, ptr %.56, align 1
  %44 = getelementptr inbounds i8, ptr %.5, i32 1
  store i8 %43, ptr %.5, align 1
  %45 = add i64 %.512, -1
  br label %39
46:
  ret void
}
define void @__heddle_move(ptr nocapture %0, ptr nocapture %1, i64 %2) {
  %4 = call i1 @__heddle_before(ptr %1, ptr %0)
  br i1 %4, label %6, label %5
5:
  call void @__heddle_copy(ptr %0, ptr %1, i64 %2)
  br label %51
6:
  %7 = getelementptr inbounds i8, ptr %0, i64 %2
  %8 = getelementptr inbounds i8, ptr %1, i64 %2
  %9 = ptrtoint ptr %7 to i64
  %10 = and i64 %9, 7
  %11 = ptrtoint ptr %8 to i64
  %12 = and i64 %11, 7
  %13 = icmp eq i64 %10, %12
  br i1 %13, label %14, label %32
14:
  %.07 = phi i64 [ %24, %20 ], [ %2, %6 ]
  %.01 = phi ptr [ %21, %20 ], [ %8, %6 ]
  %.0 = phi ptr [ %23, %20 ], [ %7, %6 ]
  %15 = icmp ne i64 %.07, 0
  %16 = ptrtoint ptr %.0 to i64
  %17 = and i64 %16, 7
  %18 = icmp ne i64 %17, 0
  %19 = select i1 %15, i1 %18, i1 false
  br i1 %19, label %20, label %25
20:
  %21 = getelementptr inbounds i8, ptr %.01, i32 -1
  %22 = load i8, ptr %21, align 1
  %23 = getelementptr inbounds i8, ptr %.0, i32 -1
  store i8 %22, ptr %23, align 1
  %24 = add i64 %.07, -1
  br label %14
25:
  %.18 = phi i64 [ %31, %27 ], [ %.07, %14 ]
  %.12 = phi ptr [ %29, %27 ], [ %.01, %14 ]
  %.1 = phi ptr [ %28, %27 ], [ %.0, %14 ]
  %26 = icmp uge i64 %.18, 8
  br i1 %26, label %27, label %43
27:
  %28 = getelementptr inbounds i8, ptr %.1, i64 -8
  %29 = getelementptr inbounds i8, ptr %.12, i64 -8
  %30 = load i64, ptr %29, align 8
  store i64 %30, ptr %28, align 8
  %31 = sub i64 %.18, 8
  br label %25
32:
  %33 = or i64 %10, %12
  %34 = and i64 %33, 3
  %35 = icmp ne i64 %34, 0
  br i1 %35, label %43, label %36
36:
  %.29 = phi i64 [ %42, %38 ], [ %2, %32 ]
  %.23 = phi ptr [ %40, %38 ], [ %8, %32 ]
  %.2 = phi ptr [ %39, %38 ], [ %7, %32 ]
  %37 = icmp uge i64 %.29, 4
  br i1 %37, label %38, label %43
38:
  %39 = getelementptr inbounds i8, ptr %.2, i64 -4
  %40 = getelementptr inbounds i8, ptr %.23, i64 -4
  %41 = load i32, ptr %40, align 4
  store i32 %41, ptr %39, align 4
  %42 = sub i64 %.29, 4
  br label %36
43:
  %.411 = phi i64 [ %.18, %25 ], [ %2, %32 ], [ %.29, %36 ]
  %.45 = phi ptr [ %.12, %25 ], [ %8, %32 ], [ %.23, %36 ]
  %.4 = phi ptr [ %.1, %25 ], [ %7, %32 ], [ %.2, %36 ]
  br label %44
44:
  %.512 = phi i64 [ %.411, %43 ], [ %50, %46 ]
  %.56 = phi ptr [ %.45, %43 ], [ %47, %46 ]
  %.5 = phi ptr [ %.4, %43 ], [ %49, %46 ]
  %45 = icmp ne i64 %.512, 0
  br i1 %45, label %46, label %51
46:
  %47 = getelementptr inbounds i8, ptr %.56, i32 -1
  %48 = load i8, ptr %47, align 1
  %49 = getelementptr inbounds i8, ptr %.5, i32 -1
  store i8 %48, ptr %49, align 1
  %50 = add i64 %.512, -1
  br label %44
51:
  ret void
}
declare i1 @__heddle_before(ptr noundef, ptr noundef)
declare void @__heddle_disjoint(ptr noundef, ptr noundef, i64 noundef)
define void @__heddle_fill(ptr nocapture %0, i8 %1, i64 %2) {
  %4 = zext i8 %1 to i64
  %5 = mul i64 %4, 72340172838076673
  br label %6
6:
  %.01 = phi i64 [ %2, %3 ], [ %14, %12 ]
  %.0 = phi ptr [ %0, %3 ], [ %13, %12 ]
  %7 = icmp ne i64 %.01, 0
  %8 = ptrtoint ptr %.0 to i64
  %9 = and i64 %8, 7
  %10 = icmp ne i64 %9, 0
  %11 = select i1 %7, i1 %10, i1 false
  br i1 %11, label %12, label %15
12:
  %13 = getelementptr inbounds i8, ptr %.0, i32 1
  store i8 %1, ptr %.0, align 1
  %14 = add i64 %.01, -1
  br label %6
15:
  %.12 = phi i64 [ %18, %17 ], [ %.01, %6 ]
  %.1 = phi ptr [ %19, %17 ], [ %.0, %6 ]
  %16 = icmp uge i64 %.12, 8
  br i1 %16, label %17, label %20
17:
  store i64 %5, ptr %.1, align 8
  %18 = sub i64 %.12, 8
  %19 = getelementptr inbounds i8, ptr %.1, i64 8
  br label %15
20:
  %.23 = phi i64 [ %24, %22 ], [ %.12, %15 ]
  %.2 = phi ptr [ %23, %22 ], [ %.1, %15 ]
  %21 = icmp ne i64 %.23, 0
  br i1 %21, label %22, label %25
22:
  %23 = getelementptr inbounds i8, ptr %.2, i32 1
  store i8 %1, ptr %.2, align 1
  %24 = add i64 %.23, -1
  br label %20
25:
  ret void
}
define ptr @memcpy(ptr noalias %0, ptr noalias %1, i64 %2) {
  call void @__heddle_disjoint(ptr %0, ptr %1, i64 %2)
  call void @__heddle_copy(ptr %0, ptr %1, i64 %2)
  ret ptr %0
}
define ptr @memmove(ptr %0, ptr %1, i64 %2) {
  call void @__heddle_move(ptr %0, ptr %1, i64 %2)
  ret ptr %0
}
define ptr @memset(ptr %0, i32 %1, i64 %2) {
  %4 = trunc i32 %1 to i8
  call void @__heddle_fill(ptr %0, i8 %4, i64 %2)
  ret ptr %0
}
define void @__heddle_output(i32 %0, ptr %1, i64 %2) {
  br label %4
4:
  %.02 = phi i64 [ %2, %3 ], [ %16, %14 ]
  %.01 = phi ptr [ %1, %3 ], [ %15, %14 ]
  %5 = icmp ne i64 %.02, 0
  br i1 %5, label %6, label %17
6:
  %7 = ptrtoint ptr %.01 to i64
  %8 = and i64 %7, 7
  %9 = sub i64 8, %8
  %10 = icmp ugt i64 %9, %.02
  %spec.select = select i1 %10, i64 %.02, i64 %9
  %11 = icmp eq i32 %0, 2
  br i1 %11, label %12, label %13
12:
  call void @__heddle_output2(ptr %.01, i64 %spec.select)
  br label %14
13:
  call void @__heddle_output1(ptr %.01, i64 %spec.select)
  br label %14
14:
  %15 = getelementptr inbounds i8, ptr %.01, i64 %spec.select
  %16 = sub i64 %.02, %spec.select
  br label %4
17:
  ret void
}
declare void @__heddle_output2(ptr noundef, i64 noundef)
declare void @__heddle_output1(ptr noundef, i64 noundef)
)IR";

}  // namespace heddle::lang::llvm_ir
