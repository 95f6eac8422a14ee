// SPDX-License-Identifier: Apache-2.0
#include "ir/unfold.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/heap_family.h"
#include "core/own_function.h"
#include "core/property.h"
#include "core/rmw.h"
#include "memory/machine.h"

namespace heddle::ir {
namespace {

using core::Kind;
using core::Order;
using core::Request;

constexpr std::int32_t small = 1 << 30;  // values of a smaller magnitude are their own numbers
constexpr unsigned most_quiet = 100'000;
constexpr std::uint64_t most_choices = 4096;

bool is_access(const Request& r) { return r.kind == Kind::Load || r.kind == Kind::Store || r.kind == Kind::Rmw; }

}  // namespace

// The thread's own objects and constants, as memory of the machines.
class Unfolding::OwnMemory final : public memory::Cells {
 public:
  OwnMemory(const Unfolding& all, Running& running) : all_(all), running_(running) {}
  core::Answer read(const core::Loc& loc) override {
    if (const core::Fault fault = all_.fault_of(running_.objects, loc, false); fault != core::Fault::None)
      return {.value = {}, .fault = fault};
    const auto value = loc.object <= all_.global_objects()
                           ? read_words(all_.contents_[loc.object - 1], loc.offset, loc.size)
                           : running_.objects.read(loc);
    if (!value) running_.unsupported = "takes a pointer in memory apart";
    return {.value = value.value_or(core::Value())};
  }
  core::Fault write(const core::Loc& loc, const core::Value& value) override {
    if (const core::Fault fault = all_.fault_of(running_.objects, loc, true); fault != core::Fault::None) return fault;
    if (!running_.objects.write(loc, value)) running_.unsupported = "takes a pointer in memory apart";
    return core::Fault::None;
  }

