// The programs of twins.h, to be checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lang/llvm/load.h"
#include "support/places.h"

namespace heddle::tests {

inline constexpr unsigned twins = 42;

inline std::string cxx_runtime() {
  const char* elsewhere = std::getenv("HEDDLE_RUNTIME");
  return elsewhere != nullptr ? elsewhere : tests::binary_dir() + "/runtime";
}

// `extension`: "c" or "cpp".
inline std::unique_ptr<core::Program> load_twin(unsigned twin, const char* extension) {
  lang::llvm_ir::Options options;
  options.defines = {fmt::format("TWIN={}", twin)};
  options.runtime = cxx_runtime();
  options.settings = {{"__heddle_spurious_wakeups", 0}};
  auto program = lang::llvm_ir::load({std::string(tests::source_dir() + "/tests/support/twins.") + extension}, options);
  if (program) return std::move(*program);
  ADD_FAILURE() << render(program.error());
  return nullptr;
}

// What `result` holds at the end of an execution.
inline std::string result_of(const core::Program& program,
                             const std::vector<std::pair<core::Loc, core::Value>>& memory) {
  std::array<std::uint64_t, 4> result{};
  for (const auto& [loc, value] : memory)
    if (loc.object <= program.globals().size() && loc.object > 0 &&
        program.globals()[loc.object - 1].name == "result" && loc.size == 4)
      result[loc.offset / 4] = value.bits;
  return fmt::format("{}{}{}{}", result[0], result[1], result[2], result[3]);
}

}  // namespace heddle::tests
