// Runs one regression file through heddle and compares what its header expects: regress_runner HEDDLE FILE.
//
// The header is the comment at the top of the file (behind `//`, `(*`, `#` or `;`), one row per line:
//
//   what      one line: what it is about
//   why       one line: what would be missed without it (a row goes on in lines that are indented further)
//   options   options of `heddle check`, quoted as in a shell; may be repeated
//   with      further options for the rows `expect` that follow, up to the next `with`
//   expect    MODEL[,MODEL…] holds|violated|unknown [kind K] [at MARK] [cost R,WW,WR] [length N] [states N]
//             [executions N] [up-to BOUND…] [reason TEXT…]
//             (`at MARK`: the violation is at the line of the file that ends in `// MARK`)
//   assumes   nothing | clause[; clause…]   all that the verdicts of the rows `expect` that follow take for granted, up
//             to the next row `assumes`
//   outcomes  MODEL { … }      the whole set, as the engine lists it in its statistics under "outcomes"
//   because   why the rows `expect` that follow hold: the reasoning behind them
//   error     LINE[:COLUMN] [text…]   an input error at that place whose message contains the text
//   other     ENGINE MODEL[,MODEL…] refuses|unknown text…     another engine than that of `check` has no verdict,
//             and says why in words that contain the text
//   other     ENGINE MODEL[,MODEL…] holds|violated text…      it has another verdict; the text is the reason for it
//             (both: for the rows `expect` up to the next `with`; above the first `with`: for all rows)
//
// Every model with an expectation is run as `check` runs it, then with every other engine of the language that has the
// model, unless the options name one; engines that only prove, once per section, and what they prove must hold. The
// models of a section are run at once where all of them have a verdict then. `up-to` and `reason`, which `unknown` needs,
// take the rest of their row. A missing, unknown or unused row fails, and so does a trace that does not replay.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "drive/engine.h"
#include "drive/languages.h"
#include "models/models.h"
#include "report/json.h"

namespace {

using namespace heddle;
namespace fs = std::filesystem;

struct Expectation {
  unsigned line = 0;
  std::string model;
  std::string verdict;
  std::string options;
  std::optional<std::string> kind, bounds, assumptions, reason;
  std::optional<unsigned> at;
  std::optional<core::Cost> cost;
  std::optional<std::uint64_t> length, states, executions;
  unsigned section = 0;  // so many rows `with` stand above it
};

// What an engine answers that `check` does not choose, where it does not agree.
struct Other {
  unsigned line = 0, section = 0;
  std::string engine, model, answer, text;
  mutable bool used = false;
};

struct Header {
  std::string what, why, options;
  std::vector<Other> others;
  std::vector<Expectation> expectations;
  std::map<std::string, std::set<std::string>> outcomes;
  struct Error {
    unsigned line = 0, column = 0;
    std::string text;
  };
  std::optional<Error> error;
};

int failures = 0;

void fail(const std::string& file, unsigned line, const std::string& message) {
  ++failures;
  std::cout << file << (line > 0 ? ":" + std::to_string(line) : "") << ": " << message << "\n";
}

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string trimmed(std::string text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!text.empty() && blank(static_cast<unsigned char>(text.back()))) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
  return text;
}

// The text behind a comment marker with its indentation, or nothing if the line is no comment.
// (`#` begins no comment in C.)
std::optional<std::string> comment(std::string line, bool hashes) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return "";
  line.erase(0, start);
  bool found = false;
  for (const char* marker : {"//", "(*", "/*", "#", "*", ";"})
    if (!found && line.starts_with(marker) && (hashes || *marker != '#')) {
      line.erase(0, std::string(marker).size());
      found = true;
    }
  if (!found) return {};
  for (const char* end : {"*)", "*/"})
    if (const std::size_t at = line.find(end); at != std::string::npos) line.erase(at);
  // `// # expect` is as good as `// expect`
  const std::size_t first = line.find_first_not_of(' ');
  if (first != std::string::npos && line[first] == '#') line.erase(0, first + 1);
  return line;
}

