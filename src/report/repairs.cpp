// SPDX-License-Identifier: Apache-2.0
#include "report/repairs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int repair_schema = 1;

Json write(const std::vector<RepairPlace>& places) {
  Json list = Json::array();
  for (const RepairPlace& place : places) {
    Json one = {{"file", place.file}};
    if (place.line > 0) one["line"] = place.line;
    if (place.column > 0) one["column"] = place.column;
    one["what"] = place.what;
    list.push_back(std::move(one));
  }
  return list;
}

const char* outcome_name(const Repair& repair) {
  switch (repair.outcome) {
    case core::Outcome::Safe: return repair.places.empty() ? "safe" : "repaired";
    case core::Outcome::Unsafe: return "unsafe";
    case core::Outcome::Unknown: break;
  }
  return "unknown";
}

}  // namespace

std::string text_of(const RepairPlace& place) {
  if (place.line == 0) return place.what;
  if (place.column == 0) return fmt::format("{}:{}: {}", place.file, place.line, place.what);
  return fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, place.what);
}

std::string text_of(const std::vector<Repair>& repairs) {
  std::string text;
  for (const Repair& repair : repairs) {
    text += fmt::format("{}  {}\n", repair.model, repair.summary);
    const auto indented = [&](const std::string& line) { text += fmt::format("     {}\n", line); };
    for (const RepairPlace& place : repair.places) indented(text_of(place));
    for (const auto& other : repair.others) {
      std::string line = "or";
      for (const RepairPlace& place : other) line += (line.size() == 2 ? " " : ", ") + text_of(place);
      indented(line);
    }
    for (const std::string& note : repair.notes) indented(note);
  }
  return text;
}

std::string json_of(const std::vector<std::string>& files, const std::vector<Repair>& repairs) {
  Json json = {{"schema", repair_schema}, {"files", files}, {"repairs", Json::array()}};
  for (const Repair& repair : repairs) {
    Json one = {{"model", repair.model}, {"outcome", outcome_name(repair)}, {"summary", repair.summary}};
    if (repair.cost) one["cost"] = *repair.cost;
    one["lower_bound"] = repair.lower_bound;
    one["checks"] = repair.checks;
    one["changes"] = write(repair.places);
    if (!repair.others.empty()) {
      one["others"] = Json::array();
      for (const auto& other : repair.others) one["others"].push_back(write(other));
    }
    if (!repair.notes.empty()) one["notes"] = repair.notes;
    json["repairs"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
