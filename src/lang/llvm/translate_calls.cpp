// Calls: of functions, of intrinsics, of inline assembly.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/InlineAsm.h>
#include <llvm/Support/Regex.h>

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
  // A direct call with another type than the function's is checked like an indirect one.
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
  e.landing = landing_;
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

// Empty assembly is a compiler barrier, without effect here; known fences become fences; the rest is unsupported.
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
    // x86's other full fence: a locked addition of the constant 0 ("$$0"; "$0" is an operand) to one place in memory.
    if (llvm::Regex(R"(^lock(add|or)[lq][$][$]0,([-0-9]*\(%[re]sp\)|[$][0-9]+)$)").match(text)) text = "mfence";
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
