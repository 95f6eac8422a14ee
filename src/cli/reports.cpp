// SPDX-License-Identifier: Apache-2.0
#include "cli/reports.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "report/html.h"
#include "report/json.h"
#include "report/sarif.h"

namespace heddle::cli {

namespace {

std::optional<support::Diagnostic> write(const std::string& file, const std::string& text) {
  errno = 0;
  if (file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) == 0) return {};
  } else {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (stream) return {};
  }
  support::Diagnostic diagnostic;
  diagnostic.file = file;
  diagnostic.message = std::string("cannot be written: ") + std::strerror(errno != 0 ? errno : EIO);
  return diagnostic;
}

}  // namespace

bool writes_standard_output(const CheckRequest& request) {
  return *request.json == "-" || *request.sarif == "-" || *request.html == "-" || *request.dot == "-" ||
         *request.svg == "-";
}

std::optional<support::Diagnostic> refuse_reports(const CheckRequest& request) {
  std::vector<std::string> seen, inputs = request.files;
  for (const std::string& more : {*request.atomic_file, *request.model_file, *request.check_certificate})
    if (!more.empty()) inputs.push_back(more);
  for (const std::string& file : {*request.json, *request.sarif, *request.html, *request.dot, *request.svg}) {
    if (file.empty()) continue;
    if (std::find(seen.begin(), seen.end(), file) != seen.end())
      return support::Diagnostic{file, 0, 0, "two reports cannot go to one place", "", "give each a file of its own"};
    seen.push_back(file);
    if (file == "-") continue;
    for (const std::string& input : inputs)
      if (std::error_code none; std::filesystem::equivalent(file, input, none))
        return support::Diagnostic{
            file, 0, 0, "a report cannot take the place of what is checked", "", "give it a file of its own"};
    errno = 0;
    const std::ofstream stream(file, std::ios::binary | std::ios::app);
    if (!stream)
      return support::Diagnostic{
          file, 0, 0, std::string("cannot be written: ") + std::strerror(errno != 0 ? errno : EIO), "", ""};
  }
  return {};
}

std::optional<support::Diagnostic> write_reports(const CheckRequest& request, const report::Run& run,
                                                 const std::vector<report::Drawing>& drawings) {
  const std::vector<core::Verdict>& verdicts = run.verdicts;
  if (!request.json->empty())
    if (auto failed = write(*request.json, report::json(run))) return failed;
  if (!request.sarif->empty())
    if (auto failed = write(*request.sarif, report::sarif(run))) return failed;
  std::string pictures;
  if (std::ranges::any_of(drawings, [](const report::Drawing& d) { return d.execution.has_value(); }))
    pictures = report::svg(verdicts, drawings, request.files.front());
  if (!request.html->empty())
    if (auto failed = write(*request.html, report::html(run, pictures))) return failed;
  if (!request.dot->empty())
    if (auto failed = write(*request.dot, report::dot(verdicts, drawings, request.files.front()))) return failed;
  if (!request.svg->empty())
    if (auto failed = write(*request.svg, report::svg(verdicts, drawings, request.files.front()))) return failed;
  return {};
}

}  // namespace heddle::cli
