// SPDX-License-Identifier: Apache-2.0
#include "drive/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drive/repair.h"
#include "vm/order_places.h"

namespace heddle::drive {

namespace {

// A word as a shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=:+-@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

bool is_sequential(const std::string& name) {
  const models::Model* model = models::find(name);
  return model != nullptr && model->machine != nullptr && !model->machine->has_buffers();
}

bool can_be_repaired(const Language& language, const Subject& subject, const Task& task) {
  if (!language.repairs_orders) return subject.steps() != nullptr || subject.arrays() != nullptr;
  if (task.ltl.given || task.automaton.given) return false;
  const auto* program = dynamic_cast<const vm::VmProgram*>(&subject.program(*models::find("sc")));
  return program != nullptr && !vm::has_orders_without_place(*program);
}

}  // namespace

std::string advice(const core::Reason& reason, const Circumstances& now) {
  switch (reason.kind) {
    case core::Reason::Kind::TooLong:
      if (now.tried_states) return "--loop-bound N gives an answer up to a bound";
      return now.machine_exists
                 ? "it may never end; --engine explicit may settle it, --loop-bound N gives an answer up to a bound"
                 : "it may never end; --loop-bound N gives an answer up to a bound";
    case core::Reason::Kind::TimeLimit:
      return std::string(now.shares_time ? "this model's share of the whole time; " : "") +
             "a larger --timeout may help";
    case core::Reason::Kind::StateLimit: return "a larger --max-states may help";
    case core::Reason::Kind::MemoryLimit: return "a larger --memory may help";
    default: return {};
  }
}

std::string repair_advice(const Language& language, const Subject& subject, const Task& task,
                          const std::vector<core::Verdict>& verdicts) {
  bool holds = false;
  Words broken;
  for (const core::Verdict& verdict : verdicts) {
    if (is_sequential(verdict.model)) holds = verdict.outcome == core::Outcome::Safe;
    if (verdict.outcome == core::Outcome::Unsafe) broken.push_back(verdict.model);
  }
  if (!holds || broken.empty() || !can_be_repaired(language, subject, task)) return {};
  Words words;
  for (const std::string& file : task.files) words.push_back(quoted(file));
  words.push_back(fmt::format("--model {}", fmt::join(broken, ",")));
  const Words taken = split(repair_takes(), ' ');
  for (const auto& [name, value] : task.said) {
    const std::string_view bare = std::string_view(name).substr(0, name.find('='));
    if (bare == "--model" || std::ranges::find(taken, bare) == taken.end()) continue;
    words.push_back(value.empty() ? name : name + (name.ends_with('=') ? "" : " ") + quoted(value));
  }
  return fmt::format("`heddle repair {}` finds the smallest change that makes it safe", fmt::join(words, " "));
}

}  // namespace heddle::drive
