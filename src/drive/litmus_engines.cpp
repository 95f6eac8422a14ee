// SPDX-License-Identifier: Apache-2.0
#include "drive/litmus_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

#include "axioms/fences.h"
#include "core/evidence.h"
#include "explore/product.h"
#include "explore/search.h"
#include "graph/check.h"
#include "lang/litmus/endings.h"
#include "lang/litmus/program.h"
#include "models/models.h"

namespace heddle::drive {

namespace {

using namespace lang::litmus;

core::Reason unsupported(std::string text) { return {core::Reason::Kind::Unsupported, std::move(text)}; }

// One model after the other.
template <class Run>
std::vector<ModelResult> each(const Test& test, std::span<const ModelChoice> models, core::Budget* given, Run run) {
  core::Budget unlimited;
  core::Budget& budget = given != nullptr ? *given : unlimited;
  if (given == nullptr) unlimited.start();
  std::vector<ModelResult> results;
  for (const ModelChoice& model : models) {
    ModelResult& result = results.emplace_back();
    result.model = model.name;
    const double begun = budget.elapsed();
    if (std::string wrong = not_applicable(test.dialect, model); !wrong.empty()) result.refusal = unsupported(wrong);
    else if (model.built_in == nullptr) result.refusal = unsupported("models in cat are for --engine candidates");
    else run(model, budget, result);
    result.seconds = budget.elapsed() - begun;
  }
  return results;
}

// A thread of the test itself went wrong: as much as the engine can tell of it.
core::Reason failed(std::string_view kind) {
  return unsupported(fmt::format("a thread fails ({}): --engine candidates says where", kind));
}

// What an execution leaves in memory: the values of the locations that were accessed, over the initial contents.
core::Value left_in(const graph::Completed& done, const LitmusProgram& program, const core::Loc& loc) {
  std::vector<std::byte> bytes(loc.size);
  const core::GlobalObject& global = program.globals()[loc.object - 1];
  std::copy_n(global.bytes.begin() + loc.offset, loc.size, bytes.begin());
  bool pointer = std::ranges::find(global.pointers, loc.offset) != global.pointers.end();
  for (const auto& [piece, value] : done.memory) {
    if (piece == loc) return value;
    if (piece.object != loc.object) continue;
    for (std::uint32_t i = 0; i < piece.size; ++i)
      if (piece.offset + i >= loc.offset && piece.offset + i < loc.offset + loc.size) {
        bytes[piece.offset + i - loc.offset] = static_cast<std::byte>(value.bits >> (8 * i));
        pointer = false;
      }
  }
  core::Value value;
  std::memcpy(&value.bits, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof value.bits));
  value.pointer = pointer;
  return value;
}

std::vector<ModelResult> by_graphs(const Test& test, std::span<const ModelChoice> models, const RunOptions& options,
                                   core::Budget* given) {
  const auto program = std::make_shared<const LitmusProgram>(test, options.unroll);
  return each(test, models, given, [&](const ModelChoice& model, core::Budget& budget, ModelResult& result) {
    Ending end;
    Endings endings;
    graph::Options how;
    how.model = model.name;
    how.compiled = test.dialect == Dialect::C;
    how.spurious_cas = options.spurious_cas;
    how.on_restart = [&] { endings.clear(); };
    how.on_complete = [&](const graph::Completed& done) {
      end.observe(
          test, *program, [&](std::size_t thread) { return done.threads[thread].second; },
          [&](const core::Loc& loc) { return left_in(done, *program, loc); });
      if (!end.passes_filter) return;
      endings.add(end);
    };
    const core::Finding finding = graph::check(*program, how, budget);
    endings.move_to(result);
    result.candidates = finding.statistics.executions.value_or(0) + finding.statistics.blocked.value_or(0);
    // A thread may also wait for ever, for a lock for example.
    result.misaligned = program->met_misaligned();
    result.cut_off = finding.statistics.blocked.value_or(0) > 0 && program->met_bound();
    if (const core::Reason* reason = finding.stopped()) result.refusal = *reason;
    if (const core::Found* found = finding.found()) result.refusal = failed(core::word_of(found->claim));
    if (!model.built_in->language || !result.refusal.none()) return;
    // A race is looked for by itself: what is found first says nothing of whether all executions were seen.
    how.on_complete = nullptr;
    how.on_restart = nullptr;
    how.properties.races = true;
    const core::Finding race = graph::check(*program, how, budget);
    result.racy = race.found() != nullptr && race.found()->claim.is<core::Race>();
    if (const core::Reason* reason = race.stopped()) result.refusal = *reason;
  });
}

// Told of states without successors, keeps those in which all threads have ended.
class FinalStates final : public core::Conditions {
 public:
  FinalStates(const Test& test, const LitmusProgram& program) : test_(test), program_(program) {}

  core::Truth evaluate(std::uint32_t, const core::StateReader& state) const override {
    for (core::Tid t = 0; t < state.threads(); ++t)
      if (program_.request(state.local(t)).kind != core::Kind::Ended) return core::Truth::False;  // waits for ever
    const std::scoped_lock lock(mutex_);
    end_.observe(
        test_, program_, [&](std::size_t thread) { return state.local(static_cast<core::Tid>(thread)); },
        [&](const core::Loc& loc) { return state.read(loc).value; });
    if (end_.passes_filter) endings_.add(end_);
    return core::Truth::True;
  }
  bool watched(std::uint32_t) const override { return false; }
  void move_to(ModelResult& result) { endings_.move_to(result); }

