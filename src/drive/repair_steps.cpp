// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>

#include "check/buffer_certificate.h"
#include "core/evidence.h"
#include "core/input.h"
#include "drive/buffers_engine.h"
#include "drive/engine.h"
#include "drive/explicit_engine.h"
#include "drive/ltl_engine.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "drive/repair_proof.h"
#include "drive/saved.h"
#include "drive/temporary_folder.h"
#include "repair/ir_places.h"
#include "report/hazards.h"

namespace heddle::drive {

namespace {

constexpr double most_seconds = 10;  // of one proof without a bound

// What may be added: as the user says, or as the language has it.
repair::IrPlaceKinds kinds_of(const Strengthening& how, const RepairOptions& options) {
  repair::IrPlaceKinds kinds = how.kinds;
  if (options.with.empty() && !options.heuristic) return kinds;
  kinds.atomic = options.with != "fence";  // --heuristic is about nothing else
  (kinds.by_text ? kinds.sync : kinds.fence) = !options.with.empty() && options.with != "atomic";
  return kinds;
}

// The engine for buffers without a bound that finds violations too.
const Engine* unbounded_engine() {
  const auto found = std::ranges::find_if(engines(), [](const Engine& e) { return e.lifts_bounds && !e.only_proves; });
  return found != engines().end() ? &*found : nullptr;
}

std::optional<core::Reason> refused_without_bound(const Subject& subject, const models::Model& model,
                                                  const Task& task) {
  return unbounded_engine() != nullptr ? unbounded_engine()->refuses(subject, model, task)
                                       : refusal("no engine has buffers without a bound");
}

// … within the allowance of its first turn.
core::Finding without_bound(const Subject& subject, const models::Model& model, const Task& task,
                            core::Budget& budget) {
  core::Finding finding;
  if (auto why = refused_without_bound(subject, model, task)) {
    finding.what = std::move(*why);
    return finding;
  }
  const auto part = fair_share(budget, 2);
  if (!subject.properties.has<core::Robust>())  // whose states are explicit ones
    part->max_states = std::min(budget.max_states, unbounded_engine()->first_states);
  part->seconds = std::min(part->seconds.value_or(most_seconds), most_seconds);
  return unbounded_engine()->run(subject, model, task, *part);
}

// The text as it reads in another folder: what it includes by a relative name is in that of the file.
std::string with_includes_of(const std::filesystem::path& file, const std::string& text) {
  static const std::regex relative("(^|\\n)[ \\t]*#[ \\t]*include[ \\t]*\"(?!/)"), dollar("\\$");
  const std::string path = (std::filesystem::absolute(file).parent_path() / "").string();
  return std::regex_replace(text, relative, "$&" + std::regex_replace(path, dollar, "$$$$"));
}

class Repairer {
 public:
  // One set for all of the models, of which there is at least one.
  Repairer(const Language& language, const Subject& subject, Models models, const Task& task,
           const RepairOptions& options, const repair::StepCosts& costs, core::Budget& budget)
      : language_(language),
        subject_(subject),
        models_(std::move(models)),
        model_(models_.front()),
        task_(task),
        options_(options),
        costs_(costs),
        budget_(budget),
        kinds_(kinds_of(subject.strengthening, options)),
        places_(repair::ir_places(*subject.steps(), kinds_)) {}

  // Places that are strengthened in any case, at no cost: those that this program, which is the subject's otherwise, has
  // already. False: it has some of a kind that may not be changed.
  bool start_with(const ir::Program& started) {
    const repair::IrPlaceKinds all{.atomic = true, .fence = true};
    const auto left = repair::ir_places(started, all), before = repair::ir_places(*subject_.steps(), all);
    const auto is_left = [&](const repair::IrPlace& place) {
      return std::ranges::any_of(left,
                                 [&](const auto& other) { return other.edge == place.edge && other.var == place.var; });
    };
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if (!is_left(places_[i])) start_.push_back(i);
    return start_.size() == before.size() - left.size();
  }

