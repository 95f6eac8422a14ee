// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/access_names.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace heddle::lang::llvm_ir {
namespace {

struct Named {
  std::string text;  // empty: unknown
  const llvm::DIType* type = nullptr;
};

bool is_reference(const llvm::DIType& t) {
  return t.getTag() == llvm::dwarf::DW_TAG_reference_type || t.getTag() == llvm::dwarf::DW_TAG_rvalue_reference_type;
}

const llvm::DIType* stripped(const llvm::DIType* t) {
  while (const auto* d = llvm::dyn_cast_or_null<llvm::DIDerivedType>(t)) {
    if (d->getTag() == llvm::dwarf::DW_TAG_pointer_type || is_reference(*d)) break;
    t = d->getBaseType();
  }
  return t;
}

// The argument of an inlined call, if the value is a load of the corresponding parameter; null otherwise.
const llvm::Value* given_to_inlined(const llvm::Value& v) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&v);
  const auto* slot = load != nullptr ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
  if (slot == nullptr) return nullptr;
  bool inlined = false;
  for (const auto* d : llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(slot)))
    inlined |= d->getDebugLoc() && d->getDebugLoc()->getInlinedAt() != nullptr;
  for (const auto* d : llvm::findDbgDeclares(const_cast<llvm::AllocaInst*>(slot)))
    inlined |= d->getDebugLoc() && d->getDebugLoc()->getInlinedAt() != nullptr;
  if (!inlined) return nullptr;
  const llvm::Value* given = nullptr;
  for (const llvm::User* user : slot->users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store == nullptr || store->getPointerOperand() != slot) continue;
    if (given != nullptr) return nullptr;
    given = store->getValueOperand();
  }
  return given;
}

class Namer {
 public:
  explicit Namer(const llvm::DataLayout& layout) : layout_(layout) {}

