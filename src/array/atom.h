// Atoms of cubes, sums of them, and constraints over sums.
//
// An atom is one 32-bit word: a cell of an ordinary array; the value of a pending weak read (cell, event, reading
// process); the value of a promised write; or the number zero, a process, a value that does not matter. Processes are
// small numbers; in templates (system.h) slots stand in their place. A constraint says sum op 0. Enumerations are
// numbers from 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <numeric>
#include <vector>

#include "logic/conjunction.h"

namespace heddle::array {

using Process = std::uint8_t;
inline constexpr Process no_process = 31;
inline constexpr unsigned max_processes = 16;
inline constexpr unsigned max_nodes = 31;
inline constexpr unsigned max_anys = 32;  // values of one step that only have to exist
inline constexpr unsigned new_node = 31;  // in templates: the event of the step itself

class Atom {
 public:
  enum class Kind : std::uint8_t { Cell, Read, Promise, Special };

  Atom() = default;  // no atom yet
  static constexpr Atom cell(unsigned symbol, Process a, Process b) { return Atom(Kind::Cell, symbol, a, b, 31, 31); }
  static constexpr Atom read(unsigned symbol, Process a, Process b, unsigned node, Process reader) {
    return Atom(Kind::Read, symbol, a, b, node, reader);
  }
  static constexpr Atom promise(unsigned symbol, Process a, Process b, unsigned index) {
    return Atom(Kind::Promise, symbol, a, b, index, 31);
  }
  static constexpr Atom zero() { return Atom(Kind::Special, 0, 31, 31, 31, 31); }
  static constexpr Atom process(Process p) { return Atom(Kind::Special, 1, p, 31, 31, 31); }
  // A value that only has to exist; `index` < max_anys tells two of them apart, `symbol` gives the type.
  static constexpr Atom any(unsigned symbol, unsigned index) {
    return Atom(Kind::Special, 2, 31, static_cast<Process>(index), symbol >> 5, symbol & 31);
  }

  constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 30); }
  constexpr unsigned symbol() const { return (bits_ >> 20) & 1023; }
  constexpr Process a() const { return static_cast<Process>((bits_ >> 15) & 31); }
  constexpr Process b() const { return static_cast<Process>((bits_ >> 10) & 31); }
  constexpr unsigned node() const { return (bits_ >> 5) & 31; }  // of a promise: its index
  constexpr Process reader() const { return static_cast<Process>(bits_ & 31); }
  constexpr bool is_read() const { return kind() == Kind::Read; }
  constexpr bool is_cell() const { return kind() == Kind::Cell; }
  constexpr bool is_promise() const { return kind() == Kind::Promise; }
  constexpr bool is_zero() const { return *this == zero(); }
  constexpr bool is_process() const { return kind() == Kind::Special && symbol() == 1; }
  constexpr bool is_any() const { return kind() == Kind::Special && symbol() == 2; }
  constexpr unsigned any_symbol() const { return (node() << 5) | reader(); }
  // The memory cell that a read or a promised write is about.
  constexpr Atom location() const { return cell(symbol(), a(), b()); }
  constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr auto operator<=>(const Atom&, const Atom&) = default;

 private:
  constexpr Atom(Kind kind, unsigned symbol, unsigned a, unsigned b, unsigned node, unsigned reader)
      : bits_((static_cast<std::uint32_t>(kind) << 30) | (symbol << 20) | (a << 15) | (b << 10) | (node << 5) |
              reader) {}
  std::uint32_t bits_;
};

// Thrown where a system leaves what these types can hold; the search answers Unknown with this reason.
struct OutOfRange {
  const char* what;
};

inline constexpr const char* beyond_numbers = "numbers beyond 2^40";

// Factors and values have up to 40 bits before a product is taken: it may not fit 64.
inline std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw OutOfRange{beyond_numbers};
  return result;
}
inline std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw OutOfRange{beyond_numbers};
  return result;
}

// (c + Σ factor · atom) / den, den > 0, no atom twice, no factor 0.
class Sum {
 public:
  static constexpr unsigned capacity = 12;
  std::int64_t c = 0;
  std::int64_t den = 1;

  Sum() = default;
  static Sum constant(std::int64_t n) {
    Sum s;
    s.c = n;
    return s;
  }
  static Sum of(Atom a) {
    Sum s;
    s.add(a, 1);
    return s;
  }

  // Adds factor · atom (the number zero counts as nothing).
  void add(Atom atom, std::int64_t factor) {
    if (atom.is_zero() || factor == 0) return;
    for (unsigned i = 0; i < size_; ++i) {
      if (terms_[i].atom != atom) continue;
      terms_[i].factor = checked_sum(terms_[i].factor, factor);
      if (terms_[i].factor == 0) terms_[i] = terms_[--size_];
      return;
    }
    if (size_ == capacity) throw OutOfRange{"a sum of more than 12 variables"};
    terms_[size_++] = {atom, factor};
  }
  // this += factor · other, over the least common denominator.
  void add(const Sum& other, std::int64_t factor) {
    if (other.den != 1) scale(other.den / std::gcd(den, other.den));
    const std::int64_t lift = checked_product(den / other.den, factor);
    c = checked_sum(c, checked_product(lift, other.c));
    for (const Term& t : other) add(t.atom, checked_product(lift, t.factor));
  }

  struct Term {
    Atom atom;
    std::int64_t factor;
  };
  // Copies only the terms in use: sums are copied more often than anything else here.
  Sum(const Sum& o) : c(o.c), den(o.den), size_(o.size_) { std::copy(o.begin(), o.end(), terms_.begin()); }
  Sum& operator=(const Sum& o) {
    c = o.c;
    den = o.den;
    size_ = o.size_;
    std::copy(o.begin(), o.end(), terms_.begin());
    return *this;
  }
  const Term* begin() const { return terms_.data(); }
  const Term* end() const { return terms_.data() + size_; }
  unsigned size() const { return size_; }

 private:
  void scale(std::int64_t by) {
    den = checked_product(den, by);
    c = checked_product(c, by);
    for (unsigned i = 0; i < size_; ++i) terms_[i].factor = checked_product(terms_[i].factor, by);
  }
  std::array<Term, capacity> terms_;
  std::uint8_t size_ = 0;
};

struct Constraint {
  logic::Op op = logic::Op::Equal;
  Sum sum;
};

// x - y op c. In Equal and NotEqual x < y. The form that nearly all constraints of real systems have.
struct Literal {
  Atom x, y;
  logic::Op op = logic::Op::Equal;
  std::int64_t c = 0;
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

// Σ factor · atom op c, atoms ascending, factors without a common divisor; in Equal and NotEqual the first is positive.
struct LinearLiteral {
  logic::Op op = logic::Op::LessEqual;
  std::vector<std::pair<Atom, std::int64_t>> sum;
  std::int64_t c = 0;
  friend auto operator<=>(const LinearLiteral&, const LinearLiteral&) = default;
};

}  // namespace heddle::array
