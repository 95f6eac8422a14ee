// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <sys/stat.h>
#include <unistd.h>
#include <fstream>

#include <cstdio>

#include "cli/commands.h"

namespace heddle::cli {

void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

int finish_output(int code) {
  const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (whole) return code;
  struct stat about = {};
  if (fstat(STDOUT_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode))) return code;
  std::fputs("error: the answers cannot be written to standard output\n", stderr);
  return exit_input_error;
}

bool written(const std::string& file, const std::string& text) {
  if (file == "-") return put(text), true;
  return static_cast<bool>((std::ofstream(file, std::ios::binary) << text).flush());
}

}  // namespace heddle::cli
