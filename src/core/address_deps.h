// What the addresses of accesses depend on that are no requests, because they are to memory that no other thread can see:
// addr; po. Program::deps puts such a load into Deps::ctrl, as its number plus `by_address`.
//
// Where a model keeps later writes behind the address of an access, it does so as behind a branch: (ctrl ∪ addr; po); [W]
// in ARM, rules 11 and 13 of RISC-V. POWER's cc0 has both; isync, which only ctrl reaches, stands in C behind a load that
// has a branch of its own before isync, so that addr; po to that load orders as much.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/program.h"

namespace heddle::core {

inline constexpr std::uint32_t by_address = 0x80000000;
// In the same place, last, are marks.
//   hides      a load has picked what is stored (vm/shadow.h), whether a compare-exchange writes, or which object is freed
//              or asked for its size, and the thread has not branched on it: read back, the value tells of a load on which
//              nothing later depends
//   hidden     what the thread does from here on may depend on loads that are in none of its dependencies
//   read_back  of what is no read: the thread has read such memory where it had stored at an address that depends on a
//              load. With another address it may have read something else (Observer::check_forwarding in graph/).
inline constexpr std::uint32_t hides = 0xfffffffd, hidden = 0xfffffffe, read_back = 0xffffffff;
inline bool has_mark(const Deps& deps, std::uint32_t mark) {
  for (auto k = deps.ctrl.rbegin(); k != deps.ctrl.rend() && *k >= mark; ++k)
    if (*k == mark) return true;
  return false;
}

// Makes them control dependencies (`ordered`: the model has addr; po), or leaves them out; and leaves out the marks.
inline void settle_addresses(Deps& deps, bool ordered) {
  const auto from = std::ranges::lower_bound(deps.ctrl, by_address);
  LoadSet addresses(from, std::ranges::lower_bound(deps.ctrl, hides)), all;
  deps.ctrl.erase(from, deps.ctrl.end());
  if (!ordered || addresses.empty()) return;
  for (std::uint32_t& load : addresses) load -= by_address;
  std::ranges::set_union(deps.ctrl, addresses, std::back_inserter(all));
  deps.ctrl = std::move(all);
}

}  // namespace heddle::core
