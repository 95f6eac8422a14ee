#!/usr/bin/env bash
# Builds the C++ library of checked programs, libc++ and libc++abi of clang's own version, as bitcode:
#
#   runtime/build_cxx.sh OUTPUT_DIR
#
# leaves OUTPUT_DIR/cxx/*.bc, OUTPUT_DIR/cxx/symbols.txt and OUTPUT_DIR/cxx/include/c++/v1, beside the C library, which
# runtime/build.sh must have left in OUTPUT_DIR. Nothing is done when nothing changed. LLVM's source package (165 MB) is
# downloaded once; of it only what is needed stays in the cache (OUTPUT_DIR/cache, or HEDDLE_CACHE): libcxx_VERSION.tar.xz.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
[ $# -eq 1 ] || fail "usage: runtime/build_cxx.sh OUTPUT_DIR"
[ -f "$1/stamp" ] || fail "$1 has no C library: runtime/build.sh $1 makes it"
out=$(cd "$1" && pwd)
mkdir -p "$out/cxx"
cache=$(cache_folder)

exec 9> "$out/lock"
flock 9 # two builds at once would be in each other's way

clang=${HEDDLE_CLANG:-clang-19}
nm=${HEDDLE_NM:-llvm-nm-19}
for tool in "$clang" "$nm" tar xz patch; do
  command -v "$tool" > /dev/null || fail "$tool is not installed"
done
version=$("$clang" -dumpversion)

# As C programs and their library are compiled (build.sh), with exceptions.
common="--target=x86_64-unknown-linux-musl -O1 -Xclang -mlong-double-64 -mcx16 -ffp-contract=off -fno-vectorize
  -fno-slp-vectorize -fno-pic -gline-tables-only -fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables
  -Wno-everything --no-default-config -nostdlibinc -std=c++23 -faligned-allocation -D_LIBCPP_BUILDING_LIBRARY
  -D_LIBCXXABI_BUILDING_LIBRARY -DLIBCXX_BUILDING_LIBCXXABI -D_LIBCPP_LINK_PTHREAD_LIB"

stamp() {
  "$clang" --version | head -1
  echo "$version $common"
  (cd "$here" && find cxx musl headers build_cxx.sh include -type f -print0 | sort -z | xargs -0 sha256sum | cut -c1-64)
}
stamp=$(stamp | sha256sum)
[ -f "$out/cxx/stamp" ] && [ "$(cat "$out/cxx/stamp")" = "$stamp" ] && exit 0
rm -f "$out/cxx/stamp"

# Leaves the parts of LLVM's source package that are needed in the cache, as an archive of their own.
fetch() {
  local parts=$cache/libcxx_$version.tar.xz package=llvm-toolchain-${version%%.*}
  [ -f "$parts" ] && return
  download "$package" "$version"
  rm -rf "$work/llvm" && mkdir -p "$work/llvm"
  tar -xf "$(compgen -G "$cache/${package}_$version.orig.tar.*" | grep -v '\.asc$' | head -1)" -C "$work/llvm" \
    --strip-components=1 --wildcards '*/libcxx/include' '*/libcxx/src' '*/libcxx/LICENSE.TXT' '*/libcxxabi/include' \
    '*/libcxxabi/src' '*/libunwind/include/unwind*.h' '*/libunwind/include/__libunwind_config.h'
  (cd "$work/llvm" && tar -cJf "$parts.new" libcxx libcxxabi libunwind)
  mv "$parts.new" "$parts"
  rm -rf "$work/llvm" "$cache/${package}_$version".orig.tar.*
}

# Unpacks the sources, applies libcxx.patch, and lays out the headers.
prepare() {
  rm -rf "$source" && mkdir -p "$source"
  tar -xf "$cache/libcxx_$version.tar.xz" -C "$source"
  (cd "$source" && patch -s -p1 --fuzz=0 --no-backup-if-mismatch < "$here/cxx/libcxx.patch") ||
    fail "runtime/cxx/libcxx.patch does not fit libc++ $version"
  rm -rf "$out/cxx/include"
  mkdir -p "$out/cxx/include/c++"
  cp -r "$source/libcxx/include" "$headers"
  rm -f "$headers"/CMakeLists.txt "$headers"/*.in
  cp "$source"/libcxxabi/include/*.h "$headers/"
  cp "$source/libunwind/include/unwind.h" "$source/libunwind/include/unwind_itanium.h" \
    "$source/libunwind/include/__libunwind_config.h" "$headers/"
  cp "$here/cxx/config_site" "$headers/__config_site"
  cp "$here/cxx/assertion_handler" "$headers/__assertion_handler"
}

# Lists "source module flags", as cxx/MODULES says, and cxx/src.
files() {
  local sign pattern flags file folder
  declare -A chosen=()
  while read -r sign pattern flags; do
    case $sign in
      +|-) ;;
      *) continue ;;
    esac
    folder=${pattern%%/*}
    for file in "$source/$folder/src/"${pattern#*/}.cpp; do
      [ -e "$file" ] || continue
      if [ "$sign" = + ]; then chosen[$file]=$flags; else unset "chosen[$file]"; fi
    done
  done < "$here/cxx/MODULES"
  for file in "${!chosen[@]}"; do
    pattern=${file#"$source/"}
    pattern=${pattern/\/src\//_}
    pattern=${pattern%.cpp}
    echo "$file ${pattern//\//_} ${chosen[$file]}"
  done
  for file in "$here"/cxx/src/*.cpp; do
    echo "$file heddle_$(basename "$file" .cpp)"
  done
}

work=$out/cxx/work source=$out/cxx/work/source headers=$out/cxx/include/c++/v1
rm -rf "$work" && mkdir -p "$work/bc"
started=$SECONDS
fetch
prepare
flags=$(echo $common -isystem "$headers" -idirafter "$out/include" -I"$source/libcxx/src" -I"$source/libcxxabi/src" \
  -I"$here/include" -fdebug-prefix-map="$source/=" -fdebug-prefix-map="$here/=runtime/")
files | while read -r file module more; do
  echo "$flags $more -c -emit-llvm -o $work/bc/$module.bc $file"
done > "$work/jobs"
xargs -P "$(nproc)" -L 1 "$clang" < "$work/jobs" || fail "some module did not compile (see above)"
index_symbols "$work/bc" > "$work/symbols.txt" || fail "two modules define the symbols above"
rm -f "$out"/cxx/*.bc
mv "$work"/bc/*.bc "$out/cxx/"
mv "$work/symbols.txt" "$out/cxx/symbols.txt"
rm -rf "$work"
echo "$stamp" > "$out/cxx/stamp"
echo "C++ library: $(ls "$out"/cxx/*.bc | wc -l) modules in $((SECONDS - started)) s" >&2
