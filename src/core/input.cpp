// SPDX-License-Identifier: Apache-2.0
#include "core/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace heddle::core {
namespace {

class Descriptor {
 public:
  // Without O_NONBLOCK, opening a FIFO waits for its writer.
  explicit Descriptor(const std::string& file) : number_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

support::Diagnostic mistake(const std::string& file, std::string message, std::string hint = {}) {
  return {file, 0, 0, std::move(message), {}, std::move(hint)};
}

support::Diagnostic larger_than(const std::string& file, std::size_t largest) {
  return mistake(file, fmt::format("the file is longer than {} MiB", largest >> 20), "no input is that long");
}

// Where neither data nor the end of the file has come, waits for a short while only.
bool has_come(int descriptor) {
  pollfd wait{descriptor, POLLIN, 0};
  return ::poll(&wait, 1, 20) > 0;
}

}  // namespace

support::Diagnostic stopped_at(const std::string& file, std::string reason) {
  support::Diagnostic d = mistake(file, std::move(reason));
  d.limit = true;
  return d;
}

bool is_plain_file(const std::string& file) {
  struct stat about = {};
  return ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

// Not by opening it: a FIFO that is opened and closed again loses its writer.
std::string unreadable(const std::string& file) {
  return ::access(file.c_str(), R_OK) == 0 ? std::string() : fmt::format("cannot be read: {}", std::strerror(errno));
}

support::Result<std::string> read_input(const std::string& file, const Budget* budget, std::size_t largest) {
  const Descriptor in(file);
  if (in.number() < 0) return mistake(file, fmt::format("cannot be read: {}", std::strerror(errno)));
  struct stat about = {};
  if (::fstat(in.number(), &about) != 0) return mistake(file, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (S_ISDIR(about.st_mode)) return mistake(file, "this is a folder, not a file");
  const bool plain = S_ISREG(about.st_mode);
  if (plain && static_cast<std::uint64_t>(about.st_size) > largest) return larger_than(file, largest);
  std::string text;
  std::string buffer(plain ? std::clamp<std::size_t>(static_cast<std::size_t>(about.st_size), 4096, 1 << 20) : 1 << 16,
                     '\0');
  for (;;) {
    if (budget != nullptr)
      if (auto reason = budget->over()) return stopped_at(file, "reading it was stopped: " + reason->text);
    if (!plain && !has_come(in.number())) continue;
    const ssize_t got = ::read(in.number(), buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return mistake(file, fmt::format("cannot be read to its end: {}", std::strerror(errno)));
    text.append(buffer, 0, static_cast<std::size_t>(got));
    if (text.size() > largest) return larger_than(file, largest);
  }
}

}  // namespace heddle::core
