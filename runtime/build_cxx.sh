#!/usr/bin/env bash
# Builds the C++ library of checked programs, libc++ and libc++abi of clang's own version, as bitcode:
#
#   runtime/build_cxx.sh OUTPUT_DIR [tests]
#
# leaves OUTPUT_DIR/cxx/*.bc, OUTPUT_DIR/cxx/symbols.txt and OUTPUT_DIR/cxx/include/c++/v1, beside the C library, which
# runtime/build.sh must have left in OUTPUT_DIR. Nothing is done when nothing changed. LLVM's source package (165 MB) is
# downloaded once; of it only what is needed stays in the cache (OUTPUT_DIR/cache, or HEDDLE_CACHE): libcxx_VERSION.tar.xz, and
# with `tests` the conformance tests too, libcxx-tests_VERSION.tar.xz. Without those there is a warning, no failure.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
[ $# -eq 1 ] || [ $# -eq 2 -a "${2:-}" = tests ] || fail "usage: runtime/build_cxx.sh OUTPUT_DIR [tests]"
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

work=$out/cxx/work source=$out/cxx/work/source headers=$out/cxx/include/c++/v1
library=$cache/libcxx_$version.tar.xz tests=$cache/libcxx-tests_$version.tar.xz

# fetch ARCHIVE...: leaves these parts of LLVM's source package in the cache, each as an archive of its own.
fetch() {
  local package=llvm-toolchain-${version%%.*} missing=() archive
  for archive in "$@"; do [ -f "$archive" ] || missing+=("$archive"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  download "$package" "$version"
  rm -rf "$work/llvm" && mkdir -p "$work/llvm"
  tar -xf "$(compgen -G "$cache/${package}_$version.orig.tar.*" | grep -v '\.asc$' | head -1)" -C "$work/llvm" \
    --strip-components=1 --wildcards '*/libcxx/include' '*/libcxx/src' '*/libcxx/LICENSE.TXT' '*/libcxxabi/include' \
    '*/libcxxabi/src' '*/libunwind/include/unwind*.h' '*/libunwind/include/__libunwind_config.h' '*/libcxx/test/std' \
    '*/libcxx/test/support' '*/libcxxabi/test'
  for archive in "${missing[@]}"; do
    if [ "$archive" = "$tests" ]; then
      tar -cJf "$archive.new" -C "$work/llvm" libcxx/test libcxxabi/test libcxx/LICENSE.TXT
    else
      tar -cJf "$archive.new" -C "$work/llvm" --exclude=test libcxx libcxxabi libunwind
    fi
    mv "$archive.new" "$archive"
  done
  rm -rf "$work/llvm" "$cache/${package}_$version".orig.tar.*
}

if [ "${2:-}" = tests ]; then
  (fetch "$tests" "$library") || echo "runtime/build_cxx.sh: going on without the conformance tests of libc++" >&2
fi
stamp=$(stamp | sha256sum)
[ -f "$out/cxx/stamp" ] && [ "$(cat "$out/cxx/stamp")" = "$stamp" ] && exit 0
rm -f "$out/cxx/stamp"

# Unpacks the sources, applies libcxx.patch, and lays out the headers.
prepare() {
  rm -rf "$source" && mkdir -p "$source"
  tar -xf "$library" -C "$source"
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

rm -rf "$work" && mkdir -p "$work/bc"
started=$SECONDS
fetch "$library"
prepare
flags=$(echo $common -isystem "$headers" -idirafter "$out/include" -I"$source/libcxx/src" -I"$source/libcxxabi/src" \
  -I"$here/include" -fdebug-prefix-map="$source/=" -fdebug-prefix-map="$here/=runtime/")

# The headers of many sources are parsed once, in the order of their names (cxx/COMMON). Not for a source that defines
# something before it includes, which may change them; where a source cannot go with them, it goes without.
sed -n 's/^[a-z_]*$/#include <&>/p' "$here/cxx/COMMON" > "$work/common.hpp"
"$clang" $flags -x c++-header -o "$work/common.pch" "$work/common.hpp" || fail "the common headers did not compile (see above)"
common_names=$(sed -n 's/^[a-z_]*$/&/p' "$here/cxx/COMMON" | paste -sd '|')
uses_common() {
  awk -v common="^[ \t]*#[ \t]*include <($common_names)>" '
    /^[ \t]*#[ \t]*define/ && !included { exit }
    /^[ \t]*#[ \t]*include/ { included = 1 }
    $0 ~ common { found = 1; exit }
    END { exit !found }' "$1"
}
compile() {
  local common=$1
  shift
  if [ "$common" = with ] && "$clang" -include-pch "$work/common.pch" "$@" 2> /dev/null; then return 0; fi
  "$clang" "$@"
}
export -f compile
export clang work
files | while read -r file module more; do
  common=without
  if [ -z "$more" ] && uses_common "$file"; then common=with; fi
  echo "$common $flags $more -c -emit-llvm -o $work/bc/$module.bc $file"
done > "$work/jobs"
xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' compile < "$work/jobs" || fail "some module did not compile (see above)"
index_symbols "$work/bc" > "$work/symbols.txt" || fail "two modules define the symbols above"
rm -f "$out"/cxx/*.bc
mv "$work"/bc/*.bc "$out/cxx/"
mv "$work/symbols.txt" "$out/cxx/symbols.txt"
rm -rf "$work"
echo "$stamp" > "$out/cxx/stamp"
echo "C++ library: $(ls "$out"/cxx/*.bc | wc -l) modules in $((SECONDS - started)) s" >&2
