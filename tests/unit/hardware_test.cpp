// Litmus tests on the machine itself. Each instruction is checked by tests of one thread whose result is known; tests of
// several threads run for a few rounds and must show nothing that the model forbids. Every test has a text for each kind
// of machine, and what cannot run here is at least assembled.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/child.h"
#include "hardware/harness.h"
#include "hardware/print.h"
#include "hardware/run.h"
#include "hardware/session.h"
#include "lang/litmus/parse.h"
#include "support/places.h"

namespace heddle {
namespace {

using hardware::Machine;
using hardware::TestRun;
using lang::litmus::Dialect;

lang::litmus::Test parsed(const std::string& text) {
  auto test = lang::litmus::parse_test("test.litmus", text);
  EXPECT_TRUE(test) << (test ? "" : render(test.error()));
  return test ? *test : lang::litmus::Test{};
}

// The text for this machine.
struct Texts {
  std::string aarch64, x86_64;
  std::string here() const {
    const Machine* machine = hardware::this_machine();
    return machine == nullptr || machine->name == "aarch64" ? aarch64 : x86_64;
  }
};

const Machine* machine_for(Dialect dialect) {
  const Machine* machine = hardware::this_machine();
  if (machine == nullptr || (dialect != Dialect::C && machine->notation(dialect) == nullptr)) return nullptr;
  core::Budget budget;
  return hardware::compiler({}, budget) ? machine : nullptr;
}

std::vector<TestRun> run(const lang::litmus::Test& test, const Machine& machine, std::uint64_t rounds) {
  core::Budget budget;
  const hardware::Options options{.compiler = {}, .rounds = rounds};
  return hardware::run_test(test, machine, *hardware::compiler(options, budget), options, budget);
}

// One thread: every run ends in the state that the condition names, and the model says so, too. `everywhere`: each machine
// of the kind has the instructions.
void always(const std::string& text, bool everywhere = true) {
  SCOPED_TRACE(text);
  const auto test = parsed(text);
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  for (const TestRun& r : run(test, *machine, 2)) {
    SCOPED_TRACE(r.setting);
    if (!everywhere && r.why_not.find("does not support") != std::string::npos) continue;
    ASSERT_EQ(r.why_not, "");
    ASSERT_EQ(r.outcomes.size(), 1U) << hardware::histograms({"", "", test, {r}});
    EXPECT_TRUE(r.outcomes[0].satisfies) << hardware::histograms({"", "", test, {r}});
    EXPECT_GT(r.outcomes[0].count, 0U);  // an exclusive store may fail now and then
    EXPECT_EQ(r.runs, 2 * hardware::instances_per_round);
    EXPECT_TRUE(r.outcomes[0].allowed) << hardware::histograms({"", "", test, {r}});
    EXPECT_EQ(r.beyond_sc(), 0U);
  }
}

const Texts arithmetic{R"(AArch64 arithmetic
{ 0:X9=7; }
 P0 ;
 MOV W0,#5 ;
 ADD W1,W0,#2 ;
 SUB X2,X9,#3 ;
 EOR W3,W1,W1 ;
 AND W4,W9,#6 ;
 ORR W5,W0,W4 ;
 CMP W0,#5 ;
 CSEL W6,W1,W0,EQ ;
 MVN W7,W3 ;
 NEG W8,W0 ;
 SXTW X10,W8 ;
exists (0:X1=7 /\ 0:X2=4 /\ 0:X3=0 /\ 0:X4=6 /\ 0:X5=7 /\ 0:X6=7 /\ 0:X7=-1 /\ 0:X8=-5 /\ 0:X10=-5)
)",
                       R"(X86_64 arithmetic
{ 0:r9=7; }
 P0 ;
 movl $5,%eax ;
 movl %eax,%ebx ;
 addl $2,%ebx ;
 movq %r9,%rcx ;
 subq $3,%rcx ;
 movl %ebx,%edx ;
 xorl %ebx,%edx ;
 movl %r9d,%esi ;
 andl $6,%esi ;
 movl %eax,%edi ;
 orl %esi,%edi ;
 cmpl $5,%eax ;
 je LC00 ;
 movl $1,%eax ;
 LC00: ;
 decl %edx ;
exists (0:rax=5 /\ 0:rbx=7 /\ 0:rcx=4 /\ 0:edx=-1 /\ 0:rsi=6 /\ 0:rdi=7)
)"};

TEST(Hardware, Arithmetic) { always(arithmetic.here()); }

const Texts accesses{R"(AArch64 accesses
{ uint64_t x; uint64_t y=0x1122334455667788; 0:X1=x; 0:X3=y; 0:X7=0; }
 P0 ;
 MOV W0,#9 ;
 STR X0,[X1] ;
 LDR X2,[X1] ;
 LDR W4,[X3,#4] ;
 LDRB W5,[X3] ;
 LDRH W6,[X3,#2] ;
 LDR X8,[X1,X7] ;
 LDR X9,[X1,W7,SXTW] ;
 STLR X2,[X1] ;
 LDAR X10,[X1] ;
 STRB W0,[X3,#7] ;
exists (0:X2=9 /\ 0:X4=0x11223344 /\ 0:X5=0x88 /\ 0:X6=0x5566 /\ 0:X8=9 /\ 0:X9=9 /\ 0:X10=9 /\ y=0x0922334455667788)
)",
                     R"(X86 accesses
{ y=0x11223344; 0:ESI=x; }
 P0 ;
 MOV [x],$9 ;
 MOV EAX,[ESI] ;
 MOV EBX,[y] ;
 MOV CL,[y+1] ;
 MOV DX,[y+2] ;
 MOV [y+3],AL ;
 INC [x] ;
exists (0:EAX=9 /\ 0:EBX=0x11223344 /\ 0:ECX=0x33 /\ 0:EDX=0x1122 /\ x=10 /\ y=0x09223344)
)"};

TEST(Hardware, LoadsAndStores) { always(accesses.here()); }

const Texts atomics{R"(AArch64 atomics
{ x=1; y=2; 0:X1=x; 0:X3=y; }
 P0 ;
 LDXR W0,[X1] ;
 MOV W2,#4 ;
 STXR W4,W2,[X1] ;
 CBNZ W4,LC00 ;
 LC00: ;
 DMB SY ;
 DMB LD ;
 DMB ST ;
 ISB ;
 LDR W5,[X3] ;
 CMP W5,#2 ;
 B.EQ LC01 ;
 MOV W7,#1 ;
 LC01: NOP ;
filter (0:X4=0)
exists (0:X0=1 /\ x=4 /\ 0:X5=2 /\ 0:X7=0 /\ y=2)
)",
                    R"(X86_64 atomics
{ x=1; y=2; }
 P0 ;
 movl $4,%edx ;
 xchgl %edx,(x) ;
 mfence ;
 movl $3,%ebx ;
 lock xaddl %ebx,(y) ;
 movl $5,%eax ;
 movl $8,%ecx ;
 lock cmpxchgl %ecx,(y) ;
 jne LC00 ;
 movl $1,%esi ;
 LC00: lfence ;
 lock cmpxchgl %ecx,(y) ;
 lock incl (x) ;
 sfence ;
 lock orl $2,(x) ;
exists (0:rax=8 /\ 0:rbx=2 /\ 0:rdx=1 /\ 0:rsi=1 /\ x=7 /\ y=8)
)"};

TEST(Hardware, AtomicsAndBranches) { always(atomics.here()); }

// Of ARMv8.1.
const char* const lse = R"(AArch64 lse
{ y=2; 0:X0=1; 0:X2=4; 0:X3=y; 0:X8=1; }
 P0 ;
 LDADD W2,W5,[X3] ;
 SWPAL W0,W6,[X3] ;
 CAS W8,W2,[X3] ;
 LDSETA W8,W9,[X3] ;
exists (0:X5=2 /\ 0:X6=6 /\ 0:X8=1 /\ 0:X9=4 /\ y=5)
)";

TEST(Hardware, AtomicsOfLaterMachines) {
  const hardware::Machine* machine = hardware::this_machine();
  if (machine != nullptr && machine->notation(Dialect::AArch64) != nullptr) always(lse, false);
}

const Texts addresses{R"(AArch64 addresses
{ x=0; 0:X1=p; 0:X2=x; }
 P0 ;
 STR X2,[X1] ;
 LDR X3,[X1] ;
 MOV W4,#1 ;
 STR W4,[X3] ;
exists (0:X3=x /\ x=1)
)",
                      R"(X86_64 addresses
{ x=0; 0:rbx=x; }
 P0 ;
 movq %rbx,(p) ;
 movq (p),%rcx ;
 movl $1,(%rcx) ;
exists (0:rcx=x /\ x=1)
)"};

