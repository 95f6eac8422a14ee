// Certificates of safety for array-based systems, written and checked.
//
// A certificate lists cubes. It proves the system safe, for any number of processes, if
//   1. no cube holds an initial state,
//   2. every unsafe cube is contained in a cube of the list, and
//   3. so is every cube of the pre-image of every cube of the list.
// (Cubes in `invariant` blocks are trusted and count as listed.) The checker takes the pre-image's definition from
// array/preimage.h, with nothing skipped, and nothing else from the engine: it reads the cubes from the file, leaves
// the constraints of a pre-image as they stand (no normal form), decides containment by trying all ways to name
// processes and events, asking Z3 where a literal is not there word by word, and decides 1 with Z3.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "array/cube.h"
#include "array/memory_model.h"
#include "core/budget.h"

namespace heddle::check {

// The text of a certificate (JSON).
std::string certificate_text(const array::System&, const array::MemoryModel&, const std::vector<array::Cube>&);

struct CertificateCheck {
  bool valid = false;
  std::string reason;      // why not, in one sentence
  bool malformed = false;  // this is no certificate of this system, or none about these models
  unsigned line = 0;       // of the text, if it is no JSON
  bool stopped = false;    // the budget was spent
  std::string model;
  std::size_t cubes = 0;
  std::size_t preimages = 0;  // cubes whose containment was shown
};

// A certificate about another model than one of `about` is refused; none named: about any.
CertificateCheck check_certificate(const array::System&, std::string_view text, core::Budget&,
                                   const std::vector<std::string>& about = {});

}  // namespace heddle::check
