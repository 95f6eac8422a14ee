// JSON from outside. To read a number beyond the range of its C++ type is undefined, so every number of a file must be
// an integer of 64 bits, but for those called "seconds".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::support {

// Throws what nlohmann::json::parse does, and std::invalid_argument for such a number.
template <class Json>
Json parse_json(std::string_view text) {
  using Event = typename Json::parse_event_t;
  std::string key;
  return Json::parse(text, [&](int, Event event, Json& parsed) {
    if (event == Event::key) key = parsed.template get<std::string>();
    if (event == Event::value && parsed.is_number_float() && key != "seconds")
      throw std::invalid_argument("\"" + key + "\" has a number that is no integer of 64 bits: " + parsed.dump());
    return true;
  });
}

}  // namespace heddle::support
