// Reading litmus tests: what is understood, what is refused and where, and that no text, however broken, does harm.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "lang/litmus/parse.h"
#include "lang/litmus/print.h"
#include "lang/litmus/run.h"

namespace heddle::lang::litmus {
namespace {

ModelResult run(const std::string& text, const std::string& model, unsigned unroll = 2) {
  const auto test = parse_test("t.litmus", text);
  if (!test) {
    ADD_FAILURE() << support::render(test.error());
    return {};
  }
  const ModelChoice choice{model, axioms::find_model(model), nullptr};
  RunOptions options;
  options.unroll = unroll;
  auto results = run_test(*test, {&choice, 1}, options);
  EXPECT_EQ(results[0].refusal.text, "");
  return results[0];
}

const char* const sb = R"(X86 SB
"PodWR Fre PodWR Fre"
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)
)";

TEST(LitmusParse, the_answer_has_the_format_of_herd7) {
  const auto test = parse_test("sb.litmus", sb);
  ASSERT_TRUE(test);
  auto result = run(sb, "tso");
  result.seconds = 0;
  EXPECT_EQ(
      herd_block(*test, result, 2, false),
      "Test SB Allowed\nStates 4\n0:EAX=0; 1:EAX=0;\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; 1:EAX=1;\nOk\n"
      "Witnesses\nPositive: 1 Negative: 3\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Sometimes 1 3\nTime "
      "SB 0.00\n\n");
  std::string forbidden = sb;
  forbidden.replace(forbidden.find("exists"), 6, "~exists");
  const auto never = parse_test("sb.litmus", forbidden);
  ASSERT_TRUE(never);
  auto sc = run(forbidden, "sc");
  sc.seconds = 0;
  EXPECT_EQ(herd_block(*never, sc, 2, false),
            "Test SB Forbidden\nStates 3\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; 1:EAX=1;\nOk\n"
            "Witnesses\nPositive: 3 Negative: 0\nCondition ~exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Never 0 "
            "3\nTime SB 0.00\n\n");
}

TEST(LitmusParse, formulas_have_their_usual_precedence) {
  const auto holds_for = [](const std::string& formula) {
    std::string text = "X86 t\n{ x=1; y=2; }\n P0 ;\n MFENCE ;\nexists ";
    return run(text + formula + "\n", "sc").positive > 0;
  };
  EXPECT_TRUE(holds_for("x=1 /\\ y=2"));
  EXPECT_TRUE(holds_for("x=2 /\\ y=3 \\/ y=2"));
  EXPECT_FALSE(holds_for("(x=1 \\/ y=2) /\\ y=3"));
  EXPECT_TRUE(holds_for("~(x=2)"));
  EXPECT_TRUE(holds_for("not (x=2) /\\ x!=2"));
  EXPECT_TRUE(holds_for("x=2 => y=7"));
  EXPECT_FALSE(holds_for("x=1 => y=7"));
  EXPECT_TRUE(holds_for("true"));
  EXPECT_FALSE(holds_for("(false)"));
  EXPECT_TRUE(holds_for("([x]=0x1)"));
}

TEST(LitmusParse, filters_drop_executions) {
  std::string text = sb;
  text.insert(text.find("exists"), "filter (0:EAX=1)\n");
  const auto r = run(text, "tso");
  EXPECT_EQ(r.states.size(), 2u);
  EXPECT_EQ(r.positive, 0u);
}

TEST(LitmusParse, a_second_filter_is_refused) {
  std::string text = sb;
  text.insert(text.find("exists"), "filter (0:EAX=1)\nfilter (1:EAX=1)\n");
  const auto test = parse_test("t", text);
  ASSERT_FALSE(test);
  EXPECT_EQ(test.error().message, "a test has one filter");
}

// A thread that failed has no final registers for a filter to look at.
TEST(LitmusParse, filters_do_not_hide_failures) {
  const auto test = parse_test("t.litmus",
                               "X86 t\n{ x=0; 0:EBX=7; }\n P0 ;\n MOV EAX,[EBX] ;\n MOV ECX,$1 ;\n"
                               "filter (0:ECX=1)\n~exists (0:EAX=0)\n");
  ASSERT_TRUE(test);
  const ModelChoice choice{"tso", axioms::find_model("tso"), nullptr};
  EXPECT_NE(run_test(*test, {&choice, 1}, {})[0].refusal.text.find("not inside a variable"), std::string::npos);
}

