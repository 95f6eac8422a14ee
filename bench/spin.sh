#!/usr/bin/env bash
# The same protocols in DVE (bench/models) and Promela (bench/spin), one transition for one transition, so that both
# tools visit exactly the same number of states: SPIN's pan at -O2 without reduction against heddle with --por off.
#
#   bench/spin.sh [FILTER]      FILTER: a regular expression over the names below
#   LARGE=1 bench/spin.sh       also the sizes of about ten million states
#   RUNS=3 bench/spin.sh        best of so many runs (default 2)
#
# Rates are states per second of the search alone, as each tool reports it. Bytes per state are peak resident memory
# less that of the same tool on a model of a handful of states. SPIN searches depth first (its default, and its
# fastest); its optimisations that leave states out are turned off (-o1 -o2 -o3).
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
heddle=${HEDDLE:-$here/../build/heddle}
filter=${1:-}
runs=${RUNS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v spin >/dev/null || { echo "spin is not installed (Debian package spin)"; exit 1; }
cc -O2 -o "$work/peak" "$here/peak.c"

# protocol, parameters, log2 of pan's hash table, pan's search depth
small=(
  "peterson N=3 20 1000000" "peterson N=4 21 1000000"
  "dekker PAIRS=3 20 1000000"
  "bakery N=3,MAX=5 20 1000000" "bakery N=4,MAX=3 21 1000000"
  "anderson N=5 20 1000000"
  "szymanski N=4 20 1000000" "szymanski N=5 22 1000000"
  "phils N=10 20 1000000" "phils N=12 20 1000000"
  "leader N=8 20 1000000"
)
large=("dekker PAIRS=4 24 9000000" "anderson N=6 23 9000000" "phils N=15 24 14000000")
rows=("${small[@]}")
[[ -z ${LARGE:-} ]] || rows+=("${large[@]}")

number() { sed -nE "s/.*\"$1\": *([0-9.e+-]+).*/\1/p" "$2" | head -1; }

# run_spin DIR DEPTH TABLE: prints "states seconds kilobytes"
run_spin() {
  "$work/peak" "$work/usage" "$1/pan" -m"$2" -w"$3" -E -A >"$1/log" 2>&1 || true
  if grep -q 'max search depth too small' "$1/log"; then echo "pan: search depth $2 is too small" >&2; return 1; fi
  local states seconds
  states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$1/log")
  seconds=$(sed -nE 's/.*elapsed time ([0-9.e+-]+) seconds.*/\1/p' "$1/log")
  echo "$(printf '%.0f' "$states") $seconds $(cut -d' ' -f2 "$work/usage")"
}

# run_heddle MODEL WORKERS [-D…]: the same
run_heddle() {
  local model=$1 workers=$2
  shift 2
  "$work/peak" "$work/usage" "$heddle" check "$model" --model sc --por off --workers "$workers" --quiet \
    --json "$work/report.json" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  echo "$(number states "$work/report.json") $(number seconds "$work/report.json") $(cut -d' ' -f2 "$work/usage")"
}

# best COMMAND...: of several runs the fastest
best() {
  local i
  for ((i = 0; i < runs; ++i)); do "$@" || return 1; done | sort -k2,2g | head -1
}

build_pan() {  # DIR FILE [-D…]
  mkdir -p "$1"
  (cd "$1" && spin -a -o1 -o2 -o3 "${@:3}" "$2" >log 2>&1 && cc -O2 -w -DSAFETY -DNOREDUCE -DMEMLIM=60000 -o pan pan.c >>log 2>&1) ||
    { cat "$1/log" >&2; return 1; }
}

# What the tools occupy with next to nothing to do.
build_pan "$work/empty" "$here/spin/dekker.pml" -DPAIRS=1
read -r _ _ heddle_empty < <(run_heddle "$here/models/dekker.mdve" 1 -D PAIRS=1)

printf '%-20s %10s | %10s %10s %6s %6s | %7s %7s\n' "" states "spin /s" "heddle /s" ratio "2 thr." "spin B" "heddle B"
printf '%-20s %10s | %10s %10s %6s %6s | %7s %7s\n' "" "" "" "1 worker" "" "/ 1" "/state" "/state"
for row in "${rows[@]}"; do
  read -r name parameters table depth <<<"$row"
  [[ "$name $parameters" =~ $filter ]] || continue
  defines=() spin_defines=()
  for parameter in ${parameters//,/ }; do
    defines+=(-D "$parameter")
    spin_defines+=("-D$parameter")
  done
  build_pan "$work/pan" "$here/spin/$name.pml" "${spin_defines[@]}"
  read -r _ _ spin_empty < <(run_spin "$work/empty" "$depth" "$table")
  spin=$(best run_spin "$work/pan" "$depth" "$table")
  one=$(best run_heddle "$here/models/$name.mdve" 1 "${defines[@]}")
  two=$(best run_heddle "$here/models/$name.mdve" 2 "${defines[@]}")
  awk -v name="$name $parameters" -v spin="$spin" -v one="$one" -v two="$two" -v se="$spin_empty" -v he="$heddle_empty" 'BEGIN {
    split(spin, s); split(one, h); split(two, t)
    rate_s = s[2] > 0 ? s[1] / s[2] : 0; rate_h = h[2] > 0 ? h[1] / h[2] : 0; rate_t = t[2] > 0 ? t[1] / t[2] : 0
    ratio = "-"; threads = "-"  # too short to measure
    if (rate_s > 0 && rate_h > 0) ratio = sprintf("%.2f", rate_h / rate_s)
    if (rate_h > 0 && rate_t > 0) threads = sprintf("%.2f", rate_t / rate_h)
    printf "%-20s %10d | %10.0f %10.0f %6s %6s | %7.1f %7.1f", name, h[1], rate_s, rate_h, ratio, threads,
      (s[3] - se) * 1024 / s[1], (h[3] - he) * 1024 / h[1]
    if (h[1] != s[1]) printf "   NOT THE SAME: spin has %d states", s[1]
    if (t[1] != h[1]) printf "   NOT THE SAME: two workers have %d states", t[1]
    printf "\n"
  }'
done
