// The register bytecode that IR is translated to: no LLVM type appears from here on.
//
// An instruction has up to one target register and three operands; an operand is a register of the frame, or (with
// constant_operand set) a constant of the function. Calls, returns and wide arithmetic have lists of operands in
// Function::lists. What an operation reads and writes is written down once, in the table below: register allocation,
// clearing of dead registers, printing and pending loads go by it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "vm/cell.h"

namespace heddle::vm {

using Operand = std::uint16_t;
inline constexpr Operand constant_operand = 0x8000;

enum Shape : std::uint16_t {
  D = 1,  // writes dst
  A = 2,
  B = 4,
  C = 8,    // reads a, b, c
  V = 16,   // may be a request: a thread may rest before it
  T = 32,   // ends a block
  J = 64,   // imm is the place to go to
  L = 128,  // has lists at imm: operands read, registers written, registers cleared
  P = 256   // may be carried out although an operand is pending
};

// clang-format off: a table
#define HEDDLE_OPS(X) \
  /* control */ \
  X(Jmp, T | J) X(Br, A | T | J) X(Switch, A | T) X(IndirectBr, A | T) X(Unreachable, T) \
  X(Call, L) X(CallInd, A | L) X(Ret, L | T | V) X(Clear, L | P) X(Unsupported, T) X(Fail, A | B | T | P) X(FailException, A | B | C | T | P) X(Abort, T) \
  X(Assume, A) X(Require, A) X(ThreadExit, T | V) X(EndLocals, V) X(Nop, 0) \
  /* values */ \
  X(Mov, D | A) X(Select, D | A | B | C) X(Freeze, D | A) X(Trunc, D | A) X(ZExt, D | A) X(SExt, D | A) \
  X(Add, D | A | B) X(Sub, D | A | B) X(Mul, D | A | B) X(Scale, D | A | B) X(UDiv, D | A | B) X(SDiv, D | A | B) X(URem, D | A | B) \
  X(SRem, D | A | B) X(And, D | A | B) X(Or, D | A | B) X(Xor, D | A | B) X(Shl, D | A | B) X(LShr, D | A | B) \
  X(AShr, D | A | B) X(Eq, D | A | B) X(Ne, D | A | B) X(ULt, D | A | B) X(ULe, D | A | B) X(SLt, D | A | B) \
  X(SLe, D | A | B) X(IntMath, D | A | B | C) X(Wide, L) \
  X(FAdd, D | A | B) X(FSub, D | A | B) X(FMul, D | A | B) X(FDiv, D | A | B) X(FRem, D | A | B) X(FNeg, D | A) \
  X(FCmp, D | A | B) X(FCast, D | A) X(FToSI, D | A) X(FToUI, D | A) X(SIToF, D | A) X(UIToF, D | A) \
  X(FloatMath, D | A | B | C) \
  X(PtrAdd, D | A | B) X(PtrAddConst, D | A) X(PtrBefore, D | A | B) \
  /* memory */ \
  X(PrivateObject, D) X(PrivateAddress, D) X(Undefine, A) X(VaBlock, D) X(VaSize, D) X(VaArg, D | A) \
  X(Load, D | A | V) X(Store, A | B | V) X(Rmw, D | A | B | V) X(Cas, D | A | B | C | V) X(CasFlag, D) \
  X(Fence, V) X(FenceSlot, V) X(Alloc, D | A | V) X(Free, A | V) X(StackFree, A | V) X(DynAlloc, D | A | V) X(StackSave, D) \
  X(StackRestore, A | V) X(ObjectSize, D | A | V) X(Tls, D | V) \
  /* the machine */ \
  X(Choose, D | A | V) X(Spawn, D | A | B | V) X(Join, A | V) X(Exit, A | T | V) X(Self, D) X(Point, V) \
  X(WaitCas, A | B | C | V) X(WaitEq, A | B | V) X(WaitAdd, A | B | C | V) X(Output, D | A | B | V) X(AtomicBegin, 0) X(AtomicEnd, 0) \
  X(Defined, D | A) X(NoteJoin, D | A) X(Disjoint, A | B | C) X(GetThreadPointer, D) X(SetThreadPointer, A) X(JumpMark, D) X(SetJmp, D | A) X(LongJmp, A | B | C | T | V) \
  /* exceptions */ \
  X(Landing, L) X(Frames, D) X(FrameFact, D | A) X(Unwind, A | B | C | T | V)
// clang-format on

enum class Op : std::uint16_t {
#define HEDDLE_OP(name, shape) name,
  HEDDLE_OPS(HEDDLE_OP)
#undef HEDDLE_OP
};

inline constexpr std::uint16_t op_shape[] = {
#define HEDDLE_OP(name, shape) static_cast<std::uint16_t>(shape),
    HEDDLE_OPS(HEDDLE_OP)
#undef HEDDLE_OP
};
constexpr std::uint16_t shape_of(Op op) { return op_shape[static_cast<std::size_t>(op)]; }
constexpr bool is_wait(Op op) { return op == Op::WaitCas || op == Op::WaitEq || op == Op::WaitAdd; }
const char* name_of(Op);

// Sub-operations of IntMath, FloatMath and Wide.
enum class IntMath : std::uint8_t {
  Ctpop,
  Ctlz,
  Cttz,
  Bswap,
  BitReverse,
  Abs,
  SMin,
  SMax,
  UMin,
  UMax,
  Fshl,
  Fshr,
  SAddO,
  UAddO,
  SSubO,
  USubO,
  SMulO,
  UMulO,
  SAddSat,
  UAddSat,
  SSubSat,
  USubSat,
  SShlSat,
  UShlSat,
  Cmp3S,
  Cmp3U
};
enum class FloatMath : std::uint8_t {
  Sqrt,
  Fabs,
  Floor,
  Ceil,
  Trunc,
  Rint,
  Round,
  RoundEven,
  Copysign,
  MinNum,
  MaxNum,
  Minimum,
  Maximum,
  Fma,
  Pow,
  Powi,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Exp,
  Exp2,
  Exp10,
  Log,
  Log2,
  Log10,
  Ldexp,
  FrexpFraction,
  FrexpExponent,  // 0 of what is not finite
  IsFpClass,
  ToSISat,  // an integer of b bits, the nearest one where the number is out of its range, 0 for a NaN
  ToUISat
};
enum class Wide : std::uint8_t {  // 128 bits: operands and results as (low, high) pairs
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  Eq,
  Ne,
  Same,  // as a compare-exchange compares: without padding
  ULt,
  ULe,
  SLt,
  SLe,
  SAddO,
  UAddO,
  SSubO,
  USubO,
  SMulO,
  UMulO,
  FToSI,
  FToUI,
  SIToF,
  UIToF,
  Ctlz,
  Cttz,
  Abs
};

// What can be asked about a frame (FrameFact keeps it in `sub`); runtime/include/heddle_vm.h has the bits of Flags.
enum class FrameFact : std::uint8_t { Table, Personality, Function, Invoke, Flags };
inline constexpr std::uint64_t frame_nounwind = 1, frame_library = 2, frame_terminates = 4, frame_atomic = 8;

// A call that an exception may leave (an invoke) has in `dst` the number of its landing, counted from 1 in
// Function::landings. There stands a Landing instruction: its list of written registers is exception object and selector,
// which Unwind fills in; `a` is the invoke's number in the exception table, `sub` what the landing pad does.
inline constexpr std::uint8_t terminates_bit = 1;  // it only ends the program

// Load and Store keep order and flags in `sub`, and the width of the value in bits in `width`; `imm` is the size in bytes
// of the whole access if this is the first part of an atomic one, else 0.
inline constexpr std::uint8_t order_bits = 0x07;
inline constexpr std::uint8_t volatile_bit = 0x08;
// Rmw, in imm: it gives a lock back that WaitCas took for its owner.
inline constexpr std::uint32_t unlock_bit = 1 << 16;
inline constexpr std::uint8_t owner_bit = 1;    // WaitCas: the word names the thread that holds the lock
inline constexpr std::uint8_t bits_bit = 1;     // WaitEq: for the bits that are set in the expected value
inline constexpr std::uint8_t ended_bit = 1;    // Undefine: whoever accesses it fails, too
inline constexpr std::uint8_t refuted_bit = 1;  // Require: the operand must be false, not true
inline constexpr std::uint8_t section_bit = 1;  // AtomicBegin, AtomicEnd: the program's own, not the library's
// ObjectSize: asks for the family of the allocation too (core/heap_family.h); no_object if there is no such object.
inline constexpr std::uint8_t facts_bit = 1;
inline constexpr std::uint64_t no_object = ~std::uint64_t{0};
// FenceSlot: a place where a fence may be put (vm/order_places.h); passed over as it is.
inline constexpr std::uint8_t slot_before = 1;  // FenceSlot: its place is that of the access after it, not before it
// Rmw and Cas pack the rest into imm: op | order << 8 | failure order << 12 | weak << 16.

struct Insn {
  Op op = Op::Nop;
  std::uint8_t width = 64;
  std::uint8_t sub = 0;
  Operand dst = 0, a = 0, b = 0, c = 0;
  std::uint32_t imm = 0;
};
static_assert(sizeof(Insn) == 16);

struct SwitchTable {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cases;  // sorted by value
  std::uint32_t otherwise = 0;
};

// A piece of private memory of a frame: an alloca whose address does not escape.
struct PrivateSlot {
  std::uint32_t word = 0;  // of its header, from the frame's begin
  std::uint32_t size = 0;  // in bytes
};

struct SiteInfo {
  std::uint32_t file = 0;  // index into Module::strings; 0: unknown
  std::uint32_t line = 0, column = 0;
  std::uint32_t function = 0;  // index into Module::strings
  std::uint32_t access = 0;    // what the access is called in the source ("head->next"); 0: unknown
  std::uint32_t subject =
      0;                 // of a call: what its first argument points to ("this->tail"), of a constructor's with one
                         // argument what that does; 0: unknown
  bool library = false;  // not where people look for their mistakes; what is inlined there from the program is its own
};

// What a call hands over, part by part: of a function what it takes, of a call what it gives and what it wants back.
struct Signature {
  struct Part {
    bool is_float = false;
    std::uint8_t width = 64;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::vector<Part> params, results;
  friend bool operator==(const Signature&, const Signature&) = default;
};

// Does a call of this kind give the function what it takes, and get what it wants? A result that is missing altogether
// is an error of whoever uses it, and more arguments than the function takes are lost without harm. Widths are equal:
// nothing truncates what is handed over, and registers hold narrow values zero-extended (cell.h).
inline bool fits(const Signature& call, const Signature& function) {
  const auto covers = [](const std::vector<Signature::Part>& given, const std::vector<Signature::Part>& wanted) {
    if (given.size() < wanted.size()) return false;
    for (std::size_t k = 0; k < wanted.size(); ++k)
      if (given[k].is_float != wanted[k].is_float || given[k].width != wanted[k].width) return false;
    return true;
  };
  return covers(call.params, function.params) && (function.results.empty() || covers(function.results, call.results));
}

struct Function {
  std::string name;   // its symbol
  std::string shown;  // as people write it
  std::vector<Insn> code;
  std::vector<core::Site> sites;  // beside code
  std::vector<Operand> lists;
  std::vector<Cell> constants;
  std::vector<SwitchTable> switches;
  std::vector<PrivateSlot> privates;
  std::vector<std::uint32_t> landings;  // code indices
  std::vector<Operand> params;          // registers that take the arguments
  std::vector<Operand> stack_regs;      // hold the stack objects of the frame, 0 if there is none
  // Those of lower alignment than the heap's objects have: register and alignment.
  std::vector<std::pair<Operand, std::uint32_t>> loose_objects;
  std::uint32_t signature = 0;  // index into Module::signatures
  std::uint32_t registers = 0;
  std::uint32_t frame_words = 0;  // header, registers, marks, private memory
  bool variadic = false;
  bool atomic = false;  // __VERIFIER_atomic_*: the whole call is one atomic section
  bool defined = false;
  bool nounwind = false;              // promises that no exception leaves it
  std::uint32_t exception_table = 0;  // the object that holds it; 0: none
  std::uint64_t personality = 0;      // the address of the function that reads the table; 0: none
  bool library = false;               // of the runtime library: not where people look for their mistakes
  // Which registers are live before each instruction, for programs with pending loads: live_words words each.
  std::vector<std::uint64_t> live;
  std::uint32_t live_words = 0;
};

// Names of a global's parts, from debug information: a small type graph.
struct TypeName {
  enum class Kind : std::uint8_t { Scalar, Pointer, Array, Record };
  struct Field {
    std::string name;
    std::uint32_t offset = 0;
    std::uint32_t type = 0;
    bool bits = false;  // a bit-field
  };
  enum class Number : std::uint8_t { None, Signed, Unsigned };
  Kind kind = Kind::Scalar;
  Number number = Number::None;  // Scalar: whether it is a whole number
  std::uint32_t size = 0;
  std::uint32_t element = 0;  // Array, Pointer; Record: its first base class
  std::vector<Field> fields;
};

// malloc's promise on the machine that programs are compiled for.
inline constexpr std::uint32_t heap_alignment = 16;

struct Module {
  std::vector<Function> functions;
  std::vector<Signature> signatures;  // no two alike
  std::vector<core::GlobalObject> globals;
  std::vector<std::uint32_t> global_types;       // index into types, 0 if unknown
  std::vector<std::uint32_t> global_alignments;  // of templates: those of their instances
  std::vector<TypeName> types{1};
  std::vector<std::uint32_t> tls;                               // objects that are templates of thread-local variables
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;  // by block address: function and code index
  std::vector<SiteInfo> sites;
  std::vector<core::Site> signal_fences;  // fences for the compiler only: they order nothing between threads
  std::vector<std::string> strings{""};
  std::vector<std::string> points;  // names; a Point instruction has in imm the number of its own, counted from 1
  std::vector<std::string> assumptions, bounds;  // as core::Program has them
  // Has a compare-exchange succeeded that compared values with padding?
  std::shared_ptr<std::atomic<bool>> padding_ignored = std::make_shared<std::atomic<bool>>(false);
  // Has a number that its thread did not make of a pointer been followed as one (numbers_of_pointers)?
  std::shared_ptr<std::atomic<bool>> number_followed = std::make_shared<std::atomic<bool>>(false);
  std::uint32_t entry = 0;
  bool cxx = false;  // names of the C++ library's own members mean nothing to people
  bool pending_loads = false;
  // A thread may meet numbers that are addresses though it has made none: an initial value or another thread did.
  bool numbers_of_pointers = false;
  bool addresses_in_constants = false;  // constants depend on the addresses chosen for global objects
};

std::string dump(const Module&, const Function&);

}  // namespace heddle::vm
