// What memory orders cost: a table of numbers, by kind of access and order, that --cost changes.
//
// The numbers say which of two repairs is to be preferred, not nanoseconds. A stronger order never costs less, and
// acq_rel no more than acquire and release together: both are checked when the table is read. Where --cost does not
// name acq_rel, it costs no more than that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/order.h"
#include "support/diagnostics.h"

namespace heddle::repair {

enum class Priced : std::uint8_t { Load, Store, Rmw, Failure, Fence };

class OrderCosts {
 public:
  OrderCosts();  // the standard ones
  // "store.seq_cst=5,fence.release=2", or "count": every change costs one, whatever it is.
  static support::Result<OrderCosts> parse(const std::string& text);

  // Of an access with this order instead of a relaxed one, or of a fence instead of none. Plain accesses cost nothing,
  // and one more than that if they are made relaxed.
  std::uint64_t of(Priced, core::Order) const;
  // Of a change from one to the other.
  std::uint64_t between(Priced kind, core::Order from, core::Order to) const {
    return counts_ ? (from == to ? 0 : 1) : of(kind, to) - of(kind, from);
  }

 private:
  std::array<std::array<std::uint64_t, 6>, 5> table_;  // by kind and order
  bool counts_ = false;
};

// Of atomic (locked) writes and of fences (syncs) in models of processes: "atomic=1,fence=3".
struct StepCosts {
  std::uint64_t atomic = 1, fence = 1;
  static support::Result<StepCosts> parse(const std::string& text);
};

}  // namespace heddle::repair
