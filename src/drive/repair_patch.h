// A repair of a C program as a unified diff of its sources. What the patched sources do is not taken for granted: they
// are compiled and checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/order_subject.h"

namespace heddle::drive {

// The edit of the source that gives the place this order.
repair::SourceEdit edit_of(const vm::OrderPlace&, core::Order);

// Fills in `text`, and notes what the patch leaves out and how the patched program was checked.
void write_patch(const Language&, const OrderSubject&, const repair::Orders&, const std::vector<const models::Model*>&,
                 core::Budget&, Repair&);

}  // namespace heddle::drive
