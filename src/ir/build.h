// Makes expression nodes in a program, folding constants as it goes. What could fail at run time is not folded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/program.h"

namespace heddle::ir {

ExprId make_const(Program&, std::int32_t value);
ExprId make_var(Program&, std::uint32_t var);
ExprId make_index(Program&, std::uint32_t var, ExprId index, core::Site);
ExprId make_in_state(Program&, std::uint32_t process, std::uint32_t state);
// Shared variable `var` as `process` sees it. For propositions and assumptions; requires a constant index within range,
// or none.
ExprId make_seen(Program&, std::uint32_t process, std::uint32_t var, ExprId index = no_expr);
ExprId make_cond(Program&, ExprId condition, ExprId then, ExprId otherwise);
ExprId make_channel_length(Program&, std::uint32_t channel);
ExprId make_item(Program&, std::uint32_t channel, std::uint32_t item);
ExprId make_message(Program&, std::uint32_t item);
ExprId make_unary(Program&, Op, ExprId);
ExprId make_binary(Program&, Op, ExprId, ExprId, core::Site);

core::Site add_site(Program&, core::SourcePlace);

}  // namespace heddle::ir
