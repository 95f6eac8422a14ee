// SPDX-License-Identifier: Apache-2.0
#include "buffers/linden_wolper.h"

#include <algorithm>
#include <compare>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>

#include "buffers/regular.h"
#include "buffers/view.h"
#include "ir/footprint.h"

namespace heddle::buffers {
namespace {

// A transition, named so that it is the same one in different states.
struct Transition {
  std::uint32_t process = 0;
  const ir::Edge* edge = nullptr;  // null: a commit
  Symbol committed = 0;
  std::uint32_t local = 0;  // afterwards
  std::vector<Symbol> stores;
  auto operator<=>(const Transition&) const = default;
};
using Sleep = std::set<Transition>;

struct State {
  Memory memory;
  std::vector<std::uint32_t> locals;
  std::vector<Language> contents;
  auto operator<=>(const State&) const = default;
};

class LindenWolperSearch {
 public:
  LindenWolperSearch(const ir::Program& program, const Question& question, const LindenWolperOptions& options,
                     core::Budget& budget)
      : program_(program), question_(question), options_(options), budget_(budget), array_(program.image) {
    automata_.watch(budget);
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
      processes_.emplace_back(program, p, question.order, automata_, alphabet_);
    for (const ir::Edge& edge : program.edges) {
      ir::Footprint f = ir::footprint(program, edge);
      f.reads.add(f.guard_reads);
      reads_.emplace(&edge, std::move(f.reads));
    }
    nothing_ = automata_.word({});
  }

  LindenWolperAnswer run() {
    State start;
    start.memory.assign(program_.image.begin(), program_.image.begin() + program_.shared_cells);
    for (const Process& p : processes_) start.locals.push_back(p.initial());
    start.contents.assign(processes_.size(), nothing_);
    enter(std::move(start), {}, nullptr);
    while (!stack_.empty() && !answer_.stopped) {
      Frame& top = stack_.back();
      if (top.next == top.work.size()) {
        stack_.pop_back();
        continue;
      }
      const Transition t = top.work[top.next++];
      Sleep sleep;
      if (options_.sleep_sets) {
        for (const Transition& u : top.sleep)
          if (independent(t, u, top.state)) sleep.insert(u);
        top.sleep.insert(t);
      }
      ++answer_.transitions;
      enter(successor(top.state, t), std::move(sleep), &t);
    }
    answer_.complete = !answer_.stopped;
    answer_.stored = table_.size();
    if (options_.keep) {
      for (const auto& [state, sleep] : table_) keep(state);
      answer_.stores = alphabet_.stores();
    }
    return std::move(answer_);
  }

 private:
  struct Frame {
    State state;
    Sleep sleep;
    Transition by;  // what led here
    std::vector<Transition> work;
    std::size_t next = 0;
    std::vector<std::vector<std::vector<Symbol>>> cycles;  // by process: words of the cycles found here
  };

  void keep(const State& s) {
    LindenWolperAnswer::State kept{s.memory, {}, {}, {}};
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      kept.control.push_back(static_cast<std::uint32_t>(processes_[p].local(s.locals[p]).front()));
      kept.contents.push_back(regular_expression(automata_.dfa(s.contents[p]),
                                                 [this](Symbol symbol) { return alphabet_.show(program_, symbol); }));
      kept.languages.push_back(automata_.dfa(s.contents[p]));
    }
    answer_.states.push_back(std::move(kept));
  }

  Language contents_after(const State& s, const Transition& t) {
    // A locked instruction leaves nothing; else its stores follow what gave this outcome, behind a fence nothing.
    if (Process::locked(*t.edge)) return nothing_;
    Process& process = processes_[t.process];
    std::vector<Language> parts;
    for (const Process::Part& part : process.parts(s.contents[t.process]))
      for (const Outcome& o : process.outcomes(s.locals[t.process], process.view(s.memory, part.newest)))
        if (o.edge == t.edge && !o.failure && o.local == t.local && symbols(o) == t.stores) {
          parts.push_back(part.language);
          break;
        }
    Language l = t.edge->fence ? nothing_ : parts.size() == 1 ? parts.front() : automata_.unite(parts);
    for (const Symbol symbol : t.stores) l = automata_.append(l, symbol);
    return l;
  }

