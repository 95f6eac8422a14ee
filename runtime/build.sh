#!/usr/bin/env bash
# Builds the library of checked programs as bitcode:
#
#   runtime/build.sh OUTPUT_DIR [ARCHITECTURE]
#
# leaves OUTPUT_DIR/*.bc (one module a source file), OUTPUT_DIR/symbols.txt (which module defines a symbol) and
# OUTPUT_DIR/include (headers); README.md says how they are used. Nothing is done when nothing changed. musl's source
# package is downloaded once, by apt, with a configuration of its own, and kept in OUTPUT_DIR/cache (HEDDLE_CACHE
# overrides); nothing outside OUTPUT_DIR and the cache is written.
# Checked programs have one architecture on every host, x86_64. The other one, aarch64, serves tests/runtime_native,
# which run the library as native code of such a host.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
[ $# -eq 1 ] || [ $# -eq 2 ] || fail "usage: runtime/build.sh OUTPUT_DIR [ARCHITECTURE]"
arch=${2:-x86_64}
case $arch in
  x86_64) arch_flags=-mcx16 ;;
  aarch64) arch_flags=-fsigned-char ;; # as on x86-64
  *) fail "the architecture is x86_64 or aarch64, not $arch" ;;
esac

project=$(dirname "$here")
mkdir -p "$1"
out=$(cd "$1" && pwd)
cache=$(cache_folder)

exec 9> "$out/lock"
flock 9 # two builds at once would be in each other's way

clang=${HEDDLE_CLANG:-clang-19}
nm=${HEDDLE_NM:-llvm-nm-19}
for tool in "$clang" "$nm" tar sed; do
  command -v "$tool" > /dev/null || fail "$tool is not installed"
done

target=$arch-unknown-linux-musl
musl_version=1.2.3

# One fixed target, no vectors, long double as double, line tables for traces (README.md says why).
# -Xclang: clang's driver knows -mlong-double-64 for x86-64 only.
common="--target=$target -O1 -Xclang -mlong-double-64 $arch_flags -ffp-contract=off -fno-vectorize -fno-slp-vectorize -fno-pic
  -gline-tables-only -nostdinc -ffreestanding -fno-stack-protector -fno-exceptions -fno-asynchronous-unwind-tables
  -fno-unwind-tables -Wno-everything"

stamp() {
  "$clang" --version | head -1
  echo "$musl_version $common"
  cd "$here" && find . "$project/include/heddle.h" -type f ! -name '*.md' ! -path '*cxx*' -print0 | sort -z | xargs -0 sha256sum | cut -c1-64
}
stamp=$(stamp | sha256sum)
[ -f "$out/stamp" ] && [ "$(cat "$out/stamp")" = "$stamp" ] && exit 0
rm -f "$out/stamp"

