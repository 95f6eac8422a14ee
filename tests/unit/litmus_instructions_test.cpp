// Single instructions of the machine dialects: what they leave in registers, by the manuals of the machines, and which
// dependencies they make.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"

namespace heddle::lang::litmus {
namespace {

struct Row {
  const char *initial, *code, *register_, *value;
};

std::string answer(const std::string& text, const std::string& model) {
  const auto test = parse_test("t.litmus", text);
  if (!test) return support::render(test.error());
  const ModelChoice choice{model, axioms::find_model(model), nullptr};
  const auto results = run_test(*test, {&choice, 1}, {});
  if (!results[0].refusal.text.empty()) return results[0].refusal.text;
  return results[0].positive == 0 ? "Never" : results[0].negative == 0 ? "Always" : "Sometimes";
}

void check(const char* dialect, const char* model, std::initializer_list<Row> rows) {
  for (const Row& r : rows) {
    std::string text = std::string(dialect) + " t\n{ " + r.initial + " }\n P0 ;\n";
    std::string code = r.code;
    for (std::size_t at; (at = code.find(';')) != std::string::npos; code.erase(0, at + 1))
      text += " " + code.substr(0, at) + " ;\n";
    text += " " + code + " ;\nforall (0:" + r.register_ + "=" + r.value + ")\n";
    EXPECT_EQ(answer(text, model), "Always") << text;
  }
}

TEST(LitmusInstructions, AArch64) {
  check("AArch64", "armv8",
        {{"", "MOVZ X0,#1,LSL #16", "X0", "65536"},
         {"", "MOVZ X0,#5", "X0", "5"},
         {"", "MOVN X0,#0", "X0", "-1"},
         {"", "MOVN W0,#0; LSR X0,X0,#31", "X0", "1"},
         {"", "MOVZ X0,#2; MOVK X0,#1,LSL #16", "X0", "65538"},
         {"", "MOV X0,#-1; MOVK X0,#0", "X0", "-65536"},
         {"0:X1=12; 0:X2=10;", "BIC X0,X1,X2", "X0", "4"},
         {"0:X1=12; 0:X2=10;", "ORN X0,X1,X2", "X0", "-3"},
         {"0:X1=12; 0:X2=10;", "EON X0,X1,X2", "X0", "-7"},
         {"0:X1=12; 0:X2=10;", "BIC W0,W1,W2", "X0", "4"},
         {"0:X1=3;", "CMP X1,#3; CSET X0,EQ", "X0", "1"},
         {"0:X1=3;", "CMP X1,#3; CSET X0,NE", "X0", "0"},
         {"0:X1=3;", "CMP X1,#4; CSETM X0,LT", "X0", "-1"},
         {"0:X1=3;", "CMP X1,#4; CINC X0,X1,LT", "X0", "4"},
         {"0:X1=3;", "CMP X1,#4; CINC X0,X1,GE", "X0", "3"},
         {"0:X1=3;", "CMP X1,#3; CINV X0,X1,EQ", "X0", "-4"},
         {"0:X1=3;", "CMP X1,#3; CNEG X0,X1,EQ", "X0", "-3"},
         {"0:X1=3; 0:X2=8;", "CMP X1,#3; CSEL X0,X1,X2,EQ", "X0", "3"},
         {"0:X1=3; 0:X2=8;", "CMP X1,#3; CSEL X0,X1,X2,NE", "X0", "8"},
         {"0:X1=3; 0:X2=8;", "CMP X1,#3; CSINC X0,X1,X2,NE", "X0", "9"},
         {"0:X1=3; 0:X2=8;", "CMP X1,#3; CSINC X0,X1,X2,EQ", "X0", "3"},
         {"0:X1=3; 0:X2=8;", "CMP X1,#3; CSINV X0,X1,X2,NE", "X0", "-9"},
         {"0:X1=3; 0:X2=8;", "CMP X1,#3; CSNEG X0,X1,X2,NE", "X0", "-8"},
         {"0:X1=3;", "CMP W1,#4; CSET W0,LO", "X0", "1"},
         {"0:X1=-1;", "CMP W1,#4; CSET W0,HI", "X0", "1"},
         {"0:X1=4;", "CMP X1,#4; CSET W0,LS", "X0", "1"},
         {"0:X1=4;", "SUBS X1,X1,#4; CSET W0,HS", "X0", "1"},
         {"0:X1=4;", "ADDS W1,W1,#1; CSET W0,CC", "X0", "1"},
         {"0:X1=-1;", "ADDS W1,W1,#1; CSET W0,CS", "X0", "1"},
         {"0:X1=-1;", "ADDS W1,W1,#1; CSET W0,HI", "X0", "0"},
         {"0:X1=-1;", "ADDS X1,X1,#2; CSET W0,HI", "X0", "1"},
         {"0:X1=1;", "TST W1,#1; CSET W0,LO", "X0", "1"},
         {"0:X1=1;", "TST W1,#1; CSET W0,HI", "X0", "0"},
         {"0:X1=3; 0:X2=1;", "BICS W1,W1,W2; CSET W0,LS", "X0", "1"},
         {"0:X1=511;", "UXTB W0,W1", "X0", "255"},
         {"0:X1=131071;", "UXTH W0,W1", "X0", "65535"},
         {"0:X1=255;", "SXTB X0,W1", "X0", "-1"},
         {"0:X1=32768;", "SXTH X0,W1", "X0", "-32768"},
         {"0:X1=255;", "SXTB W0,W1; LSR X0,X0,#31", "X0", "1"},
         {"0:X1=0xabcd;", "UBFX X0,X1,#4,#8", "X0", "0xbc"},
         {"", "YIELD; MOV X0,#1", "X0", "1"},
         {"uint64_t x[2]={7,9}; 0:X1=x;", "LDP X0,X2,[X1]; SUB X0,X2,X0", "X0", "2"},
         {"uint64_t x[2]={7,9}; 0:X1=x;", "LDP X1,X0,[X1]", "X0", "9"},
         {"uint64_t x[3]={7,9,4}; 0:X1=x;", "LDP X0,X2,[X1,#8]", "X2", "4"},
         {"uint64_t x[3]={7,9,4}; 0:X1=x;", "LDP X0,X2,[X1],#16; LDR X0,[X1]", "X0", "4"},
         {"uint64_t x[3]={7,9,4}; 0:X1=x;", "LDP X0,X2,[X1,#8]!; LDR X0,[X1]", "X0", "9"},
         {"uint64_t x[2]={7,9}; 0:X1=x; 0:X3=5;", "STP X3,X3,[X1]; LDR X0,[X1,#8]", "X0", "5"},
         {"x=5; y=6; 0:X1=x; 0:X2=y;", "CMP WZR,WZR; CSEL X3,X1,X2,EQ; LDR W0,[X3]", "X0", "5"},
         {"x=5; y=6; 0:X1=x; 0:X2=y;", "CMP WZR,WZR; CSEL X3,X1,X2,NE; LDR W0,[X3]", "X0", "6"},
         {"x=5; y=6; 0:X1=x; 0:X2=y;", "CMP WZR,WZR; CSEL X0,X1,X2,EQ", "X0", "x"},
         {"int8_t x=-1; 0:X1=x;", "LDRSB W0,[X1]", "W0", "-1"},
         {"int8_t x=-1; 0:X1=x;", "LDRSB W0,[X1]; LSR X0,X0,#4", "X0", "0xfffffff"},
         {"int8_t x=-1; 0:X1=x;", "LDRSB X0,[X1]; LSR X0,X0,#60", "X0", "15"},
         {"uint64_t x=0x300000002; 0:X1=x;", "LDR X0,[X1]", "W0", "2"}});
  // Extended to 64 bits, the number is none of 32.
  for (const char* load : {"LDRSB", "LDRSH", "LDRSW"}) {
    const std::string text = std::string("AArch64 t\n{ int x=-1; 0:X1=x; }\n P0 ;\n ") + load + " X0,[X1] ;\n";
    EXPECT_EQ(answer(text + "exists (0:X0=0xffffffff)\n", "armv8"), "Never") << load;
    EXPECT_EQ(answer(text + "exists (0:X0=-1)\n", "armv8"), "Always") << load;
    EXPECT_EQ(answer(text + "exists (0:W0=0xffffffff)\n", "armv8"), "Always") << load;
  }
}

TEST(LitmusInstructions, ConditionalComparesOfAArch64) {
  // A comparison if the condition holds, else the flags N, Z, C and V of the number.
  check("AArch64", "armv8",
        {{"0:X1=3; 0:X2=1;", "CMP X1,#3; CCMP X2,#1,#0,EQ; CSET X0,EQ", "X0", "1"},
         {"0:X1=3; 0:X2=2;", "CMP X1,#3; CCMP X2,#1,#4,EQ; CSET X0,EQ", "X0", "0"},
         {"0:X1=3; 0:X2=2;", "CMP X1,#4; CCMP X2,#2,#0,EQ; CSET X0,EQ", "X0", "0"},
         {"0:X1=3; 0:X2=2;", "CMP X1,#4; CCMP X2,#1,#4,EQ; CSET X0,EQ", "X0", "1"},
         {"", "CMP WZR,WZR; CCMP WZR,WZR,#8,NE; CSET X0,LT", "X0", "1"},
         {"", "CMP WZR,WZR; CCMP WZR,WZR,#1,NE; CSET X0,LT", "X0", "1"},
         {"", "CMP WZR,WZR; CCMP WZR,WZR,#9,NE; CSET X0,GT", "X0", "1"},
         {"", "CMP WZR,WZR; CCMP WZR,WZR,#2,NE; CSET X0,HI", "X0", "1"},
         {"", "CMP WZR,WZR; CCMP WZR,WZR,#6,NE; CSET X0,LS", "X0", "1"},
         {"", "CMP WZR,WZR; CCMP WZR,WZR,#0,NE; CSET X0,LO", "X0", "1"},
         {"0:X2=-1;", "CMP WZR,WZR; CCMN X2,#1,#0,EQ; CSET X0,EQ", "X0", "1"},
         {"0:X2=-1;", "CMP WZR,WZR; CCMP W2,#1,#0,EQ; CSET X0,HI", "X0", "1"}});
}

TEST(LitmusInstructions, PairsAndMonitorsOfAArch64) {
  // A pair of registers holds eight bytes, the first the lower ones.
  const char* const pair = "uint64_t x=0x100000002; 0:X1=x; 0:X2=2; 0:X3=1; 0:X4=7; 0:X5=3;";
  const char* const other = "uint64_t x=0x100000002; 0:X1=x; 0:X2=2; 0:X3=9; 0:X4=7; 0:X5=3;";
  check("AArch64", "armv8",
        {{pair, "CASP W2,W3,W4,W5,[X1]; LDR X0,[X1]", "X0", "0x300000007"},
         {pair, "CASP W2,W3,W4,W5,[X1]", "X2", "2"},
         {pair, "CASPA W2,W3,W4,W5,[X1]", "X3", "1"},
         {other, "CASPAL W2,W3,W4,W5,[X1]; LDR X0,[X1]", "X0", "0x100000002"},
         {other, "CASPL W2,W3,W4,W5,[X1]", "X3", "1"}});
  // An exclusive store needs an exclusive load after the last clrex; then it may yet fail.
  check("AArch64", "armv8",
        {{"x=5; 0:X1=x;", "LDXR W2,[X1]; CLREX; STXR W0,W3,[X1]", "X0", "1"},
         {"x=5; 0:X1=x;", "LDXR W2,[X1]; CLREX; STLXR W3,W2,[X1]; STXR W0,W3,[X1]", "X0", "1"},
         {"x=5; 0:X1=x;", "LDXR W2,[X1]; CLREX #15; STXR W2,W3,[X1]; LDR W0,[X1]", "X0", "5"}});
  for (const char* code : {"LDXR W2,[X1]", "CLREX ;\n LDAXR W2,[X1]", "LDXR W2,[X1] ;\n CLREX ;\n LDXR W2,[X1]"})
    EXPECT_EQ(
        answer(std::string("AArch64 t\n{ 0:X1=x; }\n P0 ;\n ") + code + " ;\n STXR W0,W3,[X1] ;\nexists (0:X0=0)\n",
               "armv8"),
        "Sometimes")
        << code;
}

TEST(LitmusInstructions, Ppc) {
  check("PPC", "power",
        {{"0:r1=12; 0:r2=10;", "nor r0,r1,r2", "r0", "-15"},
         {"0:r1=12; 0:r2=10;", "nand r0,r1,r2", "r0", "-9"},
         {"0:r1=12; 0:r2=10;", "eqv r0,r1,r2", "r0", "-7"},
         {"0:r1=3;", "addis r0,r1,2", "r0", "131075"},
         {"0:r1=3;", "addis r0,r1,65535", "r0", "-65533"},
         {"0:r0=7;", "addi r1,r0,5; addis r2,r0,1; add r1,r1,r2", "r1", "65541"},
         // Field 0 of the condition register has the sign of all 64 bits.
         {"0:r1=1; 0:r2=31;", "li r0,1; slw. r3,r1,r2; bgt L; li r0,2; L:", "r0", "1"},
         {"0:r1=0x100000000;", "li r0,1; or. r2,r1,r1; bne L; li r0,2; L:", "r0", "1"},
         {"0:r1=-1;", "li r0,1; cmplwi r1,5; bgt L; li r0,2; L:", "r0", "1"},
         {"0:r1=-1;", "li r0,1; cmpwi r1,5; bgt L; li r0,2; L:", "r0", "2"},
         {"0:r1=-1;", "li r0,1; cmpldi r1,5; bgt L; li r0,2; L:", "r0", "1"},
         // Without a reservation a store-conditional fails: neither equal nor less nor greater.
         {"0:r1=x;", "li r0,1; stwcx. r2,0,r1; blt L; li r0,2; L:", "r0", "2"},
         {"0:r1=x;", "li r0,1; stwcx. r2,0,r1; bgt L; li r0,2; L:", "r0", "2"},
         {"0:r1=x;", "li r0,1; stwcx. r2,0,r1; bge L; li r0,2; L:", "r0", "1"},
         {"0:r1=x;", "li r0,1; stwcx. r2,0,r1; ble L; li r0,2; L:", "r0", "1"},
         {"0:r1=-1;", "li r0,1; cmpwi r1,0; blt L; li r0,2; L:", "r0", "1"},
         {"0:r1=-1;", "li r0,1; cmpldi r1,5; bge L; li r0,2; L:", "r0", "1"},
         {"uint16_t x=65535; 0:r1=x;", "lha r0,0(r1)", "r0", "-1"},
         {"int x[2]={7,9}; 0:r1=x;", "lwzu r2,4(r1); lwz r0,0(r1)", "r0", "9"},
         {"int x[2]={7,9}; 0:r1=x; 0:r2=5;", "stwu r2,4(r1); lwz r0,0(r1)", "r0", "5"},
         {"0:r1=1; 0:r2=31;", "slw r0,r1,r2", "r0", "0x80000000"},
         {"0:r1=1; 0:r2=32;", "slw r0,r1,r2", "r0", "0"},
         {"0:r1=-1; 0:r2=63;", "srw r0,r1,r2", "r0", "0"},
         {"0:r1=3; 0:r2=65;", "srw r0,r1,r2", "r0", "1"},
         {"uint64_t x=0x300000002; 0:r1=x;", "ld r2,0(r1); srwi r0,r2,1", "r0", "1"},
         {"uint64_t x=0x300000002; 0:r1=x;", "ld r2,0(r1); mullw r0,r2,r2", "r0", "4"},
         {"uint64_t x=0x300000002; 0:r1=x;", "ld r2,0(r1); mr r0,r2", "r0", "0x300000002"},
         {"uint64_t x=0xffffffff; 0:r1=x;", "ld r2,0(r1); li r3,1; mullw r0,r2,r3", "r0", "-1"}});
  EXPECT_EQ(answer("PPC t\n{ uint64_t x=0x100000000; 0:r1=x; }\n P0 ;\n ld r2,0(r1) ;\n mr r0,r2 ;\nexists (0:r0=0)\n",
                   "power"),
            "Never");
}

// As a base of an address, r0 is the number 0, whatever the register holds.
TEST(LitmusInstructions, PpcAddressesWithoutBase) {
  const auto loads = [](const std::string& code) {
    return answer("PPC t\n{ x=5; 0:r0=x; 0:r2=x; 0:r3=0; }\n P0 ;\n " + code + " ;\nexists (0:r1=5)\n", "power");
  };
  EXPECT_EQ(loads("lwz r1,0(r2)"), "Always");
  EXPECT_EQ(loads("lwzx r1,r0,r2"), "Always");
  for (const char* nowhere : {"lwz r1,0(r0)", "lwzx r1,r0,r3", "lwz r1,0(0)"}) EXPECT_NE(loads(nowhere), "Always");
}

TEST(LitmusInstructions, RiscvAndX86) {
  check("RISCV", "riscv",
        {{"0:x6=5;", "not x7,x6", "x7", "-6"}, {"", "ori x7,x0,1; jal x0,L; ori x7,x0,2; L:", "x7", "1"}});
  check("X86", "tso", {{"", "MOV EAX,$1; PAUSE", "EAX", "1"}});
  // Jumps on the carry, which counting by one leaves alone.
  check("X86_64", "tso",
        {{"", "subl $1,%eax; jb L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=1;", "subl $1,%eax; jb L; movl $7,%ebx; L:", "rbx", "7"},
         {"0:rax=1;", "subl $1,%eax; jbe L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=2;", "subl $1,%eax; ja L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=-1;", "addl $1,%eax; jb L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=5;", "addl $1,%eax; jae L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=5;", "testl $4,%eax; ja L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=5;", "andl $2,%eax; jbe L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=255;", "addb $1,%al; jb L; movl $7,%ebx; L:", "rbx", "0"},
         {"", "cmpl $1,%eax; decl %eax; jb L; movl $7,%ebx; L:", "rbx", "0"},
         {"", "cmpl $0,%eax; decl %eax; jb L; movl $7,%ebx; L:", "rbx", "7"},
         {"", "lock subl $1,(x); jb L; movl $7,%ebx; L:", "rbx", "0"},
         // A failed comparison: flags of the accumulator less the memory. A successful one keeps the accumulator.
         {"x=5; 0:rax=3;", "lock cmpxchgl %ecx,(x); jb L; movl $7,%ebx; L:", "rbx", "0"},
         {"x=5; 0:rax=9;", "lock cmpxchgl %ecx,(x); jg L; movl $7,%ebx; L:", "rbx", "0"},
         {"x=5; 0:rax=0x100000005;", "lock cmpxchgl %ecx,(x)", "rax", "0x100000005"},
         {"x=5; 0:rax=0x100000006;", "lock cmpxchgl %ecx,(x)", "rax", "5"},
         // Without a lock, and between registers.
         {"x=5; 0:rax=5; 0:rcx=7;", "cmpxchgl %ecx,(x); movl (x),%ebx", "rbx", "7"},
         {"x=5; 0:rax=3; 0:rcx=7;", "cmpxchgl %ecx,(x); movl (x),%ebx", "rbx", "5"},
         {"x=5; 0:rax=3;", "cmpxchgl %ecx,(x)", "rax", "5"},
         {"x=5; 0:rax=0x100000005;", "cmpxchgl %ecx,(x)", "rax", "0x100000005"},
         {"x=5; 0:rax=3;", "cmpxchgl %ecx,(x); jb L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=5; 0:rbx=5; 0:rcx=7;", "cmpxchgq %rcx,%rbx", "rbx", "7"},
         {"0:rax=4; 0:rbx=5; 0:rcx=7;", "cmpxchgq %rcx,%rbx", "rax", "5"},
         {"0:rax=4; 0:rbx=5; 0:rcx=7;", "cmpxchgq %rcx,%rax", "rax", "7"},
         {"x=5; 0:rcx=7;", "xaddl %ecx,(x); movl (x),%ebx", "rbx", "12"},
         {"x=5; 0:rcx=7;", "xaddl %ecx,(x)", "rcx", "5"},
         {"0:rbx=5; 0:rcx=7;", "xaddq %rcx,%rbx", "rbx", "12"},
         {"0:rbx=5; 0:rcx=7;", "xaddq %rcx,%rbx", "rcx", "5"},
         {"0:rcx=7;", "xaddq %rcx,%rcx", "rcx", "14"},
         // Signed ones, with an overflow.
         {"0:rax=2147483647;", "incl %eax; jge L; movl $7,%ebx; L:", "rbx", "0"},
         {"0:rax=2147483648;", "decl %eax; jl L; movl $7,%ebx; L:", "rbx", "0"},
         {"int x=2147483647; 0:rax=1;", "lock xaddl %eax,(x); jg L; movl $7,%ebx; L:", "rbx", "0"}});
}

// The flags of the manuals, computed from exact sums and differences, for operands at the ends of their range.
struct Flags {
  bool negative, zero, overflow, carry;  // the carry of a difference: it borrows (X86; AArch64 has the opposite)
};

__extension__ using Exact = __int128;
__extension__ using Unsigned = unsigned __int128;

Flags flags_of(bool sum, std::int64_t a, std::int64_t b, unsigned bits) {
  const auto exact = sum ? Exact{a} + b : Exact{a} - b;
  const auto unsigned_of = [&](std::int64_t n) {
    return static_cast<Unsigned>(static_cast<std::uint64_t>(n) << (64 - bits) >> (64 - bits));
  };
  const auto one = static_cast<Unsigned>(1) << bits;
  const auto low = static_cast<std::uint64_t>(exact) << (64 - bits);
  const auto wrapped = static_cast<std::int64_t>(low) >> (64 - bits);
  return {wrapped < 0, wrapped == 0, wrapped != exact,
          sum ? unsigned_of(a) + unsigned_of(b) >= one : unsigned_of(a) < unsigned_of(b)};
}

bool holds(const std::string& condition, const Flags& f) {
  const bool less = f.negative != f.overflow;
  const std::map<std::string, bool> table = {{"eq", f.zero},
                                             {"ne", !f.zero},
                                             {"lt", less},
                                             {"ge", !less},
                                             {"le", less || f.zero},
                                             {"gt", !less && !f.zero},
                                             {"lo", f.carry},
                                             {"hs", !f.carry},
                                             {"ls", f.carry || f.zero},
                                             {"hi", !f.carry && !f.zero}};
  return table.at(condition);
}

TEST(LitmusInstructions, ConditionsAfterOverflows) {
  const std::pair<const char*, const char*> conditions[] = {{"eq", "je"},  {"ne", "jne"}, {"lt", "jl"}, {"ge", "jge"},
                                                            {"le", "jle"}, {"gt", "jg"},  {"lo", "jb"}, {"hs", "jae"},
                                                            {"ls", "jbe"}, {"hi", "ja"}};
  for (const unsigned bits : {8u, 16u, 32u, 64u}) {
    const std::int64_t most = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bits));
    const std::int64_t numbers[] = {-most - 1, -1, 0, 1, most};
    for (const std::int64_t a : numbers)
      for (const std::int64_t b : numbers)
        for (const bool sum : {true, false}) {
          const Flags f = flags_of(sum, a, b, bits);
          Flags arm = f;
          arm.carry = sum ? !f.carry : f.carry;  // there lo means that the carry is clear
          std::string cset, jumps, of_cset, of_jumps;
          unsigned n = 3;
          for (const auto& [condition, jump] : conditions) {
            const std::string r = std::to_string(n++);
            cset += " CSET X" + r + "," + condition + " ;\n";
            of_cset += "0:X" + r + "=" + (holds(condition, arm) ? "1" : "0") + " /\\ ";
            jumps += std::string(" ") + jump + " L" + r + " ;\n movq $1,(v" + r + ") ;\n L" + r + ": ;\n";
            of_jumps += "v" + r + "=" + (holds(condition, f) ? "0" : "1") + " /\\ ";
          }
          const std::string start = std::to_string(a) + ";", other = std::to_string(b) + ";";
          if (bits >= 32) {
            const std::string w = bits == 64 ? "X" : "W";
            const std::string text = "AArch64 t\n{ 0:X1=" + start + " 0:X2=" + other + " }\n P0 ;\n " +
                                     (sum ? "ADDS " : "SUBS ") + w + "0," + w + "1," + w + "2 ;\n" + cset + "forall (" +
                                     of_cset + "0:X1=" + std::to_string(a) + ")\n";
            EXPECT_EQ(answer(text, "armv8"), "Always") << text;
          }
          const char* registers[] = {"%al,%bl", "%ax,%bx", "%eax,%ebx", "%rax,%rbx"};
          const std::string text = "X86_64 t\n{ 0:rbx=" + start + " 0:rax=" + other + " }\n P0 ;\n " +
                                   (sum ? "add " : "sub ") + registers[std::countr_zero(bits) - 3] + " ;\n" + jumps +
                                   "forall (" + of_jumps + "true)\n";
          EXPECT_EQ(answer(text, "tso"), "Always") << text;
        }
  }
}

