// JSON from outside. To read a number beyond the range of its C++ type is undefined, so every number of a file must be
// an integer of 64 bits, but for those called "seconds".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::support {

// Throws what nlohmann::json::parse does, and std::invalid_argument for such a number. A callback of the parser would do,
// but it makes the parser look for discarded elements again and again: quadratic in a long trace.
template <class Json>
Json parse_json(std::string_view text) {
  Json whole = Json::parse(text);
  std::vector<std::pair<const Json*, std::string_view>> left = {{&whole, {}}};  // with their keys
  while (!left.empty()) {
    const auto [value, key] = left.back();
    left.pop_back();
    if (value->is_number_float() && key != "seconds")
      throw std::invalid_argument("\"" + std::string(key) +
                                  "\" has a number that is no integer of 64 bits: " + value->dump());
    if (!value->is_structured()) continue;
    for (auto it = value->begin(); it != value->end(); ++it)
      left.emplace_back(&*it, value->is_object() ? std::string_view(it.key()) : key);
  }
  return whole;
}

}  // namespace heddle::support
