// A user's own memory model, in the core of the cat language (Alglave, Cousot, Maranget, "Syntax and semantics of the
// weak consistency model specification language cat", 2016): let, let rec, functions, procedures, tests with names,
// flags, include, and the usual predefined sets and relations.
//
// Sets and relations are those of axioms/relation.h; an undefined name, a set where a relation is needed, and anything
// of the language that is not supported (match, forall, with … from other than the coherence orders, which Heddle
// enumerates itself) is a Diagnostic when the file is read, or an error in the verdict if it shows only in evaluation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "axioms/execution.h"
#include "core/budget.h"
#include "support/diagnostics.h"

namespace heddle::axioms {

struct CatVerdict {
  bool accepted = true;
  std::string failed;              // the test that failed, by its name, if it was not accepted
  std::vector<std::string> flags;  // raised flags
  std::string error;               // not empty: the model cannot be evaluated, and why
  bool stopped = false;            // the error is the budget's
};

namespace cat {
struct Program;
}

class CatModel {
 public:
  // `include` files are looked for beside the file that includes them.
  static support::Result<CatModel> read(const std::string& file, const core::Budget* = nullptr);
  static support::Result<CatModel> parse(const std::string& file, std::string_view text, const core::Budget* = nullptr);

  const std::string& name() const { return name_; }  // the quoted title, or the file's name

  // The error is the budget's reason if it ends in between. The set A is, as in herd7, that of atomic accesses and fences in
  // a test of C and that of acquire reads elsewhere.
  CatVerdict judge(const Execution<1>&, const core::Budget* = nullptr, bool of_c = false) const;
  CatVerdict judge(const Execution<4>&, const core::Budget* = nullptr, bool of_c = false) const;
  CatVerdict judge(const Execution<16>&, const core::Budget* = nullptr, bool of_c = false) const;

 private:
  std::string name_;
  std::shared_ptr<const cat::Program> program_;
};

}  // namespace heddle::axioms