  std::vector<Symbol> symbols(const Outcome& o) {
    std::vector<Symbol> list;
    for (const Store& s : o.stores) list.push_back(alphabet_.store(s.cell, s.value));
    return list;
  }

  State successor(const State& s, const Transition& t) {
    State next = s;
    if (t.edge == nullptr) {
      const Store store = alphabet_.store_of(t.committed);
      next.memory[store.cell] = store.value;
      next.contents[t.process] = automata_.derive(s.contents[t.process], t.committed);
      return next;
    }
    next.contents[t.process] = contents_after(s, t);
    next.locals[t.process] = t.local;
    if (Process::locked(*t.edge))
      for (const Symbol symbol : t.stores)
        next.memory[alphabet_.store_of(symbol).cell] = alphabet_.store_of(symbol).value;
    return next;
  }

  std::vector<Transition> enabled(const State& s) {
    std::vector<Transition> list;
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      const Language contents = s.contents[p];
      const bool may_be_empty = automata_.dfa(contents).accepting[0];
      std::set<Transition> own;
      for (const Process::Part& part : processes_[p].parts(contents)) {
        const bool empty_here = may_be_empty && automata_.includes(part.language, nothing_);
        for (const Outcome& o : processes_[p].outcomes(s.locals[p], processes_[p].view(s.memory, part.newest))) {
          const bool waits = o.edge->fence || Process::locked(*o.edge);
          if (o.failure || (waits && !empty_here)) continue;
          own.insert({p, o.edge, 0, o.local, symbols(o)});
        }
      }
      list.insert(list.end(), own.begin(), own.end());
      for (const Arc& arc : automata_.dfa(contents).of(0)) list.push_back({p, nullptr, arc.symbol, 0, {}});
    }
    return list;
  }

  bool independent(const Transition& t, const Transition& u, const State& s) const {
    if (t.process == u.process) return false;
    const auto fences = [](const Transition& x) {
      return x.edge != nullptr && (x.edge->fence || Process::locked(*x.edge));
    };
    if (fences(t) || fences(u)) return false;
    if (t.edge != nullptr && u.edge != nullptr) return true;
    if (t.edge == nullptr && u.edge == nullptr)
      return alphabet_.store_of(t.committed).cell != alphabet_.store_of(u.committed).cell;
    const Transition& commit = t.edge == nullptr ? t : u;
    const Transition& step = t.edge == nullptr ? u : t;
    const std::uint32_t cell = alphabet_.store_of(commit.committed).cell;
    return !reads_.at(step.edge).has(cell) || always_stored(s.contents[step.process], cell);
  }

  // Does every content have a store to the cell?
  bool always_stored(Language l, std::uint32_t cell) const {
    const Dfa& d = automata_.dfa(l);
    std::vector<bool> seen(d.size());
    std::vector<std::uint32_t> todo{0};
    while (!todo.empty()) {
      const std::uint32_t q = todo.back();
      todo.pop_back();
      if (seen[q]) continue;
      seen[q] = true;
      if (d.accepting[q]) return false;
      for (const Arc& a : d.of(q))
        if (alphabet_.store_of(a.symbol).cell != cell) todo.push_back(a.target);
    }
    return true;
  }

  // Would a load of the cell give this value, whatever the content?
  bool always_loads(Language l, const Memory& memory, std::uint32_t cell, std::int32_t value) const {
    const Dfa& d = automata_.dfa(l);
    std::set<std::pair<std::uint32_t, std::int64_t>> seen;
    std::vector<std::pair<std::uint32_t, std::int64_t>> todo{{0, memory[cell]}};
    while (!todo.empty()) {
      const auto at = todo.back();
      todo.pop_back();
      if (!seen.insert(at).second) continue;
      if (d.accepting[at.first] && at.second != value) return false;
      for (const Arc& a : d.of(at.first)) {
        const Store& s = alphabet_.store_of(a.symbol);
        todo.emplace_back(a.target, s.cell == cell ? s.value : at.second);
      }
    }
    return true;
  }

