// What every language that goes through the explicit engine has in common: its options from the request, its statistics
// into the verdict.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/checker.h"
#include "explore/search.h"

namespace heddle::cli {

// Order, reduction and workers; deadlocks and goals are the caller's affair.
explore::SearchOptions search_options(const CheckRequest&);

// `--buffer`, as the machines take it.
unsigned buffer_bound(const CheckRequest&);

void put_statistics(core::Verdict&, const explore::SearchResult&, double seconds);

}  // namespace heddle::cli
