// Certifies proofs by buffer languages (ir/buffer_sets.h), with automata of its own.
//
// A certificate proves a program safe under tso or pso, whatever its buffers hold, if its states
//   - contain the initial one,
//   - are closed under every single step, each result inside one of them: a step of a process, a commit, a locked
//     instruction,
//   - hold nothing bad: no failed assertion or run-time error, no forbidden condition, no deadlock, as asked; no
//     forbidden condition either when processes have ended, which are no steps of a certificate.
// The automata of a certificate may be anything: they need be neither deterministic nor minimal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/reason.h"
#include "ir/buffer_sets.h"

namespace heddle::check {

struct BufferClaim {
  struct Goal {
    std::uint32_t proposition = 0;
    bool forbidden_when = true;
  };
  std::vector<Goal> goals;
  bool errors = true;
  bool deadlocks = false;
};

struct BufferCertificateCheck {
  bool verified = false;
  std::string why;                      // if not: what is missing, in which state
  std::optional<core::Reason> stopped;  // or what ended the check
};

BufferCertificateCheck check_buffer_sets(const ir::Program&, const ir::BufferSets&, const BufferClaim&, core::Budget&);

}  // namespace heddle::check
