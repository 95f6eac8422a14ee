// SPDX-License-Identifier: Apache-2.0
#include "repair/order_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::repair {
namespace {

using core::Order;

constexpr std::array<std::string_view, 5> kind_names = {"load", "store", "rmw", "failure", "fence"};
constexpr std::uint64_t most = 1'000'000;

support::Diagnostic mistake(std::string message) {
  return {"", 0,
          0,  std::move(message),
          "", "as --cost store.seq_cst=5,fence.release=2 or --cost count for C, --cost atomic=1,fence=3 for models"};
}

// Hands on each NAME=NUMBER of a list; `take` says whether it knows the name.
template <class Take>
std::optional<support::Diagnostic> each_item(std::string_view list, Take&& take) {
  std::vector<std::string_view> named;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view name = item.substr(0, equals), number = item.substr(std::min(equals + 1, item.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool in_range = error == std::errc() && end == number.data() + number.size() && value != 0 && value <= most;
    if (equals != item.size() && !in_range)
      return mistake(fmt::format("--cost takes a number from 1 to {} behind '{}'", most, name));
    if (equals == item.size() || !take(name, value)) return mistake(fmt::format("--cost does not know '{}'", name));
    if (std::ranges::find(named, name) != named.end())
      return mistake(fmt::format("--cost has two prices for '{}'", name));
    named.push_back(name);
  }
  return std::nullopt;
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
  std::array<bool, kind_names.size()> priced_acq_rel{};
  const auto trouble = each_item(text, [&](std::string_view name, std::uint64_t value) {
    const std::size_t dot = name.find('.');
    const auto kind = std::ranges::find(kind_names, name.substr(0, std::min(dot, name.size())));
    std::size_t order = 1;
    while (order < 6 &&
           (dot == std::string_view::npos || core::order_name(static_cast<Order>(order)) != name.substr(dot + 1)))
      ++order;
    if (kind == kind_names.end() || order < 2 || order == 6) return false;
    const auto k = static_cast<std::size_t>(kind - kind_names.begin());
    // For accesses, costs in the table are relative to plain, those of the option to relaxed.
    if (static_cast<Order>(order) == Order::AcqRel) priced_acq_rel[k] = true;
    costs.table_[k][order] = value + costs.table_[k][static_cast<std::size_t>(Order::Relaxed)];
    return true;
  });
  if (trouble) return *trouble;
  for (std::size_t k = 0; k < kind_names.size(); ++k) {
    auto& row = costs.table_[k];
    // Orders that the kind does not have cost nothing beyond relaxed: loads do not release, stores do not acquire.
    const auto kind = static_cast<Priced>(k);
    if (kind == Priced::Load || kind == Priced::Failure) row[3] = row[1];
    if (kind == Priced::Store) row[2] = row[1];
    const auto base = row[1], acquire = row[2], release = row[3];
    if (priced_acq_rel[k] && row[4] > acquire + release - base)
      return mistake(
          fmt::format("--cost: acq_rel of a {} must not cost more than acquire and release together", kind_names[k]));
    row[4] = std::min(row[4], acquire + release - base);
    if (row[4] < std::max(acquire, release) || row[5] < row[4])
      return mistake(
          fmt::format("--cost: a stronger order of a {} must not cost less than a weaker one", kind_names[k]));
  }
  return costs;
}

support::Result<StepCosts> StepCosts::parse(const std::string& text) {
  StepCosts costs;
  const auto trouble = each_item(text, [&](std::string_view name, std::uint64_t value) {
    if (name == "atomic") costs.atomic = value;
    else if (name == "fence") costs.fence = value;
    else return false;
    return true;
  });
  if (trouble) return *trouble;
  return costs;
}

}  // namespace heddle::repair
