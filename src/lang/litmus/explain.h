// Why a model rejects an execution, in words: the axiom and the events of its cycle with the relations between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "axioms/models.h"
#include "lang/litmus/program.h"

namespace heddle::lang::litmus {

template <unsigned W>
std::string relation_between(const axioms::Execution<W>& x, axioms::EventId a, axioms::EventId b) {
  const std::pair<const char*, const axioms::Relation<W>*> named[] = {
      {"rmw", &x.rmw},   {"rfe", &x.rfe},   {"rfi", &x.rfi},       {"fre", &x.fre}, {"coe", &x.coe}, {"addr", &x.addr},
      {"data", &x.data}, {"ctrl", &x.ctrl}, {"po-loc", &x.po_loc}, {"po", &x.po},   {"fri", &x.fri}, {"coi", &x.coi}};
  for (const auto& [name, relation] : named)
    if (relation->has(a, b)) return name;
  return "~";
}

template <unsigned W>
std::string explain(const axioms::Execution<W>& x, const axioms::Judge<W>& judge, const LitmusProgram& program) {
  std::string s = fmt::format("{}:", judge.axiom());
  const auto& cycle = judge.cycle();
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const axioms::Event& e = x.events[cycle[i]];
    const std::string where = e.is_access() ? program.location_name(e.loc, {}) : "";
    const std::string thread = e.kind == axioms::EventKind::Init ? "init" : fmt::format("P{}", e.thread);
    if (e.kind == axioms::EventKind::Fence) s += fmt::format(" {} fence", thread);
    else
      s += fmt::format(" {} {}{}={}", thread, e.is_read() ? "R" : "W", where, static_cast<std::int64_t>(e.value.bits));
    if (cycle.size() > 1) s += fmt::format(" -{}->", relation_between(x, cycle[i], cycle[(i + 1) % cycle.size()]));
  }
  return s;
}

}  // namespace heddle::lang::litmus
