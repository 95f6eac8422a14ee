// SPDX-License-Identifier: Apache-2.0
#include "array/text.h"

#include <fmt/format.h>

#include <charconv>

namespace heddle::array {

namespace {

constexpr std::string_view op_names[] = {"=", "<>", "<=", "<"};

std::string process_text(Process p) { return "#" + std::to_string(p + 1); }

std::optional<unsigned> number(std::string_view& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<Process> process(std::string_view& text) {
  if (!text.starts_with('#')) return std::nullopt;
  text.remove_prefix(1);
  const auto n = number(text);
  if (!n || *n < 1 || *n > max_processes) return std::nullopt;
  return static_cast<Process>(*n - 1);
}

bool eat(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string_view to_text(logic::Op op) { return op_names[static_cast<std::size_t>(op)]; }

std::optional<logic::Op> op_from(std::string_view text) {
  for (std::size_t i = 0; i < 4; ++i)
    if (op_names[i] == text) return static_cast<logic::Op>(i);
  return std::nullopt;
}

std::string to_text(Atom a, const System& system) {
  if (a.is_zero()) return "0";
  if (a.is_process()) return process_text(a.a());
  if (a.is_any()) return "?";
  std::string cell = system.source->symbols[a.symbol()].name;
  if (a.a() != no_process)
    cell += "[" + process_text(a.a()) + (a.b() != no_process ? "," + process_text(a.b()) : "") + "]";
  if (a.is_read()) return fmt::format("{}@{}!e{}", process_text(a.reader()), cell, a.node() + 1);
  if (a.is_promise()) return fmt::format("{}?{}", cell, a.node() + 1);
  return cell;
}

std::optional<Atom> atom_from(std::string_view text, const System& system) {
  if (text == "0") return Atom::zero();
  std::optional<Process> reader;
  if (text.starts_with('#')) {
    reader = process(text);
    if (!reader) return std::nullopt;
    if (text.empty()) return Atom::process(*reader);
    if (!eat(text, '@')) return std::nullopt;
  }
  const std::size_t end = std::min(text.find_first_of("[!?"), text.size());
  unsigned symbol = 0;
  while (symbol < system.source->symbols.size() && system.source->symbols[symbol].name != text.substr(0, end)) ++symbol;
  if (symbol == system.source->symbols.size()) return std::nullopt;
  text.remove_prefix(end);
  Process args[2] = {no_process, no_process};
  const unsigned arity = system.source->symbols[symbol].arity;
  for (unsigned i = 0; i < arity; ++i) {
    if (!eat(text, i == 0 ? '[' : ',')) return std::nullopt;
    const auto p = process(text);
    if (!p) return std::nullopt;
    args[i] = *p;
  }
  if (arity > 0 && !eat(text, ']')) return std::nullopt;
  if (reader) {
    if (!system.source->symbols[symbol].weak || !eat(text, '!') || !eat(text, 'e')) return std::nullopt;
    const auto n = number(text);
    if (!n || *n < 1 || *n > max_nodes || !text.empty()) return std::nullopt;
    return Atom::read(symbol, args[0], args[1], *n - 1, *reader);
  }
  if (eat(text, '?')) {
    const auto n = number(text);
    if (!n || *n < 1 || *n > 8 || !text.empty()) return std::nullopt;
    return Atom::promise(symbol, args[0], args[1], *n - 1);
  }
  if (!text.empty()) return std::nullopt;
  return Atom::cell(symbol, args[0], args[1]);
}

std::string to_text(const Cube& cube, const System& system) {
  std::string result;
  const auto join = [&](const std::string& part) { result += (result.empty() ? "" : " && ") + part; };
  for (const Literal& l : cube.literals) {
    if (l.y.is_zero() && !l.x.is_zero()) {
      const cubicle::Type& type = system.type(l.x.symbol());
      const bool named = type.kind == cubicle::Type::Kind::Enumeration && l.c >= 0 &&
                         l.c < static_cast<std::int64_t>(type.constructors.size());
      join(fmt::format("{} {} {}", to_text(l.x, system), to_text(l.op),
                       named ? type.constructors[static_cast<std::size_t>(l.c)] : std::to_string(l.c)));
    } else if (l.c == 0) {
      join(fmt::format("{} {} {}", to_text(l.x, system), to_text(l.op), to_text(l.y, system)));
    } else {
      join(fmt::format("{} - {} {} {}", to_text(l.x, system), to_text(l.y, system), to_text(l.op), l.c));
    }
  }
  for (const LinearLiteral& l : cube.linear) {
    std::string sum;
    for (const auto& [a, f] : l.sum) sum += fmt::format("{}{} * {}", sum.empty() ? "" : " + ", f, to_text(a, system));
    join(fmt::format("{} {} {}", sum, to_text(l.op), l.c));
  }
  return result.empty() ? "true" : result;
}

}  // namespace heddle::array
