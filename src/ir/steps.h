// The steps of a program from a state: the semantics of DVE-like languages, for any memory machine.
//
//     ir::FlatPort port(program);                    // holds a state (here: the initial one) in port.words()
//     ir::Steps<ir::FlatPort> steps(program);        // one per worker
//     steps.each(port, [&](const auto& step) {        // once for every enabled step; the port then holds the state
//       … port.changes(step.mark) …                  // after it, or step.result is an error
//     });                                            // afterwards the port holds the old state again
//
// A Port is what ir/eval.h asks for, and
//     void act(std::uint32_t process)   whose view load and store have from now on
//     bool ready(const Edge&)           may the acting process's edge be looked at now? False for a fence or an atomic
//                                       write while its buffer is not empty: the guard is not evaluated then
//     bool admit(const Edge&)           the acting process's guard holds: would the machine take this edge now? False
//                                       for a store without room
//     bool drained()                    are all buffers empty?
//     Mark mark(); void undo(Mark)      everything set or stored since the mark is taken back, relaxation costs
//     included
// Ports count costs from the loads of guards too: each step's guard is evaluated between Step::mark and the callback.
//
// Moves: thread and choice are the process and the number of its edge; a rendezvous names the sender so, and the
// receiver as partner; observer_choice is the edge of the property process. A step of a `system sync` has
// thread = Move::none and as choice its number in the order of enumeration from that state.
//
// The order within a step (DiVinE 2): rendezvous: sent values, assigned to the receiver's targets, receiver's
// effects, sender's effects. Buffered send: own effects, then the values. Buffered receive: targets, then effects.
// The property process's guard sees the state before the step; its effects run last. A guard that fails with an error
// is a step that ends in that error.
//
// Atomic sections (Promela): after a step along an edge that `holds`, only its process moves, as long as it can; of a
// rendezvous the receiver's edge decides. Program::holder is set only if that process can move, so equal states are
// equal whether or not somebody was interrupted; a property process stays meanwhile. Timeouts come where nothing else can.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "ir/eval.h"
#include "ir/program.h"

namespace heddle::ir {

template <class Mark>
struct StepOf {
  core::Move move;
  EvalResult result;                                   // True, or an error: then the port's state is of no use
  const Edge* edge = nullptr;                          // null in a `system sync`
  const Edge* partner = nullptr;                       // receiver of a rendezvous
  const Edge* observer = nullptr;                      // of the property process
  Mark mark;                                           // of the state before the step
  const std::vector<const Edge*>* together = nullptr;  // in a `system sync`: the edge of each process
};

template <class Port>
class Steps {
 public:
  using Mark = typename Port::Mark;
  using Step = StepOf<Mark>;

  explicit Steps(const Program& program)
      : program_(program),
        observed_(program.property != none),
        holder_(program.holder == none ? none : program.variables[program.holder].base),
        timeout_(program.timeout == none ? none : program.variables[program.timeout].base) {}

  // All steps. `callback(const Step&)`.
  template <class Callback>
  void each(Port& port, Callback&& callback) {
    if (program_.kind == SystemKind::Sync) return lock_step(port, callback);
    if (holder_ != none || timeout_ != none) return each_special(port, callback);
    each_plain(port, callback);
  }

  // The same as if there were no property process: what the system itself can do.
  template <class Callback>
  void each_unobserved(Port& port, Callback&& callback) {
    observed_ = false;
    each(port, callback);
    observed_ = program_.property != none;
  }

  // Where the other processes have ended: the property process's edges, as steps of its own. Not for a `system sync`.
  template <class Callback>
  void observer_alone(Port& port, Callback&& callback) {
    if (program_.property == none || program_.kind == SystemKind::Sync) return;
    bool ended = true;
    each_unobserved(port, [&](const Step&) { ended = false; });
    if (!ended) return;
    for (const std::uint32_t number : state_of(port, program_.property).starts) {
      const Edge& edge = program_.edges[number];
      const Mark mark = port.mark();
      port.act(program_.property);
      Step step{{core::Move::Kind::Step, program_.property, edge.number},
                run(edge.guard_code, port),
                &edge,
                nullptr,
                nullptr,
                mark};
      if (step.result.status == Status::True) {
        step.result = run(edge.effect_code, port);
        if (step.result.status == Status::True) enter(edge, port);
      }
      if (step.result.status != Status::False && step.result.status != Status::NotNow) callback(step);
      port.undo(mark);
    }
  }

