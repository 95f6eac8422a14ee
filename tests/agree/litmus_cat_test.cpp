// Models written in cat against the built-in ones of the same name: over all generated cycles and, where it is there,
// the corpus; and what is refused in a cat file, with its place.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "axioms/cat.h"
#include "lang/litmus/generate.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
#include "support/shared.h"

namespace {

using namespace heddle;
using lang::litmus::Dialect;

const char* const sc_cat = R"("sequential consistency"
let communication = rf | co | fr
acyclic po-loc | communication as per-location
empty rmw & (fre ; coe) as atomic
acyclic po | communication as sc
)";

const char* const tso_cat = R"(TSO
include "x86fences.cat"
acyclic po-loc | rf | co | fr as per-location
empty rmw & (fre;coe) as atomic
let locked = RMW | X
let kept = po & ((W*W) | (R*M))
let ordered(s) = (po & (_*s)) | (po & (s*_))
let implied = let around = ordered(locked) in around & (M*M)
let rec ghb = kept | implied | mfence | rfe | co | fr | (ghb ; ghb)
irreflexive ghb as global
)";

const char* const rc11_cat = R"("RC11"
(* Lahav, Vafeiadis, Kang, Hur, Dreyer 2017 *)
let at-least-rel = REL | ACQ_REL | SC
let at-least-acq = ACQ | ACQ_REL | SC
let relaxed = ATOMIC
let eco = (rf | co | fr)+
let rs = [W] ; po-loc? ; [W & relaxed] ; (rf ; rmw)*
let sw = [at-least-rel] ; ([F] ; po)? ; rs ; rf ; [R & relaxed] ; (po ; [F])? ; [at-least-acq]
let hb = (po | sw)+
procedure coherent() =
  irreflexive hb as happens-before
  irreflexive hb ; eco as coherence
end
call coherent()
empty rmw & (fr ; co) as atomicity
acyclic po | rf as no-thin-air
let sb-elsewhere = po \ loc
let scb = po | (sb-elsewhere ; hb ; sb-elsewhere) | (hb & loc) | co | fr
let fsc = [F & SC]
let psc-base = ([SC] | (fsc ; hb?)) ; scb ; ([SC] | (hb? ; fsc))
let psc-fences = fsc ; (hb | (hb ; eco ; hb)) ; fsc
acyclic psc-base | psc-fences as seq-cst
flag ~empty (((W*M) | (M*W)) & loc & ext & (((NA*_) | (_*NA)) \ ((IW*_) | (_*IW)))) \ (hb | hb^-1) as race
)";

const char* const armv8_cat = R"("ARMv8 as of 2018, and atomics as of 2020"
acyclic po-loc | fr | co | rf as internal
empty rmw & (fre;coe) as atomic
let obs = rfe | fre | coe
let coi-or-rfi = rfi
let dob = addr | data | (ctrl;[W]) | ((ctrl|(addr;po));[ISB];po;[M]) | (addr;po;[W]) | ((ctrl|data);coi) | ((addr|data);coi-or-rfi)
let aob = rmw | (rmw;rfi;[A|Q])
let full = DMB.SY | DSB.SY
let bob = fencerel(full) | ([L];po;[A]) | ([R \ NoRet];po;[DMB.LD|DSB.LD];po) | ([A|Q];po) | ([W];po;[DMB.ST];po;[W]) | ([W];po;[DSB.ST];po) | (po;[L]) | (po;[L];coi)
  | ([range([A];amo;[L])];po)
acyclic obs | dob | aob | bob as external
)";

axioms::CatModel model(const char* text) {
  auto m = axioms::CatModel::parse("own.cat", text);
  if (!m) {
    ADD_FAILURE() << support::render(m.error());
    std::abort();
  }
  return *m;
}

void same(const lang::litmus::Test& test, const axioms::CatModel& own, const char* name) {
  const lang::litmus::ModelChoice choices[] = {{name, axioms::find_model(name), nullptr}, {"own", nullptr, &own}};
  const auto r = lang::litmus::run_test(test, choices, {});
  ASSERT_EQ(r[0].refusal.text, "") << test.file;
  ASSERT_EQ(r[1].refusal.text, "") << test.file;
  EXPECT_EQ(r[0].positive, r[1].positive) << test.file << " under " << name << "\n" << test.source;
  EXPECT_EQ(r[0].negative, r[1].negative) << test.file << " under " << name << "\n" << test.source;
  if (std::string_view(name) == "rc11") {
    EXPECT_EQ(r[0].racy, !r[1].flags.empty()) << test.file;
  }
}

