// Execution graphs (graph/) as a row of the table of engines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/engine.h"

namespace heddle::drive {

std::optional<core::Reason> graph_refuses(const Subject&, const models::Model&, const Task&);
std::uint64_t graph_forecast_after(const models::Model&, const Task&);
core::Finding run_graph(const Subject&, const models::Model&, const Task&, core::Budget&);

}  // namespace heddle::drive