  Repair run() {
    Repair result;
    result.model = drive::names_of(models_);
    if (refused(result) || wrong_already(result)) return result;
    if (options_.heuristic) {
      by_hazards(result);
      return result;
    }
    const auto search = [this](const ir::Program& program) { return ask(program); };
    const auto goes_wrong = [this](const ir::Program& program, const repair::WrongRun& run) {
      return replayed(program, run).confirmed;
    };
    const auto shown = [this](const repair::Elements& constraint, const ir::Program& program,
                              const repair::WrongRun& run) {
      if (!options_.certificate.empty()) keep(constraint, program, run);
    };
    for (const models::Model* model : models_)
      ways_.push_back(
          {*subject_.steps(), places_, std::string(model->name), buffer_bound(task_), search, goes_wrong, shown});
    std::vector<std::uint64_t> costs;
    for (std::uint32_t i = 0; i < places_.size(); ++i) costs.push_back(cost_of(i));
    const repair::Synthesis found =
        repair::synthesise(costs, [&](const repair::Elements& candidate) { return answer(costs, candidate); },
                           {.all = options_.all, .start = start_});
    tell(found, result);
    if (!options_.certificate.empty())
      proof_ = prove(result.model, priced_places(), found, shown_, models_.size() == 1 ? states_ : "", budget_);
    return result;
  }

  // Of the last run(), where a certificate was asked for and there is something to prove.
  const std::optional<RepairProof>& proof() const { return proof_; }

  Repair check(const RepairProof& proof) {
    Repair result;
    result.model = drive::names_of(models_);
    if (refused(result)) return result;
    const ProofQuestion question{.places = priced_places(),
                                 .change = what(),
                                 .priced = is_priced() || !start_.empty(),
                                 .objection = [&](const RepairProof::Constraint& c) { return objection(c); },
                                 .judge = [&](const RepairProof& p) { return judge_set(p); },
                                 .changes = [&](const RepairProof::Numbers& set) { return places_of(set); },
                                 .not_monotone = not_monotone()};
    return recheck(proof, question, budget_);
  }

 private:
  // The thesis's procedure (Havel, section 3.3): of each run that goes wrong, the store whose hazard interval has the most
  // inconsistent accesses becomes atomic.
  void by_hazards(Repair& result) {
    repair::Elements chosen = start_;
    for (result.checks = 1;; ++result.checks) {
      const ir::Program program = repair::strengthened(*subject_.steps(), places_, chosen);
      const repair::IrAnswer answer = ask_under_all(program);
      if (answer.kind == repair::Answer::Kind::Safe) break;
      if (answer.kind == repair::Answer::Kind::Unknown) {
        result.summary = fmt::format("UNKNOWN: {} after {} checks; so far {} {} made atomic", answer.reason.text,
                                     result.checks, chosen.size(), chosen.size() == 1 ? "write was" : "writes were");
        return;
      }
      const auto next = most_inconsistent(replayed(program, answer.run).trace, chosen);
      if (!next) {
        result.summary = "UNKNOWN: a run goes wrong in which no store comes too late: " + violation_;
        return;
      }
      chosen.insert(std::ranges::upper_bound(chosen, *next), *next);
    }
    result.outcome = outcome_of(repair::Synthesis::Outcome::Repaired);
    result.places = places_of(chosen);
    result.cost = 0;
    for (const std::uint32_t i : chosen) *result.cost += cost_of(i);
    write(chosen, result);
    const std::string bound = up_to(bounds_);
    result.summary = chosen.empty()
                         ? "is safe as it is" + bound
                         : fmt::format(
                               "safe{} with {} atomic write{} of {} possible ({} checks); fewer may "
                               "be enough: --heuristic does not look for them",
                               bound, chosen.size(), chosen.size() == 1 ? "" : "s", places_.size(), result.checks);
  }

