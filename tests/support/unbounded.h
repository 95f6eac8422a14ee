// Programs with unbounded buffers: loaded with what must not happen, decided, certified, and looked for by an explicit
// search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "buffers/saturate.h"
#include "check/buffer_certificate.h"
#include "check/ir_replay.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/promela/promela.h"
#include "models/models.h"
#include "support/protocols.h"

namespace heddle::tests {

struct Loaded {
  promela::Loaded model;
  std::uint32_t bad = 0;
};

inline Loaded load(const Protocol& protocol) {
  auto loaded = promela::load_text(protocol.text, "protocol.pml");
  if (!loaded) throw std::runtime_error(render(loaded.error()) + "\n" + protocol.text);
  const auto bad = promela::add_proposition(*loaded, protocol.bad, "bad");
  if (!bad) throw std::runtime_error(render(bad.error()));
  return {std::move(*loaded), *bad};
}

// The shortest bound on buffers with which an explicit search finds it, with a run that replays; 0 if none up to most;
// nothing if a search is given up, one of more states than `most_states`.
inline std::optional<unsigned> searched_bound(const ir::Program& program, std::uint32_t bad, const char* model,
                                              unsigned most, std::uint64_t most_states) {
  for (unsigned bound = 1; bound <= most; ++bound) {
    const ir::System system(program, *models::machine(model), {.buffer_bound = bound, .visible = {bad}});
    explore::SearchOptions options;
    options.goals = {{bad, true}};
    core::Budget budget;
    budget.max_states = most_states;
    const auto result = explore::search_with_trace(system, options, budget);
    if (!result.found && result.stopped) return std::nullopt;
    if (!result.found) continue;
    const auto replayed =
        check::replay(program, model, bound, result.found->moves, {core::StateProposition{bad, true}});
    EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
    return bound;
  }
  return 0;
}

// The same; 0 also if a search is given up.
inline unsigned explicit_bound(const Loaded& l, const char* model, unsigned most,
                               std::uint64_t most_states = 10'000'000) {
  return searched_bound(l.model.program, l.bad, model, most, most_states).value_or(0);
}

inline buffers::Question question_of(std::uint32_t bad, const char* model) {
  buffers::Question question;
  question.order = std::string(model) == "tso" ? ir::StoreOrder::Program : ir::StoreOrder::Location;
  question.goals = {{bad, true}};
  return question;
}

inline buffers::Answer decide(const Loaded& l, const char* model, std::uint64_t most_states = 20000,
                              unsigned window = 0) {
  buffers::Question question = question_of(l.bad, model);
  question.window = window;
  EXPECT_EQ(buffers::refuse(l.model.program, question), std::nullopt);
  core::Budget budget;
  budget.max_states = most_states;
  return buffers::saturate(l.model.program, question, budget);
}

inline void certify(const ir::Program& program, std::uint32_t bad, const buffers::Answer& answer) {
  core::Budget budget;
  const auto checked = check::check_buffer_sets(program, answer.proof, {{{bad, true}}}, budget);
  EXPECT_TRUE(checked.verified) << checked.why;
}

inline void certify(const Loaded& l, const buffers::Answer& answer) { certify(l.model.program, l.bad, answer); }

inline constexpr std::uint64_t no_fence = 0;

}  // namespace heddle::tests
