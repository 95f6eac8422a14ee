#!/usr/bin/env bash
# Compiles a C++ program as a checked one, links it with the C and C++ libraries of checked programs, makes native code of
# that bitcode over shim.c and the host's unwinder, and runs it:
#   run_cxx.sh LIBRARY_DIR WORK_DIR NAME PROGRAM.cpp RUNS [clang flags...]
# It is the very bitcode of checked programs, made for x86-64, on every host: only what it says of the target is changed. So
# functions with a variable number of arguments do not work elsewhere. Prints one line per run: its status, and what is in
# `result` at its end if the program has such an array of four.
# Modules of the library are compiled when they are first needed, into WORK_DIR/modules.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library=$1 work=$2 name=$3 program=$4 runs=$5
shift 5
arch=$(uname -m)
mkdir -p "$work/modules"
base=$work/$name

# native INPUT.bc OUTPUT.o
native() {
  llvm-dis-19 -o - "$1" | sed -E -e '/^target (datalayout|triple) = /d' -e 's/"(target-cpu|target-features|tune-cpu)"="[^"]*"//g' |
    clang-19 --target="$arch-linux-gnu" -O1 -fno-pic -mno-outline-atomics -fexceptions -w -x ir -c -o "$2.new" -
  mv "$2.new" "$2"
}

clang-19 --target=x86_64-unknown-linux-musl -g0 -mlong-double-64 -mcx16 -fno-vectorize -fno-slp-vectorize -ffp-contract=off \
  -fno-pic -fno-stack-protector -std=c++20 -O1 --no-default-config -nostdlibinc -isystem "$library/cxx/include/c++/v1" \
  -idirafter "$library/include" -I"$here/../../include" "$@" -c -emit-llvm -o "$base.bc" "$program"
native "$base.bc" "$base.program.o"

exec 9> "$work/lock"
flock 9
if ! [ "$work/shim.o" -nt "$here/shim.c" ]; then
  clang-19 -O1 -fno-pic -I"$here/../../runtime/include" -c -o "$work/shim.new" "$here/shim.c"
  mv "$work/shim.new" "$work/shim.o"
fi
# As an archive would be linked; the unwinder over the machine's frames is the host's own here.
objects=("$base.program.o")
needed=" heddle_start "
while :; do
  for module in $needed; do
    [ -e "$work/modules/$module.o" ] && [ "$work/modules/$module.o" -nt "$library/cxx/symbols.txt" ] && continue
    bitcode=$library/$module.bc
    [ -e "$bitcode" ] || bitcode=$library/cxx/$module.bc
    native "$bitcode" "$work/modules/$module.o"
  done
  ld -r -o "$base.all.o" "${objects[@]}" $(for module in $needed; do echo "$work/modules/$module.o"; done)
  nm -u "$base.all.o" | sed -nE 's/^ *U (.*)$/\1/p' | grep -v '^_Unwind_' | LC_ALL=C sort -u > "$base.undefined"
  more=$(awk 'FILENAME == ARGV[1] { need[$1] = 1; next } $1 in need { print $2 }' "$base.undefined" "$library/symbols.txt" \
    "$library/cxx/symbols.txt" | sort -u)
  added=
  for module in $more; do [[ "$needed" == *" $module "* ]] || added+="$module "; done
  [ -n "$added" ] || break
  needed+="$added"
done
flock -u 9
foreign=$(grep -vxFf <(grep -oE '_*heddle_[a-z_]+' "$here/../../runtime/include/heddle_vm.h") "$base.undefined" || true)
[ -z "$foreign" ] || { echo "not offered by the machine:" $foreign; exit 97; }
objcopy --keep-global-symbol=__heddle_main --keep-global-symbol=result "$base.all.o" # its malloc is not the host's
clang-19 -no-pie -pthread -o "$base.exe" "$base.all.o" "$work/shim.o" -lgcc_s
for ((i = 0; i < runs; i++)); do
  status=0
  SHOW_RESULT=1 timeout 20 "$base.exe" > "$base.out" 2>&1 || status=$?
  echo "$status $(tail -1 "$base.out")"
done
