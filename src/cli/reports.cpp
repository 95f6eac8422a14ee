// SPDX-License-Identifier: Apache-2.0
#include "cli/reports.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cli/output.h"
#include "report/html.h"
#include "report/json.h"
#include "report/sarif.h"

namespace heddle::cli {

namespace {

std::optional<support::Diagnostic> write(const std::string& file, const std::string& text, const core::Budget& budget) {
  std::string why;
  if (file == "-") {
    errno = 0;
    put(text);
    if (std::fflush(stdout) != 0) why = std::strerror(errno != 0 ? errno : EIO);
  } else {
    why = write_file(file, text, budget);
  }
  if (why.empty()) return {};
  support::Diagnostic diagnostic;
  diagnostic.file = file;
  diagnostic.message = "cannot be written: " + why;
  return diagnostic;
}

// Why a file cannot be written; empty if it can. Only plain files are opened for that, since the reader of a pipe would
// take the end of this look for the end of the report. What did not exist before does not afterwards.
std::string unwritable(const std::string& file) {
  std::error_code error;
  const std::filesystem::file_status before = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(before)) return std::strerror(EISDIR);
  if (std::filesystem::exists(before) && !std::filesystem::is_regular_file(before))
    return ::access(file.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  errno = 0;
  if (const std::ofstream stream(file, std::ios::binary | std::ios::app); !stream)
    return std::strerror(errno != 0 ? errno : EIO);
  // A link to a file that is yet to be made stays.
  if (!std::filesystem::exists(before)) std::filesystem::remove(std::filesystem::canonical(file, error), error);
  return {};
}

}  // namespace

bool writes_standard_output(const CheckRequest& request) {
  return *request.json == "-" || *request.sarif == "-" || *request.html == "-" || *request.dot == "-" ||
         *request.svg == "-";
}

std::optional<support::Diagnostic> refuse_places(const std::vector<std::string>& inputs,
                                                 const std::vector<std::string>& outputs) {
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code none;
    // What does not exist yet stays relative unless it is made absolute first.
    const auto whole = [&](const std::string& file) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(file, none), none);
    };
    return a == b || std::filesystem::equivalent(a, b, none) || (!whole(a).empty() && whole(a) == whole(b));
  };
  for (auto file = outputs.begin(); file != outputs.end(); ++file) {
    if (file->empty()) continue;
    if (std::any_of(outputs.begin(), file,
                    [&](const std::string& other) { return !other.empty() && same(*file, other); }))
      return support::Diagnostic{*file, 0, 0, "two reports cannot go to one place", "", "give each a file of its own"};
    if (*file == "-") continue;
    for (const std::string& input : inputs)
      if (!input.empty() && same(*file, input))
        return support::Diagnostic{
            *file, 0, 0, "a report cannot take the place of what is checked", "", "give it a file of its own"};
    if (const std::string why = unwritable(*file); !why.empty())
      return support::Diagnostic{*file, 0, 0, "cannot be written: " + why, "", ""};
  }
  return {};
}

std::optional<support::Diagnostic> refuse_reports(const CheckRequest& request) {
  std::vector<std::string> inputs = request.files;
  inputs.insert(inputs.end(), {*request.atomic_file, *request.model_file, *request.check_certificate, *request.replay,
                               *request.automaton});
  inputs.insert(inputs.end(), request.ltl->begin(), request.ltl->end());
  return refuse_places(
      inputs, {*request.json, *request.sarif, *request.html, *request.dot, *request.svg, *request.certificate});
}

std::optional<support::Diagnostic> write_reports(const CheckRequest& request, const report::Run& run,
                                                 const std::vector<report::Drawing>& drawings,
                                                 const core::Budget& budget) {
  const std::vector<core::Verdict>& verdicts = run.verdicts;
  if (!request.json->empty())
    if (auto failed = write(*request.json, report::json(run), budget)) return failed;
  if (!request.sarif->empty())
    if (auto failed = write(*request.sarif, report::sarif(run), budget)) return failed;
  std::string pictures;
  if (std::ranges::any_of(drawings, [](const report::Drawing& d) { return d.execution.has_value(); }))
    pictures = report::svg(verdicts, drawings, request.files.front());
  if (!request.html->empty())
    if (auto failed = write(*request.html, report::html(run, pictures), budget)) return failed;
  if (!request.dot->empty())
    if (auto failed = write(*request.dot, report::dot(verdicts, drawings, request.files.front()), budget))
      return failed;
  if (!request.svg->empty())
    if (auto failed = write(*request.svg, report::svg(verdicts, drawings, request.files.front()), budget))
      return failed;
  return {};
}

}  // namespace heddle::cli
