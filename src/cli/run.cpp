// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/last_resort.h"
#include "cli/output.h"

namespace heddle::cli {

namespace {

// CLI11 would only say that a sub-command is required.
bool names_no_command(const char* word) {
  if (*word == '-') return false;
  const auto known = commands();
  if (std::any_of(known.begin(), known.end(), [&](const Command& c) { return std::strcmp(c.name, word) == 0; }))
    return false;
  std::string names;
  for (const Command& command : known) names += std::string(names.empty() ? "" : ", ") + command.name;
  const bool file = std::strchr(word, '.') != nullptr;
  std::fprintf(stderr, "error: there is no command '%s'; there are %s\n", word, names.c_str());
  if (file) std::fprintf(stderr, "  to check a file, write: heddle check %s\n", word);
  return true;
}

// Whoever started us may have closed standard descriptors (services do). The next files would get their numbers: a
// pipe to m4 that is its descriptor 0 already is closed by exec, and messages would be written into a report. What
// takes their place fails to be read or written, as they would.
void hold_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int run(int argc, const char* const* argv, const char* version) {
  // The reader of standard output may stop (`| head`): reports are still written, and the exit code is the same.
  std::signal(SIGPIPE, SIG_IGN);
  // A limit on the size of files is as good as a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  hold_standard_descriptors();
  survive_failures();
  CLI::App app("Heddle checks concurrent programs under relaxed memory models.", "heddle");
  app.set_version_flag("--version", std::string("heddle ") + version);
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
    return finish_output(app.exit(error) == 0 ? exit_safe : exit_input_error);
  }
  try {
    for (auto& [sub, action] : actions)
      if (sub->parsed()) return finish_output(action());
  } catch (const std::system_error& error) {
    // Thrown by fmt::print if standard output cannot be written, or for a resource that the system refuses (a thread).
    if (std::ferror(stdout) == 0) give_up({core::Reason::Kind::MemoryLimit, error.what()});
    return finish_output(exit_unknown);
  }
  return exit_input_error;
}

}  // namespace heddle::cli
