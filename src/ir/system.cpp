// SPDX-License-Identifier: Apache-2.0
#include "ir/system.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "ir/flat_port.h"

namespace heddle::ir {
namespace {

// A buffer's contents as bytes: one Packed for each store, oldest first.
struct Packed {
  std::uint32_t cell;  // with joined_bit if it is joined to the one before
  std::int32_t value;
};
constexpr std::uint32_t joined_bit = 0x80000000;

// Errors as numbers: the status of the evaluation, or "assertion", and the place.
constexpr std::uint32_t assertion_status = 0xff;
std::uint32_t error_number(std::uint32_t status, core::Site site) { return status << 24 | (site & 0xffffff); }
std::uint32_t status_of(std::uint32_t error) { return error >> 24; }
core::Site site_of(std::uint32_t error) { return (error & 0xffffff) == 0xffffff ? core::no_site : error & 0xffffff; }

// Conditions over main memory: shared cells are read from the array itself.
struct MemoryView {
  static constexpr bool direct = true;
  std::int32_t* array;
  std::int32_t* words() { return array; }
  std::int32_t load(std::uint32_t cell) const { return array[cell]; }
  BufferedPort* buffers = nullptr;  // null: everybody sees main memory
  std::int32_t see(std::uint32_t cell, std::uint32_t process) const {
    return buffers == nullptr ? array[cell] : buffers->see(cell, process);
  }
  static bool store(std::uint32_t, std::int32_t, bool) { return false; }
  void set(std::uint32_t, std::int32_t) {}
};

}  // namespace

// One worker's state: a port that holds the state in work, and the slots of the successor in the making.
struct System::Work final : core::TransitionSystem::Scratch {
  Work(const Program& program, const memory::Machine& machine, unsigned bound, bool buffered)
      : flat(program),
        flat_steps(program),
        buffers(program, machine, bound),
        buffer_steps(program),
        numbers(buffered ? program.processes.size() : 0, 0) {}

  std::int32_t* words(bool buffered) { return buffered ? buffers.words() : flat.words(); }

  FlatPort flat;
  Steps<FlatPort> flat_steps;
  BufferedPort buffers;
  Steps<BufferedPort> buffer_steps;
  std::vector<std::uint32_t> numbers;  // of the contents that each process's buffer in `buffers` has
  std::vector<std::uint32_t> next;     // slots of the successor
  std::vector<unsigned> flushable;
  std::vector<Packed> packed;
  memory::Buffer unpacked;
};

std::optional<std::string> System::refuse(const Program& program, const memory::Machine& machine) {
  if (machine.defers_loads())
    return fmt::format(
        "{} puts loads off, but a transition needs the values that it loads at once; "
        "use sc, tso, pso or sb1",
        machine.name());
  if (program.one_entry && !machine.traits().joint_stores)
    return fmt::format("the stores of a step reach memory together, which {} does not know; use sc, tso or pso",
                       machine.name());
  if (machine.has_buffers() && program.kind == SystemKind::Sync)
    return fmt::format("'system sync' has no meaning under {}: processes in lock-step have no buffers; use sc",
                       machine.name());
  if (machine.has_buffers() && program.several_accesses != core::no_site) {
    const core::SourcePlace& place = program.sites[program.several_accesses];
    return fmt::format(
        "{}:{}: `{}` makes several accesses to shared variables, but under {} one statement makes one; take it "
        "apart, or put it into an atomic block",
        place.file, place.line, place.text, machine.name());
  }
  if (machine.has_buffers() && program.property != none)
    return fmt::format("a property process observes every step of the system, but not what {} does by itself; use sc",
                       machine.name());
  return std::nullopt;
}

System::System(const Program& program, const memory::Machine& machine, const SystemOptions& options)
    : program_(program),
      machine_(machine),
      options_(options),
      buffered_(machine.has_buffers()),
      reducible_(!buffered_ || machine.traits().silent_stores || machine.traits().slots),
      layout_(program, buffered_),
      ample_(program, buffered_ && (options.buffer_bound != 0 || machine.traits().slots), options.visible,
             options.assertions),
      memory_sets_(program, machine),
      slots_(layout_.slots()) {
  const std::uint32_t empty = contents_.intern({});
  HEDDLE_ASSERT(empty == 0);
}

std::unique_ptr<System::Scratch> System::make_scratch() const {
  auto work = std::make_unique<Work>(program_, machine_, options_.buffer_bound, buffered_);
  work->next.resize(slots_);
  return work;
}

std::vector<std::uint32_t> System::initial(Scratch&) const {
  std::vector<std::uint32_t> state(slots_, 0);  // empty buffers have number 0
  layout_.pack(program_.image.data(), state.data());
  return state;
}

void System::unpack(core::State state, Work& work) const {
  if (!buffered_) {
    layout_.unpack(state.data(), work.flat.words());
    work.flat.commit();
    return;
  }
  layout_.unpack(state.data(), work.buffers.words());
  for (std::uint32_t p = 0; p < work.numbers.size(); ++p) {
    const std::uint32_t number = state[layout_.buffer_slot(p)];
    if (work.numbers[p] == number) continue;
    const auto bytes = contents_.get(number);
    work.unpacked.clear();
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Packed)) {
      Packed entry;
      std::memcpy(&entry, bytes.data() + at, sizeof entry);
      work.unpacked.push_back({memory::Entry::Kind::Store,
                               0,
                               {entry.cell & ~joined_bit, 0, 4},
                               core::Value(static_cast<std::uint32_t>(entry.value)),
                               (entry.cell & joined_bit) != 0});
    }
    work.buffers.set_buffer(p, work.unpacked);
    work.numbers[p] = number;
  }
  work.buffers.commit();
}

