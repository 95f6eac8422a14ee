// From syntax to ir::Program: looks names up, checks types and arities, folds constants.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ir/program.h"
#include "lang/dve/ast.h"

namespace heddle::dve {

// Not finished yet (ir::finish). Throws Mistake.
ir::Program lower(const Source&, const SyntaxModel&);

// Marks atomic writes and fences as an --atomic file says. Before ir::finish. Throws Mistake.
void apply_atomic(ir::Program&, std::string_view text, const std::string& file);

// Text of a piece of source in one line, without comments.
std::string one_line(std::string_view text, std::size_t limit = 400);

}  // namespace heddle::dve
