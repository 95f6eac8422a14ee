// Second half of the enumeration: runs of threads are combined, and the sources and coherence orders of each
// combination listed, one cell of memory after the other. A cell is a group of bytes that no access of the combination
// cuts through: with accesses of one size, a location.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "axioms/models.h"
#include "axioms/thread_runs.h"
#include "core/rmw.h"

namespace heddle::axioms {

core::Value FinalState::memory(const core::Loc& loc) const {
  const core::GlobalObject& object = program_->globals()[loc.object - 1];
  core::Value v;
  for (std::uint32_t i = 0; i < loc.size && loc.offset + i < object.bytes.size(); ++i)
    v.bits |= std::uint64_t{static_cast<std::uint8_t>(object.bytes[loc.offset + i])} << (8 * i);
  v.pointer = std::find(object.pointers.begin(), object.pointers.end(), loc.offset) != object.pointers.end();
  for (const Cell& c : cells_) {
    if (!c.loc.overlaps(loc)) continue;
    if (c.loc.offset == loc.offset && (c.loc.size == loc.size || c.value.pointer)) {
      v = c.value;
      continue;
    }
    v.pointer = false;
    for (std::uint32_t i = 0; i < c.loc.size; ++i) {
      const std::uint32_t at = c.loc.offset + i;
      if (at < loc.offset || at >= loc.offset + loc.size) continue;
      const unsigned shift = 8 * (at - loc.offset);
      v.bits = (v.bits & ~(std::uint64_t{0xff} << shift)) | ((c.value.bits >> (8 * i)) & 0xff) << shift;
    }
  }
  return v;
}

// Polls the limits during the enumeration, since the orders of a single combination may take longer than any limit.
class Watch {
 public:
  Watch(CandidateReport& report, core::Budget* budget) : report_(report), budget_(budget) {}
  bool go_on() {
    if (budget_ == nullptr) return report_.refusal.none();
    // The clock is polled now and then; the limit on executions is exact.
    if (++steps_ % 1024 != 0 && report_.candidates < budget_->max_states) return report_.refusal.none();
    if (auto spent = budget_->spent({report_.candidates, "executions", 0, 0, -1})) report_.refusal = *spent;
    return report_.refusal.none();
  }

 private:
  CandidateReport& report_;
  core::Budget* budget_;
  std::uint64_t steps_ = 0;
};

// Sources and coherence orders for one choice of runs.
template <unsigned W>
class Combination {
 public:
  using Set = EventSet<W>;
  using Rel = Relation<W>;

  Combination(const ThreadRuns& all, const std::vector<const ThreadRun*>& runs, const core::Program& program,
              CandidateVisitor& visitor, std::uint64_t& count, Watch& watch)
      : all_(all), runs_(runs), visitor_(visitor), count_(count), watch_(watch) {
    end_.program_ = &program;
    for (const ThreadRun* r : runs) {
      end_.locals_.push_back(&r->end);
      end_.failed_.push_back(r->failed);
    }
  }

  bool enumerate() {  // false: the visitor, or a limit, ended the search
    find_cells();
    build();
    return choose_cell(0);
  }

 private:
  struct Cell {
    core::Loc loc;
    std::vector<EventId> writes;  // the initial one first
    std::vector<EventId> reads;
    std::vector<core::Value> values;  // of the writes, in this cell
    std::vector<EventId> source;      // of the reads: positions in `writes`
    Rel rf, co;
  };

  void add_cell(const core::Loc& loc) {
    cells_.emplace_back();
    cells_.back().loc = loc;
  }

