// SPDX-License-Identifier: Apache-2.0
#include "hardware/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/litmus/parse.h"

namespace heddle::hardware {

support::Result<std::vector<Answer>> Session::run(const std::vector<std::string>& files, core::Budget& budget,
                                                  const std::function<void(std::string_view)>& put) {
  if (machine_ == nullptr) {
    std::string known;
    for (const Machine& m : machines()) known += fmt::format("{}{}", known.empty() ? "" : ", ", m.name);
    return support::Diagnostic{"", 0, 0, "tests cannot be run on this kind of machine", "", "it is none of " + known};
  }
  const auto found = compiler(options_, budget);
  if (!found) return found.error();
  {
    const std::lock_guard lock(mutex_);
    compiler_ = *found;
  }
  for (const std::string& file : files) {
    Answer answer;
    answer.file = file;
    auto test = lang::litmus::read_test(file, &budget);
    if (!test) {
      answer.mistake = support::render(test.error());
    } else {
      answer.test = std::move(*test);
      answer.runs = run_test(answer.test, *machine_, compiler_, options_, budget);
    }
    if (!table_) put(histograms(answer));
    const std::lock_guard lock(mutex_);
    known_.push_back(std::move(answer));
  }
  std::vector<Answer> answers = known();
  if (table_) put(hardware::table(answers));
  if (table_ || files.size() > 1) put(summary(answers));
  return answers;
}

std::string Session::json(const std::vector<Answer>& answers) const {
  const std::lock_guard lock(mutex_);
  return hardware::json(answers, machine_ == nullptr ? "" : machine_->name, compiler_);
}

std::vector<Answer> Session::known() const {
  const std::lock_guard lock(mutex_);
  return known_;
}

bool forbidden(const std::vector<Answer>& answers) {
  return std::ranges::any_of(answers, [](const Answer& a) { return std::ranges::any_of(a.runs, &TestRun::forbidden); });
}

bool complete(const std::vector<Answer>& answers) {
  return std::ranges::all_of(answers, [](const Answer& a) {
    return std::ranges::any_of(a.runs, [](const TestRun& r) { return r.why_not.empty(); }) &&
           std::ranges::none_of(a.runs, &TestRun::cut_short);
  });
}

}  // namespace heddle::hardware