TEST(Hardware, AddressesAreTold) { always(addresses.here()); }

// Cells and registers of 32 bits hold addresses, too, as they do under the model.
TEST(Hardware, AddressesOf32BitsAreTold) {
  always(
      Texts{"AArch64 moved\n{ y=7; 0:X2=z; 0:X3=y; }\n P0 ;\n STR X3,[X2] ;\n LDR X0,[X2] ;\n LDR W1,[X0] ;\n"
            "exists (0:X0=y /\\ 0:X1=7 /\\ z=y)\n",
            "X86 moved\n{ y=7; 0:EBX=y; }\n P0 ;\n MOV [z],EBX ;\n MOV EAX,[z] ;\n MOV ECX,[EAX] ;\n MOV EDX,EBX ;\n"
            "exists (0:EAX=y /\\ 0:ECX=7 /\\ z=y /\\ 0:EDX=y)\n"}
          .here());
}

TEST(Hardware, CByTheCompilerAtEachSetting) {
  always(R"(C arithmetic
{ [x]=3; }
P0 (atomic_int* x) {
  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_seq_cst);
  int r1 = atomic_exchange_explicit(x, 7, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int r2 = atomic_load_explicit(x, memory_order_acquire);
  if (r2 == 7) { atomic_store_explicit(x, 8, memory_order_release); }
}
exists (0:r0=3 /\ 0:r1=5 /\ 0:r2=7 /\ x=8)
)");
  if (const Machine* machine = machine_for(Dialect::C); machine != nullptr) {
    EXPECT_GE(machine->c.size(), 4U);
  }
}

