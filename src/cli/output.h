// Standard output and its end. A reader that has gone (`| head`) is no error; a full disk is one, and the exit code
// says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heddle::cli {

// Never throws and never fails: whether all has arrived is asked once, at the end.
void put(std::string_view text);

// The exit code of the process: `code`, or that of an error if something could not be written.
int finish_output(int code);

}  // namespace heddle::cli
