// The text of a proof about threads: the answers that make the unfolding (ir/unfold.h) again, then the symbolic states
// of its program (ir/buffer_sets.h). Whoever reads it makes local states and edges anew, from the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/unfold.h"
#include "support/diagnostics.h"

namespace heddle::ir {

std::string threads_certificate(const Unfolding&, StoreOrder, const std::string& states);

struct ThreadsCertificate {
  StoreOrder order = StoreOrder::Program;
  std::vector<Unfolding::Question> answers;
  std::string states;  // a certificate of the unfolded program
};
support::Result<ThreadsCertificate> parse_threads_certificate(std::string_view text, const std::string& file);

}  // namespace heddle::ir