TEST(Hardware, CPointersToAtomicPointers) {
  always(R"(C pointers
{ x=5; }
P0 (int* x, _Atomic(int*)* p) {
  atomic_store_explicit(p, x, memory_order_release);
  int* r0 = atomic_load_explicit(p, memory_order_acquire);
  int r1 = *r0;
}
exists (0:r0=x /\ 0:r1=5)
)");
}

// Where it is a pair of instructions the second one may fail, and the model knows it.
TEST(Hardware, AWeakCompareExchangeMayFailWhereItIsAPair) {
  const auto test = parsed(R"(C weak
{ }
P0 (atomic_int* x) {
  int r0 = 0;
  int r1 = atomic_compare_exchange_weak_explicit(x, &r0, 1, memory_order_relaxed, memory_order_relaxed);
}
exists (0:r1=0)
)");
  const Machine* machine = machine_for(Dialect::C);
  if (machine == nullptr) GTEST_SKIP() << "no compiler";
  for (const bool pairs : {false, true}) {
    Machine one = *machine;
    one.c.resize(1);
    one.c[0].pairs = pairs;
    const auto runs = run(test, one, 1);
    ASSERT_EQ(runs.size(), 1U);
    ASSERT_EQ(runs[0].why_not, "");
    EXPECT_EQ(runs[0].condition_allowed, pairs);
  }
}

// Locals have 0 before they get a value, also those that a return passes over.
TEST(Hardware, CLocalsOnAllPaths) {
  for (const char* text : {R"(C returns
{ [x]=1; }
P0 (atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0) { int r3 = 5; return; }
  r0 = 7;
  int r1 = 2;
}
exists (0:r0=1 /\ 0:r1=0)
)",
                           R"(C branch
{ }
P0 (atomic_int* x) {
  int r1, *r2;
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0) { r1 = 1; }
}
exists (0:r0=0 /\ 0:r1=0)
)"})
    always(text);
}

constexpr const char* store_buffering = R"(C SB+rmw
{ }
P0 (atomic_int* x, atomic_int* y, atomic_int* z) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_fetch_add_explicit(z, 1, memory_order_seq_cst);
  int r1 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y, atomic_int* w) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_fetch_add_explicit(w, 1, memory_order_seq_cst);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r1=0 /\ 1:r1=0)
)";

