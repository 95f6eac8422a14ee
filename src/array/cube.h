// A cube: there are pairwise different processes and pairwise different events such that literals and order hold.
//
// The order of events, ghb, is kept as what it can still do. The only edges that a step added in front (preimage.h)
// draws *from* old events are those from a pending read to a new write that it does not read (fr); so a cycle through
// new events passes a pending read, and all that counts of an old event is which pending reads it reaches. Events whose
// reads are all satisfied therefore need no node. What is kept, as rows of bits over the nodes (events with pending
// reads), closed under transitivity:
//   node_rows[n]    what n reaches, n itself included
//   all_rows[p]     what a new earlier read, locked event or fence of process p reaches: every later event of p
//   write_rows[p]   what a new earlier write of p reaches by program order: by the model, later writes, or what a
//                   fence holds back
//   cell_rows[x]    what a new event that reads or writes the cell x first reaches: all writes to x (fr and co)
//   other_all, other_write   the same as all_rows and write_rows, for every process that the cube does not mention
// The reads of an unsafe formula (`i @ X`) happen when all steps have been made: every event of every process that has
// been performed by then comes before them, only writes may still be in a buffer.
// More bits are more constraints, so smaller rows mean more states.
//
// Which reads are pending is told by the literals: a read whose value nothing constrains is dropped, since some value
// can always be read at that point. Processes 0 … named-1 are #1, #2, …; others are anonymous.
//
// Processes have a total order, #1 < #2 < …, which a system may speak of. A literal `p < q` about two anonymous
// processes is data like any other; a named process comes before all anonymous ones, in the order of its number.
//
// A *promise* (models without write_write only) is a write that has reached memory in the steps explored so far, but
// whose transition comes earlier still.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "array/atom.h"
#include "array/system.h"

namespace heddle::array {

using Row = std::uint32_t;

struct CellRow {
  Atom cell;
  Row row = 0;
  friend auto operator<=>(const CellRow&, const CellRow&) = default;
};

struct Promise {
  Process process = 0;
  std::vector<Atom> cells;  // ascending
  Row row = 0;              // what the write reaches
  bool passed = false;      // a later write of the process has reached memory before it
  friend auto operator<=>(const Promise&, const Promise&) = default;
};

struct Cube {
  std::uint8_t processes = 0;
  std::uint8_t nodes = 0;
  std::vector<Literal> literals;      // ascending, normal form of normalise()
  std::vector<LinearLiteral> linear;  // ascending
  std::vector<Row> node_rows;
  std::vector<Row> all_rows, write_rows;
  Row other_all = 0, other_write = 0;
  std::vector<CellRow> cell_rows;  // ascending, no empty row
  std::vector<Promise> promises;   // the first is the last in program order
  friend auto operator<=>(const Cube&, const Cube&) = default;

  Row all_rows_of(Process p) const { return p < all_rows.size() ? all_rows[p] : p == no_process ? 0 : other_all; }
  Row write_rows_of(Process p) const {
    return p < write_rows.size() ? write_rows[p] : p == no_process ? 0 : other_write;
  }
  std::size_t size() const { return literals.size() + linear.size(); }
};

// Renames processes and nodes. `process[p]` is the new number of p (named ones keep theirs), or no_process for a
// process that is not mentioned and goes; likewise `node`.
struct Renaming {
  std::array<Process, 32> process;
  std::array<std::uint8_t, 32> node;
};
Atom rename(Atom, const Renaming&);
Row rename(Row, const Renaming&);
// `processes` and `nodes`: their numbers after the renaming.
Cube rename(const Cube&, const Renaming&, unsigned processes, unsigned nodes);
void sort_literals(Cube&);

// Drops nodes without pending reads and processes that nothing mentions. Returns where the processes went.
std::array<Process, 32> compress(Cube&, const System&);

// Replaces the cube's literals by a normal form of the constraints: equalities solved, values of finite types narrowed,
// duplicates gone. False if the constraints have no model.
bool normalise(Cube&, const System&, const std::vector<Constraint>&);

// Whether process p comes before q, which is another one; nothing if both are anonymous.
std::optional<bool> precedes(Process p, Process q, const System&);

// Whether literals say by transitivity what `l` says of the order of processes. `l` itself does not count, if it is one
// of them.
bool order_follows(const std::vector<Literal>&, const Literal& l);

// The constraint that a literal stands for.
Constraint constraint(const Literal&);
Constraint constraint(const LinearLiteral&);

// Whether the literals have a model (the whole normal form, decided by logic/).
bool consistent(const Cube&, const System&);

// Whether an initial state lies in the cube. A cube with promises has none: their writes have not been made.
bool initial(const Cube&, const System&);

}  // namespace heddle::array
