// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "report/rows.h"
#include "report/text.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

// A path as a URI reference: what has a meaning of its own in URIs, or none in ASCII, is written as %XX.
std::string uri(const std::string& path) {
  constexpr std::string_view plain = "/-_.~!$&'()*+,;=@";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || plain.find(c) != std::string_view::npos)) out += c;
    else out += fmt::format("%{:02X}", byte);
  }
  return out;
}

Json location(const core::SourcePlace& place, const std::string& fallback_file, const std::string& message) {
  const std::string& file = place.file.empty() ? fallback_file : place.file;
  Json json = Json::object();
  if (!file.empty()) {
    json["physicalLocation"]["artifactLocation"]["uri"] = uri(file);
    if (place.line > 0) {
      json["physicalLocation"]["region"]["startLine"] = place.line;
      if (place.column > 0) json["physicalLocation"]["region"]["startColumn"] = place.column;
    }
  }
  if (!message.empty()) json["message"]["text"] = message;
  return json;
}

// The user's own steps: of a call to the library, the call.
Json code_flow(const core::Trace& trace, const std::string& fallback_file) {
  Json locations = Json::array();
  for (const Row& row : rows_of(trace, false).rows) {
    if (row.place->library) continue;
    std::string message = row.step->thread;
    const std::string& what = row.place->text.empty() ? row.step->action : row.place->text;
    if (!what.empty()) message += ": " + what;
    locations.push_back({{"location", location(*row.place, fallback_file, message)}});
  }
  return {{"threadFlows", Json::array({{{"locations", std::move(locations)}}})}};
}

// Where it went wrong; of a trace that does not say it, its last step in the user's own files.
core::SourcePlace place_of(const core::Verdict& verdict) {
  if (verdict.place.line > 0 || !verdict.trace) return verdict.place;
  core::SourcePlace place;
  for (const Row& row : rows_of(*verdict.trace, false).rows)
    if (row.place->line > 0 && !row.place->library) place = *row.place;
  return place;
}

}  // namespace

std::string sarif(const Run& run) {
  const std::string file = run.files.empty() ? std::string() : run.files.front();
  std::set<std::string> kinds;
  Json results = Json::array();
  Json notifications = Json::array();
  bool complete = true;
  for (const core::Verdict& verdict : run.verdicts) {
    if (verdict.outcome == core::Outcome::Unknown) {
      complete = false;
      notifications.push_back(
          {{"level", "error"}, {"message", {{"text", "UNKNOWN under " + verdict.model + ": " + verdict.reason.text}}}});
    }
    if (verdict.outcome == core::Outcome::Safe && !verdict.bounds.empty())
      notifications.push_back(
          {{"level", "warning"}, {"message", {{"text", verdict_name(verdict) + " under " + verdict.model}}}});
    for (const std::string& assumption : verdict.assumptions)
      notifications.push_back({{"level", "note"}, {"message", {{"text", assumption_text(verdict, assumption)}}}});
    if (verdict.outcome != core::Outcome::Unsafe) continue;
    kinds.insert(verdict.violation_kind);
    Json result = {{"ruleId", verdict.violation_kind},
                   {"level", "error"},
                   {"message", {{"text", verdict.violation + " (under " + verdict.model + ")"}}},
                   {"locations", Json::array({location(place_of(verdict), file, {})})},
                   {"properties", {{"model", verdict.model}}}};
    if (verdict.trace) result["codeFlows"] = Json::array({code_flow(*verdict.trace, file)});
    results.push_back(std::move(result));
  }
  Json rules = Json::array();
  for (const std::string& kind : kinds) rules.push_back({{"id", kind}});
  Json invocation = {{"executionSuccessful", complete}};
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = std::move(notifications);
  Json report = {{"version", "2.1.0"},
                 {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"runs", Json::array({{{"tool", {{"driver", {{"name", "heddle"}, {"rules", std::move(rules)}}}}},
                                        {"invocations", Json::array({std::move(invocation)})},
                                        {"results", std::move(results)}}})}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
