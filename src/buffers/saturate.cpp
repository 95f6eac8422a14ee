// SPDX-License-Identifier: Apache-2.0
#include "buffers/saturate.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "buffers/approximate.h"
#include "buffers/concrete_run.h"
#include "buffers/condition.h"
#include "buffers/regular.h"
#include "buffers/view.h"
#include "ir/footprint.h"

namespace heddle::buffers {
namespace {

struct Symbolic {
  Memory memory;
  std::vector<Language> languages;
};

class Saturation {
 public:
  // `apart`: for how much work states are left apart; then those of a memory that has many are joined.
  Saturation(const ir::Program& program, const Question& question, core::Budget& budget, std::uint64_t apart)
      : program_(program), question_(question), budget_(budget), apart_(apart), array_(program.image) {
    automata_.watch(budget);
    answer_.window = question.window;
    if (question.window != 0) approximation_.emplace(automata_, alphabet_, question.order, question.window);
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
      processes_.emplace_back(program, p, question.order, automata_, alphabet_);
    for (const Question::Goal& goal : question.goals) conditions_.emplace_back(program, goal.proposition);
  }

  // Gives up beyond so much work, beside the limits of the budget; if it does, a call with more goes on.
  Answer run(std::uint64_t most) {
    most_ = most;
    answer_.stopped.reset();
    if (nodes_.empty()) begin();
    while (!work_.empty() && !over()) {
      const std::uint32_t at = work_.front();
      work_.pop_front();
      if (!nodes_[at].alive) continue;
      ++answer_.expanded;
      expand(at);
      if (answer_.stopped) work_.push_front(at);
    }
    if (!over()) {
      answer_.kind = Answer::Kind::Holds;
      write_proof();
    }
    if (approximation_ && answer_.kind == Answer::Kind::Violated) {
      answer_ = {};
      answer_.stopped = core::Reason{core::Reason::Kind::Open, "an over-approximation of the buffers proves nothing"};
    }
    if (answer_.kind == Answer::Kind::Violated) find_run();
    answer_.stored = nodes_.size();
    answer_.automata = automata_.count();
    answer_.kept = answer_.largest = 0;
    for (const Node& node : nodes_) {
      answer_.kept += node.alive;
      for (const Language l : node.state.languages)
        answer_.largest = std::max<std::uint64_t>(answer_.largest, automata_.dfa(l).size());
    }
    return answer_;
  }

  // Has it joined states? Then a run to what was found may be lost.
  bool joins() const {
    return std::ranges::any_of(nodes_, [](const Node& node) { return node.joined; });
  }

 private:
  void begin() {
    Symbolic start;
    start.memory.assign(program_.image.begin(), program_.image.begin() + program_.shared_cells);
    for (Process& p : processes_) {
      const Symbol at = Alphabet::local(p.initial());
      start.languages.push_back(automata_.word({&at, 1}));
    }
    close(start, none, {});
    add(std::move(start), none, {});
  }

  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t crowd = 8;  // states of one memory among which joining pays
  struct Node {
    Symbolic state;
    std::uint32_t parent = none;
    PathStep step;             // that led here
    bool accelerated = false;  // with what processes do while memory goes round
    bool joined = false;       // with another state of its memory, which `parent` does not lead to
    bool alive = true;
  };

  bool over() {
    if (automata_.stopped() && answer_.kind == Answer::Kind::Unknown && !answer_.stopped) {
      answer_.stopped = automata_.stopped();
      // Too many states of an automaton come from a local variable that takes many values, as a rule.
      if (answer_.stopped->kind == core::Reason::Kind::TooLarge) {
        const auto counts = [](const Process& p) { return !p.counter().empty(); };
        if (const auto p = std::ranges::find_if(processes_, counts); p != processes_.end())
          answer_.stopped->text += p->counter();
      }
    }
    return answer_.kind != Answer::Kind::Unknown || answer_.stopped;
  }

  Language closed(std::uint32_t p, Language l, std::span<const Memory> memories) {
    Language result = processes_[p].closure(l, memories);
    if (approximation_)  // approximate contents have steps of their own
      for (Language before = automata_.empty(); result != before && !automata_.stopped();) {
        before = (*approximation_)(result);
        result = processes_[p].closure(before, memories);
      }
    if (question_.errors && processes_[p].failure()) {
      answer_.kind = Answer::Kind::Violated;
      answer_.failure = processes_[p].failure();
    }
    return result;
  }