  std::optional<std::uint32_t> most_inconsistent(const core::Trace& trace, const repair::Elements& chosen) const {
    std::optional<std::uint32_t> best;
    std::size_t most = 0;
    for (const report::Hazard& hazard : report::hazards(trace)) {
      if (hazard.accesses.empty() || (best && hazard.accesses.size() <= most)) continue;
      const core::TraceStep& store = trace.steps[hazard.begin];
      const auto place = place_of_store(store.move, store.effects[hazard.effect].location);
      if (!place || std::ranges::binary_search(chosen, *place)) continue;
      best = place;
      most = hazard.accesses.size();
    }
    return best;
  }

  // The place of what a step stores to a location, "flag[1]".
  std::optional<std::uint32_t> place_of_store(const core::Move& move, const std::string& location) const {
    const ir::Program& program = *subject_.steps();
    const std::string variable = location.substr(0, location.find('['));
    const auto is_edge = [&](std::uint32_t thread, std::uint32_t choice, const repair::IrPlace& place) {
      if (thread == core::Move::none || choice >= program.processes[thread].edges.size()) return false;
      const std::uint32_t edge = program.processes[thread].edges[choice];
      return edge == place.edge || std::ranges::find(place.copies, edge) != place.copies.end();
    };
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if (places_[i].var != ir::none && program.variables[places_[i].var].name == variable &&
          (is_edge(move.thread, move.choice, places_[i]) || is_edge(move.partner, move.partner_choice, places_[i])))
        return i;
    return std::nullopt;
  }

  bool refused(Repair& result) const {
    for (const models::Model* model : models_) {
      auto refused = subject_.properties.has<core::Ltl>() ? ltl_refuses(subject_, *model, task_)
                                                          : explicit_refuses(subject_, *model, task_);
      if (refused && kinds_.by_text && !refused_without_bound(subject_, *model, task_)) refused.reset();
      if (!refused) continue;
      result.summary = "UNKNOWN: nothing checks this: " + refused->text;
      return true;
    }
    return false;
  }

  std::uint64_t cost_of(std::uint32_t i) const {
    if (std::ranges::binary_search(start_, i)) return 0;
    return places_[i].var == ir::none ? costs_.fence : costs_.atomic;
  }
  bool is_priced() const { return costs_.atomic != 1 || costs_.fence != 1; }
  const char* what() const {
    return kinds_.atomic && (kinds_.fence || kinds_.sync) ? "change"
           : kinds_.atomic                                ? "atomic write"
           : kinds_.sync                                  ? "sync"
                                                          : "fence";
  }

  std::vector<RepairProof::Place> priced_places() const {
    std::vector<RepairProof::Place> places;
    for (std::uint32_t i = 0; i < places_.size(); ++i) places.push_back({report::text_of(place_of(i)), cost_of(i)});
    return places;
  }

  void keep(const repair::Elements& constraint, const ir::Program& program, const repair::WrongRun& run) {
    core::Verdict verdict;
    verdict.model = model_->name;
    accept(verdict, replayed(program, run));
    shown_.try_emplace(constraint, RepairProof::Constraint{constraint, std::move(verdict), {}});
  }

  std::string objection(const RepairProof::Constraint& constraint) const {
    repair::Elements others;
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if (!std::ranges::binary_search(constraint.places, i)) others.push_back(i);
    const check::Replayed replayed =
        replay_verdict(with(repair::strengthened(*subject_.steps(), places_, others)),
                       *models::find(constraint.run.model), constraint.run, buffer_bound(task_));
    return objection_to(replayed, subject_.properties);
  }

  core::Verdict judge_set(const RepairProof& proof) {
    const Subject repaired = with(repair::strengthened(*subject_.steps(), places_, proof.chosen));
    if (proof.states.empty()) return judged(repaired);
    core::Verdict verdict;
    verdict.model = model_->name;
    core::Finding finding;
    const auto sets = ir::parse_certificate(*repaired.steps(), proof.states, options_.check_certificate);
    if (const auto why = refused_without_bound(repaired, *model_, task_)) finding.what = *why;
    else if (!sets) finding.what = core::Reason{core::Reason::Kind::Open, "its states: " + sets.error().message};
    else if (models_.size() > 1 || model_of(sets->order) != model_->name)
      finding.what = core::Reason{core::Reason::Kind::Open, "its states are those of another model"};
    else if (repaired.properties.has<core::Robust>())
      finding.what = core::Reason{core::Reason::Kind::Open, "its states prove nothing about robustness"};
    else finding = certified(*repaired.steps(), *sets);
    core::pronounce(verdict, finding);
    return verdict;
  }

