// A wait in vain is an access: a thread that waits for a lock has read its word, whether or not it may go on.
//
// Requests that wait are not enabled before what they wait for is there, so no step performs the read. It counts from the
// moment that the thread waits in vain: the thread does nothing until it goes on, so nobody learns of the read, and every
// later write is unordered with it. That the thread has read does not synchronise it with anyone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "explore/objects.h"
#include "explore/world.h"

namespace heddle::explore {

// Counts the reads of all threads that wait in vain in this world, and hands each that is new to `tell`. True if the last
// of them is the second access of a race. Requires that no object is open.
bool count_vain_reads(Product::World&, const Objects&, ThreadRunner&, const std::function<void(core::Tid)>& tell);

}  // namespace heddle::explore
