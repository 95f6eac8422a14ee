// Outcomes of random litmus tests against a naive reading of the same programs (tests/oracle/naive_litmus.h): machines
// for sc, tso and pso, published axioms over sets of pairs for armv8, riscv, power and rc11. Whole sets of outcomes are
// compared.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
#include "oracle/naive_litmus.h"

namespace {

using namespace heddle;
using naive::Instr;
using naive::Order;
using naive::What;

struct Maker {
  std::mt19937 random;
  lang::litmus::Dialect dialect;

  int upto(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  naive::Program program() {
    using lang::litmus::Dialect;
    naive::Program p;
    const int threads = 2 + (upto(4) == 0);
    int most = 0;
    for (int t = 0; t < threads; ++t) {
      p.threads.emplace_back();
      int loaded = 0;
      const int count = 1 + upto(threads == 2 ? 4 : 2);
      for (int k = 0; k < count; ++k) {
        Instr i;
        i.loc = upto(2);
        const int kind = upto(10);
        i.what = kind < 4 ? What::Load : kind < 8 ? What::Store : kind == 8 ? What::Fence : What::Add;
        if (i.what == What::Add && (dialect == Dialect::X86 || dialect == Dialect::PPC)) i.what = What::Fence;
        if (loaded > 0 && dialect != Dialect::X86) {
          if (i.what == What::Store && upto(3) == 0) i.data = upto(loaded);
          if (i.what != What::Fence && dialect != Dialect::C && upto(4) == 0) i.addr = upto(loaded);
          if (i.what != What::Add && upto(5) == 0) i.guard = upto(loaded);
        }
        i.constant = 1 + upto(2);
        if (i.what == What::Load || i.what == What::Add) i.reg = loaded++;
        order(i);
        p.threads.back().push_back(i);
      }
      most = std::max(most, loaded);
    }
    p.registers = most;
    return p;
  }

  void order(Instr& i) {
    using lang::litmus::Dialect;
    if (dialect == Dialect::X86) {
      if (i.what == What::Fence) i.fence = "MFENCE";
      return;
    }
    const int n = upto(4);
    if (dialect == Dialect::PPC || dialect == Dialect::RISCV) {
      static const char* const ppc_fences[] = {"sync", "lwsync", "eieio", "isync"};
      static const char* const riscv_fences[] = {"fence rw,rw", "fence r,rw", "fence w,w", "fence.tso"};
      if (i.what == What::Fence) i.fence = dialect == Dialect::PPC ? ppc_fences[n] : riscv_fences[n];
      else if (dialect == Dialect::RISCV && n > 1)
        i.order = i.what == What::Load    ? Order::Acq
                  : i.what == What::Store ? Order::Rel
                  : n == 2                ? Order::Acq
                                          : Order::AcqRel;
      return;
    }
    if (dialect == Dialect::AArch64) {
      static const char* const fences[] = {"DMB SY", "DMB LD", "DMB ST", "ISB"};
      if (i.what == What::Fence) i.fence = fences[n];
      if (i.what == What::Load) {
        i.order = n >= 2 ? Order::Acq : Order::Rlx;
        i.pc = n == 3;
      }
      if (i.what == What::Store) i.order = n >= 2 ? Order::Rel : Order::Rlx;
      if (i.what == What::Add)
        i.order = n == 0 ? Order::Rlx : n == 1 ? Order::Acq : n == 2 ? Order::Rel : Order::AcqRel;
      return;
    }
    static const Order loads[] = {Order::Na, Order::Rlx, Order::Acq, Order::Sc},
                       stores[] = {Order::Na, Order::Rlx, Order::Rel, Order::Sc},
                       others[] = {Order::Acq, Order::Rel, Order::AcqRel, Order::Sc};
    i.order = i.what == What::Load ? loads[n] : i.what == What::Store ? stores[n] : others[n];
  }
};

const char* var(int l) { return l == 0 ? "x" : "y"; }

std::string shown(const naive::Program& p, const char* prefix) {
  std::string s = "locations [";
  for (std::size_t t = 0; t < p.threads.size(); ++t)
    for (int r = 0; r < p.registers; ++r) s += fmt::format("{}:{}{}; ", t, prefix, r);
  return s + "x; y;]\nexists (x=99)\n";
}

std::string aarch64(const naive::Program& p) {
  std::string s = "AArch64 random\n{ x=0; y=0; ";
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    s += fmt::format("{}:X20=x; {}:X21=y; ", t, t);
    columns.emplace_back();
    auto& c = columns.back();
    int label = 0;
    for (const Instr& i : p.threads[t]) {
      const std::string skip = fmt::format("L{}", label++);
      if (i.guard >= 0) c.push_back(fmt::format("CBZ W{},{}", i.guard, skip));
      std::string base = fmt::format("X{}", 20 + i.loc);
      if (i.addr >= 0) {
        c.push_back(fmt::format("EOR W15,W{},W{}", i.addr, i.addr));
        c.push_back(fmt::format("ADD X16,{},W15,SXTW", base));
        base = "X16";
      }
      if (i.what == What::Fence) c.push_back(i.fence);
      if (i.what == What::Load)
        c.push_back(fmt::format("{} W{},[{}]", i.pc ? "LDAPR" : i.order == Order::Acq ? "LDAR" : "LDR", i.reg, base));
      if (i.what == What::Store) {
        c.push_back(i.data >= 0 ? fmt::format("ADD W14,W{},#{}", i.data, i.constant)
                                : fmt::format("MOV W14,#{}", i.constant));
        c.push_back(fmt::format("{} W14,[{}]", i.order == Order::Rel ? "STLR" : "STR", base));
      }
      if (i.what == What::Add) {
        c.push_back(fmt::format("MOV W14,#{}", i.constant));
        const char* suffix = i.order == Order::Rlx   ? ""
                             : i.order == Order::Acq ? "A"
                             : i.order == Order::Rel ? "L"
                                                     : "AL";
        c.push_back(fmt::format("LDADD{} W14,W{},[{}]", suffix, i.reg, base));
      }
      if (i.guard >= 0) c.push_back(skip + ":");
    }
    rows = std::max(rows, c.size());
  }
  s += "}\n";
  for (std::size_t t = 0; t < columns.size(); ++t) s += fmt::format("{} P{} ", t ? "|" : "", t);
  s += ";\n";
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < columns.size(); ++t)
      s += (t ? "| " : " ") + (r < columns[t].size() ? columns[t][r] : "") + " ";
    s += ";\n";
  }
  return s + shown(p, "X");
}

