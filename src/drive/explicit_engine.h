// Explicit states (explore/) as a row of the table of engines: threads over memory, modelling languages, and instances
// of array-based systems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/engine.h"

namespace heddle::drive {

std::optional<core::Reason> explicit_refuses(const Subject&, const models::Model&, const Task&);
core::Finding run_explicit(const Subject&, const models::Model&, const Task&, core::Budget&);

// Looks for these properties instead of the subject's own.
core::Finding explore_finite(const Subject&, const core::Properties&, const models::Model&, const Task&, core::Budget&);

// How many processes the instance has that is asked about; 0: none is.
unsigned instance_size(const cubicle::System&, const Task&);

// What a verdict on such an instance is about.
std::string instance_note(unsigned processes);

// One finite instance of an array-based system.
struct InstanceOptions {
  unsigned processes = 2;
  unsigned buffer = 5;  // transitions with stores that a buffer holds
  unsigned workers = 1;
};
core::Reason no_instance(const support::Diagnostic&);  // why there is none
core::Finding explore_instance(const cubicle::System&, const models::Model&, const InstanceOptions&, core::Budget&);

// `--buffer`, as the machines take it.
unsigned buffer_bound(const Task&);

}  // namespace heddle::drive
