// SPDX-License-Identifier: Apache-2.0
#include "drive/order_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/graph_replay.h"
#include "core/input.h"
#include "drive/engine.h"
#include "drive/explicit_engine.h"
#include "drive/languages.h"
#include "drive/load.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "drive/repair_patch.h"

namespace heddle::drive {

namespace {

using core::Order;
using Kind = vm::OrderPlace::Kind;

constexpr std::uint32_t no_number = 0xffffffff;

// "-D TEST=2 -DSIZE=3 --property livelock": definitions are added to what the command line says, properties replace it.
support::Result<Task> with_definitions(Task task, const std::string& variant) {
  Words defines = *task.defines;
  const Words words = split(variant, ' ');
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool more = k + 1 < words.size();
    if (words[k] == "-D" && more) {
      defines.push_back(words[++k]);
    } else if (words[k].starts_with("-D") && words[k].size() > 2) {
      defines.push_back(words[k].substr(2));
    } else if (words[k] == "--property" && more) {
      task.properties.set(split(words[++k], ','));
    } else {
      return support::Diagnostic{
          "", 0,
          0,  fmt::format("--variant does not take '{}'", words[k]),
          "", "it is made of definitions and properties: --variant \"-D TEST=2 --property livelock\""};
    }
  }
  task.defines.set(std::move(defines));
  return task;
}

repair::Priced priced(Kind kind) {
  switch (kind) {
    case Kind::Load: return repair::Priced::Load;
    case Kind::Store: return repair::Priced::Store;
    case Kind::Rmw: return repair::Priced::Rmw;
    case Kind::Failure: return repair::Priced::Failure;
    case Kind::Fence:
    case Kind::Slot: break;
  }
  return repair::Priced::Fence;
}

std::vector<Order> orders_of(Kind kind) {
  switch (kind) {
    case Kind::Load:
    case Kind::Failure: return {Order::Relaxed, Order::Acquire, Order::SeqCst};
    case Kind::Store: return {Order::Relaxed, Order::Release, Order::SeqCst};
    case Kind::Rmw: return {Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst};
    case Kind::Fence:
    case Kind::Slot: break;
  }
  return {Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst};
}

const char* access_name(core::Kind kind) {
  return kind == core::Kind::Load ? "load" : kind == core::Kind::Store ? "store" : "read-modify-write";
}

const char* kind_name(const vm::OrderPlace& p) {
  switch (p.kind) {
    case Kind::Load: return "load";
    case Kind::Store: return "store";
    case Kind::Rmw: return p.compares ? "compare-exchange" : "read-modify-write";
    case Kind::Failure: return "failed compare-exchange";
    case Kind::Fence:
    case Kind::Slot: break;
  }
  return "fence";
}

}  // namespace

support::Result<std::unique_ptr<OrderSubject>> OrderSubject::load(const Language&, const Task& task,
                                                                  const RepairOptions& options,
                                                                  const std::vector<const models::Model*>& models,
                                                                  core::Budget& budget) {
  const auto costs = repair::OrderCosts::parse(options.cost);
  if (!costs) return costs.error();
  auto result = std::make_unique<OrderSubject>();
  std::vector<std::string> names = options.variants;
  if (names.empty()) names.emplace_back();
  for (const std::string& name : names) {
    auto changed = with_definitions(task, name);
    if (!changed) return changed.error();
    const auto made = std::make_shared<std::vector<vm::VmProgram*>>();
    auto subject = load_c_for_repair(*changed, budget, [made](vm::VmProgram& p) { made->push_back(&p); });
    if (!subject) return subject.error();
    auto variant = std::make_unique<OrderVariant>(OrderVariant{name, std::move(*changed), std::move(*subject), {}});
    for (const models::Model* model : models)
      if (const auto program = variant->subject.threads()->prepare(*model); !program) return program.error();
    for (vm::VmProgram* program : *made) {
      if (vm::has_orders_without_place(*program))
        return support::Diagnostic{task.files.front(),
                                   0,
                                   0,
                                   "has atomic accesses without a place in a source",
                                   "",
                                   "compile it with -g, or give the C file"};
      variant->translations.push_back({program, vm::order_places(*program, options.atomise), {}});
    }
    result->variants_.push_back(std::move(variant));
  }
  result->minimise_ = options.minimise;
  result->number_places(options, *costs, budget);
  return result;
}