 private:
  const Unfolding& all_;
  Running& running_;
};

Unfolding::Unfolding(const core::Program& program, StoreOrder order) : program_(program), order_(order) {
  for (const core::GlobalObject& global : program.globals()) contents_.push_back(words_of(global));
  const auto initial = program.initial_threads();
  spawned_ = add_cell("number of threads", {}, static_cast<std::int32_t>(initial.size()));
  exited_ = add_cell("the program has ended", {}, 0);
  if (order == StoreOrder::Location) mark_ = add_cell("mark", {}, 0);
  for (std::uint32_t t = 0; t < initial.size(); ++t) {
    add_thread(false);
    threads_[t].entry = initial[t].entry;
    Running running{t, {}, {}, {}, {}};
    program.start(initial[t].entry, initial[t].arg, t, running.local);
    settle(running);
    threads_[t].first = std::exchange(running.choices, {});
    arrive(std::move(running));
  }
  expand_all();
}

std::uint32_t Unfolding::add_cell(std::string name, core::Loc loc, std::int32_t initial) {
  cells_.push_back({std::move(name), loc, initial, {initial}});
  return static_cast<std::uint32_t>(cells_.size() - 1);
}

void Unfolding::add_thread(bool spawned) {
  const auto number = static_cast<std::uint32_t>(threads_.size());
  threads_.emplace_back();
  threads_.back().ended = add_cell(fmt::format("thread {} has ended", number), {}, 0);
  if (!spawned) return;
  threads_.back().start = add_cell(fmt::format("what thread {} begins with", number), {}, 0);
  LocalState unborn;
  unborn.kind = LocalState::Kind::Unborn;
  unborn.cell = threads_.back().start;
  unborn.answers.emplace(0, std::nullopt);
  threads_.back().states.push_back(std::move(unborn));
}

std::size_t Unfolding::local_states() const {
  std::size_t sum = 0;
  for (const Thread& thread : threads_) sum += thread.states.size();
  return sum;
}

// --- what a request is to others

core::Fault Unfolding::fault_of(const PrivateObjects& objects, const core::Loc& loc, bool writes) const {
  if (loc.object == 0) return core::Fault::Null;
  const std::uint64_t end = std::uint64_t{loc.offset} + loc.size;
  if (loc.object <= global_objects()) {
    const core::GlobalObject& global = program_.globals()[loc.object - 1];
    if (end > global.size) return core::Fault::OutOfBounds;
    return writes && global.constant ? core::Fault::ReadOnly : core::Fault::None;
  }
  const PrivateObjects::Object* object = objects.find(loc.object);
  if (object == nullptr) return core::Fault::Wild;
  if (object->life == PrivateObjects::Life::Freed) return core::Fault::Freed;
  return end > object->size ? core::Fault::OutOfBounds : core::Fault::None;
}

bool Unfolding::is_outside(const core::Loc& loc) const {
  return loc.object != 0 && loc.object <= global_objects() && program_.globals()[loc.object - 1].outside;
}

bool Unfolding::unnoticed(const PrivateObjects& objects, const Request& r) const {
  if (r.kind == Kind::Alloc || r.kind == Kind::Free || r.kind == Kind::Fence) return true;
  if (!is_access(r)) return false;
  if (r.asks_size() || r.loc.object == 0 || r.loc.object > global_objects()) return true;
  return program_.globals()[r.loc.object - 1].constant ||
         fault_of(objects, r.loc, r.kind != Kind::Load) != core::Fault::None;
}

// As memory/tso.cpp and memory/pso.cpp have it. Under pso a seq_cst store waits for its own commit; then it might as
// well wait first and store at once, since the thread does nothing in between.
bool Unfolding::waits_for_buffer(const Request& r) const {
  if (r.locked) return (is_access(r) && !r.asks_size()) || r.kind == Kind::Fence;
  switch (r.kind) {
    case Kind::Store: return r.order == Order::SeqCst || (is_outside(r.loc) && r.order >= Order::Release);
    case Kind::Rmw: return true;
    case Kind::Fence: return r.order == Order::SeqCst;
    default: return false;
  }
}

// Stores behind it reach memory after those in front of it.
bool Unfolding::marks(const Request& r) const {
  return order_ == StoreOrder::Location && !waits_for_buffer(r) && r.order >= Order::Release &&
         (r.kind == Kind::Store || r.kind == Kind::Fence);
}

// --- from one control state to the next

void Unfolding::resume(Running& running, const core::Answer& answer, std::uint32_t choice) const {
  program_.resume(running.local, answer);
  running.choices.push_back(choice);
  if (program_.names_matter(running.local)) running.unsupported = "uses an address as a number";
}

std::set<std::uint32_t> Unfolding::mentioned(const Running& running) const {
  std::set<std::uint32_t> names;
  running.objects.mentions(names);
  core::Local local = running.local;
  program_.visit_pointers(local, [&](core::Value& v) { names.insert(v.object()); });
  return names;
}

void Unfolding::allocate(Running& running, const Request& r) const {
  if (core::is_heap(r.storage)) {
    running.unsupported = "allocates memory on the heap";
    return;
  }
  const std::uint32_t model = r.initial_contents().object();
  const auto size = model != 0 ? program_.globals()[model - 1].size : static_cast<std::uint32_t>(r.value.bits);
  const std::uint32_t name = running.objects.add(global_objects(), size, r.storage, mentioned(running));
  if (model != 0) running.objects.initialise(name, program_.globals()[model - 1]);
  resume(running, {core::Value::address(name, 0)});
}

void Unfolding::free(Running& running, const Request& r) const {
  const PrivateObjects::Object* object = running.objects.find(r.value.object());
  core::Fault fault = core::Fault::None;
  if (object != nullptr && object->life == PrivateObjects::Life::Elsewhere) {
    running.unsupported = "frees an object of another thread";
    return;
  }
  if (!r.value.pointer || object == nullptr || r.value.offset() != 0 ||
      (r.storage == core::AllocKind::Heap && object->kind != core::AllocKind::Outside))
    fault = core::Fault::InvalidFree;
  else if (object->life == PrivateObjects::Life::Freed) fault = core::Fault::DoubleFree;
  else running.objects.free(object->name);
  resume(running, {.value = {}, .fault = fault});
}

void Unfolding::act(Running& running, const Request& r) const {
  if (r.kind == Kind::Alloc) return allocate(running, r);
  if (r.kind == Kind::Free) return free(running, r);
  if (r.kind == Kind::Fence) return resume(running, {});
  if (const PrivateObjects::Object* object = running.objects.find(r.loc.object);
      object != nullptr && object->life == PrivateObjects::Life::Elsewhere) {
    running.unsupported = "uses an object that it has given to another thread";
    return;
  }
  OwnMemory memory(*this, running);
  if (r.asks_size()) {
    core::Answer answer = memory.read(r.loc);
    const PrivateObjects::Object* object = running.objects.find(r.loc.object);
    if (answer.fault == core::Fault::None)
      answer.value = object != nullptr
                         ? core::object_facts(object->size, object->kind)
                         : core::object_facts(program_.globals()[r.loc.object - 1].size, core::AllocKind::Static);
    return resume(running, answer);
  }
  const memory::Performed done = memory::perform_on_memory(memory, r);
  if (done.outcome != memory::Outcome::Done) running.unsupported = "waits for a value of its own object";
  if (running.unsupported.empty()) resume(running, done.answer);
}

// Everything that nobody notices.
void Unfolding::settle(Running& running) const {
  for (unsigned steps = 0; running.unsupported.empty(); ++steps) {
    const Request r = program_.request(running.local);
    // An atomic section is one step, whatever its requests are.
    if (r.locked || !unnoticed(running.objects, r) || waits_for_buffer(r) || marks(r)) break;
    if (steps == most_quiet) running.unsupported = "goes on for too long without a step that others could notice";
    else act(running, r);
  }
  running.objects.keep_only(mentioned(running));
}

std::uint32_t Unfolding::arrive(Running running) {
  if (std::string& function = threads_[running.thread].function; function.empty())
    function = core::own_function(program_, running.local, running.thread);
  if (!running.unsupported.empty()) return special(running.thread, LocalState::Kind::Unsupported, running.unsupported);
  std::string key(reinterpret_cast<const char*>(running.local.data()), running.local.size());
  running.objects.append_key(key);
  Thread& thread = threads_[running.thread];
  const auto [at, fresh] = thread.numbers.try_emplace(std::move(key), static_cast<std::uint32_t>(thread.states.size()));
  const std::uint32_t number = at->second;
  if (!fresh) return number;
  LocalState state;
  state.request = program_.request(running.local);
  state.local = std::move(running.local);
  state.objects = std::move(running.objects);
  thread.states.push_back(std::move(state));
  todo_.emplace_back(running.thread, number);
  return number;
}

std::uint32_t Unfolding::special(std::uint32_t t, LocalState::Kind kind, std::string why) {
  Thread& thread = threads_[t];
  const auto [at, fresh] = thread.numbers.try_emplace(fmt::format("special {} {}", static_cast<int>(kind), why),
                                                      static_cast<std::uint32_t>(thread.states.size()));
  if (fresh) {
    LocalState state;
    state.kind = kind;
    state.why = std::move(why);
    thread.states.push_back(std::move(state));
  }
  return at->second;
}

Unfolding::Target Unfolding::target(Running running, const Request& request) {
  Target to;
  const Request next = program_.request(running.local);
  to.holds = running.unsupported.empty() && next.locked && next.joined;
  to.fence = waits_for_buffer(request);
  settle(running);
  to.choices = running.choices;
  to.local = arrive(std::move(running));
  return to;
}

void Unfolding::expand_all() {
  while (!todo_.empty()) {
    const auto [thread, local] = todo_.back();
    todo_.pop_back();
    expand(thread, local);
  }
}

void Unfolding::expand(std::uint32_t t, std::uint32_t local) {
  LocalState& state = threads_[t].states[local];  // stays where it is: states are a deque, and no thread is added here
  const Request& r = state.request;
  if (r.exclusive) return state.refuse("has load-linked and store-conditional");
  if (order_ == StoreOrder::Location && r.kind == Kind::Rmw && r.order < Order::Release && !r.locked)
    return state.refuse("has a read-modify-write without release: under pso it overtakes buffered stores");
  if (unnoticed(state.objects, r)) {
    Running running{t, state.local, state.objects, {}, {}};
    act(running, r);
    Target to = target(std::move(running), r);
    if (marks(r)) to.stores.emplace_back(mark_, 0);
    state.steps.push_back({Guarded::When::Always, 0, std::move(to)});
    return;
  }
  switch (r.kind) {
    case Kind::Load:
    case Kind::Rmw: return expand_access(state);
    case Kind::Store: return expand_store(t, state);
    case Kind::Choose: return expand_choice(t, state);
    case Kind::Join: return expand_join(t, state);
    case Kind::Spawn:
      state.kind = LocalState::Kind::Asks;
      state.cell = spawned_;
      return;
    case Kind::Exit:
    case Kind::Ended: {
      const bool exits = r.kind == Kind::Exit;
      Target to;
      to.local = special(t, exits ? LocalState::Kind::StandsStill : LocalState::Kind::Final, exits ? "exit" : "end");
      if (exits) to.choices.push_back(0);
      to.atomic = true;
      stores(to, exits ? exited_ : threads_[t].ended, 1);
      threads_[t].states[local].steps.push_back({Guarded::When::Always, 0, std::move(to)});
      return;
    }
    case Kind::Blocked:
    case Kind::Diverges: state.kind = LocalState::Kind::StandsStill; return;
    case Kind::Failed: {
      const core::Failure failure = program_.failure(state.local);
      if (core::is_unsupported(failure.kind)) return state.refuse("does what is not supported: " + failure.message);
      state.kind = LocalState::Kind::Failed;
      state.why = failure.message;
      return;
    }
    default: return state.refuse("waits for a load that was put off");
  }
}

void Unfolding::expand_access(LocalState& state) {
  const Request& r = state.request;
  const auto cell = cell_of(r.loc, state.local);
  if (!cell) return state.refuse(overlap(r.loc, state.local));
  weak_cas_ |= r.weak;
  state.kind = LocalState::Kind::Asks;
  state.cell = *cell;
}

void Unfolding::expand_store(std::uint32_t t, LocalState& state) {
  const Request& r = state.request;
  const auto cell = cell_of(r.loc, state.local);
  if (!cell) return state.refuse(overlap(r.loc, state.local));
  if (is_outside(r.loc) && !waits_for_buffer(r))
    return state.refuse("stores into what the library keeps outside the memory model");
  if (r.value.pointer && r.value.object() > global_objects())
    return state.refuse("stores the address of an object of its own in shared memory");
  Running running{t, state.local, state.objects, {}, {}};
  resume(running, {});
  Target to = target(std::move(running), r);
  to.atomic = waits_for_buffer(r);
  if (marks(r)) to.stores.emplace_back(mark_, 0);
  stores(to, *cell, number_of(r.value, r.loc.size));
  state.steps.push_back({Guarded::When::Always, 0, std::move(to)});
}

void Unfolding::expand_choice(std::uint32_t t, LocalState& state) {
  const std::uint64_t choices = state.request.value.bits;
  if (choices == 0 || choices > most_choices) return state.refuse(fmt::format("chooses between {} values", choices));
  for (std::uint32_t c = 0; c < choices; ++c) {
    Running running{t, state.local, state.objects, {}, {}};
    resume(running, {core::Value(c)}, c);
    state.steps.push_back({Guarded::When::Always, 0, target(std::move(running), state.request)});
  }
}

void Unfolding::expand_join(std::uint32_t t, LocalState& state) {
  const std::uint64_t other = state.request.value.bits;
  const auto step = [&](Guarded::When when, core::Fault fault) {
    Running running{t, state.local, state.objects, {}, {}};
    resume(running, {.value = {}, .fault = fault});
    Target to = target(std::move(running), state.request);
    to.fence = true;
    state.steps.push_back({when, other, std::move(to)});
  };
  if (other == t) return step(Guarded::When::Always, core::Fault::Wild);
  step(Guarded::When::HasEnded, core::Fault::None);
  step(Guarded::When::IsNone, core::Fault::Wild);
}

// --- answers

bool Unfolding::answer(const Question& q) {
  if (q.thread >= threads_.size() || q.local >= threads_[q.thread].states.size()) return false;
  LocalState& state = threads_[q.thread].states[q.local];
  if (!state.asks()) return false;
  if (state.answers.contains(q.value)) return false;
  history_.push_back(q);
  auto to = answered(q.thread, q.local, q.value);
  threads_[q.thread].states[q.local].answers.emplace(q.value, std::move(to));
  expand_all();
  return true;
}

std::optional<Unfolding::Target> Unfolding::answered(std::uint32_t t, std::uint32_t local, std::int32_t value) {
  LocalState& state = threads_[t].states[local];
  if (state.kind == LocalState::Kind::Unborn) return born(t, value);
  if (state.request.kind == Kind::Spawn) return spawn(t, LocalState(state), value);
  return accessed(t, state, value);
}

std::optional<Unfolding::Target> Unfolding::accessed(std::uint32_t t, const LocalState& state, std::int32_t value) {
  const Request& r = state.request;
  const core::Value read = value_of(value, r.loc.size);
  if (r.waits && !core::wait_over(r, read)) {
    if (!r.joined) return std::nullopt;
    Target to;
    to.local = special(t, LocalState::Kind::Unsupported, "waits inside an atomic section");
    return to;
  }
  Running running{t, state.local, state.objects, {}, {}};
  resume(running, {read});
  Target to = target(std::move(running), r);
  if (r.kind != Kind::Rmw || !memory::wrote(r, read)) return to;
  const core::Value next = r.op == core::RmwOp::Cas ? r.value : core::rmw_result(r.op, read, r.value, r.loc.size);
  if (next.pointer && next.object() > global_objects()) {
    to.local = special(t, LocalState::Kind::Unsupported, "stores the address of an object of its own in shared memory");
    return to;
  }
  to.atomic = true;
  stores(to, state.cell, number_of(next, r.loc.size));
  return to;
}

Unfolding::Target Unfolding::spawn(std::uint32_t t, const LocalState& state, std::int32_t number) {
  const Request& r = state.request;
  Running running{t, state.local, state.objects, {}, {}};
  Birth birth{r.entry, r.value, {}};
  if (r.value.pointer)
    for (PrivateObjects::Object& object : running.objects.hand_over(r.value.object())) {
      if (object.kind != core::AllocKind::Outside || object.life == PrivateObjects::Life::Elsewhere)
        running.unsupported = "gives another thread the address of a local variable";
      birth.objects.add(std::move(object));
    }
  if (number < 0 || static_cast<std::uint32_t>(number) >= most_threads)
    running.unsupported = fmt::format("creates more than {} threads", most_threads);
  if (!running.unsupported.empty()) return target(std::move(running), r);
  while (threads_.size() <= static_cast<std::uint32_t>(number)) add_thread(true);
  std::string key = fmt::format("{} {} {} {} ", r.entry, r.value.bits, r.value.undefined, r.value.pointer);
  birth.objects.append_key(key);
  const auto [at, fresh] = birth_numbers_.try_emplace(std::move(key), static_cast<std::int32_t>(births_.size() + 1));
  const std::int32_t begin = at->second;
  if (fresh) births_.push_back(std::move(birth));
  resume(running, {core::Value(static_cast<std::uint64_t>(number))});
  Target to = target(std::move(running), r);
  to.atomic = true;
  stores(to, spawned_, number + 1);
  stores(to, threads_[static_cast<std::uint32_t>(number)].start, begin);
  return to;
}

Unfolding::Target Unfolding::born(std::uint32_t t, std::int32_t number) {
  Target to;
  if (number < 1 || static_cast<std::size_t>(number) > births_.size()) {
    to.local = special(t, LocalState::Kind::Unsupported, "begins with what nobody gave it");
    return to;
  }
  const Birth& birth = births_[static_cast<std::size_t>(number - 1)];
  Running running{t, {}, birth.objects, {}, {}};
  threads_[t].entry = birth.entry;
  program_.start(birth.entry, birth.argument, t, running.local);
  settle(running);
  to.choices = running.choices;
  to.local = arrive(std::move(running));
  return to;
}

void Unfolding::grow(std::size_t most, const core::Budget& budget) {
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      for (std::uint32_t l = 0; l < threads_[t].states.size(); ++l) {
        LocalState& state = threads_[t].states[l];
        if (!state.asks()) continue;
        // The values that there are now: others wait for the next round, so that no counter runs away.
        const std::size_t known = cells_[state.cell].values.size();
        for (; threads_[t].states[l].tried < known; ++threads_[t].states[l].tried) {
          if (size() >= most || (history_.size() % 256 == 255 && budget.over())) return;
          const std::uint32_t cell = threads_[t].states[l].cell;
          more |= answer({t, l, cells_[cell].values[threads_[t].states[l].tried]});
        }
      }
  }
}

