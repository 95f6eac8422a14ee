// `heddle check` for array-based systems: front end lang/cubicle, pre-images of array/, the search of param/, replay and
// certificates of check/.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>

#include "cli/checker.h"
#include "cli/cubicle_driver.h"
#include "lang/cubicle/parser.h"

namespace heddle::cli {

support::Result<std::vector<core::Verdict>> check_cubicle(const CheckRequest& request, core::Budget& budget) {
  if (request.files.size() != 1) return support::Diagnostic{"", 0, 0, "one system at a time", "", "give one .cub file"};
  if (!request.certificate.empty() && request.models.size() != 1)
    return support::Diagnostic{"", 0, 0, "--certificate is about one model", "", "choose it with --model"};
  if (request.workers < 1 || request.workers > 256)
    return support::Diagnostic{"", 0, 0, "--workers takes a number from 1 to 256", "", ""};
  if (request.brab > 6) return support::Diagnostic{"", 0, 0, "--brab takes a number from 1 to 6", "", "2 or 3 is usual"};
  const auto system = cubicle::parse_file(request.files[0]);
  if (!system) return system.error();

  CubicleOptions options;
  options.workers = static_cast<unsigned>(request.workers);
  options.brab = static_cast<unsigned>(request.brab);
  options.certify = !request.certificate.empty();
  std::vector<core::Verdict> verdicts;
  for (const std::string& model : request.models) {
    CubicleAnswer answer = decide_cubicle(*system, model, options, budget);
    if (options.certify) {
      core::Verdict& verdict = answer.verdict;
      if (!answer.certificate.empty()) {
        std::ofstream out(request.certificate, std::ios::binary);
        out << answer.certificate;
        if (!out.flush()) return support::Diagnostic{request.certificate, 0, 0, "cannot be written", "", ""};
        verdict.notes.push_back("the certificate has been written to " + request.certificate + " and checked");
      } else if (verdict.outcome == core::Outcome::Safe) {
        verdict.notes.push_back("no certificate: the proof holds up to a bound only");
      }
    }
    if (request.decided) request.decided(answer.verdict);
    verdicts.push_back(std::move(answer.verdict));
  }
  return verdicts;
}

}  // namespace heddle::cli
