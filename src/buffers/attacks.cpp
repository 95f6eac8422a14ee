// SPDX-License-Identifier: Apache-2.0
#include "buffers/attacks.h"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_set>

#include "buffers/process.h"
#include "ir/eval.h"

namespace heddle::buffers {
namespace {

using Words = std::vector<std::int32_t>;

// What a step sees and does: loads read the attacker's delayed values first, then memory; stores are noted.
class Port {
 public:
  static constexpr bool direct = false;
  Port(Words& words, const std::vector<std::optional<std::int32_t>>* delayed, std::uint32_t mark)
      : words_(words), delayed_(delayed), mark_(mark) {}

  std::int32_t* words() { return words_.data(); }
  std::int32_t load(std::uint32_t cell) {
    for (auto s = stores.rbegin(); s != stores.rend(); ++s)
      if (s->cell == cell) return s->value;
    if (delayed_ != nullptr && (*delayed_)[cell]) return *(*delayed_)[cell];
    loads.push_back(cell);
    return words_[cell];
  }
  bool store(std::uint32_t cell, std::int32_t value, bool) {
    if (cell != mark_) stores.push_back({cell, value});
    return true;
  }
  void set(std::uint32_t index, std::int32_t value) { words_[index] = value; }

  std::vector<std::uint32_t> loads;  // from memory
  std::vector<Store> stores;

 private:
  Words& words_;
  const std::vector<std::optional<std::int32_t>>* delayed_;
  const std::uint32_t mark_;  // Program::mark, which is nothing under tso
};

// One step of a process, or one whole atomic section.
struct Action {
  Words words;  // afterwards; stores are in memory if it was locked
  std::set<std::uint32_t> loads;
  std::vector<Store> stores;
  std::vector<core::Move> moves;
  bool waits = false;   // for an empty buffer of its process
  bool drains = false;  // … of all processes
  bool locked = false;
};

struct AttackState {
  enum class Stage : std::uint8_t { Before, Delaying, Helping };
  Words words;  // as many as the program has variables
  Stage stage = Stage::Before;
  std::uint32_t attacker = ir::none, cell = ir::none;  // the cell of st
  std::vector<std::optional<std::int32_t>> delayed;    // by cell: the attacker's newest value
  std::vector<bool> after;                             // by process: has made a step that happens after ld
  std::vector<bool> loaded, stored;                    // by cell: in such a step, or by ld itself
};

std::vector<std::uint32_t> key_of(const AttackState& s) {
  std::vector<std::uint32_t> key(s.words.begin(), s.words.end());
  key.push_back(static_cast<std::uint32_t>(s.stage) << 28 | (s.attacker & 0xfffffff));
  key.push_back(s.cell);
  for (const auto& value : s.delayed) {
    key.push_back(value.has_value());
    key.push_back(static_cast<std::uint32_t>(value.value_or(0)));
  }
  for (const auto* bits : {&s.after, &s.loaded, &s.stored})
    for (const bool bit : *bits) key.push_back(bit);
  return key;
}

struct KeyHash {
  std::size_t operator()(const std::vector<std::uint32_t>& key) const {
    std::uint64_t h = key.size();
    for (const std::uint32_t x : key) {
      h = (h ^ x) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
    return h;
  }
};

class AttackSearch {
 public:
  AttackSearch(const ir::Program& program, core::Budget& budget) : program_(program), budget_(budget) {}

