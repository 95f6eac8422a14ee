# What the comparisons with SPIN have in common; to be sourced. Requires `here` (this folder); makes `heddle`, `work`, `beem`.
# SPDX-License-Identifier: Apache-2.0
heddle=${HEDDLE:-$here/../build/heddle}
runs=${RUNS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v spin >/dev/null || { echo "spin is not installed (Debian package spin)"; exit 1; }
[[ -x $heddle ]] || { echo "no $heddle; run ./x build"; exit 1; }
cc -O2 -o "$work/peak" "$here/peak.c"

beem=
for shared in "${HEDDLE_SHARED:-}" "$here/../../shared" "$here/../../../shared"; do
  if [[ -n $shared && -d $shared/corpora/beem ]]; then beem=$shared/corpora/beem; break; fi
done

number() { sed -nE "s/.*\"$1\": *([0-9.e+-]+).*/\1/p" "$2" | head -1; }

# run_spin DIR DEPTH TABLE [OPTION...]: prints "states cpu-seconds kilobytes elapsed-seconds"
run_spin() {
  local states elapsed cpu peak
  "$work/peak" "$work/usage" "$1/pan" -m"$2" -w"$3" "${@:4}" >"$1/log" 2>&1 || true
  if grep -q 'max search depth too small' "$1/log"; then echo "pan: search depth $2 is too small" >&2; return 1; fi
  states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$1/log")
  elapsed=$(sed -nE 's/.*elapsed time ([0-9.e+-]+) seconds.*/\1/p' "$1/log")
  if [[ -z $states || -z $elapsed ]]; then cat "$1/log" >&2; return 1; fi
  read -r cpu peak <"$work/usage"
  echo "$(printf '%.0f' "$states") $cpu $peak $elapsed"
}

# best COLUMN COMMAND...: of several runs the one with the least time in that column
best() {
  local i column=$1 line
  shift
  for ((i = 0; i < runs; ++i)); do
    line=$("$@") || return 1
    echo "$line"
    ((${line%% *} < 5000000)) || break
  done | sort -k"$column,${column}g" | head -1
}

# build_pan DIR FILE "OPTIONS OF THE COMPILER" [-D…]
build_pan() {
  rm -rf "$1"
  mkdir -p "$1"
  (cd "$1" && spin -a -o1 -o2 -o3 "${@:4}" "$2" >log 2>&1 && cc -O2 -w $3 -DNOREDUCE -DMEMLIM=60000 -o pan pan.c >>log 2>&1) ||
    { cat "$1/log" >&2; return 1; }
}