  // s is what `step` leads to from node `parent`.
  void close(Symbolic& s, std::uint32_t parent, const PathStep& step) {
    for (std::uint32_t p = 0; p < processes_.size() && !over(); ++p) {
      s.languages[p] = closed(p, s.languages[p], {&s.memory, 1});
      if (over() && answer_.failure) fails(p, s, parent, step);
    }
  }

  // An assertion or a step of p fails behind some of its contents.
  void fails(std::uint32_t p, const Symbolic& s, std::uint32_t parent, const PathStep& step) {
    end_.assign(processes_.size(), {});
    end_[p].kind = Destination::Kind::Failing;
    path_end_ = parent;
    last_ = {{s.memory, step}};
    const std::uint32_t local = answer_.failure->local;
    std::vector<Language> contents;
    for (const Process::Part& part : processes_[p].parts(automata_.quotient(s.languages[p], Alphabet::local(local)))) {
      const Memory view = processes_[p].view(s.memory, part.newest);
      bool wrong = processes_[p].failed_assertion(local, view).has_value();
      for (const Outcome& outcome : processes_[p].outcomes(local, view)) wrong |= outcome.failure.has_value();
      if (wrong) contents.push_back(part.language);
    }
    if (!contents.empty()) tell(p, local, automata_.unite(contents));
  }

  // Of what was found: a run to it.
  void find_run() {
    if (end_.empty()) return;
    std::vector<Memory> memories;
    std::vector<PathStep> steps;
    if (last_) {
      memories.push_back(last_->first);
      if (path_end_ != none) steps.push_back(last_->second);
    }
    for (std::uint32_t at = path_end_; at != none; at = nodes_[at].parent) {
      if (nodes_[at].accelerated || nodes_[at].joined) return;
      memories.push_back(nodes_[at].state.memory);
      if (nodes_[at].parent != none) steps.push_back(nodes_[at].step);
    }
    std::ranges::reverse(memories);
    std::ranges::reverse(steps);
    if (auto run = concrete_run(program_, processes_, question_.order, memories, steps, end_, budget_))
      answer_.run = std::move(*run);
  }

  // Exact searches that end seldom have more automata than states; the automata of those that do not grow without end.
  std::uint64_t work() const { return std::max<std::uint64_t>(nodes_.size(), automata_.states()); }

  bool inside(const std::vector<Language>& small, const std::vector<Language>& big) {
    for (std::size_t p = 0; p < small.size(); ++p)
      if (!automata_.includes(big[p], small[p])) return false;
    return true;
  }

  // By one of the states with its memory?
  bool covered(const Symbolic& s, const std::vector<std::uint32_t>& here) {
    return std::ranges::any_of(here, [&](std::uint32_t n) { return inside(s.languages, nodes_[n].state.languages); });
  }

  void add(Symbolic s, std::uint32_t parent, PathStep step) {
    if (over()) return;
    std::vector<std::uint32_t>& here = visited_[s.memory];
    if (covered(s, here)) return;
    const bool accelerated = !approximation_ && parent != none && accelerate(s, parent, step);
    if (accelerated && (over() || covered(s, here))) return;
    const bool joined = (approximation_ || (work() > apart_ && here.size() >= crowd)) && merge(s, here);
    std::erase_if(here, [&](std::uint32_t n) {
      if (!inside(nodes_[n].state.languages, s.languages)) return false;
      nodes_[n].alive = false;
      return true;
    });
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    here.push_back(number);
    nodes_.push_back({std::move(s), parent, std::move(step), accelerated, joined, true});
    if (joined) work_.push_front(number);  // it covers more, and what it covers need not be expanded
    else work_.push_back(number);
    judge(nodes_.back().state);
    if (answer_.kind == Answer::Kind::Violated) path_end_ = number;
    core::Progress progress;
    progress.states = nodes_.size();
    const bool due = nodes_.size() % 16 == 0 || nodes_.size() >= budget_.max_states;  // asking takes time, too
    if (auto reason = due ? budget_.spent(progress) : std::nullopt) answer_.stopped = std::move(*reason);
    else if (work() > most_) answer_.stopped = core::Reason{core::Reason::Kind::Open, "the search stays open"};
  }

