#!/usr/bin/env bash
# The same protocols in DVE (bench/models) and Promela (bench/spin), one transition for one transition, so that both
# tools visit exactly the same number of states: SPIN's pan at -O2 without reduction against heddle with --por off, on
# the DVE text and, in the rows "… .pml", on the very text that SPIN has.
# Where the BEEM corpus lies beside the checkout, its peterson.4, phils.5 and phils.6 are run too.
#
#   bench/spin.sh [FILTER]      FILTER: a regular expression over the names below
#   LARGE=1 bench/spin.sh       also more models of about ten million states
#   TEXTS=pml bench/spin.sh     Promela texts only (or dve; default: both)
#   RUNS=3 bench/spin.sh        best of so many runs (default 2; one run from five million states on)
#
# docs/benchmarks.md says what the columns mean.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
filter=${1:-}
. "$here/measure.sh"
texts=${TEXTS:-dve pml}

# protocol, parameters (- for none), log2 of pan's hash table, pan's search depth, "large" where it takes long
rows=(
  "peterson N=3 20 1000000" "peterson N=4 21 1000000"
  "dekker PAIRS=3 20 1000000" "dekker PAIRS=4 24 9000000 large"
  "bakery N=3,MAX=5 20 1000000" "bakery N=4,MAX=3 21 1000000"
  "anderson N=5 20 1000000" "anderson N=6 23 9000000 large"
  "szymanski N=4 20 1000000" "szymanski N=5 22 1000000"
  "phils N=10 20 1000000" "phils N=12 20 1000000"
  "leader N=8 20 1000000"
  "beem/peterson.4 - 21 1000000" "beem/phils.5 - 20 1000000" "beem/phils.6 N=15 24 14000000"
)

# run_heddle MODEL WORKERS [-D…]: the same
run_heddle() {
  local model=$1 workers=$2 cpu peak
  shift 2
  "$work/peak" "$work/usage" "$heddle" check "$model" --model sc --property assertion --por off --workers "$workers" --quiet \
    --json "$work/report.json" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  read -r cpu peak <"$work/usage"
  echo "$(number states "$work/report.json") $cpu $peak $(number seconds "$work/report.json")"
}

# plain FILE OUT [-D…]: the Promela text without macros. The preprocessor is a process of its own with more memory than a
# search of some hundred thousand states, and the peak of a process counts those it has started.
plain() { cpp -P -undef "${@:3}" "$1" >"$2"; }

# What the tools use with next to nothing to do.
build_pan "$work/empty" "$here/spin/dekker.pml" -DSAFETY -DPAIRS=1
declare -A heddle_empty  # by text
plain "$here/spin/dekker.pml" "$work/empty.pml" -DPAIRS=1
heddle_empty[dve]=$(best 2 run_heddle "$here/models/dekker.mdve" 1 -D PAIRS=1)
heddle_empty[pml]=$(best 2 run_heddle "$work/empty.pml" 1)

# tell NAME SPIN ONE-WORKER TWO-WORKERS SPIN-EMPTY HEDDLE-EMPTY: a row of the table
tell() {
  awk -v name="$1" -v spin="$2" -v one="$3" -v two="$4" -v se="$5" -v he="$6" 'BEGIN {
    split(spin, s); split(one, h); split(two, t); split(se, s0); split(he, h0)
    sub(/ -$/, "", name)
    cpu_s = s[2] - s0[2]; cpu_h = h[2] - h0[2]; cpu_t = t[2] - h0[2]
    ratio = speed = cost = "-"  # too short to measure
    if (cpu_s > 0.05 && cpu_h > 0.05) ratio = sprintf("%.2f", (h[1] / cpu_h) / (s[1] / cpu_s))
    if (h[4] > 0.1) { speed = sprintf("%.2f", h[4] / t[4]); cost = sprintf("%.2f", cpu_t / cpu_h) }
    rate_s = rate_h = 0
    if (cpu_s > 0) rate_s = s[1] / cpu_s
    if (cpu_h > 0) rate_h = h[1] / cpu_h
    printf "%-24s %10d | %9.0f %9.0f %6s | %7s %7s | %7.1f %7.1f", name, h[1], rate_s, rate_h, ratio, speed, cost,
      (s[3] - s0[3]) * 1024 / s[1], (h[3] - h0[3]) * 1024 / h[1]
    if (h[1] != s[1]) printf "   NOT THE SAME: spin has %d states", s[1]
    if (t[1] != h[1]) printf "   NOT THE SAME: two workers have %d states", t[1]
    printf "\n"
  }'
}

printf '%-24s %10s | %9s %9s %6s | %7s %7s | %7s %7s\n' "" states "spin" "heddle" ratio "2 work." "cpu" "spin B" "heddle B"
printf '%-24s %10s | %9s %9s %6s | %7s %7s | %7s %7s\n' "" "" "/cpu s" "/cpu s" "" "speed" "cost" "/state" "/state"
for row in "${rows[@]}"; do
  read -r name parameters table depth large <<<"$row"
  [[ "$name $parameters" =~ $filter ]] || continue
  [[ -z $large || -n ${LARGE:-} ]] || continue
  model=$here/models/$name.mdve promela=$here/spin/$name.pml
  if [[ $name == beem/* ]]; then
    [[ -n $beem ]] || { printf '%-24s skipped: there is no corpora/beem beside the checkout\n' "$name"; continue; }
    instance=${name#beem/} family=${name#beem/}
    family=${family%%.*}
    model=$beem/$family/$instance.dve promela=$beem/$family/$instance.pm
    # phils.6 comes without a Promela text; ours is the same model.
    if [[ $instance == phils.6 ]]; then model=$beem/phils/phils.mdve promela=$here/spin/phils.pml; fi
  fi
  defines=() spin_defines=()
  if [[ $parameters != - ]]; then
    for parameter in ${parameters//,/ }; do
      defines+=(-D "$parameter")
      spin_defines+=("-D$parameter")
    done
  fi
  build_pan "$work/pan" "$promela" -DSAFETY "${spin_defines[@]}"
  spin_empty=$(run_spin "$work/empty" "$depth" "$table" -E -A)
  spin=$(best 2 run_spin "$work/pan" "$depth" "$table" -E -A)
  for text in $texts; do
    case $text in
      dve) input=$model name_shown="$name $parameters" given=("${defines[@]}") ;;
      pml)
        input=$work/plain.pml name_shown="$name.pml $parameters" given=()
        plain "$promela" "$input" "${spin_defines[@]}"
        ;;
    esac
    one=$(best 2 run_heddle "$input" 1 "${given[@]}")
    two=$(best 4 run_heddle "$input" 2 "${given[@]}")
    tell "$name_shown" "$spin" "$one" "$two" "$spin_empty" "${heddle_empty[$text]}"
  done
done
