// The tables of the BEEM corpus: counts, reachability goals and their answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lang/dve/dve.h"

namespace heddle::tests {

// One line of a CSV file, with quotes.
inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) out.emplace_back();
    else if (c != '\r') out.back() += c;
  }
  return out;
}

inline std::vector<std::vector<std::string>> csv_rows(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) rows.push_back(csv_fields(line));
  return rows;
}

struct BeemModel {
  std::string name, family, parameters;
  std::uint64_t states = 0, edges = 0, levels = 0;  // 0: not known
};

inline std::vector<BeemModel> beem_models(const std::string& beem) {
  std::vector<BeemModel> models;
  const auto number = [](const std::string& s) { return s.empty() ? 0 : std::stoull(s); };
  for (const auto& f : csv_rows(beem + "/counts.csv"))
    models.push_back(
        {f[0], f[0].substr(0, f[0].rfind('.')), f.size() > 4 ? f[4] : "", number(f[1]), number(f[2]), number(f[3])});
  return models;
}

// "N=2, ERROR=1" as definitions for m4.
inline dve::Defines beem_parameters(const std::string& text) {
  dve::Defines out;
  std::stringstream in(text);
  std::string item;
  while (std::getline(in, item, ',')) {
    item.erase(0, item.find_first_not_of(' '));
    if (const std::size_t at = item.find('='); at != std::string::npos)
      out.emplace_back(item.substr(0, at), item.substr(at + 1));
  }
  return out;
}

// A formula with its propositions put in, each in brackets; still m4 text. BEEM writes `p1U(q)` for `p1 U (q)`.
inline std::string beem_formula(const std::string& formula, const std::string& propositions) {
  std::map<std::string, std::string> meaning;
  std::stringstream in(propositions);
  std::string item;
  while (std::getline(in, item, ';')) {
    const std::size_t is = item.find(":=");
    if (is == std::string::npos) continue;
    std::string name = item.substr(0, is);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    meaning[name] = "(" + item.substr(is + 2) + ")";
  }
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && (std::isalnum(static_cast<unsigned char>(formula[end])) != 0 || formula[end] == '_'))
      ++end;
    std::string word = formula.substr(at, std::max<std::size_t>(end - at, 1));
    at += word.size();
    if (word == "&" && formula.compare(at, 4, "amp;") == 0) at += 4;
    std::string suffix;
    if (!meaning.contains(word) && word.back() == 'U' && meaning.contains(word.substr(0, word.size() - 1))) {
      word.pop_back();
      suffix = " U ";
    }
    out += (meaning.contains(word) ? meaning[word] : word) + suffix;
  }
  return out;
}

// (family, property) -> the condition to reach, with its propositions put in; still m4 text.
inline std::map<std::pair<std::string, std::string>, std::string> beem_goals(const std::string& beem) {
  std::map<std::pair<std::string, std::string>, std::string> goals;
  for (const auto& f : csv_rows(beem + "/properties.csv")) {
    if (f.size() < 5 || f[2] != "reachability") continue;
    std::string formula = f[3];
    for (std::size_t at; (at = formula.find("&amp;")) != std::string::npos;) formula.replace(at, 5, "&");
    std::stringstream in(f[4]);
    std::string item;
    while (std::getline(in, item, ';')) {
      const std::size_t is = item.find(":=");
      if (is == std::string::npos) continue;
      std::string name = item.substr(0, is);
      name.erase(0, name.find_first_not_of(' '));
      name.erase(name.find_last_not_of(' ') + 1);
      const std::string text = "(" + item.substr(is + 2) + ")";
      for (std::size_t at = 0; (at = formula.find(name, at)) != std::string::npos; at += text.size())
        formula.replace(at, name.size(), text);
    }
    goals[{f[0], f[1]}] = formula;
  }
  return goals;
}

}  // namespace heddle::tests