void OrderSubject::number_places(const RepairOptions& options, const repair::OrderCosts& costs, core::Budget& budget) {
  std::map<decltype(vm::OrderPlace().key()), vm::OrderPlace> all;
  for (const auto& variant : variants_)
    for (const auto& translation : variant->translations)
      for (const vm::OrderPlace& p : translation.places) {
        vm::OrderPlace& place = all.try_emplace(p.key(), p).first->second;
        place.own = std::min(place.own, p.own);
        place.most = std::max(place.most, p.most);
        place.around.insert(place.around.end(), p.around.begin(), p.around.end());
      }
  std::map<decltype(vm::OrderPlace().key()), std::uint32_t> numbers;
  std::map<std::string, support::Result<std::string>> sources;
  // A fence that no edit of the source can put there is none.
  const auto can_be_written = [&](const vm::OrderPlace& p) {
    auto source = sources.find(p.source.file);
    if (source == sources.end())
      source = sources.emplace(p.source.file, core::read_input(p.source.file, &budget)).first;
    return !source->second || repair::expressible(*source->second, edit_of(p, Order::SeqCst));
  };
  for (auto& [key, p] : all) {
    const bool fence = p.kind == Kind::Fence || p.kind == Kind::Slot;
    if (fence ? !options.fence(true) : !options.atomic()) continue;
    // Weaker orders of a place that has several are no edit of the source.
    if (options.minimise && (p.kind == Kind::Slot || p.own != p.most)) continue;
    const Order plain = options.atomise || fence ? Order::Plain : Order::Relaxed;
    const Order weakest = options.minimise ? std::min(plain, p.own) : p.own;
    std::vector<Order> stronger;
    for (const Order order : orders_of(p.kind))
      if (!core::at_most(order, weakest) && core::at_most(weakest, order) &&
          (!options.minimise || core::at_most(order, p.own)))
        stronger.push_back(order);
    if (stronger.empty()) continue;
    if (p.kind == Kind::Slot && !can_be_written(p)) {
      unwritable_.push_back(p.source);
      continue;
    }
    numbers[key] = space_.add_place(weakest);
    for (const Order order : stronger)
      space_.add_element(numbers[key], order, costs.between(priced(p.kind), weakest, order));
    places_.push_back(p);
  }
  for (const auto& variant : variants_)
    for (auto& translation : variant->translations)
      for (const vm::OrderPlace& p : translation.places) {
        const auto number = numbers.find(p.key());
        translation.numbers.push_back(number == numbers.end() ? no_number : number->second);
      }
  for (const vm::OrderPlace& p : places_) now_.push_back(p.own);
}

void OrderSubject::apply(const repair::Orders& orders) {
  for (const auto& variant : variants_)
    for (auto& t : variant->translations)
      for (std::size_t k = 0; k < t.places.size(); ++k)
        if (const std::uint32_t n = t.numbers[k]; n != no_number && orders[n] != now_[n])
          vm::set_order(*t.program, t.places[k], orders[n], !minimise_);
  now_ = orders;
}

std::string OrderSubject::change(std::uint32_t number, Order order) const {
  const vm::OrderPlace& p = places_[number];
  if (p.kind == Kind::Slot)
    return fmt::format("fence {} {} this {}", core::order_name(order), p.before ? "before" : "after",
                       access_name(p.access));
  if (p.kind == Kind::Fence && order == Order::Plain) return "this fence is not needed";
  return fmt::format("{} {} instead of {}", kind_name(p), core::order_name(order), core::order_name(p.own));
}

OrderAnswer decide(const Language& language, const OrderVariant& variant, const models::Model& model,
                   core::Budget& budget) {
  OrderAnswer answer;
  std::vector<Contender> contenders;
  std::string refused;
  for (const std::string& name : split(language.engines, ' ')) {
    const Engine* engine = find_engine(name);
    if (const auto why = engine->refuses(variant.subject, model, variant.task)) {
      refused += fmt::format("{}the {} engine {}", refused.empty() ? "" : ", and ", name, why->text);
      continue;
    }
    contenders.push_back({engine->name,
                          [&, engine](core::Budget& part) {
                            part.subject = fmt::format("{}, {}", model.name, engine->name);
                            core::Finding finding = engine->run(variant.subject, model, variant.task, part);
                            if (finding.found() != nullptr) answer.found = *finding.found();
                            return judge(variant.subject, model, engine->name, variant.task, std::move(finding));
                          },
                          engine->first_states, engine->first_steps});
  }
  if (contenders.empty()) {
    answer.verdict.reason = {core::Reason::Kind::Unsupported, "nothing checks this: " + refused};
    return answer;
  }
  answer.verdict = take_turns(contenders, budget);
  add_conditions(variant.subject.program(model), answer.verdict);
  return answer;
}

OrderRun::OrderRun(const OrderVariant& variant, const models::Model& model, core::Found found)
    : variant_(variant), model_(model), found_(std::move(found)) {
  if (const auto* run = std::get_if<core::MoveRun>(&found_.run))
    script_ = check::script_of(variant.subject.threads()->program(model), model.name, *run);
}

std::optional<core::Found> OrderRun::restated() const {
  const core::Program& program = variant_.subject.threads()->program(model_);
  if (const auto* execution = std::get_if<core::ExecutionWitness>(&found_.run)) {
    auto stronger = check::restated(program, *execution);
    if (!stronger || !check::confirm_graph(program, *stronger, found_.claim).confirmed) return std::nullopt;
    return core::Found{found_.claim, std::move(*stronger)};
  }
  if (!script_) return std::nullopt;
  auto stronger = check::restated(program, model_.name, *script_);
  if (!stronger) return std::nullopt;
  core::Found again{found_.claim, std::move(*stronger)};
  if (!replay(variant_.subject, model_, again, buffer_bound(variant_.task)).confirmed) return std::nullopt;
  return again;
}

bool OrderRun::goes_wrong() const { return restated().has_value(); }

}  // namespace heddle::drive