// The line that ends in the comment `// mark`.
std::optional<unsigned> marked_line(const std::string& file, const std::string& mark) {
  std::ifstream stream(file);
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (trimmed(line).ends_with(" // " + mark)) return number;
  }
  return {};
}

Expectation read_expectation(const std::string& file, unsigned line, std::istringstream& words) {
  Expectation result;
  result.line = line;
  words >> result.model >> result.verdict;
  if (result.verdict != "holds" && result.verdict != "violated" && result.verdict != "unknown")
    fail(file, line, "expect: '" + result.verdict + "' is none of holds, violated, unknown");
  for (std::string word; words >> word;) {
    std::string value;
    if (word == "up-to" || word == "reason") {
      std::getline(words, value);
      (word == "reason" ? result.reason : result.bounds) = trimmed(value);
      break;
    }
    if (!(words >> value)) {
      fail(file, line, "expect: nothing follows '" + word + "'");
      break;
    }
    try {
      if (word == "kind") result.kind = value;
      else if (word == "at") {
        result.at = marked_line(file, value);
        if (!result.at) fail(file, line, "expect: no line ends in '// " + value + "'");
      } else if (word == "length") result.length = std::stoull(value);
      else if (word == "states") result.states = std::stoull(value);
      else if (word == "executions") result.executions = std::stoull(value);
      else if (word == "cost") {
        const std::vector<std::string> parts = drive::split(value, ',');
        if (parts.size() != 3) throw std::invalid_argument("cost");
        result.cost = core::Cost{static_cast<std::uint32_t>(std::stoul(parts[0])),
                                 static_cast<std::uint32_t>(std::stoul(parts[1])),
                                 static_cast<std::uint32_t>(std::stoul(parts[2]))};
      } else fail(file, line, "expect: unknown word '" + word + "'");
    } catch (const std::exception&) {
      fail(file, line, "expect: '" + value + "' is no value for " + word);
    }
  }
  if ((result.verdict == "unknown") != (result.reason && !result.reason->empty()))
    fail(file, line, "expect: 'unknown' and no other verdict has a reason");
  return result;
}

void read_other(const std::string& file, unsigned line, unsigned section, std::istringstream& words,
                std::vector<Other>& others) {
  Other other;
  other.line = line;
  other.section = section;
  std::string models;
  words >> other.engine >> models >> other.answer;
  std::getline(words, other.text);
  other.text = trimmed(other.text);
  const std::set<std::string> answers{"refuses", "unknown", "holds", "violated"};
  if (!answers.contains(other.answer))
    fail(file, line, "other: '" + other.answer + "' is none of refuses, unknown, holds, violated");
  if (other.text.empty()) fail(file, line, "other: no reason is given");
  for (const std::string& model : drive::split(models, ',')) {
    other.model = model;
    others.push_back(other);
  }
}