TEST(LitmusParse, addresses_arrays_and_pointers_in_memory) {
  const auto r = run(
      "AArch64 p\n{ x=y; y=5; 0:X1=x; }\n P0 ;\n LDR X2,[X1] ;\n LDR X3,[X2] ;\nexists (0:X3=5 /\\ 0:X2=y)\n", "armv8");
  EXPECT_EQ(r.positive, 1u);
  const auto a =
      run("C a\n{ int v[3] = {4,5,6}; }\nP0 (int* v) { int r0 = v[1]; *(v + 2) = r0; }\nexists (0:r0=5 /\\ v[2]=5 /\\ "
          "v[0]=4)\n",
          "rc11");
  EXPECT_EQ(a.positive, 1u);
}

// The size of an element may be said later, or by the largest access.
TEST(LitmusParse, addresses_of_elements_go_by_their_final_size) {
  const std::string rest = " P0 ;\n LDR X0,[X1] ;\nforall (0:X0=7)\n";
  for (const char* const initial : {"0:X1=x[1]; uint64_t x[2]={0,7};", "x[0]=1; x[1]=7; 0:X1=x[1];"})
    EXPECT_EQ(run("AArch64 t\n{ " + std::string(initial) + " }\n" + rest, "armv8").positive, 1u) << initial;
  EXPECT_EQ(run("AArch64 t\n{ p=x[1]; uint64_t x[2]={0,7}; 0:X2=p; }\n P0 ;\n LDR X1,[X2] ;\n LDR X0,[X1] ;\n"
                "forall (0:X0=7)\n",
                "armv8")
                .positive,
            1u);
}

// Message passing over two cells of one array: each is a location of its own, as two variables would be.
TEST(LitmusParse, cells_of_an_array_are_locations_of_their_own) {
  const auto passing = [](const std::string& fence) {
    return "AArch64 a\n{ int x[2] = {0,0}; 0:X0=x; 1:X0=x; }\n P0 | P1 ;\n MOV W2,#1 | LDR W3,[X0,#4] ;\n STR W2,[X0] "
           "| " +
           fence + " ;\n " + fence + " | LDR W4,[X0] ;\n STR W2,[X0,#4] | ;\nexists (1:X3=1 /\\ 1:X4=0)\n";
  };
  EXPECT_EQ(run(passing("NOP"), "armv8").positive, 1u);
  EXPECT_EQ(run(passing("DMB SY"), "armv8").positive, 0u);
  EXPECT_EQ(run(passing("NOP"), "sc").positive, 0u);
  const auto parts = run(
      "AArch64 b\n{ uint32_t x = 0; 0:X0=x; 1:X0=x; }\n P0 | P1 ;\n MOV W2,#1 | LDRH W3,[X0,#2] ;\n STRH W2,[X0,#2] | "
      "LDRH W4,[X0] ;\nexists (1:X3=1 /\\ 1:X4=0)\n",
      "sc");
  EXPECT_EQ(parts.positive, 1u);
  EXPECT_EQ(parts.negative, 1u);
}

// Machines may split it; that the models do not is said.
TEST(LitmusParse, misaligned_accesses_are_told) {
  const auto block = [](const std::string& place) {
    const std::string text = "X86 t\n{ int x[34]; }\n P0 | P1 ;\n MOV [x+" + place + "],$-1 | MOV EAX,[x+" + place +
                             "] ;\nexists (1:EAX=65535)\n";
    const auto result = run(text, "tso");
    const auto test = parse_test("t", text);
    return herd_block(*test, result, 2, false) + table_cell(*test, result);
  };
  EXPECT_NE(block("126").find("Assumes that a misaligned access is one access"), std::string::npos);
  EXPECT_TRUE(block("126").ends_with("Never!"));
  EXPECT_EQ(block("128").find("Assumes"), std::string::npos);
  EXPECT_TRUE(block("128").ends_with("Never"));
}

