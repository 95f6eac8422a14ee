// What every language that goes through the explicit engine has in common: its options from the request, its statistics
// into the verdict.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/checker.h"
#include "core/evidence.h"
#include "core/transition_system.h"
#include "explore/search.h"
#include "memory/models.h"

namespace heddle::cli {

// Order, reduction and workers; deadlocks and goals are the caller's affair.
explore::SearchOptions search_options(const CheckRequest&);

// `--buffer`, as the machines take it.
unsigned buffer_bound(const CheckRequest&);

// What a SAFE verdict holds up to: the bounds that were reached, and a buffer of no places, which no store ever waits
// for and which yet is not the machine that was asked for.
std::vector<std::string> bounds_of(const core::TransitionSystem&, const memory::Machine&, const CheckRequest&);

// The verdict on a search that found nothing.
void conclude_search(core::Verdict&, const explore::SearchResult&, const core::Drops&, std::vector<std::string> bounds);

// Into the verdict: the figures, and a note where the trace is not the one that was asked for.
void put_statistics(core::Verdict&, const explore::SearchResult&, double seconds);

}  // namespace heddle::cli
