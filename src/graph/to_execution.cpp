// SPDX-License-Identifier: Apache-2.0
#include "graph/to_execution.h"

namespace heddle::graph {

Mapped mapped(std::string_view mapping, EventKind kind, bool rmw, core::Order order) {
  const axioms::Tags& t = axioms::tags();
  const bool sc = order == core::Order::SeqCst;
  Mapped m;
  if (mapping == "power") {
    m.order_kept = false;
    if (kind == EventKind::Read && (is_acquire(order) || (rmw && is_release(order)))) {
      // ld; cmp; bc; isync, and sync before a seq_cst one. An rmw's barrier before comes with its read.
      if (sc) m.before = t.sync;
      else if (rmw && is_release(order)) m.before = t.lwsync;
      if (is_acquire(order) && !rmw) m.after = t.isync, m.control = true;
    } else if (kind == EventKind::Write && !rmw && is_release(order)) {
      m.before = sc ? t.sync : t.lwsync;
    } else if (kind == EventKind::Write && rmw && is_acquire(order)) {
      m.after = t.isync;
    }
    // The branch back of a load-reserve loop depends on the store-conditional, and so on the read.
    if (kind == EventKind::Read && rmw && is_acquire(order)) m.control = true;
  } else if (mapping == "riscv" && !rmw) {
    m.order_kept = false;
    if (kind == EventKind::Read && is_acquire(order)) {
      if (sc) m.before = t.rv_fence[3][3];
      m.after = t.rv_fence[1][3];
    } else if (kind == EventKind::Write && is_release(order)) {
      m.before = t.rv_fence[3][2];
    }
  }
  return m;
}

namespace {

template <unsigned W>
std::optional<bool> accepted_with(const Graph& g, const Tables& tables, const axioms::Model& model) {
  thread_local ExecutionBuilder<W> builder;
  thread_local axioms::Execution<W> x;
  if (!builder.build(g, tables, model, x)) return std::nullopt;
  return model.accepts(x);
}

}  // namespace

std::optional<bool> accepted(const Graph& g, const Tables& tables, const axioms::Model& model) {
  if (const auto yes = accepted_with<1>(g, tables, model)) return yes;
  if (const auto yes = accepted_with<4>(g, tables, model)) return yes;
  return accepted_with<16>(g, tables, model);
}

}  // namespace heddle::graph
