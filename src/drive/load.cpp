// SPDX-License-Identifier: Apache-2.0
#include "drive/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/input.h"
#include "drive/languages.h"
#include "lang/cubicle/instance.h"
#include "lang/cubicle/parser.h"
#include "lang/dve/dve.h"
#include "lang/llvm/load.h"
#include "lang/promela/promela.h"
#include "lang/rmm/rmm.h"
#include "vm/conditions.h"
#include "vm/vm_program.h"

namespace heddle::drive {

namespace {

namespace fs = std::filesystem;

support::Diagnostic mistake(std::string message, std::string hint, std::string file = {}) {
  return {std::move(file), 0, 0, std::move(message), "", std::move(hint)};
}

// The runtime library lies beside the program: build/heddle and build/runtime. HEDDLE_RUNTIME names another place.
std::string runtime_folder() {
  if (const char* named = std::getenv("HEDDLE_RUNTIME"); named != nullptr) return named;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const fs::path& folder : {self.parent_path() / "runtime", self.parent_path() / "../lib/heddle/runtime"})
    if (fs::exists(folder / "symbols.txt", error)) return folder.lexically_normal().string();
  return {};
}

// "LOW:HIGH", both whole numbers, LOW not above HIGH.
std::optional<std::pair<int, int>> range_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  int low = 0, high = 0;
  const char *middle = text.data() + colon, *end = text.data() + text.size();
  const auto a = std::from_chars(text.data(), middle, low), b = std::from_chars(middle + 1, end, high);
  if (a.ec != std::errc() || a.ptr != middle || b.ec != std::errc() || b.ptr != end || low > high) return std::nullopt;
  return std::pair{low, high};
}

lang::llvm_ir::Options reading(const Task& task, const core::Properties& asked) {
  lang::llvm_ir::Options options;
  options.optimise = *task.optimise;
  options.standard = *task.standard;
  options.includes = *task.include_dirs;
  options.defines = *task.defines;
  options.cflags = *task.cflags;
  options.runtime = runtime_folder();
  options.reach = *task.reach;
  options.check_overflow = asked.has<core::Overflow>();
  if (*task.malloc_may_fail) options.settings.emplace_back("__heddle_malloc_may_fail", 1);
  options.settings.emplace_back("__heddle_spurious_wakeups", *task.spurious_wakeups != "off");
  options.settings.emplace_back("__heddle_uncaught", *task.uncaught == "stay" ? 0 : *task.uncaught == "unwind" ? 1 : 2);
  if (const auto range = range_of(*task.nondet)) {
    options.settings.emplace_back("__heddle_nondet_given", 1);
    options.settings.emplace_back("__heddle_nondet_low", range->first);
    options.settings.emplace_back("__heddle_nondet_high", range->second);
  }
  return options;
}

