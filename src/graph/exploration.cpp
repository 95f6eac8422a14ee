// Hot: bench/graph_bench.cpp watches it.
// SPDX-License-Identifier: Apache-2.0
#include "graph/exploration.h"

#include <algorithm>
#include <array>

#include "support/diagnostics.h"

namespace heddle::graph {

namespace {
Symmetry::Coherence coherence_of(const axioms::Model& m) {
  if (!m.po_rf_acyclic) return Symmetry::Coherence::LoadBuffering;
  return m.language ? Symmetry::Coherence::MayContradict : Symmetry::Coherence::Agrees;
}
}  // namespace

Exploration::Exploration(const core::Program& p, Names& n, Tables& t, Consistency& c, const axioms::Model& model,
                         const Options& o, Watcher& w, Promises* promises)
    : program_(p),
      tables_(t),
      consistency_(c),
      watcher_(w),
      promises_(promises),
      symmetry_(p, n, t, o.symmetry, coherence_of(model)),
      bound_(p, t, o.loop_bound, c.load_buffering()),
      spinloops_(n, t, o.spurious_cas, o.properties.races, model.po_rf_acyclic),
      steps_(n, t, c, spinloops_, bound_),
      places_(c, symmetry_, steps_),
      revisits_(t, spinloops_),
      whole_(t, c, model),
      asks_of_ends_(o.properties.leaks || o.properties.races || o.properties.robust || o.on_complete) {}

void Exploration::begin(Job job) {
  job_ = std::move(job);
  followed_ = 0;
  stopped_ = false;
  forward_ = true;
  if (graphs_.empty()) graphs_.push_back(std::make_unique<Graph>(consistency_.with_hb()));
  told_.assign(graphs_.size(), 0);
  depth_ = 0;
  frames_.clear();
  options_.clear();
  pending_ = none;
  const auto initial = program_.initial_threads();
  Graph& g = graph();
  g.clear(4 * static_cast<unsigned>(initial.size() / 4 + 1), static_cast<unsigned>(initial.size()));
  for (const auto& e : initial) {
    const auto t = static_cast<ThreadId>(g.threads.size());
    ThreadState s;
    s.alive = true;
    s.state = tables_.start(e.entry, e.arg, t);
    s.elder = symmetry_.elder_of(g, t);
    g.threads.push_back(s);
  }
}

bool Exploration::run(std::uint32_t steps) {
  for (; steps > 0 && !stopped_; --steps) {
    if (!forward_ && !backtrack()) return true;
    ++counts_.steps;
    forward_ = advance();
  }
  return false;
}

bool Exploration::descend(std::vector<std::uint32_t> path, Guide& guide) {
  begin({std::move(path), 1});
  guide_ = &guide;
  descended_ = false;
  for (bool goes_on = true; goes_on; ++counts_.steps) {
    goes_on = advance();
    if (followed_ == job_.path.size()) guide.stepped();
  }
  guide_ = nullptr;
  return descended_;
}

// Adds the next event. False at a maximal graph and where no option is left.
bool Exploration::advance() {
  if (promises_ != nullptr && promises_->lost(graph())) return false;
  const ThreadId t = pending_ != none ? pending_ : pick();
  if (t != none) return step(t);
  if (hopeless_) stopped_ |= watcher_.stops();
  else if (!stopped_) finish();
  return false;
}

// No thread can go on.
void Exploration::finish() {
  Graph& g = graph();
  const bool canonical = symmetry_.finished(g);
  spinloops_.look_for_observers(g);
  if (tables_.stale()) {
    stopped_ = watcher_.stops();
    return;
  }
  bool complete = true, exited = false, cut = false, awake = false, unfounded = false;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    const ThreadState& s = g.threads[t];
    if (!s.alive) continue;
    if (s.last != no_event) {
      const Event& e = g[s.last];
      // Chosen to fail spuriously, but it had a reason to fail, or the round changed nothing.
      unfounded |= e.spurious && (e.stuck || e.waiting);
      awake |= spinloops_.could_go_on(g, s.last);
    }
    const core::Kind kind = tables_.step(s.state).request.kind;
    exited |= kind == core::Kind::Exit;
    cut |= kind == core::Kind::Exit && whole_.steps().inside(g, t);
    complete &= kind == core::Kind::Ended || kind == core::Kind::Exit;
  }
  complete |= exited;
  if (!canonical || unfounded || g.promises > 0 || (!complete && awake) || !whole_.holds(g)) return;
  if (whole_.steps().unfinished_precedes(g, none)) {
    // An exit inside an atomic step ends the program there: the step has happened, what comes after it has not. Failures
    // of the other threads are found in the graph in which the step comes last.
    exit_left_out_ |= cut && (asks_of_ends_ || g.frees > 0);
    return;
  }
  if (guide_ != nullptr) {
    descended_ = true;
    return;
  }
  if (whole_.needed()) tell_of_all();
  if (promises_ != nullptr) {
    for (ThreadId f = 0; f < g.threads.size(); ++f)
      if (g.threads[f].alive && tables_.step(g.threads[f].state).request.kind == core::Kind::Failed)
        watcher_.failed(g, f);
  }
  if (!watcher_.maximal(g, complete)) ++counts_.duplicates;
  else ++(complete ? counts_.complete : counts_.blocked);
  stopped_ = watcher_.stops();
}