  // Of the first model under which it is not safe, or of all.
  core::Verdict judged(const Subject& repaired) {
    core::Verdict verdict;
    std::vector<std::string> bounds;
    for (const models::Model* model : models_) {
      verdict = judge(repaired, *model, "", task_, search(repaired, *model));
      if (verdict.outcome != core::Outcome::Safe) return verdict;
      add_bounds(bounds, verdict.bounds);
    }
    verdict.bounds = std::move(bounds);
    return verdict;
  }

  core::Finding certified(const ir::Program& program, const ir::BufferSets& sets) const {
    core::Finding finding;
    const auto checked = check::check_buffer_sets(program, sets, claim_of(subject_.properties), budget_);
    std::optional<core::Reason> why = checked.stopped;
    if (!checked.verified && !why) why = core::Reason{core::Reason::Kind::Open, "its states: " + checked.why};
    std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
               core::conclude({.ended = checked.verified, .stopped = why, .seen = sets.states.size()}));
    return finding;
  }

  // Models of single accesses have few symbolic states, and their buffers are asked about without a bound from the
  // start. For others that is asked only where explicit states have met their bound.
  core::Finding search(const Subject& subject, const models::Model& model) {
    if (subject.properties.has<core::Ltl>()) return find_any_violation(subject, model, task_, budget_);
    const bool symbolic_first = kinds_.by_text && proves_;
    core::Finding finding;
    if (symbolic_first) finding = without_bound(subject, model, task_, budget_);
    else finding = run_explicit(subject, model, task_, budget_);
    if (symbolic_first && finding.stopped() != nullptr && !explicit_refuses(subject, model, task_)) {
      if (model.machine->has_buffers()) proves_ = false;  // it would not end for the next candidate either
      return run_explicit(subject, model, task_, budget_);
    }
    if (symbolic_first || !finding.nothing() || finding.bounds.empty() || !proves_) return finding;
    core::Finding further = without_bound(subject, model, task_, budget_);
    proves_ = further.stopped() == nullptr;
    return proves_ ? further : finding;
  }

  // Nothing that is said about memory helps a program that is wrong without it.
  bool wrong_already(Repair& result) {
    if (subject_.properties.has<core::Robust>()) return false;  // every run of sc is one of sc
    const models::Model& sc = *models::find("sc");
    core::Finding finding = search(subject_, sc);
    if (finding.nothing()) return false;
    if (finding.found() == nullptr) {
      result.summary = "UNKNOWN: " + finding.stopped()->text + " while it was checked under sc";
      return true;
    }
    const check::Replayed shown = replay(subject_, sc, *finding.found(), buffer_bound(task_));
    result.outcome = core::Outcome::Unsafe;
    result.summary = "is wrong under sc already: " + shown.violation;
    return true;
  }

  // The answer under the first model that the candidate is not safe under; bounds_ are those of all until there.
  repair::Answer check_under_all(const repair::Elements& candidate) {
    std::vector<std::string> bounds;
    repair::Answer answer;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      model_ = models_[i];
      answer = repair::check_candidate(ways_[i], candidate);
      add_bounds(bounds, bounds_);
      if (answer.kind != repair::Answer::Kind::Safe) break;
    }
    bounds_ = std::move(bounds);
    return answer;
  }

  repair::IrAnswer ask_under_all(const ir::Program& program) {
    std::vector<std::string> bounds;
    repair::IrAnswer answer;
    for (const models::Model* model : models_) {
      model_ = model;
      answer = ask(program);
      add_bounds(bounds, bounds_);
      if (answer.kind != repair::Answer::Kind::Safe) break;
    }
    bounds_ = std::move(bounds);
    return answer;
  }

