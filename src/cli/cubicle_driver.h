// One array-based system under one model: search, replay of what was found, certificate of what was proved.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/verdict.h"
#include "lang/cubicle/syntax.h"
#include "support/diagnostics.h"

namespace heddle::cli {

struct CubicleOptions {
  unsigned workers = 1;
  unsigned brab = 0;     // processes of the instance that guesses come from; 0: no guessing
  bool certify = false;  // check a proof by check/, and keep its text
};

struct CubicleAnswer {
  core::Verdict verdict;
  std::string certificate;  // of a Safe verdict, if asked for and valid
};

// Under pso the number of writes that are overtaken at once is bounded; the bound is raised while that is cheap, and
// part of the verdict where it stays in the way.
CubicleAnswer decide_cubicle(const cubicle::System&, const std::string& model, const CubicleOptions&, core::Budget&);

// A certificate that was written before, checked against this text: Safe under its model if it proves that. Refused if
// it is about none of the models `about`; none named: about any.
support::Result<std::vector<core::Verdict>> recheck_certificate(const cubicle::System&, const std::string& file,
                                                                core::Budget&,
                                                                const std::vector<std::string>& about = {});

}  // namespace heddle::cli