// Two graphs of the same level, or of two neighbouring ones, that one after the other become maximal begin alike.
void Exploration::tell_of_all() {
  Graph& g = graph();
  for (EventId e = watcher_.prefix_decides() ? told_[depth_] : 0; e < g.size(); ++e) watcher_.event(g, e);
  told_[depth_] = g.size();
}

// Can the thread take a step now?
bool Exploration::ready(const Graph& g, ThreadId t) {
  const ThreadState& s = g.threads[t];
  switch (tables_.kind(s.state)) {
    case core::Kind::Ended:
    case core::Kind::Exit:
    case core::Kind::Blocked:
    case core::Kind::Diverges:
    case core::Kind::Await:
    case core::Kind::Failed: return false;
    case core::Kind::Join: {
      const auto child = static_cast<ThreadId>(tables_.step(s.state).request.value.bits);
      if (child >= g.threads.size() || !g.threads[child].alive) return false;
      if (tables_.kind(g.threads[child].state) != core::Kind::Ended) return false;
      break;
    }
    default: break;
  }
  if (s.last != no_event && (g[s.last].stuck || g[s.last].waiting || g[s.last].kind == EventKind::Stalled))
    return false;
  hopeless_ |= tables_.drops().at(core::DropPlace::GraphLength, bound_.hopeless(g, t));
  if (bound_.on() && bound_.reached(g, t)) {
    bound_reached_ = true;
    return false;
  }
  return !hopeless_;
}

// The next thread to take a step, none if there is none. Accesses and atomic steps that have begun are finished first:
// what they are part of can then be judged.
ThreadId Exploration::pick() {
  const Graph& g = graph();
  const auto count = static_cast<ThreadId>(g.threads.size());
  if (g.pieces > 0)
    for (ThreadId t = 0; t < count; ++t)
      if (g.threads[t].alive && g.unfinished(g.threads[t])) return t;
  if (tables_.has_atomic_steps())
    for (ThreadId t = 0; t < count; ++t)
      if (whole_.steps().inside(g, t) && ready(g, t)) return t;
  for (ThreadId t = 0; t < count; ++t) {
    if (!g.threads[t].alive) continue;
    const core::Kind kind = tables_.kind(g.threads[t].state);
    if (kind == core::Kind::Ended) continue;
    // With promises it is known only at the end whether this is an execution at all.
    if (promises_ == nullptr && kind == core::Kind::Failed) {
      if (!tell_failure(t)) return none;
    } else if (ready(g, t)) {
      return t;
    }
  }
  return none;
}

// False if the exploration is over.
bool Exploration::tell_failure(ThreadId t) {
  Graph& g = graph();
  if (!whole_.holds(g) || whole_.steps().unfinished_precedes(g, t)) return true;
  watcher_.failed(g, t);
  stopped_ = watcher_.stops();
  return !stopped_;
}

