// ir::Program: processes as control-flow graphs over shared variables, local variables and channels. DVE (and other
// modelling languages) lower to it; ir::System multiplies it with a memory machine.
//
// Everything that changes in a run is one word of one flat array, in this order:
//     0 … shared_cells-1      shared variables, cell by cell: a cell's number is its flat index
//     then                    constant arrays; the control state of every process and its locals; for every buffered
//                             channel its length and contents
//     variable_words …        registers of messages, constants and temporaries of the code (no part of the state)
// Variables that are `hidden` are no shared memory either: they stand with the constant arrays.
// `image` is that array in the initial state. A worker copies it once, unpacks states into its first variable_words
// words (ir/layout.h), and evaluates code on it (ir/eval.h).
//
// An edge is one atomic step: guard, then (ir/steps.h) channel operation and effects. Sites name places of the source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/source.h"
#include "ir/code.h"
#include "ir/expr.h"

namespace heddle::ir {

inline constexpr std::uint32_t none = 0xffffffff;

struct Variable {
  std::string name;
  std::uint32_t process = none;  // none: shared
  bool constant = false;         // never written: no shared memory, whatever its scope
  bool hidden = false;           // the language's bookkeeping (number of processes, …): written at once, never buffered
  Type type = Type::Byte;
  bool array = false;
  std::uint32_t length = 1;
  std::vector<std::int32_t> initial;  // `length` values
  std::uint32_t base = 0;             // flat index of its first cell; set by finish()

  bool in_memory() const { return process == none && !constant && !hidden; }  // its cells belong to the memory machine
};

// A named constant that was folded away; properties may still name it.
struct Constant {
  std::string name;
  std::uint32_t process = none;  // none: global
  std::int32_t value = 0;
};

struct Channel {
  std::string name;
  bool typed = false;
  std::uint32_t capacity = 0;  // 0: rendezvous
  std::vector<Type> types;     // of the items of a message; untyped: all Int
  std::uint32_t base = none;   // buffered: flat index of the length, followed by capacity × arity items, oldest first
  std::uint32_t arity() const { return static_cast<std::uint32_t>(types.size()); }
};

// One effect of an edge. Without a kind of its own it assigns a variable.
struct Assignment {
  enum class Kind : std::uint8_t {
    Store,    // var (or var[index]) := value
    Nothing,  // the target of a receive whose item is only compared or thrown away; an effect that evaluates `value`
    Assert,   // the step ends in an error if value is 0
    Fail,     // the step ends in the error `failure`
    Enter,    // process `var` is now in control state `value`, a constant: processes begin and end
    Empty     // channel `var` loses its messages
  };
  std::uint32_t var = 0;
  ExprId index = no_expr;  // none for a scalar
  ExprId value = no_expr;  // none in the target of a receive
  bool atomic = false;     // goes to memory at once
  core::Site site = core::no_site;
  Kind kind = Kind::Store;
  Status failure = Status::True;
};

enum class Sync : std::uint8_t { None, Send, Receive };

struct Edge {
  std::uint32_t process = 0;
  std::uint32_t number = 0;  // in its process, from 0, in the order of the text (people count from 1)
  std::uint32_t source = 0, target = 0;
  ExprId guard = no_expr;  // none: true
  Sync sync = Sync::None;
  std::uint32_t channel = none;
  std::vector<ExprId> values;       // Send
  std::vector<Assignment> targets;  // Receive
  std::vector<Assignment> effects;  // in order, each sees the ones before
  ExprId match = no_expr;           // Receive: what the message (Op::Message) must be; none: any
  bool random = false;              // Receive from a buffer: the oldest message that matches; else the oldest
  bool keep = false;                // Receive from a buffer: the message stays
  bool sorted = false;              // Send to a buffer: before the first greater message
  bool fence = false;               // enabled only when the process's buffer is empty
  bool fence_all = false;           // … when all buffers are; `fence` is set too
  bool ends = false;                // the process ends: bookkeeping of the language, seen through hidden variables only
  bool holds = false;               // the process stays inside an atomic section: as long as it can, only it moves
  core::Site site = core::no_site;  // the transition: its text in one line

