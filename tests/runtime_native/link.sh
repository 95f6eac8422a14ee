#!/usr/bin/env bash
# Links bitcode files with the modules of the runtime library that they need, as an archive would be:
#   link.sh RUNTIME_DIR OUTPUT.bc INPUT.bc...
# and writes OUTPUT.bc.modules and OUTPUT.bc.undefined beside it. __heddle_main is always linked.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
library=$1 output=$2
shift 2
inputs=("$@" "$library/heddle_start.bc")
while :; do
  llvm-link-19 -o "$output" "${inputs[@]}"
  # Lower-case w: a weak reference, which is no reason to link a module.
  llvm-nm-19 -u "$output" | sed -nE 's/^ *-* *U (.*)$/\1/p' | LC_ALL=C sort -u > "$output.undefined"
  mapfile -t more < <(awk 'NR == FNR { need[$1] = 1; next } $1 in need { print $2 }' "$output.undefined" "$library/symbols.txt" | sort -u)
  added=0
  for module in "${more[@]}"; do
    [[ " ${inputs[*]} " == *"/$module.bc "* ]] && continue
    inputs+=("$library/$module.bc")
    added=1
  done
  [ $added = 1 ] || break
done
printf '%s\n' "${inputs[@]}" > "$output.modules"
