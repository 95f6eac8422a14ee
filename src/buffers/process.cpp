// SPDX-License-Identifier: Apache-2.0
#include "buffers/process.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "ir/footprint.h"

namespace heddle::buffers {

// The evaluator's view: loads see `view`, stores are noted and seen by later loads of the same step.
class Process::Port {
 public:
  static constexpr bool direct = false;
  Port(std::vector<std::int32_t>& array, const Memory& view, std::uint32_t mark = ir::none)
      : array_(array), view_(view), mark_(mark) {}

  std::int32_t* words() { return array_.data(); }
  std::int32_t load(std::uint32_t cell) const {
    for (auto s = stores.rbegin(); s != stores.rend(); ++s)
      if (s->cell == cell) return s->value;
    return view_[cell];
  }
  bool store(std::uint32_t cell, std::int32_t value, bool) {
    if (cell != mark_) stores.push_back({cell, value});
    return true;
  }
  void set(std::uint32_t index, std::int32_t value) { array_[index] = value; }

  std::vector<Store> stores;

 private:
  std::vector<std::int32_t>& array_;
  const Memory& view_;
  const std::uint32_t mark_;  // not to be noted
};

std::uint32_t Process::newest_after(std::uint32_t newest, Symbol symbol) {
  const auto [at, fresh] = newest_after_.try_emplace(std::uint64_t{newest} << 32 | symbol, newest);
  if (!fresh) return at->second;
  const std::uint32_t cell = alphabet_.store_of(symbol).cell;
  const auto found = std::ranges::lower_bound(tracked_, cell);
  if (found == tracked_.end() || *found != cell) return newest;
  std::vector<Symbol> after = newest_[newest];
  after[static_cast<std::size_t>(found - tracked_.begin())] = symbol + 1;
  const auto [number, added] = newest_numbers_.try_emplace(after, static_cast<std::uint32_t>(newest_.size()));
  if (added) newest_.push_back(std::move(after));
  return at->second = number->second;
}

std::uint32_t Process::number_of(const std::vector<std::int32_t>& values) {
  const auto [at, fresh] = local_numbers_.try_emplace(values, static_cast<std::uint32_t>(locals_.size()));
  if (fresh) locals_.push_back(values);
  return at->second;
}

const std::vector<std::int32_t>& Process::key_of(std::uint32_t local, const Memory& view) {
  key_.assign(1, static_cast<std::int32_t>(local));
  for (const std::uint32_t c : loaded_) key_.push_back(view[c]);
  return key_;
}

const std::vector<Outcome>& Process::outcomes(std::uint32_t local, const Memory& view) {
  const auto [at, fresh] = outcomes_.try_emplace(key_of(local, view));
  std::vector<Outcome>& list = at->second;
  if (!fresh) return list;
  const ir::Process& process = program_.processes[number_];
  const std::vector<std::int32_t> before = locals_[local];
  const auto control = static_cast<std::uint32_t>(before.front());  // the control state is the first word
  for (const std::uint32_t number : process.states[control].starts) {
    const ir::Edge& edge = program_.edges[number];
    if (edge.ends) continue;
    for (std::size_t i = 0; i < words_.size(); ++i) array_[words_[i]] = before[i];
    Port port(array_, view, unneeded_mark_);
    ir::EvalResult result{ir::Status::True, core::no_site};
    if (edge.guard_code != ir::no_code) result = evaluate(program_, edge.guard_code, port);
    if (result.status == ir::Status::False) continue;
    if (result.status == ir::Status::True && edge.effect_code != ir::no_code)
      result = evaluate(program_, edge.effect_code, port);
    Outcome outcome;
    outcome.edge = &edge;
    if (ir::is_error(result.status)) {
      outcome.failure = Failure{number_, result.status, result.site, local};
    } else {
      array_[process.control] = static_cast<std::int32_t>(edge.target);
      std::vector<std::int32_t> after;
      for (const std::uint32_t w : words_) after.push_back(array_[w]);
      outcome.local = number_of(after);
      outcome.stores = std::move(port.stores);
    }
    list.push_back(std::move(outcome));
  }
  return list;
}

std::optional<Failure> Process::failed_assertion(std::uint32_t local, const Memory& view) {
  const auto control = static_cast<std::uint32_t>(locals_[local].front());
  const ir::ControlState& state = program_.processes[number_].states[control];
  if (state.assertions.empty()) return std::nullopt;
  const auto [at, fresh] = assertions_.try_emplace(key_of(local, view));
  if (!fresh) return at->second;
  for (std::size_t i = 0; i < words_.size(); ++i) array_[words_[i]] = locals_[local][i];
  for (const ir::Assertion& assertion : state.assertions) {
    Port port(array_, view);
    const ir::EvalResult result = evaluate(program_, assertion.code, port);
    if (result.status == ir::Status::True) continue;
    const bool error = ir::is_error(result.status);
    at->second =
        Failure{number_, error ? result.status : ir::Status::True, error ? result.site : assertion.site, local};
    break;
  }
  return at->second;
}

// The closure as a nondeterministic automaton. Its states are pairs of what has been read of the old words and the last
// buffered values of the tracked cells; behind the end of an old word, the local state and the position in the round
// of memories. `fresh`: nothing is buffered, so that fences pass.
struct Process::Graph {
  struct Place {
    bool running = false;  // behind the old word
    bool fresh = true;
    std::uint32_t at = 0;  // state of the old automaton, or local state
    std::uint32_t phase = 0;
    std::uint32_t newest = 0;  // of newest_
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& p) const {
      std::uint64_t h = (std::uint64_t{p.at} << 32 | p.newest) * 0xff51afd7ed558ccd;
      h = (h ^ h >> 32 ^ (std::uint64_t{p.phase} << 2 | p.running << 1 | p.fresh)) * 0xc4ceb9fe1a85ec53;
      return h ^ h >> 32;
    }
  };

