// Calls: of functions, of the machine's own functions, of intrinsics, of inline assembly.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/InlineAsm.h>

#include <cctype>

#include "core/tags.h"
#include "lang/llvm/translate.h"

namespace heddle::lang::llvm_ir {

using vm::DraftOperand;
using vm::no_operand;
using vm::Op;

void FunctionTranslator::call_function(const llvm::CallBase& c, const llvm::Function* callee,
                                       llvm::ArrayRef<const llvm::Value*> args) {
  Parts uses;
  const auto* type = callee != nullptr ? callee->getFunctionType() : c.getFunctionType();
  const auto fixed = type->getNumParams();
  std::size_t behind_dots = 0;
  for (std::size_t k = 0; k < args.size(); ++k) {
    Parts parts = operands(args[k]);
    if (k >= fixed) {
      // Two floats that go in one register (a struct of two) lie in one word.
      if (args[k]->getType()->isVectorTy()) {
        std::vector<Part> whole;
        for (unsigned at = 0; at < layout_.getTypeSizeInBits(args[k]->getType()).getFixedValue(); at += 64)
          whole.push_back({64, at / 8});
        parts = repack(parts, parts_of(args[k]->getType()), whole);
      }
      // Sixteen-byte arguments are aligned in the overflow area.
      if (args[k]->getType()->isIntegerTy(128) && behind_dots % 2 != 0) {
        uses.push_back(number(0, vm::undefined_mark));
        ++behind_dots;
      }
      behind_dots += parts.size();
    }
    uses.insert(uses.end(), parts.begin(), parts.end());
  }
  vm::Signature signature;
  for (const auto* arg : args) module_.add_parts(arg->getType(), signature.params);
  if (!c.use_empty()) module_.add_parts(c.getType(), signature.results);
  // A direct call by another type than the function's is looked at like one through a pointer.
  if (callee != nullptr && !callee->isDeclaration() && !vm::fits(signature, module_.signature_of(*callee)))
    callee = nullptr;
  DraftOperand target = no_operand;
  if (callee == nullptr) target = one(c.getCalledOperand());
  Parts defs;
  if (!c.getType()->isVoidTy()) defs = define(c);
  auto& e = emit(callee != nullptr ? Op::Call : Op::CallInd);
  e.a = target;
  e.imm = callee != nullptr ? module_.function(*callee) : module_.signature(std::move(signature));
  e.uses = std::move(uses);
  e.defs = std::move(defs);
}

void FunctionTranslator::call_named(const llvm::CallBase& c, const char* name,
                                    llvm::ArrayRef<const llvm::Value*> args) {
  const auto* callee = function_.getParent()->getFunction(name);
  if (callee == nullptr || callee->isDeclaration())
    unsupported(std::string("the library function ") + name + " is missing");
  else call_function(c, callee, args);
}

void FunctionTranslator::call(const llvm::CallBase& c) {
  if (c.isInlineAsm()) {
    assembly(c);
    return;
  }
  if (const auto* i = llvm::dyn_cast<llvm::IntrinsicInst>(&c)) {
    intrinsic(*i);
    return;
  }
  const auto* target = c.getCalledOperand()->stripPointerCasts();
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(target)) target = alias->getAliaseeObject();
  const auto* callee = llvm::dyn_cast<llvm::Function>(target);
  if (callee != nullptr && builtin(c, callee->getName(), !callee->isDeclaration())) return;
  std::vector<Part> ignored;
  if (!c.getType()->isVoidTy() && !module_.flatten(c.getType(), ignored)) {
    unsupported(c, "its result fits no register");
    return;
  }
  llvm::SmallVector<const llvm::Value*, 8> args(c.args().begin(), c.args().end());
  call_function(c, callee, args);
}

