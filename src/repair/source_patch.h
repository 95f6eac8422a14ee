// Memory orders and fences as edits of C and C++ sources: small changes of the text, by position, that leave everything else as
// it is, and the unified diff that shows them.
//
// The text is read as tokens, not parsed. What a position stands for is known from the call there:
// atomic_load_explicit, __atomic_store_n, x.store(…), atomic_thread_fence. An access without a call (`x`, `s->x`, `*p`, `x = 1;`)
// becomes one. Where something else stands there (a macro, an order that is an expression) nothing is edited and the
// reason is given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/order.h"

namespace heddle::repair {

struct SourceEdit {
  enum class Kind : std::uint8_t {
    Order,    // of the access or fence at the position; Plain: the fence is removed
    Failure,  // the failure order of the compare-exchange there
    Before,   // a new fence before the access there
    After     // a new fence behind the access there; `next` is the access that follows it, if it is known
  };
  Kind kind = Kind::Order;
  unsigned line = 0, column = 0;  // from 1
  core::Order order = core::Order::Plain;
  unsigned next_line = 0, next_column = 0;
  // Before, After: accesses and calls that come directly before or behind the fence on some path, as lines and columns.
  // A statement or call with one of them is not passed over.
  std::vector<std::pair<unsigned, unsigned>> around;
  enum class Access : std::uint8_t { Other, Load, Store } access = Access::Other;  // Order: at the position
  bool plain = false;     // … and of an object that is not _Atomic
  bool at_least = false;  // … and the order that is written there is kept as far as it is more
};

// Can a fence be put there? One behind an access in the middle of an expression cannot.
bool expressible(std::string_view text, const SourceEdit&);

struct PatchedSource {
  std::string text;
  std::vector<std::string> left_out;  // edits that were not made, as "LINE:COLUMN: why"
  std::vector<unsigned> lines;        // by line of the text as it was, from 1: its line now, 0 if it is gone
};
PatchedSource patched(std::string_view text, const std::vector<SourceEdit>&);

// In the form that `patch -p1` and `git apply` take; empty if there is no difference.
std::string unified_diff(std::string_view file, std::string_view before, std::string_view after);

}  // namespace heddle::repair