  // The steps that process p begins (of a rendezvous: as the sender). Not for a `system sync`, nor for a program with
  // atomic sections or timeouts, in which the steps of one process depend on what others can do.
  template <class Callback>
  void of_process(Port& port, std::uint32_t p, Callback&& callback) {
    const bool committed = program_.has_commit && in_commit(port);
    if (p == program_.property || (committed && !commits(port, p))) return;
    begin(port, p, committed, callback);
  }

  // Is some process in a commit state? Then only such processes move.
  bool in_commit(Port& port) const {
    const auto count = static_cast<std::uint32_t>(program_.processes.size());
    for (std::uint32_t p = 0; p < count; ++p) {
      if (p != program_.property && commits(port, p)) return true;
    }
    return false;
  }

  // Is memory locked by a commit state or an atomic section? Then no buffer is flushed.
  bool locked(Port& port) const { return (program_.has_commit && in_commit(port)) || held(port); }

  // Is a process inside an atomic section that goes on from here?
  bool held(Port& port) const { return holder_ != none && port.words()[holder_] != 0; }

  bool accepting(Port& port) const { return program_.property != none && state_of(port, program_.property).accept; }

  // The first assertion that does not hold in this state, each in its process's own view, or null. `failure` tells
  // whether it is false or ran into an error.
  const Assertion* failed_assertion(Port& port, EvalResult& failure) const {
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p) {
      for (const Assertion& assertion : state_of(port, p).assertions) {
        port.act(p);
        failure = evaluate(program_, assertion.code, port);
        if (failure.status != Status::True) return &assertion;
      }
    }
    return nullptr;
  }

 private:
  using Visitor = std::function<void(const Step&)>;
  static constexpr EvalResult fine{Status::True, core::no_site};

  template <class Callback>
  void each_plain(Port& port, Callback& callback) {
    const bool committed = program_.has_commit && in_commit(port);
    const auto count = static_cast<std::uint32_t>(program_.processes.size());
    for (std::uint32_t p = 0; p < count; ++p) {
      if (p == program_.property || (committed && !commits(port, p))) continue;
      begin(port, p, committed, callback);
    }
  }

  // Steps of a program with atomic sections or timeouts.
  template <class Callback>
  void each_special(Port& port, Callback& callback) {
    if (held(port)) return begin(port, static_cast<std::uint32_t>(port.words()[holder_] - 1), false, callback);
    if (timeout_ == none) return each_plain(port, callback);
    // Visitor, not a lambda of its own type: with more instances of begin() the callback is no longer inlined.
    bool any = false;
    const Visitor counting = [&](const Step& step) {
      any = true;
      callback(step);
    };
    each_plain(port, counting);
    if (!any && observed_) {  // a property process that cannot follow is no reason for a timeout
      const Visitor found = [&](const Step&) { any = true; };
      observed_ = false;
      each_plain(port, found);
      observed_ = true;
    }
    if (any || !port.drained()) return;
    const Visitor timed_out = [&](const Step& step) {  // the state after the step knows nothing of it
      port.words()[timeout_] = 0;
      callback(step);
      port.words()[timeout_] = 1;
    };
    port.words()[timeout_] = 1;
    each_plain(port, timed_out);
    port.words()[timeout_] = 0;
  }

  // After a step: who holds the atomic section? Nobody, if the process that would cannot move.
  void pass_on(Port& port, const Edge& last) {
    if (probing_) return;
    std::int32_t holder = 0;
    if (last.holds) {
      bool moves = false;
      const auto probe = [&](const Step&) { moves = true; };
      probing_ = true;
      // A timeout that this step used up is none for the next.
      const std::int32_t timeout = timeout_ == none ? 0 : std::exchange(port.words()[timeout_], 0);
      const Mark mark = port.mark();
      begin(port, last.process, false, probe);
      port.undo(mark);
      if (timeout_ != none) port.words()[timeout_] = timeout;
      probing_ = false;
      if (moves) holder = static_cast<std::int32_t>(last.process + 1);
    }
    if (port.words()[holder_] != holder) port.set(holder_, holder);
  }