// Numbers that do not fit, registers that do not exist, addresses of other instructions: held against llvm-mc.
TEST(LitmusInstructions, WhatAnAssemblerRefuses) {
  const auto parses = [](const std::string& dialect, const std::string& code) {
    const std::map<std::string, std::string> base = {
        {"AArch64", "0:X1=x"}, {"RISCV", "0:x6=x"}, {"PPC", "0:r6=x"}, {"X86_64", "0:rbx=x"}};
    const std::string text = dialect + " t\n{ " + base.at(dialect) + "; }\n P0 ;\n " + code + " ;\nexists (x=0)\n";
    return static_cast<bool>(parse_test("t.litmus", text));
  };
  const std::map<std::string, std::vector<const char*>> refused = {
      {"AArch64",
       {"MOVZ X0,#65536",
        "MOVK W0,#1,LSL #32",
        "MOVK X0,#1,LSL #8",
        "BIC X0,X1,W2",
        "CSET X0,XX",
        "CCMP X0,#32,#0,EQ",
        "CCMP X0,#-1,#0,EQ",
        "CCMP X0,#1,#16,EQ",
        "CCMP X0,W1,#0,EQ",
        "CCMP X0,X1,#0",
        "CLREX #16",
        "CASP W2,W3,W4,W6,[X1]",
        "CASP W3,W4,W6,W7,[X1]",
        "CASP WZR,W3,W6,W7,[X1]",
        "CASP X2,X3,X4,X5,[X1]",
        "CASP W2,W3,W4,W5,[X1,#8]",
        "CASPB W2,W3,W4,W5,[X1]",
        "UXTB X0,W1",
        "UBFX W0,W1,#30,#3",
        "LDP X0,X0,[X1]",
        "LDP X0,W2,[X1]",
        "STP X1,X2,[X1],#16",
        "CINC X0,W1,EQ",
        "LSL W0,W1,#33",
        "LSR X0,X1,#64",
        "ASR W0,W1,#-1",
        "LSL W0,W1,W2,LSL #4",
        "ADD X0,X1,#4097",
        "SUB W0,W1,#65535",
        "ADD X0,X1,#1,LSL #1",
        "ADDS X0,X1,#-8191",
        "CMP X0,#8191",
        "AND X0,X1,#5",
        "ORR W0,W1,#0",
        "EOR X0,X1,#-1",
        "TST W0,#0xffffffff",
        "TST X0,#21845",
        "AND X0,X1,#0x5",
        "MOV X0,#0x55550000ffff",
        "MUL X0,X1,#2",
        "ADD X0,XZR,#1",
        "ADD X0,X1,X2,LSL #64",
        "ADD X0,X1,W2,SXTW #5",
        "ORR X0,X1,W2,SXTW",
        "ADD X0,X1,X2,LSL",
        "LDR W0,[X1,#-257]",
        "LDR W0,[X1,#16384]",
        "LDR X0,[X1,#257]",
        "LDR W0,[X1,#256]!",
        "STR X0,[X1],#256",
        "STR X1,[X1],#8",
        "LDR W0,[X1,X2,LSL #1]",
        "LDRB W0,[X1,W2,SXTW #2]",
        "LDUR W0,[X1,#256]",
        "LDUR W0,[X1,X2]",
        "LDAR W0,[X1,#8]",
        "STLR W0,[X1],#8",
        "LDXR W0,[X1,X2]",
        "STXR W1,W0,[X1]",
        "STXR W0,W0,[X1]",
        "LDP W0,W2,[X1,#2]",
        "LDP X0,X2,[X1,#512]",
        "LDP XZR,X1,[X1],#8",
        "SWP W0,W2,[X1,#8]",
        "STADD W0,[X1,#8]",
        "LDR W0,[XZR]",
        "ISB ISH",
        "DMB ISHSY",
        "UXTW W0,W1",
        "NOP X0"}},
      {"RISCV",
       {"addi x5,x6,2048", "xori x5,x6,-2049", "sltiu x5,x6,4095", "addiw x5,x6,4096", "slli x5,x6,64", "srai x5,x6,-1",
        "lw x5,2048(x6)", "sw.rl x5,-2049(x6)", "lr.w x5,4(x6)", "sc.w x5,x7,4(x6)", "amoadd.w x5,x7,4(x6)",
        "fence wr,rw", "fence rr,w", "fence rw", "fence.tso rw,rw", "fence.i x0"}},
      {"PPC",
       {"li r5,32768",
        "addi r5,r6,-32769",
        "subi r5,r6,-32768",
        "mulli r5,r6,65535",
        "addis r5,r6,65536",
        "ori r5,r6,-1",
        "xori r5,r6,65536",
        "andi r5,r6,1",
        "ori. r5,r6,1",
        "addi. r5,r6,1",
        "slwi r5,r6,32",
        "lwz r5,32768(r6)",
        "ld r5,2(r6)",
        "std r5,6(r6)",
        "lwa r5,1(r6)",
        "stwu r5,4(r0)",
        "cmpwi r5,32768",
        "cmplwi r5,-1",
        "sync 1",
        "lwsync 1"}},
      {"X86_64",
       {"movl %r8l,%eax", "movl %r8u,%eax", "movl $1,%r08", "mov $1,%r16", "movb $256,%al", "movw $-32769,%ax",
        "movl $0x100000000,%eax", "addq $0x80000000,%rax", "movq $0x80000000,(%rbx)", "movl 0x80000000(%rbx),%eax",
        "cmpl %eax,$3", "testl %eax,$3", "mfence %eax"}}};
  for (const auto& [dialect, instructions] : refused)
    for (const char* code : instructions) EXPECT_FALSE(parses(dialect, code)) << dialect << ": " << code;
  const std::map<std::string, std::vector<const char*>> taken = {
      {"AArch64",
       {"ADD X0,X1,#0xfff000",
        "ADD X0,X1,#-4095",
        "SUBS W0,W1,#1,LSL #12",
        "CMP X0,#-4096",
        "AND X0,X1,#0x5555555555555555",
        "TST W0,#0xfffffffe",
        "ANDS XZR,X1,#1",
        "MOV X0,#0xffff0000",
        "MOV W0,#-2",
        "MOV X0,#-65536",
        "LSL X0,X1,#63",
        "LDR W0,[X1,#16380]",
        "LDR X0,[X1,#-256]",
        "LDRB W0,[X1,#4095]",
        "LDR X0,[X1,W2,UXTW #3]",
        "STR X0,[X1],#-256",
        "LDP X0,X2,[X1,#-512]",
        "LDAPUR W0,[X1,#255]",
        "LDAR W0,[X1,#0]",
        "DMB LD",
        "ISB SY"}},
      {"RISCV",
       {"addi x5,x6,-2048", "srai x5,x6,63", "lw.aq x5,2047(x6)", "amoadd.w.aq.rl x5,x7,0(x6)", "fence ior,iw"}},
      {"PPC", {"li r5,-32768", "subi r5,r6,32768", "addis r5,r6,65535", "andi. r5,r6,65535", "ld r5,-32768(r6)"}},
      {"X86_64", {"movq $0x123456789a,%rax", "addq $-0x80000000,%rax", "movl $0xffffffff,%r8d", "movb $255,%r15b"}}};
  for (const auto& [dialect, instructions] : taken)
    for (const char* code : instructions) EXPECT_TRUE(parses(dialect, code)) << dialect << ": " << code;
}