  // The union of two states that differ in one process is their product with the union there: nothing is added. The exact
  // search leaves them apart as long as there are few, since contents of the other state need not be reachable from s's
  // ancestors: neither runs nor cycles can be traced back through a union.
  bool merge(Symbolic& s, const std::vector<std::uint32_t>& here) {
    bool any = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t n : here) {
        const std::vector<Language>& other = nodes_[n].state.languages;
        const auto [mine, theirs] = std::ranges::mismatch(s.languages, other);
        if (mine == s.languages.end() || !std::equal(mine + 1, s.languages.end(), theirs + 1)) continue;
        const Language both[] = {*mine, *theirs};
        const auto p = static_cast<std::uint32_t>(mine - s.languages.begin());
        s.languages[p] = closed(p, automata_.unite(both), {&s.memory, 1});
        changed = s.languages[p] != both[0];
        any |= changed;
      }
    }
    return any;
  }

  // If s contains an ancestor with its memory, processes that committed nothing since are closed under going round.
  bool accelerate(Symbolic& s, std::uint32_t parent, const PathStep& step) {
    std::vector<bool> moved(processes_.size(), step.drained);
    moved[step.process] = true;
    for (std::uint32_t at = parent; at != none; at = nodes_[at].parent) {
      const Node& node = nodes_[at];
      if (node.state.memory == s.memory && inside(node.state.languages, s.languages)) {
        const std::vector<Memory> round = memories_between(at, parent);
        bool changed = false;
        for (std::uint32_t p = 0; p < processes_.size(); ++p) {
          if (moved[p]) continue;
          const Language more = closed(p, s.languages[p], round);
          changed |= more != s.languages[p];
          s.languages[p] = more;
        }
        answer_.accelerated += changed;
        return changed;
      }
      if (node.joined) return false;
      if (node.parent != none) moved[node.step.process] = true;
      if (node.step.drained) moved.assign(moved.size(), true);
    }
    return false;
  }

  // From a node to a later one on its way, both included.
  std::vector<Memory> memories_between(std::uint32_t first, std::uint32_t last) const {
    std::vector<Memory> memories;
    for (std::uint32_t at = last;; at = nodes_[at].parent) {
      memories.push_back(nodes_[at].state.memory);
      if (at == first) break;
    }
    std::ranges::reverse(memories);
    return memories;
  }

  void expand(std::uint32_t at) {
    const Symbolic& state = nodes_[at].state;
    for (std::uint32_t p = 0; p < processes_.size() && !over(); ++p) {
      commits(at, state, p);
      for (const Arc& arc : automata_.dfa(state.languages[p]).of(0))
        if (Alphabet::is_local(arc.symbol)) locked(at, state, p, Alphabet::local_of(arc.symbol));
    }
  }

  void commits(std::uint32_t at, const Symbolic& state, std::uint32_t p) {
    const Dfa& d = automata_.dfa(state.languages[p]);
    std::vector<Symbol> possible;
    for (const Arc& arc : question_.order == ir::StoreOrder::Program ? d.of(0) : std::span<const Arc>(d.arcs))
      if (!Alphabet::is_local(arc.symbol)) possible.push_back(arc.symbol);
    std::ranges::sort(possible);
    const auto repeated = std::ranges::unique(possible);
    possible.erase(repeated.begin(), repeated.end());
    for (const Symbol symbol : possible) {
      if (over()) return;
      const Store store = alphabet_.store_of(symbol);
      Symbolic next = state;
      if (question_.order == ir::StoreOrder::Program) {
        next.languages[p] = automata_.derive(state.languages[p], symbol);
      } else {
        next.languages[p] = automata_.remove_first(state.languages[p], symbol, [&](Symbol s) {
          return Alphabet::is_local(s) || program_.keeps_order(alphabet_.store_of(s).cell, store.cell);
        });
        if (next.languages[p] == automata_.empty()) continue;
      }
      next.memory[store.cell] = store.value;
      PathStep step;
      step.process = p;
      step.commit = store;
      close(next, at, step);
      add(std::move(next), at, std::move(step));
    }
  }

  // A place in an atomic section.
  struct Point {
    Memory memory;
    std::uint32_t local;
    bool inside;
    bool drained;
    std::vector<const ir::Edge*> edges;  // up to here
  };

