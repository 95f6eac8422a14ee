// Standard output and its end. A reader that stopped (`| head`) is no error; a full disk is one, and the exit code says
// so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/budget.h"

namespace heddle::cli {

// Never throws and never fails: whether all has arrived is asked once, at the end.
void put(std::string_view text);

// The exit code of the process: `code`, or that of an error if something could not be written.
int finish_output(int code);

// Why a file cannot be written; empty if it has been. A pipe that nobody reads is waited for as long as the budget lasts.
std::string write_file(const std::string& file, std::string_view text, const core::Budget&);

// To a file, or to standard output if its name is "-". False if it cannot be written.
bool written(const std::string& file, const std::string& text, const core::Budget&);

}  // namespace heddle::cli