Header read_header(const std::string& file) {
  Header header;
  std::ifstream stream(file);
  unsigned number = 0;
  const std::string extension = fs::path(file).extension().string();
  const bool hashes = extension != ".c" && extension != ".cpp" && extension != ".cc" && extension != ".cxx";
  std::string with;
  unsigned section = 0;  // rows `with` so far
  std::optional<std::string> assumptions;
  std::string key;  // of the row that an indented line goes on
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto text = comment(line, hashes);
    if (!text) {
      if (number == 1 && file.ends_with(".litmus")) continue;  // "ARCH name" stands first there
      break;
    }
    if (trimmed(*text).empty() || text->find("SPDX-License-Identifier") != std::string::npos) continue;
    const std::size_t indentation = text->find_first_not_of(' ');
    std::istringstream words(*text);
    if (indentation >= 4 && !key.empty()) {
      if (key == "what") header.what += " " + trimmed(*text);
      if (key == "why") header.why += " " + trimmed(*text);
      if (key == "options") header.options += " " + trimmed(*text);
      continue;
    }
    words >> key;
    std::string rest;
    if (key == "what" || key == "why" || key == "options") {
      std::getline(words, rest);
      (key == "what" ? header.what : key == "why" ? header.why : header.options) += " " + trimmed(rest);
    } else if (key == "with") {
      std::getline(words, rest);
      with = trimmed(rest);
      ++section;
    } else if (key == "assumes") {
      std::getline(words, rest);
      assumptions = trimmed(rest);
    } else if (key == "expect") {
      Expectation expected = read_expectation(file, number, words);
      expected.options = with;
      expected.assumptions = assumptions;
      expected.section = section;
      for (const std::string& model : drive::split(std::string(expected.model), ',')) {
        expected.model = model;
        header.expectations.push_back(expected);
      }
    } else if (key == "other") {
      read_other(file, number, section, words, header.others);
    } else if (key == "because") {
      std::getline(words, rest);
      if (trimmed(rest).empty()) fail(file, number, "because: no reason is given");
    } else if (key == "outcomes") {
      std::string model, word;
      words >> model >> word;
      if (word != "{") fail(file, number, "outcomes: a set in braces follows the model");
      std::set<std::string>& set = header.outcomes[model];
      for (bool open = true; open && words >> word;)
        if (word == "}") open = false;
        else set.insert(word);
    } else if (key == "error") {
      Header::Error error;
      char colon = 0;
      words >> error.line;
      if (words.peek() == ':') words >> colon >> error.column;
      std::getline(words, rest);
      error.text = trimmed(rest);
      header.error = error;
    } else {
      fail(file, number, "unknown row '" + key + "' in the header");
    }
  }
  if (trimmed(header.what).empty()) fail(file, 0, "the header has no row 'what'");
  if (trimmed(header.why).empty()) fail(file, 0, "the header has no row 'why'");
  if (header.expectations.empty() && !header.error) fail(file, 0, "the header expects nothing");
  return header;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

struct Ran {
  int code = -1;
  std::string out, err;
  std::optional<report::Run> report;
};

class Runner {
 public:
  Runner(std::string heddle, std::string file) : heddle_(std::move(heddle)), file_(std::move(file)) {
    folder_ = fs::temp_directory_path() / fmt::format("heddle_regress_{}", getpid());
    fs::create_directories(folder_);
  }
  ~Runner() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  std::string json_path() const { return (folder_ / "report.json").string(); }

  // Relative names in `options` (an atomic file, say) are meant from the folder of the test.
  Ran run(const std::string& options) const {
    const fs::path file(file_);
    fs::remove(json_path());
    const std::string line =
        fmt::format("cd {} && {} check {} --json {} {} >{} 2>{} </dev/null", quoted(file.parent_path().string()),
                    quoted(heddle_), quoted(file.filename().string()), quoted(json_path()), options,
                    quoted((folder_ / "out").string()), quoted((folder_ / "err").string()));
    Ran ran;
    const int status = std::system(line.c_str());
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    ran.out = read_file(folder_ / "out");
    ran.err = read_file(folder_ / "err");
    if (fs::exists(json_path())) {
      const auto report = report::read_json(read_file(json_path()), json_path());
      if (report) ran.report = *report;
    }
    return ran;
  }

 private:
  std::string heddle_, file_;
  fs::path folder_;
};

const char* word_of(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::Safe: return "holds";
    case core::Outcome::Unsafe: return "violated";
    case core::Outcome::Unknown: return "unknown";
  }
  return "";
}

std::string shown(const std::vector<std::string>& bounds) { return fmt::format("{}", fmt::join(bounds, ", ")); }

