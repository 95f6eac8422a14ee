// One function: its blocks, control flow and values.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/CFG.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lang/llvm/exceptions.h"
#include "lang/llvm/scope.h"
#include "lang/llvm/translate.h"

namespace heddle::lang::llvm_ir {

using vm::DraftInsn;
using vm::DraftOperand;
using vm::Op;

vm::DraftInsn& FunctionTranslator::emit(Op op, unsigned width) {
  auto& i = draft_.blocks[current_].emplace_back();
  i.op = op;
  i.width = static_cast<std::uint8_t>(width);
  i.site = site_;
  return i;
}

DraftOperand FunctionTranslator::emit_value(Op op, unsigned width, DraftOperand a, DraftOperand b, DraftOperand c,
                                            std::uint8_t sub) {
  const auto dst = fresh();
  auto& i = emit(op, width);
  i.dst = dst;
  i.a = a;
  i.b = b;
  i.c = c;
  i.sub = sub;
  return dst;
}

DraftOperand FunctionTranslator::number(std::uint64_t bits, vm::Mark mark) {
  auto [it, fresh_one] =
      constants_.try_emplace({bits, mark}, static_cast<DraftOperand>(draft_.constants.size()) | vm::draft_constant);
  if (fresh_one) draft_.constants.push_back({bits, mark});
  return it->second;
}
DraftOperand FunctionTranslator::cell(const vm::Cell& c) { return number(c.bits, c.mark); }

std::uint32_t FunctionTranslator::new_block() {
  draft_.blocks.emplace_back();
  return static_cast<std::uint32_t>(draft_.blocks.size() - 1);
}

void FunctionTranslator::unsupported(const std::string& what) { emit(Op::Unsupported).imm = module_.string(what); }

namespace {

// What to do about a value of a type that the machine does not have; empty if there is nothing.
std::string advice(const llvm::Value& v) {
  const auto wide = [](const llvm::Value* x) { return x->getType()->getScalarType()->isX86_FP80Ty(); };
  const auto* i = llvm::dyn_cast<llvm::Instruction>(&v);
  if (!wide(&v) && (i == nullptr || std::none_of(i->op_begin(), i->op_end(), wide))) return {};
  return "long double has 64 bits in checked programs: compile it with -mlong-double-64";
}

}  // namespace

void FunctionTranslator::unsupported(const llvm::Instruction& i, const std::string& why) {
  const std::string reason = why.empty() ? advice(i) : why;
  std::string text;
  llvm::raw_string_ostream out(text);
  i.print(out);
  const auto first = text.find_first_not_of(" ");
  text = text.substr(first == std::string::npos ? 0 : first);
  if (const auto cut = text.find(", !dbg"); cut != std::string::npos) text.resize(cut);
  unsupported("the instruction \"" + text + "\" is not supported" + (reason.empty() ? "" : ": " + reason));
  if (!i.getType()->isVoidTy() && !values_.contains(&i)) define(i);
}

std::vector<Part> FunctionTranslator::parts_of(llvm::Type* type) {
  std::vector<Part> parts;
  if (type->isVoidTy()) return parts;
  module_.flatten(type, parts);
  return parts;
}

unsigned FunctionTranslator::width_of(llvm::Type* type, const llvm::DataLayout& layout) {
  return static_cast<unsigned>(layout.getTypeSizeInBits(type->getScalarType()).getFixedValue());
}

const Parts& FunctionTranslator::define(const llvm::Value& v) {
  auto [it, fresh_one] = values_.try_emplace(&v);
  if (fresh_one)
    for (std::size_t k = parts_of(v.getType()).size(); k > 0; --k) it->second.push_back(fresh());
  return it->second;
}

// The value is exactly these operands: no copy. Values that a phi or an earlier use has given registers are copied.
void FunctionTranslator::assign(const llvm::Value& v, Parts parts) {
  if (values_.contains(&v)) {
    copy_into(v, parts);
    return;
  }
  values_.emplace(&v, std::move(parts));
}

void FunctionTranslator::copy_into(const llvm::Value& v, const Parts& from) {
  const auto& to = define(v);
  for (std::size_t k = 0; k < to.size() && k < from.size(); ++k) {
    auto& i = emit(Op::Mov);
    i.dst = to[k];
    i.a = from[k];
  }
}

Parts FunctionTranslator::operands(const llvm::Value* v) {
  if (const auto it = values_.find(v); it != values_.end()) return it->second;
  if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(v);
      g != nullptr && g->isThreadLocal() && module_.object(*g) != 0) {
    // Not cached: this place need not dominate other uses in the function.
    const auto dst = fresh();
    auto& i = emit(Op::Tls);
    i.dst = dst;
    i.imm = module_.tls_index(*g);
    return {dst};
  }
  if (const auto* c = llvm::dyn_cast<llvm::Constant>(v)) {
    if (const auto cells = module_.constant(c)) {
      Parts parts;
      for (const auto& x : *cells) parts.push_back(cell(x));
      return values_.emplace(v, std::move(parts)).first->second;
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    v->printAsOperand(out);
    const std::string reason = advice(*v);
    if (module_.oversized(*c)) unsupported("a variable of more than 64 MiB: " + text);
    else
      unsupported(llvm::isa<llvm::GlobalVariable>(v)
                      ? "the variable " + v->getName().str() + " is defined nowhere"
                      : "the constant " + text + " is not supported" + (reason.empty() ? "" : ": " + reason));
    return Parts(std::max<std::size_t>(parts_of(v->getType()).size(), 1), number(0));
  }
  if (llvm::isa<llvm::MetadataAsValue>(v) || v->getType()->isVoidTy() || v->getType()->isMetadataTy()) return {};
  // Defined later in the order of blocks (a loop): its registers are known before its code is.
  return define(*v);
}

vm::Draft FunctionTranslator::run() {
  draft_.name = function_.getName().str();
  draft_.variadic = function_.isVarArg();
  draft_.returns_twice = function_.callsFunctionThatReturnsTwice();
  draft_.atomic = function_.getName().starts_with("__VERIFIER_atomic_") &&
                  function_.getName() != "__VERIFIER_atomic_begin" && function_.getName() != "__VERIFIER_atomic_end";
  for (const auto& a : function_.args())
    for (auto p : define(a)) draft_.params.push_back(p);
  classify_allocas();
  for (const auto& b : function_) blocks_[&b] = new_block();
  // Values that a later block (in layout) defines and an earlier one uses must have registers, so all instructions get
  // theirs before any code is made, except where a value is another's parts (assign).
  for (const auto& b : function_)
    for (const auto& phi : b.phis()) define(phi);
  for (const auto& [b, index] : module_.blocks())
    if (b->getParent() == &function_) draft_.block_addresses.emplace_back(blocks_[b], index);
  if (draft_.returns_twice) name_activation();
  for (const auto& b : function_) block(b);
  return std::move(draft_);
}

// The frame gets an object of its own, so that a longjmp to it can be told from one to an earlier call.
void FunctionTranslator::name_activation() {
  current_ = blocks_[&function_.getEntryBlock()];
  activation_ = fresh();
  draft_.stack_regs.push_back(activation_);
  const auto size = number(8);
  auto& e = emit(Op::Alloc);
  e.dst = activation_;
  e.a = size;
  e.imm = static_cast<std::uint32_t>(stack_kind_);
}

void FunctionTranslator::block(const llvm::BasicBlock& b) {
  current_ = blocks_[&b];
  for (const auto& i : b)
    if (!llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(i)) {
      site_ = module_.site(i);
      instruction(i);
    }
}

void FunctionTranslator::phi_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  // All at once: what a later copy still reads goes through a register of its own.
  struct Copy {
    DraftOperand to, from;
  };
  std::vector<Copy> copies;
  for (const auto& phi : to.phis()) {
    const Parts source = operands(phi.getIncomingValueForBlock(&from));
    const auto& target = define(phi);
    for (std::size_t k = 0; k < target.size(); ++k)
      if (target[k] != source[k]) copies.push_back({target[k], source[k]});
  }
  for (std::size_t k = 0; k < copies.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (copies[j].to == copies[k].from) {
        copies[k].from = copies[k].from;
        // Saved before anything is overwritten.
        const auto saved = fresh();
        DraftInsn save;
        save.op = Op::Mov;
        save.site = site_;
        save.dst = saved;
        save.a = copies[k].from;
        draft_.blocks[current_].push_back(save);
        copies[k].from = saved;
        break;
      }
  for (const auto& c : copies) {
    auto& i = emit(Op::Mov);
    i.dst = c.to;
    i.a = c.from;
  }
}

// The target of a control-flow edge: the block itself, or a new block with the copies for its phis.
std::uint32_t FunctionTranslator::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  if (to.phis().empty()) return blocks_[&to];
  const auto here = current_;
  const auto between = new_block();
  current_ = between;
  phi_copies(from, to);
  emit(Op::Jmp).imm = blocks_[&to];
  current_ = here;
  return between;
}

