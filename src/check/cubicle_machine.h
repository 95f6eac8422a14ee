// A finite instance of an array-based system, run naively: N processes, memory, and a store buffer each.
//
// The oracle of the parameterised engine, straight from the source text: it shares no code with array/ and param/, and
// knows buffers where they know orders of events. All writes of a transition are one buffer entry, flushed in one step;
// a transition that reads and writes weak names is locked: it needs its own buffer empty and acts on memory. Under tso
// the oldest entry is flushed, under pso any entry whose cells no older entry writes, under sc nothing is buffered.
// States that match an `invariant` block are left out, as those blocks are trusted. Everything is a std::vector or
// std::map.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/cubicle/syntax.h"

namespace heddle::check {

class CubicleMachine {
 public:
  struct Entry {
    std::vector<std::pair<std::uint32_t, std::int64_t>> cells;  // ascending
    std::uint16_t transition = 0;                               // that made it; tells no two entries apart
    friend bool operator==(const Entry& a, const Entry& b) { return a.cells == b.cells; }
    friend std::strong_ordering operator<=>(const Entry& a, const Entry& b) { return a.cells <=> b.cells; }
  };
  struct State {
    std::vector<std::int64_t> memory;         // all cells of all symbols; reals in units of 1/20000
    std::vector<std::vector<Entry>> buffers;  // by process, oldest first
    // Not defaulted: clang wants the comparison of Entry before this class is complete.
    friend bool operator==(const State& a, const State& b) { return a.memory == b.memory && a.buffers == b.buffers; }
    friend std::strong_ordering operator<=>(const State& a, const State& b) {
      const std::strong_ordering by_memory = a.memory <=> b.memory;
      return by_memory != 0 ? by_memory : a.buffers <=> b.buffers;
    }
  };
  struct Read {
    std::uint32_t cell;
    std::int64_t value;
    int entry;  // index in the reader's buffer; -1: from memory
    unsigned reader;
  };

  // Values of an unbounded type that need to be chosen (initial values, `:= .`) are the numbers in the text,
  // their neighbours, and for reals what lies half way between two. `Numbers::More`: small ones, too, and sums,
  // differences and halves of those in the text, which arithmetic may ask for.
  enum class Numbers : bool { Near, More };
  CubicleMachine(const cubicle::System&, std::string_view model, unsigned processes, unsigned buffer,
                 Numbers = Numbers::Near);
  bool chooses_numbers() const;  // somewhere, so that these matter

  // At most `limit` of them; `all` becomes false if there are more, or if numbers had to be chosen.
  std::vector<State> initial(std::size_t limit, bool& all) const;

  // The cells that init fixes by a plain equality; with `values`, their only values are put there.
  std::vector<bool> fixed(std::vector<std::vector<std::int64_t>>* values = nullptr) const;

  // If transition t with these parameters is enabled, calls `found` with one result after the other until it returns
  // true; returns whether it did. There are several for `:= .` only, exponentially many in the number of such updates.
  // `reads`: what it read. `full`: some result is missing, since its entry has no room, a number is beyond the machine,
  // or there are too many.
  bool step(const State&, std::size_t t, const std::vector<unsigned>& parameters, std::vector<Read>* reads, bool* full,
            const std::function<bool(State&&)>& found) const;
  std::vector<unsigned> flushable(const State&, unsigned process) const;
  State flush(const State&, unsigned process, unsigned entry) const;

  // The number of an unsafe block that holds, and its processes; or -1.
  int unsafe(const State&, std::vector<unsigned>* who = nullptr) const;
  bool trusted_away(const State&) const;  // an invariant block holds

  // Whether `formula`, with these processes for the slots, holds as `actor` sees it.
  bool holds(const cubicle::Formula&, const State&, std::vector<unsigned>& slots, unsigned actor,
             std::vector<Read>* reads) const;
  // What process p sees in a cell.
  std::int64_t view(const State&, unsigned p, std::uint32_t cell, int* entry = nullptr) const;
  std::uint32_t cell(unsigned symbol, unsigned a, unsigned b) const;

  std::string cell_name(std::uint32_t) const;
  std::string value_name(std::uint32_t cell, std::int64_t) const;
  unsigned processes() const { return processes_; }
  const cubicle::System& system() const { return system_; }

  // All ways to give `parameters` parameters processes, different ones unless it says otherwise (in init).
  std::vector<std::vector<unsigned>> tuples(unsigned parameters, bool different = true) const;

 private:
  std::int64_t value(const cubicle::Term&, const State&, std::vector<unsigned>& slots, unsigned actor,
                     std::vector<Read>* reads) const;
  bool exists(const cubicle::Block&, const State&, std::vector<unsigned>* who) const;
  std::uint32_t first_cell(const cubicle::Formula&, const std::vector<unsigned>& slots) const;  // none: all
  std::vector<std::int64_t> domain(cubicle::TypeId) const;
  unsigned process(cubicle::Slot, const std::vector<unsigned>& slots) const;

  const cubicle::System& system_;
  bool buffered_ = false, fifo_ = true;
  unsigned processes_, buffer_;
  std::vector<std::uint32_t> offsets_;
  std::uint32_t cells_ = 0;
  std::vector<bool> reads_weak_, writes_weak_;  // by transition
  std::vector<std::int64_t> whole_, real_;      // what numbers are chosen from
};

}  // namespace heddle::check
