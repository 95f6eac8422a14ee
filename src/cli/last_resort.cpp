// SPDX-License-Identifier: Apache-2.0
#include "cli/last_resort.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "lang/llvm/load.h"

namespace heddle::cli {

namespace {

std::function<int(const core::Reason&)> reporter;  // set and reset by the main thread
std::mutex reporter_mutex;
std::atomic<bool> given_up{false};

constexpr const char* no_memory = "UNKNOWN: the system has no more memory to give\n";

// Where memory is short nothing may be allocated any more: no report, one line.
[[noreturn]] void out_of_memory() {
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, no_memory, __builtin_strlen(no_memory));
  ::_exit(exit_unknown);
}

[[noreturn]] void uncaught() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    out_of_memory();
  } catch (const std::exception& error) {
    give_up(core::internal_error(error.what()));
  } catch (...) {
    std::abort();
  }
  std::abort();
}

}  // namespace

void survive_failures() {
  std::set_new_handler([] { out_of_memory(); });
  std::set_terminate(uncaught);
  lang::llvm_ir::on_fatal_error([](const char* what) {
    // What clang makes is verified when it is read. LLVM says what it refuses, such as arguments of 2 GiB by value.
    if (std::string_view(what).starts_with("Broken module"))
      give_up({core::Reason::Kind::Unsupported, "clang makes of the program what LLVM refuses, as it says above"});
    give_up(core::internal_error(std::string("LLVM: ") + what));
  });
}

void give_up(const core::Reason& reason) {
  // A second caller waits until the first one has ended the process.
  while (given_up.exchange(true)) ::sleep(1);
  int code = exit_unknown;
  {
    const std::lock_guard lock(reporter_mutex);
    if (reporter) code = reporter(reason);
    else std::fprintf(stderr, "UNKNOWN: %s\n", reason.text.c_str());
  }
  std::fflush(stdout);
  std::fflush(stderr);
  ::_exit(code);
}

OnGivingUp::OnGivingUp(std::function<int(const core::Reason&)> report) {
  const std::lock_guard lock(reporter_mutex);
  reporter = std::move(report);
}

OnGivingUp::~OnGivingUp() {
  const std::lock_guard lock(reporter_mutex);
  reporter = nullptr;
}

}  // namespace heddle::cli
