// Random programs of two threads that throw, catch, rethrow and clean up, each of which is two programs: one with
// exceptions, and one that says by assignments and jumps what they mean. Both make the same shared accesses in the same
// order. The second does without the C++ library and is small enough for a naive enumeration.
//
// Implicit in the text: the end of an exception, when its last handler is left, is a read-modify-write of order seq_cst
// of its reference count, and then its destructor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace heddle::tests {

class RandomThrow {
 public:
  struct Twins {
    std::string throws, jumps;  // texts of modules: thread k of program i is the function t<i>_<k>
  };

  explicit RandomThrow(std::uint64_t seed) : random_(seed) {}

  Twins module(unsigned programs) {
    const std::string common =
        "typedef unsigned u;\n"
        "extern \"C\" { u x, y, z, out0, out1, own[32]; }\n";  // own: too large to be part of an outcome
    Twins all;
    all.throws = common +
                 "struct A { u n; };\n"
                 "struct B : A { u more = 5; B(u k) : A{k} {} };\n"
                 "struct C { u n; C(u k) : n(k) {} ~C() { __atomic_store_n(&z, n, __ATOMIC_RELAXED); } };\n"
                 "struct G { u *at, n; ~G() { __atomic_store_n(at, n, __ATOMIC_RELAXED); } };\n"
                 "static u of(u n) { return n; }\nstatic u of(const A &a) { return a.n; }\n"
                 "static u of(const C &c) { return c.n; }\n";
    all.jumps = common +
                "enum { of_u, of_A, of_B, of_C };\n"
                "#define END(n, type, thread) __atomic_fetch_sub(&own[thread], 1, __ATOMIC_SEQ_CST); "
                "if ((type) == of_C) __atomic_store_n(&z, (n), __ATOMIC_RELAXED)\n";
    for (unsigned i = 0; i < programs; ++i)
      for (thread_ = 0; thread_ < 2; ++thread_) {
        accesses_ = 0;
        labels_ = handlers_ = 0;
        const Twins body = whole_thread();
        std::string saved;
        for (unsigned h = 0; h < handlers_; ++h) saved += fmt::format("  u n{0} = 0, type{0} = 0, again{0} = 0;\n", h);
        const std::string head = fmt::format("extern \"C\" __attribute__((used)) void t{}_{}() {{\n", i, thread_);
        const std::string tail = fmt::format("  __atomic_store_n(&out{}, r, __ATOMIC_RELAXED);\n}}\n", thread_);
        all.throws += head + "  u r = 0;\n" + body.throws + tail;
        all.jumps += head + "  u r = 0, n = 0, type = 0;\n" + saved + body.jumps + tail;
      }
    all.throws += "int main() { return 0; }\n";
    all.jumps += "int main() { return 0; }\n";
    return all;
  }

 private:
  static constexpr unsigned most_accesses = 4;  // of a thread, beside those of destructors

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  unsigned label() { return ++labels_; }
  static Twins same(const std::string& text) { return {text, text}; }
  static void add(Twins& to, const Twins& more) {
    to.throws += more.throws;
    to.jumps += more.jumps;
  }
  std::string place() { return pick(2) == 0 ? "x" : "y"; }

  // The statements of a block. `handler`: 1 + the number of the handler that they stand in, 0: none. `in_try`: a try
  // block is around them, inside that handler.
  Twins rest(unsigned depth, unsigned handler, bool in_try, unsigned count) {
    Twins text;
    for (; count > 0; --count) {
      if (pick(4) == 0) {
        add(text, guarded(depth, handler, in_try, count - 1));
        return text;
      }
      add(text, statement(depth, handler, in_try));
    }
    return text;
  }

  // An object with a destructor, and what comes after it in its block.
  Twins guarded(unsigned depth, unsigned handler, bool in_try, unsigned count) {
    const std::string at = place();
    const unsigned n = 1 + pick(3), unwinds = label(), end = label();
    out_.push_back(unwinds);
    const Twins inside = rest(depth, handler, in_try, count);
    out_.pop_back();
    const std::string destructor = fmt::format("__atomic_store_n(&{}, {}u, __ATOMIC_RELAXED);", at, n);
    Twins text;
    text.throws = fmt::format("  {{ G g{{&{}, {}}};\n{}  }}\n", at, n, inside.throws);
    text.jumps = fmt::format("{}  {} goto l{};\nl{}: {} goto l{};\nl{}:;\n", inside.jumps, destructor, end, unwinds,
                             destructor, out_.back(), end);
    return text;
  }

  Twins statement(unsigned depth, unsigned handler, bool in_try) {
    switch (pick(depth > 0 ? 8 : 5)) {
      case 0: return throws(false);
      case 1: return handler != 0 && !in_try && pick(2) == 0 ? rethrows(handler - 1) : throws(true);
      case 5:
      case 6: return tries(depth, handler);
      case 7: {  // a function of its own
        const Twins inside = rest(depth - 1, handler, in_try, 1 + pick(2));
        return {fmt::format("  [&] {{\n{}  }}();\n", inside.throws), inside.jumps};
      }
      default: return access();
    }
  }

