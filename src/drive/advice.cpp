// SPDX-License-Identifier: Apache-2.0
#include "drive/advice.h"

namespace heddle::drive {

std::string advice(const core::Reason& reason, const Circumstances& now) {
  switch (reason.kind) {
    case core::Reason::Kind::TooLong:
      if (now.tried_states) return "--loop-bound N gives an answer up to a bound";
      return now.machine_exists
                 ? "it may never end; --engine explicit may settle it, --loop-bound N gives an answer up to a bound"
                 : "it may never end; --loop-bound N gives an answer up to a bound";
    case core::Reason::Kind::TimeLimit:
      return std::string(now.shares_time ? "this model's share of the whole time; " : "") +
             "a larger --timeout may help";
    case core::Reason::Kind::StateLimit: return "a larger --max-states may help";
    case core::Reason::Kind::MemoryLimit: return "a larger --memory may help";
    default: return {};
  }
}

}  // namespace heddle::drive
