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

// What a word stands for: an edge, or with `*` in place of R or W all that are edges, as diy has it (Pod**).
support::Result<std::vector<Edge>> edges_named(const std::string& word, Dialect dialect) {
  if (const std::size_t star = word.find('*'); star != std::string::npos) {
    std::vector<Edge> edges;
    for (const char direction : {'R', 'W'}) {
      std::string text = word;
      text[star] = direction;
      if (const auto some = edges_named(text, dialect); some) edges.insert(edges.end(), some->begin(), some->end());
    }
    if (!edges.empty()) return edges;
  }
  const auto edge = parse_edge(word, dialect);
  if (!edge) return edge.error();
  return std::vector<Edge>{*edge};
}

// "PodWR Fre" and "PodWR,Fre" are two edges each.
support::Result<std::vector<std::vector<Edge>>> edges_of(const std::vector<std::string>& words, Dialect dialect) {
  std::vector<std::vector<Edge>> places;
  for (std::string text : words) {
    std::ranges::replace(text, ',', ' ');
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find(' ', at), text.size());
      if (end == at) continue;
      auto edges = edges_named(text.substr(at, end - at), dialect);
      if (!edges) return edges.error();
      places.push_back(std::move(*edges));
    }
  }
  return places;
}

bool fits(const Edge& a, const Edge& b) { return a.to_write == b.from_write && a.to_note == b.from_note; }

// One edge of each place, such that each begins as the one before it ends; each cycle once whatever its rotation.
std::vector<std::vector<Edge>> cycles_through(const std::vector<std::vector<Edge>>& places) {
  std::vector<std::vector<Edge>> cycles;
  std::set<std::vector<std::string>> seen;
  std::vector<Edge> path;
  const auto extend = [&](auto&& self) -> void {
    if (path.size() == places.size()) {
      if (!fits(path.back(), path.front())) return;
      std::vector<std::string> turned, least;
      for (const Edge& e : path) turned.push_back(e.text);
      least = turned;
      for (std::size_t r = 1; r < turned.size(); ++r) {
        std::rotate(turned.begin(), turned.begin() + 1, turned.end());
        least = std::min(least, turned);
      }
      if (seen.insert(least).second) cycles.push_back(path);
      return;
    }
    for (const Edge& e : places[path.size()]) {
      if (!path.empty() && !fits(path.back(), e)) continue;
      path.push_back(e);
      self(self);
      path.pop_back();
    }
  };
  extend(extend);
  return cycles;
}

}  // namespace

support::Result<std::vector<Generated>> generate_family(const FamilyRequest& request) {
  const auto dialect = dialect_of(request.dialect);
  if (!dialect)
    return wrong_request(
        fmt::format("no dialect '{}'; there are C, X86, X86_64, AArch64, PPC and RISCV", request.dialect));
  if (!is_name(request.name))
    return wrong_request(fmt::format("--name '{}': a test's name is one word without slashes", request.name));
  const auto places = edges_of(request.edges, *dialect);
  if (!places) return places.error();
  std::vector<std::vector<Edge>> cycles;
  if (request.size > 0) {
    if (request.size > largest_cycle)
      return wrong_request(fmt::format("cycles of more than {} edges are too many to list", largest_cycle));
    if (!request.name.empty()) return wrong_request("--name is for a single cycle");
    std::vector<Edge> pool;
    for (const auto& place : *places) pool.insert(pool.end(), place.begin(), place.end());
    cycles = all_cycles(pool.empty() ? default_pool(*dialect) : pool, request.size);
    if (cycles.empty()) return wrong_request("there is no cycle of so few edges");
  } else {
    if (places->empty())
      return wrong_request(
          "the edges of a cycle are missing, for example PodWR Fre PodWR Fre; or --size N for all cycles");
    if (std::ranges::all_of(*places, [](const auto& place) { return place.size() == 1; })) {
      cycles.emplace_back();
      for (const auto& place : *places) cycles.back().push_back(place.front());
    } else cycles = cycles_through(*places);
    if (cycles.empty()) return wrong_request("no choice of directions for '*' makes these edges a cycle");
    if (cycles.size() > 1 && !request.name.empty()) return wrong_request("--name is for a single cycle");
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
