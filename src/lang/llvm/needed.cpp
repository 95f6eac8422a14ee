// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/needed.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/Error.h>

#include "lang/llvm/exceptions.h"

namespace heddle::lang::llvm_ir {
namespace {

// Has the value a name that other modules know?
bool is_known(const llvm::GlobalValue& g) { return !g.hasLocalLinkage() && !g.hasAppendingLinkage(); }

void declare_alias(llvm::GlobalAlias& alias) {
  llvm::Module& module = *alias.getParent();
  llvm::GlobalValue* declared = nullptr;
  if (auto* type = llvm::dyn_cast<llvm::FunctionType>(alias.getValueType()))
    declared = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", module);
  else
    declared = new llvm::GlobalVariable(module, alias.getValueType(), false, llvm::GlobalValue::ExternalLinkage,
                                        nullptr, "", nullptr, alias.getThreadLocalMode());
  declared->takeName(&alias);
  alias.replaceAllUsesWith(declared);
  alias.eraseFromParent();
}

void declare(llvm::GlobalValue& g) {
  if (auto* f = llvm::dyn_cast<llvm::Function>(&g)) {
    f->deleteBody();
  } else if (auto* v = llvm::dyn_cast<llvm::GlobalVariable>(&g)) {
    v->setInitializer(nullptr);
    v->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

// Makes declarations of the definitions that are not to stay. Aliases go first: they must not name a declaration. So what
// an alias that stays names is not left out, but has no name for others any more.
template <class Stays>
void keep(llvm::Module& module, const Stays& stays) {
  llvm::SmallPtrSet<const llvm::GlobalObject*, 4> named;
  for (auto& a : llvm::make_early_inc_range(module.aliases())) {
    if (stays(a)) named.insert(a.getAliaseeObject());
    else declare_alias(a);
  }
  for (auto& g : module.global_objects()) {
    if (g.isDeclaration() || stays(g)) continue;
    if (named.contains(&g)) g.setLinkage(llvm::GlobalValue::InternalLinkage);
    else declare(g);
  }
}

}  // namespace

Needed::Needed(llvm::Module& program) {
  define(program);
  if (const auto* entry = program.getNamedValue("__heddle_entry")) reach(entry);
  start_from(program);
}

void Needed::add(std::unique_ptr<llvm::Module> module) {
  for (auto& g : module->global_objects()) g.setComdat(nullptr);  // each name is chosen by itself
  keep(*module, [&](const llvm::GlobalValue& g) {
    return !is_known(g) || (!g.hasAvailableExternallyLinkage() && !definitions_.contains(g.getName()));
  });
  define(*module);
  start_from(*module);
  modules_.push_back(std::move(module));
}

void Needed::define(llvm::Module& module) {
  for (auto& g : module.global_values()) {
    if (g.isDeclaration() || !is_known(g) || !definitions_.try_emplace(g.getName(), &g).second) continue;
    if (undefined_.erase(g.getName())) reach(&g);
  }
}

void Needed::start_from(const llvm::Module& module) {
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"})
    if (const auto* root = module.getNamedValue(name)) reach(root);
}

void Needed::reach(const llvm::Value* v) {
  if (!llvm::isa<llvm::Constant>(v) || !seen_.insert(v).second) return;
  if (const auto* g = llvm::dyn_cast<llvm::GlobalValue>(v)) reach_global(*g);
  else waiting_.push_back(v);
}

void Needed::reach_global(const llvm::GlobalValue& g) {
  if (!is_known(g)) {
    waiting_.push_back(&g);
    return;
  }
  if (g.getName().starts_with("llvm.")) return;
  const auto defined = definitions_.find(g.getName());
  if (defined == definitions_.end()) need_name(g.getName(), g.hasExternalWeakLinkage());
  else if (defined->second == &g) waiting_.push_back(&g);
  else reach(defined->second);
}

void Needed::need_name(llvm::StringRef name, bool weak) {
  if (const auto defined = definitions_.find(name); defined != definitions_.end()) {
    reach(defined->second);
    return;
  }
  const auto known = undefined_.try_emplace(name, weak).first;
  known->second = known->second && weak;
}

void Needed::scan(const llvm::Value* v) {
  if (const auto* f = llvm::dyn_cast<llvm::Function>(v)) {
    if (auto error = const_cast<llvm::Function*>(f)->materialize()) {
      trouble_ = llvm::toString(std::move(error));
      return;
    }
    for (const auto& i : llvm::instructions(*f)) {
      if (llvm::isa<llvm::ResumeInst>(i)) need_name(resume_function, false);
      for (const auto& o : i.operands()) reach(o.get());
    }
  }
  if (const auto* user = llvm::dyn_cast<llvm::User>(v))
    for (const auto& o : user->operands()) reach(o.get());
}

std::set<std::string> Needed::missing() {
  while (!waiting_.empty()) {
    const auto* v = waiting_.back();
    waiting_.pop_back();
    scan(v);
  }
  std::set<std::string> names;
  for (const auto& [name, weak] : undefined_)
    if (!weak) names.insert(name.str());
  return names;
}

std::vector<std::unique_ptr<llvm::Module>> Needed::take() {
  for (const auto& module : modules_) {
    keep(*module, [&](const llvm::GlobalValue& g) { return !is_known(g) || is_needed(g); });
    // What is only defined where it is used would be left out where only other modules use it.
    for (auto& g : module->global_values())
      if (g.hasLinkOnceLinkage()) g.setLinkage(llvm::GlobalValue::getWeakLinkage(g.hasLinkOnceODRLinkage()));
  }
  return std::move(modules_);
}

}  // namespace heddle::lang::llvm_ir
