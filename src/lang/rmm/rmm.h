// The front end of Memorax programs (.rmm), in which benchmarks of fence insertion are written: processes over shared
// data with reads, writes, locked writes, compare-and-swap and fences; which combinations of labels are forbidden.
// Everything lowers to ir::Program, the forbidden combinations to one proposition.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/source.h"
#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::rmm {

struct Loaded {
  ir::Program program;          // finished
  std::uint32_t forbidden = 0;  // proposition: some forbidden combination is reached
};

support::Result<Loaded> load(const std::string& path, const core::Budget* = nullptr);
support::Result<Loaded> load_text(std::string text, const std::string& file);

// What to insert into the text, by offset, for a fence behind the write at this place (a site of the program), or for
// a locked write in its stead. Nothing: there is no write there.
std::optional<std::vector<std::pair<std::size_t, std::string>>> strengthen(std::string_view text,
                                                                           const core::SourcePlace&, bool sync);

}  // namespace heddle::rmm
