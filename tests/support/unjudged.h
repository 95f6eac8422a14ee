// A finding as a verdict that was not replayed, for tests of an engine alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evidence.h"

namespace heddle::test {

inline core::Verdict unjudged(core::Finding finding) {
  core::Verdict verdict;
  verdict.statistics = finding.statistics;
  verdict.notes = finding.notes;
  if (const core::Found* found = finding.found()) {
    verdict.outcome = core::Outcome::Unsafe;
    verdict.violation = verdict.violation_kind = word_of(found->claim);
  } else {
    core::pronounce(verdict, finding);
    verdict.assumptions = finding.assumptions;
  }
  return verdict;
}

}  // namespace heddle::test
