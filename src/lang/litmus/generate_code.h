// Second half of generate.h: what the events of a cycle are (thread, location, value), and their code in each dialect.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lang/litmus/generate.h"

namespace heddle::lang::litmus {

struct SkeletonEvent {
  bool write = false;
  unsigned location = 0;
  unsigned value = 0;  // written, or to be read
  std::string note;
  const Edge* before = nullptr;  // the edge from the previous event of the thread; null for the first
};

struct Skeleton {
  std::vector<std::vector<SkeletonEvent>> threads;
  std::vector<unsigned> writes;  // by location: how many
  std::vector<Edge> cycle;       // owns what `before` points to
};

// Requires a cycle whose directions fit and whose last edge is external.
Skeleton make_skeleton(const std::vector<Edge>& cycle);

std::string write_test(const Skeleton&, Dialect, const std::string& name, const std::string& orig);

}  // namespace heddle::lang::litmus
