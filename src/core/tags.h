// Names of fences and access annotations beyond C11's orders (Request::tag). An open set: a front end asks for the
// number of a name, a memory model for the name or for membership. Number 0 is "none".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::core {

std::uint16_t tag(std::string_view name);  // the same name always has the same number within a process
std::string_view tag_name(std::uint16_t tag);

}  // namespace heddle::core
