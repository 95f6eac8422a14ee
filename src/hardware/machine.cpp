// SPDX-License-Identifier: Apache-2.0
#include "hardware/machine.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "lang/litmus/assembler.h"
#include "support/words.h"

namespace heddle::hardware {
namespace {

namespace litmus = lang::litmus;
using litmus::Dialect;

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Every word of the text, a name with its digits, handed to `change` and replaced by what that returns.
template <class Change>
std::string each_word(std::string_view text, const Change& change) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (!support::in_word(text[i])) {
      result += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && support::in_word(text[end])) ++end;
    result += change(text.substr(i, end - i));
    i = end;
  }
  return result;
}

using Variables = std::vector<litmus::Variable>;
using Line = std::optional<std::string>;

// As it is: the assembler knows the instructions and registers by the names that litmus tests use.
Line aarch64(std::string_view instruction, const Variables&) { return std::string(instruction); }

Line riscv(std::string_view instruction, const Variables&) {
  const std::string mnemonic = lower(instruction.substr(0, instruction.find_first_of(" \t")));
  const std::string rest(instruction.substr(mnemonic.size()));
  const bool atomic = mnemonic.starts_with("amo") || mnemonic.starts_with("lr.") || mnemonic.starts_with("sc.");
  if (!atomic && (mnemonic.ends_with(".aq") || mnemonic.ends_with(".rl"))) return std::nullopt;
  if (mnemonic.ends_with(".aq.rl")) return mnemonic.substr(0, mnemonic.size() - 6) + ".aqrl" + rest;
  return mnemonic + rest;
}

// The canonical names are EAX to ESP, for registers of all sizes, and R8 to R15.
std::string x86_whole(std::string_view canonical) {
  const std::string name = lower(canonical);
  return name.starts_with('e') ? "r" + name.substr(1) : name;
}

// Variables as operands. In addresses, which stand between `open` and `close`, registers have 64 bits: those of the
// machine do, and a test that names half of one means all of it.
std::string with_operands(std::string_view text, const Variables& variables, char open, char close) {
  const auto replaced = [&](std::string_view part, bool address) {
    return each_word(part, [&](std::string_view word) -> std::string {
      for (std::size_t v = 0; v < variables.size(); ++v)
        if (variables[v].name == word) return fmt::format("%[v{}]", v);
      const std::string canonical = address ? litmus::canonical_x86(word) : std::string();
      return canonical.empty() ? lower(word) : x86_whole(canonical);
    });
  };
  const std::size_t begin = std::min(text.find(open), text.size()),
                    end = std::min(text.find(close, begin), text.size());
  return replaced(text.substr(0, begin), false) + replaced(text.substr(begin, end - begin), true) +
         replaced(text.substr(end), false);
}

// X86 tests are in Intel's notation but for `$` before numbers (the compiler is called with -masm=intel). A number has
// no size: its store is an int's.
Line x86(std::string_view instruction, const Variables& variables) {
  std::string text;
  for (const char c : instruction)
    if (c != '$') text += c;
  const std::size_t open = text.find('[');
  const std::size_t comma = text.find(',', open == std::string::npos ? 0 : open);
  const std::size_t last = comma == std::string::npos ? comma : text.find_first_not_of(" \t", comma + 1);
  const bool no_register =
      last == std::string::npos || text[last] == '-' || std::isdigit(static_cast<unsigned char>(text[last])) != 0;
  const bool sized = text.find(',') == std::string::npos || (comma != std::string::npos && no_register);
  if (open != std::string::npos && sized) text.insert(open, "dword ptr ");
  return with_operands(text, variables, '[', ']');
}

// X86_64 tests are in AT&T's notation.
Line x86_64(std::string_view instruction, const Variables& variables) {
  std::string text;
  for (const char c : instruction) text += c == '%' ? "%%" : std::string(1, c);
  return with_operands(text, variables, '(', ')');
}

std::vector<Setting> at_each_level(const std::string& name, const std::vector<std::string>& flags,
                                   const std::string& model, bool pairs) {
  std::vector<Setting> settings;
  for (const char* level : {"-O0", "-O1", "-O2", "-O3"}) {
    Setting s{name.empty() ? level : name + " " + level, flags, model, pairs};
    s.flags.emplace_back(level);
    settings.push_back(std::move(s));
  }
  return settings;
}

std::vector<Setting> joined(std::vector<Setting> a, const std::vector<Setting>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::array<Machine, 3> table{{
    {"aarch64",
     {{Dialect::AArch64,
       {"", {"-O1", "-mcpu=native"}, "armv8"},
       lower,
       "ldr {0}, [%[c], #{1}]",
       "str {0}, [%[c], #{1}]",
       aarch64}},
     joined(at_each_level("llsc", {"-march=armv8-a", "-mno-outline-atomics"}, "armv8", true),
            at_each_level("lse", {"-march=armv8.1-a"}, "armv8.1", false))},
    {"x86_64",
     {{Dialect::X86, {"", {"-O1", "-masm=intel"}, "tso"}, x86_whole, "mov {0}, [%[c]+{1}]", "mov [%[c]+{1}], {0}", x86},
      {Dialect::X86_64, {"", {"-O1"}, "tso"}, x86_whole, "movq {1}(%[c]), %%{0}", "movq %%{0}, {1}(%[c])", x86_64}},
     at_each_level("", {}, "tso", false)},
    {"riscv64",
     {{Dialect::RISCV, {"", {"-O1"}, "riscv"}, lower, "ld {0}, {1}(%[c])", "sd {0}, {1}(%[c])", riscv}},
     at_each_level("", {}, "riscv", true)},
}};

// `name:` at the beginning of a cell; its length with the colon, 0 if there is none.
std::size_t label_length(std::string_view cell) {
  std::size_t end = 0;
  while (end < cell.size() && (support::in_word(cell[end]) || cell[end] == '.')) ++end;
  return end > 0 && end < cell.size() && cell[end] == ':' ? end + 1 : 0;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

}  // namespace

std::span<const Machine> machines() { return table; }

const Machine* this_machine() {
  utsname about = {};
  if (uname(&about) != 0) return nullptr;
  const auto row = std::ranges::find(table, std::string_view(about.machine), &Machine::name);
  return row == table.end() ? nullptr : &*row;
}

const Notation* Machine::notation(Dialect dialect) const {
  const auto row = std::ranges::find(notations, dialect, &Notation::dialect);
  return row == notations.end() ? nullptr : &*row;
}

support::Result<std::vector<std::string>> assembly_of(const Notation& notation, const litmus::Test& test,
                                                      std::size_t thread) {
  std::set<std::string> labels;
  const auto local = [](std::string_view label) { return fmt::format(".Lheddle_{}_%=", label); };
  std::vector<std::string> lines;
  for (const std::string& cell : test.written[thread]) {
    std::string_view rest = without_blanks(cell);
    for (std::size_t length; (length = label_length(rest)) != 0; rest = without_blanks(rest.substr(length))) {
      const std::string label = lower(rest.substr(0, length - 1));
      labels.insert(label);
      lines.push_back(local(label) + ":");
    }
    if (rest.empty()) continue;
    const auto line = notation.translate(rest, test.variables);
    if (!line)
      return support::Diagnostic{test.file, 0, 0, fmt::format("no machine has the instruction '{}'", rest), "", ""};
    lines.push_back(*line);
  }
  for (std::string& line : lines)
    if (!line.ends_with(':'))
      line = each_word(line, [&](std::string_view word) {
        return labels.contains(lower(word)) ? local(lower(word)) : std::string(word);
      });
  return lines;
}

}  // namespace heddle::hardware