// Compilers make a pair of load-acquire and store-release of it for ARMv8.0, past which the loads may go; the single
// instructions of ARMv8.1 and x86 keep them in order.
TEST(Hardware, PairsLetLoadsPassAndSingleInstructionsDoNot) {
  const auto test = parsed(store_buffering);
  const Machine* machine = machine_for(Dialect::C);
  if (machine == nullptr) GTEST_SKIP() << "no compiler";
  std::uint64_t seen = 0;
  for (const TestRun& r : run(test, *machine, 20)) {
    SCOPED_TRACE(r.setting);
    ASSERT_EQ(r.why_not, "");
    EXPECT_FALSE(r.forbidden()) << hardware::histograms({"", "", test, {r}});
    EXPECT_EQ(r.condition_allowed, r.setting.starts_with("llsc"));
    EXPECT_TRUE(r.satisfying() == 0 || r.setting.starts_with("llsc"));
    EXPECT_EQ(r.satisfying(), r.beyond_sc());
    seen += r.satisfying();
  }
  std::printf("seen %llu times\n", static_cast<unsigned long long>(seen));
}

const Texts unfenced{store_buffering, R"(X86 SB
{ }
 P0 | P1 ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)
)"};

TEST(Hardware, LoadsPassStores_slow) {
  const auto test = parsed(unfenced.here());
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  for (int attempt = 0; attempt < 20; ++attempt)
    for (const TestRun& r : run(test, *machine, 200)) {
      ASSERT_FALSE(r.forbidden());
      if (r.satisfying() > 0) return;
    }
  GTEST_SKIP() << "these cores did not show it";
}

TEST(Hardware, TwoThreadsShowNothingForbidden) {
  struct Fence {
    const char *aarch64, *x86_64;
    bool orders;
  };
  for (const auto& [arm, x86, orders] :
       {Fence{"NOP", "NOP", false}, Fence{"DMB SY", "MFENCE", true}, Fence{"DMB ST", "SFENCE", false}}) {
    const auto row = [](const std::string& fence) { return " " + fence + " | " + fence + " ;\n"; };
    const auto test =
        parsed(Texts{"AArch64 SB\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n"
                     " MOV W0,#1 | MOV W0,#1 ;\n STR W0,[X1] | STR W0,[X1] ;\n" +
                         row(arm) + " LDR W2,[X3] | LDR W2,[X3] ;\nexists (0:X2=0 /\\ 1:X2=0)\n",
                     "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n" + row(x86) +
                         " MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"}
                   .here());
    const Machine* machine = machine_for(test.dialect);
    if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
    const auto runs = run(test, *machine, 20);
    ASSERT_EQ(runs.size(), 1U);
    ASSERT_EQ(runs[0].why_not, "");
    EXPECT_FALSE(runs[0].forbidden()) << hardware::histograms({"", "", test, runs});
    EXPECT_EQ(runs[0].condition_allowed, !orders);
    EXPECT_EQ(runs[0].runs, 20 * hardware::instances_per_round);
  }
}

// A store across two cache lines is seen in halves by some cores.
TEST(Hardware, MisalignedAccessesAreNotJudged) {
  const auto test = parsed(
      Texts{"AArch64 torn\n{ uint8_t x[192]; 0:X5=x; 1:X5=x; uint32_t 0:X0=127; uint32_t 0:X11=0x1122; }\n P0 | P1 ;\n"
            " STRH W11,[X5,W0,SXTW] | LDRB W1,[X5,#128] ;\n | LDRB W2,[X5,#127] ;\nexists (1:X1=0x11 /\\ 1:X2=0)\n",
            "X86 torn\n{ uint8_t x[192]; 0:EAX=0x1122; }\n P0 | P1 ;\n"
            " MOV [x+127],AX | MOV BL,[x+128] ;\n | MOV CL,[x+127] ;\nexists (1:EBX=0x11 /\\ 1:ECX=0)\n"}
          .here());
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  const auto runs = run(test, *machine, 1);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_NE(runs[0].unjudged.find("misaligned"), std::string::npos);
  EXPECT_FALSE(runs[0].forbidden());
}

const Texts store_of_one{"AArch64 t\n{ 0:X1=x; }\n P0 ;\n MOV W0,#1 ;\n STR W0,[X1] ;\nexists (x=1)\n",
                         "X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"};

// A machine that stores 2 where the test says 1.
TEST(Hardware, AForbiddenOutcomeIsToldAsOne) {
  const auto test = parsed(store_of_one.here());
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  Machine wrong = *machine;
  wrong.notations[0].translate = [](std::string_view instruction,
                                    const std::vector<lang::litmus::Variable>& variables) {
    auto text = hardware::this_machine()->notations[0].translate(instruction, variables);
    if (text && text->ends_with('1')) text->back() = '2';
    return text;
  };
  const auto runs = run(test, wrong, 1);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].forbidden());
  EXPECT_NE(hardware::histograms({"", "", test, runs}).find("!>[x]=2;  FORBIDDEN by " + runs[0].model),
            std::string::npos)
      << hardware::histograms({"", "", test, runs});
  EXPECT_TRUE(hardware::forbidden({{"", "", test, runs}}));
}

