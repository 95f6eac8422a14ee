// Promela text → Model (lang/promela/syntax.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lang/promela/syntax.h"

namespace heddle::promela {

// Throws Mistake.
Model parse_model(Source);

// A condition over the globals of a model that was parsed before. `condition` stays: messages show it. Throws Mistake.
Node parse_condition(const Model&, Source& condition);

}  // namespace heddle::promela
