#!/usr/bin/env bash
# What each memory order, fence and locked write costs on this machine, as lines for `heddle repair --cost`.
#
#   bench/fences.sh [INCREMENTS]   of each thread of figure 4.1 (default ten million)
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=gnu17 -O2 -pthread -o "$work/fences" "$here/fences.c"
"$work/fences" "$@"