void FunctionTranslator::jump(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  phi_copies(from, to);
  emit(Op::Jmp).imm = blocks_[&to];
}

const llvm::CallBase* size_check(const llvm::BasicBlock& block) {
  const llvm::CallBase* found = nullptr;
  for (const auto& i : block.instructionsWithoutDebug()) {
    if (i.isTerminator()) return i.getNumSuccessors() == 1 && block.phis().empty() ? found : nullptr;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr || call->getCalledFunction() == nullptr || call->getCalledFunction()->getName() != size_handler)
      return nullptr;
    if (found == nullptr || !sizes_array(*found)) found = call;
  }
  return nullptr;
}

bool sizes_array(const llvm::CallBase& check) {
  const llvm::DILocation* at = check.getDebugLoc();
  return check.getFunction()->getSubprogram() == nullptr || (at != nullptr && at->getLine() != 0);
}

// A condition that must hold, or must not. Nothing depends on it, unlike on a branch of the program's own.
void FunctionTranslator::require(const llvm::Value* condition, bool holds, const char* kind) {
  if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(condition); c != nullptr && c->isOne() == holds) return;
  const auto a = one(condition);
  auto& e = emit(Op::Require, 1);
  e.a = a;
  e.sub = holds ? 0 : vm::refuted_bit;
  e.imm = module_.string(kind);
}

