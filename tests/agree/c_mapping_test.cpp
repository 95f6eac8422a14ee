// What C11's accesses become on machines, three ways: random programs with read-modify-writes and compare-exchanges of
// all orders as litmus tests in C, as C through clang and execution graphs, and as assembly by the tables written here
// (Sewell et al., "C/C++11 mappings to processors"; RISC-V unprivileged specification, table A.6). Whole sets of
// outcomes must be equal.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "axioms/models.h"
#include "graph/check.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
#include "support/random_c.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

enum class What : std::uint8_t { Load, Store, Swap, Cas, Fence };
enum class Order : std::uint8_t { Rlx, Acq, Rel, AcqRel, Sc };

struct Op {
  What what = What::Load;
  int loc = 0;
  Order order = Order::Rlx, failure = Order::Rlx;
  int expected = 0, value = 0;
  bool reads() const { return what == What::Load || what == What::Swap || what == What::Cas; }
};
using Code = std::vector<std::vector<Op>>;  // by thread
// The value that each operation read (0 if it reads none), thread by thread, then x and y.
using Outcome = std::vector<std::uint64_t>;

bool acquires(Order o) { return o == Order::Acq || o == Order::AcqRel || o == Order::Sc; }
bool releases(Order o) { return o == Order::Rel || o == Order::AcqRel || o == Order::Sc; }

Code random_code(std::mt19937& random) {
  const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  static const Order loads[] = {Order::Rlx, Order::Acq, Order::Sc}, stores[] = {Order::Rlx, Order::Rel, Order::Sc},
                     all[] = {Order::Rlx, Order::Acq, Order::Rel, Order::AcqRel, Order::Sc};
  Code code(2);
  int value = 1;
  for (auto& thread : code)
    for (int i = 0; i < 3; ++i) {
      Op op;
      const int kind = upto(9);
      op.what = kind < 2   ? What::Load
                : kind < 4 ? What::Store
                : kind < 6 ? What::Swap
                : kind < 8 ? What::Cas
                           : What::Fence;
      op.loc = upto(2);
      op.value = value++;
      op.expected = upto(2) == 0 ? 0 : 1 + upto(4);
      op.order = op.what == What::Load ? loads[upto(3)] : op.what == What::Store ? stores[upto(3)] : all[upto(5)];
      if (op.what == What::Fence && op.order == Order::Rlx) op.order = Order::Sc;
      op.failure = loads[upto(3)];
      if (op.failure == Order::Sc) op.order = Order::Sc;
      if (op.failure == Order::Acq && !acquires(op.order)) op.failure = Order::Rlx;
      thread.push_back(op);
    }
  return code;
}

const char* name_of(Order o) {
  static const char* const names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<int>(o)];
}

std::string litmus_text(const Code& code) {
  std::string s = "C random\n{}\n", shown = "locations [";
  for (std::size_t t = 0; t < code.size(); ++t) {
    s += fmt::format("P{} (atomic_int* x, atomic_int* y) {{\n", t);
    for (std::size_t i = 0; i < code[t].size(); ++i) {
      const Op& op = code[t][i];
      const char* at = op.loc == 0 ? "x" : "y";
      const std::string order = std::string("memory_order_") + name_of(op.order);
      switch (op.what) {
        case What::Load: s += fmt::format("  int r{} = atomic_load_explicit({}, {});\n", i, at, order); break;
        case What::Store: s += fmt::format("  atomic_store_explicit({}, {}, {});\n", at, op.value, order); break;
        case What::Swap:
          s += fmt::format("  int r{} = atomic_exchange_explicit({}, {}, {});\n", i, at, op.value, order);
          break;
        case What::Cas:
          s += fmt::format(
              "  int r{0} = {1}; atomic_compare_exchange_strong_explicit({2}, &r{0}, {3}, {4}, memory_order_{5});\n", i,
              op.expected, at, op.value, order, name_of(op.failure));
          break;
        case What::Fence: s += fmt::format("  atomic_thread_fence({});\n", order); break;
      }
      if (op.reads()) shown += fmt::format("{}:r{}; ", t, i);
    }
    s += "}\n";
  }
  return s + shown + "x; y;]\nexists (x=99)\n";
}