void same_on_cycles(Dialect dialect, const char* text, const char* name, const char* pool) {
  const axioms::CatModel own = model(text);
  std::vector<lang::litmus::Edge> edges;
  std::istringstream in(pool);
  for (std::string word; in >> word;) edges.push_back(*lang::litmus::parse_edge(word, dialect));
  for (const auto& cycle : lang::litmus::all_cycles(edges, 5)) {
    const auto made = lang::litmus::generate_test(cycle, dialect);
    ASSERT_TRUE(made);
    same(*lang::litmus::parse_test(made->name, made->text), own, name);
  }
}

void same_on_corpus(const char* folder, const char* text, const char* name) {
  const std::string root = tests::shared("corpora/litmus/" + std::string(folder));
  if (root.empty()) GTEST_SKIP() << "the litmus corpus is not beside the checkout";
  const axioms::CatModel own = model(text);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".litmus" || entry.path().string().find("/mixed/") != std::string::npos) continue;
    const auto test = lang::litmus::read_test(entry.path().string());
    ASSERT_TRUE(test);
    same(*test, own, name);
  }
}

TEST(LitmusCat, sc_on_cycles) {
  same_on_cycles(Dialect::X86, sc_cat, "sc", "PodWR PodWW PodRR PodRW MFencedWR Rfe Fre Coe");
}
TEST(LitmusCat, tso_on_cycles) {
  same_on_cycles(Dialect::X86, tso_cat, "tso", "PodWR PodWW PodRR PodRW MFencedWR Rfe Fre Coe Rfi PosWR");
}
TEST(LitmusCat, rc11_on_cycles) {
  same_on_cycles(Dialect::C, rc11_cat, "rc11",
                 "PodWWRlxRel PodWWNaRlx RfeRelAcq RfeRlxRlx PodRRAcqRlx PodRRRlxNa FreRlxRlx FreNaNa FenceScdWR "
                 "FenceReldWW FenceAcqdRR PodWRScSc FreScSc PodRW Coe");
}
TEST(LitmusCat, armv8_on_cycles) {
  same_on_cycles(Dialect::AArch64, armv8_cat, "armv8",
                 "DMB.SYdWR DMB.STdWW DMB.LDdRR PodRR DpAddrdR DpCtrlIsbdR DpDatadW PodWW PodRW PodWWPL RfeLA PodRRAP "
                 "Rfe Fre Coe");
}
TEST(LitmusCat, sc_on_the_corpus) { same_on_corpus("X86", sc_cat, "sc"); }
TEST(LitmusCat, tso_on_the_corpus) { same_on_corpus("X86", tso_cat, "tso"); }
TEST(LitmusCat, rc11_on_the_corpus) { same_on_corpus("C11", rc11_cat, "rc11"); }
TEST(LitmusCat, armv8_on_the_corpus) { same_on_corpus("AARCH64", armv8_cat, "armv8"); }

std::string message(const std::string& text) {
  const auto m = axioms::CatModel::parse("m.cat", text);
  return m ? std::string("none")
           : std::to_string(m.error().line) + ":" + std::to_string(m.error().column) + " " + m.error().message;
}

TEST(LitmusCat, mistakes_have_their_place) {
  EXPECT_EQ(message("let a = po\nacyclic a | nosuch as x"), "2:13 'nosuch' is not defined");
  EXPECT_EQ(message("let a = (po"), "1:12 ')' is missing at the end");
  EXPECT_EQ(message("acyclic po as"), "1:14 a name is missing at the end");
  EXPECT_EQ(message("include \"nosuch.cat\""), "1:9 the file 'nosuch.cat' cannot be read");
  EXPECT_EQ(message("call f(po)"), "1:6 there is no procedure 'f'");
  EXPECT_EQ(message("(* open"), "1:1 this comment has no end");
  EXPECT_EQ(message("let f(r) = r;r\nacyclic f(po) as ok"), "none");
  EXPECT_EQ(message("let r = try nosuch with po acyclic r"), "none");
}

TEST(LitmusCat, a_set_in_place_of_a_relation_is_told_with_its_place) {
  EXPECT_EQ(message("acyclic W ; po as wrong"), "1:1 a relation is needed in a sequence");
  EXPECT_EQ(message("\"m\"\nacyclic po\nlet x = R & po"), "3:1 a set is needed in an intersection");
  EXPECT_EQ(message("acyclic po\nacyclic R"), "2:1 a relation is needed in a test");
  // A test that fails for no events does not hide what comes after it.
  EXPECT_EQ(message("~empty po\nacyclic R"), "2:1 a relation is needed in a test");
}

