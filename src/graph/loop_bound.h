// How often a thread has been at a place of the program: the bound that a user puts on loops, and the detection of
// threads that repeat so often that they will hardly ever end.
//
// A place in the runtime library is counted per call in the program's own text: four calls of pthread_create are no loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace heddle::graph {

class LoopBound {
 public:
  // `bound`: executions of one place by one thread; 0: no bound.
  // `axiomatic`: axioms judge the graph again and again, so a long one is hopeless much sooner.
  LoopBound(const core::Program& program, const Tables& tables, std::uint32_t bound, bool axiomatic)
      : program_(program),
        tables_(tables),
        bound_(bound),
        longest_(axiomatic ? 25'000 : 250'000),
        interval_(axiomatic ? 128 : 1024),
        often_(axiomatic ? 30 : 300) {}

  bool on() const { return bound_ != 0; }
  // Has the thread been at its present place as often as the bound allows?
  bool reached(const Graph&, ThreadId) const;
  // How often the thread was at this place, up to the event `last`.
  std::uint32_t rounds(const Graph&, EventId last, core::Site) const;
  // Without a bound: is the thread, or the graph, beyond all measure?
  bool hopeless(const Graph& g, ThreadId t) const {
    return g.size() >= longest_ || (!on() && g.threads[t].count % interval_ == 0 && repeats(g, t));
  }

 private:
  bool counts(const Event&, core::Site) const;
  bool repeats(const Graph&, ThreadId) const;

  const core::Program& program_;
  const Tables& tables_;
  const std::uint32_t bound_;
  // Of an execution; what axioms judge is limited besides (graph/to_execution.h).
  const EventId longest_;
  // Repetitions are looked for after so many events of a thread only: they are counted one by one.
  const std::uint32_t interval_;
  const std::uint32_t often_;
};

}  // namespace heddle::graph
