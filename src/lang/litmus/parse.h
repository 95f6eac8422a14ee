// Reads a litmus test. Whatever is wrong with it, or is not understood, becomes a Diagnostic with its place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/budget.h"
#include "lang/litmus/test.h"
#include "support/diagnostics.h"

namespace heddle::lang::litmus {

support::Result<Test> parse_test(std::string file, std::string_view text);

support::Result<Test> read_test(const std::string& file, const core::Budget* = nullptr);

}  // namespace heddle::lang::litmus