std::string table_of(const std::vector<std::vector<std::string>>& columns) {
  std::string s;
  std::size_t rows = 0;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    s += fmt::format("{} P{} ", t ? "|" : "", t);
    rows = std::max(rows, columns[t].size());
  }
  s += ";\n";
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < columns.size(); ++t)
      s += (t ? "| " : " ") + (r < columns[t].size() ? columns[t][r] : "") + " ";
    s += ";\n";
  }
  return s;
}

std::string locations_from(const naive::Program& p, const char* prefix, int first) {
  std::string s = "locations [";
  for (std::size_t t = 0; t < p.threads.size(); ++t)
    for (int r = 0; r < p.registers; ++r) s += fmt::format("{}:{}{}; ", t, prefix, first + r);
  return s + "x; y;]\nexists (x=99)\n";
}

constexpr int first_register = 10;  // of PPC and RISCV programs: register k is r10 + k

std::string riscv(const naive::Program& p) {
  std::string s = "RISCV random\n{ ";
  std::vector<std::vector<std::string>> columns;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    s += fmt::format("{}:x6=x; {}:x7=y; ", t, t);
    columns.emplace_back();
    auto& c = columns.back();
    int label = 0;
    const auto reg = [](int r) { return fmt::format("x{}", first_register + r); };
    for (const Instr& i : p.threads[t]) {
      const std::string skip = fmt::format("L{}", label++);
      if (i.guard >= 0) c.push_back(fmt::format("beq {},x0,{}", reg(i.guard), skip));
      std::string base = i.loc == 0 ? "x6" : "x7";
      if (i.addr >= 0) {
        c.push_back(fmt::format("xor x28,{},{}", reg(i.addr), reg(i.addr)));
        c.push_back(fmt::format("add x29,{},x28", base));
        base = "x29";
      }
      if (i.what == What::Fence) c.push_back(i.fence);
      if (i.what == What::Load)
        c.push_back(fmt::format("lw{} {},0({})", i.order == Order::Acq ? ".aq" : "", reg(i.reg), base));
      if (i.what == What::Store) {
        c.push_back(fmt::format("addi x30,{},{}", i.data >= 0 ? reg(i.data) : "x0", i.constant));
        c.push_back(fmt::format("sw{} x30,0({})", i.order == Order::Rel ? ".rl" : "", base));
      }
      if (i.what == What::Add) {
        c.push_back(fmt::format("li x30,{}", i.constant));
        c.push_back(fmt::format("amoadd.w{} {},x30,({})",
                                i.order == Order::AcqRel ? ".aq.rl"
                                : i.order == Order::Acq  ? ".aq"
                                                         : "",
                                reg(i.reg), base));
      }
      if (i.guard >= 0) c.push_back(skip + ":");
    }
  }
  return s + "}\n" + table_of(columns) + locations_from(p, "x", first_register);
}