  const ControlState& state_of(Port& port, std::uint32_t p) const {
    const Process& process = program_.processes[p];
    return process.states[static_cast<std::uint32_t>(port.words()[process.control])];
  }
  bool commits(Port& port, std::uint32_t p) const { return state_of(port, p).commit; }
  EvalResult run(Code code, Port& port) const { return code == no_code ? fine : evaluate(program_, code, port); }
  void enter(const Edge& edge, Port& port) const {
    if (edge.source != edge.target)
      port.set(program_.processes[edge.process].control, static_cast<std::int32_t>(edge.target));
  }

  // The guard of an edge that a step can begin with. Most guards fail at their first comparison: it is made here.
  [[gnu::always_inline]] inline EvalResult test(const Start& start, Port& port) const {
    if constexpr (Port::direct) {
      const std::int32_t* const words = port.words();
      bool rejected = false;
      switch (start.reject) {
        case Op::JumpLt: rejected = words[start.a] < words[start.b]; break;
        case Op::JumpLe: rejected = words[start.a] <= words[start.b]; break;
        case Op::JumpGt: rejected = words[start.a] > words[start.b]; break;
        case Op::JumpGe: rejected = words[start.a] >= words[start.b]; break;
        case Op::JumpEq: rejected = words[start.a] == words[start.b]; break;
        case Op::JumpNe: rejected = words[start.a] != words[start.b]; break;
        default: break;
      }
      if (rejected) return {Status::False, core::no_site};
      return run(start.rest, port);
    } else {
      return run(start.guard, port);
    }
  }

  template <class Callback>
  void begin(Port& port, std::uint32_t p, bool committed, Callback& callback) {
    const ProcessRow& process = program_.process_rows[p];
    const StateRow row = program_.state_rows[process.first + static_cast<std::uint32_t>(port.words()[process.control])];
    const Start* const end = program_.starts.data() + row.last;
    for (const Start* start = program_.starts.data() + row.first; start != end; ++start) {
      const Mark mark = port.mark();
      port.act(p);
      if constexpr (!Port::direct) {
        if (!port.ready(program_.edges[start->edge])) continue;
      }
      const EvalResult guard = test(*start, port);
      if (guard.status != Status::False) {
        const Edge& edge = program_.edges[start->edge];
        Step step{{core::Move::Kind::Step, p, edge.number}, guard, &edge, nullptr, nullptr, mark};
        if (is_error(guard.status)) {
          callback(step);
        } else if (start->plain) {
          if (port.admit(edge)) {
            if (!observed_ && holder_ == none) {
              step.result = run(start->effect, port);
              if (step.result.status == Status::True && start->moves) port.set(process.control, start->target);
              if (step.result.status != Status::NotNow) callback(step);
            } else {
              finish_step(port, step, [&] { return run(edge.effect_code, port); }, callback);
            }
          }
        } else if (program_.channels[edge.channel].capacity != 0) {
          if (ready(port, edge, step.result) && port.admit(edge)) {
            if (is_error(step.result.status)) callback(step);
            else finish_step(port, step, [&] { return buffered(port, edge); }, callback);
          }
        } else if (port.admit(edge)) {
          meet(port, step, committed, callback);
        }
      }
      port.undo(mark);
    }
  }

  // The sender of `step` with every receiver.
  template <class Callback>
  void meet(Port& port, Step& step, bool committed, Callback& callback) {
    const Edge& sender = *step.edge;
    const auto count = static_cast<std::uint32_t>(program_.processes.size());
    for (std::uint32_t q = 0; q < count; ++q) {
      if (q == sender.process || q == program_.property) continue;
      const ControlState& state = state_of(port, q);
      if (state.receives.empty() || (committed && !state.commit)) continue;
      for (const std::uint32_t number : state.receives) {
        const Edge& receiver = program_.edges[number];
        if (receiver.channel != sender.channel) continue;
        const Mark mark = port.mark();
        port.act(q);
        EvalResult guard =
            port.ready(receiver) ? run(receiver.guard_code, port) : EvalResult{Status::False, core::no_site};
        if (guard.status == Status::True && receiver.match_code != no_code) guard = fits_in(port, sender, receiver);
        if (guard.status != Status::False) {
          step.move.partner = q;
          step.move.partner_choice = receiver.number;
          step.partner = &receiver;
          step.result = guard;
          if (is_error(guard.status)) {
            callback(step);
          } else if (port.admit(receiver)) {
            finish_step(port, step, [&] { return exchange(port, sender, receiver); }, callback);
          }
        }
        port.undo(mark);
      }
    }
  }