bool FunctionTranslator::builtin(const llvm::CallBase& c, llvm::StringRef name, bool defined) {
  auto arg = [&](unsigned k) { return one(c.getArgOperand(k)); };
  auto result = [&](Op op, unsigned width, DraftOperand a = no_operand, DraftOperand b = no_operand,
                    std::uint32_t imm = 0) {
    const auto dst = c.getType()->isVoidTy() ? fresh() : define(c)[0];
    auto& e = emit(op, width);
    e.dst = dst;
    e.a = a;
    e.b = b;
    e.imm = imm;
  };
  auto act = [&](Op op, DraftOperand a = no_operand, DraftOperand b = no_operand, DraftOperand x = no_operand,
                 unsigned width = 64) {
    auto& e = emit(op, width);
    e.a = a;
    e.b = b;
    e.c = x;
  };
  auto section = [&](Op op) { emit(op).sub = vm::section_bit; };
  auto fail = [&](const char* kind, DraftOperand message) {
    auto& e = emit(Op::Fail);
    e.a = number(0);
    e.b = message;
    e.imm = module_.string(kind);
  };
  const auto args = c.arg_size();
  // The machine's own functions (runtime/include/heddle_vm.h).
  if (name.consume_front("__heddle_")) {
    if (name == "choose" && args == 1) result(Op::Choose, 32, arg(0));
    else if (name == "assume" && args == 1) act(Op::Assume, arg(0));
    else if (name == "fail" && args == 2) act(Op::Fail, arg(0), arg(1));
    else if (name == "unsupported" && args == 1) fail("unsupported", arg(0));
    else if (name == "atomic_begin") act(Op::AtomicBegin);
    else if (name == "atomic_end") act(Op::AtomicEnd);
    else if (name == "section_begin") section(Op::AtomicBegin);
    else if (name == "section_end") section(Op::AtomicEnd);
    else if (name == "alloc" && args == 2) {
      const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(c.getArgOperand(1));
      if (kind == nullptr) return false;
      result(Op::Alloc, 64, arg(0), no_operand, static_cast<std::uint32_t>(kind->getZExtValue()));
    } else if (name == "free" && args == 1) act(Op::Free, arg(0));
    else if (name == "object_size" && args == 1) result(Op::ObjectSize, 64, arg(0));
    else if (name == "spawn" && args == 2) result(Op::Spawn, 32, arg(0), arg(1));
    else if (name == "join" && args == 1) act(Op::Join, arg(0));
    else if (name == "self") result(Op::Self, 32);
    else if (name == "thread_exit") act(Op::ThreadExit);
    else if (name == "exit" && args == 1) act(Op::Exit, arg(0));
    else if (name == "wait_cas" && args == 3) act(Op::WaitCas, arg(0), arg(1), arg(2), 32);
    else if (name == "wait_lock" && args == 2) {
      act(Op::WaitCas, arg(0), number(0), arg(1), 32);
      draft_.blocks[current_].back().sub = vm::owner_bit;
    } else if (name == "disjoint" && args == 3) act(Op::Disjoint, arg(0), arg(1), arg(2));
    else if (name == "wait_equal" && args == 2) act(Op::WaitEq, arg(0), arg(1), no_operand, 32);
    else if (name == "output1" && args == 2) {
      act(Op::Output, arg(0), arg(1));
      draft_.blocks[current_].back().sub = 1;
      draft_.blocks[current_].back().dst = fresh();
    } else if (name == "output2" && args == 2) {
      act(Op::Output, arg(0), arg(1));
      draft_.blocks[current_].back().sub = 2;
      draft_.blocks[current_].back().dst = fresh();
    } else if (name == "before" && args == 2) result(Op::PtrBefore, 64, arg(0), arg(1));
    else if (name == "defined" && args == 1) result(Op::Defined, 32, arg(0));
    else if (name == "note_join" && args == 1) result(Op::NoteJoin, 32, arg(0));
    else if (name == "thread_pointer") result(Op::GetThreadPointer, 64);
    else if (name == "set_thread_pointer" && args == 1) act(Op::SetThreadPointer, arg(0));
    else if (name == "setjmp" && args == 1) {
      const auto mark = fresh();
      const auto buffer = arg(0);
      emit(Op::JumpMark).dst = mark;
      store_parts({mark}, {{64, 0}}, buffer, 0);
      result(Op::SetJmp, 32);
    } else if (name == "longjmp" && args == 2) {
      const auto mark = fresh();
      const auto buffer = arg(0), value = arg(1);
      load_parts({mark}, {{64, 0}}, buffer, 0);
      act(Op::LongJmp, mark, value);
    } else return false;
    return true;
  }
  if (defined) return false;
  // What the C library would give, for programs that are checked without it.
  if (name == "__assert_fail" && args >= 1) fail("assertion", arg(0));
  else if (name == "abort") act(Op::Abort);
  else if ((name == "exit" || name == "_Exit" || name == "_exit") && args == 1) act(Op::Exit, arg(0));
  else if (name == "malloc" && args == 1) result(Op::Alloc, 64, arg(0));
  else if (name == "free" && args == 1) {
    // free(NULL) is allowed.
    const auto pointer = arg(0);
    const auto null = emit_value(Op::Eq, 64, pointer, number(0));
    const auto body = new_block(), done = new_block();
    auto& br = emit(Op::Br, 1);
    br.a = null;
    br.imm = done;
    emit(Op::Jmp).imm = body;
    current_ = body;
    act(Op::Free, pointer);
    emit(Op::Jmp).imm = done;
    current_ = done;
  } else if (name == "heddle_choose" && args == 1) result(Op::Choose, 32, arg(0));
  else if ((name == "heddle_assume" || name == "__VERIFIER_assume" || name == "llmc_assume") && args == 1)
    act(Op::Assume, arg(0));
  else if (name == "heddle_atomic_begin" || name == "__VERIFIER_atomic_begin" || name == "llmc_atomic_begin")
    section(Op::AtomicBegin);
  else if (name == "heddle_atomic_end" || name == "__VERIFIER_atomic_end" || name == "llmc_atomic_end")
    section(Op::AtomicEnd);
  else if (name == "heddle_opaque" && args == 1) copy_into(c, Parts(operands(c.getArgOperand(0))));
  else if (name == "__VERIFIER_error" || name == "reach_error") fail("reach-error", number(0));
  else return false;
  return true;
}

