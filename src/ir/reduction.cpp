// SPDX-License-Identifier: Apache-2.0
#include "ir/reduction.h"

#include <algorithm>

#include "ir/footprint.h"

namespace heddle::ir {
namespace {

// Edges that close a cycle: the back edges of a depth-first search over all control states. The initial one need not lead
// to the others: a process that is created later waits in a state without edges until its creator enters its first one.
std::vector<bool> closing_edges(const Program& program) {
  std::vector<bool> closing(program.edges.size(), false);
  enum class Colour : std::uint8_t { White, Grey, Black };
  for (const Process& process : program.processes) {
    std::vector<std::vector<std::uint32_t>> leaving(process.states.size());
    for (const std::uint32_t e : process.edges) leaving[program.edges[e].source].push_back(e);
    std::vector<Colour> colour(process.states.size(), Colour::White);
    struct Frame {
      std::uint32_t state;
      std::size_t next;
    };
    std::vector<Frame> stack;
    const auto enter = [&](std::uint32_t state) {
      colour[state] = Colour::Grey;
      stack.push_back({state, 0});
    };
    const auto search_from = [&](std::uint32_t root) {
      if (colour[root] == Colour::White) enter(root);
      while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.next == leaving[frame.state].size()) {
          colour[frame.state] = Colour::Black;
          stack.pop_back();
          continue;
        }
        const std::uint32_t e = leaving[frame.state][frame.next++];
        const std::uint32_t target = program.edges[e].target;
        if (colour[target] == Colour::Grey) closing[e] = true;
        if (colour[target] == Colour::White) enter(target);
      }
    };
    search_from(process.initial);
    for (std::uint32_t state = 0; state < process.states.size(); ++state) search_from(state);
  }
  return closing;
}

// The processes that touch each word: none, one, or several. Kept so, and not as a set for every process of what the
// others touch, since programs may have thousands of processes.
class Users {
 public:
  explicit Users(std::uint32_t words) : user_(words, nobody) {}
  void add(const WordSet& words, std::uint32_t process) {
    words.for_each([&](std::uint32_t w) { user_[w] = user_[w] == nobody || user_[w] == process ? process : several; });
  }
  bool other_than(std::uint32_t process, const WordSet& words) const {
    bool found = false;
    words.for_each([&](std::uint32_t w) { found |= user_[w] != nobody && user_[w] != process; });
    return found;
  }

 private:
  static constexpr std::uint32_t nobody = none, several = none - 1;
  std::vector<std::uint32_t> user_;
};

}  // namespace

Ample::Ample(const Program& program, bool buffered, const std::vector<std::uint32_t>& visible_propositions,
             bool check_assertions) {
  const std::uint32_t words = program.variable_words;  // as footprints have it
  const std::vector<Footprint> prints = footprints(program);
  const std::vector<bool> closing = closing_edges(program);

  WordSet in_propositions(words);  // read main memory
  for (const std::uint32_t p : visible_propositions)
    in_propositions.add(words_read(program, program.propositions[p].condition));
  WordSet in_assertions(words);  // read the process's own view: a buffered store changes it at once
  if (check_assertions)
    for (const Process& process : program.processes)
      for (const ControlState& state : process.states)
        for (const Assertion& assertion : state.assertions) {
          in_assertions.add(words_read(program, assertion.condition));
          in_assertions.add(process.control);
        }

  const std::size_t count = program.processes.size();
  Users readers(words), writers(words);
  for (std::uint32_t e = 0; e < program.edges.size(); ++e) {
    readers.add(prints[e].guard_reads, program.edges[e].process);
    readers.add(prints[e].reads, program.edges[e].process);
    writers.add(prints[e].writes, program.edges[e].process);
  }

  const bool possible = !program.has_commit && program.holder == none && program.timeout == none &&
                        program.assumptions.empty() && !program.one_entry && program.kind == SystemKind::Async &&
                        program.property == none;
  // A store into a buffer disables whoever waits until all buffers are empty.
  const bool drains = buffered && std::ranges::any_of(program.edges, [](const Edge& edge) { return edge.fence_all; });
  alone_.resize(count);
  for (std::uint32_t p = 0; p < count; ++p) {
    const Process& process = program.processes[p];
    alone_[p].assign(process.states.size(), possible);
    std::vector<bool> leaves(process.states.size(), false);
    for (const std::uint32_t e : process.edges) {
      const Edge& edge = program.edges[e];
      const Footprint& print = prints[e];
      leaves[edge.source] = true;
      WordSet touches(words);  // words that change at once; a buffered store changes none
      print.writes.for_each([&](std::uint32_t w) {
        if (!buffered || w >= program.shared_cells) touches.add(w);
      });
      const bool independent = edge.sync == Sync::None && !edge.fence && edge.atomic_stores == 0 &&
                               !(drains && edge.stores != 0) && !readers.other_than(p, touches) &&
                               !writers.other_than(p, touches) && !writers.other_than(p, print.guard_reads) &&
                               !writers.other_than(p, print.reads);
      const bool visible = touches.meets(in_propositions) || print.writes.meets(in_assertions);
      if (!independent || visible || closing[e]) alone_[p][edge.source] = false;
    }
    for (std::size_t s = 0; s < leaves.size(); ++s) {
      if (!leaves[s]) alone_[p][s] = false;
      useful_ |= alone_[p][s];
    }
  }
}

}  // namespace heddle::ir