// A pair is two accesses that nothing keeps in order; a selection is no control dependency.
TEST(LitmusInstructions, Orders) {
  EXPECT_EQ(answer(R"(AArch64 MP+stp+ldp
{ uint64_t x[2]; 0:X1=x; 0:X2=1; 1:X1=x; }
 P0            | P1            ;
 STP X2,X2,[X1] | LDP X2,X3,[X1] ;
exists (1:X3=1 /\ 1:X2=0)
)",
                   "armv8"),
            "Sometimes");
  EXPECT_EQ(answer(R"(AArch64 MP+stp+addr
{ uint64_t x; 0:X1=x; 0:X2=1; 1:X1=x; }
 P0             | P1                  ;
 STP W2,W2,[X1] | LDR W5,[X1,#4]      ;
                | EOR W6,W5,W5        ;
                | LDR W7,[X1,W6,SXTW] ;
exists (1:X5=1 /\ 1:X7=0)
)",
                   "armv8"),
            "Sometimes");
  EXPECT_EQ(answer(R"(AArch64 LB+csel
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; 0:X5=1; 1:X5=1; }
 P0             | P1             ;
 LDR W0,[X1]    | LDR W0,[X1]    ;
 CMP W0,#0      | CMP W0,#0      ;
 CSEL W2,W5,W5,EQ | CSEL W2,W5,W5,EQ ;
 STR W2,[X3]    | STR W2,[X3]    ;
exists (0:X0=1 /\ 1:X0=1)
)",
                   "armv8"),
            "Never");
}

