// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/compile.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "core/child.h"
#include "core/input.h"
#include "lang/llvm/as_written.h"
#include "lang/llvm/precompiled.h"

namespace heddle::lang::llvm_ir {
namespace {

namespace fs = std::filesystem;

bool name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_cxx(const std::string& file) {
  const auto ext = fs::path(file).extension().string();
  return ext == ".cpp" || ext == ".cc" || ext == ".cxx" || ext == ".C" || ext == ".ii";
}

// Calls of functions with such names (__VERIFIER_atomic_NAME, other than begin and end) are atomic sections: they must
// remain calls.
bool has_atomic_functions(std::string_view text) {
  constexpr std::string_view prefix = "__VERIFIER_atomic_";
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string_view::npos;) {
    at += prefix.size();
    std::size_t end = at;
    while (end < text.size() && name_char(text[end])) ++end;
    const std::string_view rest = text.substr(at, end - at);
    if (rest != "begin" && rest != "end") return true;
  }
  return false;
}

// "FILE:LINE:COLUMN: error: MESSAGE" or "… fatal error: …", likewise for notes. By hand: std::regex recurses once per
// character.
std::optional<support::Diagnostic> line_of_kind(std::string_view line, std::string_view kind) {
  for (std::size_t at = 1; (at = line.find(':', at)) != std::string_view::npos; ++at) {
    support::Diagnostic d;
    const char* const end = line.data() + line.size();
    const auto row = std::from_chars(line.data() + at + 1, end, d.line);
    if (row.ec != std::errc() || row.ptr == end || *row.ptr != ':') continue;
    const auto column = std::from_chars(row.ptr + 1, end, d.column);
    if (column.ec != std::errc()) continue;
    std::string_view rest(column.ptr, end);
    if (!rest.starts_with(": ")) continue;
    rest.remove_prefix(2);
    if (rest.starts_with("fatal ")) rest.remove_prefix(6);
    if (!rest.starts_with(kind)) continue;
    d.file = line.substr(0, at);
    d.message = rest.substr(kind.size());
    return d;
  }
  return std::nullopt;
}

std::optional<support::Diagnostic> error_line(std::string_view line) { return line_of_kind(line, "error: "); }

// "In file included from FILE:LINE:".
std::optional<support::Diagnostic> inclusion(std::string_view line) {
  constexpr std::string_view begin = "In file included from ";
  if (!line.starts_with(begin) || !line.ends_with(":")) return std::nullopt;
  line = line.substr(begin.size(), line.size() - begin.size() - 1);
  const std::size_t colon = line.rfind(':');
  support::Diagnostic d;
  if (colon == std::string_view::npos ||
      std::from_chars(line.data() + colon + 1, line.data() + line.size(), d.line).ec != std::errc())
    return std::nullopt;
  d.file = line.substr(0, colon);
  return d;
}

// Where the user's files lead to an error inside the library: what they instantiate there, or else the header that they
// include. To be told all lines of clang's output in their order.
class UsersPlace {
 public:
  explicit UsersPlace(std::string library) : library_(std::move(library)) {}

  bool in_library(const support::Diagnostic& d) const { return !library_.empty() && d.file.starts_with(library_); }
  void add(std::string_view line, const std::optional<support::Diagnostic>& error) {
    if (closed_ || place_) return;
    if (!error) {
      auto from = inclusion(line);
      if (!from) header_.reset();
      else if (!in_library(*from)) header_ = std::move(from);
    } else if (error_line(line)) {
      closed_ = std::exchange(begun_, true);
    } else if (line.ends_with("requested here")) {
      if (auto note = line_of_kind(line, "note: "); note && !in_library(*note)) place_ = std::move(note);
    }
  }
  // Nothing if there is none.
  const std::optional<support::Diagnostic>& found() const { return place_ ? place_ : header_; }