// --- cells and values

std::optional<std::uint32_t> Unfolding::cell_of(const core::Loc& loc, core::ConstLocal local) {
  if (const auto found = cell_numbers_.find(loc); found != cell_numbers_.end()) return found->second;
  for (const auto& [other, cell] : cell_numbers_)
    if (other.overlaps(loc)) return std::nullopt;
  const auto initial = read_words(contents_[loc.object - 1], loc.offset, loc.size);
  if (!initial || loc.size > 8) return std::nullopt;
  const std::uint32_t cell = add_cell(program_.location_name(loc, local), loc, number_of(*initial, loc.size));
  cell_numbers_.emplace(loc, cell);
  return cell;
}

std::string Unfolding::overlap(const core::Loc& loc, core::ConstLocal local) const {
  return fmt::format("accesses a part of {}, or more than it, elsewhere", program_.location_name(loc, local));
}

std::int32_t Unfolding::number_of(const core::Value& value, std::uint32_t size) {
  core::Value v = value;
  if (v.pointer) core::settle_pointer(v, size);
  v.bits &= core::size_mask(size);
  v.undefined &= core::size_mask(size);
  const unsigned shift = 64 - 8 * std::min(size, 8u);
  const auto wide = static_cast<std::int64_t>(v.bits << shift) >> shift;
  if (v.undefined == 0 && !v.pointer && wide > -small && wide < small) return static_cast<std::int32_t>(wide);
  const auto [at, fresh] = rare_numbers_.try_emplace(std::tuple(v.bits, v.undefined, v.pointer),
                                                     small + static_cast<std::int32_t>(rare_values_.size()));
  if (fresh) rare_values_.push_back(v);
  return at->second;
}

core::Value Unfolding::value_of(std::int32_t number, std::uint32_t size) const {
  if (number >= small && static_cast<std::size_t>(number - small) < rare_values_.size())
    return rare_values_[static_cast<std::size_t>(number - small)];
  return core::Value(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)) & core::size_mask(size));
}

void Unfolding::stores(Target& to, std::uint32_t cell, std::int32_t value) {
  to.stores.emplace_back(cell, value);
  auto& values = cells_[cell].values;
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

}  // namespace heddle::ir