// Pick dependencies (Arm ARM B2.3): what decides a selection, or whether a compare-exchange writes, is ordered before the
// writes that depend on it and, through an address, before later writes and what follows an ISB, but before no read.
TEST(LitmusInstructions, PickDependencies) {
  const auto reader = [](const std::string& code) {
    std::string text =
        "AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 1:X9=z; 1:X5=1; }\n P0 | P1 ;\n MOV W2,#2 | LDR W0,[X3] "
        ";\n STR W2,[X1] | CMP W0,#1 ;\n DMB SY | ;\n MOV W2,#1 | ;\n STR W2,[X3] | ;\n";
    for (std::size_t at = 0; at < code.size();) {
      const std::size_t end = std::min(code.find("; ", at), code.size());
      text += " | " + code.substr(at, end - at) + " ;\n";
      at = end + 2;
    }
    return answer(text + "exists (1:X0=1 /\\ 1:X7=0 /\\ not (x=1))\n", "armv8");
  };
  const std::string read = "LDR W7,[X1,W4,SXTW]", zero = "EOR W8,W0,W0; ";
  EXPECT_EQ(reader("CSEL W4,W10,W11,EQ; " + read), "Sometimes");
  // The source that is taken is a dependency as of any computation, the other one is none.
  EXPECT_EQ(reader(zero + "CSEL W4,W8,W11,EQ; " + read), "Never");
  EXPECT_EQ(reader(zero + "CSEL W4,W8,W11,NE; " + read), "Sometimes");
  // Through an address, then an ISB or a write.
  EXPECT_EQ(reader("CSEL W4,W10,W11,EQ; LDR W6,[X9,W4,SXTW]; LDR W7,[X1]"), "Sometimes");
  EXPECT_EQ(reader("CSEL W4,W10,W11,EQ; LDR W6,[X9,W4,SXTW]; ISB; LDR W7,[X1]"), "Never");
  EXPECT_EQ(reader("CSEL W4,W10,W11,EQ; ISB; LDR W7,[X1]"), "Sometimes");
  // To a write, but no further to a read that it is forwarded to; a data dependency goes that far.
  const std::string back = "LDR W6,[X9]; EOR W4,W6,W6; " + read;
  EXPECT_EQ(reader("CSEL W4,W10,W11,EQ; STR W4,[X9]; " + back), "Sometimes");
  EXPECT_EQ(reader(zero + "STR W8,[X9]; " + back), "Never");
  EXPECT_EQ(reader("CSEL W4,W10,W11,EQ; STR W4,[X9]; LDR W6,[X9]; EOR W4,W6,W6; LDR W6,[X9,W4,SXTW]; ISB; LDR W7,[X1]"),
            "Never");
  // A conditional comparison's flags have one on what decides it, and hand on what they are made of.
  EXPECT_EQ(reader("CCMP W10,#0,#0,EQ; CSEL W4,W10,W11,EQ; " + read), "Sometimes");
  EXPECT_EQ(reader("CCMP W10,#0,#0,EQ; B.EQ L; L:; ISB; LDR W7,[X1]"), "Never");
  EXPECT_EQ(reader("CCMP W10,#0,#0,EQ; B.EQ L; L:; LDR W7,[X1]"), "Sometimes");
  EXPECT_EQ(reader("CMP W10,#0; CCMP W0,#0,#0,EQ; B.EQ L; L:; ISB; LDR W7,[X1]"), "Never");
  EXPECT_EQ(reader("CMP W10,#0; CCMP W0,#0,#0,NE; B.EQ L; L:; ISB; LDR W7,[X1]"), "Sometimes");
  EXPECT_EQ(reader(zero + "CAS W8,W5,[X9]; " + back), "Sometimes");
  EXPECT_EQ(reader(zero + "MOV W4,#0; CAS W4,W8,[X9]; " + back), "Never");
}