TEST(LitmusCat, a_misspelt_first_word_is_no_title) {
  EXPECT_EQ(message("SC acylic po"), "1:11 'po' does not begin an instruction that is supported");
  EXPECT_EQ(message("\"t\"\nacyclc sc"), "2:1 'acyclc' does not begin an instruction that is supported");
  EXPECT_EQ(message("T\nacyclc po"), "2:1 'acyclc' does not begin an instruction that is supported");
  EXPECT_EQ(message("foo bar"), "1:8 the model has no test: it allows everything");
  EXPECT_EQ(message("X86 TSO\n# a comment\nacyclic po"), "none");
  EXPECT_EQ(axioms::CatModel::read("/tmp").error().message, "this is a folder, not a file");
}

TEST(LitmusCat, filters_of_atomic_accesses) {
  const axioms::CatModel own = model(
      "X86 TSO\ninclude \"x86fences.cat\"\ninclude \"filters.cat\"\nacyclic po-loc | rf | fr | co\nempty rmw & "
      "(fre;coe)\n"
      "#ppo\nlet po_ghb = WW(po) | RM(po)\nlet poWR = WR(po)\nlet implied = MA(poWR) | (poWR & (A * P))\n"
      "let ghb = mfence | implied | po_ghb | rfe | fr | co\nacyclic ghb as tso\n");
  const auto test = lang::litmus::parse_test(
      "t",
      "X86 t\n{ 0:EBX=1; 1:EBX=1; }\n P0 | P1 ;\n XCHG [x],EBX | XCHG [y],EBX ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
      "exists (0:EAX=0 /\\ 1:EAX=0)\n");
  ASSERT_TRUE(test);
  const lang::litmus::ModelChoice choice{"own", nullptr, &own};
  EXPECT_EQ(lang::litmus::run_test(*test, {&choice, 1}, {})[0].positive, 0u);
}

// As in herd7: A is what is atomic in C, and what acquires in AArch64.
TEST(LitmusCat, the_set_a_goes_by_the_dialect) {
  const axioms::CatModel own = model(
      "flag ~empty (loc & ext & (W * W)) \\ ((IW * _) | (_ * IW) | A * A) as race\n"
      "flag ~empty [A] as some\nacyclic po-loc | rf | co | fr");
  const lang::litmus::ModelChoice choice{"own", nullptr, &own};
  const auto flags = [&](const std::string& text) {
    const auto test = lang::litmus::parse_test("t", text);
    EXPECT_TRUE(test);
    return lang::litmus::run_test(*test, {&choice, 1}, {})[0].flags;
  };
  const auto two_stores = [](const std::string& first, const std::string& second) {
    return "C t\n{ }\nP0 (atomic_int* x) { " + first + "; }\nP1 (atomic_int* x) { " + second + "; }\nexists (x=1)\n";
  };
  const std::string relaxed = "atomic_store_explicit(x, 1, memory_order_relaxed)", plain = "*x = 2";
  EXPECT_EQ(flags(two_stores(relaxed, relaxed)), (std::vector<std::string>{"some"}));
  EXPECT_EQ(flags(two_stores(relaxed, plain)), (std::vector<std::string>{"race", "some"}));
  EXPECT_EQ(flags(two_stores(plain, plain)), (std::vector<std::string>{"race"}));
  const auto load = [](const std::string& name) {
    return "AArch64 t\n{ 0:X1=x; }\n P0 ;\n " + name + " W0,[X1] ;\nexists (0:X0=0)\n";
  };
  EXPECT_EQ(flags(load("LDAR")), (std::vector<std::string>{"some"}));
  EXPECT_EQ(flags(load("LDR")), std::vector<std::string>{});
}

// Domains are not told apart: every name of a fence means it in all of them.
TEST(LitmusCat, domains_of_fences) {
  for (const std::string fence : {"DMB SY", "DMB ISH", "DMB OSH"})
    for (const std::string name : {"DMB.SY", "DMB.ISH", "DMB.OSH"}) {
      const axioms::CatModel own = model(("acyclic fencerel(" + name + ") | fre").c_str());
      const auto test = lang::litmus::parse_test("t",
                                                 "AArch64 t\n{ 0:X1=x; 0:X3=y; 0:X2=1; 1:X1=y; 1:X3=x; 1:X2=1; }\n P0 "
                                                 "| P1 ;\n STR W2,[X1] | STR W2,[X1] ;\n " +
                                                     fence + " | " + fence +
                                                     " ;\n LDR W4,[X3] | LDR W4,[X3] ;\n"
                                                     "exists (0:X4=0 /\\ 1:X4=0)\n");
      ASSERT_TRUE(test);
      const lang::litmus::ModelChoice choice{"own", nullptr, &own};
      EXPECT_EQ(lang::litmus::run_test(*test, {&choice, 1}, {})[0].positive, 0u) << fence << " as " << name;
    }
}

