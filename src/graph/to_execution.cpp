// SPDX-License-Identifier: Apache-2.0
#include "graph/to_execution.h"

namespace heddle::graph {

namespace {

template <unsigned W>
std::optional<bool> accepted_with(const Graph& g, const Tables& tables, const axioms::Model& model,
                                  const EventPairs& ordered, const std::optional<EventPairs::value_type>& edge) {
  thread_local ExecutionBuilder<W> builder;
  thread_local axioms::Execution<W> x;
  if (!builder.build(g, tables, model, x, ordered, edge)) return std::nullopt;
  return model.accepts(x);
}

}  // namespace

std::optional<bool> accepted(const Graph& g, const Tables& tables, const axioms::Model& model,
                             const EventPairs& ordered, std::optional<EventPairs::value_type> edge) {
  if (const auto yes = accepted_with<1>(g, tables, model, ordered, edge)) return yes;
  if (const auto yes = accepted_with<4>(g, tables, model, ordered, edge)) return yes;
  return accepted_with<16>(g, tables, model, ordered, edge);
}

}  // namespace heddle::graph