// RVWMO: an AMO has one place in the global memory order, so that what waits for its result, or a fence that keeps
// loads in order, waits for its write, too; the success register of a store-conditional carries dependencies (rules 9
// to 11).
TEST(LitmusInstructions, RiscvAtomics) {
  const std::string reader = "exists (1:x5=1 /\\ 1:x7=0)\n";
  const auto passing = [&](const std::string& write, const std::string& depend, const std::string& store) {
    return answer(
        "RISCV MP\n{ 0:x6=x; 0:x8=1; 0:x11=y; 0:x12=1; 1:x6=x; 1:x11=y; }\n P0 | P1 ;\n lr.w x5,0(x6) | lw x5,0(x11) "
        ";\n " +
            write + " | fence rw,rw ;\n" + depend + store + " | lw x7,0(x6) ;\nfilter (0:x7=0)\n" + reader,
        "riscv");
  };
  const std::string by_address = " xor x9,x7,x7 | ;\n add x10,x11,x9 | ;\n", by_data = " ori x12,x7,1 | ;\n",
                    by_control = " bne x7,x8,L | ;\n L: | ;\n";
  for (const std::string write : {"sc.w x7,x8,0(x6)", "amoswap.w x7,x8,(x6)"}) {
    EXPECT_EQ(passing(write, "", " sw x12,0(x11)"), "Sometimes") << write;
    EXPECT_EQ(passing(write, by_address, " sw x12,0(x10)"), "Never") << write;
    EXPECT_EQ(passing(write, by_data, " sw x12,0(x11)"), "Never") << write;
    EXPECT_EQ(passing(write, by_control, " sw x12,0(x11)"), "Never") << write;
  }
  EXPECT_EQ(answer(R"(RISCV SB+fence.tso
{ 0:x6=x; 0:x8=1; 0:x11=y; 1:x6=y; 1:x8=1; 1:x11=x; }
 P0                   | P1                   ;
 amoswap.w x7,x8,(x6) | amoswap.w x7,x8,(x6) ;
 fence.tso            | fence.tso            ;
 lw x5,0(x11)         | lw x5,0(x11)         ;
exists (0:x5=0 /\ 1:x5=0)
)",
                   "riscv"),
            "Never");
}