const char* builtin_name(Order o) {
  static const char* const names[] = {"__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL",
                                      "__ATOMIC_SEQ_CST"};
  return names[static_cast<int>(o)];
}

std::string c_text(const Code& code, unsigned number) {
  std::string s;
  for (std::size_t t = 0; t < code.size(); ++t) {
    s += fmt::format("__attribute__((used)) void *t{}_{}(void *a) {{\n", number, t);
    for (std::size_t i = 0; i < code[t].size(); ++i) {
      const Op& op = code[t][i];
      const char* at = op.loc == 0 ? "x" : "y";
      const char* order = builtin_name(op.order);
      switch (op.what) {
        case What::Load: s += fmt::format("  out[{}] = __atomic_load_n(&{}, {});\n", 3 * t + i, at, order); break;
        case What::Store: s += fmt::format("  __atomic_store_n(&{}, {}, {});\n", at, op.value, order); break;
        case What::Swap:
          s += fmt::format("  out[{}] = __atomic_exchange_n(&{}, {}, {});\n", 3 * t + i, at, op.value, order);
          break;
        case What::Cas:
          s += fmt::format(
              "  int e{0} = {1}; __atomic_compare_exchange_n(&{2}, &e{0}, {3}, 0, {4}, {5}); "
              "out[{6}] = e{0};\n",
              i, op.expected, at, op.value, order, builtin_name(op.failure), 3 * t + i);
          break;
        case What::Fence: s += fmt::format("  __atomic_thread_fence({});\n", order); break;
      }
    }
    s += "  return a;\n}\n";
  }
  return s;
}

// Assembly of one machine. A compare-exchange is written as one that succeeds or as one that fails, without a branch on
// the value, and what does not come out like that is left out afterwards.
struct Machine {
  const char* dialect;
  const char* prefix;           // of registers in conditions
  std::string (*address)(int);  // the register that holds a location's address
  std::vector<std::string> (*emit)(const Op&, int reg, bool succeeds);
  int success;  // what the register reg + 10 has if a store-conditional succeeded; -1: never looked at
};

std::string arm_address(int loc) { return fmt::format("X{}", loc + 1); }
std::string riscv_address(int loc) { return fmt::format("x{}", loc + 6); }
std::string ppc_address(int loc) { return fmt::format("r{}", loc + 3); }

std::vector<std::string> arm_access(const Op& op, int r) {
  const std::string at = arm_address(op.loc);
  switch (op.what) {
    case What::Load: return {fmt::format("{} W{},[{}]", acquires(op.order) ? "LDAR" : "LDR", r, at)};
    case What::Store:
      return {fmt::format("MOV W{},#{}", r, op.value),
              fmt::format("{} W{},[{}]", releases(op.order) ? "STLR" : "STR", r, at)};
    default: return {op.order == Order::Acq ? "DMB ISHLD" : "DMB ISH"};
  }
}

std::vector<std::string> arm_llsc(const Op& op, int r, bool succeeds) {
  if (op.what != What::Swap && op.what != What::Cas) return arm_access(op, r);
  const std::string at = arm_address(op.loc);
  if (!succeeds) return {fmt::format("{} W{},[{}]", acquires(op.failure) ? "LDAXR" : "LDXR", r, at)};
  return {fmt::format("{} W{},[{}]", acquires(op.order) ? "LDAXR" : "LDXR", r, at),
          fmt::format("MOV W{},#{}", r + 5, op.value),
          fmt::format("{} W{},W{},[{}]", releases(op.order) ? "STLXR" : "STXR", r + 10, r + 5, at)};
}

std::vector<std::string> arm_lse(const Op& op, int r, bool succeeds) {
  if (op.what != What::Swap && op.what != What::Cas) return arm_access(op, r);
  const std::string at = arm_address(op.loc);
  if (!succeeds) return {fmt::format("{} W{},[{}]", acquires(op.failure) ? "LDAR" : "LDR", r, at)};
  const std::string suffix = std::string(acquires(op.order) ? "A" : "") + (releases(op.order) ? "L" : "");
  if (op.what == What::Swap)
    return {fmt::format("MOV W{},#{}", r + 5, op.value), fmt::format("SWP{} W{},W{},[{}]", suffix, r + 5, r, at)};
  return {fmt::format("MOV W{},#{}", r, op.expected), fmt::format("MOV W{},#{}", r + 5, op.value),
          fmt::format("CAS{} W{},W{},[{}]", suffix, r, r + 5, at)};
}