// Compares one verdict; `first`: as `check` gives it by itself, which is what the counts of the file are about.
void compare(const std::string& file, const Expectation& expected, const core::Verdict& verdict, bool first,
             const std::string& engine) {
  const auto wrong = [&](const std::string& what, const std::string& want, const std::string& got) {
    fail(file, expected.line,
         fmt::format("{} {}{}{}: {} is {}, expected {}", engine, expected.model, expected.options.empty() ? "" : " ",
                     expected.options, what, got, want));
  };
  if (word_of(verdict.outcome) != expected.verdict)
    return wrong("verdict", expected.verdict,
                 fmt::format("{} {}{}", word_of(verdict.outcome), verdict.reason.text, verdict.violation));
  if (expected.reason && verdict.reason.text.find(*expected.reason) == std::string::npos)
    wrong("reason", *expected.reason, verdict.reason.text);
  if (expected.kind && *expected.kind != verdict.violation_kind) wrong("kind", *expected.kind, verdict.violation_kind);
  if (expected.at) {
    const std::size_t found = verdict.violation.find(fmt::format(":{}", *expected.at));
    const std::size_t end = found + 1 + std::to_string(*expected.at).size();
    if (found == std::string::npos ||
        (end < verdict.violation.size() && std::isdigit(static_cast<unsigned char>(verdict.violation[end]))))
      wrong("place", fmt::format("line {}", *expected.at), verdict.violation);
    // A race has two places: the message has both, the report points to the second.
    if (verdict.place.line != 0 && verdict.place.line != *expected.at && verdict.violation_kind != "race")
      wrong("place in the report", fmt::format("line {}", *expected.at), std::to_string(verdict.place.line));
  }
  if (!first) return;
  const std::string assumed =
      verdict.assumptions.empty() ? "nothing" : fmt::format("{}", fmt::join(verdict.assumptions, "; "));
  if (expected.assumptions && *expected.assumptions != assumed) wrong("assumes", *expected.assumptions, assumed);
  if (expected.verdict == "holds" && expected.bounds.value_or("") != shown(verdict.bounds))
    wrong("up-to", expected.bounds.value_or("no bound"), shown(verdict.bounds));
  if (expected.verdict == "violated" && !verdict.trace) wrong("trace", "present", "absent");
  if (verdict.trace) {
    const core::Cost& cost = verdict.trace->cost;
    if (expected.cost && *expected.cost != cost)
      wrong("cost", fmt::format("{},{},{}", expected.cost->r, expected.cost->ww, expected.cost->wr),
            fmt::format("{},{},{}", cost.r, cost.ww, cost.wr));
    if (expected.length && *expected.length != verdict.trace->steps.size())
      wrong("length", std::to_string(*expected.length), std::to_string(verdict.trace->steps.size()));
  } else if (expected.cost || expected.length) {
    wrong("trace", "present", "absent");
  }
  const auto count = [&](const char* name, const std::optional<std::uint64_t>& want,
                         const std::optional<std::uint64_t>& got) {
    if (want && want != got) wrong(name, std::to_string(*want), got ? std::to_string(*got) : "unknown");
  };
  count("states", expected.states, verdict.statistics.states);
  count("executions", expected.executions, verdict.statistics.executions);
}

void compare_outcomes(const std::string& file, const std::set<std::string>& expected, const core::Verdict& verdict) {
  for (const auto& [name, value] : verdict.statistics.more) {
    if (name != "outcomes") continue;
    const std::vector<std::string> words = drive::split(value, ' ');
    const std::set<std::string> got(words.begin(), words.end());
    if (got != expected)
      fail(file, 0,
           fmt::format("outcomes under {}: {{ {} }}, expected {{ {} }}", verdict.model, fmt::join(got, " "),
                       fmt::join(expected, " ")));
    return;
  }
  fail(file, 0, fmt::format("outcomes under {}: the engine lists none", verdict.model));
}

void check_error(const std::string& file, const Header::Error& error, const Runner& runner,
                 const std::string& options) {
  const Ran ran = runner.run(options);
  if (ran.code != 2)
    fail(file, 0, fmt::format("exit code {}, expected an input error (2)\n{}{}", ran.code, ran.out, ran.err));
  if (!ran.out.empty()) fail(file, 0, "an input error prints nothing on standard output");
  std::string place = fs::path(file).filename().string();
  if (error.line > 0) place += fmt::format(":{}:", error.line);
  if (error.column > 0) place += fmt::format("{}:", error.column);
  if (ran.err.find(place) == std::string::npos)
    fail(file, 0, fmt::format("no '{}' in the message:\n{}", place, ran.err));
  if (ran.err.find(error.text) == std::string::npos)
    fail(file, 0, fmt::format("no '{}' in the message:\n{}", error.text, ran.err));
}

