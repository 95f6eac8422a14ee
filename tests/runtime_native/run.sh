#!/usr/bin/env bash
# Compiles a C program as a checked one, links it with the runtime library, makes native code of it over shim.c, runs it:
#   run.sh RUNTIME_DIR WORK_DIR PROGRAM.c [clang flags...]
# The library in RUNTIME_DIR was built for the host's architecture (runtime/build.sh RUNTIME_DIR "$(uname -m)").
# Fails if the linked program refers to anything that heddle_vm.h does not offer.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library=$1 work=$2 program=$3
shift 3
name=$(basename "$program" .c)
base=$work/$name
arch=$(uname -m)
case $arch in
  x86_64) arch_flags=-mcx16 ;;
  aarch64) arch_flags=-fsigned-char ;;
  *) echo "runtime_native: no flags for $arch"; exit 96 ;;
esac
clang-19 --target="$arch-unknown-linux-musl" -Xclang -mlong-double-64 $arch_flags -ffp-contract=off -nostdinc -isystem "$library/include" \
  -isystem "$(clang-19 -print-resource-dir)/include" -O1 -g -fno-pic -fno-builtin "$@" -c -emit-llvm -o "$base.bc" "$program"
"$here/link.sh" "$library" "$base.linked.bc" "$base.bc"
foreign=$(grep -vxFf <(grep -oE '_*heddle_[a-z_]+' "$here/../../runtime/include/heddle_vm.h") "$base.linked.bc.undefined" || true)
[ -z "$foreign" ] || { echo "not offered by the machine:" $foreign; exit 97; }
clang-19 --target="$arch-linux-gnu" -O1 -fno-pic -Wno-override-module -c -o "$base.o" "$base.linked.bc"
objcopy --keep-global-symbol=__heddle_main "$base.o" # or its malloc and printf would be the host's too
[ "$work/shim.o" -nt "$here/shim.c" ] || clang-19 -O1 -fno-pic -I"$here/../../runtime/include" -c -o "$work/shim.o" "$here/shim.c"
clang-19 -no-pie -pthread -o "$base" "$base.o" "$work/shim.o"
exec timeout 60 "$base"
