// SPDX-License-Identifier: Apache-2.0
#include "drive/relax.h"

#include <fmt/format.h>

#include "drive/load.h"
#include "lang/dve/dve.h"

namespace heddle::drive {

support::Result<std::string> relax(const Language& language, const Task& task, const RelaxOptions& options,
                                   core::Budget& budget) {
  if (language.load != load_dve)
    return support::Diagnostic{"", 0, 0, fmt::format("there is no relax for {}", language.name), "", "it writes DVE"};
  const auto subject = language.load(task, budget);
  if (!subject) return subject.error();
  const auto relaxed = ir::relax(*subject->steps(), options);
  if (!relaxed) return relaxed.error();
  return dve::print(*relaxed);
}

}  // namespace heddle::drive