// The row that says what this engine answers; one of the same section goes before one for all.
const Other* other_answer(const Header& header, const Expectation& expected, const std::string& engine) {
  const Other* found = nullptr;
  for (const Other& other : header.others)
    if (other.engine == engine && other.model == expected.model &&
        (other.section == expected.section || (other.section == 0 && found == nullptr)))
      found = &other;
  return found;
}

// Refusals that need no row: they are the same for all files.
bool is_standing_refusal(const std::string& message, const std::string& engine, const std::string& model) {
  const std::string clauses[] = {fmt::format("has no model '{}'", model),
                                 "is for --ltl and --automaton",
                                 "is not needed: all that --ltl says",
                                 "looks at finite runs only",
                                 "has no LTL",
                                 "takes an instance, with --engine buffers and --procs N",
                                 "has buffers without a bound",
                                 "looks only for assertions and run-time errors",
                                 "cannot take this model, which",
                                 "needs --loop-bound, since process",
                                 "does not look for '",
                                 "does not have --",
                                 "looks only for assertions, memory errors, deadlocks, leaks and races"};
  return std::ranges::any_of(clauses, [&](const std::string& clause) {
    return message.find(fmt::format("the {} engine {}", engine, clause)) != std::string::npos;
  });
}

// A program outside the engine of buffer languages, which finds that out as it runs and names the thread's operation:
// "worker 1 allocates memory on the heap".
bool is_standing_unknown(const core::Verdict& verdict, const std::string& engine) {
  static const std::regex a_thread_does("(?!.*limit ).+ [0-9]+ [a-z]+s .*");
  return engine == "buffers" && verdict.outcome == core::Outcome::Unknown &&
         std::regex_match(verdict.reason.text, a_thread_does);
}

// An engine that has no verdict: is that what the file says?
void compare_refusal(const std::string& file, const Expectation& expected, const std::string& engine, const Ran& ran,
                     const Other* other) {
  const bool refused = ran.code == 2 && ran.out.empty() && !ran.err.empty();
  if (refused && other == nullptr && is_standing_refusal(ran.err, engine, expected.model)) return;
  if (refused && other != nullptr && other->answer == "refuses" && ran.err.find(other->text) != std::string::npos)
    return;
  fail(file, other != nullptr ? other->line : expected.line,
       fmt::format("{}: no verdict under {} (exit code {}), expected {}\n{}{}", engine, expected.model, ran.code,
                   other != nullptr ? other->answer + " " + other->text : "one", ran.out, ran.err));
}

// The verdict of an engine that a row is about.
void compare_other(const std::string& file, const Other& other, const core::Verdict& verdict) {
  const std::string answer = word_of(verdict.outcome);
  if (answer == other.answer && (answer != "unknown" || verdict.reason.text.find(other.text) != std::string::npos))
    return;
  fail(file, other.line,
       fmt::format("{} {}: {} {}, expected {} {}", other.engine, other.model, answer, verdict.reason.text, other.answer,
                   other.text));
}

void check_replay(const std::string& file, const Expectation& expected, const Runner& runner,
                  const std::string& options, const std::string& engine) {
  const std::string kept = runner.json_path() + ".kept";
  fs::copy_file(runner.json_path(), kept, fs::copy_options::overwrite_existing);
  const Ran again = runner.run(options + " --replay " + quoted(kept));
  if (again.code != 1)
    fail(file, expected.line, fmt::format("{}: the trace does not replay\n{}{}", engine, again.out, again.err));
}

// An engine that only proves is run once per section: on a model under which the program is violated, if there is one.
bool worth_asking(const Header& header, std::size_t i) {
  const auto better = [&](std::size_t k) {
    const Expectation &e = header.expectations[i], &other = header.expectations[k];
    if (other.section != e.section) return false;
    const bool wrong = e.verdict == "violated", other_wrong = other.verdict == "violated";
    return models::find(other.model)->drf_sc && (wrong == other_wrong ? k < i : other_wrong);
  };
  for (std::size_t k = 0; k < header.expectations.size(); ++k)
    if (better(k)) return false;
  return models::find(header.expectations[i].model)->drf_sc;
}