// Accesses of one size overlap if they are misaligned.
TEST(LitmusParse, misaligned_accesses_of_one_size) {
  const auto r =
      run("AArch64 t\n{ int x[2]={0,0}; 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n MOV W0,#0x10000 | LDUR W2,[X1,#2] ;\n"
          " STR W0,[X1] | ;\nexists (1:X2=1)\n",
          "armv8");
  EXPECT_EQ(r.positive, 1u);
  EXPECT_EQ(r.negative, 1u);
}

TEST(LitmusParse, loops_are_unrolled_up_to_a_bound_that_is_told) {
  const std::string text =
      "PPC spin\n{ 0:r2=x; 1:r2=x; }\n P0 | P1 ;\n li r1,1 | L: ;\n stw r1,0(r2) | lwz r3,0(r2) ;\n | cmpwi r3,0 ;\n | "
      "beq L ;\nexists (1:r3=1)\n";
  const auto r = run(text, "power", 3);
  EXPECT_TRUE(r.cut_off);
  EXPECT_EQ(r.positive, 4u);  // the first, second, third or fourth read sees it
  EXPECT_EQ(r.negative, 0u);
}

TEST(LitmusParse, atomic_instructions) {
  for (const char* text :
       {"AArch64 a\n{ 0:X1=x; 1:X1=x; 0:X2=1; 1:X2=1; }\n P0 | P1 ;\n LDADD W2,W3,[X1] | LDADDAL W2,W3,[X1] ;\nforall "
        "(x=2 /\\ (0:X3=0 \\/ 1:X3=0))\n",
        "RISCV a\n{ 0:x6=x; 1:x6=x; 0:x5=1; 1:x5=1; }\n P0 | P1 ;\n amoadd.w x7,x5,(x6) | amoadd.w.aq.rl x7,x5,(x6) "
        ";\nforall (x=2)\n",
        "X86 a\n{ 0:EAX=1; 1:EAX=1; }\n P0 | P1 ;\n LOCK XADD [x],EAX | LOCK XADD [x],EAX ;\nforall (x=2)\n",
        "X86_64 a\n{ }\n P0 | P1 ;\n lock incl (x) | lock addl $1,(x) ;\nforall (x=2)\n",
        "AArch64 a\n{ 0:X1=x; 1:X1=x; 0:X3=7; 1:X3=8; }\n P0 | P1 ;\n CAS W2,W3,[X1] | CASA W2,W3,[X1] ;\nforall (x=7 "
        "\\/ x=8)\n",
        "C a\n{}\nP0 (atomic_int* x) { atomic_fetch_add(x, 1); }\nP1 (atomic_int* x) { atomic_fetch_add_explicit(x, 1, "
        "memory_order_relaxed); }\nforall (x=2)\n",
        "C a\n{ e=0; }\nP0 (atomic_int* x, int* e) { int r = atomic_compare_exchange_strong(x, e, 3); }\nforall (x=3 "
        "/\\ 0:r=1)\n"}) {
    const auto test = parse_test("a", text);
    ASSERT_TRUE(test) << text << (test ? "" : support::render(test.error()));
    const char* model = test->dialect == Dialect::AArch64 ? "armv8"
                        : test->dialect == Dialect::RISCV ? "riscv"
                        : test->dialect == Dialect::C     ? "rc11"
                                                          : "tso";
    const auto r = run(text, model);
    EXPECT_TRUE(r.condition_holds(*test)) << text;
    EXPECT_GT(r.positive, 0u);
  }
}

TEST(LitmusParse, a_store_conditional_fails_or_is_atomic) {
  const auto r =
      run("AArch64 llsc\n{ 0:X1=x; 1:X1=x; 1:X2=9; }\n P0 | P1 ;\n LDXR W3,[X1] | STR W2,[X1] ;\n MOV W4,#1 | ;\n STXR "
          "W5,W4,[X1] | ;\nlocations [0:X3; 0:X5; x;]\n"
          "exists (0:X3=0 /\\ 0:X5=0 /\\ x=1)\n",
          "armv8");
  // Success means that no other write came between: if the load saw 0 and 9 came before the store, it failed.
  EXPECT_EQ(r.positive, 0u);
  EXPECT_EQ(r.states.size(), 4u);
}

struct Wrong {
  const char* text;
  unsigned line, column;
  const char* message;
};

