// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/precompiled.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <utility>

#include "core/child.h"
#include "core/input.h"
#include "support/hash.h"

namespace heddle::lang::llvm_ir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 24;  // of 5 to 20 MB

// Headers that clang 19 needs more than 0.15 s for, the heaviest first. What a program includes beside the first of
// these is mostly part of it.
constexpr std::array heavy_headers{"fstream",
                                   "iostream",
                                   "future",
                                   "thread",
                                   "sstream",
                                   "regex",
                                   "print",
                                   "istream",
                                   "ostream",
                                   "chrono",
                                   "random",
                                   "format",
                                   "ranges",
                                   "functional",
                                   "deque",
                                   "set",
                                   "queue",
                                   "map",
                                   "list",
                                   "span",
                                   "vector",
                                   "shared_mutex",
                                   "condition_variable",
                                   "mutex",
                                   "bitset",
                                   "unordered_set",
                                   "unordered_map",
                                   "string",
                                   "string_view",
                                   "array",
                                   "algorithm",
                                   "barrier",
                                   "memory",
                                   "optional",
                                   "any",
                                   "stop_token",
                                   "semaphore",
                                   "atomic",
                                   "latch",
                                   "variant"};

bool word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view leading_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && word_char(text[end])) ++end;
  return text.substr(0, end);
}

// Comments as blanks; line ends inside them remain. Stops before the first line that needs a real lexer: one with a
// literal, in which a comment could seem to begin, or one that is continued.
std::string without_comments(std::string_view source) {
  std::string out;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const std::string_view rest = source.substr(at);
    if (rest.starts_with("//")) {
      at = std::min(source.find('\n', at), source.size()) - 1;
      if (without_blanks(source.substr(0, at + 1)).ends_with('\\')) return out.substr(0, out.rfind('\n') + 1);
    } else if (rest.starts_with("/*")) {
      const std::size_t end = source.find("*/", at + 2);
      if (end == std::string_view::npos) return out;
      for (; at < end; ++at)
        if (source[at] == '\n') out += '\n';
      out += ' ';
      ++at;
    } else if (rest.starts_with("\\\n") || rest.starts_with("\\\r") || rest.starts_with("\?\?/") || source[at] == '"' ||
               source[at] == '\'') {
      return out.substr(0, out.rfind('\n') + 1);
    } else {
      out += source[at];
    }
  }
  return out;
}

// A header of the C++ library or of the C library below it.
bool is_library_header(const std::string& name, const Options& options) {
  // <stdatomic.h> and <atomic> do not go together in every order.
  if (name.find("..") != std::string::npos || name.starts_with('/') || name == "stdatomic.h") return false;
  std::error_code ec;
  return fs::is_regular_file(cxx_headers(options) + name, ec) ||
         fs::is_regular_file(options.runtime + "/include/" + name, ec);
}

// Whether a folder of the user's has something that clang could take for a header of the library.
bool shadows_library(const std::string& folder, const Options& options) {
  std::error_code ec;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, ec), end; !ec && it != end; it.increment(ec)) {
    const std::string name = it->path().filename().string();
    if (fs::exists(cxx_headers(options) + name, ec) || fs::exists(options.runtime + "/include/" + name, ec))
      return true;
  }
  return false;
}

// All words in the code of all files that make names as prerequisites ("x: a.h \\\n b.h").
std::set<std::string, std::less<>> words_of(const fs::path& rule) {
  std::set<std::string, std::less<>> words;
  std::ifstream in(rule);
  for (std::string name; in >> name;) {
    if (name == "\\" || name.ends_with(':')) continue;
    const auto text = core::read_input(name, nullptr);
    if (!text) return {};
    const std::string code = code_of(*text);
    for (std::size_t at = 0; at < code.size(); ++at) {
      const std::string_view word = leading_word(std::string_view(code).substr(at));
      if (word.empty()) continue;
      at += word.size();
      if (!words.contains(word)) words.emplace(word);
    }
  }
  return words;
}

bool occur_in(const fs::path& list, std::span<const std::string> names) {
  if (names.empty()) return false;
  std::ifstream in(list);
  if (!in) return true;
  const std::set<std::string, std::less<>> wanted(names.begin(), names.end());
  for (std::string word; in >> word;)
    if (wanted.contains(word)) return true;
  return !in.eof();
}

// Holds the lock on a name until it goes; two processes that want the same header do not both make it.
class Lock {
 public:
  explicit Lock(const std::string& file) : descriptor_(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    held_ = descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  }
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

void remove_oldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> files;
  std::error_code ec;
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec))
    if (it->path().extension() == ".pch") files.emplace_back(it->last_write_time(ec), it->path().string());
  std::ranges::sort(files);
  for (std::size_t i = 0; i + most_files < files.size(); ++i) remove_precompiled(files[i].second);
}

