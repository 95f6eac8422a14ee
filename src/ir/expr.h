// Expression trees of ir programs. The engines run compiled code (ir/code.h); trees are what tools read that need the
// text of a program rather than its steps: the replay of traces, footprints for reduction, relax, repair.
//
// Nodes live in one vector and name each other by number, so trees of any shape are freed and copied without
// recursion. Front ends bound the depth (max_depth), so walking a tree recursively is safe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/source.h"
#include "ir/code.h"

namespace heddle::ir {

using ExprId = std::uint32_t;
inline constexpr ExprId no_expr = 0xffffffff;
inline constexpr unsigned max_depth = 2000;

struct Expr {
  Op op = Op::Const;
  std::int32_t value = 0;  // Const; InState: the control state; Seen: the process; Item, Message: which one
  std::uint32_t var = 0;   // Var, Index, Seen: the variable; InState: the process; ChannelLength, Item: the channel
  ExprId left = no_expr;   // operand; Index: the index; Seen: the index, a constant, or none for a scalar
  ExprId right = no_expr;
  std::uint32_t depth = 1;
  core::Site site = core::no_site;  // where a run-time error in this node is; only set on nodes that can fail
};

}  // namespace heddle::ir
