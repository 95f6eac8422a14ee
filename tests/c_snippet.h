// C snippets as programs, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "lang/llvm/load.h"

namespace heddle::tests {

// The machine's functions, as runtime/include/heddle_vm.h declares them.
inline const char* const machine_functions = R"(
typedef unsigned long size_t;
unsigned __heddle_choose(unsigned); void __heddle_assume(int); _Noreturn void __heddle_fail(const char *, const char *); void __heddle_atomic_begin(void); void __heddle_atomic_end(void);
void *__heddle_alloc(size_t, int); void __heddle_free(void *); size_t __heddle_object_size(const void *); unsigned __heddle_spawn(void *(*)(void *), void *); void __heddle_join(unsigned);
unsigned __heddle_self(void); _Noreturn void __heddle_thread_exit(void); _Noreturn void __heddle_exit(int); void __heddle_wait_cas(int *, int, int); void __heddle_wait_equal(int *, int);
void __heddle_output(int, const char *, size_t); void *__heddle_thread_pointer(void); void __heddle_set_thread_pointer(void *); int __heddle_setjmp(void *) __attribute__((returns_twice));
_Noreturn void __heddle_longjmp(void *, int); _Noreturn void __assert_fail(const char *, const char *, unsigned, const char *); void *malloc(size_t); void free(void *); _Noreturn void abort(void);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#define relaxed __ATOMIC_RELAXED
#line 1
)";

inline std::unique_ptr<core::Program> program_of(const std::string& code, const std::string& level = "0",
                                                 bool pending = false, const char* suffix = ".c") {
  char name[] = "/tmp/heddle-snippet-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  const auto file = folder / (std::string("snippet") + suffix);
  std::ofstream(file) << (std::string(suffix) == ".c" ? machine_functions : "") << code;
  lang::llvm_ir::Options options;
  options.optimise = level;
  options.pending_loads = pending;
  options.cflags = {"-w"};
  options.max_jumps = 200'000;
  auto program = lang::llvm_ir::load({file.string()}, options);
  if (!program) {
    ADD_FAILURE() << support::render(program.error());
    std::filesystem::remove_all(folder);
    return nullptr;
  }
  // The text of lines is read on demand: so the folder is removed at the end of the process.
  static struct Cleaner {
    std::vector<std::filesystem::path> folders;
    ~Cleaner() {
      for (const auto& f : folders) std::filesystem::remove_all(f);
    }
  } cleaner;
  cleaner.folders.push_back(folder);
  return std::move(*program);
}

}  // namespace heddle::tests
