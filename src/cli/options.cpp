// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <charconv>
#include <limits>
#include <optional>

namespace heddle::cli {

namespace {

using R = CheckRequest;

constexpr const char* what = "What to check";
constexpr const char* bounds = "Bounds";
constexpr const char* search = "Search";
constexpr const char* reading = "Reading the program";
constexpr const char* answer = "The answer";

const Option known_options[] = {
    // name, value, default, target, shared by all languages, group, help
    {"-m,--model", "M[,M...]", "by language", CommaList{&R::models}, true, what,
     "memory models, or `ladder` for all that the language's ladder has; `heddle models` lists them"},
    {"--engine", "E", "by language", Text{&R::engine}, true, what, "engine; `heddle languages` lists them"},
    {"-p,--property", "P[,P...]", "by language", CommaList{&R::properties}, false, what,
     "classes of errors to look for: assertion, deadlock, race, leak, livelock, ..."},
    {"--invariant", "EXPR", "", List{&R::invariants}, false, what, "holds in every reachable state; may be repeated"},
    {"--reach", "EXPR", "", List{&R::reach}, false, what,
     "no reachable state satisfies it (DVE); C: function:NAME or FILE:LINE that no run gets to; may be repeated"},
    {"--ltl", "FORMULA|FILE", "", List{&R::ltl}, false, what,
     "every infinite run satisfies this temporal formula, or those of the file; may be repeated"},
    {"--automaton", "FILE", "", Text{&R::automaton}, false, what,
     "no infinite run is accepted by this automaton (HOA)"},
    {"--fair", "", "", Flag{&R::fair}, false, what, "of infinite runs those only in which every process gets its turn"},
    {"--memory-fairness", "on|off", "on", OnOff{&R::memory_fairness}, false, what,
     "of infinite runs those only in which every buffered store arrives"},
    {"--fairness", "acceptance|formula", "acceptance", Choice{&R::fairness, "acceptance formula"}, false, what,
     "how --memory-fairness is said: by acceptance, or (sb1) as the condition of an implication"},

    {"--buffer", "N", "5", Number{&R::buffer, 0, 1000000}, false, bounds, "stores that a store buffer holds"},
    {"--loop-bound", "N", "none", Number{&R::loop_bound, 1, 1000000}, false, bounds, "iterations of each loop"},
    {"--max-states", "N", "none", Number{&R::max_states, 1}, true, bounds,
     "give up after so many states or executions"},
    {"--timeout", "S", "none", Seconds{&R::timeout}, true, bounds,
     "give up after so many seconds, which the models share"},
    {"--memory", "SIZE", "none", Bytes{&R::memory}, true, bounds, "give up beyond so much memory, as 512M or 4G"},

    {"-j,--workers", "N", "1", Number{&R::workers, 1, 256}, false, search, "threads that search"},
    {"--por", "on|off", "on", OnOff{&R::por}, false, search, "partial order reduction"},
    {"--symmetry", "on|off", "on", OnOff{&R::symmetry}, false, search,
     "one execution of those that differ only in which of several equal threads did what (graph engine)"},
    {"--search", "bfs|dfs|cost|saturate|linden-wolper", "bfs", Choice{&R::order, "bfs dfs cost saturate linden-wolper"},
     false, search,
     "explicit states breadth first, depth first or least relaxed first; or buffer languages, in either way"},
    {"--brab", "N", "off", Number{&R::brab, 1, 100}, false, search, "guess invariants from an instance of N processes"},
    {"--procs", "N", "any number", Number{&R::procs, 1, 100}, false, search,
     "check the instance of N processes only, by explicit states"},
    {"--spurious-cas", "", "by model", Switch{&R::spurious_cas}, false, search,
     "a weak compare-exchange may fail although the values are equal (=off: never)"},
    {"--malloc-may-fail", "", "", Flag{&R::malloc_may_fail}, false, search, "malloc may return null"},
    {"--spurious-wakeups", "", "on", Switch{&R::spurious_wakeups}, false, search,
     "a wait on a condition variable may return unasked (=off: never)"},
    {"--uncaught", "stay|unwind|both", "stay", Choice{&R::uncaught, "stay unwind both"}, false, search,
     "whether destructors run before an exception that nothing catches ends a C++ program"},
    {"--nondet", "LOW:HIGH", "none", Text{&R::nondet}, false, search,
     "the values that __VERIFIER_nondet_* choose from"},

    {"-D,--define", "NAME[=VALUE]", "", List{&R::defines}, false, reading, "macro of the preprocessor (C, m4)"},
    {"-I,--include", "DIR", "", List{&R::include_dirs}, false, reading, "folder of header files"},
    {"-O,--optimise", "LEVEL", "0", Choice{&R::optimise, "0 1 2 3 s z"}, false, reading,
     "optimisation of the compiler"},
    {"--std", "STANDARD", "gnu17", Text{&R::standard}, false, reading,
     "language standard, as c11, gnu17 or c++23 (C++ without it: c++20)"},
    {"--cflag", "FLAG", "", List{&R::cflags}, false, reading, "passed to the compiler; may be repeated"},
    {"--atomic", "FILE", "", Text{&R::atomic_file}, false, reading, "atomic writes and fences of a DVE model"},

    {"--model-file", "FILE", "", Text{&R::model_file}, false, what, "a memory model of your own in cat (litmus tests)"},
    {"--table", "", "", Flag{&R::table}, false, answer, "litmus tests: one line per test, one column per model"},
    {"--explain", "", "", Flag{&R::explain}, false, answer, "litmus tests: the axiom and cycle that forbid a state"},
    {"--replay", "FILE", "", Text{&R::replay}, false, answer, "replay the trace of a JSON report instead of a search"},
    {"--certificate", "FILE", "", Text{&R::certificate}, false, answer, "write what proves a SAFE verdict"},
    {"--check-certificate", "FILE", "", Text{&R::check_certificate}, false, answer,
     "check a certificate that was written before instead of a search"},
    {"--require", "M[,M...]", "all", CommaList{&R::require}, true, answer, "only these models decide the exit code"},
    {"--strict", "", "", Flag{&R::strict}, true, answer, "SAFE up to a bound ends with exit code 3"},
    {"-q,--quiet", "", "", Flag{&R::quiet}, true, answer, "print nothing but input errors"},
    {"--trace", "on|off", "on", OnOff{&R::trace}, true, answer, "show the steps of the first violation"},
    {"--json", "FILE", "", Text{&R::json}, true, answer, "write verdicts, traces and statistics as JSON"},
    {"--sarif", "FILE", "", Text{&R::sarif}, true, answer, "write violations as SARIF"},
    {"--html", "FILE", "", Text{&R::html}, true, answer, "write a self-contained page"},
    {"--dot", "FILE", "", Text{&R::dot}, true, answer,
     "draw as DOT: violating executions, small state spaces (--engine explicit), or else traces"},
    {"--svg", "FILE", "", Text{&R::svg}, true, answer, "draw violating executions or traces as SVG"},
};

}  // namespace

std::span<const Option> check_options() { return known_options; }

bool given(const CheckRequest& request, const Option& option) {
  return std::visit([&](const auto& target) { return (request.*target.member).given; }, option.target);
}

std::string_view long_name(const Option& option) {
  const std::string_view name = option.name;
  return name.substr(name.find("--"));
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return {};
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  else if (unit.ends_with('B')) unit.remove_suffix(1);
  if (unit.size() > 1) return {};
  const std::size_t power = unit.empty() ? 0 : std::string_view("kmgtKMGT").find(unit[0]);
  if (power == std::string_view::npos) return {};
  const unsigned shift = unit.empty() ? 0 : static_cast<unsigned>(10 * (1 + power % 4));
  if (number > (std::numeric_limits<std::uint64_t>::max() >> shift)) return {};
  return number << shift;
}

}  // namespace heddle::cli
