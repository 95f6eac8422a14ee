// SPDX-License-Identifier: Apache-2.0
#include "core/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "core/process_memory.h"

namespace heddle::core {
namespace {

constexpr int exit_failed = 127;  // of a child that could not do its work, as of shells

class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool ok() const { return open_; }
  int end(int i) const { return ends_[i]; }
  void close_end(int i) {
    if (ends_[i] >= 0) ::close(ends_[i]);
    ends_[i] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool open_ = false;
};

// Memory that a child has for itself. What it shares (libraries, files) is not counted.
std::uint64_t own_bytes(pid_t child) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%d/statm", static_cast<int>(child));
  const ProcessMemory memory = process_memory(name);
  return memory.resident > memory.shared ? memory.resident - memory.shared : 0;
}

std::optional<std::string> limit_reached(pid_t child, const ChildEnd& result, const ChildLimits& limits,
                                         double seconds) {
  if (result.out.size() > limits.largest_output)
    return fmt::format("it wrote more than {} MiB", limits.largest_output >> 20);
  if (seconds >= limits.seconds) return fmt::format("it took more than {:.4g} s", limits.seconds);
  const std::uint64_t bytes = own_bytes(child);
  if (bytes >= limits.bytes) return fmt::format("it took more than {} MiB of memory", limits.bytes >> 20);
  if (limits.budget != nullptr)
    if (auto reason = limits.budget->over(bytes)) return std::move(reason->text);
  return std::nullopt;
}

// In the child, between fork and exec: only what a signal handler may do.
void begin_child(pid_t parent, int in, int out, int err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(exit_failed);  // it ended before the call
  ::setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGABRT, SIGSEGV}) ::signal(number, SIG_DFL);
  ::dup2(in, 0);
  if (out >= 0) ::dup2(out, 1);
  ::dup2(err, 2);
}

class Conversation {
 public:
  Conversation(const ChildLimits& limits, std::string_view input)
      : limits_(limits), input_(input), buffer_(std::size_t{1} << 16) {}

  Pipe in, out, err;
  bool ok() const { return in.ok() && out.ok() && err.ok(); }

  // Writes the input and reads both outputs until they close or a limit is reached. The child is gone afterwards.
  void hold(pid_t child, ChildEnd& result) {
    Budget clock;
    in.close_end(0);
    out.close_end(1);
    err.close_end(1);
    ::fcntl(in.end(1), F_SETFL, O_NONBLOCK);
    while (out.end(0) >= 0 || err.end(0) >= 0) {
      if (written_ == input_.size()) in.close_end(1);
      std::array<pollfd, 3> fds{pollfd{in.end(1), POLLOUT, 0}, pollfd{out.end(0), POLLIN, 0},
                                pollfd{err.end(0), POLLIN, 0}};
      const int ready = ::poll(fds.data(), fds.size(), 10);
      const double now = clock.elapsed();
      if (now >= next_look_) {
        next_look_ = now + 0.01;
        if (auto reason = limit_reached(child, result, limits_, now)) {
          result.stopped = std::move(*reason);
          break;
        }
      }
      if (ready <= 0) continue;
      if (fds[0].revents != 0) write_some();
      if (fds[1].revents != 0) read_some(out, result.out, limits_.largest_output + 1);
      if (fds[2].revents != 0) read_some(err, result.err, limits_.largest_messages);
    }
    end(child, result);
  }

 private:
  void write_some() {
    const ssize_t n = ::write(in.end(1), input_.data() + written_, input_.size() - written_);
    if (n > 0) written_ += static_cast<std::size_t>(n);
    if (n < 0 && errno != EAGAIN && errno != EINTR) written_ = input_.size();  // it does not want the rest
  }

  void read_some(Pipe& pipe, std::string& text, std::size_t largest) {
    const ssize_t n = ::read(pipe.end(0), buffer_.data(), buffer_.size());
    if (n > 0)
      text.append(buffer_.data(), std::min(static_cast<std::size_t>(n), largest - std::min(largest, text.size())));
    else if (n == 0 || errno != EINTR) pipe.close_end(0);
  }

  // A child may close its outputs and go on: it is given the same limits for its end.
  void end(pid_t child, ChildEnd& result) {
    Budget clock;
    int status = 0;
    for (;;) {
      if (!result.stopped.empty()) {
        ::kill(-child, SIGKILL);
        ::kill(child, SIGKILL);
      }
      const pid_t got = ::waitpid(child, &status, result.stopped.empty() ? WNOHANG : 0);
      if (got == child || (got < 0 && errno != EINTR)) break;
      if (got == 0) {
        if (auto reason = limit_reached(child, result, limits_, clock.elapsed())) result.stopped = std::move(*reason);
        else ::usleep(clock.elapsed() < 0.01 ? 200 : 5000);
      }
    }
    ::kill(-child, SIGKILL);  // what it may have started itself
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    else result.status = WEXITSTATUS(status);
  }

  const ChildLimits& limits_;
  std::string_view input_;
  std::size_t written_ = 0;
  double next_look_ = 0;
  std::vector<char> buffer_;  // not on the stack, which may be as small as this
};

}  // namespace

ChildEnd run_program(const std::vector<std::string>& command, std::string_view input, const ChildLimits& limits) {
  ChildEnd result;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  Conversation talk(limits, input);
  Pipe trouble;  // closed by a successful exec; otherwise tells errno
  const pid_t parent = ::getpid();
  const pid_t child = talk.ok() && trouble.ok() ? ::fork() : -1;
  if (child < 0) {
    result.unstarted = std::strerror(errno);
    return result;
  }
  if (child == 0) {
    begin_child(parent, talk.in.end(0), talk.out.end(1), talk.err.end(1));
    ::execvp(words[0], words.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t told = ::write(trouble.end(1), &error, sizeof error);
    ::_exit(exit_failed);
  }
  ::setpgid(child, child);
  trouble.close_end(1);
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(trouble.end(0), &error, sizeof error)) < 0 && errno == EINTR) {}
  if (got == static_cast<ssize_t>(sizeof error)) result.unstarted = std::strerror(error);
  talk.hold(child, result);
  return result;
}

ChildEnd run_copy(const std::function<int(int out)>& work, const ChildLimits& limits) {
  ChildEnd result;
  Conversation talk(limits, {});
  const pid_t parent = ::getpid();
  const pid_t child = talk.ok() ? ::fork() : -1;
  if (child < 0) {
    result.unstarted = std::strerror(errno);
    return result;
  }
  if (child == 0) {
    begin_child(parent, talk.in.end(0), -1, talk.err.end(1));
    talk.in.close_end(1);
    talk.out.close_end(0);
    talk.err.close_end(0);
    try {
      ::_exit(work(talk.out.end(1)));
    } catch (...) {
      ::_exit(exit_failed);
    }
  }
  ::setpgid(child, child);
  talk.hold(child, result);
  return result;
}

std::string file_word(const std::string& file) {
  return file.starts_with('-') || file.starts_with('@') ? "./" + file : file;
}

std::string end_text(const ChildEnd& end) {
  if (!end.unstarted.empty()) return "cannot be run: " + end.unstarted;
  if (!end.stopped.empty()) return "was stopped: " + end.stopped;
  if (end.signal != 0) return fmt::format("ended by signal {} ({})", end.signal, ::strsignal(end.signal));
  return fmt::format("failed with exit code {}", end.status);
}

}  // namespace heddle::core