  // Does the receiver take what the sender has?
  EvalResult fits_in(Port& port, const Edge& sender, const Edge& receiver) const {
    port.act(sender.process);
    EvalResult result = run(sender.value_code, port);
    if (result.status != Status::True) return result;
    port.act(receiver.process);
    return evaluate(program_, receiver.match_code, port);
  }

  EvalResult exchange(Port& port, const Edge& sender, const Edge& receiver) const {
    port.act(sender.process);
    EvalResult result = run(sender.value_code, port);
    if (result.status != Status::True) return result;
    port.act(receiver.process);
    result = run(receiver.target_code, port);
    if (result.status != Status::True) return result;
    result = run(receiver.effect_code, port);
    if (result.status != Status::True) return result;
    enter(receiver, port);
    port.act(sender.process);
    return run(sender.effect_code, port);
  }

  // Room for the message of a send, a message for a receive. `result` is an error if comparing messages runs into one.
  bool ready(Port& port, const Edge& edge, EvalResult& result) const {
    const Channel& channel = program_.channels[edge.channel];
    const auto length = static_cast<std::uint32_t>(port.words()[channel.base]);
    if (edge.sync == Sync::Send) return length < channel.capacity;
    return length > 0 && (edge.match_code == no_code || locate(port, edge, result) != none);
  }

  // The number of the message that a receive takes, whose items are then in the message registers; none if no message
  // matches.
  std::uint32_t locate(Port& port, const Edge& edge, EvalResult& result) const {
    const Channel& channel = program_.channels[edge.channel];
    const std::uint32_t arity = channel.arity();
    std::int32_t* const words = port.words();
    const auto length = static_cast<std::uint32_t>(words[channel.base]);
    for (std::uint32_t number = 0; number < (edge.random ? length : 1); ++number) {
      for (std::uint32_t i = 0; i < arity; ++i)
        words[program_.messages + i] = words[channel.base + 1 + number * arity + i];
      result = run(edge.match_code, port);
      if (result.status != Status::False) return number;
    }
    return none;
  }

  EvalResult buffered(Port& port, const Edge& edge) const {
    return edge.sync == Sync::Send ? put(port, edge) : take(port, edge);
  }

  EvalResult put(Port& port, const Edge& edge) const {
    const Channel& channel = program_.channels[edge.channel];
    const std::uint32_t arity = channel.arity(), first = channel.base + 1;
    std::int32_t* const words = port.words();
    const auto length = static_cast<std::uint32_t>(words[channel.base]);
    EvalResult result = run(edge.effect_code, port);
    if (result.status != Status::True) return result;
    result = run(edge.value_code, port);
    if (result.status != Status::True) return result;
    std::int32_t* const message = words + program_.messages;
    for (std::uint32_t i = 0; i < arity; ++i) {
      if (detail::fits(message[i], channel.types[i])) continue;
      if (!program_.wraps) return {Status::OutOfRange, edge.site};
      message[i] = detail::truncate(message[i], channel.types[i]);
    }
    std::uint32_t number = length;
    if (edge.sorted) {
      const auto greater = [&](std::uint32_t at) {
        const std::int32_t* const other = words + first + at * arity;
        return std::lexicographical_compare(message, message + arity, other, other + arity);
      };
      for (number = 0; number < length && !greater(number);) ++number;
      for (std::uint32_t i = length * arity; i-- > number * arity;) port.set(first + i + arity, words[first + i]);
    }
    for (std::uint32_t i = 0; i < arity; ++i) port.set(first + number * arity + i, message[i]);
    port.set(channel.base, static_cast<std::int32_t>(length + 1));
    return fine;
  }