  // Locked instructions and atomic sections of p from local state l, its buffer empty.
  void locked(std::uint32_t at, const Symbolic& state, std::uint32_t p, std::uint32_t l) {
    const bool all_may_rest =
        std::ranges::none_of(state.languages, [&](Language language) { return locals(language, true).empty(); });
    std::set<std::tuple<Memory, std::uint32_t, bool>> seen;
    std::vector<Point> todo{{state.memory, l, false, false, {}}};
    while (!todo.empty() && !over()) {
      const Point point = todo.back();
      todo.pop_back();
      bool any = false;
      for (const Outcome& outcome : processes_[p].outcomes(point.local, point.memory)) {
        if (!point.inside && !Process::locked(*outcome.edge)) continue;
        any = true;
        if (outcome.edge->fence_all && !all_may_rest) continue;
        if (outcome.failure) {
          if (!question_.errors) continue;
          answer_.kind = Answer::Kind::Violated;
          answer_.failure = outcome.failure;
          tell(p, l, automata_.word({}));
          if (point.drained || outcome.edge->fence_all) return;
          path_end_ = at;
          end_.assign(processes_.size(), {});
          end_[p] = {Destination::Kind::Resting, l, point.edges};
          end_[p].then.push_back(outcome.edge);
          return;
        }
        Point next{point.memory, outcome.local, outcome.edge->holds, point.drained || outcome.edge->fence_all,
                   point.edges};
        next.edges.push_back(outcome.edge);
        for (const Store& s : outcome.stores) next.memory[s.cell] = s.value;
        if (!next.inside) {
          arrive(at, state, p, l, next);
        } else if (seen.emplace(next.memory, next.local, next.drained).second) {
          judge_inside(at, state, p, l, next);
          todo.push_back(std::move(next));
        }
      }
      // Blocked inside: the section is left here.
      if (point.inside && !any) arrive(at, state, p, l, point);
    }
  }

  // The state when p is at a place of a locked instruction or section.
  Symbolic state_at(const Symbolic& state, std::uint32_t p, const Point& point) {
    Symbolic next = state;
    if (point.drained)
      for (std::uint32_t q = 0; q < processes_.size(); ++q)
        next.languages[q] = automata_.filter(state.languages[q], Alphabet::is_local);
    next.memory = point.memory;
    const Symbol end = Alphabet::local(point.local);
    next.languages[p] = automata_.word({&end, 1});
    return next;
  }

  // Behind a locked instruction or section of p that began in local state `before`.
  void arrive(std::uint32_t at, const Symbolic& state, std::uint32_t p, std::uint32_t before, const Point& point) {
    Symbolic next = state_at(state, p, point);
    PathStep step{p, std::nullopt, point.edges, before, point.local, point.drained};
    close(next, at, step);
    add(std::move(next), at, std::move(step));
  }

  // Inside a section of p that began in local state `before`: memory and p's local state may be bad there, too. Others
  // are where they were, and nobody rests.
  void judge_inside(std::uint32_t at, const Symbolic& state, std::uint32_t p, std::uint32_t before,
                    const Point& point) {
    if (over()) return;
    const auto failed = question_.errors ? processes_[p].failed_assertion(point.local, point.memory) : std::nullopt;
    if (!failed && question_.goals.empty()) return;
    const Symbolic there = state_at(state, p, point);
    if (failed) {
      answer_.kind = Answer::Kind::Violated;
      answer_.failure = failed;
      end_.assign(processes_.size(), {});
      tell(p, point.local, automata_.word({}));
    }
    for (std::uint32_t g = 0; g < question_.goals.size() && !over(); ++g) goal(there, g);
    if (answer_.kind != Answer::Kind::Violated) return;
    path_end_ = at;
    end_[p] = {Destination::Kind::Resting, before, point.edges};
    if (point.drained) end_.clear();  // where others have to be is not said by a Destination
  }

  // Local states of a language; only those with an empty buffer, if asked for.
  std::vector<std::uint32_t> locals(Language l, bool empty_buffer) const {
    std::set<std::uint32_t> found;
    const Dfa& d = automata_.dfa(l);
    const auto arcs = empty_buffer ? d.of(0) : std::span<const Arc>(d.arcs);
    for (const Arc& arc : arcs)
      if (Alphabet::is_local(arc.symbol)) found.insert(Alphabet::local_of(arc.symbol));
    return {found.begin(), found.end()};
  }