# Unpacks what is needed of musl and makes the headers that its own build would make.
prepare_musl() {
  download musl $musl_version
  rm -rf "$work/musl"
  mkdir -p "$work/musl"
  tar -xf "$(compgen -G "$cache/musl_$musl_version.orig.tar.*" | grep -v '\.asc$' | head -1)" -C "$work/musl" \
    --strip-components=1 --wildcards '*/src' '*/include' '*/tools' "*/arch/$arch" '*/arch/generic' '*/arch/arm/bits/float.h'
  cd "$work/musl"
  rm arch/$arch/{syscall_arch,pthread_arch,atomic_arch}.h
  cp arch/arm/bits/float.h arch/$arch/bits/float.h
  grep -rl 'STDC FENV_ACCESS' src | xargs sed -i '/STDC FENV_ACCESS/d'
  # The aliases would point to names that musl/MODULES changes.
  sed -i '/^weak_alias(fwrite,/d' src/stdio/fwrite.c
  sed -i '/^weak_alias(fflush,/d' src/stdio/fflush.c
  # A stream's lock word is read while others write it.
  sed -i 's/(f)->lock>=0/__atomic_load_n(\&(f)->lock, __ATOMIC_RELAXED) >= 0/' src/internal/stdio_impl.h
  # Null pointers that scanf and its like pass over, as if an assignment was suppressed or the input empty.
  sed -i 's/dest = va_arg(ap, void \*);/& if (!dest) *(volatile char *)dest = 0;/; s/^\t\t\tdest = arg_n(.*;/& if (!dest) *(volatile char *)dest = 0;/' \
    src/stdio/vfscanf.c
  sed -i 's/^\tFILE f = {$/\tif (!s) (void)*(volatile char *)s;\n&/' src/stdio/vsscanf.c
  # By this sign src/cond.c knows a condition variable from any other memory.
  sed -i 's/^#define PTHREAD_COND_INITIALIZER .*/#define PTHREAD_COND_INITIALIZER {{{0, 0, 0x434f4e44}}}/' include/pthread.h
  # Optimisation would merge several failing assertions into one call, which is at no line.
  sed -i 's/^_Noreturn void __assert_fail/__attribute__((__nomerge__)) &/' include/assert.h
  mkdir -p made/bits
  sed -f tools/mkalltypes.sed arch/$arch/bits/alltypes.h.in include/alltypes.h.in > made/bits/alltypes.h
  cp arch/$arch/bits/syscall.h.in made/bits/syscall.h
  sed -n 's/__NR_/SYS_/p' arch/$arch/bits/syscall.h.in >> made/bits/syscall.h
  echo "#define VERSION \"$musl_version\"" > made/version.h
  rm -rf "$out/include"
  mkdir -p "$out/include/bits"
  cp -r include/. "$out/include/"
  for folder in arch/generic/bits arch/$arch/bits made/bits; do cp "$folder"/*.h "$out/include/bits/"; done
  rm -f "$out/include/alltypes.h.in"
  cp "$here"/headers/*.h "$project/include/heddle.h" "$out/include/"
  cd - > /dev/null
}

# Lists "source module flags" of musl's files, as musl/MODULES says.
musl_files() {
  local sign pattern flags file
  declare -A chosen=()
  while read -r sign pattern flags; do
    case $sign in
      +|-) ;;
      *) continue ;;
    esac
    for file in "$work/musl/src/"$pattern.c; do
      [ -e "$file" ] || continue
      if [ "$sign" = + ]; then chosen[$file]=$flags; else unset "chosen[$file]"; fi
    done
  done < "$here/musl/MODULES"
  local cautious
  cautious=$(grep -rl may_alias "$work/musl/src" --include='*.c' | tr '\n' ' ')
  for file in "${!chosen[@]}"; do
    flags=${chosen[$file]}
    # These read whole words beyond the end of objects where the compiler is GNU's.
    [[ " $cautious" == *" $file "* ]] && flags="$flags -U__GNUC__"
    pattern=${file#"$work/musl/src/"}
    pattern=${pattern%.c}
    echo "$file musl_${pattern//\//_} $flags"
  done
}

own_files() {
  local file
  for file in "$here"/src/*.c; do
    echo "$file heddle_$(basename "$file" .c)"
  done
}

work=$out/work
rm -rf "$work" && mkdir -p "$work/bc"
started=$SECONDS
prepare_musl

m=$work/musl
musl_flags=$(echo $common -std=c99 -D_XOPEN_SOURCE=700 -I$here/musl/port -I$m/arch/$arch -I$m/arch/generic -I$m/made \
  -I$m/src/include -I$m/src/internal -I$m/include)
own_flags=$(echo $common -std=c11 -D_XOPEN_SOURCE=700 -I$here/include -I$here/headers -I$project/include -I$here/musl/port \
  -I$m/arch/$arch -I$m/arch/generic -I$m/made -I$m/src/include -I$m/src/internal -I$m/include)
names="-fdebug-prefix-map=$m/=musl/ -fdebug-prefix-map=$here/=runtime/"

{
  own_files | while read -r file module; do
    echo "$own_flags $names -c -emit-llvm -o $work/bc/$module.bc $file"
  done
  musl_files | while read -r file module flags; do
    echo "$musl_flags $names $flags -c -emit-llvm -o $work/bc/$module.bc $file"
  done
} > "$work/jobs"
xargs -P "$(nproc)" -L 1 "$clang" < "$work/jobs" || fail "some module did not compile (see above)"

index_symbols "$work/bc" > "$work/symbols.txt" || fail "two modules define the symbols above"
rm -f "$out"/*.bc
mv "$work"/bc/*.bc "$out/"
mv "$work/symbols.txt" "$out/symbols.txt"
rm -rf "$work"
echo "$stamp" > "$out/stamp"
echo "runtime library: $(ls "$out"/*.bc | wc -l) modules in $((SECONDS - started)) s" >&2
