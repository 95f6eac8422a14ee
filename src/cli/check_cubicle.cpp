// `heddle check` for array-based systems: front end lang/cubicle, pre-images of array/, the search of param/, replay
// and certificates of check/; with --procs, one instance by the explicit engine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "cli/checker.h"
#include "cli/cubicle_driver.h"
#include "cli/cubicle_instance.h"
#include "cli/turns.h"
#include "lang/cubicle/instance.h"
#include "lang/cubicle/parser.h"

namespace heddle::cli {

namespace {

support::Diagnostic mistake(std::string message, std::string hint = "") {
  return {"", 0, 0, std::move(message), "", std::move(hint)};
}

// What the options say against each other.
std::optional<support::Diagnostic> contradiction(const CheckRequest& request, bool instance) {
  const auto given = [&](const char* name) {
    return std::find(request.given.begin(), request.given.end(), name) != request.given.end();
  };
  if (request.files.size() != 1) return mistake("one system at a time", "give one .cub file");
  if (!request.certificate.empty() && request.models.size() != 1)
    return mistake("--certificate is about one model", "choose it with --model");
  if (request.brab > 6) return mistake("--brab takes a number from 1 to 6", "2 or 3 is usual");
  if (request.procs != 0 && request.engine == "cubes")
    return mistake("--procs is about one instance, which the engine cubes does not know",
                   "use --engine explicit, or leave out --procs");
  if (instance)
    for (const char* name : {"--brab", "--certificate"})
      if (given(name))
        return mistake(fmt::format("{} is about any number of processes, not about one instance", name),
                       "leave out --procs");
  if (!instance && given("--buffer"))
    return mistake("--buffer is about instances: for any number of processes buffers have no bound",
                   "use it with --procs");
  return std::nullopt;
}

support::Result<std::vector<core::Verdict>> check_instance(const CheckRequest& request, const cubicle::System& system,
                                                           core::Budget& budget) {
  CubicleInstanceOptions options;
  options.processes = static_cast<unsigned>(request.procs != 0 ? request.procs : system.number_procs);
  options.buffer = static_cast<unsigned>(std::min<std::uint64_t>(request.buffer, 1000000));
  options.workers = static_cast<unsigned>(request.workers);
  if (options.processes == 0)
    return mistake("how many processes?", "--engine explicit checks one instance: give --procs N");
  std::vector<core::Verdict> verdicts;
  for (const std::string& model : request.models) {
    const auto share = fair_share(budget, request.models.size() - verdicts.size());
    auto verdict = decide_instance(system, model, options, *share);
    if (!verdict) return verdict.error();
    if (request.decided) request.decided(*verdict);
    verdicts.push_back(std::move(*verdict));
  }
  return verdicts;
}

}  // namespace

support::Result<std::vector<core::Verdict>> check_cubicle(const CheckRequest& request, core::Budget& budget) {
  const bool instance = request.procs != 0 || request.engine == "explicit";
  if (auto wrong = contradiction(request, instance)) return *wrong;
  const auto system = cubicle::parse_file(request.files[0], &budget);
  if (!system) return system.error();
  if (!request.replay.empty()) return replay_cubicle(*system, request);
  if (!request.check_certificate.empty()) {
    // A proof about one model is none about another.
    const bool chosen = std::ranges::find(request.given, "--model") != request.given.end();
    const std::vector<std::string>& about = request.require.empty() && chosen ? request.models : request.require;
    return recheck_certificate(*system, request.check_certificate, budget, about);
  }
  if (instance) return check_instance(request, *system, budget);

  CubicleOptions options;
  options.workers = static_cast<unsigned>(request.workers);
  options.brab = static_cast<unsigned>(request.brab);
  options.certify = !request.certificate.empty();
  std::vector<core::Verdict> verdicts;
  for (const std::string& model : request.models) {
    const auto share = fair_share(budget, request.models.size() - verdicts.size());
    CubicleAnswer answer = decide_cubicle(*system, model, options, *share);
    if (options.certify) {
      core::Verdict& verdict = answer.verdict;
      if (!answer.certificate.empty()) {
        std::ofstream out(request.certificate, std::ios::binary);
        out << answer.certificate;
        if (!out.flush()) return support::Diagnostic{request.certificate, 0, 0, "cannot be written", "", ""};
        verdict.notes.push_back("the certificate has been written to " + request.certificate + " and checked");
      } else if (verdict.outcome == core::Outcome::Safe) {
        verdict.notes.push_back("no certificate: the proof holds up to a bound only");
      } else {
        verdict.notes.push_back("no certificate: there is nothing that it could prove");
      }
    }
    if (request.decided) request.decided(answer.verdict);
    verdicts.push_back(std::move(answer.verdict));
  }
  return verdicts;
}

}  // namespace heddle::cli