  repair::Answer answer(const std::vector<std::uint64_t>& costs, const repair::Elements& candidate) {
    repair::Answer answer = check_under_all(candidate);
    if (answer.kind == repair::Answer::Kind::Safe) {
      if (!is_safe_) states_ = last_states_;  // of the first: the chosen
      is_safe_ = true;
      add_bounds(safe_bounds_, bounds_);
      remember(costs, candidate);
    }
    if (is_limited() && answer.kind != repair::Answer::Kind::Safe) climb(costs, candidate, answer);
    return answer;
  }

  bool is_limited() const {
    return budget_.seconds || budget_.bytes || budget_.max_states != std::numeric_limits<std::uint64_t>::max();
  }

  // Where a limit may end the synthesis, some safe set is worth knowing: the candidate is strengthened by what its runs
  // ask for until it is safe. Their constraints are as good as the first ones. A candidate that is too large to be
  // decided is strengthened everywhere, which leaves less to search.
  void climb(const std::vector<std::uint64_t>& costs, const repair::Elements& candidate, repair::Answer& answer) {
    repair::Elements strong = candidate, more;
    if (answer.kind == repair::Answer::Kind::Unsafe) {
      more = answer.constraints.front();
    } else {
      for (std::uint32_t i = 0; i < places_.size(); ++i)
        if (!std::ranges::binary_search(candidate, i)) more.push_back(i);
    }
    while (!more.empty()) {
      repair::Elements stronger;
      std::ranges::set_union(strong, more, std::back_inserter(stronger));
      strong = std::move(stronger);
      repair::Answer next = check_under_all(strong);
      if (next.kind == repair::Answer::Kind::Safe) remember(costs, strong);
      if (next.kind != repair::Answer::Kind::Unsafe || answer.kind != repair::Answer::Kind::Unsafe) return;
      more = next.constraints.front();
      std::ranges::move(next.constraints, std::back_inserter(answer.constraints));
    }
  }

  // The cheapest set so far that the last search has found safe.
  void remember(const std::vector<std::uint64_t>& costs, const repair::Elements& set) {
    const auto cost = [&](const repair::Elements& elements) {
      std::uint64_t sum = 0;
      for (const std::uint32_t i : elements) sum += costs[i];
      return sum;
    };
    if (best_ && cost(*best_) <= cost(set)) return;
    best_ = set;
    best_bounds_ = bounds_;
  }

  Subject with(const ir::Program& program) const { return {program, subject_.properties, subject_.formulas, {}}; }

  repair::IrAnswer ask(const ir::Program& program) {
    core::Finding finding = search(with(program), *model_);
    bounds_ = finding.bounds;
    last_states_ = finding.certificate;
    if (finding.nothing()) return {repair::Answer::Kind::Safe, {}, {}};
    const core::Found* found = finding.found();
    if (found == nullptr) return {repair::Answer::Kind::Unknown, *finding.stopped(), {}};
    claim_ = found->claim;
    const auto& run = std::get<core::MoveRun>(found->run);
    const auto loop = run.moves.begin() + static_cast<std::ptrdiff_t>(std::min(run.loop_start, run.moves.size()));
    repair::WrongRun wrong{{run.moves.begin(), loop}, {loop, run.moves.end()}};
    const check::Replayed shown = replayed(program, wrong);
    if (!shown.confirmed) return {repair::Answer::Kind::Unknown, core::internal_error(shown.why.text), {}};
    violation_ = shown.violation;
    return {repair::Answer::Kind::Unsafe, {}, std::move(wrong)};
  }

  check::Replayed replayed(const ir::Program& program, const repair::WrongRun& wrong) const {
    core::MoveRun run{.moves = wrong.moves};
    if (!wrong.loop.empty()) run.loop_start = run.moves.size();
    run.moves.insert(run.moves.end(), wrong.loop.begin(), wrong.loop.end());
    return replay(with(program), *model_, {claim_, std::move(run)}, buffer_bound(task_));
  }

