// What `heddle models` says of each memory model. The models themselves live in memory/ (machines) and axioms/.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace heddle::cli {

struct ModelRow {
  const char* name;
  const char* kind;      // machine, axioms or both: how it is given
  const char* contains;  // models all of whose behaviours it allows too, by commas: the order is partial
  const char* description;
};

std::span<const ModelRow> models();
const ModelRow* find_model(std::string_view name);  // null if there is none

}  // namespace heddle::cli
