#!/usr/bin/env bash
# LTL beside SPIN: the protocols of bench/models and bench/spin, each with a formula that holds, so that both tools go through
# the whole product of the model and the same automaton (`heddle ltl --negate --format never`). SPIN's `pan -a` at -O2
# without reduction against `heddle check --ltl` with --por off, by one and two workers. Then, under sb1, memory fairness as
# acceptance beside Havel's V => phi (--fairness formula).
#
#   bench/ltl.sh [FILTER]       FILTER: a regular expression over the names below
#   LARGE=1 bench/ltl.sh        also models of several million product states
#   RUNS=3 bench/ltl.sh         best of so many runs (default 2)
#
# docs/benchmarks.md says what the columns mean.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
filter=${1:-}
. "$here/measure.sh"

# protocol, parameters, log2 of pan's hash table, pan's search depth, "large" or -, formula
rows=(
  "peterson N=3 20 1000000 - G F (P_0.critical || P_1.critical || P_2.critical)"
  "peterson N=4 22 1000000 large G F (P_0.critical || P_1.critical || P_2.critical || P_3.critical)"
  "anderson N=4 20 1000000 - G (P_0.waiting -> F P_0.critical)"
  "anderson N=5 21 1000000 - F G !(P_0.critical && P_1.critical)"
  "dekker PAIRS=3 20 1000000 - F G !(P_0.critical && P_1.critical)"
  "bakery N=3,MAX=5 20 1000000 - F G !(P_0.critical && P_1.critical)"
  "szymanski N=4 20 1000000 - F G !(P_0.critical && P_1.critical)"
  "szymanski N=5 22 1000000 large F G !(P_0.critical && P_1.critical)"
  "anderson N=6 22 3000000 large F G !(P_0.critical && P_1.critical)"
  "leader N=8 20 1000000 - F G !(P_0.leads && P_1.leads)"
)

# with_claim FILE FORMULA: the Promela text with the automaton of its violations. P_1.critical is P[1]@critical there.
with_claim() {
  local atom
  for atom in $(grep -oE 'P_[0-9]+\.[a-z]+' <<<"$2" | sort -u); do
    sed -E 's/P_([0-9]+)\.([a-z]+)/#define P_\1_\2 (P[\1]@\2)/' <<<"$atom"
  done
  cat "$1"
  "$heddle" ltl --negate --format never "$(sed -E 's/(P_[0-9]+)\./\1_/g' <<<"$2")"
}

# run_heddle MODEL MEMORY-MODEL FORMULA [OPTION...]: prints "product-states cpu-seconds kilobytes elapsed-seconds"
run_heddle() {
  local cpu peak states
  "$work/peak" "$work/usage" "$heddle" check "$1" --model "$2" --quiet --json "$work/report.json" --ltl "$3" \
    "${@:4}" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  read -r cpu peak <"$work/usage"
  states=$(grep -A1 '"product states"' "$work/report.json" | sed -nE 's/.*"value": "([0-9]+)".*/\1/p')
  echo "$states $cpu $peak $(number seconds "$work/report.json")"
}

# What the tools use with next to nothing to do.
tiny='F G !(P_0.critical && P_1.critical)'
with_claim "$here/spin/dekker.pml" "$tiny" >"$work/empty.pml"
build_pan "$work/empty" "$work/empty.pml" "" -DPAIRS=1
heddle_empty=$(best 2 run_heddle "$here/models/dekker.mdve" sc "$tiny" --por off -D PAIRS=1)