  void judge(const Symbolic& s) {
    for (std::uint32_t g = 0; g < question_.goals.size() && !over(); ++g) goal(s, g);
    if (question_.deadlocks && !over()) deadlock(s);
  }

  void goal(const Symbolic& s, std::uint32_t number) {
    const Question::Goal& goal = question_.goals[number];
    const ir::Proposition& proposition = program_.propositions[goal.proposition];
    std::copy(s.memory.begin(), s.memory.end(), array_.begin());
    const std::vector<std::uint32_t>& relevant = conditions_[number].processes();
    choices_.clear();
    for (std::size_t i = 0; i < relevant.size(); ++i) choices_.push_back(&different(s, number, i));
    std::vector<std::size_t> choice(relevant.size(), 0);
    for (;;) {
      for (std::size_t i = 0; i < relevant.size(); ++i) put(relevant[i], (*choices_[i])[choice[i]]);
      View view{array_};
      const ir::EvalResult result = evaluate(program_, proposition.code, view);
      if (ir::is_error(result.status) || (result.status == ir::Status::True) == goal.forbidden_when) {
        answer_.kind = Answer::Kind::Violated;
        answer_.goal = number;
        end_.assign(processes_.size(), {});
        for (std::size_t i = 0; i < relevant.size(); ++i) {
          const std::uint32_t p = relevant[i], local = (*choices_[i])[choice[i]];
          end_[p] = {Destination::Kind::Local, local, {}};
          tell(p, local, automata_.quotient(s.languages[p], Alphabet::local(local)));
        }
        return;
      }
      std::size_t i = 0;
      while (i < choice.size() && ++choice[i] == choices_[i]->size()) choice[i++] = 0;
      if (i == choice.size()) return;
    }
  }

  // Local states of process i of a condition between which it can tell.
  const std::vector<std::uint32_t>& different(const Symbolic& s, std::uint32_t condition, std::size_t i) {
    const std::uint32_t p = conditions_[condition].processes()[i];
    const auto [at, fresh] = different_.try_emplace({condition, p, s.languages[p]});
    if (fresh) at->second = conditions_[condition].different(i, processes_[p], locals(s.languages[p], false));
    return at->second;
  }

  void tell(std::uint32_t p, std::uint32_t local, Language contents) {
    if (contents == automata_.empty()) return;
    answer_.contents.push_back(
        {p, static_cast<std::uint32_t>(processes_[p].local(local).front()),
         regular_expression(automata_.dfa(contents), [this](Symbol s) { return alphabet_.show(program_, s); })});
  }

  void put(std::uint32_t p, std::uint32_t local) {
    const auto& words = processes_[p].words();
    for (std::size_t i = 0; i < words.size(); ++i) array_[words[i]] = processes_[p].local(local)[i];
  }