TEST(LitmusParse, mistakes_have_their_place) {
  const Wrong cases[] = {
      {"", 1, 1, "the text is empty"},
      {"MIPS t\n{}\n", 1, 1, "'MIPS' is not a dialect of litmus tests that is supported"},
      {"X86 t\n", 2, 1, "the initial state '{ … }' is missing"},
      {"X86 t\n{ x=; }\n P0 ;\n", 2, 5, "a number or a variable expected before ';'"},
      {"X86 t\n{ x=1; }\n P0 ;\n FROB [x],$1 ;\nexists (x=1)\n", 4, 2,
       "the instruction 'FROB [x],$1' is not supported"},
      {"X86 t\n{ }\n P0 | P1 ;\n MFENCE | MFENCE | MFENCE ;\nexists (x=1)\n", 4, 2,
       "this row has 3 columns, but there are 2 threads"},
      {"X86 t\n{ }\n P0 ;\n JMP L ;\nexists (true)\n", 4, 6, "there is no label 'L'"},
      {"X86 t\n{ }\n P0 ;\n MFENCE ;\nexists (q=1)\n", 5, 9, "there is no variable 'q'"},
      {"X86 t\n{ }\n P0 ;\n MFENCE ;\nexists (3:EAX=1)\n", 5, 9, "there is no register '3:EAX'"},
      {"X86 t\n{ }\n P0 ;\n MFENCE ;\nexists (true) rubbish\n", 5, 15, "'rubbish' is not expected after the condition"},
      {"AArch64 t\n{ 0:X1=x; }\n P0 ;\n LDR W0,[W1] ;\nexists (x=1)\n", 4, 10,
       "'W1' cannot hold an address; an X register expected"},
      {"AArch64 t\n{ 0:X1=x; }\n P0 ;\n DMB QQ ;\nexists (x=1)\n", 4, 6, "'QQ' is not a barrier's domain"},
      {"RISCV t\n{ 0:x6=x; }\n P0 ;\n lw x5,x6 ;\nexists (x=1)\n", 4, 8,
       "'x6' is not an address; 'offset(register)' expected"},
      {"PPC t\n{ 0:r6=x; }\n P0 ;\n lwz r99,0(r6) ;\nexists (x=1)\n", 4, 6, "'r99' is not a register"},
      {"C t\n{}\nP0 (atomic_int* x) { frobnicate(x); }\nexists (x=1)\n", 3, 22,
       "the function 'frobnicate' is not supported"},
      {"C t\n{}\nP0 (atomic_int* x) { int r = q; }\nexists (x=1)\n", 3, 30, "'q' is not declared"},
      {"C t\n{}\nP0 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_late); }\nexists (x=1)\n", 3, 50,
       "'memory_order_late' is not a memory order"},
      {"X86_64 t\n{ 0:RBX=x; }\n P0 ;\n MOV EAX,[RBX] ;\nexists (x=1)\n", 4, 10,
       "'[RBX]' is a register without '%', which X86_64 tests write with it"},
      {"X86 t\n{ 0:EBX=x; }\n P0 ;\n MOVL (%EBX),%EAX ;\nexists (x=1)\n", 4, 7,
       "'(%EBX)' is not an address of X86 tests, which stand in '[…]'"},
      {"X86 t\n{ }\n P0 ;\n MOV %EAX,$1 ;\nexists (x=1)\n", 4, 6,
       "'%EAX' is a register with '%', which X86 tests write without it"},
      {"X86 t\n{ }\n P0 ;\n LOCK MOV [x],$1 ;\nexists (x=1)\n", 4, 2,
       "'lock' goes only with instructions that read and write memory"},
      {"X86_64 t\n{ }\n P0 ;\n movl %rax,%ebx ;\nexists (x=1)\n", 4, 2, "the sizes of the operands do not agree"},
      {"AArch64 t\n{ 0:X1=x; }\n P0 ;\n LDRSW W0,[X1] ;\nexists (x=1)\n", 4, 8, "'W0' must be an X register here"},
      {"AArch64 t\n{ 0:X1=x; }\n P0 ;\n LDRB X2,[X1] ;\nexists (x=1)\n", 4, 7, "'X2' must be a W register here"},
      {"AArch64 t\n{ 0:X1=x; }\n P0 ;\n STRH X2,[X1] ;\nexists (x=1)\n", 4, 7, "'X2' must be a W register here"},
      {"AArch64 t\n{ }\n P0 ;\n ADD W3,X1,W2 ;\nexists (x=1)\n", 4, 9, "'X1' must be a W register here"},
      {"AArch64 t\n{ }\n P0 ;\n ADD X0,X1,W2 ;\nexists (x=1)\n", 4, 12, "'W2' must be an X register here"},
      {"AArch64 t\n{ }\n P0 ;\n MOV X0,W1 ;\nexists (x=1)\n", 4, 9, "'W1' must be an X register here"},
      {"AArch64 t\n{ }\n P0 ;\n TBZ W5,#32,L ;\nL: ;\nexists (x=1)\n", 4, 9, "'#32' is not a bit of the register"},
      {"X86 t\n{ }\n P0 | P1 ;\n MOV [x],$1 ;\nexists (x=1)\n", 4, 2,
       "this row has 1 columns, but there are 2 threads"},
      {"X86 t\n{ int x[2]={1,2,3}; }\n P0 ;\n MFENCE ;\nexists (x=1)\n", 2, 17, "'x' has 2 elements only"},
      {"X86 t\n{ x=0; x=1; }\n P0 ;\n MFENCE ;\nexists (x=1)\n", 2, 10, "'x' has another initial value already"},
      {"X86 t\n{ int x=1; long x=2; }\n P0 ;\n MFENCE ;\nexists (x=1)\n", 2, 17, "'x' is declared already"},
      {"X86 t\n{ 0:EAX=0; 0:EAX=1; }\n P0 ;\n MFENCE ;\nexists (true)\n", 2, 14,
       "'0:EAX' has another initial value already"},
      {"X86 t\n{ uint8_t x=256; }\n P0 ;\n MFENCE ;\nexists (x=1)\n", 2, 13,
       "this number does not fit into the 1 byte of 'x'"},
      {"X86 t\n{ x=y; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX=y)\n", 2, 5, "the 4 bytes of 'x' do not hold an address"},
      {"X86 t\n(* no end\n{ }\n", 2, 1, "this comment has no end"},
      {"X86 t\n{ x=99999999999999999999; }\n P0 ;\n", 2, 5, "'99999999999999999999' is not a number of 64 bits"},
  };
  for (const Wrong& w : cases) {
    const auto test = parse_test("t", w.text);
    ASSERT_FALSE(test) << w.text;
    EXPECT_EQ(test.error().message, w.message) << w.text;
    EXPECT_EQ(test.error().line, w.line) << w.text;
    EXPECT_EQ(test.error().column, w.column) << w.text;
  }
}