void FunctionTranslator::branch(const llvm::BranchInst& b) {
  const auto& here = *b.getParent();
  if (b.isUnconditional()) {
    jump(here, *b.getSuccessor(0));
    return;
  }
  for (const unsigned k : {0U, 1U}) {
    const auto &failed = *b.getSuccessor(k), &passed = *b.getSuccessor(1 - k);
    const auto required = [&](const llvm::CallBase& check, const char* kind) {
      const auto site = std::exchange(site_, module_.site(check));
      require(b.getCondition(), k == 1, kind);
      site_ = site;
      jump(here, passed);
    };
    if (const auto* trap = trap_of(failed); trap != nullptr) return required(*trap, trap_kind(*trap));
    if (const auto* check = size_check(failed); check != nullptr && failed.getSingleSuccessor() == &passed) {
      if (sizes_array(*check)) return required(*check, "array-size");
      if (passed.phis().empty()) return jump(here, passed);
    }
  }
  const auto condition = one(b.getCondition());
  const auto yes = edge(here, *b.getSuccessor(0));
  const auto no = edge(here, *b.getSuccessor(1));
  auto& i = emit(Op::Br, 1);
  i.a = condition;
  i.imm = yes;
  emit(Op::Jmp).imm = no;
}

void FunctionTranslator::switch_on(const llvm::SwitchInst& s) {
  if (s.getCondition()->getType()->getIntegerBitWidth() > 64) {
    unsupported(s);
    return;
  }
  const auto value = one(s.getCondition());
  vm::SwitchTable table;
  table.otherwise = edge(*s.getParent(), *s.getDefaultDest());
  std::map<const llvm::BasicBlock*, std::uint32_t> edges;
  for (const auto& c : s.cases()) {
    auto [it, fresh_one] = edges.try_emplace(c.getCaseSuccessor(), 0);
    if (fresh_one) it->second = edge(*s.getParent(), *c.getCaseSuccessor());
    table.cases.emplace_back(c.getCaseValue()->getZExtValue(), it->second);
  }
  auto& i = emit(Op::Switch);
  i.a = value;
  i.imm = static_cast<std::uint32_t>(draft_.switches.size());
  draft_.switches.push_back(std::move(table));
}