printf '%-20s %10s | %9s %9s %6s | %7s %7s | %7s %7s\n' "" "product" "spin" "heddle" ratio "2 work." "cpu" "spin B" "heddle B"
printf '%-20s %10s | %9s %9s %6s | %7s %7s | %7s %7s\n' "" "states" "/cpu s" "/cpu s" "" "speed" "cost" "/state" "/state"
for row in "${rows[@]}"; do
  read -r name parameters table depth large formula <<<"$row"
  [[ "$name $parameters" =~ $filter ]] || continue
  [[ $large == - || -n ${LARGE:-} ]] || continue
  defines=() spin_defines=()
  for parameter in ${parameters//,/ }; do
    defines+=(-D "$parameter")
    spin_defines+=("-D$parameter")
  done
  with_claim "$here/spin/$name.pml" "$formula" >"$work/model.pml"
  build_pan "$work/pan" "$work/model.pml" "" "${spin_defines[@]}"
  spin_empty=$(run_spin "$work/empty" "$depth" "$table" -a -E -A)
  spin=$(best 2 run_spin "$work/pan" "$depth" "$table" -a -E -A)
  one=$(best 2 run_heddle "$here/models/$name.mdve" sc "$formula" --por off "${defines[@]}")
  two=$(best 4 run_heddle "$here/models/$name.mdve" sc "$formula" --por off --workers 2 "${defines[@]}")
  awk -v name="$name $parameters" -v spin="$spin" -v one="$one" -v two="$two" -v se="$spin_empty" -v he="$heddle_empty" 'BEGIN {
    split(spin, s); split(one, h); split(two, t); split(se, s0); split(he, h0)
    cpu_s = s[2] - s0[2]; cpu_h = h[2] - h0[2]; cpu_t = t[2] - h0[2]
    ratio = speed = cost = "-"  # too short to measure
    if (cpu_s > 0.05 && cpu_h > 0.05) ratio = sprintf("%.2f", (h[1] / cpu_h) / (s[1] / cpu_s))
    if (h[4] > 0.1) { speed = sprintf("%.2f", h[4] / t[4]); cost = sprintf("%.2f", cpu_t / cpu_h) }
    rate_s = rate_h = 0
    if (cpu_s > 0) rate_s = s[1] / cpu_s
    if (cpu_h > 0) rate_h = h[1] / cpu_h
    printf "%-20s %10d | %9.0f %9.0f %6s | %7s %7s | %7.1f %7.1f", name, h[1], rate_s, rate_h, ratio, speed, cost,
      (s[3] - s0[3]) * 1024 / s[1], (h[3] - h0[3]) * 1024 / h[1]
    if (h[1] != s[1]) printf "   NOT THE SAME: spin has %d product states", s[1]
    if (t[1] != h[1]) printf "   NOT THE SAME: two workers have %d product states", t[1]
    printf "\n"
  }'
done

# Memory fairness as acceptance and as a formula, under sb1: protocol, parameters, formula that holds with both fairnesses.
# Both search the model for run-time errors first.
fair_rows=(
  "peterson N=2 G F (P_0.critical || P_1.critical)"
  "dekker PAIRS=1 G (P_0.critical -> F !P_0.critical)"
  "szymanski N=2 G (P_0.critical -> F !P_0.critical)"
  "bakery N=2,MAX=3 G (P_0.critical -> F !P_0.critical)"
  "bakery N=2,MAX=5 G (P_0.critical -> F !P_0.critical)"
)
printf '\n%-20s %10s | %10s %10s %6s\n' "sb1, fair memory" "product" "acceptance" "V => phi" ratio
printf '%-20s %10s | %10s %10s %6s\n' "" "states" "cpu s" "cpu s" ""
for row in "${fair_rows[@]}"; do
  read -r name parameters formula <<<"$row"
  [[ "$name $parameters" =~ $filter ]] || continue
  options=(--fair)
  for parameter in ${parameters//,/ }; do options+=(-D "$parameter"); done
  sets=$(best 2 run_heddle "$here/models/$name.mdve" sb1 "$formula" "${options[@]}")
  implied=$(best 2 run_heddle "$here/models/$name.mdve" sb1 "$formula" "${options[@]}" --fairness formula)
  awk -v name="$name $parameters" -v sets="$sets" -v implied="$implied" 'BEGIN {
    split(sets, a); split(implied, f)
    printf "%-20s %10d | %10.2f %10.2f %6.2f", name, a[1], a[2], f[2], (a[2] > 0 ? f[2] / a[2] : 0)
    if (a[1] != f[1]) printf "   NOT THE SAME: %d product states by the formula", f[1]
    printf "\n"
  }'
done