// Store buffering and message passing with a barrier on each side, by the Arm ARM (B2.3, Barrier-ordered-before and
// DSB-ordered-before): a DSB ST waits until the writes before it are done, a DMB ST orders writes alone.
TEST(LitmusInstructions, BarriersOfAArch64) {
  struct Barrier {
    const char *name, *store_buffering, *writes, *reads;
  };
  for (const Barrier& b : {Barrier{"DMB SY", "Never", "Never", "Never"},
                           {"DSB SY", "Never", "Never", "Never"},
                           {"DMB ST", "Sometimes", "Never", "Sometimes"},
                           {"DSB ST", "Never", "Never", "Sometimes"},
                           {"DSB ISHST", "Never", "Never", "Sometimes"},
                           {"DMB LD", "Sometimes", "Sometimes", "Never"},
                           {"DSB LD", "Sometimes", "Sometimes", "Never"}}) {
    SCOPED_TRACE(b.name);
    const std::string begin = "AArch64 t\n{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; 0:X3=1; 1:X3=1; }\n P0 | P1 ;\n";
    const std::string middle = std::string(" ") + b.name + " | " + b.name + " ;\n";
    EXPECT_EQ(answer(begin + " STR W3,[X1] | STR W3,[X2] ;\n" + middle + " LDR W0,[X2] | LDR W0,[X1] ;\n" +
                         "exists (0:X0=0 /\\ 1:X0=0)\n",
                     "armv8"),
              b.store_buffering);
    const auto message_passing = [&](const std::string& first, const std::string& second) {
      return answer(begin + " STR W3,[X1] | LDR W0,[X2] ;\n " + first + " | " + second +
                        " ;\n STR W3,[X2] | LDR W4,[X1] ;\nexists (1:X0=1 /\\ 1:X4=0)\n",
                    "armv8");
    };
    EXPECT_EQ(message_passing(b.name, "DMB SY"), b.writes);
    EXPECT_EQ(message_passing("DMB SY", b.name), b.reads);
  }
}

