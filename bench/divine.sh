#!/usr/bin/env bash
# The eight programs of DIVINE's measurements (Ročkai, Still, Barnat: "Techniques for memory-efficient model checking of C and C++ code",
# SEFM 2015, tables 3 and 4), written anew in C++ after their literature (bench/cpp): explicit states under sc, on one core. Beside
# ours are DIVINE's states and bytes per state with its best compression. A state there comes after each
# instruction that others could notice, so that counts cannot be compared, nor are the parameters the same; what a state takes and
# how many there are per second can be.
#
#   bench/divine.sh [PROGRAM...]   all, or those whose names begin so
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
heddle=${HEDDLE:-$here/../build/heddle}
[[ -x $heddle ]] || { echo "no $heddle; run ./x build"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/peak" "$here/peak.c"

number() { sed -nE "s/.*\"$1\": *([0-9.e+-]+).*/\1/p" "$work/report.json" | head -1; }

# seconds FILE OPTION...: of processor time; leaves report.json.
seconds() {
  local file=$1 status=0
  shift
  "$work/peak" "$work/usage" "$heddle" check "$here/cpp/$file.cpp" --engine explicit --model sc --json "$work/report.json" "$@" \
    >"$work/log" 2>&1 || status=$?
  if ((status != 0 && status != 3)); then cat "$work/log" >&2; return 1; fi
  cut -d' ' -f1 "$work/usage"
}

# measure NAME STATES BYTES FILE OPTION...: a line; STATES and BYTES (per state) are DIVINE's. Reading the program does not count.
measure() {
  local name=$1 their_states=$2 their_bytes=$3 reading all
  shift 3
  local wanted=${#programs[@]} program
  for program in "${programs[@]}"; do [[ $name == "$program"* ]] && wanted=0; done
  ((wanted == 0)) || return 0
  reading=$(seconds "$@" --max-states 1)
  all=$(seconds "$@")
  awk -v name="$name" -v states="$(number states)" -v bytes="$(number bytes)" -v all="$all" -v reading="$reading" \
    -v their_states="$their_states" -v their_bytes="$their_bytes" \
    'BEGIN { seconds = all - reading > 0.01 ? all - reading : 0.01
             printf "%-18s %12d %9.2f %10.0f %8.1f %12s %8s\n", name, states, seconds, states / seconds, bytes / states,
             their_states, their_bytes }'
}

programs=("$@")
printf '%-18s %12s %9s %10s %8s %12s %8s\n' program states seconds states/s bytes DIVINE bytes
measure pt_rwlock 10.7M 88 rwlock -D READERS=3 -D WRITERS=2 -D ROUNDS=3
measure pt_barrier 128.5M 45 barrier -D THREADS=5 -D ROUNDS=2
measure collision 3.0M 227 collision -D STATIONS=3 -D FRAMES=4
measure elevator2 33.0M 61 elevator -D FLOORS=4 -D PERSONS=3 --nondet 0:3
measure lead-uni_basic 19.2M 45 leader_basic -D NODES=5
measure lead-uni_peterson 12.2M 56 leader_peterson -D NODES=5
measure hashset-2-4-2 6.7M 183 hashset -D THREADS=2 -D ITEMS=4 -D COMMON=2
measure hashset-3-1 626.9M 47 hashset -D THREADS=3 -D ITEMS=3 -D COMMON=1