  explicit Graph(Process& process) : self(process) {}

  std::uint32_t node(const Place& place) {
    const auto [at, added] = numbers.try_emplace(place, 0);
    if (added) {
      at->second = nfa.add();
      todo.emplace_back(place, at->second);
    }
    return at->second;
  }

  void buffer(Place& place, Symbol symbol) const {
    place.newest = self.newest_after(place.newest, symbol);
    place.fresh = false;
  }

  // What the process sees.
  void look(const Place& place) {
    for (const std::uint32_t c : self.loaded_) view[c] = memories[place.phase][c];
    const std::vector<Symbol>& newest = self.newest_[place.newest];
    for (std::size_t i = 0; i < newest.size(); ++i)
      if (newest[i] != 0) view[self.tracked_[i]] = self.alphabet_.store_of(newest[i] - 1).value;
  }

  void read(const Place& place, std::uint32_t from) {
    for (const Arc& arc : dfa->of(place.at)) {
      Place next = place;
      if (Alphabet::is_local(arc.symbol)) {
        next.running = true;
        next.at = Alphabet::local_of(arc.symbol);
        const std::uint32_t to = node(next);
        nfa.states[from].empty.push_back(to);
      } else {
        next.at = arc.target;
        buffer(next, arc.symbol);
        const std::uint32_t to = node(next);
        nfa.states[from].arcs.push_back({arc.symbol, to});
      }
    }
  }

  void run(const Place& place, std::uint32_t from) {
    if (place.phase == 0) nfa.states[from].arcs.push_back({Alphabet::local(place.at), final});
    if (memories.size() > 1) {
      Place later = place;
      later.phase = (place.phase + 1) % static_cast<std::uint32_t>(memories.size());
      const std::uint32_t to = node(later);
      nfa.states[from].empty.push_back(to);
    }
    look(place);
    if (const auto failed = self.failed_assertion(place.at, view)) self.failure_ = failed;
    for (const Outcome& outcome : self.outcomes(place.at, view)) {
      if (locked(*outcome.edge) || (outcome.edge->fence && !place.fresh)) continue;
      if (outcome.failure) {
        self.failure_ = outcome.failure;
        continue;
      }
      Place next = place;
      next.at = outcome.local;
      for (const Store& s : outcome.stores) buffer(next, self.alphabet_.store(s.cell, s.value));
      const std::uint32_t to = node(next);
      if (outcome.stores.empty()) {
        nfa.states[from].empty.push_back(to);
        continue;
      }
      std::uint32_t at = from;
      for (std::size_t i = 0; i < outcome.stores.size(); ++i) {
        const std::uint32_t behind = i + 1 == outcome.stores.size() ? to : nfa.add();
        nfa.states[at].arcs.push_back({self.alphabet_.store(outcome.stores[i].cell, outcome.stores[i].value), behind});
        at = behind;
      }
    }
  }

  Language language(const Dfa& old, std::span<const Memory> rounds) {
    dfa = &old;
    memories = rounds;
    view = rounds.front();
    nfa.clear();
    clear_table(numbers);
    todo.clear();
    final = nfa.add();
    nfa.states[final].accepting = true;
    const std::uint32_t initial = node({});
    while (!todo.empty()) {
      if (self.automata_.gives_up(numbers.size())) return self.automata_.empty();
      const auto [place, number] = todo.back();
      todo.pop_back();
      if (place.running) run(place, number);
      else read(place, number);
    }
    return self.automata_.language(nfa, initial);
  }

  Process& self;
  const Dfa* dfa = nullptr;
  std::span<const Memory> memories;
  Memory view;
  Nfa nfa;
  std::uint32_t final = 0;
  std::unordered_map<Place, std::uint32_t, PlaceHash> numbers;
  std::vector<std::pair<Place, std::uint32_t>> todo;
};

