// Values for people: numbers as the program most likely means them, pointers by what they point to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/program.h"

namespace heddle::core {

// A value that an access of this many bytes read or wrote: "7", "-1", "null", "&table+8", "object 21", "undefined". Memory
// does not know signs: of two or four bytes, a number that is just below zero with a sign is shown with it, a byte is
// shown without, all else with.
std::string show_value(const Program&, const Value&, unsigned size);

// A location of an object that has no name in the program: "object 21+8".
std::string unnamed_location(const Loc&);

}  // namespace heddle::core