std::uint32_t System::number_of(const memory::Buffer& buffer, Work& work) const {
  if (buffer.empty()) return 0;
  work.packed.clear();
  for (const memory::Entry& e : buffer)
    work.packed.push_back({e.loc.object | (e.joined ? joined_bit : 0),
                           static_cast<std::int32_t>(static_cast<std::uint32_t>(e.value.bits))});
  return contents_.intern(std::as_bytes(std::span(work.packed)));
}

template <class Port>
void System::emit(core::State state, Port& port, const StepOf<typename Port::Mark>& step, Work& work,
                  core::SuccessorSink& sink, std::uint32_t memory_set) const {
  core::Successor successor;
  successor.move = step.move;
  successor.memory_set = memory_set;
  if constexpr (!Port::direct) successor.cost = port.cost(step.mark);
  if (step.result.status == Status::Bound) {
    process_bound_reached_.store(true, std::memory_order_relaxed);
    return sink.withheld(step.move.thread);
  }
  if (is_error(step.result.status)) {
    successor.error = error_number(static_cast<std::uint32_t>(step.result.status), step.result.site);
    sink.successor(successor);
    return;
  }
  for (const Proposition& assumption : program_.assumptions) {
    MemoryView view{port.words()};
    if constexpr (!Port::direct) view.buffers = &port;
    if (evaluate(program_, assumption.code, view).status != Status::True) return;
  }
  std::uint32_t* const next = work.next.data();
  std::memcpy(next, state.data(), slots_ * sizeof *next);
  layout_.pack_changed(port.changes(step.mark), port.words(), next);
  if constexpr (!Port::direct)
    port.changed_buffers(step.mark,
                         [&](std::uint32_t p) { next[layout_.buffer_slot(p)] = number_of(port.buffer(p), work); });
  successor.state = {next, slots_};
  sink.successor(successor);
}

template <class Port>
bool System::step_process(core::State state, Port& port, Steps<Port>& steps, std::uint32_t process, Work& work,
                          core::SuccessorSink& sink) const {
  bool any = false;
  steps.of_process(port, process, [&](const StepOf<typename Port::Mark>& step) {
    any = true;
    emit(state, port, step, work, sink);
  });
  return any;
}

// Beside what Ample knows before the search: a buffered store must not wait for room, nor (sb1) replace an entry that
// memory could perform first.
bool System::may_move_alone(const Work& work, std::uint32_t process, std::int32_t control) const {
  if (!ample_.may_move_alone(process, static_cast<std::uint32_t>(control))) return false;
  if (!buffered_) return true;
  const memory::Buffer& buffer = work.buffers.buffer(process);
  if (buffer.empty()) return true;
  const bool slots = machine_.traits().slots;
  for (const std::uint32_t e : program_.processes[process].states[static_cast<std::uint32_t>(control)].starts) {
    const unsigned stores = program_.edges[e].stores;
    if (stores == 0) continue;
    if (slots || (options_.buffer_bound != 0 && buffer.size() + stores > options_.buffer_bound)) return false;
  }
  return true;
}