  // Everybody may rest with an empty buffer and nothing to do, and somebody not at an end.
  void deadlock(const Symbolic& s) {
    std::vector<std::uint32_t> resting(processes_.size(), none);
    bool unfinished = false;
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      for (const std::uint32_t l : locals(s.languages[p], true)) {
        if (!processes_[p].outcomes(l, s.memory).empty()) continue;
        const auto control = static_cast<std::uint32_t>(processes_[p].local(l).front());
        const ir::ControlState& state = program_.processes[p].states[control];
        const bool ended = state.end || state.starts.empty();
        if (resting[p] == none || !ended) resting[p] = l;
        unfinished |= !ended;
      }
      if (resting[p] == none) return;
    }
    if (!unfinished) return;
    answer_.kind = Answer::Kind::Violated;
    answer_.deadlock = true;
    end_.clear();
    const Language nothing = automata_.word({});
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      end_.push_back({Destination::Kind::Resting, resting[p], {}});
      tell(p, resting[p], nothing);
    }
  }

  void write_proof() {
    ir::BufferSets& proof = answer_.proof;
    proof.order = question_.order;
    for (const Process& p : processes_) {
      proof.locals.emplace_back();
      for (std::uint32_t l = 0; l < p.locals(); ++l) proof.locals.back().push_back(p.local(l));
    }
    std::map<Language, std::uint32_t> numbers;
    for (const Node& node : nodes_) {
      if (!node.alive) continue;
      ir::BufferSets::State state{node.state.memory, {}};
      for (const Language l : node.state.languages) {
        const auto [at, fresh] = numbers.try_emplace(l, static_cast<std::uint32_t>(proof.automata.size()));
        if (fresh) proof.automata.push_back(automaton(automata_.dfa(l)));
        state.automata.push_back(at->second);
      }
      proof.states.push_back(std::move(state));
    }
  }

  ir::BufferSets::Automaton automaton(const Dfa& d) const {
    ir::BufferSets::Automaton out(d.size());
    for (std::uint32_t q = 0; q < d.size(); ++q)
      for (const Arc& arc : d.of(q)) {
        if (Alphabet::is_local(arc.symbol)) {
          out[q].push_back({true, 0, static_cast<std::int32_t>(Alphabet::local_of(arc.symbol)), arc.target});
        } else {
          const Store& s = alphabet_.store_of(arc.symbol);
          out[q].push_back({false, s.cell, s.value, arc.target});
        }
      }
    return out;
  }

  const ir::Program& program_;
  const Question& question_;
  core::Budget& budget_;
  const std::uint64_t apart_;
  std::uint64_t most_ = 0;
  Automata automata_;
  Alphabet alphabet_;
  std::optional<Approximation> approximation_;
  std::deque<Process> processes_;
  std::vector<Condition> conditions_;  // by goal
  std::map<std::tuple<std::uint32_t, std::uint32_t, Language>, std::vector<std::uint32_t>> different_;
  std::deque<Node> nodes_;  // which may grow while some are looked at
  std::deque<std::uint32_t> work_;
  ByWords<std::vector<std::uint32_t>> visited_;
  std::vector<std::int32_t> array_;
  std::vector<const std::vector<std::uint32_t>*> choices_;  // of a goal, by process
  // Of what was found: the node, what comes behind it (a memory and the step to it), where everybody is then.
  std::uint32_t path_end_ = none;
  std::optional<std::pair<Memory, PathStep>> last_;
  std::vector<Destination> end_;
  Answer answer_;
};

std::string at_place(const ir::Program& program, core::Site site) {
  if (site >= program.sites.size()) return {};
  const core::SourcePlace& place = program.sites[site];
  return fmt::format("{}:{}: ", place.file, place.line);
}

// The place of the first edge of this kind, if there is one.
template <class Kind>
std::string first_place(const ir::Program& program, const Kind& kind) {
  const auto found = std::ranges::find_if(program.edges, kind);
  return found == program.edges.end() ? "" : at_place(program, found->site);
}

std::string commit_state(const ir::Program& program) {
  for (std::uint32_t p = 0; p < program.processes.size(); ++p)
    for (std::uint32_t s = 0; s < program.processes[p].states.size(); ++s) {
      const ir::ControlState& state = program.processes[p].states[s];
      if (!state.commit) continue;
      return first_place(program,
                         [&](const ir::Edge& e) { return e.process == p && (e.source == s || e.target == s); }) +
             fmt::format("it has commit states, {}.{}", program.processes[p].name, state.name);
    }
  return "it has commit states";
}

// Reads or writes of words that belong to neither this process nor memory.
bool touches_others(const ir::Program& program, const ir::WordSet& words, std::uint32_t process) {
  bool others = false;
  words.for_each([&](std::uint32_t w) {
    if (w < program.shared_cells || program.owner[w] == process) return;
    const std::uint32_t v = program.variable_of[w];
    others |= v == ir::none || !program.variables[v].constant;
  });
  return others;
}

// Does a condition ask what a process sees, rather than what memory holds?
bool asks_views(const ir::Program& program, ir::ExprId id) {
  if (id == ir::no_expr) return false;
  const ir::Expr& e = program.expr(id);
  return e.op == ir::Op::Seen || asks_views(program, e.left) || asks_views(program, e.right);
}

// Does the edge begin where a section goes on?
bool inside_section(const ir::Program& program, const ir::Edge& edge) {
  return std::ranges::any_of(program.edges, [&](const ir::Edge& before) {
    return before.holds && before.process == edge.process && before.target == edge.source;
  });
}

// Is the last store of the edge atomic? What stands before it arrives with it, so that nothing is buffered.
bool ends_atomically(const ir::Program& program, const ir::Edge& edge) {
  bool atomic = false;
  for (const auto* list : {&edge.targets, &edge.effects})
    for (const ir::Assignment& a : *list)
      if (a.kind == ir::Assignment::Kind::Store && program.variables[a.var].in_memory()) atomic = a.atomic;
  return atomic;
}

}  // namespace