  // The object at an address, with the type of what lies there.
  Named place(const llvm::Value& address, int depth) {
    if (depth > deepest) return {};
    if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(&address)) {
      llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
      g->getDebugInfo(infos);
      if (infos.empty()) return {g->getName().str(), nullptr};
      return {infos[0]->getVariable()->getName().str(), infos[0]->getVariable()->getType()};
    }
    if (const auto* a = llvm::dyn_cast<llvm::AllocaInst>(&address)) {
      for (auto* d : llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(a)))
        return {d->getVariable()->getName().str(), d->getVariable()->getType()};
      for (auto* d : llvm::findDbgDeclares(const_cast<llvm::AllocaInst*>(a)))
        return {d->getVariable()->getName().str(), d->getVariable()->getType()};
      return {};
    }
    if (const auto* g = llvm::dyn_cast<llvm::GEPOperator>(&address)) {
      llvm::APInt offset(64, 0);
      llvm::MapVector<llvm::Value*, llvm::APInt> variable;
      if (!g->collectOffset(layout_, 64, variable, offset)) return {};
      const auto base = place(*g->getPointerOperand(), depth + 1);
      if (base.text.empty()) return {};
      return part(base, offset.getSExtValue(),
                  variable.empty() ? std::string() : index(*variable.begin()->first, depth + 1));
    }
    if (const auto* given = given_to_inlined(address)) return place(*given, depth + 1);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&address)) return returned(*call, depth + 1);
    // The address is a value: what a pointer points to.
    const auto p = value(address, depth + 1);
    if (p.text.empty()) return {};
    const auto* t = llvm::dyn_cast_or_null<llvm::DIDerivedType>(stripped(p.type));
    if (t != nullptr && is_reference(*t)) return {p.text, t->getBaseType()};
    return {"*" + p.text, t != nullptr ? t->getBaseType() : nullptr};
  }

  // The variable (or loaded place) that a value is.
  Named value(const llvm::Value& v, int depth) {
    if (depth > deepest) return {};
    if (const auto* given = given_to_inlined(v)) return value(*given, depth + 1);
    if (const auto* l = llvm::dyn_cast<llvm::LoadInst>(&v)) return place(*l->getPointerOperand(), depth + 1);
    llvm::SmallVector<llvm::DbgValueInst*, 2> old;
    llvm::SmallVector<llvm::DbgVariableRecord*, 2> records;
    llvm::findDbgValues(old, const_cast<llvm::Value*>(&v), &records);
    for (auto* r : records)
      if (r->getExpression() == nullptr || r->getExpression()->getNumElements() == 0)
        return {r->getVariable()->getName().str(), r->getVariable()->getType()};
    for (auto* r : old) return {r->getVariable()->getName().str(), r->getVariable()->getType()};
    return {};
  }

 private:
  static constexpr int deepest = 20;

  // What a method returns a reference or pointer to: "ring[i]", "*pointer", "queue.front()".
  Named returned(const llvm::CallBase& call, int depth) {
    const llvm::Function* function = call.getCalledFunction();
    const llvm::DISubprogram* info = function != nullptr ? function->getSubprogram() : nullptr;
    if (info == nullptr || call.arg_size() == 0 || !call.getArgOperand(0)->getType()->isPointerTy()) return {};
    const auto* method = info->getDeclaration() != nullptr ? info->getDeclaration() : info;
    if (!llvm::isa_and_nonnull<llvm::DICompositeType>(method->getScope())) return {};
    const auto types = info->getType()->getTypeArray();
    const auto* result = types.size() == 0 ? nullptr : llvm::dyn_cast_or_null<llvm::DIDerivedType>(stripped(types[0]));
    const Named object = place(*call.getArgOperand(0), depth);
    if (object.text.empty() || result == nullptr) return {};
    const llvm::StringRef name = info->getName();
    const llvm::DIType* type = result->getBaseType();
    if ((name == "operator[]" || name == "at") && call.arg_size() == 2)
      return {with_index(object.text, index(*call.getArgOperand(1), depth)), type};
    if (name == "operator*" || name == "operator->") return {"*" + object.text, type};
    return {with_field(object.text, (name + "()").str()), type};
  }

  std::string index(const llvm::Value& v, int depth) {
    const llvm::Value* i = &v;
    while (const auto* c = llvm::dyn_cast<llvm::CastInst>(i)) i = c->getOperand(0);
    const auto n = value(*i, depth);
    return n.text.empty() ? "…" : n.text;
  }

  static std::string with_field(const std::string& base, const std::string& field) {
    if (base[0] == '*') return base.substr(1) + "->" + field;
    return base + "." + field;
  }
  static std::string with_index(const std::string& base, const std::string& i) {
    if (base[0] == '*') return base.substr(1) + "[" + i + "]";
    return base + "[" + i + "]";
  }

  Named part(Named base, std::int64_t offset, std::string index) {
    for (int depth = 0; depth < 8; ++depth) {
      const auto* t = stripped(base.type);
      const auto* c = llvm::dyn_cast_or_null<llvm::DICompositeType>(t);
      const auto size = t != nullptr ? static_cast<std::int64_t>(t->getSizeInBits() / 8) : 0;
      if (base.text[0] == '*' && size > 0 && (offset >= size || offset < 0 || !index.empty()) &&
          (c == nullptr || c->getTag() != llvm::dwarf::DW_TAG_array_type)) {
        // A pointer into an array.
        base.text = with_index(base.text, index.empty() ? std::to_string(offset / size) : index);
        offset = ((offset % size) + size) % size;
        index.clear();
        continue;
      }
      if (c == nullptr) break;
      if (c->getTag() == llvm::dwarf::DW_TAG_array_type) {
        const auto* e = stripped(c->getBaseType());
        const auto es = e != nullptr ? static_cast<std::int64_t>(e->getSizeInBits() / 8) : 0;
        if (es == 0) break;
        base = {with_index(base.text, index.empty() ? std::to_string(offset / es) : index), c->getBaseType()};
        offset %= es;
        index.clear();
        continue;
      }
      const llvm::DIDerivedType* found = nullptr;
      for (const auto* e : c->getElements())
        if (const auto* m = llvm::dyn_cast<llvm::DIDerivedType>(e);
            m != nullptr && m->getTag() == llvm::dwarf::DW_TAG_member)
          if (static_cast<std::int64_t>(m->getOffsetInBits() / 8) <= offset) found = m;
      if (found == nullptr) break;
      if (found->getName().starts_with("__")) return {base.text, nullptr};  // a private member of the library
      const bool captured = base.text == "*this" && c->getName().empty();   // by a lambda
      base = {captured ? found->getName().str() : with_field(base.text, found->getName().str()), found->getBaseType()};
      offset -= static_cast<std::int64_t>(found->getOffsetInBits() / 8);
    }
    if (offset != 0) base.type = nullptr;
    return base;
  }

  const llvm::DataLayout& layout_;
};

}  // namespace

std::string access_name(const llvm::Value& address, const llvm::DataLayout& layout) {
  Namer namer(layout);
  auto n = namer.place(address, 0);
  if (n.text.empty()) return {};
  // "*n" with a record behind it is an access to its first field.
  if (n.text[0] == '*')
    if (const auto* c = llvm::dyn_cast_or_null<llvm::DICompositeType>(stripped(n.type)))
      for (const auto* e : c->getElements())
        if (const auto* m = llvm::dyn_cast<llvm::DIDerivedType>(e);
            m != nullptr && m->getTag() == llvm::dwarf::DW_TAG_member && m->getOffsetInBits() == 0 &&
            !m->getName().starts_with("__"))
          return n.text.substr(1) + "->" + m->getName().str();
  return n.text;
}

}  // namespace heddle::lang::llvm_ir