TEST(LitmusParse, an_access_outside_all_variables_is_no_answer) {
  const auto test = parse_test("t", "AArch64 t\n{ 0:X1=x; }\n P0 ;\n LDR W0,[X1,#64] ;\nexists (x=0)\n");
  ASSERT_TRUE(test);
  const ModelChoice choice{"armv8", axioms::find_model("armv8"), nullptr};
  const auto result = run_test(*test, {&choice, 1}, {})[0];
  EXPECT_EQ(result.refusal.text, "t:4:2: P0: the address is not inside a variable of the test");
  EXPECT_EQ(herd_block(*test, result, 2, false),
            "Test t Unknown\nReason t:4:2: P0: the address is not inside a variable of the test\n\n");
}

TEST(LitmusParse, a_write_to_half_a_register_clears_the_rest) {
  for (const char* load : {"LDRSB", "LDRSH"})
    for (const bool wide : {false, true}) {
      const std::string text = std::string("AArch64 t\n{ 0:X1=x; x=0x8080; }\n P0 ;\n ") + load +
                               (wide ? " X2" : " W2") +
                               ",[X1] ;\n CMP X2,#0 ;\n B.LT L ;\n MOV W0,#1 ;\nL: ;\nexists (0:X0=1)\n";
      EXPECT_EQ(run(text, "armv8").positive, wide ? 0u : 1u) << text;
    }
  // A register of 64 bits is compared as one.
  EXPECT_EQ(run("AArch64 t\n{ }\n P0 ;\n MOV X0,#0x100000000 ;\nexists (0:X0=0)\n", "armv8").positive, 0u);
  // x86: 1 and 2 bytes leave the rest alone, 4 clear it.
  EXPECT_EQ(run("X86_64 t\n{ }\n P0 ;\n movq $-1,%rax ;\n movb $1,%al ;\n movq $-1,%rbx ;\n movl $1,%ebx ;\nexists "
                "(0:rax=-255 /\\ 0:eax=-255 /\\ 0:al=1 /\\ 0:rbx=1)\n",
                "tso")
                .positive,
            1u);
}