  // Is the state on the stack the same but for one buffer, to which the way from there has added a word that loads do
  // not notice? Then the word may be repeated.
  void accelerate(State& s, const Transition* by) {
    if (by == nullptr) return;
    std::vector<std::vector<Symbol>> added(processes_.size());  // backwards
    std::vector<bool> broken(processes_.size());
    const auto note = [&](const Transition& t) {
      if (t.edge == nullptr || t.edge->fence || Process::locked(*t.edge)) broken[t.process] = true;
      else added[t.process].insert(added[t.process].end(), t.stores.rbegin(), t.stores.rend());
    };
    note(*by);
    for (std::size_t i = stack_.size(); i-- > 0;) {
      Frame& frame = stack_[i];
      const State& old = frame.state;
      std::uint32_t different = 0, which = 0;
      if (old.memory == s.memory && old.locals == s.locals)
        for (std::uint32_t p = 0; p < processes_.size(); ++p)
          if (old.contents[p] != s.contents[p]) {
            ++different;
            which = p;
          }
      if (different == 1 && !broken[which] && !added[which].empty()) {
        std::vector<Symbol> word(added[which].rbegin(), added[which].rend());
        if (repeats(old, s, which, word)) {
          frame.cycles.resize(processes_.size());
          auto& words = frame.cycles[which];
          if (std::ranges::find(words, word) == words.end()) words.push_back(word);
          s.contents[which] = automata_.repeat(old.contents[which], words);
          ++answer_.cycles;
          return;
        }
      }
      note(frame.by);
    }
  }

  bool repeats(const State& old, const State& s, std::uint32_t p, const std::vector<Symbol>& word) {
    Language longer = old.contents[p];
    for (const Symbol symbol : word) longer = automata_.append(longer, symbol);
    if (longer != s.contents[p]) return false;
    std::map<std::uint32_t, std::int32_t> last;
    for (const Symbol symbol : word) last[alphabet_.store_of(symbol).cell] = alphabet_.store_of(symbol).value;
    return std::ranges::all_of(
        last, [&](const auto& entry) { return always_loads(old.contents[p], old.memory, entry.first, entry.second); });
  }

  void enter(State s, Sleep sleep, const Transition* by) {
    ++answer_.visited;
    accelerate(s, by);
    const std::vector<Transition> possible = enabled(s);
    std::set<Transition> executed;
    bool inside = false;
    Sleep common;
    for (auto& [known, asleep] : same_place(s)) {
      if (!included(s, *known)) continue;
      const Sleep& there = *asleep;
      if (!inside) common = there;
      else std::erase_if(common, [&there](const Transition& t) { return !there.contains(t); });
      inside = true;
    }
    if (inside) {
      for (const Transition& t : possible)
        if (!common.contains(t)) executed.insert(t);
      std::erase_if(sleep, [&](const Transition& t) { return !common.contains(t); });
    }
    const auto [at, fresh] = table_.try_emplace(s, sleep);
    if (fresh) {
      places_[{s.memory, s.locals}].push_back(&*at);
      answer_.errors += bad(s);
    } else {
      at->second = sleep;
    }
    Frame frame;
    for (const Transition& t : possible)
      if (!sleep.contains(t) && !executed.contains(t)) frame.work.push_back(t);
    frame.state = std::move(s);
    frame.sleep = std::move(sleep);
    if (by != nullptr) frame.by = *by;
    stack_.push_back(std::move(frame));
    answer_.depth = std::max<std::uint64_t>(answer_.depth, stack_.size());
    core::Progress progress;
    progress.states = table_.size();
    if (auto reason = budget_.spent(progress)) answer_.stopped = std::move(*reason);
    else if (automata_.stopped()) answer_.stopped = automata_.stopped();
    else give_up_counters();
  }

  // A counter without end: depth first, the search would follow it for ever.
  void give_up_counters() {
    constexpr std::size_t most_locals = 4096;
    for (const Process& p : processes_)
      if (p.locals() > most_locals)
        answer_.stopped =
            core::Reason{core::Reason::Kind::TooLarge,
                         fmt::format("a process has more than {} local states{}", most_locals, p.counter())};
  }