 private:
  const std::string library_;
  std::optional<support::Diagnostic> header_, place_;
  bool begun_ = false, closed_ = false;  // the lines of the first error
};

// Generated names may be a megabyte long.
std::string shortened(std::string text, std::size_t longest) {
  if (text.size() > longest) text = text.substr(0, longest) + " […]";
  return text;
}

// clang's first error as a diagnostic, at the user's line; the rest of its output becomes the hint.
support::Diagnostic diagnose(const std::string& file, const std::string& runtime, const core::ChildEnd& end) {
  std::optional<support::Diagnostic> d;
  UsersPlace users(runtime.empty() ? runtime : (fs::path(runtime) / "").string());
  std::string said;
  for (std::string_view rest = end.err; !rest.empty();) {
    const std::size_t newline = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
    if (!d) d = error_line(line);
    users.add(line, d);
    if (said.size() < 20'000) said += shortened(std::string(line), 1000) + "\n";
  }
  if (d && users.in_library(*d) && users.found())
    std::tie(d->file, d->line, d->column) = std::tie(users.found()->file, users.found()->line, users.found()->column);
  if (!d) {
    d.emplace();
    d->file = file;
    d->message = "clang " + core::end_text(end);
  } else if (core::is_plain_file(d->file)) {
    d->message = shortened(std::move(d->message), 1000);
    if (const auto source = core::read_input(d->file, nullptr))
      d->source_line = std::string(support::line_of(*source, d->line));
  }
  if (!said.empty()) d->hint = "clang says:\n" + said;
  return *d;
}

// clang and the options that say how a file is to be understood, but for -D, -I and what the user passes on.
std::vector<std::string> flags_for(bool cxx, bool keeps_calls, bool library, const Options& options) {
  std::vector<std::string> flags{options.clang, "--target=x86_64-unknown-linux-musl"};
  for (const char* flag : {"-g", "-mlong-double-64", "-mcx16", "-fno-vectorize", "-fno-slp-vectorize",
                           "-ffp-contract=off", "-fno-pic", "-fno-stack-protector", "-fno-unwind-tables",
                           "-fno-asynchronous-unwind-tables", "-Xclang", "-disable-O0-optnone"})
    flags.emplace_back(flag);
  flags.push_back("-O" + options.optimise);
  if (marks_scopes(options))  // the sanitizer's flag alone: markers at the beginning and end of each block
    for (const char* flag : {"-Xclang", "-fsanitize-address-use-after-scope"}) flags.emplace_back(flag);
  // Its calls return, so that the optimiser concludes nothing from them (translate.h: size_check).
  for (const char* flag : {"-fsanitize=vla-bound", "-fsanitize-minimal-runtime"}) flags.emplace_back(flag);
  if (options.check_overflow)
    for (const char* flag :
         {"-fsanitize=signed-integer-overflow,shift", "-fsanitize-trap=signed-integer-overflow,shift"})
      flags.emplace_back(flag);
  // Where C and C++ files are given together, the standard is for the files of its language only.
  const bool cxx_standard = options.standard.find("++") != std::string::npos;
  if (!options.standard.empty() && cxx_standard == cxx) flags.push_back("-std=" + options.standard);
  else if (cxx) flags.emplace_back("-std=c++20");
  for (const auto& h : options.headers) flags.insert(flags.end(), {"-isystem", h});
  // The library's headers come after clang's own (stdarg.h, stdatomic.h); the host's are not used.
  flags.insert(flags.end(), {"--no-default-config", "-nostdlibinc"});
  if (cxx) flags.insert(flags.end(), {"-isystem", cxx_headers(options)});
  if (library) flags.insert(flags.end(), {"-idirafter", (fs::path(options.runtime) / "include").string()});
  if (keeps_calls) flags.emplace_back("-fno-inline");
  return flags;
}

// Runs the optimiser on what clang has made of the file by these flags and -disable-llvm-passes.
support::Result<std::string> optimised(const std::string& file, const std::string& bitcode,
                                       std::vector<std::string> command, const core::ChildLimits& limits) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, file), context);
  HEDDLE_ASSERT(static_cast<bool>(module));
  keep_virtual_tables(**module);
  keep_accesses(**module);
  std::string kept;
  llvm::raw_string_ostream stream(kept);
  llvm::WriteBitcodeToFile(**module, stream);
  command.insert(command.end(), {"-c", "-emit-llvm", "-o", "-", "-x", "ir", "-"});
  core::ChildEnd end = core::run_program(command, kept, limits);
  if (end.good()) return std::move(end.out);
  if (!end.stopped.empty()) return core::stopped_at(file, "clang " + core::end_text(end));
  return diagnose(file, {}, end);
}

}  // namespace