template <class Port>
void System::step_all(core::State state, Port& port, Steps<Port>& steps, core::Reduction reduction, Work& work,
                      core::SuccessorSink& sink) const {
  if (reduction == core::Reduction::Safety && reducible_ && ample_.useful()) {
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p) {
      const std::int32_t control = port.words()[program_.processes[p].control];
      if (may_move_alone(work, p, control) && step_process(state, port, steps, p, work, sink)) return;
    }
  }
  const auto tell = [&](const StepOf<typename Port::Mark>& step) { emit(state, port, step, work, sink); };
  steps.each(port, tell);
  if (options_.ended_runs_stutter) steps.observer_alone(port, tell);
  if constexpr (!Port::direct)
    if (!steps.locked(port)) flush_all(state, work, sink);
}

// Is there a store-store fence in front of the entry, or is it one and has a store in front?
bool System::waits(const memory::Buffer& buffer, unsigned index) const {
  return std::any_of(buffer.begin(), buffer.begin() + index, [&](const memory::Entry& e) {
    return program_.keeps_order(e.loc.object, buffer[index].loc.object);
  });
}

void System::flush_all(core::State state, Work& work, core::SuccessorSink& sink) const {
  BufferedPort& port = work.buffers;
  for (std::uint32_t p = 0; p < program_.processes.size(); ++p) {
    machine_.flushable(port.buffer(p), work.flushable);
    if (program_.mark != none) std::erase_if(work.flushable, [&](unsigned i) { return waits(port.buffer(p), i); });
    for (const unsigned index : work.flushable) {
      const memory::Buffer& buffer = port.buffer(p);
      const auto joined =
          std::count_if(buffer.begin(), buffer.begin() + index, [](const memory::Entry& e) { return e.joined; });
      const unsigned entry = index - static_cast<unsigned>(joined);
      StepOf<BufferedPort::Mark> step{
          {core::Move::Kind::Flush, p, entry}, {Status::True, core::no_site}, nullptr, nullptr, nullptr, port.mark()};
      const std::uint32_t set = memory_sets_.of(p, buffer[index].loc.object);
      port.act(p);
      port.flush(index);
      emit(state, port, step, work, sink, set);
      port.undo(step.mark);
    }
  }
}

void System::successors(core::State state, core::Reduction reduction, Scratch& scratch,
                        core::SuccessorSink& sink) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  if (buffered_) {
    step_all(state, work.buffers, work.buffer_steps, reduction, work, sink);
    if (work.buffers.take_bound_reached()) {
      bound_reached_.store(true, std::memory_order_relaxed);
      work.buffers.take_withheld([&](std::uint32_t p) { sink.withheld(p); });
    }
  } else {
    step_all(state, work.flat, work.flat_steps, reduction, work, sink);
  }
}

std::uint32_t System::state_error(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  EvalResult failure{};
  const Assertion* failed = buffered_ ? work.buffer_steps.failed_assertion(work.buffers, failure)
                                      : work.flat_steps.failed_assertion(work.flat, failure);
  if (failed == nullptr) return 0;
  if (is_error(failure.status)) return error_number(static_cast<std::uint32_t>(failure.status), failure.site);
  return error_number(assertion_status, failed->site);
}

std::string System::error_kind(std::uint32_t error) const {
  return status_of(error) == assertion_status ? "assertion" : ir::error_kind(static_cast<Status>(status_of(error)));
}

std::string System::error_text(std::uint32_t error) const {
  const core::Site site = site_of(error);
  std::string where;
  if (site < program_.sites.size()) {
    const core::SourcePlace& place = program_.sites[site];
    where = fmt::format(" at {}:{}", place.file, place.line);
    if (!place.text.empty()) where += ": " + place.text;
  }
  if (status_of(error) == assertion_status) return "an assertion does not hold" + where;
  return ir::error_text(static_cast<Status>(status_of(error))) + where;
}

