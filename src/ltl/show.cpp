// SPDX-License-Identifier: Apache-2.0
#include "ltl/show.h"

#include <optional>

#include <fmt/format.h>

#include "support/diagnostics.h"

namespace heddle::ltl {
namespace {

// With quotes and backslashes escaped, as HOA and DOT want strings.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// A disjunction of products; `atom` writes a literal's name.
template <class Name>
std::string label_text(const Bdd& letters, Set label, const char* truth, const char* conjunction,
                       const char* disjunction, Name&& atom) {
  if (label == all) return truth;
  std::string text;
  for (const Cube& cube : cubes_of(letters, label)) {
    if (!text.empty()) text += disjunction;
    for (std::size_t i = 0; i < cube.size(); ++i)
      text += (i > 0 ? conjunction : "") + std::string(cube[i].positive ? "" : "!") + atom(cube[i].variable);
  }
  return text;
}

std::string marks_text(Marks marks) {
  std::string text;
  for (unsigned i = 0; i < most_marks; ++i)
    if ((marks >> i & 1) != 0) text += (text.empty() ? "" : " ") + std::to_string(i);
  return text.empty() ? text : " {" + text + "}";
}

// Acceptance sets by letters as marks of split edges.
Automaton spelt_out(Automaton a) {
  HEDDLE_ASSERT(a.recurring.size() <= most_spelt && a.sets + a.recurring.size() <= most_marks);
  for (const Set letters : a.recurring) {
    const Marks mark = Marks{1} << a.sets++;
    for (auto& out : a.edges) {
      const std::vector<Edge> before = std::move(out);
      out.clear();
      for (const Edge& e : before) {
        if (const Set met = a.letters->both(e.label, letters); met != none)
          out.push_back({met, e.target, e.marks | mark});
        if (const Set rest = a.letters->without(e.label, letters); rest != none)
          out.push_back({rest, e.target, e.marks});
      }
    }
  }
  a.recurring.clear();
  return a;
}

}  // namespace

std::string hoa_text(const Automaton& given, const std::string& name) {
  const Automaton a = spelt_out(given);
  std::string text = fmt::format("HOA: v1\nname: {}\nStates: {}\nStart: {}\nAP: {}", quoted(name), a.states(),
                                 a.initial, a.atoms.size());
  for (const std::string& atom : a.atoms) text += " " + quoted(atom);
  if (a.sets == 0) text += "\nacc-name: all\nAcceptance: 0 t\n";
  else {
    text += a.sets == 1 ? "\nacc-name: Buchi\n" : fmt::format("\nacc-name: generalized-Buchi {}\n", a.sets);
    text += fmt::format("Acceptance: {}", a.sets);
    for (unsigned i = 0; i < a.sets; ++i) text += fmt::format("{}Inf({})", i == 0 ? " " : "&", i);
    text += "\n";
  }
  text += fmt::format("properties: trans-labels explicit-labels {}-acc\n--BODY--\n", a.by_state ? "state" : "trans");
  for (std::uint32_t q = 0; q < a.states(); ++q) {
    const auto& out = a.edges[q];
    text += fmt::format("State: {}{}\n", q, a.by_state && !out.empty() ? marks_text(out[0].marks) : "");
    for (const Edge& e : out)
      text += fmt::format("[{}] {}{}\n",
                          label_text(*a.letters, e.label, "t", "&", " | ", [](auto v) { return std::to_string(v); }),
                          e.target, a.by_state ? "" : marks_text(e.marks));
  }
  return text + "--END--\n";
}

std::string never_text(const Automaton& a, const std::string& name) {
  HEDDLE_ASSERT(a.by_state && a.recurring.empty());
  const auto label = [&](std::uint32_t q) {
    const bool accepting = !a.edges[q].empty() && (a.sets == 0 || a.edges[q][0].marks != 0);
    if (accepting && a.edges[q].size() == 1 && a.edges[q][0].label == all && a.edges[q][0].target == q)
      return std::string("accept_all");
    return fmt::format("{}_{}", accepting ? "accept" : "T0", q == a.initial ? "init" : fmt::format("S{}", q));
  };
  // A claim begins at its first state and accepts at its end: the initial state comes first, accept_all last and once.
  const auto accepts_all = [&](std::uint32_t q) { return label(q) == "accept_all"; };
  std::vector<std::uint32_t> order{a.initial};
  std::optional<std::uint32_t> last;
  for (std::uint32_t q = 0; q < a.states() && !accepts_all(a.initial); ++q)
    if (accepts_all(q)) last = q;
    else if (q != a.initial) order.push_back(q);
  if (last) order.push_back(*last);
  std::string text = fmt::format("never {{ /* {} */\n", name);
  for (const std::uint32_t q : order) {
    text += label(q) + ":\n";
    if (accepts_all(q)) {
      text += "  skip\n";
      continue;
    }
    if (a.edges[q].empty()) {
      text += "  false;\n";
      continue;
    }
    text += "  if\n";
    for (const Edge& e : a.edges[q])
      text += fmt::format(
          "  :: {} -> goto {}\n",
          label_text(*a.letters, e.label, "(1)", " && ", " || ", [&](auto v) { return "(" + a.atoms[v] + ")"; }),
          label(e.target));
    text += "  fi;\n";
  }
  return text + "}\n";
}

std::string dot_text(const Automaton& a, const std::string& name) {
  std::string text =
      fmt::format("digraph {{\n  label = {};\n  rankdir = LR;\n  node [shape = circle];\n", quoted(name));
  text += fmt::format("  start [shape = point];\n  start -> {};\n", a.initial);
  for (std::uint32_t q = 0; q < a.states(); ++q) {
    if (a.by_state && !a.edges[q].empty() && a.edges[q][0].marks != 0)
      text += fmt::format("  {} [shape = doublecircle];\n", q);
    for (const Edge& e : a.edges[q])
      text +=
          fmt::format("  {} -> {} [label = {}];\n", q, e.target,
                      quoted(label_text(*a.letters, e.label, "true", " && ", "\n", [&](auto v) { return a.atoms[v]; }) +
                             (a.by_state ? "" : marks_text(e.marks))));
  }
  for (std::size_t i = 0; i < a.recurring.size(); ++i)
    text += fmt::format("  recurring{} [shape = note, label = {}];\n", i,
                        quoted("again and again: " + label_text(*a.letters, a.recurring[i], "true", " && ", " || ",
                                                                [&](auto v) { return a.atoms[v]; })));
  return text + "}\n";
}

}  // namespace heddle::ltl
