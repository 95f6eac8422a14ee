// SPDX-License-Identifier: Apache-2.0
#include "check/lasso_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "check/lasso_semantics.h"
#include "check/naive_replay.h"

namespace heddle::check {
namespace {

// What waits in a buffer: a process and, where stores to different cells leave independently, the cell.
using Waiting = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Waiting waiting(const NaivePort& port, NaiveModel model) {
  Waiting result;
  const auto& buffers = port.contents().buffers;
  for (std::uint32_t p = 0; p < buffers.size(); ++p)
    for (const NaivePort::Entry& e : buffers[p]) result.emplace(p, model == NaiveModel::Tso ? 0 : e.cell);
  return result;
}

// What a loop owes as it goes on: promises that no place and no step of it has kept so far.
class Debts {
 public:
  Debts(const ir::Program& program, NaiveModel model, const LassoClaim& claim)
      : program_(program), model_(model), claim_(claim) {}

  // Every place of the loop, before its step.
  void at(Replay& run) {
    if (claim_.memory_fairness) {
      Waiting now = waiting(run.port(), model_);
      if (first_) delayed_ = std::move(now);
      else std::erase_if(delayed_, [&](const auto& w) { return !now.contains(w); });
    }
    if (claim_.process_fairness) {
      if (first_) passed_over_.assign(program_.processes.size(), true);
      // Who waits for the end of an atomic section counts as before.
      const std::vector<bool> enabled = run.held() ? passed_over_ : run.enabled();
      for (std::size_t p = 0; p < enabled.size(); ++p) passed_over_[p] = passed_over_[p] && enabled[p];
    }
    first_ = false;
  }

  // Every step of the loop. `cell`: of a flush, what it wrote to.
  void by(const core::Move& move, std::uint32_t cell) {
    if (move.kind == core::Move::Kind::Flush) {
      delayed_.erase({move.thread, model_ == NaiveModel::Tso ? 0 : cell});
      return;
    }
    for (std::size_t p = 0; p < passed_over_.size(); ++p)
      if (p == move.thread || p == move.partner || move.thread == core::Move::none) passed_over_[p] = false;
  }

  std::string left() const {
    if (!delayed_.empty())
      return fmt::format("a store of {} is delayed for ever", program_.processes[delayed_.begin()->first].name);
    for (std::size_t p = 0; p < passed_over_.size(); ++p)
      if (passed_over_[p]) return fmt::format("{} is passed over for ever", program_.processes[p].name);
    return {};
  }

 private:
  const ir::Program& program_;
  NaiveModel model_;
  const LassoClaim& claim_;
  bool first_ = true;
  Waiting delayed_;
  std::vector<bool> passed_over_;
};

class LassoRun {
 public:
  LassoRun(const ir::Program& program, NaiveModel model, unsigned bound, const LassoClaim& claim, ReplayedLasso& result)
      : run_(program, model, bound), debts_(program, model, claim), claim_(claim), result_(result) {}

  void go(const std::vector<core::Move>& stem, const std::vector<core::Move>& loop) {
    for (const core::Move& move : stem)
      if (!read_letter() || !step(move, "stem")) return;
    const std::size_t loop_start = letters_.size();
    if (loop.empty()) {
      if (!read_letter()) return;
      if (!run_.deadlocked(claim_.errors)) return fail("the run does not end where it should");
    } else {
      const std::vector<std::int32_t> begin = run_.port().key();
      for (const core::Move& move : loop) {
        debts_.at(run_);
        accepting_ = accepting_ || (run_.accepting() && !run_.held());
        const std::uint32_t cell = flushed_cell(move);
        if (!read_letter() || !step(move, "loop")) return;
        debts_.by(move, cell);
      }
      if (run_.port().key() != begin) return fail("the loop does not close");
      result_.trace.loop_start = stem.size();
    }
    if (letters_.size() == loop_start) return fail("the run stays inside an atomic section for ever");
    if (const std::string debt = debts_.left(); !debt.empty()) return fail("the run is not fair: " + debt);
    if (claim_.formula != nullptr) {
      if (holds_on_lasso(*claim_.formula, letters_, loop_start)) return fail("the formula holds on the run");
    } else if (claim_.violations != nullptr) {
      if (!accepts_lasso(*claim_.violations, letters_, loop_start))
        return fail("the automaton does not accept the run");
    } else if (!accepting_) {
      return fail("the property process does not accept the run");
    }
    result_.confirmed = true;
  }