void FunctionTranslator::leave(const llvm::ReturnInst* r) {
  for (auto reg : draft_.stack_regs) emit(Op::StackFree).a = reg;
  Parts values;
  if (r != nullptr && r->getReturnValue() != nullptr) values = operands(r->getReturnValue());
  if (values.size() > 16) {
    unsupported("a return value with more than 16 parts is not supported");
    return;
  }
  emit(Op::Ret).uses = values;
}

// Locals of pointer type are read once more behind a call of exit() (by code that is never run): that keeps them alive.
void FunctionTranslator::keep_until_exit(const llvm::Instruction& unreachable) {
  if (!behind_exit(unreachable) || module_.in_library(function_)) return;
  for (const auto& i : function_.getEntryBlock())
    if (const auto* a = llvm::dyn_cast<llvm::AllocaInst>(&i);
        a != nullptr && a->getAllocatedType()->isPointerTy() && slots_.contains(a))
      emit_value(Op::Freeze, 64, slots_[a][0]);
}

// A call with an exceptional edge. Nothing but a jump may follow the call in its block (vm/assemble.cpp).
void FunctionTranslator::invoke(const llvm::InvokeInst& i) {
  landing_ = landing(i);
  call(i);
  landing_ = vm::no_block;
  emit(Op::Jmp).imm = edge(*i.getParent(), *i.getNormalDest());
}

// The block that an exception enters: it receives the landing pad's values, then makes the copies for its block's phis.
std::uint32_t FunctionTranslator::landing(const llvm::InvokeInst& i) {
  const auto& pad = *i.getLandingPadInst();
  const auto here = current_;
  current_ = new_block();
  const auto begin = current_;
  const Parts values = define(pad);
  auto& e = emit(Op::Landing);
  e.imm = module_.exceptions().number(i);
  e.sub = only_terminates(pad) ? vm::terminates_bit : 0;
  e.defs = values;
  jump(*i.getParent(), *i.getUnwindDest());
  current_ = here;
  return begin;
}

