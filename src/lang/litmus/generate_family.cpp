// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/generate_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "lang/litmus/assembler.h"

namespace heddle::lang::litmus {

namespace {

constexpr unsigned largest_cycle = 8;  // more are too many to list

support::Diagnostic mistake(std::string message) { return {"", 0, 0, std::move(message), "", ""}; }

std::optional<Dialect> dialect_of(const std::string& name) {
  for (const Dialect d : {Dialect::C, Dialect::X86, Dialect::X86_64, Dialect::AArch64, Dialect::PPC, Dialect::RISCV})
    if (lower(dialect_name(d)) == lower(name)) return d;
  return std::nullopt;
}

// A test's name is one word, and names its file.
bool is_name(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || c == '\\' || std::isspace(static_cast<unsigned char>(c)) ||
           std::iscntrl(static_cast<unsigned char>(c));
  });
}

// "PodWR Fre" and "PodWR,Fre" are two edges each.
support::Result<std::vector<Edge>> edges_of(const std::vector<std::string>& words, Dialect dialect) {
  std::vector<Edge> edges;
  for (std::string text : words) {
    std::ranges::replace(text, ',', ' ');
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find(' ', at), text.size());
      if (end == at) continue;
      const auto edge = parse_edge(text.substr(at, end - at), dialect);
      if (!edge) return edge.error();
      edges.push_back(*edge);
    }
  }
  return edges;
}

}  // namespace

support::Result<std::vector<Generated>> generate_family(const FamilyRequest& request) {
  const auto dialect = dialect_of(request.dialect);
  if (!dialect)
    return mistake(fmt::format("no dialect '{}'; there are C, X86, X86_64, AArch64, PPC and RISCV", request.dialect));
  if (!is_name(request.name))
    return mistake(fmt::format("--name '{}': a test's name is one word without slashes", request.name));
  const auto edges = edges_of(request.edges, *dialect);
  if (!edges) return edges.error();
  std::vector<std::vector<Edge>> cycles;
  if (request.size > 0) {
    if (request.size > largest_cycle)
      return mistake(fmt::format("cycles of more than {} edges are too many to list", largest_cycle));
    if (!request.name.empty()) return mistake("--name is for a single cycle");
    cycles = all_cycles(edges->empty() ? default_pool(*dialect) : *edges, request.size);
    if (cycles.empty()) return mistake("there is no cycle of so few edges");
  } else {
    if (edges->empty())
      return mistake("the edges of a cycle are missing, for example PodWR Fre PodWR Fre; or --size N for all cycles");
    cycles.push_back(*edges);
  }
  std::set<std::string> names;
  std::vector<Generated> tests;
  for (const auto& cycle : cycles) {
    auto test = generate_test(cycle, *dialect, request.name);
    if (!test) return test.error();
    for (unsigned k = 1; !names.insert(test->name).second; ++k) {  // same family, other edges: number them
      test = generate_test(cycle, *dialect, fmt::format("{}-{:03}", test->name.substr(0, test->name.find("-0")), k));
      if (!test) return test.error();
    }
    tests.push_back(std::move(*test));
  }
  return tests;
}

}  // namespace heddle::lang::litmus