  using Entry = std::map<State, Sleep>::value_type;
  std::vector<std::pair<const State*, const Sleep*>> same_place(const State& s) {
    std::vector<std::pair<const State*, const Sleep*>> list;
    for (const Entry* entry : places_[{s.memory, s.locals}]) list.emplace_back(&entry->first, &entry->second);
    return list;
  }

  bool included(const State& small, const State& big) {
    for (std::size_t p = 0; p < small.contents.size(); ++p)
      if (!automata_.includes(big.contents[p], small.contents[p])) return false;
    return true;
  }

  bool bad(const State& s) {
    return (question_.errors && goes_wrong(s)) || is_goal(s) || (question_.deadlocks && is_deadlock(s));
  }

  bool is_goal(const State& s) {
    std::copy(s.memory.begin(), s.memory.end(), array_.begin());
    for (std::uint32_t p = 0; p < processes_.size(); ++p)
      for (std::size_t i = 0; i < processes_[p].words().size(); ++i)
        array_[processes_[p].words()[i]] = processes_[p].local(s.locals[p])[i];
    return std::ranges::any_of(question_.goals, [&](const Question::Goal& goal) {
      View view{array_};
      const auto result = evaluate(program_, program_.propositions[goal.proposition].code, view);
      return ir::is_error(result.status) || (result.status == ir::Status::True) == goal.forbidden_when;
    });
  }

  // An assertion that fails, or a step that ends in an error.
  bool goes_wrong(const State& s) {
    for (std::uint32_t p = 0; p < processes_.size(); ++p)
      for (const Process::Part& part : processes_[p].parts(s.contents[p])) {
        const Memory seen = processes_[p].view(s.memory, part.newest);
        if (processes_[p].failed_assertion(s.locals[p], seen)) return true;
        for (const Outcome& o : processes_[p].outcomes(s.locals[p], seen)) {
          const bool waits = o.edge->fence || Process::locked(*o.edge);
          if (o.failure && (!waits || automata_.includes(part.language, nothing_))) return true;
        }
      }
    return false;
  }

  // Everybody may rest with an empty buffer and nothing to do, and somebody not at an end.
  bool is_deadlock(const State& s) {
    bool unfinished = false;
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      if (!automata_.dfa(s.contents[p]).accepting[0]) return false;
      if (!processes_[p].outcomes(s.locals[p], s.memory).empty()) return false;
      const auto control = static_cast<std::uint32_t>(processes_[p].local(s.locals[p]).front());
      const ir::ControlState& at = program_.processes[p].states[control];
      unfinished |= !at.end && !at.starts.empty();
    }
    return unfinished;
  }

  const ir::Program& program_;
  const Question& question_;
  const LindenWolperOptions options_;
  core::Budget& budget_;
  Automata automata_;
  Alphabet alphabet_;
  std::deque<Process> processes_;
  std::map<const ir::Edge*, ir::WordSet> reads_;
  Language nothing_ = 0;
  std::vector<Frame> stack_;
  std::map<State, Sleep> table_;
  std::map<std::pair<Memory, std::vector<std::uint32_t>>, std::vector<Entry*>> places_;
  std::vector<std::int32_t> array_;
  LindenWolperAnswer answer_;
};

}  // namespace

std::optional<std::string> refuse_linden_wolper(const ir::Program& program, const Question& question) {
  if (question.order != ir::StoreOrder::Program) return "that search is about tso";
  if (program.holder != ir::none) return "that search has no atomic sections of several steps";
  if (std::ranges::any_of(program.edges, [](const ir::Edge& edge) { return edge.fence_all && !edge.ends; }))
    return "that search has no `sync_all`";
  return std::nullopt;
}

LindenWolperAnswer linden_wolper(const ir::Program& program, const Question& question,
                                 const LindenWolperOptions& options, core::Budget& budget) {
  return LindenWolperSearch(program, question, options, budget).run();
}

}  // namespace heddle::buffers