  AttackAnswer run() {
    AttackState start;
    start.words.assign(program_.image.begin(), program_.image.begin() + program_.variable_words);
    add(std::move(start), none, {}, 0);
    for (; next_ < nodes_.size() && answer_.run.empty() && !answer_.stopped; ++next_) {
      const AttackState state = nodes_[next_].state;
      for (std::uint32_t p = 0; p < program_.processes.size(); ++p) step(state, p);
      nodes_[next_].state = {};  // its key is kept, and its moves
    }
    answer_.states = nodes_.size();
    return std::move(answer_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Node {
    AttackState state;
    std::uint32_t parent = none;
    std::vector<core::Move> moves;  // that led here
    std::uint32_t delayed = 0;      // stores that the attacker has buffered by then
  };

  void add(AttackState state, std::uint32_t parent, std::vector<core::Move> moves, std::uint32_t delayed) {
    if (!known_.emplace(key_of(state)).second) return;
    nodes_.push_back({std::move(state), parent, std::move(moves), delayed});
    if (nodes_.size() % 256 != 0 && nodes_.size() < budget_.max_states) return;
    core::Progress progress;
    progress.states = nodes_.size();
    if (auto reason = budget_.spent(progress)) answer_.stopped = std::move(*reason);
  }

  void step(const AttackState& state, std::uint32_t p) {
    if (state.stage == AttackState::Stage::Helping && p == state.attacker) return;
    const bool attacks = state.stage == AttackState::Stage::Delaying && p == state.attacker;
    for (Action& action : actions(state, p, attacks)) {
      if (!answer_.run.empty() || answer_.stopped) return;
      if (state.stage != AttackState::Stage::Before && action.drains) continue;
      if (attacks) delay(state, action);
      else proceed(state, p, action);
    }
  }

  // The attacker goes on behind its delayed stores.
  void delay(const AttackState& state, const Action& action) {
    if (action.waits || action.locked) return;
    const std::uint32_t before = nodes_[next_].delayed;
    AttackState next = state;
    next.words = action.words;
    for (const Store& s : action.stores) next.delayed[s.cell] = s.value;
    if (!action.loads.empty()) {  // ld: from now on others help; where the attacker is does not matter any more
      AttackState helping = next;
      helping.stage = AttackState::Stage::Helping;
      helping.delayed.clear();
      helping.after.assign(program_.processes.size(), false);
      helping.loaded.assign(program_.shared_cells, false);
      helping.stored.assign(program_.shared_cells, false);
      for (const std::uint32_t cell : action.loads) helping.loaded[cell] = true;
      for (std::uint32_t w = program_.shared_cells; w < program_.variable_words; ++w)
        if (program_.owner[w] == state.attacker) helping.words[w] = 0;
      add(std::move(helping), next_, action.moves, before);
    }
    add(std::move(next), next_, action.moves, before + static_cast<std::uint32_t>(action.stores.size()));
  }

  // A step without a buffer; a store may also be the one from which on its process delays.
  void proceed(const AttackState& state, std::uint32_t p, const Action& action) {
    const bool helps = state.stage == AttackState::Stage::Helping;
    if (helps && !happens_after(state, p, action)) return;
    const std::uint32_t delayed = nodes_[next_].delayed;
    AttackState next = state;
    next.words = action.words;
    for (const Store& s : action.stores) next.words[s.cell] = s.value;
    std::vector<core::Move> moves = action.moves;
    if (!action.locked)
      moves.insert(moves.end(), action.stores.size(), {.kind = core::Move::Kind::Flush, .thread = p, .choice = 0});
    if (helps) {
      next.after[p] = true;
      for (const std::uint32_t cell : action.loads) next.loaded[cell] = true;
      for (const Store& s : action.stores) next.stored[s.cell] = true;
      if (next.loaded[state.cell] || next.stored[state.cell]) return tell(state.attacker, moves, delayed);
    }
    add(std::move(next), next_, std::move(moves), delayed);
    if (state.stage != AttackState::Stage::Before || action.locked || action.stores.empty()) return;
    AttackState begun = state;
    begun.words = action.words;
    begun.stage = AttackState::Stage::Delaying;
    begun.attacker = p;
    begun.cell = action.stores.front().cell;
    begun.delayed.assign(program_.shared_cells, std::nullopt);
    for (const Store& s : action.stores) begun.delayed[s.cell] = s.value;
    add(std::move(begun), next_, action.moves, static_cast<std::uint32_t>(action.stores.size()));
  }

  static bool happens_after(const AttackState& state, std::uint32_t p, const Action& action) {
    return state.after[p] ||
           std::ranges::any_of(action.loads, [&](std::uint32_t cell) { return state.stored[cell]; }) ||
           std::ranges::any_of(action.stores,
                               [&](const Store& s) { return state.loaded[s.cell] || state.stored[s.cell]; });
  }

  void tell(std::uint32_t attacker, const std::vector<core::Move>& last, std::uint32_t delayed) {
    std::vector<const std::vector<core::Move>*> path{&last};
    for (std::uint32_t at = next_; at != none; at = nodes_[at].parent) path.push_back(&nodes_[at].moves);
    for (auto part = path.rbegin(); part != path.rend(); ++part)
      answer_.run.insert(answer_.run.end(), (*part)->begin(), (*part)->end());
    answer_.run.insert(answer_.run.end(), delayed, {.kind = core::Move::Kind::Flush, .thread = attacker, .choice = 0});
  }

  // Everything that p can do now: single steps, and whole locked instructions and atomic sections.
  std::vector<Action> actions(const AttackState& state, std::uint32_t p, bool attacks) {
    std::vector<Action> list;
    Action start;
    start.words = state.words;
    for (auto& [action, edge] : edges(start, p, attacks ? &state.delayed : nullptr)) {
      action.locked = Process::locked(*edge);
      if (edge->holds) section(action, p, list);
      else list.push_back(std::move(action));
    }
    return list;
  }

  // All ways through an atomic section whose first step this is. A section that blocks is left there.
  void section(const Action& first, std::uint32_t p, std::vector<Action>& list) {
    std::vector<Action> todo{first};
    std::set<std::vector<std::int64_t>> seen;
    while (!todo.empty() && !answer_.stopped) {
      Action action = std::move(todo.back());
      todo.pop_back();
      for (const Store& s : action.stores) action.words[s.cell] = s.value;
      std::vector<std::int64_t> key(action.words.begin(), action.words.end());
      for (const std::uint32_t cell : action.loads) key.push_back(cell);
      key.push_back(-1);
      std::set<std::uint32_t> written;
      for (const Store& s : action.stores) written.insert(s.cell);
      key.insert(key.end(), written.begin(), written.end());
      if (!seen.insert(std::move(key)).second) continue;
      if (seen.size() % 1024 == 0) answer_.stopped = budget_.over();
      auto further = edges(action, p, nullptr);
      if (further.empty()) list.push_back(std::move(action));
      for (auto& [next, edge] : further) {
        if (edge->holds) todo.push_back(std::move(next));
        else list.push_back(std::move(next));
      }
    }
  }

  // The enabled edges of p behind what has been done; steps that go wrong are none.
  std::vector<std::pair<Action, const ir::Edge*>> edges(const Action& before, std::uint32_t p,
                                                        const std::vector<std::optional<std::int32_t>>* delayed) {
    std::vector<std::pair<Action, const ir::Edge*>> list;
    const ir::Process& process = program_.processes[p];
    const auto control = static_cast<std::uint32_t>(before.words[process.control]);
    for (const std::uint32_t number : process.states[control].starts) {
      const ir::Edge& edge = program_.edges[number];
      if (edge.ends) continue;
      Words words = program_.image;  // with the constants and temporaries of the code
      std::ranges::copy(before.words, words.begin());
      Port port(words, delayed, program_.mark);
      ir::EvalResult result{ir::Status::True, core::no_site};
      if (edge.guard_code != ir::no_code) result = evaluate(program_, edge.guard_code, port);
      if (result.status == ir::Status::True && edge.effect_code != ir::no_code)
        result = evaluate(program_, edge.effect_code, port);
      if (result.status != ir::Status::True) continue;
      words[process.control] = static_cast<std::int32_t>(edge.target);
      words.resize(program_.variable_words);
      Action action = before;
      action.words = std::move(words);
      action.loads.insert(port.loads.begin(), port.loads.end());
      action.stores.insert(action.stores.end(), port.stores.begin(), port.stores.end());
      action.moves.push_back({core::Move::Kind::Step, p, edge.number});
      action.waits |= edge.fence;
      action.drains |= edge.fence_all;
      list.emplace_back(std::move(action), &edge);
    }
    return list;
  }

  const ir::Program& program_;
  core::Budget& budget_;
  std::deque<Node> nodes_;
  std::uint32_t next_ = 0;
  std::unordered_set<std::vector<std::uint32_t>, KeyHash> known_;
  AttackAnswer answer_;
};

}  // namespace

AttackAnswer find_attack(const ir::Program& program, core::Budget& budget) {
  return AttackSearch(program, budget).run();
}

}  // namespace heddle::buffers