  void find_cells() {
    std::map<std::uint32_t, std::vector<core::Loc>> ranges;
    for (const ThreadRun* r : runs_)
      for (const Event& e : r->events)
        if (e.is_access()) {
          auto& list = ranges[e.loc.object];
          if (std::find(list.begin(), list.end(), e.loc) == list.end()) list.push_back(e.loc);
        }
    for (auto& [object, list] : ranges) {
      bool overlap = false;
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j) overlap |= list[i].overlaps(list[j]);
      if (!overlap) {
        for (const core::Loc& loc : list) add_cell(loc);
        initial_.insert(initial_.end(), list.begin(), list.end());
        continue;
      }
      mixed_ = true;
      initial_.push_back({object, 0, end_.program_->globals()[object - 1].size});
      std::vector<std::uint32_t> cuts;
      for (const core::Loc& loc : list) {
        cuts.push_back(loc.offset);
        cuts.push_back(loc.offset + loc.size);
      }
      std::sort(cuts.begin(), cuts.end());
      cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const core::Loc cell{object, cuts[i], cuts[i + 1] - cuts[i]};
        if (std::any_of(list.begin(), list.end(), [&](const core::Loc& l) { return l.covers(cell); })) add_cell(cell);
      }
    }
  }

  void build() {
    for (const core::Loc& loc : initial_) {
      Event e;
      e.kind = EventKind::Init;
      e.loc = loc;
      if (e.loc.size <= 8) e.value = all_.initial(e.loc);
      x_.events.push_back(e);
    }
    std::vector<EventId> first;
    for (const ThreadRun* r : runs_) {
      first.push_back(x_.size());
      x_.events.insert(x_.events.end(), r->events.begin(), r->events.end());
    }
    x_.reset();
    for (std::size_t t = 0; t < runs_.size(); ++t) {
      const ThreadRun& r = *runs_[t];
      const auto count = static_cast<EventId>(r.events.size());
      for (EventId i = 0; i < count; ++i)
        for (EventId j = i + 1; j < count; ++j) x_.po.add(first[t] + i, first[t] + j);
      for (EventId i = 0; i < r.deps.size(); ++i) {
        for (std::uint32_t d : r.deps[i].addr) x_.addr.add(first[t] + d, first[t] + i);
        for (std::uint32_t d : r.deps[i].data) x_.data.add(first[t] + d, first[t] + i);
        for (std::uint32_t d : r.deps[i].ctrl) x_.ctrl.add(first[t] + d, first[t] + i);
      }
      for (const auto& [a, b] : r.rmw) x_.rmw.add(first[t] + a, first[t] + b);
    }
    x_.derive_static();
    if (mixed_) x_.slices.resize(cells_.size());
    for (Cell& c : cells_) {
      c.rf = c.co = Rel(x_.size());
      for (EventId e = 0; e < x_.size(); ++e) {
        const Event& event = x_.events[e];
        if (!event.is_access() || !event.loc.covers(c.loc)) continue;
        if (event.is_read()) {
          c.reads.push_back(e);
        } else {
          c.writes.push_back(e);
          c.values.push_back(event.kind == EventKind::Init ? all_.initial(c.loc)
                                                           : part_of(event.value, event.loc, c.loc));
        }
      }
      c.source.assign(c.reads.size(), 0);
    }
    end_.cells_.resize(cells_.size());
  }

  bool choose_cell(std::size_t k) {
    if (k == cells_.size()) return complete();
    return choose_source(k, 0);
  }

  // A read takes a write of the same value that is neither after it in its thread nor hidden by a later own write.
  bool choose_source(std::size_t k, std::size_t i) {
    Cell& c = cells_[k];
    if (i == c.reads.size()) return order_writes(k);
    const EventId r = c.reads[i];
    const core::Value value = part_of(x_.events[r].value, x_.events[r].loc, c.loc);
    std::size_t own = c.writes.size();  // the last own write before the read
    for (std::size_t w = 0; w < c.writes.size(); ++w)
      if (x_.po.has(c.writes[w], r)) own = w;
    for (std::size_t w = 0; w < c.writes.size(); ++w) {
      if (!(c.values[w] == value)) continue;
      const EventId e = c.writes[w];
      if (x_.same.has(e, r) ? w != own : (w == 0 && own != c.writes.size())) continue;
      c.source[i] = static_cast<EventId>(w);
      if (!choose_source(k, i + 1)) return false;
    }
    return true;
  }

  // The constraints of coherence on the order of writes, given the sources; then every order that satisfies them.
  bool order_writes(std::size_t k) {
    Cell& c = cells_[k];
    const std::size_t n = c.writes.size();
    std::vector<std::uint64_t>& before = scratch(k);  // bit j of before[i]: write j precedes write i
    before.assign(n, 0);
    const auto demand = [&](std::size_t a, std::size_t b) {
      if (a != b) before[b] |= std::uint64_t{1} << a;
    };
    for (std::size_t w = 1; w < n; ++w) demand(0, w);
    for (std::size_t a = 1; a < n; ++a)
      for (std::size_t b = 1; b < n; ++b)
        if (x_.po.has(c.writes[a], c.writes[b])) demand(a, b);
    for (std::size_t i = 0; i < c.reads.size(); ++i) {
      const EventId r = c.reads[i];
      const std::size_t s = c.source[i];
      for (std::size_t w = 1; w < n; ++w) {
        if (x_.po.has(c.writes[w], r)) demand(w, s);
        if (x_.po.has(r, c.writes[w])) demand(s, w);
      }
      for (std::size_t j = 0; j < c.reads.size(); ++j)
        if (x_.po.has(r, c.reads[j])) demand(s, c.source[j]);
    }
    if (mixed_)  // two writes that share several cells have one order in all of them, or else no model accepts them
      for (std::size_t earlier = 0; earlier < k; ++earlier)
        if (cells_[earlier].loc.object == c.loc.object)
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b)
              if (cells_[earlier].co.has(c.writes[a], c.writes[b])) demand(a, b);
    c.rf = Rel(x_.size());
    for (std::size_t i = 0; i < c.reads.size(); ++i) c.rf.add(c.writes[c.source[i]], c.reads[i]);
    c.co = Rel(x_.size());
    std::vector<EventId> order;
    return extend_order(k, 0, order);
  }

  bool extend_order(std::size_t k, std::uint64_t placed, std::vector<EventId>& order) {
    if (!watch_.go_on()) return false;
    Cell& c = cells_[k];
    const std::size_t n = c.writes.size();
    if (order.size() == n) {
      end_.cells_[k] = {c.loc, c.values[order.back()]};
      return choose_cell(k + 1);
    }
    for (std::size_t w = 0; w < n; ++w) {
      if ((placed >> w) & 1 || (scratch(k)[w] & ~placed) != 0) continue;
      for (EventId earlier : order) c.co.add(c.writes[earlier], c.writes[w]);
      order.push_back(static_cast<EventId>(w));
      const bool go_on = extend_order(k, placed | std::uint64_t{1} << w, order);
      order.pop_back();
      for (EventId earlier : order) c.co[c.writes[earlier]].remove(c.writes[w]);
      if (!go_on) return false;
    }
    return true;
  }

  bool complete() {
    x_.rf = x_.co = Rel(x_.size());
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      Cell& c = cells_[k];
      x_.rf |= c.rf;
      x_.co |= c.co;
      if (!mixed_) continue;
      auto& slice = x_.slices[k];
      Set members;
      for (EventId e : c.writes) members.add(e);
      for (EventId e : c.reads) members.add(e);
      slice.po_loc = x_.po.between(members, members);
      slice.rf = c.rf;
      slice.co = c.co;
      slice.fr = seq(inverse(c.rf), c.co);
    }
    x_.derive();
    Judge<W> judge;
    if (!atomic(x_, judge)) return true;
    ++count_;
    return visitor_.candidate(x_, end_);
  }

  std::vector<std::uint64_t>& scratch(std::size_t k) {
    if (scratch_.size() <= k) scratch_.resize(cells_.size());
    return scratch_[k];
  }

  const ThreadRuns& all_;
  const std::vector<const ThreadRun*>& runs_;
  CandidateVisitor& visitor_;
  std::uint64_t& count_;
  Watch& watch_;
  Execution<W> x_;
  FinalState end_;
  // What the initial writes write: a cell each, so that no two cells are related by one; a whole object where accesses
  // overlap, which have their relations cell by cell (Execution::slices).
  std::vector<core::Loc> initial_;
  std::vector<Cell> cells_;
  std::vector<std::vector<std::uint64_t>> scratch_;
  bool mixed_ = false;
};

