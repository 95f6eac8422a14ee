// Generated litmus tests: what the literature says of the classics under each model, and that no cycle happens under
// sc. Sources: Owens, Sarkar, Sewell 2009 (x86); Sarkar et al. 2011 and Alglave, Maranget, Tautschnig 2014 (POWER);
// Pulte et al. 2018 (ARMv8); Lahav et al. 2017 (C11); the RISC-V specification, appendix A.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "lang/litmus/generate.h"
#include "lang/litmus/generate_family.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/print.h"
#include "lang/litmus/run.h"

namespace heddle::lang::litmus {
namespace {

constexpr Dialect dialects[] = {Dialect::C,       Dialect::X86, Dialect::X86_64,
                                Dialect::AArch64, Dialect::PPC, Dialect::RISCV};

std::vector<Edge> edges_of(const std::string& words, Dialect dialect) {
  std::vector<Edge> edges;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    auto edge = parse_edge(word, dialect);
    EXPECT_TRUE(edge) << word << ": " << (edge ? "" : edge.error().message);
    if (edge) edges.push_back(*edge);
  }
  return edges;
}

ModelResult answer(const Generated& made, const std::string& model) {
  const auto test = parse_test(made.name, made.text);
  if (!test) {
    ADD_FAILURE() << support::render(test.error()) << made.text;
    return {};
  }
  const ModelChoice choice{model, axioms::find_model(model), nullptr};
  auto results = run_test(*test, {&choice, 1}, {});
  EXPECT_EQ(results[0].refusal.text, "") << made.text;
  return results[0];
}

struct Classic {
  Dialect dialect;
  const char* cycle;
  const char* name;
  const char* model;
  bool allowed;
};

constexpr auto A = Dialect::AArch64, P = Dialect::PPC, X = Dialect::X86, V = Dialect::RISCV, C = Dialect::C;
constexpr Classic classics[] = {
    // x86: only a write and a later read change places
    {X, "PodWR Fre PodWR Fre", "SB", "tso", true},
    {X, "MFencedWR Fre MFencedWR Fre", "SB+mfences", "tso", false},
    {X, "MFencedWR Fre PodWR Fre", "SB+mfence+po", "tso", true},
    {X, "PodWW Rfe PodRR Fre", "MP", "tso", false},
    {X, "PodRW Rfe PodRW Rfe", "LB", "tso", false},
    {X, "PodWW Coe PodWW Coe", "2+2W", "tso", false},
    {X, "PodWW Coe PodWR Fre", "R", "tso", true},
    {X, "PodWW Rfe PodRW Coe", "S", "tso", false},
    {X, "Rfe PodRR Fre PodWR Fre", "RWC", "tso", true},
    {X, "Rfe PodRW Rfe PodRR Fre", "WRC", "tso", false},
    {X, "Rfe PodRR Fre Rfe PodRR Fre", "IRIW", "tso", false},
    {X, "Rfi PodRR Fre Rfi PodRR Fre", "SB+rfi-pos", "tso", true},
    // pso lets writes pass each other too, but no read waits for a later write
    {X, "PodWW Rfe PodRR Fre", "MP", "pso", true},
    {X, "PodWW Coe PodWW Coe", "2+2W", "pso", true},
    {X, "PodRW Rfe PodRW Rfe", "LB", "pso", false},
    {X, "Rfe PodRR Fre Rfe PodRR Fre", "IRIW", "pso", false},
    {X, "Rfe PodRR Fre Rfe PodRR Fre", "IRIW", "nsw", true},
    {X, "PodRW Rfe PodRW Rfe", "LB", "nsw", false},
    {X, "PodRW Rfe PodRW Rfe", "LB", "rmo", true},
    {A, "DpDatadW Rfe DpDatadW Rfe", "LB+datas", "rmo", false},
    // ARMv8: everything goes unless something orders it, and writes reach all other threads at once
    {A, "PodWW Rfe PodRR Fre", "MP", "armv8", true},
    {A, "DMB.SYdWW Rfe PodRR Fre", "MP+dmb.sy+po", "armv8", true},
    {A, "DMB.SYdWW Rfe DpAddrdR Fre", "MP+dmb.sy+addr", "armv8", false},
    {A, "DMB.SYdWW Rfe DpCtrldR Fre", "MP+dmb.sy+ctrl", "armv8", true},
    {A, "DMB.SYdWW Rfe DpCtrlIsbdR Fre", "MP+dmb.sy+ctrlisb", "armv8", false},
    {A, "DMB.STdWW Rfe DMB.LDdRR Fre", "MP+dmb.st+dmb.ld", "armv8", false},
    {A, "DMB.LDdWW Rfe DMB.LDdRR Fre", "MP+dmb.lds", "armv8", true},
    {A, "PodRW Rfe PodRW Rfe", "LB", "armv8", true},
    {A, "DpDatadW Rfe PodRW Rfe", "LB+data+po", "armv8", true},
    {A, "DpCtrldW Rfe DpAddrdW Rfe", "LB+ctrl+addr", "armv8", false},
    {A, "Rfe DpAddrdW Rfe DpAddrdR Fre", "WRC+addrs", "armv8", false},
    {A, "Rfe DpAddrdR Fre Rfe DpAddrdR Fre", "IRIW+addrs", "armv8", false},
    {A, "Rfe PodRR Fre Rfe PodRR Fre", "IRIW", "armv8", true},
    {A, "DMB.SYdWR Fre DMB.SYdWR Fre", "SB+dmb.sys", "armv8", false},
    {A, "DMB.STdWR Fre DMB.SYdWR Fre", "SB+dmb.st+dmb.sy", "armv8", true},
    {A, "PodWWPL RfeLA PodRRAP FrePP", "", "armv8", false},
    {A, "PodWRLA FreAL PodWRLA FreAL", "", "armv8", false},
    {A, "PodWRLQ FreQL PodWRLQ FreQL", "", "armv8", true},
    {A, "PodWW Coe PodWW Coe", "2+2W", "armv8", true},
    {A, "DMB.STdWW Coe DMB.STdWW Coe", "2+2W+dmb.sts", "armv8", false},
    {A, "Rfe PosRR Fre", "CoRR", "armv8", false},
    // POWER: a write may reach threads at different times
    {P, "LwSyncdWW Rfe DpAddrdR Fre", "MP+lwsync+addr", "power", false},
    {P, "LwSyncdWW Rfe DpCtrldR Fre", "MP+lwsync+ctrl", "power", true},
    {P, "LwSyncdWW Rfe DpCtrlIsyncdR Fre", "MP+lwsync+ctrlisync", "power", false},
    {P, "EieiodWW Rfe DpAddrdR Fre", "MP+eieio+addr", "power", false},
    {P, "LwSyncdWR Fre LwSyncdWR Fre", "SB+lwsyncs", "power", true},
    {P, "SyncdWR Fre SyncdWR Fre", "SB+syncs", "power", false},
    {P, "Rfe DpAddrdW Rfe DpAddrdR Fre", "WRC+addrs", "power", true},
    {P, "Rfe LwSyncdRW Rfe DpAddrdR Fre", "WRC+lwsync+addr", "power", false},
    {P, "Rfe DpAddrdR Fre Rfe DpAddrdR Fre", "IRIW+addrs", "power", true},
    {P, "Rfe LwSyncdRR Fre Rfe LwSyncdRR Fre", "IRIW+lwsyncs", "power", true},
    {P, "Rfe SyncdRR Fre Rfe SyncdRR Fre", "IRIW+syncs", "power", false},
    {P, "LwSyncdWW Coe LwSyncdWW Coe", "2+2W+lwsyncs", "power", false},
    {P, "LwSyncdWW Coe SyncdWR Fre", "R+lwsync+sync", "power", true},
    {P, "SyncdWW Coe SyncdWR Fre", "R+syncs", "power", false},
    {P, "LwSyncdWW Rfe DpAddrdW Rfe DpAddrdR Fre", "ISA2+lwsync+addr+addr", "power", false},
    {P, "LwSyncdWW Rfe LwSyncdRW Coe", "S+lwsyncs", "power", false},
    {P, "DpDatadW Rfe DpDatadW Rfe", "LB+datas", "power", false},
    {P, "DpAddrdW Rfe PodRW Rfe", "LB+addr+po", "power", true},
    {P, "Rfe SyncdRR Fre LwSyncdWR Fre", "RWC+sync+lwsync", "power", true},
    // RISC-V
    {V, "Fence.rw.wdWW Rfe Fence.r.rwdRR Fre", "MP+fence.rw.w+fence.r.rw", "riscv", false},
    {V, "Fence.r.rdWW Rfe Fence.r.rwdRR Fre", "MP+fence.r.r+fence.r.rw", "riscv", true},
    {V, "Fence.rw.rwdWR Fre Fence.rw.rwdWR Fre", "SB+fence.rw.rws", "riscv", false},
    {V, "Fence.tsodWR Fre Fence.tsodWR Fre", "SB+fence.tsos", "riscv", true},
    {V, "Fence.tsodWW Rfe Fence.tsodRR Fre", "MP+fence.tsos", "riscv", false},
    {V, "Rfe DpAddrdR Fre Rfe DpAddrdR Fre", "IRIW+addrs", "riscv", false},
    {V, "DpCtrldW Rfe DpDatadW Rfe", "LB+ctrl+data", "riscv", false},
    {V, "PodWWPL RfeLA PodRRAP FrePP", "", "riscv", false},
    // C11, as repaired
    {C, "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx", "", "rc11", false},
    {C, "PodWW Rfe PodRR Fre", "MP", "rc11", true},
    {C, "PodWRScSc FreScSc PodWRScSc FreScSc", "", "rc11", false},
    {C, "PodWRRelAcq FreAcqRel PodWRRelAcq FreAcqRel", "", "rc11", true},
    {C, "FenceScdWR Fre FenceScdWR Fre", "SB+fencescs", "rc11", false},
    {C, "FenceAcqReldWR Fre FenceAcqReldWR Fre", "SB+fenceacqrels", "rc11", true},
    {C, "FenceReldWW Rfe FenceAcqdRR Fre", "MP+fencerel+fenceacq", "rc11", false},
    {C, "FenceReldWW Rfe PodRR Fre", "MP+fencerel+po", "rc11", true},
    {C, "PodRW Rfe PodRW Rfe", "LB", "rc11", false},
    {C, "PodWW Coe PodWW Coe", "2+2W", "rc11", true},
    {C, "PodWW Coe PodWW Coe", "2+2W", "ra", true},
    {C, "RfeRelAcq PodRRAcqAcq FreAcqRel RfeRelAcq PodRRAcqAcq FreAcqRel", "", "rc11", true},
    {C, "RfeScSc PodRRScSc FreScSc RfeScSc PodRRScSc FreScSc", "", "rc11", false},
    {C, "PodWW Rfe PodRR Fre", "MP", "ra", false},
    // C through the usual mappings to hardware
    {C, "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx", "", "power", false},
    {C, "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx", "", "armv8", false},
    {C, "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx", "", "riscv", false},
    {C, "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx", "", "pso", false},
    {C, "PodWRScSc FreScSc PodWRScSc FreScSc", "", "tso", false},
    {C, "PodWRScSc FreScSc PodWRScSc FreScSc", "", "power", false},
    {C, "PodWRScSc FreScSc PodWRScSc FreScSc", "", "armv8", false},
    {C, "PodWRScSc FreScSc PodWRScSc FreScSc", "", "riscv", false},
    {C, "PodWRRelAcq FreAcqRel PodWRRelAcq FreAcqRel", "", "tso", true},
    {C, "PodWRRelAcq FreAcqRel PodWRRelAcq FreAcqRel", "", "armv8", false},
    {C, "PodWRRelAcq FreAcqRel PodWRRelAcq FreAcqRel", "", "power", true},
    {C, "RfeRelAcq PodRRAcqAcq FreAcqRel RfeRelAcq PodRRAcqAcq FreAcqRel", "", "power", true},
    {C, "RfeScSc PodRRScSc FreScSc RfeScSc PodRRScSc FreScSc", "", "power", false},
    {C, "PodRW Rfe PodRW Rfe", "LB", "armv8", true},
};

TEST(LitmusGenerate, classics_have_the_answers_of_the_literature) {
  for (const Classic& c : classics) {
    const auto made = generate_test(edges_of(c.cycle, c.dialect), c.dialect);
    ASSERT_TRUE(made) << c.cycle << ": " << made.error().message;
    if (*c.name != '\0') {
      EXPECT_EQ(made->name, c.name);
    }
    EXPECT_EQ(answer(*made, c.model).positive > 0, c.allowed) << c.cycle << " under " << c.model << "\n" << made->text;
  }
}

TEST(LitmusGenerate, no_cycle_happens_under_sc) {
  for (Dialect dialect : dialects) {
    const auto cycles = all_cycles(default_pool(dialect), 6);
    EXPECT_EQ(cycles.size(), 26u);  // 6 of two threads, 6 like WRC, 11 of three threads, 3 like IRIW
    for (const auto& cycle : cycles) {
      const auto made = generate_test(cycle, dialect);
      ASSERT_TRUE(made) << made.error().message;
      const ModelResult r = answer(*made, "sc");
      EXPECT_EQ(r.positive, 0u) << made->text;
      EXPECT_GT(r.negative, 0u) << made->text;
    }
  }
}

TEST(LitmusGenerate, tso_and_pso_relax_exactly_the_cycles_with_their_pairs) {
  for (const auto& cycle : all_cycles(default_pool(Dialect::X86), 6)) {
    const auto made = generate_test(cycle, Dialect::X86);
    ASSERT_TRUE(made);
    bool wr = false, ww = false, rr = false, rw = false;
    for (const Edge& e : cycle) {
      wr |= e.text == "PodWR";
      ww |= e.text == "PodWW";
      rr |= e.text == "PodRR";
      rw |= e.text == "PodRW";
    }
    EXPECT_EQ(answer(*made, "tso").positive > 0, wr) << made->text;
    EXPECT_EQ(answer(*made, "pso").positive > 0, wr || ww) << made->text;
    EXPECT_EQ(answer(*made, "nsw").positive > 0, wr || ww || rr) << made->text;
    EXPECT_EQ(answer(*made, "rmo").positive > 0, wr || ww || rr || rw) << made->text;
  }
}

TEST(LitmusGenerate, fences_forbid_every_cycle) {
  for (Dialect dialect : {Dialect::X86, Dialect::X86_64, Dialect::AArch64, Dialect::PPC, Dialect::RISCV}) {
    const char* model = dialect == Dialect::AArch64 ? "armv8"
                        : dialect == Dialect::PPC   ? "power"
                        : dialect == Dialect::RISCV ? "riscv"
                                                    : "tso";
    std::vector<Edge> pool = edges_of("FencedWR FencedWW FencedRR FencedRW Rfe Fre Coe", dialect);
    for (const auto& cycle : all_cycles(pool, 6)) {
      const auto made = generate_test(cycle, dialect);
      ASSERT_TRUE(made);
      EXPECT_EQ(answer(*made, model).positive, 0u) << made->text;
    }
  }
}

TEST(LitmusGenerate, hardware_with_plain_program_order_relaxes_every_cycle) {
  for (Dialect dialect : {Dialect::AArch64, Dialect::PPC, Dialect::RISCV}) {
    const char* model = dialect == Dialect::AArch64 ? "armv8" : dialect == Dialect::PPC ? "power" : "riscv";
    for (const auto& cycle : all_cycles(default_pool(dialect), 5)) {
      const auto made = generate_test(cycle, dialect);
      ASSERT_TRUE(made);
      EXPECT_GT(answer(*made, model).positive, 0u) << made->text;
    }
  }
}

// `*` is a read or a write, whichever makes a cycle: the names are those of the families.
TEST(LitmusGenerate, wildcards_stand_for_directions) {
  const auto names = [](std::vector<std::string> edges, unsigned size = 0) {
    const auto made = generate_family({std::move(edges), "AArch64", "", size});
    std::string text;
    std::vector<std::string> sorted;
    if (!made) return made.error().message;
    for (const Generated& g : *made) sorted.push_back(g.name);
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& name : sorted) text += (text.empty() ? "" : " ") + name;
    return text;
  };
  EXPECT_EQ(names({"Pod**", "Fre", "Pod**", "Fre"}), "SB");
  EXPECT_EQ(names({"Pod** Rfe Pod** Fre"}), "MP");
  EXPECT_EQ(names({"PodW* Coe PodW* Coe"}), "2+2W");
  EXPECT_EQ(names({"Pod**", "Rfe", "Fre", "Coe"}, 4),
            names({"PodRR", "PodRW", "PodWR", "PodWW", "Rfe", "Fre", "Coe"}, 4));
  EXPECT_EQ(names({"DMB.SYd*W Rfe DpAddrd* Fre"}), "MP+dmb.sy+addr");
  EXPECT_EQ(names({"PodR* Rfe PodRR Rfe"}), "no choice of directions for '*' makes these edges a cycle");
  EXPECT_EQ(names({"Pod*X", "Fre"}), "'Pod*X' is not an edge; PodWR, PosRR and the like are");
}

