// SPDX-License-Identifier: Apache-2.0
#include "repair/order_space.h"

#include <algorithm>
#include <numeric>

namespace heddle::repair {

std::uint32_t OrderSpace::add_place(core::Order weakest) {
  weakest_.push_back(weakest);
  return static_cast<std::uint32_t>(weakest_.size() - 1);
}

void OrderSpace::add_element(std::uint32_t place, core::Order order, std::uint64_t cost) {
  elements_.push_back({place, order, cost});
}

std::vector<std::uint64_t> OrderSpace::costs() const {
  std::vector<std::uint64_t> costs;
  for (const Element& e : elements_) costs.push_back(e.cost);
  return costs;
}

Orders OrderSpace::strongest() const {
  Orders orders = weakest_;
  for (const Element& e : elements_) orders[e.place] = core::join(orders[e.place], e.order);
  return orders;
}

Orders OrderSpace::with(const Elements& chosen) const {
  Orders orders = weakest_;
  for (const std::uint32_t i : chosen)
    orders[elements_[i].place] = core::join(orders[elements_[i].place], elements_[i].order);
  return orders;
}

std::uint64_t OrderSpace::cost(const Orders& orders) const {
  std::uint64_t sum = 0;
  for (const Element& e : elements_)
    if (orders[e.place] == e.order) sum += e.cost;
  return sum;
}

Elements OrderSpace::beyond(const Orders& orders) const {
  Elements result;
  for (std::uint32_t i = 0; i < elements_.size(); ++i)
    if (!core::at_most(elements_[i].order, orders[elements_[i].place])) result.push_back(i);
  return result;
}

std::vector<core::Order> OrderSpace::orders_of(std::uint32_t place) const {
  std::vector<core::Order> orders;
  for (const Element& e : elements_)
    if (e.place == place) orders.push_back(e.order);
  std::ranges::sort(orders, std::greater<>());
  return orders;
}

namespace {

class Growth {
 public:
  Growth(const OrderSpace& space, Orders orders, const std::function<bool(const Orders&)>& goes_through)
      : space_(space), strongest_(space.strongest()), orders_(std::move(orders)), goes_through_(goes_through) {}

  // Places of the list from `begin` to `end`.
  void strengthen(const std::vector<std::uint32_t>& list, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Orders all = orders_;
    for (std::size_t k = begin; k < end; ++k) all[list[k]] = strongest_[list[k]];
    if (all == orders_) return;
    if (goes_through_(all)) {
      orders_ = std::move(all);
      return;
    }
    if (end - begin > 1) {
      const std::size_t middle = begin + (end - begin) / 2;
      strengthen(list, begin, middle);
      strengthen(list, middle, end);
      return;
    }
    for (const core::Order order : space_.orders_of(list[begin])) {
      if (core::at_most(order, orders_[list[begin]]) || order == strongest_[list[begin]]) continue;
      Orders one = orders_;
      one[list[begin]] = core::join(one[list[begin]], order);
      if (!goes_through_(one)) continue;
      orders_ = std::move(one);
    }
  }

  Orders orders() && { return std::move(orders_); }

 private:
  const OrderSpace& space_;
  const Orders strongest_;
  Orders orders_;
  const std::function<bool(const Orders&)>& goes_through_;
};

}  // namespace

Orders grown(const OrderSpace& space, const Orders& from, bool backwards,
             const std::function<bool(const Orders&)>& goes_through) {
  std::vector<std::uint32_t> list(space.places());
  std::iota(list.begin(), list.end(), 0u);
  if (backwards) std::ranges::reverse(list);
  Growth growth(space, from, goes_through);
  growth.strengthen(list, 0, list.size());
  return std::move(growth).orders();
}

}  // namespace heddle::repair
