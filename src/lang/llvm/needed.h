// Which definitions of the library a program needs: a linker's garbage collection of sections, but before linking, so
// that bodies of functions that nothing leads to are never read. (Of the functions in the modules that a hello world
// with <iostream> needs more than half are not needed.)
//
// Needed is what the entry and the constructors, destructors and used lists of all modules lead to. The first
// definition of a name counts, the program's own before all others: a program may have its own memcpy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace heddle::lang::llvm_ir {

class Needed {
 public:
  explicit Needed(llvm::Module& program);

  // Adds a module of the library, whose functions may still have to be read.
  void add(std::unique_ptr<llvm::Module>);
  // Names that are needed and that no module so far defines. Functions are read on the way: see trouble().
  std::set<std::string> missing();
  // What is wrong with a function that could not be read; empty: nothing.
  const std::string& trouble() const { return trouble_; }

  // The modules of the library in the order in which they were added, with no other definitions than the needed ones.
  // To be called once, when all have been added and missing() was asked.
  std::vector<std::unique_ptr<llvm::Module>> take();

 private:
  void define(llvm::Module&);
  void start_from(const llvm::Module&);
  void reach(const llvm::Value*);
  void reach_global(const llvm::GlobalValue&);
  void scan(const llvm::Value*);
  void need_name(llvm::StringRef name, bool weak);
  bool is_needed(const llvm::GlobalValue& g) const { return seen_.contains(&g); }

  std::vector<std::unique_ptr<llvm::Module>> modules_;
  llvm::StringMap<llvm::GlobalValue*> definitions_;  // by name, the first one
  llvm::StringMap<bool> undefined_;                  // names that are needed and not defined: is it there if it can be?
  llvm::DenseSet<const llvm::Value*> seen_;
  std::vector<const llvm::Value*> waiting_;
  std::string trouble_;
};

}  // namespace heddle::lang::llvm_ir