TEST(LitmusGenerate, mistakes_are_named) {
  const auto message = [](const char* cycle, Dialect d) {
    std::vector<Edge> edges;
    std::istringstream in(cycle);
    for (std::string word; in >> word;) {
      const auto e = parse_edge(word, d);
      if (!e) return e.error().message;
      edges.push_back(*e);
    }
    const auto made = generate_test(edges, d);
    return made ? std::string("none") : made.error().message;
  };
  EXPECT_EQ(message("PodWR Rfe", A), "PodWR ends in a read and Rfe begins with a write");
  EXPECT_EQ(message("PodWX Fre", A), "'PodWX' is not an edge; PodWR, PosRR and the like are");
  EXPECT_EQ(message("MFencedWR Fre", A), "'MFencedWR' is not an edge of AArch64");
  EXPECT_EQ(message("DpAddrdR Fre Rfe", X), "'DpAddrdR': dependencies order nothing on x86");
  EXPECT_EQ(message("PodWR Fre PosWR Fre", A), "a single change of location cannot lead back to where the cycle began");
  EXPECT_EQ(message("PodWR Fri", A), "a cycle needs at least two edges between threads");
  EXPECT_EQ(message("PodWWPA Rfe", A), "'PodWWPA': 'PA' are not annotations that fit its events in AArch64");
}

}  // namespace
}  // namespace heddle::lang::litmus