std::vector<std::string> riscv_code(const Op& op, int r, bool succeeds) {
  const std::string at = riscv_address(op.loc);
  const std::string constant = fmt::format("li x{},{}", r + 5, op.value);
  std::vector<std::string> c;
  switch (op.what) {
    case What::Load:
      if (op.order == Order::Sc) c.emplace_back("fence rw,rw");
      c.push_back(fmt::format("lw x{},0({})", r, at));
      if (acquires(op.order)) c.emplace_back("fence r,rw");
      return c;
    case What::Store:
      c.push_back(constant);
      if (releases(op.order)) c.emplace_back("fence rw,w");
      c.push_back(fmt::format("sw x{},0({})", r + 5, at));
      return c;
    case What::Swap: {
      const std::string suffix = std::string(acquires(op.order) ? ".aq" : "") + (releases(op.order) ? ".rl" : "");
      return {constant, fmt::format("amoswap.w{} x{},x{},({})", suffix, r, r + 5, at)};
    }
    case What::Cas: {
      const Order loads = succeeds ? op.order : op.failure;
      c.push_back(constant);
      c.push_back(fmt::format("lr.w{} x{},0({})", loads == Order::Sc ? ".aq.rl" : acquires(loads) ? ".aq" : "", r, at));
      if (succeeds)
        c.push_back(fmt::format("sc.w{} x{},x{},0({})", releases(op.order) ? ".rl" : "", r + 10, r + 5, at));
      return c;
    }
    case What::Fence:
      return {op.order == Order::Sc    ? "fence rw,rw"
              : op.order == Order::Acq ? "fence r,rw"
              : op.order == Order::Rel ? "fence rw,w"
                                       : "fence.tso"};
  }
  return c;
}

std::vector<std::string> ppc_code(const Op& op, int r, bool succeeds) {
  const std::string at = ppc_address(op.loc);
  std::vector<std::string> c;
  const auto before = [&](Order o, bool writes) {
    if (o == Order::Sc) c.emplace_back("sync");
    else if (writes && releases(o)) c.emplace_back("lwsync");
  };
  const auto after = [&](Order o) {
    if (!acquires(o)) return;
    c.push_back(fmt::format("cmpw r{},r{}", r, r));
    c.push_back(fmt::format("beq LA{}", r));
    c.push_back(fmt::format("LA{}:", r));
    c.emplace_back("isync");
  };
  switch (op.what) {
    case What::Load:
      before(op.order, false);
      c.push_back(fmt::format("lwz r{},0({})", r, at));
      after(op.order);
      break;
    case What::Store:
      c.push_back(fmt::format("li r{},{}", r, op.value));
      before(op.order, true);
      c.push_back(fmt::format("stw r{},0({})", r, at));
      break;
    case What::Fence: c.emplace_back(op.order == Order::Sc ? "sync" : "lwsync"); break;
    default:
      before(op.order, true);
      c.push_back(fmt::format("lwarx r{},r0,{}", r, at));
      if (!succeeds) {
        after(op.failure);
        break;
      }
      c.push_back(fmt::format("li r{},{}", r + 5, op.value));
      c.push_back(fmt::format("stwcx. r{},r0,{}", r + 5, at));
      c.push_back(fmt::format("bne LF{}", r));
      c.push_back(fmt::format("li r{},1", r + 10));
      c.push_back(fmt::format("LF{}:", r));
      after(op.order);
      break;
  }
  return c;
}

const std::map<std::string, Machine> machines = {{"armv8", {"AArch64", "X", arm_address, arm_llsc, 0}},
                                                 {"armv8.1", {"AArch64", "X", arm_address, arm_lse, -1}},
                                                 {"riscv", {"RISCV", "x", riscv_address, riscv_code, 0}},
                                                 {"power", {"PPC", "r", ppc_address, ppc_code, 1}}};
constexpr int first_register = 10;