Process::Process(const ir::Program& program, std::uint32_t number, ir::StoreOrder order, Automata& automata,
                 Alphabet& alphabet)
    : program_(program),
      number_(number),
      unneeded_mark_(order == ir::StoreOrder::Program ? program.mark : ir::none),
      automata_(automata),
      alphabet_(alphabet),
      array_(program.image) {
  for (std::uint32_t w = program.shared_cells; w < program.variable_words; ++w)
    if (program.owner[w] == number) words_.push_back(w);
  ir::WordSet loads(program.variable_words), stores(program.variable_words);
  for (const std::uint32_t e : program.processes[number].edges) {
    const ir::Edge& edge = program.edges[e];
    if (edge.ends) continue;
    const ir::Footprint f = ir::footprint(program, edge);
    loads.add(f.guard_reads);
    loads.add(f.reads);
    if (edge.stores != 0 && !locked(edge)) stores.add(f.writes);
  }
  for (const ir::ControlState& state : program.processes[number].states)
    for (const ir::Assertion& a : state.assertions) loads.add(ir::words_read(program, a.condition));
  for (std::uint32_t c = 0; c < program.shared_cells; ++c) {
    if (!loads.has(c)) continue;
    loaded_.push_back(c);
    if (stores.has(c)) tracked_.push_back(c);
  }
  std::vector<std::int32_t> values;
  for (const std::uint32_t w : words_) values.push_back(program.image[w]);
  initial_ = number_of(values);
  newest_.emplace_back(tracked_.size(), 0);
  newest_numbers_.emplace(newest_.back(), 0);
}

Process::~Process() = default;

Language Process::closure(Language from, std::span<const Memory> memories) {
  key_.assign(1, static_cast<std::int32_t>(from));
  for (const Memory& memory : memories)
    for (const std::uint32_t c : loaded_) key_.push_back(memory[c]);
  if (const auto found = closures_.find(key_); found != closures_.end()) return found->second;
  std::vector<std::int32_t> key = key_;  // the closure asks for others
  if (!graph_) graph_ = std::make_unique<Graph>(*this);
  const Language result = from == automata_.empty() ? from : graph_->language(automata_.dfa(from), memories);
  if (!automata_.stopped()) closures_.emplace(std::move(key), result);
  return result;
}

Memory Process::view(const Memory& memory, const std::vector<Symbol>& newest) const {
  Memory seen = memory;
  for (std::size_t i = 0; i < tracked_.size(); ++i)
    if (newest[i] != 0) seen[tracked_[i]] = alphabet_.store_of(newest[i] - 1).value;
  return seen;
}

const std::vector<Process::Part>& Process::parts(Language l) {
  if (const auto found = parts_.find(l); found != parts_.end()) return found->second;
  // The automaton times the newest values; one language for each combination in which it may end.
  const Dfa& d = automata_.dfa(l);
  using Place = std::pair<std::uint32_t, std::vector<Symbol>>;
  std::map<Place, std::uint32_t> numbers;
  std::vector<Place> order;
  Nfa nfa;
  const auto node = [&](Place place) {
    const auto [at, fresh] = numbers.try_emplace(place, static_cast<std::uint32_t>(nfa.states.size()));
    if (fresh) {
      nfa.add();
      order.push_back(std::move(place));
    }
    return at->second;
  };
  node({0, std::vector<Symbol>(tracked_.size(), 0)});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Place place = order[i];  // NOLINT(performance-unnecessary-copy-initialization): node() lets it grow
    for (const Arc& arc : d.of(place.first)) {
      Place next{arc.target, place.second};
      const auto found = std::ranges::lower_bound(tracked_, alphabet_.store_of(arc.symbol).cell);
      if (found != tracked_.end() && *found == alphabet_.store_of(arc.symbol).cell)
        next.second[static_cast<std::size_t>(found - tracked_.begin())] = arc.symbol + 1;
      const std::uint32_t to = node(std::move(next));
      nfa.states[i].arcs.push_back({arc.symbol, to});
    }
  }
  std::map<std::vector<Symbol>, std::vector<std::uint32_t>> ends;
  for (std::uint32_t i = 0; i < order.size(); ++i)
    if (d.accepting[order[i].first]) ends[order[i].second].push_back(i);
  std::vector<Part> list;
  for (const auto& [newest, states] : ends) {
    for (Nfa::State& state : nfa.states) state.accepting = false;
    for (const std::uint32_t q : states) nfa.states[q].accepting = true;
    list.push_back({newest, automata_.language(nfa, 0)});
  }
  return parts_.emplace(l, std::move(list)).first->second;
}

std::string Process::counter() const {
  constexpr std::size_t many = 1000;
  for (std::size_t w = 1; w < words_.size() && locals_.size() >= many; ++w) {
    std::set<std::int32_t> values;
    for (const auto& local : locals_)
      if (values.insert(local[w]).second && values.size() == many)
        return fmt::format(": {} takes {} values and more; give it a smaller type, or a bound",
                           program_.word_name(words_[w]), many);
  }
  return {};
}

}  // namespace heddle::buffers