  Words names_of(const repair::Elements& chosen) const {
    Words names;
    for (const std::uint32_t i : chosen)
      names.push_back(kinds_.by_text ? report::text_of(place_of(i)) : places_[i].name);
    return names;
  }

  // The repaired text, or the file that --atomic reads.
  void write(const repair::Elements& chosen, Repair& result) {
    const Strengthening& how = subject_.strengthening;
    if (!how.insert) {
      for (const std::uint32_t i : chosen) result.text += places_[i].name + "\n";
      return;
    }
    const auto text = core::read_input(task_.files.front(), &budget_);
    if (!text) {
      result.no_text = text.error().message;
      return;
    }
    Strengthening::Insertions all;
    for (const std::uint32_t i : chosen) {
      const core::SourcePlace& at = source_of(i);
      const auto some = at.file == task_.files.front() ? how.insert(*text, at, places_[i].sync) : std::nullopt;
      if (!some) {
        result.no_text = fmt::format("the text at {} is not as it was read, or has another statement like it",
                                     report::text_of({at.file, at.line, at.column, places_[i].name}));
        return;
      }
      all.insert(all.end(), some->begin(), some->end());
    }
    result.text = *text;
    std::ranges::stable_sort(all, std::ranges::greater{}, [](const auto& insertion) { return insertion.first; });
    for (const auto& [offset, what] : all) result.text.insert(offset, what);
    if (!chosen.empty()) read_again(result);
  }

  // The text is what people get: it is read and checked as it stands. The places of what an inline or the preprocessor
  // makes may be those of another text.
  void read_again(Repair& result) {
    const std::filesystem::path original = task_.files.front();
    const TemporaryFolder folder;
    Task task = task_;
    task.files = {(folder.path() / original.filename()).string()};
    if (folder.path().empty() || !(std::ofstream(task.files.front(), std::ios::binary)
                                   << with_includes_of(original, result.text) << std::flush)) {
      result.notes.emplace_back("the repaired text is not known to be safe: it cannot be put aside");
      return;
    }
    const auto loaded = language_.load(task, budget_);
    if (!loaded && !loaded.error().limit) {
      result.no_text = "the text with the changes cannot be read: " + loaded.error().message;
      return;
    }
    const core::Verdict verdict = loaded ? judged(*loaded) : core::Verdict{};
    if (verdict.outcome == core::Outcome::Unsafe)
      result.no_text =
          fmt::format("the text with the changes is not safe under {}: {}", verdict.model, verdict.violation);
    if (verdict.outcome == core::Outcome::Unknown)
      result.notes.push_back("the repaired text is not known to be safe: " +
                             (loaded ? verdict.reason.text : loaded.error().message));
  }

  const core::SourcePlace& source_of(std::uint32_t i) const {
    static const core::SourcePlace nowhere;
    const ir::Program& program = *subject_.steps();
    const core::Site site = program.edges[places_[i].edge].site;
    return site < program.sites.size() ? program.sites[site] : nowhere;
  }

  // With its column where another place of the line has the same name.
  RepairPlace place_of(std::uint32_t i) const {
    const core::SourcePlace& at = source_of(i);
    bool alone = true;
    for (std::uint32_t k = 0; k < places_.size() && kinds_.by_text; ++k) {
      const core::SourcePlace& other = source_of(k);
      alone &= k == i || places_[k].name != places_[i].name || other.line != at.line || other.file != at.file;
    }
    return {at.file, at.line, alone ? 0 : at.column, places_[i].name};
  }

  std::vector<RepairPlace> places_of(const repair::Elements& chosen) const {
    std::vector<RepairPlace> places;
    for (const std::uint32_t i : chosen) places.push_back(place_of(i));
    return places;
  }

