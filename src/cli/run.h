// The whole program as a function: reads the command line, hands over to one sub-command, gives its exit code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::cli {

int run(int argc, const char* const* argv, const char* version);

}  // namespace heddle::cli