// -D NAME=VALUE
std::vector<std::pair<std::string, std::string>> definitions(const Task& task) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const std::string& define : *task.defines) {
    const std::size_t equals = define.find('=');
    list.emplace_back(define.substr(0, equals), equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  return list;
}

// Adds what --invariant and --reach ask for; `add(text, option)` makes a proposition of a text.
template <class Add>
std::optional<support::Diagnostic> add_conditions(const Task& task, core::Properties& asked, const Add& add) {
  for (const auto& [list, option, value] :
       {std::tuple{&*task.invariants, "--invariant", false}, std::tuple{&*task.reach, "--reach", true}})
    for (const std::string& text : *list) {
      const support::Result<std::uint32_t> proposition = add(text, option);
      if (!proposition) return proposition.error();
      asked.list.emplace_back(core::StateProposition{*proposition, value});
    }
  return std::nullopt;
}

// The texts that conditions about a model can stand in, those of files too.
std::vector<std::string> texts_of_conditions(const Task& task, core::Budget& budget) {
  std::vector<std::string> texts = *task.invariants;
  texts.insert(texts.end(), task.reach->begin(), task.reach->end());
  texts.insert(texts.end(), task.ltl->begin(), task.ltl->end());
  std::vector<std::string> files = *task.ltl;
  files.push_back(*task.automaton);
  for (const std::string& file : files)
    if (std::error_code error; fs::is_regular_file(file, error))
      if (auto text = core::read_input(file, &budget)) texts.push_back(std::move(*text));
  return texts;
}

// Has the program a property process with accepting states? It is a question of its own.
bool observes(const ir::Program& program) {
  return program.property != ir::none &&
         std::ranges::any_of(program.processes[program.property].states, &ir::ControlState::accept);
}

Subject with_formulas(ir::Program program, core::Properties asked, Temporal temporal, const Task& task) {
  for (const std::uint32_t p : temporal.invariants) asked.list.emplace_back(core::StateProposition{p, false});
  if (observes(program))
    temporal.formulas.push_back({"", std::nullopt, std::nullopt, {}, *task.fair, *task.memory_fairness});
  for (std::uint32_t i = 0; i < temporal.formulas.size(); ++i) asked.list.emplace_back(core::Ltl{i});
  return Subject{std::move(program), std::move(asked), std::move(temporal.formulas)};
}

// The temporal formulas about a C program.
std::optional<support::Diagnostic> read_temporal(const Task& task, Subject& subject, Words& conditions,
                                                 core::Budget& budget) {
  Vocabulary words{.add = {}, .placed = true};
  if (!task.ltl->empty() || !task.automaton->empty()) {
    const models::Model& model = *models::find(task.models->front());
    if (const auto program = subject.threads()->prepare(model); !program) return program.error();
    words.add = [&](const std::string& text, const std::string&) {
      auto number = static_cast<vm::Conditions&>(subject.threads()->conditions(model)).add(text);
      if (number) conditions.push_back(text);
      return number;
    };
  }
  auto temporal = read_formulas(task, words, budget);
  if (!temporal) return temporal.error();
  for (std::uint32_t i = 0; i < temporal->formulas.size(); ++i) subject.properties.list.emplace_back(core::Ltl{i});
  subject.formulas = std::move(temporal->formulas);
  return std::nullopt;
}

support::Result<core::Properties> properties_of_c(const Task& task) {
  const auto asked =
      properties_of(task, *language_of(".c"), {{core::Assertion{}, core::Deadlock{}, core::Leak{}, core::Race{true}}});
  if (!asked) return asked.error();
  // Overflow is looked for by code that the compiler adds.
  if (asked->has<core::Overflow>())
    for (const std::string& file : task.files)
      if (const auto ext = fs::path(file).extension(); ext == ".ll" || ext == ".bc")
        return mistake("--property overflow works on C files only",
                       "give the source, or compile it with -fsanitize-trap=signed-integer-overflow,shift", file);
  if (!task.nondet->empty() && !range_of(*task.nondet))
    return mistake(fmt::format("--nondet takes LOW:HIGH, not '{}'", *task.nondet),
                   "as --nondet -1:5; both are numbers of 32 bits with a sign");
  return asked;
}

// `made`, if there is one, is called with each translation as it is made; then there is room for fences.
support::Result<Subject> load_threads(const Task& task, core::Budget& budget,
                                      std::function<void(vm::VmProgram&)> made) {
  const auto asked = properties_of_c(task);
  if (!asked) return asked.error();
  // What formulas say of single states; the first translation is asked whether they make sense.
  const auto conditions = std::make_shared<Words>();
  lang::llvm_ir::Options options = reading(task, *asked);
  options.points = !task.ltl->empty() || !task.automaton->empty();
  options.fence_slots = made != nullptr;
  options.budget = &budget;
  auto load = [reader = std::make_shared<lang::llvm_ir::Reader>(task.files, std::move(options)), conditions,
               made = std::move(made)](bool tracks_registers) -> support::Result<Threads::Translation> {
    auto program = reader->translation(tracks_registers);
    if (!program) return program.error();
    if (made) made(**program);
    auto bound = std::make_unique<vm::Conditions>(**program);
    for (const std::string& text : *conditions)
      if (const auto added = bound->add(text); !added) return added.error();
    return Threads::Translation{std::move(*program), std::move(bound)};
  };
  Subject subject{Threads(std::move(load)), *asked};
  if (const auto wrong = read_temporal(task, subject, *conditions, budget)) return *wrong;
  return subject;
}

}  // namespace

support::Result<Subject> load_c(const Task& task, core::Budget& budget) {
  if (!task.certificate->empty() && task.models->size() != 1)
    return mistake("--certificate is about one model", "choose it with --model");
  return load_threads(task, budget, {});
}

support::Result<Subject> load_c_for_repair(const Task& task, core::Budget& budget,
                                           std::function<void(vm::VmProgram&)> made) {
  const char* const instead = "assertions, --property and --ltl without X can be repaired for";
  // A fence is a step.
  if (!task.automaton->empty()) return mistake("an automaton may tell a run with a fence from one without", instead);
  auto subject = load_threads(task, budget, std::move(made));
  if (!subject) return subject;
  for (const Formula& formula : subject->formulas) {
    if (formula.sentence && ltl::uses_next(*formula.sentence))
      return mistake(fmt::format("'{}' has X, and may tell a run with a fence from one without", formula.text),
                     instead);
    if (formula.process_fairness && !formula.memory_fairness)
      return mistake(
          "with --fair and --memory-fairness off a fence may add fair runs: no scheduler passes over a thread "
          "that waits there for ever",
          "leave one of them out");
  }
  return subject;
}

