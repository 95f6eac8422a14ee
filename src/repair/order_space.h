// Memory orders as elements of hitting sets.
//
// A place has a weakest order and stronger ones, each at a cost; an element is a place with one of the stronger ones.
// Let M give each place an order such that a run goes wrong with M. Every repair then gives some place an order that is
// not at most M's, so it has one of the elements beyond M (monotonicity: repair/synthesis.h). A set of elements gives
// each place the join of what it says about it; one that hits all constraints costs no less than the join does, and a
// cheapest one no more, where the join of two orders costs no more than the two together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/order.h"
#include "repair/hitting_set.h"

namespace heddle::repair {

using Orders = std::vector<core::Order>;  // of each place

class OrderSpace {
 public:
  struct Element {
    std::uint32_t place = 0;
    core::Order order = core::Order::Plain;
    std::uint64_t cost = 0;  // beyond that of the weakest
  };

  // Returns its number. `stronger`: in any order, but not below `weakest`.
  std::uint32_t add_place(core::Order weakest);
  void add_element(std::uint32_t place, core::Order order, std::uint64_t cost);

  std::size_t places() const { return weakest_.size(); }
  const std::vector<Element>& elements() const { return elements_; }
  std::vector<std::uint64_t> costs() const;
  const Orders& weakest() const { return weakest_; }
  Orders strongest() const;
  Orders with(const Elements&) const;
  std::uint64_t cost(const Orders&) const;
  // Elements that ask for more than these orders.
  Elements beyond(const Orders&) const;
  // Orders that the place may have beside the weakest, strongest first.
  std::vector<core::Order> orders_of(std::uint32_t place) const;

 private:
  Orders weakest_;
  std::vector<Element> elements_;
};

// Strengthens places one after the other as long as the same run goes through: `goes_through` with the orders that
// result, which it does with `from`. Whole ranges are tried first. Backwards: beginning with the last place. The result
// is maximal: no place has a stronger order with which the run still went through when it was tried.
Orders grown(const OrderSpace&, const Orders& from, bool backwards,
             const std::function<bool(const Orders&)>& goes_through);

}  // namespace heddle::repair