namespace {

// Barriers and hints, by their text without blanks. Where C11 has no fence of that strength the tag tells the hardware
// model which one it is.
struct AssemblyRow {
  const char* text;
  core::Order order;  // Plain: a hint to the processor, without any effect
  const char* tag = "";
};
constexpr AssemblyRow assembly_rows[] = {{"mfence", core::Order::SeqCst},
                                         {"lfence", core::Order::Acquire},
                                         {"sfence", core::Order::Release},
                                         {"dmbish", core::Order::SeqCst},
                                         {"dmbsy", core::Order::SeqCst},
                                         {"dsbish", core::Order::SeqCst},
                                         {"dsbsy", core::Order::SeqCst},
                                         {"dmbishld", core::Order::Acquire},
                                         {"dmbld", core::Order::Acquire},
                                         {"dmbishst", core::Order::Release, "dmb.st"},
                                         {"dmbst", core::Order::Release, "dmb.st"},
                                         {"sync", core::Order::SeqCst},
                                         {"hwsync", core::Order::SeqCst},
                                         {"lwsync", core::Order::AcqRel},
                                         {"eieio", core::Order::Release, "eieio"},
                                         {"fencerw,rw", core::Order::SeqCst},
                                         {"fenceiorw,iorw", core::Order::SeqCst},
                                         {"fencer,rw", core::Order::Acquire},
                                         {"fencerw,w", core::Order::Release},
                                         {"fence.tso", core::Order::AcqRel},
                                         {"pause", core::Order::Plain},
                                         {"repnop", core::Order::Plain},
                                         {"nop", core::Order::Plain},
                                         {"yield", core::Order::Plain},
                                         {"wfe", core::Order::Plain},
                                         {"sev", core::Order::Plain},
                                         {"sevl", core::Order::Plain},
                                         {"or27,27,27", core::Order::Plain},
                                         {"or1,1,1", core::Order::Plain},
                                         {"or2,2,2", core::Order::Plain}};

}  // namespace

// An empty piece of assembly keeps the compiler from moving accesses; fences are what they are. The rest is not known.
void FunctionTranslator::assembly(const llvm::CallBase& c) {
  const auto* a = llvm::cast<llvm::InlineAsm>(c.getCalledOperand());
  std::string text;
  for (const char x : a->getAsmString())
    if (x != ' ' && x != '\t' && x != '\n' && x != ';') text += static_cast<char>(std::tolower(x));
  if (text.empty()) {
    if (c.getType()->isVoidTy()) return;
    // "+r"(x): comes out as it went in.
    if (c.arg_size() == 1 && parts_of(c.getType()).size() == operands(c.getArgOperand(0)).size()) {
      copy_into(c, Parts(operands(c.getArgOperand(0))));
      return;
    }
  } else if (c.getType()->isVoidTy()) {
    const llvm::StringRef locked(text);
    if (locked.starts_with("lockaddl$0,") || locked.starts_with("lockaddl$$0,") || locked.starts_with("lockorl$$0,") ||
        locked.starts_with("lockaddq$$0,"))
      text = "mfence";
    for (const auto& row : assembly_rows)
      if (text == row.text) {
        if (row.order != core::Order::Plain) hardware_fence(row.order, row.tag);
        return;
      }
  }
  unsupported("the inline assembly \"" + a->getAsmString() + "\" is not supported");
  if (!c.getType()->isVoidTy()) define(c);
}

void FunctionTranslator::hardware_fence(core::Order order, const char* tag) {
  auto& e = emit(Op::Fence);
  e.sub = static_cast<std::uint8_t>(order);
  e.imm = *tag != 0 ? core::tag(tag) : 0;
}

}  // namespace heddle::lang::llvm_ir
