// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

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

std::string write_file(const std::string& file, std::string_view text, const core::Budget& budget) {
  struct stat about = {};
  int look = -1;  // open until the stream is: a reader would take its end for the end of the report
  if (::stat(file.c_str(), &about) == 0 && S_ISFIFO(about.st_mode)) {
    while ((look = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO) {
      if (const auto over = budget.over()) return "nobody reads it: " + over->text;
      ::usleep(10'000);
    }
  }
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (look >= 0) ::close(look);
  stream << text;
  stream.close();
  return stream ? std::string() : std::strerror(errno != 0 ? errno : EIO);
}

bool written(const std::string& file, const std::string& text, const core::Budget& budget) {
  if (file == "-") return put(text), true;
  return write_file(file, text, budget).empty();
}

}  // namespace heddle::cli