bool System::proper_end(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  if (buffered_) {
    // Who waits only for room in a bounded buffer would go on in the model: the bound is reached, not a deadlock.
    work.buffers.take_bound_reached();
    work.buffer_steps.each(work.buffers, [](const auto&) {});
    if (work.buffers.take_bound_reached()) return true;
  }
  if (program_.property != none) {
    // Where only the property process cannot follow, what is looked at ends; the system goes on.
    bool goes_on = false;
    if (buffered_) work.buffer_steps.each_unobserved(work.buffers, [&](const auto&) { goes_on = true; });
    else work.flat_steps.each_unobserved(work.flat, [&](const auto&) { goes_on = true; });
    if (goes_on) return true;
  }
  const std::int32_t* words = work.words(buffered_);
  return std::ranges::all_of(program_.processes, [&](const Process& process) {
    if (&process - program_.processes.data() == program_.property) return true;
    const ControlState& at = process.states[static_cast<std::uint32_t>(words[process.control])];
    return at.end || (at.starts.empty() && at.receives.empty());
  });
}

bool System::holds(std::uint32_t proposition, core::State state, Scratch& scratch, std::uint32_t& error) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  MemoryView view{work.words(buffered_)};
  if (buffered_) view.buffers = &work.buffers;
  const EvalResult result = evaluate(program_, program_.propositions[proposition].code, view);
  if (is_error(result.status)) error = error_number(static_cast<std::uint32_t>(result.status), result.site);
  return result.status == Status::True;
}

bool System::accepting(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  return buffered_ ? work.buffer_steps.accepting(work.buffers) : work.flat_steps.accepting(work.flat);
}

void System::view(core::State state, std::span<const std::uint32_t> propositions, Scratch& scratch,
                  core::View& out) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  out.truth.assign((propositions.size() + 63) / 64, 0);
  out.error = 0;
  MemoryView memory{work.words(buffered_)};
  if (buffered_) memory.buffers = &work.buffers;
  for (std::size_t i = 0; i < propositions.size(); ++i) {
    const EvalResult result = evaluate(program_, program_.propositions[propositions[i]].code, memory);
    if (result.status == Status::True) out.truth[i / 64] |= std::uint64_t{1} << (i % 64);
    else if (is_error(result.status) && out.error == 0)
      out.error = error_number(static_cast<std::uint32_t>(result.status), result.site);
  }
  out.fair.assign((memory_sets_.count() + 63) / 64, ~std::uint64_t{0});
  if (memory_sets_.count() != 0)
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p)
      memory_sets_.clear_waiting(p, work.buffers.buffer(p), out.fair);
  out.accepting = buffered_ ? work.buffer_steps.accepting(work.buffers) : work.flat_steps.accepting(work.flat);
  out.held = buffered_ ? work.buffer_steps.held(work.buffers) : work.flat_steps.held(work.flat);
}

std::string System::show(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  unpack(state, work);
  const std::int32_t* words = work.words(buffered_);
  std::string text;
  for (std::uint32_t w = 0; w < program_.variable_words; ++w) {
    if (layout_.field(w).slot == none) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", program_.word_name(w), program_.show_value(w, words[w]));
  }
  if (buffered_)
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p)
      for (const memory::Entry& e : work.buffers.buffer(p))
        text += fmt::format(" {}[{}:={}]", program_.processes[p].name, program_.word_name(e.loc.object),
                            static_cast<std::int32_t>(static_cast<std::uint32_t>(e.value.bits)));
  return text;
}

std::vector<std::string> System::bounds_reached() const {
  std::vector<std::string> reached;
  if (bound_reached_.load()) reached.push_back(fmt::format("buffer {}", options_.buffer_bound));
  if (process_bound_reached_.load()) reached.push_back(program_.process_bound);
  return reached;
}

std::string System::move_text(core::State, const core::Move& move, Scratch&) const {
  if (move.thread >= program_.processes.size()) return "all together";
  const auto one = [&](std::uint32_t process, std::uint32_t number) {
    const Process& p = program_.processes[process];
    if (number >= p.edges.size()) return p.name;
    const Edge& edge = program_.edge(process, number);
    const std::string text = edge.site == core::no_site ? std::string() : program_.sites[edge.site].text;
    return fmt::format("{}: {}", p.name,
                       text.empty() ? p.states[edge.source].name + " -> " + p.states[edge.target].name : text);
  };
  if (move.kind == core::Move::Kind::Flush)
    return fmt::format("{}: flush{}", program_.processes[move.thread].name,
                       move.choice == 0 ? "" : fmt::format(" (entry {})", move.choice + 1));
  std::string text = one(move.thread, move.choice);
  if (move.partner != core::Move::none) text += "\n" + one(move.partner, move.partner_choice);
  return text;
}

}  // namespace heddle::ir
