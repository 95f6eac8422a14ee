// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/exceptions.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <string>
#include <vector>

namespace heddle::lang::llvm_ir {
namespace {

// DWARF's encodings of pointers.
constexpr char absolute_pointer = 0x00, four_bytes = 0x03, omitted = static_cast<char>(0xff);

class Bytes {
 public:
  void byte(char b) { text_ += b; }
  void unsigned_number(std::uint64_t v, unsigned pad = 0) {
    llvm::raw_string_ostream out(text_);
    llvm::encodeULEB128(v, out, pad);
  }
  void signed_number(std::int64_t v) {
    llvm::raw_string_ostream out(text_);
    llvm::encodeSLEB128(v, out);
  }
  void word(std::uint32_t v) {
    for (unsigned k = 0; k < 4; ++k) byte(static_cast<char>(v >> (8 * k)));
  }
  void append(const Bytes& more) { text_ += more.text_; }
  std::size_t size() const { return text_.size(); }
  llvm::Constant* constant(llvm::LLVMContext& c) const { return llvm::ConstantDataArray::getString(c, text_, false); }

 private:
  std::string text_;
};

// The parts of one function's table.
class TableWriter {
 public:
  int type(llvm::Value* v) {
    auto* t = llvm::cast<llvm::Constant>(v->stripPointerCasts());
    const auto [it, fresh] = numbers_.try_emplace(t, static_cast<int>(types_.size() + 1));
    if (fresh) types_.push_back(t);
    return it->second;
  }

  // Every place has a row, in their order.
  void row(std::uint32_t place, const llvm::LandingPadInst* pad) {
    rows_.word(place);
    rows_.word(1);
    rows_.word(pad != nullptr ? place : 0);
    rows_.unsigned_number(pad != nullptr ? actions(*pad) : 0);
  }

  llvm::Constant* table(llvm::LLVMContext& context) const {
    constexpr std::size_t head_size = 6, alignment = 8;
    Bytes rest;  // behind the offset of the types
    rest.byte(four_bytes);
    rest.unsigned_number(rows_.size());
    rest.append(rows_);
    rest.append(actions_);
    while ((head_size + rest.size()) % alignment != 0) rest.byte(0);
    Bytes head;
    head.byte(omitted);
    head.byte(absolute_pointer);
    head.unsigned_number(rest.size() + alignment * types_.size(), 4);
    head.append(rest);
    auto* pointer = llvm::PointerType::getUnqual(context);
    std::vector<llvm::Constant*> types(types_.rbegin(), types_.rend());  // they are counted backwards
    Bytes lists = lists_;
    lists.byte(0);
    return llvm::ConstantStruct::getAnon({head.constant(context),
                                          llvm::ConstantArray::get(llvm::ArrayType::get(pointer, types.size()), types),
                                          lists.constant(context)});
  }

 private:
  // Where the pad's chain of actions begins, counted from 1; 0 if it only cleans up.
  std::uint64_t actions(const llvm::LandingPadInst& pad) {
    const auto [it, fresh] = chains_.try_emplace(&pad, 0);
    if (!fresh) return it->second;
    std::vector<std::int64_t> chain;
    for (unsigned k = 0; k < pad.getNumClauses(); ++k)
      chain.push_back(pad.isCatch(k) ? type(pad.getClause(k)) : -static_cast<std::int64_t>(list(*pad.getClause(k))));
    if (chain.empty()) return 0;
    if (pad.isCleanup()) chain.push_back(0);
    it->second = actions_.size() + 1;
    for (std::size_t k = 0; k < chain.size(); ++k) {
      actions_.signed_number(chain[k]);
      actions_.signed_number(k + 1 < chain.size() ? 1 : 0);  // the next one begins with the byte behind this one
    }
    return it->second;
  }

  // A list of types that may pass (an exception specification): its place, counted from 1.
  std::uint64_t list(const llvm::Constant& filter) {
    const auto begin = lists_.size() + 1;
    for (unsigned k = 0; k < filter.getType()->getArrayNumElements(); ++k)
      lists_.unsigned_number(static_cast<std::uint64_t>(type(filter.getAggregateElement(k))));
    lists_.byte(0);
    return begin;
  }

  std::vector<llvm::Constant*> types_;
  std::map<const llvm::Constant*, int> numbers_;
  std::map<const llvm::LandingPadInst*, std::uint64_t> chains_;
  Bytes rows_, actions_, lists_;
};

}  // namespace

ExceptionTables::ExceptionTables(llvm::Module& module) {
  for (auto& f : module)
    if (!f.isDeclaration() && f.hasPersonalityFn()) write(f);
}

void ExceptionTables::write(llvm::Function& f) {
  TableWriter writer;
  writer.row(0, nullptr);
  unsigned count = 0;
  llvm::SmallVector<llvm::IntrinsicInst*, 8> questions;
  for (auto& block : f) {
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator())) {
      numbers_[invoke] = ++count;
      writer.row(count, invoke->getLandingPadInst());
    }
    for (auto& i : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::eh_typeid_for)
        questions.push_back(call);
  }
  for (auto* question : questions) {
    const auto number = static_cast<std::uint64_t>(writer.type(question->getArgOperand(0)));
    question->replaceAllUsesWith(llvm::ConstantInt::get(question->getType(), number));
    question->eraseFromParent();
  }
  if (count == 0) return;
  auto* value = writer.table(f.getContext());
  tables_[&f] = new llvm::GlobalVariable(*f.getParent(), value->getType(), true, llvm::GlobalValue::InternalLinkage,
                                         value, f.getName() + ".exceptions");
}

void lower_resume(llvm::Module& module) {
  llvm::SmallVector<llvm::ResumeInst*, 16> all;
  for (auto& f : module)
    for (auto& block : f)
      if (auto* resume = llvm::dyn_cast_or_null<llvm::ResumeInst>(block.getTerminator())) all.push_back(resume);
  for (auto* resume : all) {
    llvm::IRBuilder<> b(resume);
    const auto unwinder =
        module.getOrInsertFunction(resume_function, llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false));
    b.CreateCall(unwinder, {b.CreateExtractValue(resume->getValue(), 0)});
    b.CreateUnreachable();
    resume->eraseFromParent();
  }
}

bool only_terminates(const llvm::LandingPadInst& pad) {
  for (const auto* i = pad.getNextNonDebugInstruction(); i != nullptr; i = i->getNextNonDebugInstruction())
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(i)) {
      const auto* callee = call->getCalledFunction();
      return callee != nullptr && callee->getName() == "__clang_call_terminate";
    }
  return false;
}

}  // namespace heddle::lang::llvm_ir