std::string ppc(const naive::Program& p) {
  std::string s = "PPC random\n{ ";
  std::vector<std::vector<std::string>> columns;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    s += fmt::format("{}:r3=x; {}:r4=y; ", t, t);
    columns.emplace_back();
    auto& c = columns.back();
    int label = 0;
    const auto reg = [](int r) { return fmt::format("r{}", first_register + r); };
    for (const Instr& i : p.threads[t]) {
      const std::string skip = fmt::format("L{}", label++);
      if (i.guard >= 0) {
        c.push_back(fmt::format("cmpwi {},0", reg(i.guard)));
        c.push_back("beq " + skip);
      }
      const std::string base = i.loc == 0 ? "r3" : "r4";
      if (i.addr >= 0) c.push_back(fmt::format("xor r20,{},{}", reg(i.addr), reg(i.addr)));
      if (i.what == What::Fence) c.push_back(i.fence);
      if (i.what == What::Load)
        c.push_back(i.addr >= 0 ? fmt::format("lwzx {},r20,{}", reg(i.reg), base)
                                : fmt::format("lwz {},0({})", reg(i.reg), base));
      if (i.what == What::Store) {
        c.push_back(i.data >= 0 ? fmt::format("addi r21,{},{}", reg(i.data), i.constant)
                                : fmt::format("li r21,{}", i.constant));
        c.push_back(i.addr >= 0 ? fmt::format("stwx r21,r20,{}", base) : fmt::format("stw r21,0({})", base));
      }
      if (i.guard >= 0) c.push_back(skip + ":");
    }
  }
  return s + "}\n" + table_of(columns) + locations_from(p, "r", first_register);
}

std::string x86(const naive::Program& p) {
  static const char* const regs[] = {"EAX", "EBX", "ECX", "EDX"};
  std::string s = "X86 random\n{ x=0; y=0; }\n";
  std::size_t rows = 0;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    s += fmt::format("{} P{} ", t ? "|" : "", t);
    rows = std::max(rows, p.threads[t].size());
  }
  s += ";\n";
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      s += t ? "| " : " ";
      if (r >= p.threads[t].size()) continue;
      const Instr& i = p.threads[t][r];
      if (i.what == What::Fence) s += "MFENCE ";
      if (i.what == What::Load) s += fmt::format("MOV {},[{}] ", regs[i.reg], var(i.loc));
      if (i.what == What::Store) s += fmt::format("MOV [{}],${} ", var(i.loc), i.constant);
    }
    s += ";\n";
  }
  std::string list = "locations [";
  for (std::size_t t = 0; t < p.threads.size(); ++t)
    for (int k = 0; k < p.registers; ++k) list += fmt::format("{}:{}; ", t, regs[k]);
  return s + list + "x; y;]\nexists (x=99)\n";
}

std::string c11(const naive::Program& p) {
  const auto name = [](Order o) {
    switch (o) {
      case Order::Acq: return "memory_order_acquire";
      case Order::Rel: return "memory_order_release";
      case Order::AcqRel: return "memory_order_acq_rel";
      case Order::Sc: return "memory_order_seq_cst";
      default: return "memory_order_relaxed";
    }
  };
  std::string s = "C random\n{ [x]=0; [y]=0; }\n";
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    s += fmt::format("P{} (atomic_int* x, atomic_int* y) {{\n", t);
    for (int r = 0; r < p.registers; ++r) s += fmt::format("  int r{} = 0;\n", r);
    for (const Instr& i : p.threads[t]) {
      if (i.guard >= 0) s += fmt::format("  if (r{} != 0) {{\n", i.guard);
      const std::string v = i.data >= 0 ? fmt::format("r{} + {}", i.data, i.constant) : std::to_string(i.constant);
      if (i.what == What::Fence) s += fmt::format("  atomic_thread_fence({});\n", name(i.order));
      if (i.what == What::Load)
        s += i.order == Order::Na
                 ? fmt::format("  r{} = *{};\n", i.reg, var(i.loc))
                 : fmt::format("  r{} = atomic_load_explicit({}, {});\n", i.reg, var(i.loc), name(i.order));
      if (i.what == What::Store)
        s += i.order == Order::Na ? fmt::format("  *{} = {};\n", var(i.loc), v)
                                  : fmt::format("  atomic_store_explicit({}, {}, {});\n", var(i.loc), v, name(i.order));
      if (i.what == What::Add)
        s += fmt::format("  r{} = atomic_fetch_add_explicit({}, {}, {});\n", i.reg, var(i.loc), i.constant,
                         name(i.order));
      if (i.guard >= 0) s += "  }\n";
    }
    s += "}\n";
  }
  return s + shown(p, "r");
}

using lang::litmus::Dialect;