// Chooses a run for each thread. A combination in which some read needs a value that nobody writes is left out as
// early as that shows: values are numbered, and each run knows which it needs from others and which it has to give.
class CandidateSearch {
 public:
  CandidateSearch(const core::Program& program, const ThreadRuns& runs, CandidateVisitor& visitor,
                  CandidateReport& report, core::Drops& drops, core::Budget* budget)
      : program_(program), runs_(runs), visitor_(visitor), report_(report), drops_(drops), watch_(report, budget) {}

  void search() {
    mixed_possible_ = program_.features().mixed_sizes;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> locations;
    for (const auto& thread : runs_.runs())
      for (const ThreadRun& r : thread)
        for (const Event& e : r.events)
          if (e.is_access()) locations.emplace(e.loc.object, e.loc.offset, e.loc.size);
    most_initial_ = locations.size();
    // Sorted by offset, two that overlap have two neighbours that do. Misaligned accesses of one size may.
    for (auto it = locations.begin(); it != locations.end() && std::next(it) != locations.end(); ++it) {
      const auto& [object, offset, size] = *it;
      const auto& [next_object, next_offset, next_size] = *std::next(it);
      mixed_possible_ |= object == next_object && next_offset < offset + size;
    }
    number_values();
    chosen_.resize(runs_.runs().size());
    choose(0, Bits(words_, 0), Bits(words_, 0), 0);
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  struct Summary {
    Bits gives, needs;
  };

  std::size_t number(const core::Loc& loc, const core::Value& v) {
    return numbers_.try_emplace({loc.object, loc.offset, loc.size, v.bits, v.pointer}, numbers_.size()).first->second;
  }

  // With mixed sizes a read may be put together from several writes, so nothing is left out early.
  void number_values() {
    std::vector<std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>>> lists;
    for (const auto& thread : runs_.runs()) {
      lists.emplace_back();
      for (const ThreadRun& r : thread) {
        std::vector<std::size_t> gives, needs;
        for (std::size_t i = 0; i < r.events.size() && !mixed_possible_; ++i) {
          const Event& e = r.events[i];
          if (e.kind == EventKind::Write) gives.push_back(number(e.loc, e.value));
          if (e.kind != EventKind::Read) continue;
          const Event* own = nullptr;
          for (std::size_t j = 0; j < i; ++j)
            if (r.events[j].kind == EventKind::Write && r.events[j].loc == e.loc) own = &r.events[j];
          if (own != nullptr ? own->value == e.value : runs_.initial(e.loc) == e.value) continue;
          needs.push_back(number(e.loc, e.value));
        }
        lists.back().emplace_back(std::move(gives), std::move(needs));
      }
    }
    words_ = (numbers_.size() + 63) / 64;
    const auto bits = [&](const std::vector<std::size_t>& list) {
      Bits b(words_, 0);
      for (std::size_t n : list) b[n / 64] |= std::uint64_t{1} << (n % 64);
      return b;
    };
    rest_gives_.assign(lists.size() + 1, Bits(words_, 0));
    for (std::size_t t = lists.size(); t-- > 0;) {
      rest_gives_[t] = rest_gives_[t + 1];
      summaries_.insert(summaries_.begin(), std::vector<Summary>{});
      for (const auto& [gives, needs] : lists[t]) {
        summaries_.front().push_back({bits(gives), bits(needs)});
        for (std::size_t w = 0; w < words_; ++w) rest_gives_[t][w] |= summaries_.front().back().gives[w];
      }
    }
  }

  bool choose(std::size_t t, Bits gives, Bits needs, std::size_t events) {
    if (!watch_.go_on()) return false;
    const auto& all = runs_.runs();
    if (t == all.size()) return combine(events);
    for (std::size_t i = 0; i < all[t].size(); ++i) {
      const Summary& s = summaries_[t][i];
      Bits g = gives, n = needs;
      bool possible = true;
      for (std::size_t w = 0; w < words_; ++w) {
        g[w] |= s.gives[w];
        n[w] |= s.needs[w];
        possible &= (n[w] & ~(g[w] | rest_gives_[t + 1][w])) == 0;
      }
      if (!possible) continue;
      chosen_[t] = &all[t][i];
      if (!choose(t + 1, std::move(g), std::move(n), events + all[t][i].events.size())) return false;
    }
    return true;
  }

  bool combine(std::size_t events) {
    const std::size_t size = events + most_initial_;
    const bool writes = events > 63 && too_many_writes();
    if (drop(core::DropPlace::CandidateWrites, writes) || drop(core::DropPlace::CandidateLength, size > 1024))
      return false;
    bool go_on = true;
    if (size <= 64) go_on = Combination<1>(runs_, chosen_, program_, visitor_, report_.candidates, watch_).enumerate();
    else if (size <= 256)
      go_on = Combination<4>(runs_, chosen_, program_, visitor_, report_.candidates, watch_).enumerate();
    else go_on = Combination<16>(runs_, chosen_, program_, visitor_, report_.candidates, watch_).enumerate();
    if (!go_on) report_.ended_early = true;
    return go_on;
  }

  bool drop(core::DropPlace place, bool really) {
    if (!drops_.at(place, really)) return false;
    report_.refusal = drops_.reason();
    return true;
  }

  // The writes to a cell, with the initial one, are numbered by the bits of a word (Combination::order_writes).
  bool too_many_writes() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> writes;
    for (const ThreadRun* r : chosen_)
      for (const Event& e : r->events)
        if (e.kind == EventKind::Write && ++writes[{e.loc.object, mixed_possible_ ? 0 : e.loc.offset}] > 63)
          return true;
    return false;
  }

  const core::Program& program_;
  const ThreadRuns& runs_;
  CandidateVisitor& visitor_;
  CandidateReport& report_;
  core::Drops& drops_;
  Watch watch_;
  bool mixed_possible_ = false;
  std::size_t most_initial_ = 0;  // initial writes of a combination, at most
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, bool>, std::size_t> numbers_;
  std::size_t words_ = 0;
  std::vector<std::vector<Summary>> summaries_;
  std::vector<Bits> rest_gives_;
  std::vector<const ThreadRun*> chosen_;
};

CandidateReport enumerate_candidates(const core::Program& program, const CandidateOptions& options,
                                     CandidateVisitor& visitor, core::Budget* budget) {
  CandidateReport report;
  ThreadRuns runs(program, options, budget);
  if (!runs.compute()) {
    report.refusal = runs.refusal();
    return report;
  }
  report.blocked = runs.blocked();
  core::Drops own;
  CandidateSearch(program, runs, visitor, report, options.drops != nullptr ? *options.drops : own, budget).search();
  return report;
}

}  // namespace heddle::axioms