void compare_proof(const std::string& file, const Expectation& expected, const core::Verdict& verdict,
                   const std::string& engine) {
  if (verdict.outcome == core::Outcome::Safe ? expected.verdict == "holds" : verdict.outcome == core::Outcome::Unknown)
    return;
  fail(file, expected.line,
       fmt::format("{} {}: {}, expected {}", engine, expected.model, word_of(verdict.outcome), expected.verdict));
}

// One engine by its name, or (by no name) what `check` chooses, which is then written down for each expectation:
// another engine does not repeat it.
class EngineCheck {
 public:
  EngineCheck(const std::string& file, const Header& header, const Runner& runner, const drive::Language& language,
              const std::string& engine, std::vector<std::string>& chosen)
      : file_(file),
        header_(header),
        runner_(runner),
        engine_(engine),
        chosen_(chosen),
        replays_((" " + std::string(language.options) + " ").find(" --replay ") != std::string::npos) {}

  void run() {
    std::vector<std::size_t> section;
    for (std::size_t i = 0; i < header_.expectations.size(); ++i) {
      if (!section.empty() && header_.expectations[section.front()].section != header_.expectations[i].section)
        run_section(std::exchange(section, {}));
      if (is_asked(i)) section.push_back(i);
    }
    run_section(section);
    for (const auto& [model, set] : header_.outcomes)
      if (std::none_of(header_.expectations.begin(), header_.expectations.end(),
                       [&](const Expectation& e) { return e.model == model; }))
        fail(file_, 0, "outcomes: no expectation runs " + model);
  }

 private:
  bool first() const { return engine_.empty(); }
  bool proves() const { return !first() && drive::find_engine(engine_)->only_proves; }
  std::string name() const { return first() ? "check" : engine_; }

  bool is_asked(std::size_t i) const {
    const Expectation& expected = header_.expectations[i];
    if (!first() && (chosen_[i] == engine_ || expected.options.find("--engine") != std::string::npos)) return false;
    return !proves() || worth_asking(header_, i);
  }

  std::string options(const std::vector<std::size_t>& expectations) const {
    std::vector<std::string> models;
    for (const std::size_t i : expectations) models.push_back(header_.expectations[i].model);
    return fmt::format("--model {} {} {}{}{}", quoted(fmt::format("{}", fmt::join(models, ","))), header_.options,
                       header_.expectations[expectations.front()].options, first() ? "" : " --engine ", engine_);
  }

  // Limits are for a whole run, and would be shared.
  bool can_be_run_at_once(const std::vector<std::size_t>& section) const {
    const std::string all = header_.options + " " + header_.expectations[section.front()].options;
    std::set<std::string> models;
    for (const std::size_t i : section) models.insert(header_.expectations[i].model);
    return section.size() > 1 && models.size() == section.size() && all.find("--timeout") == std::string::npos &&
           all.find("--memory") == std::string::npos && all.find("--require") == std::string::npos &&
           all.find("certificate") == std::string::npos;
  }

  void run_section(std::vector<std::size_t> section) {
    while (!section.empty() && can_be_run_at_once(section)) {
      const Ran ran = runner_.run(options(section));
      if (ran.report && ran.report->verdicts.size() == section.size()) return judge(section, ran);
      if (!is_refused(section, ran)) break;
    }
    for (const std::size_t i : section) {
      const Ran ran = runner_.run(options({i}));
      if (ran.report && ran.report->verdicts.size() == 1) judge({i}, ran);
      else judge_no_verdict(i, ran);
    }
  }

