// `heddle generate`: litmus tests from cycles of relaxations, to standard output or one file each into a folder.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "cli/commands.h"
#include "drive/languages.h"
#include "lang/litmus/assembler.h"
#include "lang/litmus/generate.h"

namespace heddle::cli {

namespace {

namespace litmus = lang::litmus;

struct GenerateRequest {
  std::vector<std::string> edges;
  std::string dialect = "AArch64";
  std::string name;
  std::string output;
  unsigned size = 0;
};

int mistake(const std::string& message) {
  support::Diagnostic d;
  d.message = message;
  std::fputs(support::render(d).c_str(), stderr);
  return exit_input_error;
}

// A test's name is one word, and names its file.
bool is_name(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || c == '\\' || std::isspace(static_cast<unsigned char>(c)) ||
           std::iscntrl(static_cast<unsigned char>(c));
  });
}

int generate(const GenerateRequest& request) {
  litmus::Dialect dialect = litmus::Dialect::C;
  bool known = false;
  for (litmus::Dialect d : {litmus::Dialect::C, litmus::Dialect::X86, litmus::Dialect::X86_64, litmus::Dialect::AArch64,
                            litmus::Dialect::PPC, litmus::Dialect::RISCV})
    if (litmus::lower(litmus::dialect_name(d)) == litmus::lower(request.dialect)) {
      dialect = d;
      known = true;
    }
  if (!known)
    return mistake(fmt::format("no dialect '{}'; there are C, X86, X86_64, AArch64, PPC and RISCV", request.dialect));

  if (!is_name(request.name))
    return mistake(fmt::format("--name '{}': a test's name is one word without slashes", request.name));
  std::vector<litmus::Edge> edges;
  for (const std::string& words : request.edges)
    for (const std::string& part : drive::split(words, ' '))
      for (const std::string& word : drive::split(part, ',')) {
        const auto edge = litmus::parse_edge(word, dialect);
        if (!edge) return mistake(edge.error().message);
        edges.push_back(*edge);
      }
  std::vector<std::vector<litmus::Edge>> cycles;
  if (request.size > 0) {
    if (request.size > 8) return mistake("cycles of more than 8 edges are too many to list");
    cycles = litmus::all_cycles(edges.empty() ? litmus::default_pool(dialect) : edges, request.size);
    if (!request.name.empty()) return mistake("--name is for a single cycle");
    if (cycles.empty()) return mistake("there is no cycle of so few edges");
  } else {
    if (edges.empty())
      return mistake("the edges of a cycle are missing, for example PodWR Fre PodWR Fre; or --size N for all cycles");
    cycles.push_back(edges);
  }
  std::error_code error;
  if (!request.output.empty()) std::filesystem::create_directories(request.output, error);
  std::set<std::string> names;
  for (const auto& cycle : cycles) {
    auto test = litmus::generate_test(cycle, dialect, request.name);
    if (!test) return mistake(test.error().message);
    for (unsigned k = 1; !names.insert(test->name).second; ++k) {  // same family, other edges: number them
      test = litmus::generate_test(cycle, dialect,
                                   fmt::format("{}-{:03}", test->name.substr(0, test->name.find("-0")), k));
      if (!test) return mistake(test.error().message);
    }
    if (request.output.empty()) {
      const std::string text = (names.size() > 1 ? "\n" : "") + test->text;
      if (std::fputs(text.c_str(), stdout) < 0) return mistake("the tests cannot be written to standard output");
      continue;
    }
    const std::string file = (std::filesystem::path(request.output) / (test->name + ".litmus")).string();
    std::ofstream out(file, std::ios::binary);
    out << test->text;
    if (!out) return mistake(fmt::format("{} cannot be written", file));
  }
  if (!request.output.empty())
    std::fputs(fmt::format("{} tests in {}\n", names.size(), request.output).c_str(), stdout);
  if (std::fflush(stdout) != 0) return mistake("the tests cannot be written to standard output");
  return exit_safe;
}

}  // namespace

Action declare_generate(CLI::App& app) {
  auto request = std::make_shared<GenerateRequest>();
  app.add_option("edges", request->edges,
                 "the cycle's edges, as PodWR Fre PodWR Fre; with --size, the edges to choose from")
      ->type_name("EDGE");
  app.add_option("-d,--dialect", request->dialect, "C, X86, X86_64, AArch64, PPC or RISCV")
      ->type_name("DIALECT [AArch64]");
  app.add_option("-s,--size", request->size, "all cycles of up to so many edges")->type_name("N");
  app.add_option("-n,--name", request->name, "name of the test, in place of the usual one")->type_name("NAME");
  app.add_option("-o,--output", request->output, "write one file a test into this folder")->type_name("DIR");
  return [request] { return generate(*request); };
}

}  // namespace heddle::cli
