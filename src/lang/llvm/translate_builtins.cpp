// Functions that are operations of the machine, by name: its own (runtime/include/heddle_vm.h), and those of C
// libraries and checkers that programs call which are checked without the runtime library.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/Analysis/ValueTracking.h>

#include <algorithm>
#include <span>

#include "lang/llvm/translate.h"

namespace heddle::lang::llvm_ir {

using vm::DraftOperand;
using vm::FrameFact;
using vm::Op;

namespace {
constexpr std::uint8_t fact(FrameFact f) { return static_cast<std::uint8_t>(f); }

// Where setjmp returns to, and the activation of its caller.
const std::vector<Part> jump_buffer{{64, 0}, {64, 8}};
}  // namespace

// The operation's shape (vm/) gives operands and result: the call's arguments are the operands in order, and the value
// that it writes is the result of the call.
struct FunctionTranslator::Builtin {
  std::string_view name;
  unsigned arguments;  // a call with fewer is not one of this function
  Op op;
  unsigned width = 64;
  std::uint8_t sub = 0;
  void (FunctionTranslator::*special)(const llvm::CallBase&, const Builtin&) = nullptr;  // in place of all that
  const char* kind = nullptr;                                                            // Fail: of the failure
};

struct FunctionTranslator::Builtins {
  using T = FunctionTranslator;

  // Names without the prefix "__heddle_".
  static constexpr Builtin machine[] = {
      {"choose", 1, Op::Choose, 32},
      {"assume", 1, Op::Assume},
      {"fail", 2, Op::Fail},
      {"fail_exception", 3, Op::FailException},
      {"unsupported", 1, Op::Fail, 64, 0, &T::fail, "unsupported"},
      {"atomic_begin", 0, Op::AtomicBegin},
      {"atomic_end", 0, Op::AtomicEnd},
      {"section_begin", 0, Op::AtomicBegin, 64, vm::section_bit, &T::begin_section},
      {"section_end", 0, Op::AtomicEnd, 64, vm::section_bit, &T::end_section},
      {"alloc", 2, Op::Alloc, 64, 0, &T::allocate},
      {"free", 1, Op::Free},
      {"object_size", 1, Op::ObjectSize},
      {"object_facts", 1, Op::ObjectSize, 64, vm::facts_bit},
      {"spawn", 2, Op::Spawn, 32},
      {"join", 1, Op::Join},
      {"self", 0, Op::Self, 32},
      {"thread_exit", 0, Op::ThreadExit},
      {"end_locals", 0, Op::EndLocals},
      {"exit", 1, Op::Exit},
      {"wait_cas", 3, Op::WaitCas, 32},
      {"wait_cas_long", 3, Op::WaitCas, 64},
      {"wait_lock", 2, Op::WaitCas, 32, vm::owner_bit, &T::wait_for_lock},
      {"unlock", 1, Op::Rmw, 32, 0, &T::unlock},
      {"wait_equal", 2, Op::WaitEq, 32},
      {"wait_bits", 2, Op::WaitEq, 64, vm::bits_bit},
      {"wait_add", 3, Op::WaitAdd, 32},
      {"arrive", 2, Op::Rmw, 64, 0, &T::arrive},
      {"disjoint", 3, Op::Disjoint},
      {"output1", 2, Op::Output, 64, 1},
      {"output2", 2, Op::Output, 64, 2},
      {"before", 2, Op::PtrBefore},
      {"defined", 1, Op::Defined, 32},
      {"note_join", 1, Op::NoteJoin, 32},
      {"thread_pointer", 0, Op::GetThreadPointer},
      {"set_thread_pointer", 1, Op::SetThreadPointer},
      {"setjmp", 1, Op::SetJmp, 32, 0, &T::set_jump},
      {"longjmp", 2, Op::LongJmp, 64, 0, &T::long_jump},
      {"frames", 0, Op::Frames},
      {"frame_table", 1, Op::FrameFact, 64, fact(FrameFact::Table)},
      {"frame_personality", 1, Op::FrameFact, 64, fact(FrameFact::Personality)},
      {"frame_function", 1, Op::FrameFact, 64, fact(FrameFact::Function)},
      {"frame_invoke", 1, Op::FrameFact, 64, fact(FrameFact::Invoke)},
      {"frame_facts", 1, Op::FrameFact, 32, fact(FrameFact::Flags)},
      {"unwind", 3, Op::Unwind},
  };
  static constexpr Builtin others[] = {
      {"__assert_fail", 1, Op::Fail, 64, 0, &T::fail, "assertion"},
      {"abort", 0, Op::Abort},
      {"exit", 1, Op::Exit},
      {"_Exit", 1, Op::Exit},
      {"_exit", 1, Op::Exit},
      {"setjmp", 1, Op::SetJmp, 32, 0, &T::set_jump},  // of IR made with other headers
      {"_setjmp", 1, Op::SetJmp, 32, 0, &T::set_jump},
      {"__sigsetjmp", 2, Op::SetJmp, 32, 0, &T::set_jump},
      {"malloc", 1, Op::Alloc},
      {"free", 1, Op::Free, 64, 0, &T::free_unless_null},
      {"heddle_choose", 1, Op::Choose, 32},
      {"heddle_assume", 1, Op::Assume},
      {"__VERIFIER_assume", 1, Op::Assume},
      {"llmc_assume", 1, Op::Assume},
      {"heddle_atomic_begin", 0, Op::AtomicBegin, 64, vm::section_bit, &T::begin_section},
      {"__VERIFIER_atomic_begin", 0, Op::AtomicBegin, 64, vm::section_bit, &T::begin_section},
      {"llmc_atomic_begin", 0, Op::AtomicBegin, 64, vm::section_bit, &T::begin_section},
      {"heddle_atomic_end", 0, Op::AtomicEnd, 64, vm::section_bit, &T::end_section},
      {"__VERIFIER_atomic_end", 0, Op::AtomicEnd, 64, vm::section_bit, &T::end_section},
      {"llmc_atomic_end", 0, Op::AtomicEnd, 64, vm::section_bit, &T::end_section},
      {"heddle_opaque", 1, Op::Mov, 64, 0, &T::opaque},
      {"heddle_point", 1, Op::Point, 64, 0, &T::point},
      {"__VERIFIER_error", 0, Op::Fail, 64, 0, &T::fail, "reach-error"},
      {"reach_error", 0, Op::Fail, 64, 0, &T::fail, "reach-error"},
      {size_handler, 0, Op::Fail, 64, 0, &T::fail_size, "array-size"},
  };

