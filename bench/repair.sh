#!/usr/bin/env bash
# Repairs with their proofs: BEEM's Peterson and Anderson (two processes) and Lamport (lamport.1, three) for mutual
# exclusion, and Anderson with three for a temporal formula, each under sb1, tso and pso. Prints processor time and peak memory of finding each smallest set with its certificate and of checking
# the certificate, and the sums: docs/benchmarks.md.
#
#   bench/repair.sh [FILTER]   FILTER: a regular expression over the names below
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
heddle=${HEDDLE:-$here/../build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/peak" "$here/peak.c"
for shared in "${HEDDLE_SHARED:-}" "$here/../../shared" "$here/../../../shared"; do
  if [[ -n $shared && -d $shared/corpora/beem ]]; then beem=$shared/corpora/beem; break; fi
done
[[ -n ${beem:-} ]] || { echo "no corpora/beem beside the checkout; set HEDDLE_SHARED"; exit 0; }

# family, processes, members under sb1, tso and pso (ground truth), option, what must not be reached or the formula
rows=(
  "peterson 2 4,2,2 reach P_0.CS + P_1.CS > 1"
  "lamport 3 12,6,9 reach P_0.CS + P_1.CS + P_2.CS > 1"
  "anderson 2 6,4,4 reach P_0.CS + P_1.CS > 1"
  "anderson 3 9,6,9 ltl G ((P_0.p1 || P_0.p2 || P_0.p3) -> F P_0.CS)"
)

printf '%-10s %-5s %8s %8s %10s %10s %9s\n' model memory members checks 'find cpu s' 'check s' 'peak MB'
total=0 most=0
for row in "${rows[@]}"; do
  read -r family n members option what <<<"$row"
  [[ $family =~ ${1:-} ]] || continue
  for model in sb1 tso pso; do
    expected=${members%%,*} members=${members#*,}
    question=("$heddle" repair "$beem/$family/$family.mdve" -D "N=$n" --model "$model" "--$option" "$what")
    "$work/peak" "$work/found" "${question[@]}" --certificate "$work/proof.json" --json "$work/answer.json" >"$work/log"
    "$work/peak" "$work/checked" "${question[@]}" --check-certificate "$work/proof.json" >>"$work/log"
    grep -q 'the certificate holds' "$work/log" || { cat "$work/log"; exit 1; }
    read -r found peak <"$work/found"
    read -r checked _ <"$work/checked"
    cost=$(sed -nE 's/.*"cost": *([0-9]+).*/\1/p' "$work/answer.json")
    checks=$(sed -nE 's/.*"checks": *([0-9]+).*/\1/p' "$work/answer.json")
    [[ $cost == "$expected" ]] || { echo "$family under $model: $cost members, not $expected"; cat "$work/log"; exit 1; }
    printf '%-10s %-5s %8s %8s %10.2f %10.2f %9d\n' "$family N=$n" "$model" "$cost" "$checks" "$found" "$checked" $((peak / 1024))
    total=$(awk "BEGIN { print $total + $found }")
    ((peak <= most)) || most=$peak
  done
done
printf 'all together: %.2f s of processor time, at most %d MB\n' "$total" $((most / 1024))
