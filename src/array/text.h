// Cubes as text: for people, and as the words of a certificate.
//
// An atom is `PC[#1]`, `#2@X!e1` (what #2 reads from X in event 1), `X?1` (what the promised write 1 puts into X), `0`,
// or a process `#2`. Events and promises count from 1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "array/cube.h"

namespace heddle::array {

std::string to_text(Atom, const System&);
std::optional<Atom> atom_from(std::string_view, const System&);

std::string_view to_text(logic::Op);
std::optional<logic::Op> op_from(std::string_view);

// `PC[#1] = CS && #1@X!e1 <> #2`, with the names of enumerations' values.
std::string to_text(const Cube&, const System&);

}  // namespace heddle::array
