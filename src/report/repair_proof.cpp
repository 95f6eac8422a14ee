// SPDX-License-Identifier: Apache-2.0
#include "report/repair_proof.h"

#include <nlohmann/json.hpp>

#include "report/json.h"
#include "support/json_text.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

Json write(const RepairProof& proof, std::size_t& runs) {
  Json json = {{"model", proof.model}, {"places", Json::array()}};
  for (const RepairProof::Place& place : proof.places)
    json["places"].push_back({{"name", place.name}, {"cost", place.cost}});
  if (proof.hopeless) json["hopeless"] = true;
  else json["set"] = proof.chosen;
  json["constraints"] = Json::array();
  for (const RepairProof::Constraint& constraint : proof.constraints) {
    Json one = {{"places", constraint.places}, {"run", runs++}};
    if (!constraint.variant.empty()) one["variant"] = constraint.variant;
    json["constraints"].push_back(std::move(one));
  }
  if (!proof.states.empty()) json["states"] = proof.states;
  return json;
}

RepairProof read(const Json& json, const std::vector<core::Verdict>& runs) {
  RepairProof proof;
  proof.model = json.at("model").get<std::string>();
  for (const Json& place : json.at("places"))
    proof.places.push_back({place.at("name").get<std::string>(), place.at("cost").get<std::uint64_t>()});
  proof.hopeless = json.value("hopeless", false);
  const auto numbers = [&](const Json& list) {
    auto places = list.get<RepairProof::Numbers>();
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= proof.places.size() || (i > 0 && places[i - 1] >= places[i]))
        throw std::invalid_argument("the numbers of places must ascend, each below the number of places");
    return places;
  };
  if (!proof.hopeless) proof.chosen = numbers(json.at("set"));
  for (const Json& one : json.at("constraints")) {
    const auto run = one.at("run").get<std::size_t>();
    if (run >= runs.size() || !runs[run].trace) throw std::invalid_argument("a constraint has no run");
    proof.constraints.push_back({numbers(one.at("places")), runs[run], one.value("variant", std::string())});
  }
  proof.states = json.value("states", std::string());
  return proof;
}

}  // namespace

std::string certificate_text(const std::vector<std::string>& files, const std::vector<RepairProof>& proofs) {
  Run report{files, {}, {}};
  for (const RepairProof& proof : proofs)
    for (const RepairProof::Constraint& constraint : proof.constraints) report.verdicts.push_back(constraint.run);
  Json text = Json::parse(json(report));
  std::size_t runs = 0;
  text["repairs"] = Json::array();
  for (const RepairProof& proof : proofs) text["repairs"].push_back(write(proof, runs));
  return text.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

support::Result<std::vector<RepairProof>> read_certificate(const std::string& text, const std::string& file) {
  const auto report = read_json(text, file);
  if (!report) return report.error();
  try {
    const Json json = support::parse_json<Json>(text);
    std::vector<RepairProof> proofs;
    for (const Json& proof : json.at("repairs")) proofs.push_back(read(proof, report->verdicts));
    return proofs;
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();
    return support::Diagnostic{
        file, 0,
        0,    "this is no certificate of a repair: " + std::string(what.substr(what.find(']') + 2)),
        "",   "`heddle repair … --certificate FILE` writes one"};
  } catch (const std::invalid_argument& error) {
    return support::Diagnostic{file, 0, 0, std::string("this is no certificate of a repair: ") + error.what(), "", ""};
  }
}

}  // namespace heddle::report