std::string assembly(const Code& code, const Machine& machine, unsigned successes) {
  std::string s = fmt::format("{} random\n{{ ", machine.dialect), shown = "locations [";
  std::vector<std::vector<std::string>> columns(code.size());
  std::size_t rows = 0;
  unsigned cas = 0;
  for (std::size_t t = 0; t < code.size(); ++t) {
    s += fmt::format("{0}:{1}=x; {0}:{2}=y; ", t, machine.address(0), machine.address(1));
    for (std::size_t i = 0; i < code[t].size(); ++i) {
      const Op& op = code[t][i];
      const bool succeeds = op.what != What::Cas || ((successes >> cas++) & 1) != 0;
      const int r = first_register + static_cast<int>(i);
      for (std::string& line : machine.emit(op, r, succeeds)) columns[t].push_back(std::move(line));
      if (!op.reads()) continue;
      shown += fmt::format("{}:{}{}; ", t, machine.prefix, r);
      if (succeeds && op.what != What::Load) shown += fmt::format("{}:{}{}; ", t, machine.prefix, r + 10);
    }
    rows = std::max(rows, columns[t].size());
  }
  s += "}\n P0 | P1 ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < columns.size(); ++t)
      s += (t != 0 ? "| " : " ") + (row < columns[t].size() ? columns[t][row] : "") + " ";
    s += ";\n";
  }
  return s + shown + "x; y;]\nexists (x=99)\n";
}

// What a litmus test ends in: values by name ("0:r1", "x").
std::vector<std::map<std::string, std::uint64_t>> ends(const std::string& text, const std::string& model) {
  const auto test = lang::litmus::parse_test("random", text);
  if (!test) {
    ADD_FAILURE() << support::render(test.error()) << text;
    return {};
  }
  const lang::litmus::ModelChoice choice{model, axioms::find_model(model), nullptr};
  lang::litmus::RunOptions options;
  options.store_conditional_may_fail = false;  // a loop would repeat it
  const auto results = lang::litmus::run_test(*test, {&choice, 1}, options);
  EXPECT_EQ(results[0].refusal.text, "") << text;
  std::vector<std::map<std::string, std::uint64_t>> out;
  for (const auto& state : results[0].states) {
    auto& values = out.emplace_back();
    for (std::size_t k = 0; k < test->shown.size(); ++k) {
      const auto& seen = test->observed[test->shown[k]];
      const std::string name =
          seen.thread < 0 ? test->variables[seen.variable].name
                          : fmt::format("{}:{}", seen.thread,
                                        test->threads[static_cast<std::size_t>(seen.thread)].registers[seen.reg]);
      values[name] = state.values[k].bits & 0xffffffff;
    }
  }
  return out;
}

std::set<Outcome> by_litmus(const Code& code, const std::string& model) {
  std::set<Outcome> outcomes;
  for (auto& values : ends(litmus_text(code), model)) {
    Outcome o;
    for (std::size_t t = 0; t < code.size(); ++t)
      for (std::size_t i = 0; i < code[t].size(); ++i)
        o.push_back(code[t][i].reads() ? values.at(fmt::format("{}:r{}", t, i)) : 0);
    o.push_back(values.at("x"));
    o.push_back(values.at("y"));
    outcomes.insert(o);
  }
  return outcomes;
}

std::set<Outcome> by_assembly(const Code& code, const std::string& model) {
  const Machine& machine = machines.at(model);
  unsigned exchanges = 0;
  for (const auto& thread : code)
    for (const Op& op : thread) exchanges += op.what == What::Cas;
  std::set<Outcome> outcomes;
  for (unsigned successes = 0; successes < 1U << exchanges; ++successes)
    for (auto& values : ends(assembly(code, machine, successes), model)) {
      Outcome o;
      bool as_written = true;
      unsigned cas = 0;
      for (std::size_t t = 0; t < code.size(); ++t)
        for (std::size_t i = 0; i < code[t].size(); ++i) {
          const Op& op = code[t][i];
          const auto reg = [&](std::size_t n) {
            return values.at(fmt::format("{}:{}{}", t, machine.prefix, first_register + n));
          };
          const bool succeeds = op.what != What::Cas || ((successes >> cas++) & 1) != 0;
          o.push_back(op.reads() ? reg(i) : 0);
          if (op.what == What::Cas) as_written &= (reg(i) == static_cast<std::uint64_t>(op.expected)) == succeeds;
          if (machine.success >= 0 && succeeds && (op.what == What::Swap || op.what == What::Cas))
            as_written &= reg(i + 10) == static_cast<std::uint64_t>(machine.success);
        }
      o.push_back(values.at("x"));
      o.push_back(values.at("y"));
      if (as_written) outcomes.insert(o);
    }
  return outcomes;
}