std::set<naive::Outcome> engine(const std::string& text, const std::string& model, const naive::Program& p) {
  const auto test = lang::litmus::parse_test("random", text);
  if (!test) {
    ADD_FAILURE() << support::render(test.error()) << text;
    return {};
  }
  const lang::litmus::ModelChoice choice{model, axioms::find_model(model), nullptr};
  const auto results = lang::litmus::run_test(*test, {&choice, 1}, {});
  EXPECT_EQ(results[0].refusal.text, "");
  // Values come in the order of Test::shown; bring them to registers by thread, then memory.
  std::set<naive::Outcome> outcomes;
  for (const auto& state : results[0].states) {
    naive::Outcome o(p.threads.size() * static_cast<std::size_t>(p.registers) + 2, 0);
    for (std::size_t k = 0; k < test->shown.size(); ++k) {
      const auto& seen = test->observed[test->shown[k]];
      const int value = static_cast<int>(state.values[k].bits);
      if (seen.thread < 0) {
        o[o.size() - 2 + (test->variables[seen.variable].name == "y")] = value;
        continue;
      }
      const std::string& reg = test->threads[static_cast<std::size_t>(seen.thread)].registers[seen.reg];
      int number = 0;
      if (test->dialect == lang::litmus::Dialect::X86) number = reg[1] - 'A';
      else
        number = std::stoi(reg.substr(1)) -
                 (test->dialect == Dialect::PPC || test->dialect == Dialect::RISCV ? first_register : 0);
      o[static_cast<std::size_t>(seen.thread * p.registers + number)] = value;
    }
    outcomes.insert(o);
  }
  return outcomes;
}

void compare(lang::litmus::Dialect dialect, unsigned seed, int count, const std::vector<std::string>& models) {
  Maker make{std::mt19937(seed), dialect};
  using lang::litmus::Dialect;
  std::map<std::string, int>
      relaxed;  // programs on which a model allows more than sc: the comparison must mean something
  for (int k = 0; k < count; ++k) {
    const naive::Program p = make.program();
    const auto interleaved = naive::run_machine(p, naive::Machine::Kind::Sc);
    const std::string text = dialect == Dialect::AArch64 ? aarch64(p)
                             : dialect == Dialect::X86   ? x86(p)
                             : dialect == Dialect::PPC   ? ppc(p)
                             : dialect == Dialect::RISCV ? riscv(p)
                                                         : c11(p);
    for (const std::string& model : models) {
      std::set<naive::Outcome> expected;
      if (model == "sc") expected = interleaved;
      if (model == "tso") expected = naive::run_machine(p, naive::Machine::Kind::Tso);
      if (model == "pso") expected = naive::run_machine(p, naive::Machine::Kind::Pso);
      if (model == "armv8") expected = naive::run_axioms(p, naive::armv8);
      if (model == "riscv") expected = naive::run_axioms(p, naive::riscv);
      if (model == "power") expected = naive::run_axioms(p, naive::power);
      if (model == "rc11") expected = naive::run_axioms(p, naive::rc11);
      relaxed[model] += expected != interleaved;
      ASSERT_EQ(engine(text, model, p), expected) << "seed " << seed << ", program " << k << " under " << model << "\n"
                                                  << text;
    }
  }
  for (const std::string& model : models)
    if (model != "sc") {
      EXPECT_GT(relaxed[model], count / 100) << model;
    }
}

TEST(LitmusNaive, x86_machines) { compare(Dialect::X86, 1, 4000, {"sc", "tso", "pso"}); }
TEST(LitmusNaive, aarch64_axioms) { compare(Dialect::AArch64, 2, 250, {"sc", "armv8"}); }
TEST(LitmusNaive, c11_axioms) { compare(Dialect::C, 3, 250, {"sc", "rc11"}); }
TEST(LitmusNaive, riscv_axioms) { compare(Dialect::RISCV, 7, 250, {"sc", "riscv"}); }
TEST(LitmusNaive, power_axioms) { compare(Dialect::PPC, 8, 150, {"sc", "power"}); }
TEST(LitmusNaive, c11_machines) { compare(Dialect::C, 4, 3000, {"sc", "tso", "pso"}); }
TEST(LitmusNaive, aarch64_axioms_slow) { compare(Dialect::AArch64, 5, 1000, {"sc", "armv8"}); }
TEST(LitmusNaive, c11_axioms_slow) { compare(Dialect::C, 6, 600, {"sc", "rc11"}); }

TEST(LitmusNaive, riscv_axioms_slow) { compare(Dialect::RISCV, 9, 600, {"sc", "riscv"}); }
TEST(LitmusNaive, power_axioms_slow) { compare(Dialect::PPC, 10, 400, {"sc", "power"}); }

}  // namespace
