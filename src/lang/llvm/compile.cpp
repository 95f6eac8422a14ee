// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/compile.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

extern char** environ;

namespace heddle::lang::llvm_ir {
namespace {

namespace fs = std::filesystem;

struct Run {
  int status = -1;
  std::string out, err;
};

std::string drain(int fd) {
  std::string text;
  char buffer[65536];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

// Standard output comes by a pipe, messages through a file: neither can block the other.
Run run(const std::vector<std::string>& command) {
  Run result;
  std::vector<char*> argv;
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return result;
  char name[] = "/tmp/heddle-clang-XXXXXX";
  const int err = ::mkostemp(name, O_CLOEXEC);
  if (err < 0) {
    ::close(out[0]);
    ::close(out[1]);
    return result;
  }
  ::unlink(name);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  if (failed == 0) {
    result.out = drain(out[0]);
    int status = 0;
    ::waitpid(pid, &status, 0);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    ::lseek(err, 0, SEEK_SET);
    result.err = drain(err);
  } else {
    result.err = std::strerror(failed);
  }
  ::close(out[0]);
  ::close(err);
  return result;
}

bool is_cpp(const std::string& file) {
  const auto ext = fs::path(file).extension().string();
  return ext == ".cpp" || ext == ".cc" || ext == ".cxx" || ext == ".C";
}

// Calls of functions with such names are atomic sections: they must remain calls.
bool has_atomic_functions(const std::string& file) {
  std::ifstream source(file);
  const std::string text((std::istreambuf_iterator<char>(source)), {});
  static const std::regex pattern(R"(__VERIFIER_atomic_(?!begin\b|end\b))");
  return std::regex_search(text, pattern);
}

// clang's first error as a diagnostic; all it said besides goes into the hint.
support::Diagnostic diagnose(const std::string& file, const std::string& text) {
  support::Diagnostic d;
  d.file = file;
  std::istringstream in(text);
  static const std::regex pattern(R"(^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$)");
  std::string line, rest;
  bool found = false;
  while (std::getline(in, line)) {
    std::smatch match;
    if (!found && std::regex_match(line, match, pattern)) {
      found = true;
      d.file = match[1];
      d.line = static_cast<unsigned>(std::stoul(match[2]));
      d.column = static_cast<unsigned>(std::stoul(match[3]));
      d.message = match[4];
      std::ifstream source(d.file);
      const std::string all((std::istreambuf_iterator<char>(source)), {});
      d.source_line = std::string(support::line_of(all, d.line));
    }
    rest += line + "\n";
  }
  if (!found) d.message = "clang failed";
  d.hint = "clang says:\n" + rest;
  return d;
}

}  // namespace

support::Result<std::string> compile(const std::string& file, const Options& options) {
  std::vector<std::string> command{options.clang, "--target=x86_64-unknown-linux-musl", "-c", "-emit-llvm", "-o", "-"};
  for (const char* flag : {"-g", "-mlong-double-64", "-mcx16", "-fno-vectorize", "-fno-slp-vectorize",
                           "-ffp-contract=off", "-fno-pic", "-fno-stack-protector", "-fno-unwind-tables",
                           "-fno-asynchronous-unwind-tables", "-Xclang", "-disable-O0-optnone"})
    command.push_back(flag);
  command.push_back("-O" + options.optimise);
  if (!options.standard.empty()) command.push_back("-std=" + options.standard);
  for (const auto& d : options.defines) command.push_back("-D" + d);
  for (const auto& i : options.includes) command.push_back("-I" + i);
  for (const auto& h : options.headers) {
    command.push_back("-isystem");
    command.push_back(h);
  }
  std::error_code ec;
  if (!options.runtime.empty() && fs::is_directory(fs::path(options.runtime) / "include", ec)) {
    // The library's headers behind clang's own (stdarg.h, stdatomic.h), and nothing of the host's.
    command.push_back("-nostdlibinc");
    command.push_back("-idirafter");
    command.push_back((fs::path(options.runtime) / "include").string());
  }
  if (has_atomic_functions(file)) command.push_back("-fno-inline");
  for (const auto& f : options.cflags) command.push_back(f);
  if (is_cpp(file) && options.standard.empty()) command.push_back("-std=c++20");
  command.push_back(file);
  auto result = run(command);
  if (result.status == 0) return std::move(result.out);
  if (result.status < 0) {
    support::Diagnostic d;
    d.file = file;
    d.message = options.clang + " cannot be run: " + result.err;
    return d;
  }
  return diagnose(file, result.err);
}

}  // namespace heddle::lang::llvm_ir