TEST(Hardware, OtherMachinesHaveTheirOwnNotation) {
  const auto lines = [](const char* machine, const std::string& text) {
    const auto test = parsed(text);
    for (const Machine& m : hardware::machines())
      if (m.name == machine) {
        const auto body = hardware::assembly_of(*m.notation(test.dialect), test, 0);
        EXPECT_TRUE(body) << (body ? "" : render(body.error()));
        return body ? *body : std::vector<std::string>{};
      }
    return std::vector<std::string>{};
  };
  EXPECT_EQ(
      lines("x86_64", "X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\n MFENCE ;\n MOV EAX,[y] ;\n XCHG [x],EAX ;\nexists (x=1)\n"),
      (std::vector<std::string>{"mov dword ptr [%[v0]],1", "mfence", "mov eax,[%[v1]]", "xchg [%[v0]],eax"}));
  EXPECT_EQ(lines("x86_64", "X86_64 t\n{ }\n P0 ;\n movl $1,(x) ;\n movl (y),%eax ;\nexists (x=1)\n"),
            (std::vector<std::string>{"movl $1,(%[v0])", "movl (%[v1]),%%eax"}));
  EXPECT_EQ(lines("riscv64",
                  "RISCV t\n{ 0:x6=x; }\n P0 ;\n ori x5,x0,1 ;\n amoswap.w.aq.rl x7,x5,(x6) ;\n bne x7,x0,L0 ;\n"
                  " L0: ;\n fence rw,w ;\nexists (x=1)\n"),
            (std::vector<std::string>{"ori x5,x0,1", "amoswap.w.aqrl x7,x5,(x6)",
                                      "bne x7,x0,.Lheddle_l0_%=", ".Lheddle_l0_%=:", "fence rw,w"}));
  const auto none = parsed("RISCV t\n{ 0:x6=x; }\n P0 ;\n lw.aq x5,0(x6) ;\nexists (x=1)\n");
  for (const Machine& m : hardware::machines())
    if (const auto* notation = m.notation(Dialect::RISCV)) {
      EXPECT_FALSE(hardware::assembly_of(*notation, none, 0));
    }
}

// Not for this machine only: clang assembles for all of them, with the headers of checked programs (and their wchar_t).
TEST(Hardware, TestsOfEveryMachineAreAssembled) {
  const auto assembled = [](const std::string& text) {
    const auto test = parsed(text);
    for (const Machine& m : hardware::machines()) {
      const hardware::Notation* notation = m.notation(test.dialect);
      if (notation == nullptr) continue;
      const auto source = hardware::harness(test, notation);
      ASSERT_TRUE(source) << render(source.error());
      std::vector<std::string> command{"clang-19", fmt::format("--target={}-linux-musl", m.name), "-std=gnu17"};
      for (const std::string& flag : notation->setting.flags)
        command.push_back(flag == "-mcpu=native" ? "-march=armv8.1-a" : flag);
      for (const std::string& flag : std::vector<std::string>{
               "--no-default-config", "-nostdlibinc", "-idirafter", tests::binary_dir() + "/runtime/include", "-Xclang",
               "-fwchar-type=int", "-Xclang", "-fsigned-wchar", "-w", "-c", "-o", "-", "-x", "c", "-"})
        command.emplace_back(flag);
      const core::ChildEnd end = core::run_program(command, *source, {});
      EXPECT_TRUE(end.good()) << m.name << "\n" << text << end.err;
    }
  };
  for (const Texts& t : {arithmetic, accesses, atomics, addresses, unfenced, store_of_one}) {
    assembled(t.aarch64);
    assembled(t.x86_64);
  }
  // Registers of 32 bits in addresses, numbers below zero, two notations.
  assembled("X86 t\n{ 0:EBX=x; }\n P0 ;\n MOV [EBX+4],$-1 ;\n LOCK INC [EBX] ;\n CMP [x],$0 ;\nexists (x=1)\n");
  assembled("X86_64 t\n{ 0:rbx=x; }\n P0 ;\n movl $-1,4(%rbx) ;\n movb %r8b,(x) ;\n movq %r9,(x) ;\nexists (x=1)\n");
  assembled(
      "RISCV t\n{ 0:x6=x; }\n P0 ;\n ori x5,x0,1 ;\n amoswap.w.aq.rl x7,x5,(x6) ;\n bne x7,x0,L0 ;\n L0: ;\n"
      " sw x7,0(x6) ;\nexists (x=1)\n");
}

