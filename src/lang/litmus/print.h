// Answers as text: in herd7's format, line by line, so that scripts which read its logs work; or as a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lang/litmus/run.h"

namespace heddle::lang::litmus {

// What an answer takes for granted if ModelResult::misaligned.
inline constexpr const char* misaligned_is_one = "a misaligned access is one access (machines may split it)";

// "Never", "Sometimes", "Always": of the condition's formula among the executions.
const char* observation(const ModelResult&);

// The block of one test under one model. `name_model` adds a line with the model's name.
std::string herd_block(const Test&, const ModelResult&, unsigned unroll, bool name_model);

struct TableRow {
  std::string test;
  std::vector<std::string> cells;
};

// What stands in a table for a result: its observation, "-" if the model does not apply, "?" if there is no answer,
// with a "*" behind it if a bound was reached and a "!" if ModelResult::misaligned.
std::string table_cell(const Test&, const ModelResult&);

// Columns aligned, the first line the models' names.
std::string table(std::span<const std::string> models, std::span<const TableRow>);

}  // namespace heddle::lang::litmus