  // Set by finish().
  Code guard_code = no_code;
  Code value_code = no_code;   // Send: evaluates the values into the message registers
  Code target_code = no_code;  // Receive: assigns the message registers
  Code match_code = no_code;   // Receive: `match` on the message registers
  Code effect_code = no_code;
  std::uint32_t stores = 0;         // stores to shared memory that the edge makes (targets and effects)
  std::uint32_t atomic_stores = 0;  // … of which are atomic
};

struct Assertion {
  ExprId condition;
  Code code = no_code;
  core::Site site = core::no_site;
};

struct ControlState {
  std::string name;
  bool commit = false;
  bool accept = false;
  bool progress = false;
  bool end = false;                   // a process may rest here for ever: no deadlock
  std::vector<Assertion> assertions;  // hold whenever the process is here, in its own view
  // Set by finish(): edges that leave from here, by their number in Program::edges.
  std::vector<std::uint32_t> starts;    // those that a step can begin with: all but receives of a rendezvous
  std::vector<std::uint32_t> receives;  // receives of a rendezvous
};

struct Process {
  std::string name;
  std::vector<ControlState> states;
  std::uint32_t initial = 0;
  std::vector<std::uint32_t> locals;  // numbers of variables
  std::vector<std::uint32_t> edges;   // numbers in Program::edges, in the order of the text
  std::uint32_t control = 0;          // flat index; set by finish()
};

// The tables that ir/steps.h walks: what it needs of edges and control states, packed tightly and in its order, since
// most edges of a state are looked at and left.
struct Start {
  Op reject = Op::Jump;        // JumpLt … JumpNe: the guard is false if a ? b; Jump: no such test
  bool plain = false;          // no channel
  bool moves = false;          // source != target
  std::uint32_t a = 0, b = 0;  // words of that test
  Code rest = no_code;         // the guard behind the test; none: it holds
  Code guard = no_code;        // the whole guard
  Code effect = no_code;
  std::uint32_t edge = 0;
  std::int32_t target = 0;
};
struct StateRow {
  std::uint32_t first = 0, last = 0;
};  // of Program::starts
struct ProcessRow {
  std::uint32_t control = 0, first = 0;
};  // its control word; its first StateRow

enum class SystemKind : std::uint8_t { Async, Sync };

// A condition over a state that the user asked about (--invariant, --reach, atoms of LTL); reads main memory.
struct Proposition {
  std::string text;
  ExprId condition;
  Code code = no_code;
  core::Site site = core::no_site;
};

struct Program {
  std::string name;  // of the file
  std::vector<Variable> variables;
  std::vector<Constant> constants_named;
  std::vector<Channel> channels;
  std::vector<Process> processes;
  std::vector<Edge> edges;
  std::vector<Expr> exprs;
  std::vector<Proposition> propositions;
  // States in which one of these does not hold are left out, whatever leads to them.
  std::vector<Proposition> assumptions;
  bool one_entry = false;  // the stores of an edge reach memory in one step
  bool wraps = false;      // a value that does not fit its variable is truncated to its bits; else that is an error
  std::uint32_t holder = none;  // hidden variable: 1 + the process inside an atomic section, 0 if none or blocked
  // Shared cell whose stores stand for store-store fences: under pso a store behind one reaches memory after it, and it
  // after all stores in front of it. Under models that keep stores in order, and under sb1, they are nothing.
  std::uint32_t mark = none;
  std::uint32_t timeout = none;  // hidden variable: 1 while steps are looked for that wait for a timeout
  // An edge that makes several accesses to memory where the language allows one; such a program has no meaning under
  // models with buffers.
  core::Site several_accesses = core::no_site;
  std::vector<std::string> remarks;  // what every verdict on the program should say
  // Said when a step needs a process beyond those that are there (Status::Bound): "16 processes of P".
  std::string process_bound;
  std::vector<core::SourcePlace> sites;
  SystemKind kind = SystemKind::Async;
  std::uint32_t property = none;  // process that observes the others as a Büchi automaton

  // Set by finish().
  std::uint32_t shared_cells = 0;
  std::uint32_t variable_words = 0;
  std::uint32_t messages = 0;  // flat index of the first message register
  bool has_commit = false;
  bool has_assertions = false;
  std::vector<std::int32_t> image;  // the flat array in the initial state
  std::vector<Instr> code;
  std::vector<Start> starts;
  std::vector<StateRow> state_rows;
  std::vector<ProcessRow> process_rows;
  std::vector<std::uint32_t> owner;        // flat index -> process whose control state or local it is, or none
  std::vector<std::uint32_t> variable_of;  // flat index -> variable, or none (control states, channels)
  // Compiler's tables, kept so that propositions can be added later.
  std::unordered_map<std::int32_t, std::uint32_t> constants;
  std::vector<std::uint32_t> temporaries;

  const Expr& expr(ExprId e) const { return exprs[e]; }

  // Under pso: do stores of one process to these two cells reach memory in their order?
  bool keeps_order(std::uint32_t a, std::uint32_t b) const { return a == b || a == mark || b == mark; }

  // For people. "pos[2]" for a cell, "P_0.j" for a local, "P_0" for its control state, "ch" for a channel.
  std::string word_name(std::uint32_t flat) const;
  // The value of a word as a person writes it: the name of a control state, a number.
  std::string show_value(std::uint32_t flat, std::int32_t value) const;
  // The expression in C-like syntax.
  std::string show(ExprId) const;
  const Edge& edge(std::uint32_t process, std::uint32_t number) const {
    return edges[processes[process].edges[number]];
  }
};

// An operator of expressions as it is written; a unary one with the blank that it needs behind it.
const char* symbol(Op);

// Lays out the flat array, compiles everything, fills all fields marked "set by finish()". Call once, when the front
// end has filled the rest.
void finish(Program&);

// The front end's part of a finished program alone: to be changed, and finished again. Propositions keep their numbers.
Program unfinished(const Program&);

// Compiles a condition as the next proposition and returns its number. Grows `image` and `code` only: call it before
// workers copy the image.
std::uint32_t add_proposition(Program&, ExprId condition, std::string text);

}  // namespace heddle::ir
