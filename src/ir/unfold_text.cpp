// SPDX-License-Identifier: Apache-2.0
#include "ir/unfold_text.h"

#include <limits>
#include <sstream>

#include <fmt/format.h>

namespace heddle::ir {
namespace {

constexpr const char* first_line = "heddle buffer sets of threads 1";
constexpr std::uint64_t most_answers = 1 << 24;

}  // namespace

std::string threads_certificate(const Unfolding& unfolding, StoreOrder order, const std::string& states) {
  std::string out = fmt::format("{}\nanswers {} {}\n", first_line, static_cast<int>(order), unfolding.history().size());
  for (const Unfolding::Question& q : unfolding.history()) out += fmt::format("{} {} {}\n", q.thread, q.local, q.value);
  return out + states;
}

support::Result<ThreadsCertificate> parse_threads_certificate(std::string_view text, const std::string& file) {
  std::istringstream in{std::string(text)};
  std::string line, word;
  unsigned number = 1;
  const auto wrong = [&](const char* message) {
    return support::Diagnostic{file, number, 0, message, line, "a certificate is written by --certificate"};
  };
  if (!std::getline(in, line) || line != first_line)
    return wrong("this is no certificate about the threads of a program");
  ThreadsCertificate out;
  ++number;
  std::uint64_t order = 0, count = 0;
  std::getline(in, line);
  if (std::istringstream head(line);
      !(head >> word >> order >> count) || word != "answers" || order > 1 || count > most_answers)
    return wrong("this line is not 'answers' with the order of stores and their number");
  out.order = static_cast<StoreOrder>(order);
  for (std::uint64_t i = 0; i < count; ++i) {
    ++number;
    Unfolding::Question q;
    if (!std::getline(in, line)) return wrong("an answer is missing");
    if (std::istringstream fields(line); !(fields >> q.thread >> q.local >> q.value))
      return wrong("an answer is three numbers");
    out.answers.push_back(q);
  }
  if (in.tellg() >= 0) out.states = text.substr(static_cast<std::size_t>(in.tellg()));
  return out;
}

}  // namespace heddle::ir
