// What repair/ relies on (repair/synthesis.h): a stronger order of an access and a fence more only take outcomes away. Pairs
// of random litmus tests, one of them the other with a few places strengthened, under every model of the table: by
// axioms, and by machines.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "axioms/cat.h"
#include "core/order.h"
#include "drive/litmus_engines.h"
#include "drive/repair.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
#include "models/models.h"

namespace heddle {
namespace {

using core::Order;
using lang::litmus::ModelChoice;
using lang::litmus::ModelResult;

struct Action {
  enum class Kind : std::uint8_t { Load, Store, Add, Compare, Fence } kind = Kind::Load;
  unsigned variable = 0;
  Order order = Order::Relaxed, failure = Order::Relaxed;
  int value = 1, expected = 0;
  int target = -1;            // register that is loaded
  int data = -1, guard = -1;  // registers that are stored, and looked at before
};
using Threads = std::vector<std::vector<Action>>;

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Threads threads() {
    Threads threads(2 + (below(4) == 0 ? 1 : 0));
    for (auto& thread : threads) {
      int loaded = 0;
      const unsigned length = 1 + below(threads.size() == 2 ? 4 : 2);
      for (unsigned i = 0; i < length; ++i) thread.push_back(action(loaded));
    }
    return threads;
  }

  // One to three places stronger: the next order up, or a fence that was not there.
  Threads strengthened(Threads threads) {
    for (unsigned n = 1 + below(3); n > 0; --n) {
      auto& thread = threads[below(threads.size())];
      if (below(3) == 0) {
        Action fence{.kind = Action::Kind::Fence};
        fence.order = any(orders_of(fence.kind));
        thread.insert(thread.begin() + below(thread.size() + 1), fence);
        continue;
      }
      Action& action = thread[below(thread.size())];
      if (action.kind == Action::Kind::Compare && below(2) == 0)
        action.failure = core::join(action.failure, any({Order::Acquire, Order::SeqCst}));
      else action.order = core::join(action.order, any(orders_of(action.kind)));
    }
    return threads;
  }

 private:
  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  Order any(const std::vector<Order>& orders) { return orders[below(orders.size())]; }

  static std::vector<Order> orders_of(Action::Kind kind) {
    switch (kind) {
      case Action::Kind::Load: return {Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst};
      case Action::Kind::Store: return {Order::Plain, Order::Relaxed, Order::Release, Order::SeqCst};
      case Action::Kind::Add:
      case Action::Kind::Compare: return {Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst};
      case Action::Kind::Fence: break;
    }
    return {Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst};
  }

  Action action(int& loaded) {
    using Kind = Action::Kind;
    constexpr Kind kinds[] = {Kind::Load,  Kind::Load,  Kind::Load, Kind::Load,    Kind::Store,
                              Kind::Store, Kind::Store, Kind::Add,  Kind::Compare, Kind::Fence};
    Action a{.kind = kinds[below(std::size(kinds))], .variable = below(2)};
    // Orders are mostly weak: then there is something to strengthen.
    const auto orders = orders_of(a.kind);
    a.order = below(3) != 0 ? orders[a.kind == Kind::Load || a.kind == Kind::Store ? below(8) != 0 : 0] : any(orders);
    a.value = 1 + static_cast<int>(below(2));
    a.expected = static_cast<int>(below(2));
    if (loaded > 0 && a.kind == Kind::Store && below(3) == 0)
      a.data = static_cast<int>(below(static_cast<std::size_t>(loaded)));
    if (loaded > 0 && a.kind != Kind::Add && a.kind != Kind::Compare && below(5) == 0)
      a.guard = static_cast<int>(below(static_cast<std::size_t>(loaded)));
    if (a.kind != Kind::Store && a.kind != Kind::Fence) a.target = loaded++;
    return a;
  }

  std::mt19937 random_;
};

std::string text_of(const Action& a) {
  const char* const x = a.variable == 0 ? "x" : "y";
  const auto order = [](Order o) { return fmt::format("memory_order_{}", core::order_name(o)); };
  const std::string value = a.data >= 0 ? fmt::format("r{} + {}", a.data, a.value) : std::to_string(a.value);
  switch (a.kind) {
    case Action::Kind::Load:
      return a.order == Order::Plain ? fmt::format("r{} = *{};", a.target, x)
                                     : fmt::format("r{} = atomic_load_explicit({}, {});", a.target, x, order(a.order));
    case Action::Kind::Store:
      return a.order == Order::Plain ? fmt::format("*{} = {};", x, value)
                                     : fmt::format("atomic_store_explicit({}, {}, {});", x, value, order(a.order));
    case Action::Kind::Add:
      return fmt::format("r{} = atomic_fetch_add_explicit({}, {}, {});", a.target, x, value, order(a.order));
    case Action::Kind::Compare:
      return fmt::format("r{0} = {1}; atomic_compare_exchange_strong_explicit({2}, &r{0}, {3}, {4}, {5});", a.target,
                         a.expected, x, value, order(a.order), order(a.failure));
    case Action::Kind::Fence: break;
  }
  return fmt::format("atomic_thread_fence({});", order(a.order));
}

// Registers have the same numbers in both tests of a pair.
std::string text_of(const Threads& threads) {
  std::string text = "C random\n{ [x]=0; [y]=0; }\n", shown;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += fmt::format("P{} (atomic_int* x, atomic_int* y) {{\n", t);
    for (const Action& a : threads[t])
      if (a.target >= 0) {
        text += fmt::format("  int r{} = 0;\n", a.target);
        shown += fmt::format("{}:r{}; ", t, a.target);
      }
    for (const Action& a : threads[t])
      text += a.guard >= 0 ? fmt::format("  if (r{} != 0) {{ {} }}\n", a.guard, text_of(a))
                           : fmt::format("  {}\n", text_of(a));
    text += "}\n";
  }
  return text + "locations [" + shown + "x; y;]\nexists (x=99)\n";
}

