// Promela expressions → ir expressions, for one process or globally.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/build.h"
#include "lang/promela/tables.h"

namespace heddle::promela {

// A variable's cell.
struct Cell {
  const Leaf* leaf = nullptr;
  ir::ExprId index = ir::no_expr;
};

// A channel that a reference may denote, and the condition under which it does (none: always).
struct Possible {
  std::uint32_t channel = 0;
  ir::ExprId when = ir::no_expr;
};

class Expressions {
 public:
  // `instance` may be `globally`. Messages are about `source`.
  Expressions(ir::Program& program, const Tables& tables, const Source& source, std::uint32_t instance)
      : program_(program), tables_(tables), source_(source), instance_(instance) {}

  ir::ExprId value(const Node&);
  Cell cell(const Reference&);
  std::vector<Possible> possible_channels(const Reference&, std::size_t arity, const Token&);
  // Can the statement be executed? Statements inside a choice, too.
  ir::ExprId executable(const Statement&);
  ir::ExprId all_of(const std::vector<ir::ExprId>&);
  ir::ExprId any_of(const std::vector<ir::ExprId>&);
  ir::ExprId equal(ir::ExprId, ir::ExprId);
  ir::ExprId negation(ir::ExprId e) { return ir::make_unary(program_, ir::Op::Not, e); }
  ir::ExprId constant(std::int32_t v) { return ir::make_const(program_, v); }
  ir::ExprId process_id(std::uint32_t instance);
  ir::ExprId alive(std::uint32_t instance);
  core::Site site(const Token&);
  // What the items of a message that is received must be; none if there is nothing to compare.
  ir::ExprId match(const std::vector<Argument>&);
  void set_text(std::string text) { text_ = std::move(text); }

 private:
  ir::ExprId joined(ir::Op, std::span<const ir::ExprId>);
  ir::ExprId channel_test(const Node&);
  ir::ExprId poll(const Reference&, const std::vector<const Node*>& items, bool random, const Token&);
  ir::ExprId at_label(const Node&);
  ir::ExprId local_of(const Node&);
  std::vector<std::uint32_t> instances_of(const Node&);
  ir::ExprId read(const Cell&, const Token&);

  ir::Program& program_;
  const Tables& tables_;
  const Source& source_;
  const std::uint32_t instance_;
  std::string text_;  // of the statement, for sites
};

}  // namespace heddle::promela
