// SPDX-License-Identifier: Apache-2.0
#include "drive/ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "drive/advice.h"
#include "drive/engine.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "drive/saved.h"

namespace heddle::drive {

namespace {

// Who answers for a model: engines that do not refuse, in the language's order.
struct Route {
  const models::Model* model;
  std::vector<const Engine*> engines;
};

struct Refused {
  std::string_view engine;
  std::string clause;
};

std::vector<const Engine*> asked_engines(const Language& language, const Task& task) {
  std::vector<const Engine*> engines;
  for (const std::string& name : split(language.engines, ' '))
    if (task.engine->empty() || *task.engine == name) engines.push_back(find_engine(name));
  return engines;
}

std::string text_of(const std::vector<Refused>& refused) {
  std::string text;
  for (const Refused& r : refused)
    text += fmt::format("{}the {} engine {}", text.empty() ? "" : ", and ", r.engine, r.clause);
  return text;
}

// One route per model, in order. Of a ladder only those models are kept that some engine takes, with a note that says
// which were left out and why; a model that was named, by --require too, and cannot be had is a mistake.
support::Result<std::vector<Route>> choose(const Language& language, const Subject& subject, const Task& task,
                                           std::vector<std::string>& notes) {
  std::vector<Route> routes;
  std::vector<std::pair<std::string, std::string>> left_out;  // model, why
  for (const std::string& name : *task.models) {
    Route route{models::find(name), {}};
    std::vector<Refused> refused;
    for (const Engine* engine : asked_engines(language, task)) {
      if (auto why = engine->refuses(subject, *route.model, task)) refused.push_back({engine->name, why->text});
      else route.engines.push_back(engine);
    }
    if (!route.engines.empty()) routes.push_back(std::move(route));
    else left_out.emplace_back(name, text_of(refused));
  }
  if (left_out.empty()) return routes;
  const auto required = std::ranges::find_if(left_out, [&](const auto& model) {
    return std::ranges::find(*task.require, model.first) != task.require->end();
  });
  if (!task.ladder || routes.empty() || required != left_out.end()) {
    const auto& [model, why] = required != left_out.end() ? *required : left_out[0];
    return support::Diagnostic{"", 0,
                               0,  fmt::format("nothing checks this under '{}': {}", model, why),
                               "", "`heddle models` lists the models, `heddle languages` the engines"};
  }
  for (const auto& [model, why] : left_out) notes.push_back(fmt::format("not run: {} ({})", model, why));
  return routes;
}

core::Verdict decide(const Route& route, const Subject& subject, const Task& task, core::Budget& budget,
                     bool shares_time, std::string& certificate) {
  std::vector<Contender> contenders;
  for (const Engine* engine : route.engines) {
    if (route.engines.size() > 1 && engine->applies != nullptr && !engine->applies(subject, *route.model)) continue;
    contenders.push_back({engine->name,
                          [&, engine](core::Budget& part) {
                            part.subject = fmt::format("{}, {}", route.model->name, engine->name);
                            core::Finding finding = engine->run(subject, *route.model, task, part);
                            if (!finding.certificate.empty()) certificate = finding.certificate;
                            return judge(subject, *route.model, engine->name, task, std::move(finding));
                          },
                          engine->first_states, engine->first_steps,
                          engine->forecast_after != nullptr ? engine->forecast_after(*route.model, task) : 0,
                          engine->lifts_bounds,
                          engine->lifts_bounds && !engine->only_proves && subject.threads() != nullptr,
                          engine->only_proves, engine->own_assumption});
  }
  core::Verdict verdict = take_turns(contenders, budget);
  if (verdict.outcome == core::Outcome::Unknown) {
    const Circumstances now{.shares_time = shares_time,
                            .tried_states = contenders.size() > 1,
                            .machine_exists = route.model->machine != nullptr};
    if (const std::string hint = advice(verdict.reason, now); !hint.empty())
      verdict.reason.text += fmt::format(" ({})", hint);
  }
  return verdict;
}

// Writes what proves the verdict, if that was asked for.
std::optional<support::Diagnostic> write_certificate(const Task& task, const std::string& text,
                                                     core::Verdict& verdict) {
  if (task.certificate->empty()) return std::nullopt;
  if (text.empty()) {
    verdict.notes.emplace_back(verdict.outcome == core::Outcome::Safe
                                   ? "no certificate: the proof holds up to a bound only"
                                   : "no certificate: there is nothing that it could prove");
    return std::nullopt;
  }
  std::ofstream out(*task.certificate, std::ios::binary);
  out << text;
  if (!out.flush()) return support::Diagnostic{*task.certificate, 0, 0, "cannot be written", "", ""};
  verdict.notes.push_back("the certificate has been written to " + *task.certificate + " and checked");
  return std::nullopt;
}

// What holds of the program under every model and engine.
void add_remarks(const Subject& subject, const models::Model& model, core::Verdict& verdict) {
  if (subject.threads() == nullptr) return;
  std::ranges::copy(subject.threads()->program(model).notes(), std::back_inserter(verdict.notes));
  add_conditions(subject.threads()->program(model), verdict);
  if (verdict.outcome == core::Outcome::Unsafe && core::claim_of(verdict.violation_kind).is<core::Leak>())
    verdict.notes.emplace_back(
        "a leak is shown only where no other violation was found; --property assertion leaves leaks out");
}

}  // namespace

int exit_code(const Task& task, const std::vector<core::Verdict>& verdicts, bool violations_count) {
  int code = exit_safe;
  for (const std::string& model : *task.require)  // that has no verdict: it was not checked
    if (std::ranges::find(verdicts, model, &core::Verdict::model) == verdicts.end()) code = exit_unknown;
  for (const core::Verdict& verdict : verdicts) {
    if (!task.require->empty() && std::ranges::find(*task.require, verdict.model) == task.require->end()) continue;
    if (verdict.outcome == core::Outcome::Unsafe && !violations_count) continue;
    if (verdict.outcome == core::Outcome::Unsafe) return exit_unsafe;
    if (verdict.outcome == core::Outcome::Unknown || (*task.strict && !verdict.bounds.empty())) code = exit_unknown;
  }
  return code;
}

void add_unknowns(std::vector<core::Verdict>& verdicts, const Task& task, const core::Reason& reason) {
  for (const std::string& model : *task.models) {
    if (std::ranges::find(verdicts, model, &core::Verdict::model) != verdicts.end()) continue;
    core::Verdict& verdict = verdicts.emplace_back();
    verdict.model = model;
    verdict.reason = reason;
  }
}

support::Result<std::vector<core::Verdict>> check(const Language& language, const Task& task, core::Budget& budget) {
  if (!task.replay->empty() + !task.check_certificate->empty() + !task.certificate->empty() > 1)
    return support::Diagnostic{
        "", 0, 0, "--replay, --check-certificate and --certificate do one thing each", "", "give one of them"};
  auto subject = language.load(task, budget);
  if (!subject) return subject.error();
  if (!task.replay->empty()) return replay_saved(language, *subject, task, budget);
  if (!task.check_certificate->empty()) {
    auto proved = recheck_certificate(*subject, task, budget);
    // It is about one model: of others that were asked for by name it says nothing.
    if (proved && task.models.given && !task.ladder)
      add_unknowns(*proved, task,
                   {core::Reason::Kind::Open, fmt::format("the certificate is about {}", proved->front().model)});
    return proved;
  }
  std::vector<std::string> notes;
  const auto routes = choose(language, *subject, task, notes);
  if (!routes) return routes.error();
  if (Threads* threads = subject->threads())
    for (const Route& route : *routes)
      if (const auto program = threads->prepare(*route.model); !program) return program.error();
  std::vector<core::Verdict> verdicts;
  for (const Route& route : *routes) {
    const auto share = fair_share(budget, routes->size() - verdicts.size());
    std::string certificate;
    core::Verdict verdict = decide(route, *subject, task, *share, routes->size() > 1, certificate);
    if (auto failed = write_certificate(task, certificate, verdict)) return *failed;
    if (verdicts.empty()) verdict.notes.insert(verdict.notes.begin(), notes.begin(), notes.end());
    add_remarks(*subject, *route.model, verdict);
    if (task.decided) task.decided(verdict);
    verdicts.push_back(std::move(verdict));
  }
  if (const std::string next = repair_advice(language, *subject, task, verdicts); task.advise && !next.empty())
    task.advise(next);
  return verdicts;
}

}  // namespace heddle::drive