  static const Builtin* find(std::span<const Builtin> rows, llvm::StringRef name) {
    const auto at = std::ranges::find(rows, std::string_view(name), &Builtin::name);
    return at == rows.end() ? nullptr : &*at;
  }
};

bool FunctionTranslator::builtin(const llvm::CallBase& c, llvm::StringRef name, bool defined) {
  const Builtin* row = nullptr;
  if (name.consume_front("__heddle_")) row = Builtins::find(Builtins::machine, name);
  else if (!defined) row = Builtins::find(Builtins::others, name);
  if (row == nullptr || c.arg_size() < row->arguments) return false;
  if (row->special != nullptr) (this->*row->special)(c, *row);
  else operation(c, *row, {});
  return true;
}

// The row's operation. `given` are its operands, those of the call if there are none.
void FunctionTranslator::operation(const llvm::CallBase& c, const Builtin& row, Parts given) {
  const auto shape = vm::shape_of(row.op);
  if (given.empty())
    for (unsigned k = 0; k < row.arguments; ++k) given.push_back(one(c.getArgOperand(k)));
  DraftOperand dst = vm::no_operand;
  if (shape & vm::D) dst = c.getType()->isVoidTy() ? fresh() : define(c)[0];
  auto& e = emit(row.op, row.width);
  e.sub = row.sub;
  e.dst = dst;
  std::size_t next = 0;
  const auto take = [&](vm::Shape part, DraftOperand& operand) {
    if ((shape & part) && next < given.size()) operand = given[next++];
  };
  take(vm::A, e.a);
  take(vm::B, e.b);
  take(vm::C, e.c);
}

// A failure of a kind of its own. The message is the argument, if there is one.
void FunctionTranslator::fail(const llvm::CallBase& c, const Builtin& row) {
  operation(c, row, {number(0), row.arguments > 0 ? one(c.getArgOperand(0)) : number(0)});
  draft_.blocks[current_].back().imm = module_.string(row.kind);
}

void FunctionTranslator::fail_size(const llvm::CallBase& c, const Builtin& row) {
  if (sizes_array(c)) fail(c, row);
}

// A section of the program's own is a full fence at both ends, also where its accesses by themselves order less: a
// single load orders no store before it.
void FunctionTranslator::begin_section(const llvm::CallBase& c, const Builtin& row) {
  hardware_fence(core::Order::SeqCst, "");
  operation(c, row, {});
}

void FunctionTranslator::end_section(const llvm::CallBase& c, const Builtin& row) {
  operation(c, row, {});
  hardware_fence(core::Order::SeqCst, "");
}

void FunctionTranslator::allocate(const llvm::CallBase& c, const Builtin& row) {
  const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(c.getArgOperand(1));
  if (kind == nullptr) {
    unsupported(c, "the kind of an allocation must be a constant");
    return;
  }
  operation(c, row, {one(c.getArgOperand(0))});
  draft_.blocks[current_].back().imm = static_cast<std::uint32_t>(kind->getZExtValue());
}

void FunctionTranslator::wait_for_lock(const llvm::CallBase& c, const Builtin& row) {
  operation(c, row, {one(c.getArgOperand(0)), number(0), one(c.getArgOperand(1))});
}

void FunctionTranslator::unlock(const llvm::CallBase& c, const Builtin& row) {
  operation(c, row, {one(c.getArgOperand(0)), number(0)});
  draft_.blocks[current_].back().imm = static_cast<std::uint32_t>(core::RmwOp::Xchg) |
                                       (static_cast<std::uint32_t>(core::Order::SeqCst) << 8) | vm::unlock_bit;
}

void FunctionTranslator::arrive(const llvm::CallBase& c, const Builtin& row) {
  operation(c, row, {});
  draft_.blocks[current_].back().imm =
      static_cast<std::uint32_t>(core::RmwOp::Arrive) | (static_cast<std::uint32_t>(core::Order::SeqCst) << 8);
}

void FunctionTranslator::set_jump(const llvm::CallBase& c, const Builtin& row) {
  if (activation_ == vm::no_operand) {
    unsupported(c, "a call of setjmp must be marked returns_twice");
    return;
  }
  const auto mark = fresh(), depth = fresh();
  emit(Op::StackSave).dst = depth;
  emit(Op::JumpMark).dst = mark;
  store_parts({mark, activation_}, jump_buffer, one(c.getArgOperand(0)), 0);
  operation(c, row, {activation_});
  emit(Op::StackRestore).a = depth;  // variable-length arrays whose blocks the jump has left
}

void FunctionTranslator::long_jump(const llvm::CallBase& c, const Builtin& row) {
  const auto mark = fresh(), activation = fresh();
  const auto buffer = one(c.getArgOperand(0)), value = one(c.getArgOperand(1));
  load_parts({mark, activation}, jump_buffer, buffer, 0);
  operation(c, row, {mark, value, activation});
}

void FunctionTranslator::free_unless_null(const llvm::CallBase& c, const Builtin& row) {
  const auto pointer = one(c.getArgOperand(0));
  const auto null = emit_value(Op::Eq, 64, pointer, number(0));
  const auto body = new_block(), done = new_block();
  auto& br = emit(Op::Br, 1);
  br.a = null;
  br.imm = done;
  emit(Op::Jmp).imm = body;
  current_ = body;
  operation(c, row, {pointer});
  emit(Op::Jmp).imm = done;
  current_ = done;
}

void FunctionTranslator::opaque(const llvm::CallBase& c, const Builtin&) { copy_into(c, operands(c.getArgOperand(0))); }

void FunctionTranslator::point(const llvm::CallBase& c, const Builtin&) {
  llvm::StringRef name;
  if (!llvm::getConstantStringInfo(c.getArgOperand(0), name) || name.empty()) {
    unsupported(c, "the name of a point must be a string literal");
    return;
  }
  if (const std::uint32_t number = module_.point(name.str()); number != 0) emit(Op::Point).imm = number;
}

}  // namespace heddle::lang::llvm_ir