TEST(LitmusParse, registers_are_shown_as_they_were_written) {
  const std::string text =
      "X86_64 t\n{ }\n P0 | P1 ;\n movl $1,(x) | movl $1,(y) ;\n movl (y),%eax | movl (x),%eax ;\nexists (0:rax=0 /\\ "
      "1:%eax=0)\n";
  const auto test = parse_test("t", text);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->condition.text, "exists (0:rax=0 /\\ 1:eax=0)");
  const auto sorted = parse_test("t", "RISCV t\n{ }\n P0 ;\n nop ;\nexists (0:x10=0 /\\ 0:x5=0)\n");
  ASSERT_TRUE(sorted);
  EXPECT_EQ(sorted->observed[sorted->shown[0]].text, "0:x5");
}

// Part of a register has a value of its own size: machines that run the test tell no more of it.
TEST(LitmusParse, values_are_as_wide_as_what_was_asked_for) {
  const auto r = run("X86 t\n{ x=0; }\n P0 ;\n MOV EAX,$257 ;\nforall (0:AL=1)\n", "tso");
  ASSERT_EQ(r.states.size(), 1u);
  EXPECT_EQ(r.states[0].values[0].bits, 1u);
}

TEST(LitmusParse, both_sides_of_an_equation_are_shown) {
  const auto test =
      parse_test("t", "X86 t\n{ 0:ECX=1; }\n P0 | P1 ;\n MOV [x],$1 | MOV [x],$2 ;\nexists (0:ECX=[x])\n");
  ASSERT_TRUE(test);
  EXPECT_EQ(test->shown.size(), 2u);
}

TEST(LitmusParse, a_byte_order_mark_is_no_dialect) { EXPECT_TRUE(parse_test("t", std::string("\xEF\xBB\xBF") + sb)); }

TEST(LitmusParse, the_same_initial_value_may_stand_twice) {
  EXPECT_TRUE(parse_test("t", "X86 t\n{ x=1; x=1; 0:EAX=2; 0:EAX=2; }\n P0 ;\n MFENCE ;\nexists (x=1)\n"));
  EXPECT_TRUE(parse_test("t", "X86 t\n{ int x; x=1; }\n P0 ;\n MFENCE ;\nexists (x=1)\n"));
}

// The writes of all threads count together; those to different elements of an array do not.
TEST(LitmusParse, a_location_has_at_most_63_writes) {
  const ModelChoice choice{"tso", axioms::find_model("tso"), nullptr};
  const auto with = [&](int second, const std::string& place) {
    std::string text = "X86 many\n{ int x[2]={0,0}; }\n P0 | P1 ;\n | MOV EAX,[x] ;\n | CMP EAX,$32 ;\n | JNE L ;\n";
    for (int i = 1; i <= 32; ++i) text += " MOV [x],$" + std::to_string(i) + " | ;\n";
    for (int i = 1; i <= second; ++i) text += " | MOV [" + place + "],$" + std::to_string(100 + i) + " ;\n";
    const auto test = parse_test("t", text + " | L: ;\n~exists (1:EAX=32)\n");
    EXPECT_TRUE(test);
    return run_test(*test, {&choice, 1}, {})[0];
  };
  EXPECT_NE(with(32, "x").refusal.text.find("more than 63 writes"), std::string::npos);
  EXPECT_EQ(with(31, "x").positive, 1u);
  EXPECT_EQ(with(40, "x+4").positive, 1u);
}

