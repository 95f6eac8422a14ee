// Recursive descent over the grammar of DVE. Nesting is bounded, so no input exhausts the stack.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lang/dve/ast.h"
#include "lang/dve/lexer.h"

namespace heddle::dve {

// Throws Mistake.
SyntaxModel parse_model(const Source&);

// The whole text is one expression; its node in `model`.
Node parse_expression_text(const Source&, SyntaxModel&);

}  // namespace heddle::dve