// One event of thread t, or the branch over its options with the first taken.
bool Exploration::step(ThreadId t) {
  Graph& g = graph();
  const core::Kind kind = tables_.kind(g.threads[t].state);
  // What several threads did is over, and judged once and for all.
  if (g.ends_phase() && kind != core::Kind::Spawn && (g.promises > 0 || !whole_.holds(g))) return false;
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  if (pending_ != t && spinloops_.offers_failure(g, t)) return branch(Branch::Choose, t, base, begin, 2, 0);
  const bool access = tables_.step(g.threads[t].state).loc != none;
  if (pending_ == t || (kind == core::Kind::Store && access)) return write_step(t);
  if ((kind == core::Kind::Load || kind == core::Kind::Rmw) && access) return read_step(t);
  if (kind == core::Kind::Choose) {
    // Its options are the numbers below n but one, and stand in no list: n may be large.
    const std::uint64_t n = tables_.step(g.threads[t].state).request.value.bits;
    const auto skipped = static_cast<std::uint32_t>(spinloops_.redundant_choice(g, t));
    return n != 0 && branch(Branch::Choose, t, base, begin, static_cast<std::uint32_t>(n - (skipped != 0)), skipped);
  }
  return local_step(t);
}

// Pushes the frame of options_[begin …] and takes its first option that works; leaves it empty if there is none.
bool Exploration::branch(Branch kind, ThreadId t, EventId base, std::uint32_t begin, std::uint32_t n,
                         std::uint32_t places) {
  Frame f{kind, t, base, begin, 0, 0, n, places};
  if (guide_ != nullptr) {
    frames_.push_back(f);
    if (n == 0) return false;
    return take(f, followed_ < job_.path.size() ? job_.path[followed_++] : guided(f));
  }
  if (followed_ < job_.path.size()) {
    f.first = f.next = job_.path[followed_++];
    f.end = std::min(n, followed_ == job_.path.size() ? f.first + job_.width : f.first + 1);
  }
  frames_.push_back(f);
  while (frames_.back().next < frames_.back().end) {
    const std::size_t level = frames_.size();
    const std::uint32_t option = frames_.back().next++;
    if (take(f, option)) return true;
    HEDDLE_ASSERT(frames_.size() == level);
  }
  return false;
}

// The guide chooses among the writes that a read can read from, so that few of its ways end at once.
std::uint32_t Exploration::guided(const Frame& f) {
  constexpr std::uint32_t most_tried = 64;
  if (f.end == 1) return 0;
  if (f.kind != Branch::Read || f.end > most_tried) return guide_->choose(f.end);
  std::array<std::uint32_t, most_tried> works;
  std::uint32_t count = 0;
  for (std::uint32_t option = 0; option < f.end; ++option)
    if (take(f, option)) works[count++] = option;
  return count == 0 ? 0 : works[count == 1 ? 0 : guide_->choose(count)];
}

bool Exploration::backtrack() {
  while (!frames_.empty()) {
    Frame& f = frames_.back();
    if (f.next < f.end) {
      const std::uint32_t option = f.next++;
      const Frame copy = f;  // a revisit pushes frames
      if (take(copy, option)) return true;
      continue;
    }
    if (f.kind == Branch::Revisit) --depth_;
    options_.resize(f.begin);
    frames_.pop_back();
  }
  return false;
}

// Makes the graph what it is after this option; false if that is inconsistent.
bool Exploration::take(const Frame& f, std::uint32_t option) {
  Graph& g = graph();
  const EventId choice = f.kind == Branch::Choose ? no_event : options_[f.begin + option];
  pending_ = none;
  switch (f.kind) {
    case Branch::Read: {
      truncate(f.base);
      return finish_read(steps_.read(g, f.thread), choice);
    }
    case Branch::Choose: {
      truncate(f.base);
      return add_choice(f.thread, option + (f.places != 0 && option >= f.places ? 1 : 0));
    }
    case Branch::Write:
    case Branch::Revisit: {
      // The revisited read is linked when the last piece of the write has its place.
      if (g.revisited != no_event && f.base < g.size() && g.first_piece(f.base) == g.revisitor) {
        g.unlink_read(g.revisited);
        told_[depth_] = std::min(told_[depth_], g.revisited);
      }
      truncate(f.base);
      if (option >= f.places) return revisit(f, choice);
      if (choice == no_event) return stall(f.thread);
      return place(steps_.write(g, f.thread), choice);
    }
  }
  return false;
}