// A limit of time holds inside a single combination of runs, too, and long threads are read in linear time.
TEST(LitmusParse, limits_hold) {
  std::string text = "X86 heavy\n{ }\n P0 | P1 | P2 | P3 | P4 | P5 ;\n";
  for (int k = 0; k < 6; ++k)
    for (int t = 0; t < 6; ++t)
      text += (k % 2 == 0 ? std::string(t % 2 ? " MOV [y],$" : " MOV [x],$") + std::to_string(12 * k + t + 1)
                          : std::string(t % 2 ? " MOV EAX,[x]" : " MOV EAX,[y]")) +
              (t == 5 ? " ;\n" : " |");
  const auto heavy = parse_test("t", text + "exists (x=1)\n");
  ASSERT_TRUE(heavy);
  core::Budget budget;
  budget.seconds = 0.2;
  budget.start();
  const ModelChoice choice{"sc", axioms::find_model("sc"), nullptr};
  EXPECT_NE(run_test(*heavy, {&choice, 1}, {}, &budget)[0].refusal.text, "");
  std::string nops = "X86 long\n{ }\n P0 ;\n";
  for (int i = 0; i < 150'000; ++i) nops += " NOP ;\n";
  EXPECT_EQ(run(nops + "forall (true)\n", "sc").positive, 1u);
}

// Texts made from pieces of valid tests, with bytes changed, taken away and doubled.
TEST(LitmusParse, no_text_does_harm) {
  const std::string seeds[] = {sb,
                               "AArch64 m\n{\nuint64_t x; 0:X1=x; uint32_t 1:X3;\n}\n P0 | P1 ;\n MOV W0,#1 | LDR "
                               "W0,[X1,W2,SXTW] ;\n STLR W0,[X1] | CBNZ W0,L ;\n DMB SY | L: ;\n | LDADDA W1,W2,[X1] "
                               ";\nlocations [x;]\nexists (1:X0=1 /\\ ~(x=2) \\/ 1:X3=0)\n",
                               "C c\n{ [x]=0; int y[2]={1,2}; }\nP0 (atomic_int* x, volatile int* y) {\n  int r0 = "
                               "atomic_load_explicit(x, memory_order_acquire);\n  if (r0 == 1 && y[0]) { *y = r0 + 1; "
                               "} else { while (r0) { r0 = r0 - 1; } }\n}\nexists (0:r0=1 => x=1)\n",
                               "RISCV r\n{ 0:x6=x; 0:x8=y; }\n P0 ;\n lw.aq x5,0(x6) ;\n bne x5,x0,L ;\n L: ;\n fence "
                               "rw,w ;\n amoswap.w.aq.rl x7,x5,(x8) ;\n sc.w x9,x5,0(x6) ;\nforall (x=1)\n",
                               "PPC p\n{ 0:r2=x; }\n P0 ;\n lwarx r1,r0,r2 ;\n cmpw r1,r1 ;\n beq L ;\n L: ;\n stwcx. "
                               "r1,r0,r2 ;\n lwsync ;\nfilter (x=0)\nexists (x=1)\n"};
  std::mt19937 random(7);
  const auto upto = [&](std::size_t n) { return random() % n; };
  int read = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text = seeds[upto(std::size(seeds))];
    for (std::size_t changes = 1 + upto(4); changes > 0; --changes) {
      const std::size_t at = upto(text.size());
      switch (upto(5)) {
        case 0: text[at] = static_cast<char>(upto(256)); break;
        case 1: text.erase(at, 1 + upto(10)); break;
        case 2: text.insert(at, text.substr(upto(text.size()), 1 + upto(20))); break;
        case 3: text[at] = "(){}[];|:=*/\\~,#0x9"[upto(19)]; break;
        default: text.resize(at + 1); break;
      }
      if (text.empty()) text = " ";
    }
    const auto test = parse_test("fuzz", text);
    if (!test) {
      EXPECT_FALSE(test.error().message.empty());
      EXPECT_GE(test.error().line, 1u);
      continue;
    }
    ++read;
    if (read % 5 != 0) continue;
    core::Budget budget;
    budget.seconds = 0.5;
    budget.start();
    const ModelChoice choice{"sc", axioms::find_model("sc"), nullptr};
    run_test(*test, {&choice, 1}, {}, &budget);
  }
  EXPECT_GT(read, 500);
}

}  // namespace
}  // namespace heddle::lang::litmus
