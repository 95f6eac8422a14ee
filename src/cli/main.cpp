// The program: reads the command line, hands over to one sub-command, ends with its exit code.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace {

// CLI11 would only say that a sub-command is required.
bool names_no_command(const char* word) {
  using heddle::cli::Command;
  if (*word == '-') return false;
  const auto commands = heddle::cli::commands();
  if (std::any_of(commands.begin(), commands.end(), [&](const Command& c) { return std::strcmp(c.name, word) == 0; }))
    return false;
  std::string names;
  for (const Command& command : commands) names += std::string(names.empty() ? "" : ", ") + command.name;
  const bool file = std::strchr(word, '.') != nullptr;
  std::fprintf(stderr, "error: there is no command '%s'; there are %s\n", word, names.c_str());
  if (file) std::fprintf(stderr, "  to check a file, write: heddle check %s\n", word);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace heddle::cli;
  // Whoever reads our output may stop reading (`| head`): reports are still written, and the exit code still holds.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Heddle checks concurrent programs under relaxed memory models.", "heddle");
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.require_subcommand(1);

  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.description);
    actions.emplace_back(sub, command.declare(*sub));
  }
  if (argc > 1 && names_no_command(argv[1])) return exit_input_error;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_safe : exit_input_error;
  }
  try {
    for (auto& [sub, action] : actions)
      if (sub->parsed()) return action();
  } catch (const std::bad_alloc&) {
    std::fputs("UNKNOWN: the system has no more memory to give\n", stderr);
    return exit_unknown;
  }
  return exit_input_error;
}