  // The message goes; what is behind the last one stays zero, so that equal contents are equal states.
  EvalResult take(Port& port, const Edge& edge) const {
    const Channel& channel = program_.channels[edge.channel];
    const std::uint32_t arity = channel.arity(), first = channel.base + 1;
    std::int32_t* const words = port.words();
    const auto length = static_cast<std::uint32_t>(words[channel.base]);
    EvalResult result = fine;
    const std::uint32_t number = locate(port, edge, result);
    if (!edge.keep) {
      for (std::uint32_t i = number * arity; i < length * arity; ++i) {
        const std::int32_t value = i + arity < length * arity ? words[first + i + arity] : 0;
        if (words[first + i] != value) port.set(first + i, value);
      }
      port.set(channel.base, static_cast<std::int32_t>(length - 1));
    }
    result = run(edge.target_code, port);
    if (result.status != Status::True) return result;
    return run(edge.effect_code, port);
  }

  // Performs the step (`work`), alone or once with every enabled edge of the property process.
  template <class Work, class Callback>
  void finish_step(Port& port, Step& step, Work&& work, Callback& callback) {
    if (!observed_ || probing_ || held(port)) {
      step.result = work();
      if (step.result.status == Status::NotNow) return;
      if (step.result.status == Status::True) {
        enter(*step.edge, port);
        if (holder_ != none) pass_on(port, step.partner != nullptr ? *step.partner : *step.edge);
      }
      return callback(step);
    }
    for (const std::uint32_t number : state_of(port, program_.property).starts) {
      const Edge& observer = program_.edges[number];
      const Mark mark = port.mark();
      port.act(program_.property);
      step.result = run(observer.guard_code, port);
      if (step.result.status != Status::False) {
        step.move.observer_choice = observer.number;
        step.observer = &observer;
        if (step.result.status == Status::True) {
          port.act(step.edge->process);
          step.result = work();
          if (step.result.status == Status::True) {
            enter(*step.edge, port);
            port.act(program_.property);
            step.result = run(observer.effect_code, port);
            if (step.result.status == Status::True) enter(observer, port);
            if (step.result.status == Status::True && holder_ != none)
              pass_on(port, step.partner != nullptr ? *step.partner : *step.edge);
          }
        }
        if (step.result.status != Status::NotNow) callback(step);
      }
      port.undo(mark);
    }
  }

  // One enabled edge of every process at once, in all combinations. All guards see the state before the step; effects
  // run in the order of the processes. If some process has no enabled edge there is no step.
  template <class Callback>
  void lock_step(Port& port, Callback& callback) {
    const std::size_t count = program_.processes.size();
    enabled_.assign(count, {});
    const Mark mark = port.mark();
    Step step{{core::Move::Kind::Step, core::Move::none, 0}, fine, nullptr, nullptr, nullptr, mark};
    step.together = &together_;
    for (std::uint32_t p = 0; p < count; ++p) {
      if (p == program_.property && !observed_) continue;
      for (const std::uint32_t number : state_of(port, p).starts) {
        port.act(p);
        const EvalResult guard = run(program_.edges[number].guard_code, port);
        if (is_error(guard.status)) {
          step.result = guard;
          step.move.choice = core::Move::none;
          callback(step);
          return;
        }
        if (guard.status == Status::True) enabled_[p].push_back(number);
      }
      if (enabled_[p].empty()) return;
    }
    combination_.assign(count, 0);
    for (std::uint32_t ordinal = 0;; ++ordinal) {
      step.move.choice = ordinal;
      step.result = fine;
      together_.clear();
      for (std::uint32_t p = 0; p < count && step.result.status == Status::True; ++p) {
        if (enabled_[p].empty()) continue;  // the property process, if nobody wants it
        const Edge& edge = program_.edges[enabled_[p][combination_[p]]];
        together_.push_back(&edge);
        port.act(p);
        step.result = run(edge.effect_code, port);
        if (step.result.status == Status::True) enter(edge, port);
        if (p == program_.property) {
          step.observer = &edge;
          step.move.observer_choice = edge.number;
        }
      }
      if (step.result.status != Status::NotNow) callback(step);
      port.undo(mark);
      std::size_t p = 0;
      while (p < count && ++combination_[p] >= enabled_[p].size()) combination_[p++] = 0;
      if (p == count) return;
    }
  }

  const Program& program_;
  bool observed_;                                    // does the property process take part?
  const std::uint32_t holder_, timeout_;             // words of Program::holder and Program::timeout, or none
  bool probing_ = false;                             // only whether a process can move is asked
  std::vector<std::vector<std::uint32_t>> enabled_;  // lock_step only
  std::vector<std::size_t> combination_;
  std::vector<const Edge*> together_;
};

}  // namespace heddle::ir
