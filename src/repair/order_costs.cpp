// SPDX-License-Identifier: Apache-2.0
#include "repair/order_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace heddle::repair {
namespace {

using core::Order;

constexpr std::array<std::string_view, 5> kind_names = {"load", "store", "rmw", "failure", "fence"};
constexpr std::uint64_t most = 1'000'000;

support::Diagnostic mistake(std::string message) {
  return {"", 0, 0, std::move(message), "", "as --cost store.seq_cst=5,fence.release=2, or --cost count"};
}

}  // namespace

// By order: plain, relaxed, acquire, release, acq_rel, seq_cst.
OrderCosts::OrderCosts()
    : table_{{{0, 1, 2, 2, 3, 3}, {0, 1, 2, 2, 3, 5}, {0, 1, 2, 2, 3, 4}, {0, 1, 2, 2, 3, 3}, {0, 0, 3, 3, 4, 6}}} {}

std::uint64_t OrderCosts::of(Priced kind, Order order) const {
  return table_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(order)];
}

support::Result<OrderCosts> OrderCosts::parse(const std::string& text) {
  OrderCosts costs;
  costs.counts_ = text == "count";
  if (text.empty() || costs.counts_) return costs;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t equals = item.find('='), dot = item.find('.');
    std::uint64_t value = 0;
    if (equals == std::string_view::npos) return mistake(fmt::format("--cost does not know '{}'", item));
    const auto [end, error] = std::from_chars(item.data() + equals + 1, item.data() + item.size(), value);
    if (error != std::errc() || end != item.data() + item.size() || value == 0 || value > most)
      return mistake(fmt::format("--cost takes a number from 1 to {} behind '{}'", most, item.substr(0, equals)));
    const std::string_view name = item.substr(0, equals);
    if (name == "atomic" || name == "fence") {
      (name == "atomic" ? costs.atomic_write : costs.ir_fence) = value;
      continue;
    }
    const auto kind = std::ranges::find(kind_names, name.substr(0, std::min(dot, name.size())));
    std::size_t order = 1;
    while (order < 6 && (dot >= equals || core::order_name(static_cast<Order>(order)) != name.substr(dot + 1))) ++order;
    if (kind == kind_names.end() || order < 2 || order == 6)
      return mistake(fmt::format("--cost does not know '{}'", name));
    const auto k = static_cast<std::size_t>(kind - kind_names.begin());
    // Of accesses the table counts from plain, the option from relaxed.
    costs.table_[k][order] = value + costs.table_[k][static_cast<std::size_t>(Order::Relaxed)];
  }
  for (std::size_t k = 0; k < kind_names.size(); ++k) {
    auto& row = costs.table_[k];
    const auto base = row[1], acquire = row[2], release = row[3];
    row[4] = std::min(row[4], acquire + release - base);
    if (row[4] < std::max(acquire, release) || row[5] < row[4])
      return mistake(
          fmt::format("--cost: a stronger order of a {} must not cost less than a weaker one", kind_names[k]));
  }
  return costs;
}

}  // namespace heddle::repair
