// What was found or proved before, taken up again: the traces of a saved report, and certificates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "check/replayed.h"
#include "core/budget.h"
#include "drive/languages.h"
#include "drive/subject.h"
#include "drive/task.h"
#include "support/diagnostics.h"

namespace heddle::drive {

// `--replay`: the traces of the report, of the models that were named if some were, step by step on the program as it
// is now. What each must end in is what the report says it does; nothing else of the report is believed. A trace that
// leads elsewhere is a mistake of the input.
support::Result<std::vector<core::Verdict>> replay_saved(const Language&, Subject&, const Task&, core::Budget&);

// The run of a verdict that was saved, on the program as it is now; confirmed if it leads to what the verdict says, or to
// another violation of that kind among the subject's properties. Requires that the subject is prepared for the model.
check::Replayed replay_verdict(const Subject&, const models::Model&, const core::Verdict&, unsigned buffer_bound);

// `--check-certificate`: Safe under its model if it proves that of this text. Refused if it is about another model than
// those that were named.
support::Result<std::vector<core::Verdict>> recheck_certificate(Subject&, const Task&, core::Budget&);

struct SavedText {
  const std::string& text;
  const std::string& file;  // that has it, for diagnostics
};

// The same of an array-based system and a text of cubes about one of these models; none named: about any.
support::Result<core::Verdict> recheck_cubes(const cubicle::System&, const SavedText&,
                                             const std::vector<std::string>& about, core::Budget&);

}  // namespace heddle::drive
