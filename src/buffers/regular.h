// A language of buffer contents as a regular expression, for people: "(x,1)((x,0)(x,1))*".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "buffers/automata.h"

namespace heddle::buffers {

// By elimination of states. The empty word is "nothing"; requires a language that is not empty.
std::string regular_expression(const Dfa&, const std::function<std::string(Symbol)>& show);

}  // namespace heddle::buffers
