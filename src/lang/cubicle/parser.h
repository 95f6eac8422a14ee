// Parses a `.cub` text (docs/formats.md) into a System that satisfies all rules of syntax, sort and scope.
//
// Beyond sorts it checks the access rules of weak systems: as soon as one name is weak, every scalar `var` must be,
// transitions that touch weak names have an acting process `[p]`, only that process's own cells of other arrays are
// read and written, `i @ X` occurs in `unsafe` and `invariant` only, and `fence()` in guards only. `forall_other` and
// `exists_other` range over the processes that are no parameter of their block. The body of a quantifier reaches as far
// to the right as it can; `fence()` in it is moved out, since it concerns no other process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/budget.h"
#include "lang/cubicle/syntax.h"
#include "support/diagnostics.h"

namespace heddle::cubicle {

support::Result<System> parse(std::string_view text, std::string file);
support::Result<System> parse_file(const std::string& file, const core::Budget* = nullptr);

}  // namespace heddle::cubicle
