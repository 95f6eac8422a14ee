// What the referee says of a run that an engine has found: confirmed, with the trace that its own machine made of it,
// or why not. A run is believed only as far as this goes, whatever the engine and the language.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/property.h"
#include "core/reason.h"
#include "core/trace.h"

namespace heddle::check {

struct Replayed {
  bool confirmed = false;
  core::Reason why;         // if not: Internal (the run is none, or does not show what is claimed) or TooLarge
  core::Claim claim;        // what the run shows; of a failure, with its word
  std::string violation;    // in one sentence
  core::SourcePlace place;  // where, in the user's own files
  core::Trace trace;
  bool addresses = false;  // an address is used as a number in it: with others it may go another way
  bool spurious = false;   // a compare-exchange fails in it though the values are equal
};

inline Replayed not_replayed(std::string why) {
  Replayed result;
  result.why = {core::Reason::Kind::Internal, std::move(why)};
  return result;
}

}  // namespace heddle::check