TEST(Hardware, WithoutACompilerOneIsAskedFor) {
  core::Budget budget;
  const auto none = hardware::compiler({.compiler = "no-such-compiler"}, budget);
  ASSERT_FALSE(none);
  EXPECT_NE(render(none.error()).find("the compiler 'no-such-compiler' cannot be run"), std::string::npos);
}

// Files of the user's are no place for ours.
TEST(Hardware, WithoutATemporaryFolderNothingIsWritten) {
  const auto test = parsed(store_of_one.here());
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  std::string folder = (fs::temp_directory_path() / "heddle-hardware-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  fs::current_path(folder);
  const char* const set = std::getenv("TMPDIR");
  const std::optional<std::string> old = set != nullptr ? std::optional<std::string>(set) : std::nullopt;
  for (const char* unwritable : {"/proc", "/no-such-folder"}) {
    SCOPED_TRACE(unwritable);
    core::Budget budget;
    const hardware::Options options{.compiler = {}, .rounds = 1};
    const auto compiler = hardware::compiler(options, budget);
    ::setenv("TMPDIR", unwritable, 1);
    const auto runs = hardware::run_test(test, *machine, *compiler, options, budget);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].why_not, "no temporary folder can be written to");
    EXPECT_TRUE(fs::is_empty(folder));
    if (old) ::setenv("TMPDIR", old->c_str(), 1);
    else ::unsetenv("TMPDIR");
  }
  fs::current_path(before);
  fs::remove_all(folder);
}

// A file that cannot be read has its line, and with a run cut short not all is done.
TEST(Hardware, WhatIsMissingIsSaid) {
  hardware::Answer unread, ran;
  unread.file = "t.litmus";
  unread.mistake = "t.litmus:1:1: error: what is that\n  X\n";
  EXPECT_NE(hardware::table({unread}).find("not read: t.litmus:1:1: error: what is that\n"), std::string::npos);
  TestRun run;
  run.runs = 1;
  ran.runs = {run};
  EXPECT_TRUE(hardware::complete({ran}));
  EXPECT_FALSE(hardware::complete({unread}));
  ran.runs[0].cut_short = true;
  EXPECT_FALSE(hardware::complete({ran}));
}

TEST(Hardware, ALimitEndsTheRunsAndKeepsWhatWasSeen) {
  const auto test = parsed(store_of_one.here());
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  core::Budget budget;
  budget.seconds = 3;
  const hardware::Options options{.compiler = {}, .rounds = 1'000'000'000};
  const auto runs = hardware::run_test(test, *machine, *hardware::compiler(options, budget), options, budget);
  ASSERT_EQ(runs.size(), 1U);
  if (runs[0].why_not.empty()) {
    EXPECT_GT(runs[0].runs, 0U);
  }
  EXPECT_TRUE(runs[0].cut_short);
  EXPECT_LT(runs[0].runs, options.rounds);
}

// Now and then a thread waits for what never comes; the rounds before that one count.
TEST(Hardware, AThreadThatWaitsForEverEndsWithTheLimit) {
  const auto test =
      parsed(Texts{"AArch64 wait\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n L0: LDR W0,[X1] | LDR W0,[X1] ;\n CBZ W0,L0 | ;\n"
                   "exists (0:X0=1)\n",
                   "X86 wait\n{ }\n P0 | P1 ;\n L0: MOV EAX,[x] | MOV EAX,[x] ;\n CMP EAX,$1 | ;\n JNE L0 | ;\n"
                   "exists (0:EAX=1)\n"}
                 .here());
  const Machine* machine = machine_for(test.dialect);
  if (machine == nullptr) GTEST_SKIP() << "this machine has other instructions, or no compiler";
  core::Budget budget;
  budget.seconds = 5;
  const hardware::Options options{.compiler = {}, .rounds = 10};
  const auto runs = hardware::run_test(test, *machine, *hardware::compiler(options, budget), options, budget);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].why_not, "no round ended within the limits");
  EXPECT_TRUE(runs[0].cut_short);
  EXPECT_LT(runs[0].seconds, 4.9);
}

}  // namespace
}  // namespace heddle
