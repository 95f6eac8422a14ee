// What the parser makes of a Promela text: names are resolved to symbols, `for` and `select` are taken apart into the
// loops that they stand for, calls of inlines are expanded. Values live in vectors and name each other by number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/code.h"
#include "lang/promela/lexer.h"

namespace heddle::promela {

inline constexpr std::uint32_t none = 0xffffffff;

enum class Base : std::uint8_t { Bit, Bool, Byte, Short, Int, Mtype, Pid, Chan, Unsigned, Structure };

struct TypeName {
  Base base = Base::Byte;
  unsigned bits = 0;               // Unsigned
  std::uint32_t structure = none;  // Structure
};

struct Node;

// A variable, or a part of one: a[i].b.c[j].
struct Reference {
  struct Part {
    std::string name;         // of the field; of the first part: of the symbol
    std::vector<Node> index;  // none or one
    Token token;
  };
  std::uint32_t symbol = none;  // none: `_`, which is written only
  std::vector<Part> parts;
};

struct Node {
  enum class Kind : std::uint8_t {
    Number,
    Variable,      // reference
    Unary,         // op, children
    Binary,        // op, children
    Conditional,   // three children
    ChannelTest,   // name: len, empty, full, nempty, nfull; reference
    Poll,          // reference, arguments as children, random
    ProcessId,     // _pid
    ProcessCount,  // _nr_pr
    Timeout,
    Anything,  // an item of a poll that is not compared
    AtLabel,   // name[child]@label; without a child: the only process of that name
    LocalOf    // name[child]:part
  };
  Kind kind = Kind::Number;
  Token token;
  ir::Op op = ir::Op::Add;
  std::int32_t number = 0;
  unsigned depth = 1;  // of the tree
  bool random = false;
  std::string name, label;
  std::optional<Reference> reference;
  std::vector<Node> children;
};

// An argument of a receive.
struct Argument {
  std::optional<Reference> target;  // or
  std::vector<Node> value;          // one: what the item must be
};

struct Statement;
using Sequence = std::vector<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    Condition,  // value[0]
    Else,
    Assign,   // reference = value[0]
    Assert,   // value[0]
    Print,    // value
    Send,     // reference, value; sorted
    Receive,  // reference, arguments; random, keep
    Run,      // name(value); reference = its number, if there is one
    Load,     // reference into target
    Fence,    // everybody: all buffers; among_stores: keeps stores in order
    Goto,     // name
    Break,
    If,
    Do,
    Atomic,  // body[0]
    Deterministic,
    Block
  };
  Kind kind = Kind::Condition;
  Token first, last;
  std::vector<std::string> labels;
  std::vector<Node> value;
  std::optional<Reference> reference;
  std::vector<Argument> arguments;
  std::vector<Sequence> body;  // options, or the one sequence of a block
  std::string name;
  bool random = false, keep = false, sorted = false, everybody = false, among_stores = false;
};

struct Structure;

// A channel that a declaration makes: [capacity] of { fields }.
struct ChannelShape {
  std::uint32_t capacity = 0;
  std::vector<TypeName> fields;
};

struct Symbol {
  std::string name;
  TypeName type;
  bool array = false;
  std::uint32_t length = 1;
  std::vector<Node> initial;  // none; one, for every cell; or one per cell
  bool listed = false;        // initial is a list { … }
  std::optional<ChannelShape> channel;
  bool assigned = false;  // occurs where a value is assigned
  bool parameter = false;
  std::uint32_t proctype = none;  // none: global
  Token token;
};

struct Structure {
  std::string name;
  std::vector<Symbol> fields;
};

struct Proctype {
  std::string name;
  Token token;
  std::vector<std::uint32_t> parameters;  // symbols
  std::vector<std::uint32_t> locals;      // symbols, parameters included
  std::uint32_t active = 0;               // how many exist from the start
  bool claim = false;                     // never
  Sequence body;
};

struct Formula {
  std::string name, text;
  Token token;
};

struct Model {
  Source source;
  std::vector<Symbol> symbols;
  std::vector<std::uint32_t> globals;
  std::vector<Structure> structures;
  std::vector<Proctype> proctypes;
  std::vector<Formula> formulas;                           // ltl name { … }
  std::set<std::pair<std::string, std::string>> observed;  // proctype and label, of each P@label in it or asked of it
  std::unordered_map<std::string, std::int32_t> mtypes;
  bool orders_stores = false;  // it has `sync_stores`
};

}  // namespace heddle::promela
