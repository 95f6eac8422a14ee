// The front ends, as rows of the table of languages call them: files and reading options to a Subject.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/budget.h"
#include "drive/subject.h"
#include "drive/task.h"
#include "support/diagnostics.h"

namespace heddle::vm {
class VmProgram;
}

namespace heddle::drive {

support::Result<Subject> load_c(const Task&, core::Budget&);
support::Result<Subject> load_dve(const Task&, core::Budget&);
support::Result<Subject> load_promela(const Task&, core::Budget&);
support::Result<Subject> load_rmm(const Task&, core::Budget&);
support::Result<Subject> load_cubicle(const Task&, core::Budget&);

// The same as load_c(), with room for fences; `made` is called with each translation as it is made. They live as long as
// the subject, wherever it is moved.
support::Result<Subject> load_c_for_repair(const Task&, core::Budget&, std::function<void(vm::VmProgram&)> made);

}  // namespace heddle::drive