struct Outcomes {
  std::set<std::vector<std::uint64_t>> states;
  bool racy = false;
};

// By "model" for axioms and "model machine".
using ByModel = std::map<std::string, Outcomes>;

void take(const std::vector<ModelResult>& results, const std::string& suffix, ByModel& all) {
  for (const ModelResult& result : results) {
    if (!result.refusal.none()) continue;
    Outcomes& outcomes = all[result.model + suffix];
    outcomes.racy = result.racy;
    for (const auto& state : result.states) {
      std::vector<std::uint64_t> values;
      for (const core::Value& value : state.values) values.push_back(value.bits);
      outcomes.states.insert(std::move(values));
    }
  }
}

ByModel outcomes_of(const std::string& text, const axioms::CatModel* own = nullptr) {
  const auto test = lang::litmus::parse_test("random", text);
  ByModel all;
  if (!test) {
    ADD_FAILURE() << support::render(test.error()) << text;
    return all;
  }
  std::vector<ModelChoice> by_axioms, by_machine;
  if (own != nullptr) by_axioms.push_back({"own", nullptr, own});
  for (const models::Model& model : models::all()) {
    if (own != nullptr || !model.monotone) continue;
    if (model.axioms != nullptr) by_axioms.push_back({std::string(model.name), model.axioms, nullptr});
    // A machine without axioms runs C as others do; the axioms named here only say that C is what it takes.
    if (model.machine != nullptr) by_machine.push_back({std::string(model.name), axioms::find_model("sc"), nullptr});
  }
  take(lang::litmus::run_test(*test, by_axioms, {}), "", all);
  for (const drive::LitmusEngine& engine : drive::litmus_engines())
    if (engine.name == "explicit") take(engine.run(*test, by_machine, {}, nullptr), " machine", all);
  return all;
}

// Outcomes of the stronger test that the weaker one does not have.
std::string added(const Outcomes& weak, const Outcomes& strong) {
  std::string words = strong.racy && !weak.racy ? "a data race" : "";
  for (const auto& state : strong.states)
    if (!weak.states.contains(state)) words += fmt::format(" [{}]", fmt::join(state, " "));
  return words;
}

unsigned programs_wanted(unsigned usual) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS");  // 20000 for the long run
  return wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : usual;
}

TEST(Monotone, StrengtheningTakesOutcomesAway) {
  Maker make(78300);
  std::map<std::string, unsigned> pairs, fewer;
  for (unsigned k = 0; k < programs_wanted(2000); ++k) {
    const Threads weak = make.threads(), strong = make.strengthened(weak);
    const std::string weak_text = text_of(weak), strong_text = text_of(strong);
    if (weak_text == strong_text) continue;
    const ByModel before = outcomes_of(weak_text), after = outcomes_of(strong_text);
    for (const auto& [model, outcomes] : before) {
      const auto stronger = after.find(model);
      if (stronger == after.end()) continue;
      ++pairs[model];
      ASSERT_EQ(added(outcomes, stronger->second), "") << "under " << model << ", pair " << k << "\n"
                                                       << weak_text << strong_text;
      ASSERT_FALSE(stronger->second.states.empty()) << model << "\n" << strong_text;
      const bool less = stronger->second.states.size() < outcomes.states.size();
      if (less) ++fewer[model];
      ASSERT_FALSE(less && model.starts_with("sc")) << "sc has no use for orders\n" << weak_text << strong_text;
    }
  }
  unsigned all = 0;
  for (const auto& [model, count] : pairs) {
    all += count;
    // Under ra every access is release or acquire as it is.
    EXPECT_TRUE(fewer[model] > 0 || model == "ra" || model.starts_with("sc")) << model << ": nothing made a difference";
  }
  std::printf("%u pairs under %zu models and machines\n", all, pairs.size());
  for (const models::Model& model : models::all())
    EXPECT_TRUE(model.axioms == nullptr || !model.monotone || pairs.contains(std::string(model.name))) << model.name;
  EXPECT_TRUE(pairs.contains("sb1 machine"));
}

// The comparison notices a model that breaks it: one in which an acquire load keeps less order than a relaxed one.
TEST(Monotone, AModelThatBreaksItIsNoticed) {
  const auto own = axioms::CatModel::parse("own.cat",
                                           "\"own\"\nacyclic po-loc | rf | co | fr as coherent\n"
                                           "empty rmw & (fre ; coe) as atomic\n"
                                           "acyclic (po \\ ([ACQ | SC] ; po)) | rf | co | fr as order\n");
  ASSERT_TRUE(own) << support::render(own.error());
  Maker make(78300);
  unsigned noticed = 0;
  for (unsigned k = 0; k < 200; ++k) {
    const Threads weak = make.threads(), strong = make.strengthened(weak);
    const ByModel before = outcomes_of(text_of(weak), &*own), after = outcomes_of(text_of(strong), &*own);
    ASSERT_TRUE(before.contains("own") && after.contains("own"));
    noticed += !added(before.at("own"), after.at("own")).empty();
  }
  EXPECT_GT(noticed, 0U);
}

// A row of the table that says so is refused by `repair`.
TEST(Monotone, RepairRefusesAModelThatBreaksIt) {
  for (const models::Model& model : models::all()) EXPECT_FALSE(drive::cannot_repair_under(model)) << model.name;
  models::Model own = *models::find("rc11");
  own.name = "own";
  own.monotone = false;
  const auto refused = drive::cannot_repair_under(own);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->message.find("under 'own' a stronger order or a fence may add executions"), std::string::npos)
      << refused->message;
}

}  // namespace
}  // namespace heddle