  void tell(const repair::Synthesis& found, Repair& result) {
    const bool priced = is_priced();
    const auto so_many = [&](std::size_t n) { return fmt::format("{} {}{}", n, what(), n == 1 ? "" : "s"); };
    const std::string chosen = so_many(found.chosen.size()) + (priced ? fmt::format(" of cost {}", found.cost) : "") +
                               (start_.empty() ? "" : fmt::format(", {} of them given,", start_.size()));
    const std::string bound = up_to(safe_bounds_);
    result.outcome = outcome_of(found.outcome);
    result.checks = found.checks;
    result.lower_bound = not_monotone() ? 0 : found.cost;
    switch (found.outcome) {
      case repair::Synthesis::Outcome::Unknown:
        result.summary = not_monotone() ? fmt::format("UNKNOWN: {} ({} checks)", found.reason.text, found.checks)
                         : priced       ? fmt::format("UNKNOWN: {}; every repair costs at least {} ({} checks)",
                                                      found.reason.text, found.cost, found.checks)
                                  : fmt::format("UNKNOWN: {}; at least {} {} needed ({} checks)", found.reason.text,
                                                so_many(found.cost), found.cost == 1 ? "is" : "are", found.checks);
        if (!best_) return;
        result.places = places_of(*best_);
        result.cost = 0;
        for (const std::uint32_t i : *best_) *result.cost += cost_of(i);
        result.summary += fmt::format("; safe{} with {}{}:", up_to(best_bounds_), so_many(best_->size()),
                                      priced ? fmt::format(" of cost {}", *result.cost) : "");
        return;
      case repair::Synthesis::Outcome::Hopeless:
        result.summary = fmt::format("no {} helps: {}", what(), violation_);
        if (const auto why = not_monotone()) {
          result.outcome = core::Outcome::Unknown;
          result.summary =
              fmt::format("UNKNOWN: a run goes wrong with all changes made: {}; whether fewer help is not known: {}",
                          violation_, *why);
        }
        return;
      case repair::Synthesis::Outcome::Repaired: break;
    }
    result.cost = found.cost;
    for (const repair::Elements& set : found.all) result.sets.push_back(names_of(set));
    for (const repair::Elements& set : found.constraints) result.constraints.push_back(names_of(set));
    write(found.chosen, result);
    if (found.chosen.empty()) {
      result.summary = "is safe as it is" + bound;
      return;
    }
    result.summary = fmt::format("safe{} with {} of {} possible, and with no {} ({} checks)", bound, chosen,
                                 places_.size(), priced ? "cheaper ones" : "fewer", found.checks);
    if (const auto why = not_monotone())
      result.summary =
          fmt::format("safe{} with {} of {} possible ({} checks); whether fewer are enough is not known: {}", bound,
                      chosen, places_.size(), found.checks, *why);
    result.places = places_of(found.chosen);
    for (const repair::Elements& other : found.all) {
      if (other == found.chosen) continue;
      result.others.emplace_back();
      for (const std::uint32_t i : other)
        result.others.back().push_back(kinds_.by_text ? place_of(i) : RepairPlace{"", 0, 0, places_[i].name});
    }
  }

  std::optional<std::string> not_monotone() const {
    std::vector<std::uint32_t> atoms;
    bool uses_next = false;
    for (const Formula& formula : subject_.formulas) {
      atoms.insert(atoms.end(), formula.propositions.begin(), formula.propositions.end());
      uses_next |= formula.sentence && ltl::uses_next(*formula.sentence);
      if (formula.process_fairness && !formula.memory_fairness)
        return "no scheduler passes over a process that waits for ever for its stores to arrive, so a run may be fair "
               "by what is added";
      if (!formula.sentence) return "an automaton may tell one step from two, and an atomic store is one step less";
    }
    auto why = repair::not_monotone(*subject_.steps(), places_, atoms, uses_next);
    return why ? why : sees_syncs();
  }

  // A condition that a process fulfils by waiting at a sync.
  std::optional<std::string> sees_syncs() const {
    if (!kinds_.sync) return std::nullopt;
    const ir::Program& program = *subject_.steps();
    for (const core::Property& property : subject_.properties.list)
      if (const auto* state = std::get_if<core::StateProposition>(&property);
          state != nullptr &&
          repair::asks_for_absence(program, program.propositions[state->proposition].condition, state->forbidden_when))
        return about_absence(program.propositions[state->proposition].text);
    for (const Formula& formula : subject_.formulas)
      if (formula.sentence && wants_absence(formula, formula.sentence->root, false)) return about_absence(formula.text);
    return std::nullopt;
  }

