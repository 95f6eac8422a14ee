// Buffer languages (buffers/) as a row of the table of engines: tso and pso with buffers of any length, for modelling
// languages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffers/saturate.h"
#include "check/buffer_certificate.h"
#include "drive/engine.h"
#include "lang/cubicle/instance.h"

namespace heddle::drive {

std::optional<core::Reason> buffers_refuses(const Subject&, const models::Model&, const Task&);

// What it has found is shown by a run with the shortest buffers that allow it, which explicit states find.
core::Finding run_buffers(const Subject&, const models::Model&, const Task&, core::Budget&);

// What was found, by a shortest run where explicit states find one soon, else by `run`, which the symbolic search has on
// its path and which replays.
core::Finding shown_run(const std::optional<std::vector<core::Move>>& run, const core::Claim&, const Subject&,
                        const models::Model&, const Task&, core::Budget&);

// A note: what the states of a proof are that exact search did not find.
std::string approximate_proof(const buffers::Answer&);

// An instance of an array-based system as a model of steps, which asks for its unsafe blocks.
Subject steps_of(const cubicle::Instance&);

// The model under which stores reach memory in this order.
std::string_view model_of(ir::StoreOrder);

// What a certificate about these properties has to show.
check::BufferClaim claim_of(const core::Properties&);

}  // namespace heddle::drive