// Makes `file` from <header>, with the list of its words beside it. False: it could not be made.
bool make(const std::string& file, std::string_view header, std::vector<std::string> command, const Options& options) {
  const fs::path base = fs::path(file).replace_extension();
  const Lock lock(base.string() + ".lock");
  std::error_code ec;
  if (!lock.held()) return false;
  if (fs::exists(file, ec)) return true;
  const std::string source = base.string() + ".h", rule = base.string() + ".d", words = base.string() + ".words";
  std::ofstream(source) << "#include <" << header << ">\n";
  command.insert(command.end(), {"-x", "c++-header", "-MD", "-MF", rule, "-o", file + ".new", source});
  core::ChildLimits limits;
  limits.budget = options.budget;
  bool made = core::run_program(command, {}, limits).good();
  if (made) {
    std::ofstream out(words);
    for (const std::string& word : words_of(rule)) out << word << '\n';
    out.flush();
    made = out.good() && fs::file_size(words, ec) > 0;
  }
  fs::remove(rule, ec);
  if (made) fs::rename(file + ".new", file, ec);
  else fs::remove(file + ".new", ec);
  return made && !ec;
}

}  // namespace

std::string code_of(std::string_view text) {
  const std::string whole(text);
  if (whole.find("R\"") != std::string::npos) return whole;
  std::string code;
  for (std::size_t at = 0; at < whole.size();) {
    const std::string_view rest = std::string_view(whole).substr(at);
    if (!leading_word(rest).empty()) {
      std::size_t length = leading_word(rest).size();
      // 1'000 is a number.
      while (rest[0] <= '9' && length + 1 < rest.size() && rest[length] == '\'' && word_char(rest[length + 1]))
        length += 1 + leading_word(rest.substr(length + 1)).size();
      code += rest.substr(0, length);
      at += length;
    } else if (rest.starts_with("//")) {
      at += std::min(rest.find('\n'), rest.size());
      if (whole[at - 1] == '\\') return whole;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) return whole;
      at += end + 2;
      code += ' ';
    } else if (rest[0] == '"' || rest[0] == '\'') {
      std::size_t end = 1;
      while (end < rest.size() && rest[end] != rest[0]) end += rest[end] == '\\' ? 2 : 1;
      if (end >= rest.size() || rest.find('\n') < end) return whole;
      at += end + 1;
      code += ' ';
    } else {
      code += rest[0];
      ++at;
    }
  }
  return code;
}

Preamble preamble_of(std::string_view source) {
  Preamble result;
  const std::string text = without_comments(source);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = without_blanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    if (line.front() != '#') break;
    line = without_blanks(line.substr(1));
    const std::string_view directive = leading_word(line);
    line = without_blanks(line.substr(directive.size()));
    if (directive == "include" && line.size() > 2 && line.front() == '<' && line.find('>') == line.size() - 1)
      result.headers.emplace_back(line.substr(1, line.size() - 2));
    else if (directive == "define" && !leading_word(line).empty()) result.macros.emplace_back(leading_word(line));
    else break;
  }
  return result;
}

void remove_precompiled(const std::string& file) {
  std::error_code ec;
  for (const char* extension : {".pch", ".h", ".words", ".lock"})
    fs::remove(fs::path(file).replace_extension(extension), ec);
}

std::string precompiled_header(const std::vector<std::string>& flags, std::string_view source, const Options& options) {
  if (options.runtime.empty() || !options.cflags.empty()) return {};
  Preamble preamble = preamble_of(source);
  const auto foreign = [&](const std::string& header) { return !is_library_header(header, options); };
  preamble.headers.erase(std::ranges::find_if(preamble.headers, foreign), preamble.headers.end());
  const auto* const heavy = std::ranges::find_first_of(heavy_headers, preamble.headers);
  if (heavy == heavy_headers.end()) return {};
  const auto shadows = [&](const std::string& folder) { return shadows_library(folder, options); };
  if (std::ranges::any_of(options.includes, shadows) || std::ranges::any_of(options.headers, shadows)) return {};

  std::string key = std::string(*heavy) + '\0' + "words of code";
  for (const std::string& flag : flags) key += '\0' + flag;
  const std::string folder = options.runtime + "/cxx/precompiled";
  const std::string base =
      fmt::format("{}/{}-{:016x}", folder, *heavy, support::hash_bytes(std::as_bytes(std::span(key))));
  std::string file = base + ".pch";
  std::error_code ec;
  if (!fs::exists(file, ec)) {
    fs::create_directory(folder, ec);
    if (!fs::is_directory(folder, ec)) return {};
    if (!make(file, *heavy, flags, options)) return {};
    remove_oldest(folder);
  }
  std::vector<std::string> macros = preamble.macros;
  for (const std::string& define : options.defines) macros.emplace_back(leading_word(define));
  if (occur_in(base + ".words", macros)) return {};
  fs::last_write_time(file, fs::file_time_type::clock::now(), ec);
  return file;
}

}  // namespace heddle::lang::llvm_ir