 private:
  const Test& test_;
  const LitmusProgram& program_;
  mutable std::mutex mutex_;
  mutable Ending end_;
  mutable Endings endings_;
};

// A product that tells its conditions of every state without successors: a search for deadlocks asks of each of them,
// once, whether it is a proper end.
class Observed final : public core::TransitionSystem {
 public:
  explicit Observed(const explore::Product& product) : product_(product) {}
  std::unique_ptr<Scratch> make_scratch() const override { return product_.make_scratch(); }
  std::size_t fixed_length() const override { return product_.fixed_length(); }
  std::vector<std::uint32_t> initial(Scratch& scratch) const override { return product_.initial(scratch); }
  void successors(core::State state, core::Reduction reduction, Scratch& scratch,
                  core::SuccessorSink& sink) const override {
    product_.successors(state, reduction, scratch, sink);
  }
  bool has_state_errors() const override { return product_.has_state_errors(); }
  std::uint32_t state_error(core::State state, Scratch& scratch) const override {
    return product_.state_error(state, scratch);
  }
  std::string error_text(std::uint32_t error) const override { return product_.error_text(error); }
  std::string error_kind(std::uint32_t error) const override { return product_.error_kind(error); }
  bool proper_end(core::State state, Scratch& scratch) const override {
    std::uint32_t error = 0;
    product_.holds(0, state, scratch, error);
    return true;
  }
  bool holds(std::uint32_t proposition, core::State state, Scratch& scratch, std::uint32_t& error) const override {
    return product_.holds(proposition, state, scratch, error);
  }
  bool accepting(core::State, Scratch&) const override { return false; }
  std::string show(core::State state, Scratch& scratch) const override { return product_.show(state, scratch); }
  std::vector<std::string> bounds_reached() const override { return product_.bounds_reached(); }
  std::uint64_t bytes() const override { return product_.bytes(); }

 private:
  const explore::Product& product_;
};

// Enough for every store of a test without loops.
unsigned longest_thread(const Test& test) {
  std::size_t longest = 1;
  for (const ThreadCode& thread : test.threads) longest = std::max(longest, thread.ops.size());
  return static_cast<unsigned>(longest);
}

// A fence that holds loads back until earlier stores have arrived, but not later stores. Machines in which stores
// overtake each other have only one that holds back both.
const Op* fence_of_loads(const Test& test) {
  for (const ThreadCode& thread : test.threads)
    for (const Op& op : thread.ops) {
      if (op.kind != OpKind::Fence) continue;
      axioms::Event fence;
      fence.order = op.order;
      fence.tag = op.tag;
      if (const axioms::Pairs kept = axioms::ordered_by(fence); kept.wr && !kept.ww) return &op;
    }
  return nullptr;
}

std::vector<ModelResult> by_states(const Test& test, std::span<const ModelChoice> models, const RunOptions& options,
                                   core::Budget* given) {
  const LitmusProgram program(test);
  const bool linked = std::ranges::any_of(test.threads, [](const ThreadCode& thread) {
    return std::ranges::any_of(thread.ops, [](const Op& op) { return op.exclusive; });
  });
  const Op* const half_fence = fence_of_loads(test);
  return each(test, models, given, [&](const ModelChoice& model, core::Budget& budget, ModelResult& result) {
    const models::Model* row = models::find(model.name);
    const memory::Machine* machine = row != nullptr ? row->machine : nullptr;
    if (machine == nullptr) result.refusal = unsupported(fmt::format("there is no machine for '{}'", model.name));
    else if (linked) result.refusal = unsupported("the machines do not know load-linked/store-conditional pairs");
    else if (const auto wrong = explore::Product::refuse(program, *machine)) result.refusal = unsupported(*wrong);
    else if (half_fence != nullptr && machine->has_buffers() && !machine->traits().fifo)
      result.refusal = unsupported(fmt::format("the machine of {} has no fence that keeps only what '{}' does in order",
                                               model.name, half_fence->text));
    if (!result.refusal.none()) return;
    FinalStates ends(test, program);
    const explore::Product product(program, *machine,
                                   {.buffer_bound = longest_thread(test),
                                    .spurious_cas = options.spurious_cas,
                                    .leaks = false,
                                    .conditions = &ends});
    core::Drops drops(budget.probe);
    const explore::SearchResult found = explore::search(
        Observed(product), {.reduction = core::Reduction::Safety, .deadlocks = true, .drops = &drops}, budget);
    ends.move_to(result);
    result.candidates = found.states;
    result.misaligned = program.met_misaligned();
    if (found.stopped) result.refusal = *found.stopped;
    else if (!drops.reason().none()) result.refusal = drops.reason();
    else if (found.found) {
      const std::string kind = product.error_kind(found.found->detail);
      // What the engine cannot do is no mistake of the test.
      result.refusal = core::is_unsupported(kind) ? unsupported(product.error_text(found.found->detail)) : failed(kind);
    } else if (const auto bounds = product.bounds_reached(); !bounds.empty())
      result.refusal = unsupported(fmt::format("a bound was reached: {}", bounds.front()));
  });
}

constexpr LitmusEngine known_litmus_engines[] = {
    {"candidates", true, true, true, true, run_test},
    {"graph", false, false, true, true, by_graphs},
    {"explicit", false, false, false, false, by_states},
};

}  // namespace

std::span<const LitmusEngine> litmus_engines() { return known_litmus_engines; }

}  // namespace heddle::drive
