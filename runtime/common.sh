# What build.sh and build_cxx.sh share: fetching source packages, and the index of symbols. Sourced, not run.
# Requires: $out and $cache (folders), $clang and $nm (tools).
# SPDX-License-Identifier: Apache-2.0

fail() { echo "runtime/$(basename "$0"): $*" >&2; exit 1; }

# The folder of downloaded sources: OUTPUT_DIR/cache, or HEDDLE_CACHE, which may also be an archive that `./x vendor` wrote.
cache_folder() {
  local folder=$out/cache
  if [ -d "${HEDDLE_CACHE:-}" ] || [ -n "${HEDDLE_CACHE:-}" -a ! -e "${HEDDLE_CACHE:-}" ]; then folder=$HEDDLE_CACHE; fi
  mkdir -p "$folder"
  if [ -f "${HEDDLE_CACHE:-}" ]; then tar -xf "$HEDDLE_CACHE" -C "$folder"; fi
  (cd "$folder" && pwd)
}

# download PACKAGE VERSION: leaves PACKAGE_VERSION.orig.tar.* in the cache.
download() {
  compgen -G "$cache/$1_$2.orig.tar.*" > /dev/null && return
  command -v apt-get > /dev/null || fail "the source of $1 $2 is needed, and there is no apt-get to fetch it with"
  local apt=$cache/apt
  rm -rf "$apt" && mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/archives/partial"
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" > "$apt/sources/$(basename "$file")"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$file" ] && sed -n 's/^deb /deb-src /p; /^deb-src /p' "$file" > "$apt/sources/$(basename "$file")"
  done
  cat > "$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/sources";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
APT::Sandbox::User "";
CONF
  echo "fetching the source of $1 $2" >&2
  (cd "$apt" && export APT_CONFIG=$apt/apt.conf && apt-get update -q && apt-get source -q --download-only "$1=$2-*" ||
     apt-get source -q --download-only "$1") > "$apt/log" 2>&1 ||
    { tail -5 "$apt/log" >&2; fail "the source package $1 $2 cannot be had from this machine's package sources"; }
  mv "$apt/$1_$2".orig.tar.* "$cache/" 2> /dev/null ||
    fail "the package sources have another version of $1 than $2: $(cd "$apt" && ls | grep orig || true)"
  rm -rf "$apt"
}

# index_symbols FOLDER: lines "symbol module" for the modules in FOLDER, sorted; a strong definition goes before a weak one.
# Fails, and names them, if two modules define a symbol.
index_symbols() {
  (cd "$1" && "$nm" --defined-only --extern-only --print-file-name ./*.bc 2> /dev/null) |
    sed -E 's#^\./([^:]+)\.bc: *-* *([A-Za-z]) (.*)$#\3 \1 \2#' |
    awk '{ weak = ($3 == "W" || $3 == "V" || $3 == "w" || $3 == "v")
           if (!($1 in module)) { module[$1] = $2; is_weak[$1] = weak }
           else if (is_weak[$1] && !weak) { module[$1] = $2; is_weak[$1] = 0 }
           else if (!is_weak[$1] && !weak) { print $1, module[$1], $2 > "/dev/stderr"; bad = 1 } }
         END { for (s in module) print s, module[s]; exit bad }' | LC_ALL=C sort
}
