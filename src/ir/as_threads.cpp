// SPDX-License-Identifier: Apache-2.0
#include "ir/as_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ir/eval.h"
#include "ir/footprint.h"

namespace heddle::ir {

namespace {

constexpr std::int32_t choosing = -1;   // no option is chosen yet
constexpr std::int32_t diverging = -2;  // goes round without an access, for ever

std::string at(const Program& program, core::Site site) {
  if (site >= program.sites.size()) return {};
  return fmt::format(" ({}:{})", program.sites[site].file, program.sites[site].line);
}

std::uint32_t loads_in(const Program& program, ExprId e) {
  if (e == no_expr) return 0;
  const Expr& x = program.expr(e);
  const bool loads = (x.op == Op::Var || x.op == Op::Index) && program.variables[x.var].in_memory();
  return (loads ? 1 : 0) + loads_in(program, x.left) + loads_in(program, x.right);
}

std::uint32_t loads_in(const Program& program, const Edge& edge) {
  std::uint32_t count = loads_in(program, edge.guard);
  for (const Assignment& a : edge.effects) count += loads_in(program, a.index) + loads_in(program, a.value);
  return count;
}

// Does it read memory behind one of its own stores? Then another thread may see the store before the read.
bool reads_behind_store(const Program& program, const Edge& edge) {
  bool stored = false;
  for (const Assignment& a : edge.effects) {
    if (stored && loads_in(program, a.index) + loads_in(program, a.value) != 0) return true;
    stored |= a.kind == Assignment::Kind::Store && program.variables[a.var].in_memory();
  }
  return false;
}

// Does it touch words of other processes, or what is neither memory nor its own?
bool reaches_out(const Program& program, const WordSet& words, std::uint32_t process, bool writes) {
  bool outside = false;
  words.for_each([&](std::uint32_t w) {
    if (w < program.shared_cells || program.owner[w] == process) return;
    const std::uint32_t v = program.variable_of[w];
    const bool constant = program.owner[w] == none && v != none && program.variables[v].constant;
    outside |= writes || !constant;
  });
  return outside;
}

std::optional<std::string> unfit(const Program& program, const Edge& edge, bool buffers) {
  const auto says = [&](std::string_view what) { return fmt::format("{}{}", what, at(program, edge.site)); };
  if (edge.sync != Sync::None) return says("has channels");
  if (edge.fence_all) return says("has a fence of all processes");
  if (edge.holds) return says("has atomic sections of several steps");
  if (edge.ends ||
      std::ranges::any_of(edge.effects, [](const Assignment& a) { return a.kind == Assignment::Kind::Enter; }))
    return says("has processes that begin and end");
  const Footprint print = footprint(program, edge);
  if (reaches_out(program, print.guard_reads, edge.process, false) ||
      reaches_out(program, print.reads, edge.process, false) || reaches_out(program, print.writes, edge.process, true))
    return says("has a step that looks into another process");
  if (!buffers) return std::nullopt;
  if (edge.atomic_stores != 0 && edge.atomic_stores != edge.stores)
    return says("has a step with atomic and buffered stores");
  if (edge.atomic_stores == 0 && loads_in(program, edge) > 1)
    return says("has a step that reads memory more than once");
  if (edge.atomic_stores == 0 && reads_behind_store(program, edge))
    return says("has a step that reads memory behind a store");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> AsThreads::refuse(const ir::Program& program, bool buffers) {
  if (program.kind == SystemKind::Sync) return "is a synchronous system";
  if (program.property != none) return "has a property process";
  if (program.has_commit) return "has committed states";
  if (program.holder != none || program.timeout != none) return "has atomic sections of several steps or timeouts";
  if (program.mark != none) return "has store-store fences";
  if (program.one_entry) return "stores all that a step writes at once";
  if (!program.assumptions.empty()) return "leaves out states by assumptions";
  for (const Edge& edge : program.edges)
    if (auto why = unfit(program, edge, buffers)) return why;
  for (std::uint32_t p = 0; p < program.processes.size(); ++p)
    for (const ControlState& state : program.processes[p].states)
      for (const Assertion& assertion : state.assertions) {
        if (reaches_out(program, words_read(program, assertion.condition), p, false))
          return "has an assertion about another process" + at(program, assertion.site);
        if (buffers && loads_in(program, assertion.condition) > 1)
          return "has an assertion that reads memory more than once" + at(program, assertion.site);
      }
  return std::nullopt;
}

const Process* AsThreads::first_cyclic(const ir::Program& program) {
  for (const Process& process : program.processes) {
    // States are taken away that nothing leads to any more; what is left is on a cycle or behind one.
    std::vector<std::uint32_t> entries(process.states.size());
    for (const std::uint32_t e : process.edges) ++entries[program.edges[e].target];
    std::vector<std::uint32_t> free;
    for (std::uint32_t s = 0; s < entries.size(); ++s)
      if (entries[s] == 0) free.push_back(s);
    std::size_t gone = 0;
    while (!free.empty()) {
      const std::uint32_t s = free.back();
      free.pop_back();
      ++gone;
      for (const std::uint32_t e : process.edges)
        if (program.edges[e].source == s && --entries[program.edges[e].target] == 0)
          free.push_back(program.edges[e].target);
    }
    if (gone != process.states.size()) return &process;
  }
  return nullptr;
}

// A local state as words: process, control state, chosen option, accesses of the step that are answered, the process's
// locals, and the values that the step has loaded so far.
class AsThreads::Frame {
 public:
  static constexpr std::size_t head = 4;

  explicit Frame(core::ConstLocal local) : words_(local.size() / 4) {
    if (!local.empty()) std::memcpy(words_.data(), local.data(), local.size());
  }
  void save(core::Local& local) const {
    local.resize(words_.size() * 4);
    std::memcpy(local.data(), words_.data(), local.size());
  }
  static Frame fresh(const ir::Program& program, std::uint32_t process) {
    Frame frame{core::ConstLocal{}};
    frame.words_ = {static_cast<std::int32_t>(process), static_cast<std::int32_t>(program.processes[process].initial),
                    choosing, 0};
    for_locals(program, process, [&](std::uint32_t w) { frame.words_.push_back(program.image[w]); });
    return frame;
  }

  std::uint32_t process() const { return static_cast<std::uint32_t>(words_[0]); }
  std::uint32_t state() const { return static_cast<std::uint32_t>(words_[1]); }
  std::int32_t option() const { return words_[2]; }
  std::uint32_t answered() const { return static_cast<std::uint32_t>(words_[3]); }
  void choose(std::int32_t option) { words_[2] = option; }
  void answer(std::optional<std::int32_t> loaded) {
    ++words_[3];
    if (loaded) words_.push_back(*loaded);
  }
  // The locals, put where the code looks for them.
  void unpack(const ir::Program& program, std::vector<std::int32_t>& flat) const {
    std::size_t i = head;
    for_locals(program, process(), [&](std::uint32_t w) { flat[w] = words_[i++]; });
  }
  std::span<const std::int32_t> loaded(const ir::Program& program) const {
    std::size_t i = head;
    for_locals(program, process(), [&](std::uint32_t) { ++i; });
    return std::span(words_).subspan(i);
  }
  // The step is over: the process is in `state` with the locals of `flat`.
  void finish(const ir::Program& program, std::uint32_t state, const std::vector<std::int32_t>& flat) {
    words_[1] = static_cast<std::int32_t>(state);
    words_[2] = choosing;
    words_[3] = 0;
    words_.resize(head);
    for_locals(program, process(), [&](std::uint32_t w) { words_.push_back(flat[w]); });
  }
  friend bool operator==(const Frame&, const Frame&) = default;

 private:
  template <class Visit>
  static void for_locals(const ir::Program& program, std::uint32_t process, Visit&& visit) {
    for (const std::uint32_t number : program.processes[process].locals) {
      const Variable& v = program.variables[number];
      if (v.constant) continue;
      for (std::uint32_t i = 0; i < v.length; ++i) visit(v.base + i);
    }
  }
  std::vector<std::int32_t> words_;
};

struct AsThreads::Access {
  enum class Kind : std::uint8_t { Load, Store, Fence } kind;
  std::uint32_t cell = 0;
  std::int32_t value = 0;
};

// A step as far as its answers reach: the access that comes next, or how it ends.
struct AsThreads::Played {
  std::optional<Access> next;
  EvalResult result{Status::True, core::no_site};  // without a next access: True, False (it is blocked) or an error
  std::vector<std::int32_t> flat;
};

// Plays the accesses of a step again: those that are answered are passed over, the next one is noted. What is computed
// after that is of no use.
class AsThreads::Port {
 public:
  static constexpr bool direct = false;
  Port(std::vector<std::int32_t>& words, std::uint32_t answered, std::span<const std::int32_t> loaded)
      : words_(words), answered_(answered), loaded_(loaded) {}

  std::int32_t* words() { return words_.data(); }
  std::int32_t load(std::uint32_t cell) {
    for (auto own = stored_.rbegin(); own != stored_.rend(); ++own)
      if (own->first == cell) return own->second;
    if (passes({Access::Kind::Load, cell})) {
      const std::int32_t value = loaded_.front();
      loaded_ = loaded_.subspan(1);
      return value;
    }
    return 0;
  }
  bool store(std::uint32_t cell, std::int32_t value, bool) {
    passes({Access::Kind::Store, cell, value});
    stored_.emplace_back(cell, value);
    return true;
  }
  void fence() { passes({Access::Kind::Fence}); }
  void set(std::uint32_t index, std::int32_t value) { words_[index] = value; }
  const std::optional<Access>& next() const { return next_; }

 private:
  bool passes(const Access& access) {
    if (next_) return false;
    if (count_++ < answered_) return true;
    next_ = access;
    return false;
  }
  std::vector<std::int32_t>& words_;
  const std::uint32_t answered_;
  std::uint32_t count_ = 0;
  std::span<const std::int32_t> loaded_;
  std::vector<std::pair<std::uint32_t, std::int32_t>> stored_;  // by this step, which sees it whatever others do
  std::optional<Access> next_;
};

AsThreads::AsThreads(ir::Program program, bool buffers)
    : program_(std::move(program)), buffers_(buffers), object_of_(program_.variables.size()) {
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const Variable& variable = program_.variables[v];
    if (!variable.in_memory()) continue;
    core::GlobalObject object;
    object.name = variable.name;
    object.size = 4 * variable.length;
    object.bytes.resize(object.size);
    std::memcpy(object.bytes.data(), program_.image.data() + variable.base, object.size);
    globals_.push_back(std::move(object));
    cell_of_.push_back(variable.base);
    object_of_[v] = static_cast<std::uint32_t>(globals_.size());
  }
}

std::vector<core::Program::Entry> AsThreads::initial_threads() const {
  std::vector<Entry> entries;
  for (std::uint32_t p = 0; p < program_.processes.size(); ++p) entries.push_back({p, {}});
  return entries;
}

const ControlState& AsThreads::state_of(const Frame& frame) const {
  return program_.processes[frame.process()].states[frame.state()];
}

// Edges first, then assertions.
std::uint32_t AsThreads::options(std::uint32_t process, std::uint32_t state) const {
  const ControlState& at = program_.processes[process].states[state];
  return static_cast<std::uint32_t>(at.starts.size() + at.assertions.size());
}

bool AsThreads::locked(const Edge& edge) const { return !buffers_ || edge.atomic_stores != 0; }

AsThreads::Played AsThreads::play(const Frame& frame) const {
  Played played;
  played.flat = program_.image;
  frame.unpack(program_, played.flat);
  Port port(played.flat, frame.answered(), frame.loaded(program_));
  const ControlState& state = state_of(frame);
  const auto option = static_cast<std::size_t>(frame.option());
  if (option >= state.starts.size()) {
    played.result = evaluate(program_, state.assertions[option - state.starts.size()].code, port);
    // One that holds says no more.
    if (played.result.status == Status::True) played.result.status = Status::False;
    else if (played.result.status == Status::False)
      played.result = {Status::Assertion, state.assertions[option - state.starts.size()].site};
  } else {
    const Edge& edge = program_.edges[state.starts[option]];
    const bool fenced = edge.fence || (buffers_ && edge.atomic_stores != 0);
    if (fenced) port.fence();
    if (edge.guard_code != no_code) played.result = evaluate(program_, edge.guard_code, port);
    if (played.result.status == Status::True && !port.next() && edge.effect_code != no_code)
      played.result = evaluate(program_, edge.effect_code, port);
    if (played.result.status == Status::True && buffers_ && edge.atomic_stores != 0) port.fence();
  }
  played.next = port.next();
  return played;
}

// Over all steps without an access and without a choice, to the next request.
void AsThreads::run_to_request(core::Local& local) const {
  Frame frame(local);
  Frame seen = frame;
  std::uint64_t steps = 0, again = 1;
  for (;;) {
    if (frame.option() == choosing) {
      if (options(frame.process(), frame.state()) != 1) break;
      frame.choose(0);
    }
    const Played played = play(frame);
    if (played.next || played.result.status != Status::True) break;
    const ControlState& state = state_of(frame);
    frame.finish(program_, program_.edges[state.starts[static_cast<std::size_t>(frame.option())]].target, played.flat);
    if (frame == seen) {  // Brent's algorithm
      frame.choose(diverging);
      break;
    }
    if (++steps == again) {
      seen = frame;
      again *= 2;
    }
  }
  frame.save(local);
}

void AsThreads::start(std::uint32_t entry, core::Value, core::Tid, core::Local& local, core::Shadow*) const {
  Frame::fresh(program_, entry).save(local);
  run_to_request(local);
}

core::Loc AsThreads::loc_of(std::uint32_t cell) const {
  const std::uint32_t v = program_.variable_of[cell];
  return {object_of_[v], 4 * (cell - program_.variables[v].base), 4};
}

core::Request AsThreads::request(core::ConstLocal local) const {
  const Frame frame(local);
  core::Request request;
  const ControlState& state = state_of(frame);
  if (frame.option() == choosing) {
    const std::uint32_t count = options(frame.process(), frame.state());
    request.kind = count == 0 ? core::Kind::Ended : core::Kind::Choose;
    request.value = core::Value(count);
    return request;
  }
  if (frame.option() == diverging) {
    request.kind = core::Kind::Diverges;
    return request;
  }
  const auto option = static_cast<std::size_t>(frame.option());
  const Edge* edge = option < state.starts.size() ? &program_.edges[state.starts[option]] : nullptr;
  request.site = edge != nullptr ? edge->site : state.assertions[option - state.starts.size()].site;
  const Played played = play(frame);
  if (!played.next) {
    // An assertion that holds has no more to say; a guard that does not hold stays so in this execution.
    request.kind = is_error(played.result.status) ? core::Kind::Failed
                   : edge == nullptr              ? core::Kind::Ended
                                                  : core::Kind::Blocked;
    return request;
  }
  request.order = core::Order::Relaxed;
  if (played.next->kind == Access::Kind::Fence) {
    request.kind = core::Kind::Fence;
    request.order = core::Order::SeqCst;
    return request;
  }
  request.kind = played.next->kind == Access::Kind::Load ? core::Kind::Load : core::Kind::Store;
  request.loc = loc_of(played.next->cell);
  request.value = core::Value(static_cast<std::uint32_t>(played.next->value));
  request.locked = edge != nullptr ? locked(*edge) : !buffers_;
  const bool after_fence = edge != nullptr && (edge->fence || (buffers_ && edge->atomic_stores != 0));
  request.joined = request.locked && frame.answered() > (after_fence ? 1U : 0U);
  return request;
}

void AsThreads::resume(core::Local& local, const core::Answer& answer, core::Shadow*) const {
  Frame frame(local);
  const auto bits = static_cast<std::int32_t>(static_cast<std::uint32_t>(answer.value.bits));
  if (frame.option() == choosing) {
    frame.choose(bits);
  } else {
    const Played played = play(frame);
    HEDDLE_ASSERT(played.next.has_value());
    const bool load = played.next->kind == Access::Kind::Load;
    frame.answer(load ? std::optional(bits) : std::nullopt);
  }
  frame.save(local);
  run_to_request(local);
}

void AsThreads::defer(core::Local&) const { HEDDLE_ASSERT(false && "loads of ir programs are not put off"); }
void AsThreads::deliver(core::Local&, core::Slot, const core::Answer&) const {
  HEDDLE_ASSERT(false && "loads of ir programs are not put off");
}

core::Failure AsThreads::failure(core::ConstLocal local) const {
  const EvalResult result = play(Frame(local)).result;
  return {error_kind(result.status), error_text(result.status), result.site};
}

core::SourcePlace AsThreads::place(core::Site site) const {
  return site < program_.sites.size() ? program_.sites[site] : core::SourcePlace{};
}

std::string AsThreads::location_name(const core::Loc& loc, core::ConstLocal) const {
  if (loc.object == 0 || loc.object > cell_of_.size()) return {};
  return program_.word_name(cell_of_[loc.object - 1] + loc.offset / 4);
}

std::vector<core::SourcePlace> AsThreads::stack(core::ConstLocal local) const {
  const core::Site site = request(local).site;
  return site == core::no_site ? std::vector<core::SourcePlace>{} : std::vector{place(site)};
}

}  // namespace heddle::ir
