// SPDX-License-Identifier: Apache-2.0
#include "buffers/condition.h"

#include <algorithm>
#include <set>

#include "ir/footprint.h"

namespace heddle::buffers {
namespace {

void states_named(const ir::Program& program, ir::ExprId id, std::uint32_t process,
                  std::vector<std::uint32_t>& states) {
  if (id == ir::no_expr) return;
  const ir::Expr& e = program.expr(id);
  if (e.op == ir::Op::InState && e.var == process) states.push_back(static_cast<std::uint32_t>(e.value));
  states_named(program, e.left, process, states);
  states_named(program, e.right, process, states);
}

}  // namespace

Condition::Condition(const ir::Program& program, std::uint32_t proposition) {
  const ir::ExprId condition = program.propositions[proposition].condition;
  const ir::WordSet reads = ir::words_read(program, condition);
  for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
    Sight sight;
    states_named(program, condition, p, sight.states);
    std::uint32_t index = 0;  // of a word that belongs to p
    for (std::uint32_t w = program.shared_cells; w < program.variable_words; ++w) {
      if (program.owner[w] != p) continue;
      if (w != program.processes[p].control && reads.has(w)) sight.words.push_back(index);
      ++index;
    }
    if (sight.states.empty() && sight.words.empty()) continue;
    processes_.push_back(p);
    sights_.push_back(std::move(sight));
  }
}

std::vector<std::uint32_t> Condition::different(std::size_t i, const Process& process,
                                                std::span<const std::uint32_t> locals) const {
  std::set<std::vector<std::int32_t>> seen;
  std::vector<std::uint32_t> out;
  for (const std::uint32_t l : locals) {
    const std::vector<std::int32_t>& values = process.local(l);
    const auto control = static_cast<std::uint32_t>(values.front());
    const bool named = std::ranges::find(sights_[i].states, control) != sights_[i].states.end();
    std::vector<std::int32_t> sight{named ? values.front() : -1};
    for (const std::uint32_t w : sights_[i].words) sight.push_back(values[w]);
    if (seen.insert(std::move(sight)).second) out.push_back(l);
  }
  return out;
}

}  // namespace heddle::buffers