void FunctionTranslator::instruction(const llvm::Instruction& i) {
  using I = llvm::Instruction;
  switch (i.getOpcode()) {
    case I::Ret: leave(llvm::cast<llvm::ReturnInst>(&i)); return;
    case I::Br: branch(llvm::cast<llvm::BranchInst>(i)); return;
    case I::Switch: switch_on(llvm::cast<llvm::SwitchInst>(i)); return;
    case I::IndirectBr: {
      const auto& b = llvm::cast<llvm::IndirectBrInst>(i);
      for (unsigned k = 0; k < b.getNumDestinations(); ++k)
        if (!b.getDestination(k)->phis().empty()) {
          // Each label would need its own edge; a jump through a chain of comparisons has them.
          vm::SwitchTable table;
          for (unsigned j = 0; j < b.getNumDestinations(); ++j) {
            const auto* to = b.getDestination(j);
            const auto it = module_.blocks().find(to);
            if (it != module_.blocks().end())
              table.cases.emplace_back(vm::block_address + it->second, edge(*b.getParent(), *to));
          }
          const auto bad = new_block();
          const auto here = current_;
          current_ = bad;
          unsupported("a computed goto to a label outside its list");
          current_ = here;
          table.otherwise = bad;
          auto& s = emit(Op::Switch);
          s.a = one(b.getAddress());
          s.imm = static_cast<std::uint32_t>(draft_.switches.size());
          draft_.switches.push_back(std::move(table));
          return;
        }
      const auto address = one(b.getAddress());
      emit(Op::IndirectBr).a = address;
      return;
    }
    case I::Unreachable:
      keep_until_exit(i);
      // Behind a call that does not come back (pthread_exit, longjmp) the frame still knows what is to be freed.
      for (auto reg : draft_.stack_regs) emit(Op::StackFree).a = reg;
      emit(Op::Unreachable);
      return;
    case I::Invoke: invoke(llvm::cast<llvm::InvokeInst>(i)); return;
    case I::LandingPad: define(i); return;  // Unwind writes its values (landing)
    case I::Call: call(llvm::cast<llvm::CallBase>(i)); return;
    case I::Alloca: alloca_(llvm::cast<llvm::AllocaInst>(i)); return;
    case I::Load: load(llvm::cast<llvm::LoadInst>(i)); return;
    case I::Store: store(llvm::cast<llvm::StoreInst>(i)); return;
    case I::AtomicRMW: rmw(llvm::cast<llvm::AtomicRMWInst>(i)); return;
    case I::AtomicCmpXchg: cmpxchg(llvm::cast<llvm::AtomicCmpXchgInst>(i)); return;
    case I::Fence:
      fence(llvm::cast<llvm::FenceInst>(i).getOrdering(), llvm::cast<llvm::FenceInst>(i).getSyncScopeID());
      return;
    case I::GetElementPtr: gep(llvm::cast<llvm::GetElementPtrInst>(i)); return;
    case I::ICmp: compare(llvm::cast<llvm::ICmpInst>(i)); return;
    case I::FCmp: {
      const auto& c = llvm::cast<llvm::FCmpInst>(i);
      const auto w = width_of(c.getOperand(0)->getType(), layout_);
      if (w != 32 && w != 64) {
        unsupported(i);
        return;
      }
      const Parts a = operands(c.getOperand(0)), b = operands(c.getOperand(1));
      const auto& to = define(i);
      for (std::size_t k = 0; k < to.size(); ++k) {
        auto& e = emit(Op::FCmp, w);
        e.dst = to[k];
        e.a = a[k];
        e.b = b[k];
        e.sub = static_cast<std::uint8_t>(c.getPredicate());
      }
      return;
    }
    case I::FNeg: {
      const auto w = width_of(i.getType(), layout_);
      if (w != 32 && w != 64) {
        unsupported(i);
        return;
      }
      const Parts a = operands(i.getOperand(0));
      const auto& to = define(i);
      for (std::size_t k = 0; k < to.size(); ++k) {
        auto& e = emit(Op::FNeg, w);
        e.dst = to[k];
        e.a = a[k];
      }
      return;
    }
    case I::Select: {
      const Parts c = operands(i.getOperand(0)), a = operands(i.getOperand(1)), b = operands(i.getOperand(2));
      const auto parts = parts_of(i.getType());
      const auto& to = define(i);
      for (std::size_t k = 0; k < to.size(); ++k) {
        auto& e = emit(Op::Select, parts[k].width);
        e.dst = to[k];
        e.a = c[k * c.size() / to.size()];  // of one for all, or of the element that the part belongs to
        e.b = a[k];
        e.c = b[k];
      }
      return;
    }
    case I::Freeze: {
      const Parts a = operands(i.getOperand(0));
      const auto& to = define(i);
      for (std::size_t k = 0; k < to.size(); ++k) {
        auto& e = emit(Op::Freeze);
        e.dst = to[k];
        e.a = a[k];
      }
      return;
    }
    case I::ExtractElement:
    case I::InsertElement: element(i); return;
    case I::ShuffleVector: shuffle(llvm::cast<llvm::ShuffleVectorInst>(i)); return;
    case I::ExtractValue:
    case I::InsertValue: aggregate(i); return;
    default: break;
  }
  if (const auto* b = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
    binary(*b);
    return;
  }
  if (const auto* c = llvm::dyn_cast<llvm::CastInst>(&i)) {
    cast(*c);
    return;
  }
  unsupported(i);
}

}  // namespace heddle::lang::llvm_ir
