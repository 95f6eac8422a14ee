// A user's mistake as a value: file, line, column, what is wrong, and the offending line of text.
//
// Front ends return Result<T>; only cli/ prints. Lines and columns count from 1; column 0 means "the whole line",
// line 0 "the whole file". A broken invariant of our own is not a diagnostic: it goes through HEDDLE_ASSERT and aborts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace heddle::support {

struct Diagnostic {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
  std::string source_line;  // text of the line, without its newline; empty if there is none to show
  std::string hint;         // what to do about it; may be empty
  bool limit = false;       // not the input is at fault, but a limit or the interrupt key ended the work on it
};

// "file:line:column: error: message", the source line, a caret under the column, and the hint.
std::string render(const Diagnostic&);

// The line (counted from 1) of a text, without its newline; empty if there is no such line.
std::string_view line_of(std::string_view text, unsigned line);

// A T, or the mistake that kept us from having one.
template <class T>
class Result {
 public:
  Result(T value) : data_(std::move(value)) {}                     // NOLINT: implicit on purpose
  Result(Diagnostic diagnostic) : data_(std::move(diagnostic)) {}  // NOLINT

  explicit operator bool() const { return data_.index() == 0; }
  T& operator*() { return std::get<0>(data_); }
  const T& operator*() const { return std::get<0>(data_); }
  T* operator->() { return &std::get<0>(data_); }
  const T* operator->() const { return &std::get<0>(data_); }
  const Diagnostic& error() const { return std::get<1>(data_); }

 private:
  std::variant<T, Diagnostic> data_;
};

[[noreturn]] void assertion_failed(const char* what, const char* file, int line);

}  // namespace heddle::support

// Checked in every build: a model checker that goes on after a broken invariant gives wrong verdicts.
#define HEDDLE_ASSERT(condition) \
  ((condition) ? void() : ::heddle::support::assertion_failed(#condition, __FILE__, __LINE__))