  // Takes from the section what the engine refuses as it refuses it in all files: one model, or whatever the model.
  bool is_refused(std::vector<std::size_t>& section, const Ran& ran) const {
    if (first() || ran.code != 2 || !ran.out.empty()) return false;
    const auto standing = [&](std::size_t i) {
      return other_answer(header_, header_.expectations[i], engine_) == nullptr &&
             is_standing_refusal(ran.err, engine_, header_.expectations[i].model);
    };
    return std::erase_if(section, standing) > 0;
  }

  void judge_no_verdict(std::size_t i, const Ran& ran) const {
    const Expectation& expected = header_.expectations[i];
    if (!first()) return compare_refusal(file_, expected, engine_, ran, other_row(i));
    fail(file_, expected.line,
         fmt::format("{}: no verdict under {} (exit code {})\n{}{}", name(), expected.model, ran.code, ran.out,
                     ran.err));
  }

  const Other* other_row(std::size_t i) const {
    const Other* other = first() ? nullptr : other_answer(header_, header_.expectations[i], engine_);
    if (other != nullptr) other->used = true;
    return other;
  }

  void judge(const std::vector<std::size_t>& section, const Ran& ran) const {
    bool unsafe = false, unknown = false;
    for (const std::size_t i : section) {
      const Expectation& expected = header_.expectations[i];
      const auto verdict = std::ranges::find(ran.report->verdicts, expected.model, &core::Verdict::model);
      if (verdict == ran.report->verdicts.end()) {
        fail(file_, expected.line, fmt::format("{}: no verdict under {}", name(), expected.model));
        continue;
      }
      unsafe |= verdict->outcome == core::Outcome::Unsafe;
      unknown |= verdict->outcome == core::Outcome::Unknown;
      if (first()) chosen_[i] = verdict->statistics.engine;
      const Other* other = other_row(i);
      if (other == nullptr && is_standing_unknown(*verdict, engine_)) continue;
      if (proves()) compare_proof(file_, expected, *verdict, engine_);
      else if (other == nullptr) compare(file_, expected, *verdict, first(), name());
      else compare_other(file_, *other, *verdict);
      if (const auto set = header_.outcomes.find(expected.model); first() && set != header_.outcomes.end())
        compare_outcomes(file_, set->second, *verdict);
    }
    const Expectation& row = header_.expectations[section.front()];
    int code = unknown ? 3 : 0;
    if (unsafe) code = 1;
    if (ran.code != code && header_.options.find("--strict") == std::string::npos)
      fail(file_, row.line, fmt::format("{}: exit code {}, expected {}", name(), ran.code, code));
    if (replays_ && unsafe) check_replay(file_, row, runner_, options(section), name());
  }

  const std::string& file_;
  const Header& header_;
  const Runner& runner_;
  const std::string engine_;
  std::vector<std::string>& chosen_;
  const bool replays_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: regress_runner HEDDLE FILE\n";
    return 2;
  }
  const std::string file = fs::absolute(argv[2]).string();
  const Header header = read_header(file);
  const drive::Language* language = drive::language_of(file);
  if (language == nullptr) {
    std::cout << file << ": no language has this extension\n";
    return 1;
  }
  if (failures == 0) {
    const Runner runner(fs::absolute(argv[1]).string(), file);
    if (header.error) {
      check_error(file, *header.error, runner, header.options);
    } else {
      std::vector<std::string> chosen(header.expectations.size());
      EngineCheck(file, header, runner, *language, "", chosen).run();
      const std::vector<std::string> engines = drive::split(language->engines, ' ');
      if (engines.size() > 1 && header.options.find("--engine") == std::string::npos)
        for (const std::string& engine : engines) {
          // C++ programs have objects on the heap or take long to load: no file of them fits.
          if (engine == "buffers" && file.ends_with(".cpp")) continue;
          EngineCheck(file, header, runner, *language, engine, chosen).run();
        }
      for (const Other& other : header.others)
        if (!other.used)
          fail(file, other.line, fmt::format("other: nothing runs {} under {}", other.engine, other.model));
    }
  }
  std::cout << (failures == 0 ? "as expected\n" : fmt::format("{} not as expected\n", failures));
  return failures == 0 ? 0 : 1;
}