  Twins access() {
    if (++accesses_ > most_accesses) return same("  r += 3;\n");
    static const char* const loads[] = {"RELAXED", "RELAXED", "ACQUIRE", "SEQ_CST"};
    static const char* const stores[] = {"RELAXED", "RELAXED", "RELEASE", "SEQ_CST"};
    if (pick(2) == 0)
      return same(fmt::format("  r = r * 4 + __atomic_load_n(&{}, __ATOMIC_{});\n", place(), loads[pick(4)]));
    return same(fmt::format("  __atomic_store_n(&{}, {}u, __ATOMIC_{});\n", place(), 1 + pick(3), stores[pick(4)]));
  }

  Twins throws(bool always) {
    static const char* const types[] = {"of_u", "of_A", "of_B", "of_C"};
    static const char* const forms[] = {"{}u", "A{{{}u}}", "B({}u)", "C({}u)"};
    const unsigned type = pick(4), n = pick(4);
    const std::string when = always ? "" : fmt::format("if ((r & 3) == {}) ", pick(3));
    return {"  " + when + "throw " + fmt::format(fmt::runtime(forms[type]), n) + ";\n",
            fmt::format("  {}{{ n = {}; type = {}; goto l{}; }}\n", when, n, types[type], out_.back())};
  }

  Twins rethrows(unsigned handler) {
    return {"  throw;\n", fmt::format("  n = n{0}; type = type{0}; again{0} = 1; goto l{1};\n", handler, out_.back())};
  }

  // A try block with handlers; what none of them takes goes on to `out_`.
  Twins tries(unsigned depth, unsigned handler) {
    const unsigned thrown = label();
    out_.push_back(thrown);
    const Twins body = rest(depth - 1, handler, true, 1 + pick(3));
    out_.pop_back();
    return handlers(body, thrown, depth, out_.back(), pick(3) == 0);
  }

  // Nothing leaves a thread.
  Twins whole_thread() {
    const unsigned thrown = label();
    out_.assign({thrown});
    const Twins body = rest(2, 0, true, 2 + pick(3));
    out_.clear();
    return handlers(body, thrown, 0, 0, true);
  }

  Twins handlers(const Twins& body, unsigned thrown, unsigned depth, unsigned outside, bool all) {
    struct Row {
      const char *declared, *condition;
    };
    static const Row rows[] = {{"u e", "type == of_u"},
                               {"const A &e", "type == of_A || type == of_B"},
                               {"const B &e", "type == of_B"},
                               {"const C &e", "type == of_C"}};
    const unsigned end = label();
    Twins text;
    text.throws = fmt::format("  try {{\n{}  }}", body.throws);
    text.jumps = fmt::format("{}  goto l{};\nl{}:;\n", body.jumps, end, thrown);
    if (!all || pick(2) == 0) {
      const Row& row = rows[pick(4)];
      add(text, one_handler(row.declared, row.condition, "r += of(e);", "r += n;", depth, outside, end));
    }
    if (all) add(text, one_handler("...", "1", "r += 7;", "r += 7;", depth, outside, end));
    text.throws += "\n";
    text.jumps += all ? fmt::format("l{}:;\n", end) : fmt::format("  goto l{};\nl{}:;\n", outside, end);
    return text;
  }

  Twins one_handler(const char* declared, const char* condition, const char* taken, const char* jump_taken,
                    unsigned depth, unsigned outside, unsigned end) {
    const unsigned h = handlers_++, leaves = label();
    Twins body;
    if (depth > 0) {
      out_.push_back(leaves);
      body = rest(depth - 1, h + 1, false, pick(3));
      out_.pop_back();
    }
    Twins text;
    text.throws = fmt::format(" catch ({}) {{\n  {}\n{}  }}", declared, taken, body.throws);
    text.jumps = fmt::format(
        "  if ({}) {{\n  n{h} = n; type{h} = type; {}\n{}  END(n{h}, type{h}, {thread}); goto l{end};\n", condition,
        jump_taken, body.jumps, fmt::arg("h", h), fmt::arg("thread", thread_), fmt::arg("end", end));
    if (depth > 0)
      text.jumps += fmt::format(
          "l{leaves}:\n  if (!again{h}) {{ END(n{h}, type{h}, {thread}); }}\n  goto l{outside};\n",
          fmt::arg("leaves", leaves), fmt::arg("h", h), fmt::arg("thread", thread_), fmt::arg("outside", outside));
    text.jumps += "  }\n";
    return text;
  }

  std::mt19937_64 random_;
  std::vector<unsigned> out_;  // labels, innermost last: where what is thrown goes
  unsigned thread_ = 0, accesses_ = 0, labels_ = 0, handlers_ = 0;
};

}  // namespace heddle::tests