  static std::string about_absence(const std::string& text) {
    return fmt::format("'{}' is about a process that is not at a label, and one that waits at a sync is not", text);
  }

  // Can the node of the formula get this value by a process that is not at a label? All temporal operators are monotone.
  bool wants_absence(const Formula& formula, std::uint32_t node, bool value) const {
    const ltl::SyntaxNode& n = formula.sentence->nodes[node];
    const auto inside = [&](std::uint32_t part, bool wanted) { return wants_absence(formula, part, wanted); };
    using enum ltl::Operator;
    switch (n.op) {
      case True:
      case False: return false;
      case Atom: {
        const ir::Program& program = *subject_.steps();
        return repair::asks_for_absence(program, program.propositions[formula.propositions[n.left]].condition, value);
      }
      case Not: return inside(n.left, !value);
      case Next:
      case Finally:
      case Globally: return inside(n.left, value);
      case Implies: return inside(n.left, !value) || inside(n.right, value);
      case Iff: return inside(n.left, true) || inside(n.left, false) || inside(n.right, true) || inside(n.right, false);
      default: return inside(n.left, value) || inside(n.right, value);
    }
  }

  const Language& language_;
  const Subject& subject_;
  const Models models_;
  const models::Model* model_;  // of the run in hand
  const Task& task_;
  const RepairOptions& options_;
  const repair::StepCosts& costs_;
  core::Budget& budget_;
  const repair::IrPlaceKinds kinds_;
  const std::vector<repair::IrPlace> places_;
  std::vector<repair::IrRepair> ways_;  // by model
  repair::Elements start_;              // at no cost
  bool proves_ = true;                  // the engine for buffers without a bound has ended so far
  core::Claim claim_;                   // of the run in hand
  std::string violation_;
  std::vector<std::string> bounds_;       // of the last search
  std::vector<std::string> safe_bounds_;  // of all cheapest sets that were found
  ShownRuns shown_;                       // if a certificate was asked for
  bool is_safe_ = false;                  // some candidate
  std::string states_, last_states_;      // that prove the chosen set safe, and the last candidate
  std::optional<repair::Elements> best_;  // a set that is safe, if the synthesis may not end
  std::vector<std::string> best_bounds_;
  std::optional<RepairProof> proof_;
};

}  // namespace

support::Result<std::vector<Repair>> repair_steps(const Language& language, const Subject& subject, const Task& task,
                                                  const RepairOptions& options, const repair::StepCosts& costs,
                                                  core::Budget& budget) {
  std::optional<Subject> started;  // with what --start names
  if (!options.start.empty()) {
    Task more = task;
    more.atomic_file.set(options.start);
    auto loaded = language.load(more, budget);
    if (!loaded) return loaded.error();
    started.emplace(std::move(*loaded));
  }
  const auto begin = [&](Repairer& repairer) { return !started || repairer.start_with(*started->steps()); };
  const support::Diagnostic other_kinds{
      options.start, 0, 0, "has writes or fences that --with does not let be changed", "", "--with both takes both"};
  return repair_by_model(language, task, options,
                         {.run = [&](const Models& models, core::Budget& share) -> support::Result<ProvedRepair> {
                            Repairer repairer(language, subject, models, task, options, costs, share);
                            if (!begin(repairer)) return other_kinds;
                            Repair repair = repairer.run();
                            return ProvedRepair{std::move(repair), repairer.proof()};
                          },
                          .check = [&](const Models& models, const RepairProof& proof) -> support::Result<Repair> {
                            Repairer repairer(language, subject, models, task, options, costs, budget);
                            if (!begin(repairer)) return other_kinds;
                            return repairer.check(proof);
                          }},
                         budget);
}

}  // namespace heddle::drive