std::optional<std::string> refuse(const ir::Program& program, const Question& question) {
  if (program.kind == ir::SystemKind::Sync) return "processes in lock-step have no buffers";
  if (program.property != ir::none) return "it has a property process";
  if (program.has_commit) return commit_state(program);
  if (!program.assumptions.empty()) return "it leaves out states by invariants that are trusted";
  if (program.timeout != ir::none)
    return first_place(program,
                       [&](const ir::Edge& edge) {
                         return ir::footprint(program, edge).guard_reads.has(program.variables[program.timeout].base);
                       }) +
           "a timeout depends on all processes at once";
  if (program.several_accesses != core::no_site)
    return at_place(program, program.several_accesses) +
           "this statement makes several accesses to shared variables; take it apart, or put it into an atomic block";
  if (!program.channels.empty())
    return first_place(program, [](const ir::Edge& edge) { return edge.channel == 0; }) +
           fmt::format("it has a channel, {}", program.channels[0].name);
  for (std::uint32_t p = 0; p < program.processes.size(); ++p)
    for (const ir::ControlState& state : program.processes[p].states)
      for (const ir::Assertion& assertion : state.assertions)
        if (touches_others(program, ir::words_read(program, assertion.condition), p))
          return at_place(program, assertion.site) +
                 "this assertion reads the state of another process; ask for it with --invariant";
  for (const Question::Goal& goal : question.goals)
    if (asks_views(program, program.propositions[goal.proposition].condition))
      return fmt::format("'{}' is about what a process sees through its buffer",
                         program.propositions[goal.proposition].text);
  for (const ir::Edge& edge : program.edges) {
    if (edge.ends) continue;
    if (program.one_entry && edge.stores > 1 && edge.atomic_stores == 0)
      return at_place(program, edge.site) + "this step buffers several stores as one entry";
    if (edge.atomic_stores != 0 && !ends_atomically(program, edge))
      return at_place(program, edge.site) + "this step has a buffered store behind an atomic one";
    if (edge.fence_all && inside_section(program, edge))
      return at_place(program, edge.site) + "this `sync_all` waits inside an atomic section";
    ir::Footprint f = ir::footprint(program, edge);
    f.reads.add(f.guard_reads);
    f.reads.add(f.writes);
    ir::WordSet own(program.variable_words);
    f.reads.for_each([&](std::uint32_t w) {
      if (program.holder == ir::none || w != program.variables[program.holder].base) own.add(w);
    });
    if (touches_others(program, own, edge.process))
      return at_place(program, edge.site) + "this step reads or changes the state of another process";
  }
  return std::nullopt;
}

namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t turn = 10'000;
constexpr unsigned largest_window = 3;

// Nobody knows yet, and there is time to go on.
bool open(const Answer& answer) {
  return answer.kind == Answer::Kind::Unknown && answer.stopped && answer.stopped->kind == core::Reason::Kind::Open;
}

}  // namespace

namespace {

// With a run to what was found: if states were joined on the way, by a search that leaves them apart.
Answer with_run(const Saturation& search, Answer answer, const ir::Program& program, const Question& question,
                core::Budget& budget) {
  if (answer.kind != Answer::Kind::Violated || !answer.run.empty() || !search.joins()) return answer;
  Answer again = Saturation(program, question, budget, no_end).run(20 * turn);
  return again.kind == Answer::Kind::Violated ? again : answer;
}

}  // namespace

Answer saturate(const ir::Program& program, const Question& question, core::Budget& budget) {
  Saturation search(program, question, budget, turn);
  Answer answer = search.run(no_end);
  return with_run(search, std::move(answer), program, question, budget);
}

Answer decide(const ir::Program& program, const Question& question, core::Budget& budget) {
  Saturation exact(program, question, budget, turn);
  Answer answer = exact.run(turn);
  Question approximate = question;
  while (open(answer) && ++approximate.window <= largest_window)
    answer = Saturation(program, approximate, budget, turn).run(turn);
  if (open(answer)) answer = exact.run(no_end);
  return with_run(exact, std::move(answer), program, question, budget);
}

}  // namespace heddle::buffers