support::Result<Subject> load_dve(const Task& task, core::Budget& budget) {
  if (task.files.size() != 1) return mistake("a DVE model is one file", "check one file at a time");
  if (!task.certificate->empty() && task.models->size() != 1)
    return mistake("--certificate is about one model", "choose it with --model");
  auto asked = properties_of(task, *language_of(".dve"), {{core::Assertion{}}});
  if (!asked) return asked.error();
  dve::Options options;
  options.defines = definitions(task);
  if (!task.atomic_file->empty()) options.atomic_file = *task.atomic_file;
  options.budget = &budget;
  auto program = dve::load(task.files.front(), options);
  if (!program) return program.error();
  if (const auto mistaken = add_conditions(task, *asked, [&](const std::string& text, const char* option) {
        return dve::add_proposition(*program, text, option);
      }))
    return *mistaken;
  const Vocabulary words{.add = [&](const std::string& text,
                                    const std::string& place) { return dve::add_proposition(*program, text, place); },
                         .is_process =
                             [&](std::string_view name) {
                               return std::ranges::any_of(program->processes,
                                                          [&](const ir::Process& p) { return p.name == name; });
                             },
                         .own_property = observes(*program),
                         .placed = true,
                         .invariants = true};
  auto temporal = read_formulas(task, words, budget);
  if (!temporal) return temporal.error();
  return with_formulas(std::move(*program), std::move(*asked), std::move(*temporal), task);
}

support::Result<Subject> load_promela(const Task& task, core::Budget& budget) {
  if (task.files.size() != 1) return mistake("a Promela model is one file", "check one file at a time");
  if (!task.certificate->empty() && task.models->size() != 1)
    return mistake("--certificate is about one model", "choose it with --model");
  auto asked = properties_of(task, *language_of(".pml"), {{core::Assertion{}, core::Deadlock{}}});
  if (!asked) return asked.error();
  promela::Options options;
  options.defines = definitions(task);
  options.conditions = texts_of_conditions(task, budget);
  options.budget = &budget;
  auto loaded = promela::load(task.files.front(), options);
  if (!loaded) return loaded.error();
  if (const auto mistaken = add_conditions(task, *asked, [&](const std::string& text, const char* option) {
        return promela::add_proposition(*loaded, text, option);
      }))
    return *mistaken;
  const Vocabulary words{
      .add = [&](const std::string& text,
                 const std::string& place) { return promela::add_proposition(*loaded, text, place); },
      .own_property = observes(loaded->program)};
  std::vector<OwnFormula> own;
  for (const promela::LtlBlock& block : loaded->ltl) own.push_back({block.text, task.files.front(), block.line});
  auto temporal = read_formulas(task, words, budget, own);
  if (!temporal) return temporal.error();
  Subject subject = with_formulas(std::move(loaded->program), std::move(*asked), std::move(*temporal), task);
  subject.strengthening = {{.atomic = false, .sync = true, .by_text = true}, promela::strengthen};
  return subject;
}

support::Result<Subject> load_rmm(const Task& task, core::Budget& budget) {
  if (task.files.size() != 1) return mistake("a Memorax program is one file", "check one file at a time");
  if (!task.certificate->empty() && task.models->size() != 1)
    return mistake("--certificate is about one model", "choose it with --model");
  auto asked = properties_of(task, *language_of(".rmm"), {{core::Assertion{}}});
  if (!asked) return asked.error();
  auto loaded = rmm::load(task.files.front(), &budget);
  if (!loaded) return loaded.error();
  // Robustness alone asks about no state.
  if (!asked->without<core::Robust>().list.empty())
    asked->list.emplace_back(core::StateProposition{loaded->forbidden, true});
  return Subject{std::move(loaded->program), std::move(*asked), {}, {{.by_text = true}, rmm::strengthen}};
}

support::Result<Subject> load_cubicle(const Task& task, core::Budget& budget) {
  if (task.files.size() != 1) return mistake("one system at a time", "give one .cub file");
  if (!task.certificate->empty() && task.models->size() != 1)
    return mistake("--certificate is about one model", "choose it with --model");
  if (*task.brab > 6) return mistake("--brab takes a number from 1 to 6", "2 or 3 is usual");
  auto system = cubicle::parse_file(task.files[0], &budget);
  if (!system) return system.error();
  // Not every system has an instance of every size: that is said before anything runs.
  if (*task.procs != 0)
    if (const auto instance = cubicle::instantiate(*system, static_cast<unsigned>(*task.procs), &budget); !instance)
      return instance.error();
  return Subject{std::move(*system), {{core::UnsafeCube{}}}};
}

}  // namespace heddle::drive