 private:
  void fail(std::string why) { result_.why = std::move(why); }

  // Inside an atomic section there is none.
  bool read_letter() {
    if (run_.held()) return true;
    letters_.emplace_back();
    for (const std::uint32_t p : claim_.propositions) {
      const ir::Status status = run_.proposition(p);
      if (ir::is_error(status)) {
        fail("a proposition has no value on the run");
        return false;
      }
      letters_.back().push_back(status == ir::Status::True);
    }
    return true;
  }

  std::uint32_t flushed_cell(const core::Move& move) const {
    const auto& buffers = run_.port().contents().buffers;
    if (move.kind != core::Move::Kind::Flush || move.thread >= buffers.size()) return 0;
    return move.choice < buffers[move.thread].size() ? buffers[move.thread][move.choice].cell : 0;
  }

  bool step(const core::Move& move, const char* part) {
    if (run_.move(move, result_.trace) && !run_.step_error()) return true;
    fail(fmt::format("step {} of the run, in its {}, is not possible", result_.trace.steps.size() + 1, part));
    return false;
  }

  Replay run_;
  Debts debts_;
  const LassoClaim& claim_;
  ReplayedLasso& result_;
  std::vector<std::vector<bool>> letters_;
  bool accepting_ = false;
};

}  // namespace

ReplayedLasso replay_lasso(const ir::Program& program, const std::string& model, unsigned buffer_bound,
                           const std::vector<core::Move>& stem, const std::vector<core::Move>& loop,
                           const LassoClaim& claim) {
  ReplayedLasso result;
  result.trace.model = model;
  const auto naive = naive_model(model);
  if (!naive) {
    result.why = "no naive machine for " + model;
    return result;
  }
  LassoRun(program, *naive, buffer_bound == 0 ? 0 : NaivePort::unbounded, claim, result).go(stem, loop);
  return result;
}

// The greatest set of pairs (place, state) from each of which, for every acceptance set, a path inside the set takes
// an arc of that acceptance set (Emerson and Lei, LICS 1986). It is reached from the start iff the word is accepted.
bool accepts_lasso(const ltl::Automaton& a, const std::vector<std::vector<bool>>& letters, std::size_t loop_start) {
  struct Arc {
    std::size_t from, to;
    std::set<std::size_t> fulfils;
  };
  const std::size_t states = a.states(), places = letters.size();
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < places; ++i) {
    const auto holds = [&](std::uint32_t v) { return bool{letters[i][v]}; };
    const std::size_t next = i + 1 < places ? i + 1 : loop_start;
    for (std::size_t q = 0; q < states; ++q)
      for (const ltl::Edge& e : a.edges[q]) {
        if (!a.letters->contains(e.label, holds)) continue;
        Arc arc{i * states + q, next * states + e.target, {0}};  // set 0: all arcs
        for (unsigned k = 0; k < a.sets; ++k)
          if ((e.marks >> k & 1) != 0) arc.fulfils.insert(1 + k);
        for (std::size_t k = 0; k < a.recurring.size(); ++k)
          if (a.letters->contains(a.recurring[k], holds)) arc.fulfils.insert(1 + a.sets + k);
        arcs.push_back(std::move(arc));
      }
  }
  const auto grow = [&](std::vector<char>& set, const std::function<bool(const Arc&)>& allowed, bool backwards) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Arc& arc : arcs) {
        const std::size_t known = backwards ? arc.to : arc.from, fresh = backwards ? arc.from : arc.to;
        if (set[known] == 0 || set[fresh] != 0 || !allowed(arc)) continue;
        set[fresh] = 1;
        changed = true;
      }
    }
  };
  std::vector<char> inside(places * states, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t set = 0; set <= a.sets + a.recurring.size(); ++set) {
      std::vector<char> good(inside.size(), 0);
      const auto stays = [&](const Arc& arc) { return inside[arc.from] != 0 && inside[arc.to] != 0; };
      for (const Arc& arc : arcs)
        if (stays(arc) && arc.fulfils.contains(set)) good[arc.from] = 1;
      grow(good, stays, true);
      changed |= good != inside;
      inside = std::move(good);
    }
  }
  std::vector<char> reached(inside.size(), 0);
  reached[a.initial] = 1;
  grow(reached, [](const Arc&) { return true; }, false);
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] != 0 && reached[i] != 0) return true;
  return false;
}

}  // namespace heddle::check
