// C, LLVM IR text and bitcode to a core::Program: clang makes IR, libLLVM reads and links it, and it is
// translated once into the bytecode of vm/.
//
// One target on every host, so that a verdict does not depend on the machine. Functions of the runtime library come
// from a folder of bitcode modules, of which only those are linked that something refers to; what is defined nowhere
// is reported when it is called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/program.h"
#include "support/diagnostics.h"

namespace heddle::vm {
class VmProgram;
}

namespace heddle::lang::llvm_ir {

struct Options {
  std::string clang = "clang-19";
  std::string optimise = "0";         // -O
  std::string standard;               // -std
  std::vector<std::string> includes;  // -I
  std::vector<std::string> defines;   // -D
  std::vector<std::string> cflags;    // passed on as they are
  std::string runtime;                // folder with *.bc, symbols.txt and include/; empty or absent: none
  std::vector<std::string> headers;   // further folders of system headers (heddle.h)
  bool check_overflow = false;        // signed overflow and shifts too far end in a failure
  bool fence_slots = false;           // leave room for fences around accesses (vm/order_places.h)
  bool pending_loads = false;         // for lmo and nsw: locals become registers by mem2reg, registers can wait
  bool points = false;                // heddle_point() is a step; otherwise it is nothing
  std::uint64_t max_jumps = 10'000'000;
  // Integer constants of the runtime library, by name ("__heddle_malloc_may_fail").
  std::vector<std::pair<std::string, std::int64_t>> settings;
  const core::Budget* budget = nullptr;  // of the front end: reading, clang, translation; may be null
  // Places that must not be reached, as "function:NAME" or "FILE:LINE"; a thread that is there fails with kind "reach".
  std::vector<std::string> reach;
};

// Where the headers of the C++ library are, in the folder of the runtime library.
inline std::string cxx_headers(const Options& options) { return options.runtime + "/cxx/include/c++/v1/"; }

struct Ir;

// A program and its translations, with and without pending loads: files are read, compiled and linked once.
class Reader {
 public:
  Reader(std::vector<std::string> files, Options options);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Bytecode, whose memory orders can be changed in place.
  support::Result<std::unique_ptr<vm::VmProgram>> translation(bool pending_loads);

 private:
  const std::vector<std::string> files_;
  Options options_;
  std::unique_ptr<Ir> ir_;
};

// Sets the handler of LLVM's fatal errors; it must not return.
void on_fatal_error(void (*handler)(const char* what));

support::Result<std::unique_ptr<core::Program>> load(const std::vector<std::string>& files, const Options&);

// The bytecode of all functions (or those whose name is given) as text.
support::Result<std::string> disassemble(const std::vector<std::string>& files, const Options&,
                                         const std::string& function = {});

}  // namespace heddle::lang::llvm_ir