std::set<Outcome> by_graphs(const core::Program& program, const Code& code, const std::string& model) {
  std::set<Outcome> outcomes;
  graph::Options options;
  options.model = model;
  options.on_restart = [&] { outcomes.clear(); };
  options.on_complete = [&](const graph::Completed& done) {
    const auto value = [&](const char* global, std::uint32_t offset) {
      for (std::uint32_t object = 1; object <= program.globals().size(); ++object)
        if (program.globals()[object - 1].name == global)
          for (const auto& [loc, v] : done.memory)
            if (loc.object == object && loc.offset == offset) return v.bits;
      return std::uint64_t{0};
    };
    Outcome o;
    for (std::size_t t = 0; t < code.size(); ++t)
      for (std::size_t i = 0; i < code[t].size(); ++i)
        o.push_back(value("out", static_cast<std::uint32_t>(4 * (3 * t + i))));
    o.push_back(value("x", 0));
    o.push_back(value("y", 0));
    outcomes.insert(o);
  };
  core::Budget budget;
  const auto v = test::unjudged(graph::check(program, options, budget));
  EXPECT_EQ(v.outcome, core::Outcome::Safe) << v.reason.text << v.violation;
  return outcomes;
}

void compare(unsigned seed, unsigned modules) {
  constexpr unsigned programs = 20;
  std::mt19937 random(seed);
  std::map<std::string, unsigned> relaxed;  // programs on which a model allows more than sc
  for (unsigned m = 0; m < modules; ++m) {
    std::vector<Code> codes;
    std::string text = "int x, y, out[6];\nint main(void) { return 0; }\n";
    for (unsigned i = 0; i < programs; ++i) {
      codes.push_back(random_code(random));
      text += c_text(codes.back(), i);
    }
    // Without optimisation clang branches on the success of a compare-exchange: a control dependency that neither the
    // litmus test nor the assembly has.
    lang::llvm_ir::Options options;
    options.optimise = "1";
    const auto loaded = tests::load_module(text, options);
    ASSERT_NE(loaded, nullptr);
    const auto entries = tests::programs_of(*loaded, programs);
    for (unsigned i = 0; i < programs; ++i) {
      const tests::Threads program(*loaded, entries[i]);
      const auto interleaved = by_litmus(codes[i], "sc");
      for (const char* model : {"rc11", "armv8", "armv8.1", "riscv", "power"}) {
        const auto expected = by_litmus(codes[i], model);
        relaxed[model] += expected != interleaved;
        ASSERT_EQ(by_graphs(program, codes[i], model), expected) << model << "\n" << litmus_text(codes[i]);
        if (machines.contains(model)) {
          ASSERT_EQ(by_assembly(codes[i], model), expected)
              << model << "\n"
              << litmus_text(codes[i]) << assembly(codes[i], machines.at(model), ~0U);
        }
      }
    }
  }
  for (const auto& [model, count] : relaxed) EXPECT_GT(count, modules * programs / 50) << model;
}

TEST(CMapping, three_ways) { compare(1, 20); }
TEST(CMapping, three_ways_slow) { compare(2, 100); }

// A failed compare-exchange has what its failure order says: as the reader of message passing, a relaxed one orders
// nothing behind it, an acquiring one does.
TEST(CMapping, a_failed_compare_exchange_reads_by_its_failure_order) {
  for (const Order failure : {Order::Rlx, Order::Acq}) {
    const Code code = {{{What::Store, 0, Order::Rlx, Order::Rlx, 0, 1}, {What::Store, 1, Order::Rel, Order::Rlx, 0, 1}},
                       {{What::Cas, 1, Order::Acq, failure, 5, 6}, {What::Load, 0, Order::Rlx, Order::Rlx, 0, 0}}};
    for (const char* model : {"rc11", "armv8", "armv8.1", "riscv", "power"}) {
      const auto outcomes = by_litmus(code, model);
      EXPECT_EQ(outcomes.contains({0, 0, 1, 0, 1, 1}), failure == Order::Rlx) << model;
    }
  }
}

}  // namespace
}  // namespace heddle