// The write that frame f adds revisits r, or displaces it if it is a write, in a restricted copy of the graph.
bool Exploration::revisit(const Frame& f, EventId r) {
  Graph& old = graph();
  if (graphs_.size() <= depth_ + 1) {
    graphs_.push_back(std::make_unique<Graph>(consistency_.with_hb()));
    told_.push_back(0);
  }
  // Everything up to the thread's end, and what that has read, is kept. The write itself is added again to the copy.
  prefix_.resize(old.stride());
  old.base_porf(f.thread, prefix_.data());
  Graph& next = *graphs_[depth_ + 1];
  if (old[r].kind == EventKind::Write) {
    next.restrict_before(old, r, prefix_.data());
    next[steps_.stall(next, old[r].thread)].displaced = true;
  } else {
    next.restrict_from(old, r, prefix_.data());
    steps_.unresolve(next, r);
  }
  told_[depth_ + 1] = std::min(told_[depth_], r);
  ++depth_;
  Graph& g = graph();
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  places_.find(g, steps_.write(g, f.thread), options_);
  g.truncate(base);
  if (options_.size() == begin) {
    --depth_;
    return false;
  }
  if (branch(Branch::Revisit, f.thread, base, begin, added(begin), added(begin))) return true;
  // branch() leaves its empty frame; it is taken away so that the caller finds its own on top.
  options_.resize(begin);
  frames_.pop_back();
  --depth_;
  return false;
}

std::uint64_t Exploration::bytes() const {
  std::uint64_t n = tables_.bytes() + frames_.capacity() * sizeof(Frame) + options_.capacity() * sizeof(EventId);
  for (const auto& g : graphs_)
    n += g->events.capacity() * (sizeof(Event) + 3 * sizeof(Graph::Clock) * g->stride()) +
         g->locs.capacity() * sizeof(LocState);
  return n;
}

std::vector<std::uint32_t> Exploration::path() const {
  std::vector<std::uint32_t> decisions;
  for (const Frame& f : frames_) decisions.push_back(f.next - 1);
  return decisions;
}

std::optional<Job> Exploration::give_away() {
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    Frame& f = frames_[i];
    if (f.next >= f.end) continue;
    Job job;
    for (std::size_t j = 0; j < i; ++j) job.path.push_back(frames_[j].next - 1);
    const std::uint32_t n = (f.end - f.next + 1) / 2;
    job.path.push_back(f.end - n);
    job.width = n;
    f.end -= n;
    return job;
  }
  return std::nullopt;
}

// Most of what is left hangs from the first frames, so that they are chosen more often: the k-th with a probability of
// 1/k, in proportion.
std::pair<std::vector<std::uint32_t>, double> Exploration::pending(std::mt19937_64& random) const {
  double all = 0, rank = 0;
  for (const Frame& f : frames_)
    if (f.next < f.end) all += 1 / ++rank;
  std::vector<std::uint32_t> path;
  if (rank == 0) return {path, 0};
  double chosen = std::uniform_real_distribution<double>(0, all)(random);
  const double last = rank;
  rank = 0;
  for (const Frame& f : frames_) {
    if (f.next < f.end) chosen -= 1 / ++rank;
    if (f.next == f.end || (chosen > 0 && rank < last)) {
      path.push_back(f.next - 1);
      continue;
    }
    const std::uint32_t options = f.end - f.next;
    path.push_back(f.next + static_cast<std::uint32_t>(random() % options));
    return {path, options * all * rank};
  }
  return {path, 0};
}

}  // namespace heddle::graph
