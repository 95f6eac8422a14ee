// An execution of a litmus test as a witness that other folders understand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "axioms/execution.h"
#include "core/execution_witness.h"

namespace heddle::lang::litmus {

// Requires accesses of one size per location (no slices): each read has one source, each location one order.
template <unsigned W>
core::ExecutionWitness witness_of(const axioms::Execution<W>& x, const std::string& model) {
  using core::WitnessEvent;
  core::ExecutionWitness out;
  out.model = model;
  std::vector<std::int32_t> number(x.size(), WitnessEvent::initial);
  std::vector<std::uint32_t> reads_so_far(x.size(), 0), ordinal(x.size(), 0);
  for (axioms::EventId e = 0; e < x.size(); ++e) {
    const axioms::Event& event = x.events[e];
    if (event.kind == axioms::EventKind::Init) continue;
    number[e] = static_cast<std::int32_t>(out.events.size());
    if (out.threads.size() <= event.thread) out.threads.resize(event.thread + 1u);
    out.threads[event.thread].entry = event.thread;
    if (event.is_read()) ordinal[e] = reads_so_far[event.thread]++;
    WitnessEvent w;
    w.kind = event.is_read()                          ? WitnessEvent::Kind::Read
             : event.kind == axioms::EventKind::Write ? WitnessEvent::Kind::Write
                                                      : WitnessEvent::Kind::Fence;
    w.thread = event.thread;
    w.index = event.index;
    w.loc = event.loc;
    w.value = event.value;
    w.order = event.order;
    w.tag = event.tag;
    w.rmw = event.in_rmw || event.exclusive;
    w.site = event.site;
    out.events.push_back(std::move(w));
  }
  for (axioms::EventId e = 0; e < x.size(); ++e) {
    if (number[e] < 0) continue;
    WitnessEvent& w = out.events[static_cast<std::size_t>(number[e])];
    for (axioms::EventId other = 0; other < x.size(); ++other) {
      if (x.rf.has(other, e)) w.rf = number[other];
      if (x.addr.has(other, e)) w.addr.push_back(ordinal[other]);
      if (x.data.has(other, e)) w.data.push_back(ordinal[other]);
      if (x.ctrl.has(other, e)) w.ctrl.push_back(ordinal[other]);
      // The write before it is the one that has all others before it behind itself.
      if (w.kind == WitnessEvent::Kind::Write && x.co.has(other, e)) {
        bool last = true;
        for (axioms::EventId between = 0; between < x.size(); ++between)
          last &= !(x.co.has(other, between) && x.co.has(between, e));
        if (last) w.co_prev = number[other];
      }
    }
  }
  return out;
}

}  // namespace heddle::lang::litmus
