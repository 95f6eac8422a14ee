; what    saturating shifts and conversions of all widths
; why     they were not supported; what is expected was computed with exact integers
; expect  sc,rc11 holds
; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare i8 @llvm.fptoui.sat.i8.f64(double)
declare i128 @llvm.sshl.sat.i128(i128, i128)
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i64 @llvm.sshl.sat.i64(i64, i64)
declare i8 @llvm.sshl.sat.i8(i8, i8)
declare i128 @llvm.ushl.sat.i128(i128, i128)
declare i32 @llvm.ushl.sat.i32(i32, i32)
declare i64 @llvm.ushl.sat.i64(i64, i64)
declare i8 @llvm.ushl.sat.i8(i8, i8)
declare void @abort()

define i32 @main() {
  %v0 = call i8 @llvm.sshl.sat.i8(i8 1, i8 6)
  %c0 = icmp eq i8 %v0, 64
  %v1 = call i8 @llvm.sshl.sat.i8(i8 1, i8 7)
  %c1 = icmp eq i8 %v1, 127
  %a1 = and i1 %c0, %c1
  %v2 = call i8 @llvm.sshl.sat.i8(i8 -1, i8 7)
  %c2 = icmp eq i8 %v2, -128
  %a2 = and i1 %a1, %c2
  %v3 = call i8 @llvm.sshl.sat.i8(i8 -3, i8 6)
  %c3 = icmp eq i8 %v3, -128
  %a3 = and i1 %a2, %c3
  %v4 = call i8 @llvm.sshl.sat.i8(i8 5, i8 5)
  %c4 = icmp eq i8 %v4, 127
  %a4 = and i1 %a3, %c4
  %v5 = call i8 @llvm.sshl.sat.i8(i8 -1, i8 0)
  %c5 = icmp eq i8 %v5, -1
  %a5 = and i1 %a4, %c5
  %v6 = call i8 @llvm.ushl.sat.i8(i8 1, i8 7)
  %c6 = icmp eq i8 %v6, 128
  %a6 = and i1 %a5, %c6
  %v7 = call i8 @llvm.ushl.sat.i8(i8 3, i8 7)
  %c7 = icmp eq i8 %v7, 255
  %a7 = and i1 %a6, %c7
  %v8 = call i8 @llvm.ushl.sat.i8(i8 3, i8 6)
  %c8 = icmp eq i8 %v8, 192
  %a8 = and i1 %a7, %c8
  %v9 = call i8 @llvm.ushl.sat.i8(i8 255, i8 1)
  %c9 = icmp eq i8 %v9, 255
  %a9 = and i1 %a8, %c9
  %v10 = call i32 @llvm.sshl.sat.i32(i32 1, i32 30)
  %c10 = icmp eq i32 %v10, 1073741824
  %a10 = and i1 %a9, %c10
  %v11 = call i32 @llvm.sshl.sat.i32(i32 1, i32 31)
  %c11 = icmp eq i32 %v11, 2147483647
  %a11 = and i1 %a10, %c11
  %v12 = call i32 @llvm.sshl.sat.i32(i32 -1, i32 31)
  %c12 = icmp eq i32 %v12, -2147483648
  %a12 = and i1 %a11, %c12
  %v13 = call i32 @llvm.sshl.sat.i32(i32 -3, i32 30)
  %c13 = icmp eq i32 %v13, -2147483648
  %a13 = and i1 %a12, %c13
  %v14 = call i32 @llvm.sshl.sat.i32(i32 5, i32 29)
  %c14 = icmp eq i32 %v14, 2147483647
  %a14 = and i1 %a13, %c14
  %v15 = call i32 @llvm.sshl.sat.i32(i32 -1, i32 0)
  %c15 = icmp eq i32 %v15, -1
  %a15 = and i1 %a14, %c15
  %v16 = call i32 @llvm.ushl.sat.i32(i32 1, i32 31)
  %c16 = icmp eq i32 %v16, 2147483648
  %a16 = and i1 %a15, %c16
  %v17 = call i32 @llvm.ushl.sat.i32(i32 3, i32 31)
  %c17 = icmp eq i32 %v17, 4294967295
  %a17 = and i1 %a16, %c17
  %v18 = call i32 @llvm.ushl.sat.i32(i32 3, i32 30)
  %c18 = icmp eq i32 %v18, 3221225472
  %a18 = and i1 %a17, %c18
  %v19 = call i32 @llvm.ushl.sat.i32(i32 4294967295, i32 1)
  %c19 = icmp eq i32 %v19, 4294967295
  %a19 = and i1 %a18, %c19
  %v20 = call i64 @llvm.sshl.sat.i64(i64 1, i64 62)
  %c20 = icmp eq i64 %v20, 4611686018427387904
  %a20 = and i1 %a19, %c20
  %v21 = call i64 @llvm.sshl.sat.i64(i64 1, i64 63)
  %c21 = icmp eq i64 %v21, 9223372036854775807
  %a21 = and i1 %a20, %c21
  %v22 = call i64 @llvm.sshl.sat.i64(i64 -1, i64 63)
  %c22 = icmp eq i64 %v22, -9223372036854775808
  %a22 = and i1 %a21, %c22
  %v23 = call i64 @llvm.sshl.sat.i64(i64 -3, i64 62)
  %c23 = icmp eq i64 %v23, -9223372036854775808
  %a23 = and i1 %a22, %c23
  %v24 = call i64 @llvm.sshl.sat.i64(i64 5, i64 61)
  %c24 = icmp eq i64 %v24, 9223372036854775807
  %a24 = and i1 %a23, %c24
  %v25 = call i64 @llvm.sshl.sat.i64(i64 -1, i64 0)
  %c25 = icmp eq i64 %v25, -1
  %a25 = and i1 %a24, %c25
  %v26 = call i64 @llvm.ushl.sat.i64(i64 1, i64 63)
  %c26 = icmp eq i64 %v26, 9223372036854775808
  %a26 = and i1 %a25, %c26
  %v27 = call i64 @llvm.ushl.sat.i64(i64 3, i64 63)
  %c27 = icmp eq i64 %v27, 18446744073709551615
  %a27 = and i1 %a26, %c27
  %v28 = call i64 @llvm.ushl.sat.i64(i64 3, i64 62)
  %c28 = icmp eq i64 %v28, 13835058055282163712
  %a28 = and i1 %a27, %c28
  %v29 = call i64 @llvm.ushl.sat.i64(i64 18446744073709551615, i64 1)
  %c29 = icmp eq i64 %v29, 18446744073709551615
  %a29 = and i1 %a28, %c29
  %v30 = call i128 @llvm.sshl.sat.i128(i128 1, i128 126)
  %c30 = icmp eq i128 %v30, 85070591730234615865843651857942052864
  %a30 = and i1 %a29, %c30
  %v31 = call i128 @llvm.sshl.sat.i128(i128 1, i128 127)
  %c31 = icmp eq i128 %v31, 170141183460469231731687303715884105727
  %a31 = and i1 %a30, %c31
  %v32 = call i128 @llvm.sshl.sat.i128(i128 -1, i128 127)
  %c32 = icmp eq i128 %v32, -170141183460469231731687303715884105728
  %a32 = and i1 %a31, %c32
  %v33 = call i128 @llvm.sshl.sat.i128(i128 -3, i128 126)
  %c33 = icmp eq i128 %v33, -170141183460469231731687303715884105728
  %a33 = and i1 %a32, %c33
  %v34 = call i128 @llvm.sshl.sat.i128(i128 5, i128 125)
  %c34 = icmp eq i128 %v34, 170141183460469231731687303715884105727
  %a34 = and i1 %a33, %c34
  %v35 = call i128 @llvm.sshl.sat.i128(i128 -1, i128 0)
  %c35 = icmp eq i128 %v35, -1
  %a35 = and i1 %a34, %c35
  %v36 = call i128 @llvm.ushl.sat.i128(i128 1, i128 127)
  %c36 = icmp eq i128 %v36, 170141183460469231731687303715884105728
  %a36 = and i1 %a35, %c36
  %v37 = call i128 @llvm.ushl.sat.i128(i128 3, i128 127)
  %c37 = icmp eq i128 %v37, 340282366920938463463374607431768211455
  %a37 = and i1 %a36, %c37
  %v38 = call i128 @llvm.ushl.sat.i128(i128 3, i128 126)
  %c38 = icmp eq i128 %v38, 255211775190703847597530955573826158592
  %a38 = and i1 %a37, %c38
  %v39 = call i128 @llvm.ushl.sat.i128(i128 340282366920938463463374607431768211455, i128 1)
  %c39 = icmp eq i128 %v39, 340282366920938463463374607431768211455
  %a39 = and i1 %a38, %c39
  %v40 = call i8 @llvm.fptosi.sat.i8.f64(double 1.5)
  %c40 = icmp eq i8 %v40, 1
  %a40 = and i1 %a39, %c40
  %v41 = call i8 @llvm.fptoui.sat.i8.f64(double 1.5)
  %c41 = icmp eq i8 %v41, 1
  %a41 = and i1 %a40, %c41
  %v42 = call i8 @llvm.fptosi.sat.i8.f64(double -1.5)
  %c42 = icmp eq i8 %v42, -1
  %a42 = and i1 %a41, %c42
  %v43 = call i8 @llvm.fptoui.sat.i8.f64(double -1.5)
  %c43 = icmp eq i8 %v43, 0
  %a43 = and i1 %a42, %c43
  %v44 = call i8 @llvm.fptosi.sat.i8.f64(double 1.0e30)
  %c44 = icmp eq i8 %v44, 127
  %a44 = and i1 %a43, %c44
  %v45 = call i8 @llvm.fptoui.sat.i8.f64(double 1.0e30)
  %c45 = icmp eq i8 %v45, 255
  %a45 = and i1 %a44, %c45
  %v46 = call i8 @llvm.fptosi.sat.i8.f64(double -1.0e30)
  %c46 = icmp eq i8 %v46, -128
  %a46 = and i1 %a45, %c46
  %v47 = call i8 @llvm.fptoui.sat.i8.f64(double -1.0e30)
  %c47 = icmp eq i8 %v47, 0
  %a47 = and i1 %a46, %c47
  %v48 = call i8 @llvm.fptosi.sat.i8.f64(double 0x7FF8000000000000)
  %c48 = icmp eq i8 %v48, 0
  %a48 = and i1 %a47, %c48
  %v49 = call i8 @llvm.fptoui.sat.i8.f64(double 0x7FF8000000000000)
  %c49 = icmp eq i8 %v49, 0
  %a49 = and i1 %a48, %c49
  %v50 = call i8 @llvm.fptosi.sat.i8.f64(double 0xFFF0000000000000)
  %c50 = icmp eq i8 %v50, -128
  %a50 = and i1 %a49, %c50
  %v51 = call i8 @llvm.fptoui.sat.i8.f64(double 0xFFF0000000000000)
  %c51 = icmp eq i8 %v51, 0
  %a51 = and i1 %a50, %c51
  %v52 = call i8 @llvm.fptosi.sat.i8.f64(double 2147483648.0)
  %c52 = icmp eq i8 %v52, 127
  %a52 = and i1 %a51, %c52
  %v53 = call i8 @llvm.fptoui.sat.i8.f64(double 2147483648.0)
  %c53 = icmp eq i8 %v53, 255
  %a53 = and i1 %a52, %c53
  %v54 = call i8 @llvm.fptosi.sat.i8.f64(double -2147483649.0)
  %c54 = icmp eq i8 %v54, -128
  %a54 = and i1 %a53, %c54
  %v55 = call i8 @llvm.fptoui.sat.i8.f64(double -2147483649.0)
  %c55 = icmp eq i8 %v55, 0
  %a55 = and i1 %a54, %c55
  %v56 = call i32 @llvm.fptosi.sat.i32.f64(double 1.5)
  %c56 = icmp eq i32 %v56, 1
  %a56 = and i1 %a55, %c56
  %v57 = call i32 @llvm.fptoui.sat.i32.f64(double 1.5)
  %c57 = icmp eq i32 %v57, 1
  %a57 = and i1 %a56, %c57
  %v58 = call i32 @llvm.fptosi.sat.i32.f64(double -1.5)
  %c58 = icmp eq i32 %v58, -1
  %a58 = and i1 %a57, %c58
  %v59 = call i32 @llvm.fptoui.sat.i32.f64(double -1.5)
  %c59 = icmp eq i32 %v59, 0
  %a59 = and i1 %a58, %c59
  %v60 = call i32 @llvm.fptosi.sat.i32.f64(double 1.0e30)
  %c60 = icmp eq i32 %v60, 2147483647
  %a60 = and i1 %a59, %c60
  %v61 = call i32 @llvm.fptoui.sat.i32.f64(double 1.0e30)
  %c61 = icmp eq i32 %v61, 4294967295
  %a61 = and i1 %a60, %c61
  %v62 = call i32 @llvm.fptosi.sat.i32.f64(double -1.0e30)
  %c62 = icmp eq i32 %v62, -2147483648
  %a62 = and i1 %a61, %c62
  %v63 = call i32 @llvm.fptoui.sat.i32.f64(double -1.0e30)
  %c63 = icmp eq i32 %v63, 0
  %a63 = and i1 %a62, %c63
  %v64 = call i32 @llvm.fptosi.sat.i32.f64(double 0x7FF8000000000000)
  %c64 = icmp eq i32 %v64, 0
  %a64 = and i1 %a63, %c64
  %v65 = call i32 @llvm.fptoui.sat.i32.f64(double 0x7FF8000000000000)
  %c65 = icmp eq i32 %v65, 0
  %a65 = and i1 %a64, %c65
  %v66 = call i32 @llvm.fptosi.sat.i32.f64(double 0xFFF0000000000000)
  %c66 = icmp eq i32 %v66, -2147483648
  %a66 = and i1 %a65, %c66
  %v67 = call i32 @llvm.fptoui.sat.i32.f64(double 0xFFF0000000000000)
  %c67 = icmp eq i32 %v67, 0
  %a67 = and i1 %a66, %c67
  %v68 = call i32 @llvm.fptosi.sat.i32.f64(double 2147483648.0)
  %c68 = icmp eq i32 %v68, 2147483647
  %a68 = and i1 %a67, %c68
  %v69 = call i32 @llvm.fptoui.sat.i32.f64(double 2147483648.0)
  %c69 = icmp eq i32 %v69, 2147483648
  %a69 = and i1 %a68, %c69
  %v70 = call i32 @llvm.fptosi.sat.i32.f64(double -2147483649.0)
  %c70 = icmp eq i32 %v70, -2147483648
  %a70 = and i1 %a69, %c70
  %v71 = call i32 @llvm.fptoui.sat.i32.f64(double -2147483649.0)
  %c71 = icmp eq i32 %v71, 0
  %a71 = and i1 %a70, %c71
  %v72 = call i64 @llvm.fptosi.sat.i64.f64(double 1.5)
  %c72 = icmp eq i64 %v72, 1
  %a72 = and i1 %a71, %c72
  %v73 = call i64 @llvm.fptoui.sat.i64.f64(double 1.5)
  %c73 = icmp eq i64 %v73, 1
  %a73 = and i1 %a72, %c73
  %v74 = call i64 @llvm.fptosi.sat.i64.f64(double -1.5)
  %c74 = icmp eq i64 %v74, -1
  %a74 = and i1 %a73, %c74
  %v75 = call i64 @llvm.fptoui.sat.i64.f64(double -1.5)
  %c75 = icmp eq i64 %v75, 0
  %a75 = and i1 %a74, %c75
  %v76 = call i64 @llvm.fptosi.sat.i64.f64(double 1.0e30)
  %c76 = icmp eq i64 %v76, 9223372036854775807
  %a76 = and i1 %a75, %c76
  %v77 = call i64 @llvm.fptoui.sat.i64.f64(double 1.0e30)
  %c77 = icmp eq i64 %v77, 18446744073709551615
  %a77 = and i1 %a76, %c77
  %v78 = call i64 @llvm.fptosi.sat.i64.f64(double -1.0e30)
  %c78 = icmp eq i64 %v78, -9223372036854775808
  %a78 = and i1 %a77, %c78
  %v79 = call i64 @llvm.fptoui.sat.i64.f64(double -1.0e30)
  %c79 = icmp eq i64 %v79, 0
  %a79 = and i1 %a78, %c79
  %v80 = call i64 @llvm.fptosi.sat.i64.f64(double 0x7FF8000000000000)
  %c80 = icmp eq i64 %v80, 0
  %a80 = and i1 %a79, %c80
  %v81 = call i64 @llvm.fptoui.sat.i64.f64(double 0x7FF8000000000000)
  %c81 = icmp eq i64 %v81, 0
  %a81 = and i1 %a80, %c81
  %v82 = call i64 @llvm.fptosi.sat.i64.f64(double 0xFFF0000000000000)
  %c82 = icmp eq i64 %v82, -9223372036854775808
  %a82 = and i1 %a81, %c82
  %v83 = call i64 @llvm.fptoui.sat.i64.f64(double 0xFFF0000000000000)
  %c83 = icmp eq i64 %v83, 0
  %a83 = and i1 %a82, %c83
  %v84 = call i64 @llvm.fptosi.sat.i64.f64(double 2147483648.0)
  %c84 = icmp eq i64 %v84, 2147483648
  %a84 = and i1 %a83, %c84
  %v85 = call i64 @llvm.fptoui.sat.i64.f64(double 2147483648.0)
  %c85 = icmp eq i64 %v85, 2147483648
  %a85 = and i1 %a84, %c85
  %v86 = call i64 @llvm.fptosi.sat.i64.f64(double -2147483649.0)
  %c86 = icmp eq i64 %v86, -2147483649
  %a86 = and i1 %a85, %c86
  %v87 = call i64 @llvm.fptoui.sat.i64.f64(double -2147483649.0)
  %c87 = icmp eq i64 %v87, 0
  %a87 = and i1 %a86, %c87
  br i1 %a87, label %right, label %wrong

wrong:
  call void @abort()
  unreachable

right:
  ret i32 0
}