// How often a model allows the weak outcome of store buffering.
std::uint64_t weak_store_buffering(const char* text) {
  const axioms::CatModel own = model(text);
  const auto test = lang::litmus::parse_test("t",
                                             "X86 t\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n"
                                             " MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n");
  const lang::litmus::ModelChoice choice{"own", nullptr, &own};
  const auto r = lang::litmus::run_test(*test, {&choice, 1}, {})[0];
  EXPECT_EQ(r.refusal.text, "");
  return r.positive;
}

// As in herd7, functions and procedures keep the names that they were defined with, wherever and whenever they are
// called.
TEST(LitmusCat, names_are_those_of_the_definition) {
  EXPECT_EQ(weak_store_buffering("let r = po|rf|fr|co procedure p() = acyclic r end let r = rf call p()"), 0u);
  EXPECT_EQ(weak_store_buffering("let r = rf procedure p() = acyclic r end let r = po|rf|fr|co call p()"), 1u);
  EXPECT_EQ(weak_store_buffering("procedure p(r) = acyclic r end procedure q(r) = call p(po|r) end "
                                 "procedure p(r,s) = ~empty 0 end call q(rf|fr|co)"),
            0u);
  EXPECT_EQ(weak_store_buffering("let h(y) = let f(x) = x|y in f let k = h(po) acyclic k(rf|fr|co)"), 0u);
  EXPECT_EQ(weak_store_buffering("let r = po let k = let f(x) = x|r in f let r = 0 acyclic k(rf|fr|co)"), 0u);
}

TEST(LitmusCat, what_is_not_there_may_be_tried) {
  EXPECT_EQ(weak_store_buffering("let r = try nosuch(po) with 0 acyclic r|rf|fr|co"), 1u);
  EXPECT_EQ(weak_store_buffering("let r = try nosuch with po acyclic r|rf|fr|co"), 0u);
  EXPECT_EQ(weak_store_buffering("let r = try MM(po) with 0 acyclic r|rf|fr|co"), 0u);
}

TEST(LitmusCat, procedures_have_their_scope) {
  EXPECT_EQ(message("procedure p() = procedure q() = acyclic po end call q() end call p()"), "none");
  EXPECT_EQ(message("procedure p() = procedure q() = acyclic po end end\ncall q()"), "2:6 there is no procedure 'q'");
  EXPECT_EQ(message("procedure p(r) = acyclic r end procedure p(r,s) = acyclic r|s end\ncall p(po)"),
            "2:6 'p' takes 2 arguments");
}

// Each thread sees its own half of x and not yet the other's: coherent byte by byte, a cycle of fr and rf as a whole.
TEST(LitmusCat, accesses_of_different_sizes_are_refused) {
  const axioms::CatModel own = model("acyclic po-loc | rf | fr | co");
  const auto test = lang::litmus::parse_test("t",
                                             "AArch64 t\n{ uint64_t x=0; 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n"
                                             " MOV W0,#1 | MOV W0,#2 ;\n STR W0,[X1] | STR W0,[X1,#4] ;\n"
                                             " LDR X2,[X1] | LDR X2,[X1] ;\nexists (0:X2=1 /\\ 1:X2=0x200000000)\n");
  ASSERT_TRUE(test);
  const lang::litmus::ModelChoice choices[] = {{"armv8", axioms::find_model("armv8"), nullptr}, {"own", nullptr, &own}};
  const auto r = lang::litmus::run_test(*test, choices, {});
  EXPECT_EQ(r[0].positive, 1u);
  EXPECT_NE(r[1].refusal.text.find("sizes"), std::string::npos) << r[1].refusal.text;
}

TEST(LitmusCat, no_text_does_harm) {
  std::mt19937 random(11);
  const auto upto = [&](std::size_t n) { return random() % n; };
  const auto test =
      lang::litmus::parse_test("t", "X86 t\n{ x=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\nexists (x=1)\n");
  int read = 0;
  for (int k = 0; k < 5000; ++k) {
    std::string text = k % 3 == 0 ? sc_cat : k % 3 == 1 ? tso_cat : rc11_cat;
    for (std::size_t changes = 1 + upto(3); changes > 0; --changes) {
      const std::size_t at = upto(text.size());
      switch (upto(4)) {
        case 0: text[at] = static_cast<char>(upto(256)); break;
        case 1: text.erase(at, 1 + upto(10)); break;
        case 2: text.insert(at, text.substr(upto(text.size()), 1 + upto(20))); break;
        default: text[at] = "()[]|;&*+?~^0_="[upto(15)]; break;
      }
      if (text.empty()) text = " ";
    }
    const auto own = axioms::CatModel::parse("fuzz.cat", text);
    if (!own) {
      EXPECT_FALSE(own.error().message.empty());
      continue;
    }
    ++read;
    const lang::litmus::ModelChoice choice{"own", nullptr, &*own};
    lang::litmus::run_test(*test, {&choice, 1}, {});
  }
  EXPECT_GT(read, 200);
}

}  // namespace