// Without a lock a comparison and exchange, or a sum, is a load and a store. The store comes whether the values are equal
// or not (Intel's manual, volume 2, CMPXCHG), so that it can undo another thread's; x86-64 processors show this.
TEST(LitmusInstructions, UnlockedReadModifyWrites) {
  const auto both = [](const std::string& code, const std::string& condition) {
    return answer("X86 t\n{ x=1; 0:ECX=7; 1:ECX=7; }\n P0 | P1 ;\n " + code + " ;\nexists (" + condition + ")\n",
                  "tso");
  };
  EXPECT_EQ(both("XADD [x],ECX | XADD [x],ECX", "x=8"), "Sometimes");
  EXPECT_EQ(both("LOCK XADD [x],ECX | LOCK XADD [x],ECX", "x=8"), "Never");
  EXPECT_EQ(both("CMPXCHG [x],ECX | MOV [x],$2", "x=1"), "Sometimes");
  EXPECT_EQ(both("LOCK CMPXCHG [x],ECX | MOV [x],$2", "x=1"), "Never");
  EXPECT_EQ(both("MOV EAX,$1 | MOV EAX,$1 ;\n CMPXCHG [x],ECX | CMPXCHG [x],ECX", "0:EAX=1 /\\ 1:EAX=1"), "Sometimes");
}

}  // namespace
}  // namespace heddle::lang::litmus
