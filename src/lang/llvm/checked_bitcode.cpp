// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/checked_bitcode.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <charconv>

#include "core/child.h"
#include "core/input.h"

namespace heddle::lang::llvm_ir {
namespace {

using support::Diagnostic;

// Exit codes of the child. Its output: "LINE COLUMN\nSOURCE LINE\nMESSAGE" or a message alone.
enum Code { verified = 0, malformed = 1, invalid = 2 };

int say(int out, Code code, const std::string& text) {
  llvm::raw_fd_ostream(out, false) << text;
  return code;
}

int read_and_verify(const std::string& text, const std::string& file, int out) {
  // A length that nothing bounds makes LLVM ask for more memory than there is.
  const auto give_up = [](void* descriptor, const char* reason, bool) {
    ::_exit(say(*static_cast<int*>(descriptor), invalid, reason));
  };
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(give_up, &out);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(give_up, &out);
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseIR(llvm::MemoryBufferRef(text, file), error, context);
  if (!module)
    return say(out, malformed,
               fmt::format("{} {}\n{}\n{}", std::max(error.getLineNo(), 0), error.getColumnNo() + 1,
                           error.getLineContents().str(), error.getMessage().str()));
  std::string broken;
  llvm::raw_string_ostream words(broken);
  if (llvm::verifyModule(*module, &words)) return say(out, invalid, broken);
  llvm::raw_fd_ostream stream(out, false);
  llvm::WriteBitcodeToFile(*module, stream);
  stream.flush();
  return stream.has_error() ? 3 : verified;
}

Diagnostic malformed_text(const std::string& file, std::string_view said) {
  Diagnostic d;
  d.file = file;
  const char* const begin = said.data();
  const char* const end = begin + said.size();
  auto at = std::from_chars(begin, end, d.line);
  if (at.ptr != end) at = std::from_chars(at.ptr + 1, end, d.column);
  said.remove_prefix(std::min<std::size_t>(static_cast<std::size_t>(at.ptr - begin) + 1, said.size()));
  const std::size_t newline = std::min(said.find('\n'), said.size());
  d.source_line = said.substr(0, newline);
  d.message = said.substr(std::min(newline + 1, said.size()));
  return d;
}

std::string first_lines(const std::string& text) {
  constexpr std::size_t longest = 2000;
  return text.size() > longest ? text.substr(0, longest) + " […]" : text;
}

}  // namespace

support::Result<std::string> checked_bitcode(const std::string& file, const core::Budget* budget) {
  const auto text = core::read_input(file, budget);
  if (!text) return text.error();
  core::ChildLimits limits;
  limits.budget = budget;
  limits.bytes = std::uint64_t{8} << 30;
  core::ChildEnd end = core::run_copy([&](int out) { return read_and_verify(*text, file, out); }, limits);
  if (end.good()) return std::move(end.out);
  if (!end.stopped.empty()) return core::stopped_at(file, "reading this IR " + core::end_text(end));
  Diagnostic d{file, 0, 0, {}, {}, {}};
  if (!end.unstarted.empty()) d.message = "the process that reads it " + core::end_text(end);
  else if (end.signal == 0 && end.status == malformed) return malformed_text(file, end.out);
  else if (end.signal == 0 && end.status == invalid)
    d.message = "is not valid IR: " + first_lines(end.err.empty() ? end.out : end.err);
  else d.message = "is broken: LLVM " + core::end_text(end) + " while it read it";
  return d;
}

}  // namespace heddle::lang::llvm_ir
