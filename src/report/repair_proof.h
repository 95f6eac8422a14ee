// Certificates of repairs as text: what proves that a set of changes is enough and that nothing cheaper is. The text is a
// report (report/json.h) of the runs that go wrong, and beside it what each of them shows. check/ and drive/ decide whether
// it is a proof; here it is only written and read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "support/diagnostics.h"

namespace heddle::report {

struct RepairProof {
  struct Place {
    std::string name;  // what is changed and where
    std::uint64_t cost = 1;
    friend bool operator==(const Place&, const Place&) = default;
  };
  using Numbers = std::vector<std::uint32_t>;  // of places, ascending

  // A run that goes wrong although all places outside the constraint are strengthened.
  struct Constraint {
    Numbers places;
    core::Verdict run;    // Unsafe, with its model and trace
    std::string variant;  // C: as --variant has it
  };

  std::string model;          // several, by commas, if it is about all of them
  std::vector<Place> places;  // all that may be changed
  bool hopeless = false;      // nothing helps: one constraint, without places
  Numbers chosen;             // else: the set
  std::vector<Constraint> constraints;
  std::string
      states;  // what proves the chosen set safe, if something does (ir/buffer_sets.h, check/cubicle_certificate.h)
};

std::string certificate_text(const std::vector<std::string>& files, const std::vector<RepairProof>&);

// `file` names the text in diagnostics.
support::Result<std::vector<RepairProof>> read_certificate(const std::string& text, const std::string& file);

}  // namespace heddle::report