support::Result<std::string> compile(const std::string& file, const Options& options) {
  const auto text = core::read_input(file, options.budget);
  if (!text) return text.error();
  const bool cxx = is_cxx(file);
  if (cxx && !options.runtime.empty() && !core::is_plain_file(options.runtime + "/cxx/symbols.txt"))
    return support::Diagnostic{file, 0,
                               0,    "is C++, and the C++ library of checked programs has not been built",
                               {},   "build it with: runtime/build_cxx.sh " + options.runtime};
  std::error_code ec;
  const bool library = !options.runtime.empty() && fs::is_directory(fs::path(options.runtime) / "include", ec);
  const std::vector<std::string> flags = flags_for(cxx, has_atomic_functions(*text), library, options);
  // Folders that the environment adds to the search path are not used either.
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"}) ::unsetenv(name);
  std::vector<std::string> command = flags;
  command.insert(command.end(), {"-c", "-emit-llvm", "-o", "-"});
  const bool optimises = options.optimise != "0";
  if (optimises) command.insert(command.end(), {"-Xclang", "-disable-llvm-passes"});
  for (const auto& d : options.defines) command.push_back("-D" + d);
  for (const auto& i : options.includes) command.push_back("-I" + core::file_word(i));
  for (const auto& f : options.cflags) command.push_back(f);
  // A file that can be read only once (a pipe) has been read already: clang gets its text on standard input. It does so of
  // "folder/@x.c" too, since clang tells itself the last part of the name as a word: it would read options from "x.c".
  std::string input;
  const fs::path path(file);
  if (core::is_plain_file(file) && !path.filename().string().starts_with('@')) {
    command.push_back(core::file_word(file));
  } else {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    command.insert(command.end(), {"-x", cxx ? "c++" : "c", "-I" + core::file_word(folder.string()), "-"});
    std::ostringstream first;
    first << "# 1 " << std::quoted(file) << "\n" << *text;
    input = std::move(first).str();
  }
  core::ChildLimits limits;
  limits.budget = options.budget;
  const std::string header = cxx ? precompiled_header(flags, *text, options) : std::string();
  if (!header.empty()) {
    std::vector<std::string> with_header = command;
    with_header.insert(with_header.end() - 1, {"-include-pch", header});
    core::ChildEnd end = core::run_program(with_header, input, limits);
    if (end.good()) return optimises ? optimised(file, end.out, flags, limits) : std::move(end.out);
    if (!end.stopped.empty()) return core::stopped_at(file, "clang " + core::end_text(end));
  }
  core::ChildEnd end = core::run_program(command, input, limits);
  if (end.good()) {
    if (!header.empty()) remove_precompiled(header);
    return optimises ? optimised(file, end.out, flags, limits) : std::move(end.out);
  }
  if (!end.stopped.empty()) return core::stopped_at(file, "clang " + core::end_text(end));
  if (!end.unstarted.empty()) return support::Diagnostic{file, 0, 0, options.clang + " " + core::end_text(end), {}, {}};
  support::Diagnostic mistake = diagnose(file, options.runtime, end);
  if (!library)
    mistake.hint =
        "Heddle's C library and its headers were not found beside the program: ./x build makes them, and "
        "HEDDLE_RUNTIME names another folder\n" +
        mistake.hint;
  return mistake;
}

}  // namespace heddle::lang::llvm_ir
