// What an exploration tells of the graphs that it builds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.h"

namespace heddle::graph {

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void event(Graph&, EventId) = 0;          // e was added or now reads another write
  virtual void failed(Graph&, ThreadId) = 0;        // the thread's request is Failed
  virtual bool maximal(Graph&, bool complete) = 0;  // no thread can go on; false: seen before
  // Does what event() finds follow from the event, those older than it and its porf prefix? Then a graph that begins like
  // one that was told of need not be told of again from its beginning.
  virtual bool prefix_decides() const = 0;
  virtual bool stops() const = 0;  // asked after each of failed() and maximal(): is the exploration over?
};

}  // namespace heddle::graph
