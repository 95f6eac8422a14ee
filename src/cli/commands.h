// The sub-commands of heddle: one row of the table in commands.cpp and one short file each.
//
// A command declares its options on its own CLI11 sub-command and returns what to do when it is chosen; that gives the
// exit code (docs/verdicts.md: 0 safe, 1 unsafe, 2 input error, 3 unknown).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "drive/task.h"

namespace CLI {
class App;
}

namespace heddle::cli {

using drive::exit_input_error;
using drive::exit_safe;
using drive::exit_unknown;

using Action = std::function<int()>;

struct Command {
  const char* name;
  const char* description;
  Action (*declare)(CLI::App&);
};

std::span<const Command> commands();

}  // namespace heddle::cli
