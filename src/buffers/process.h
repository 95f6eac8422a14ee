// One process of a program, as the buffer engine sees it: local states, what they do, and the closure of a set of buffer
// contents under everything that the process can do while memory stands still.
//
// Between commits and locked instructions memory does not change, so processes do not influence each other. What a
// process may have buffered, and where it then stands, is a regular set, whatever loops it has: a word of it is a word
// of the set before, followed by the stores along a path of the process's graph. What the process sees on that path is
// a function of memory and of the last buffered value of each cell that it both stores and loads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "buffers/alphabet.h"
#include "ir/buffer_sets.h"
#include "ir/eval.h"
#include "ir/program.h"

namespace heddle::buffers {

using Memory = std::vector<std::int32_t>;  // by shared cell

struct WordsHash {
  std::size_t operator()(const std::vector<std::int32_t>& words) const {
    std::uint64_t h = words.size();
    for (const std::int32_t word : words) {
      h = (h ^ static_cast<std::uint32_t>(word)) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
    return h;
  }
};
template <class T>
using ByWords = std::unordered_map<std::vector<std::int32_t>, T, WordsHash>;

// A step that goes wrong, or a state in which an assertion does not hold.
struct Failure {
  std::uint32_t process = 0;
  ir::Status status = ir::Status::True;  // True: an assertion of a control state
  core::Site site = core::no_site;
  std::uint32_t local = 0;  // where the process is
};

// What one edge does from a local state.
struct Outcome {
  const ir::Edge* edge = nullptr;
  std::uint32_t local = 0;         // afterwards
  std::vector<Store> stores;       // in order
  std::optional<Failure> failure;  // then there is no local state afterwards
};

class Process {
 public:
  Process(const ir::Program&, std::uint32_t number, ir::StoreOrder, Automata&, Alphabet&);
  ~Process();

  std::uint32_t initial() const { return initial_; }
  const std::vector<std::int32_t>& local(std::uint32_t state) const { return locals_[state]; }
  const std::vector<std::uint32_t>& words() const { return words_; }  // of the program, that a local state gives values
  std::size_t locals() const { return locals_.size(); }
  // ": P.i takes 1000 values and more" if a local variable does so among the local states met so far; else nothing.
  std::string counter() const;
  // The contents of a language of stores alone, by what the process sees in the cells that it both stores and loads:
  // 1 + the last store to each, 0 where there is none.
  struct Part {
    std::vector<Symbol> newest;
    Language language = 0;
  };
  const std::vector<Part>& parts(Language);
  // Memory as the process sees it behind such contents.
  Memory view(const Memory&, const std::vector<Symbol>& newest) const;

  // All contents that the process reaches from those in `from` while memory is memories[0], then memories[1], …, and
  // back to memories[0], any number of times round; as they are at memories[0]. With one memory: it stands still.
  Language closure(Language from, std::span<const Memory> memories);
  // What goes wrong on the way, if anything: of the last closure that found something.
  const std::optional<Failure>& failure() const { return failure_; }

  // Every enabled edge of a local state in this view, locked instructions too.
  const std::vector<Outcome>& outcomes(std::uint32_t local, const Memory& view);

  // Waits for an empty buffer and acts on memory in one step.
  static bool locked(const ir::Edge& edge) { return edge.atomic_stores != 0 || edge.holds || edge.fence_all; }

  // The assertion of the control state of `local` that fails in this view.
  std::optional<Failure> failed_assertion(std::uint32_t local, const Memory& view);

 private:
  class Port;
  struct Graph;
  std::uint32_t number_of(const std::vector<std::int32_t>& values);
  std::uint32_t newest_after(std::uint32_t newest, Symbol stored);
  // A local state and what is seen there, in scratch memory.
  const std::vector<std::int32_t>& key_of(std::uint32_t local, const Memory& view);

  const ir::Program& program_;
  const std::uint32_t number_;
  const std::uint32_t unneeded_mark_;  // Program::mark where stores keep their order anyway
  Automata& automata_;
  Alphabet& alphabet_;
  std::vector<std::uint32_t> words_;    // control state and locals
  std::vector<std::uint32_t> loaded_;   // cells that it may load
  std::vector<std::uint32_t> tracked_;  // … and may store through its buffer
  // What the process sees of its buffer, numbered: by tracked cell 1 + its last store, 0 if none; 0 is an empty buffer.
  std::vector<std::vector<Symbol>> newest_;
  std::map<std::vector<Symbol>, std::uint32_t> newest_numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> newest_after_;  // by number and stored symbol
  std::vector<std::vector<std::int32_t>> locals_;
  ByWords<std::uint32_t> local_numbers_;
  ByWords<std::vector<Outcome>> outcomes_;
  ByWords<std::optional<Failure>> assertions_;
  ByWords<Language> closures_;
  std::vector<std::int32_t> key_;
  std::unordered_map<Language, std::vector<Part>> parts_;
  std::uint32_t initial_ = 0;
  std::vector<std::int32_t> array_;  // for the evaluator
  std::unique_ptr<Graph> graph_;     // scratch memory
  std::optional<Failure> failure_;
};

}  // namespace heddle::buffers
