// Mutual exclusion protocols in Promela with explicit loads and stores, one access per step, as the texts of
// ground-truth/fences.csv describe them. Every store has a number; a `sync` stands behind those of a given set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::tests {

struct Protocol {
  std::string text;     // Promela
  std::string bad;      // what must not be reached
  unsigned stores = 0;  // how many there are
};

// Writes a protocol: store() numbers the stores in the order of the text.
class ProtocolText {
 public:
  explicit ProtocolText(std::uint64_t fences) : fences_(fences) {}
  std::string store(const std::string& variable, const std::string& value) {
    const bool fence = (fences_ >> number_++ & 1) != 0;
    return fmt::format("store({}, {});{}", variable, value, fence ? " sync;" : "");
  }
  std::string store(const std::string& variable, int value) { return store(variable, std::to_string(value)); }
  unsigned stores() const { return number_; }

 private:
  std::uint64_t fences_;
  unsigned number_ = 0;
};

// Two or more processes P0, P1, …, each `body(i)` between its braces, with a label cs; never two of them there.
inline Protocol mutex(const std::string& globals, unsigned processes, std::uint64_t fences,
                      const std::function<std::string(ProtocolText&, int)>& body) {
  ProtocolText text(fences);
  Protocol p;
  p.text = globals + "\n";
  for (unsigned i = 0; i < processes; ++i)
    p.text += fmt::format("active proctype P{}() {{\n{}\n}}\n", i, body(text, static_cast<int>(i)));
  for (unsigned i = 0; i < processes; ++i)
    for (unsigned j = i + 1; j < processes; ++j)
      p.bad += fmt::format("{}(P{}@cs && P{}@cs)", p.bad.empty() ? "" : " || ", i, j);
  p.stores = text.stores();
  return p;
}

inline std::string flag(int i) { return fmt::format("f{}", i); }

// `once`: the process ends behind its critical section (Linden and Wolper's single entry).
inline Protocol dekker(std::uint64_t fences, bool once = false) {
  return mutex("byte f0, f1, t;", 2, fences, [&](ProtocolText& s, int i) {
    const int o = 1 - i;
    const std::string on = s.store(flag(i), 1), back = s.store(flag(i), 0), turn = s.store("t", o),
                      off = s.store(flag(i), 0);
    return fmt::format(
        "top: {}\n"
        "check: if :: load(f{}, 0) -> goto cs :: load(f{}, 1) fi;\n"
        "if :: load(t, {}) -> goto check :: load(t, {}) fi;\n"
        "{}\nload(t, {}); goto top;\n"
        "cs: {}\n{}\n{}",
        on, o, o, i, o, back, i, turn, off, once ? "skip" : "goto top");
  });
}

inline Protocol peterson(std::uint64_t fences, bool once = false) {
  return mutex("byte f0, f1, t;", 2, fences, [&](ProtocolText& s, int i) {
    const int o = 1 - i;
    const std::string first = s.store(flag(i), 1), second = s.store("t", o), last = s.store(flag(i), 0);
    return fmt::format(
        "top: {}\n{}\nwait: if :: load(f{}, 0) -> goto cs :: load(f{}, 1) fi;\n"
        "if :: load(t, {}) -> goto cs :: load(t, {}) -> goto wait fi;\ncs: {}\n{}",
        first, second, o, o, i, o, last, once ? "skip" : "goto top");
  });
}

inline Protocol simple_dekker(std::uint64_t fences) {
  return mutex("byte f0, f1;", 2, fences, [&](ProtocolText& s, int i) {
    const std::string first = s.store(flag(i), 1);
    return fmt::format(
        "top: {}\nif :: load(f{}, 0) -> goto cs :: load(f{}, 1) -> goto out fi;\ncs: skip;\nout: {}\ngoto top", first,
        1 - i, 1 - i, s.store(flag(i), 0));
  });
}

inline Protocol burns2(std::uint64_t fences) {
  return mutex("byte f0, f1;", 2, fences, [&](ProtocolText& s, int i) {
    if (i == 0) {
      const std::string first = s.store("f0", 1);
      return fmt::format("top: {}\nload(f1, 0);\ncs: {}\ngoto top", first, s.store("f0", 0));
    }
    const std::string first = s.store("f1", 1), in = s.store("f1", 0), out = s.store("f1", 0);
    return fmt::format(
        "top: load(f0, 0);\n{}\nif :: load(f0, 0) -> goto cs :: load(f0, 1) -> goto out fi;\n"
        "cs: {}\ngoto top;\nout: {}\ngoto top",
        first, in, out);
  });
}

inline Protocol burns(std::uint64_t fences, int processes) {
  std::string globals = "byte f0";
  for (int i = 1; i < processes; ++i) globals += ", " + flag(i);
  return mutex(globals + ";", static_cast<unsigned>(processes), fences, [&](ProtocolText& s, int i) {
    std::string text = "top: " + s.store(flag(i), 0) + "\n";
    for (int j = 0; j < i; ++j) text += fmt::format("if :: load(f{}, 1) -> goto top :: load(f{}, 0) fi;\n", j, j);
    text += s.store(flag(i), 1) + "\n";
    if (i > 0) {
      for (int j = 0; j < i; ++j) text += fmt::format("if :: load(f{}, 1) -> goto back :: load(f{}, 0) fi;\n", j, j);
    }
    for (int j = i + 1; j < processes; ++j) text += fmt::format("load(f{}, 0);\n", j);
    text += "cs: " + s.store(flag(i), 0) + "\ngoto top";
    if (i > 0) text += ";\nback: " + s.store(flag(i), 0) + "\ngoto top";
    return text;
  });
}

inline Protocol dijkstra(std::uint64_t fences) {
  return mutex("byte f0, f1, t;", 2, fences, [&](ProtocolText& s, int i) {
    const int o = 1 - i;
    const std::string one = s.store(flag(i), 1), mine = s.store("t", i), two = s.store(flag(i), 2);
    return fmt::format(
        "top: {}\nwait: if :: load(t, {}) -> goto next :: load(t, {}) fi;\n"
        "if :: load(f{}, 0) -> {} goto wait :: load(f{}, 1) -> goto wait :: load(f{}, 2) -> goto wait fi;\n"
        "next: {}\nif :: load(f{}, 2) -> goto top :: load(f{}, 0) -> goto cs :: load(f{}, 1) -> goto cs fi;\n"
        "cs: {}\ngoto top",
        one, i, o, o, mine, o, o, two, o, o, o, s.store(flag(i), 0));
  });
}

inline Protocol bakery2(std::uint64_t fences) {
  return mutex("byte c0, c1, n0, n1;", 2, fences, [&](ProtocolText& s, int i) {
    const int o = 1 - i;
    const std::string me = std::to_string(i), other = std::to_string(o);
    const std::string choosing = s.store("c" + me, 1), number = s.store("n" + me, "n"), chosen = s.store("c" + me, 0);
    return fmt::format(
        "byte n, v;\ntop: {}\nload(n{}, n);\nif :: n == 2 -> false :: else -> n = n + 1 fi;\n{}\n{}\n"
        "load(c{}, 0);\nwait: load(n{}, v);\n"
        "if :: v == 0 || v {} n -> goto cs :: else -> goto wait fi;\ncs: {}\nn = 0; v = 0; goto top",
        choosing, o, number, chosen, o, o, i == 0 ? ">=" : ">", s.store("n" + me, 0));
  });
}

inline Protocol szymanski2(std::uint64_t fences) {
  return mutex("byte f0, f1;", 2, fences, [&](ProtocolText& s, int i) {
    const std::string o = flag(1 - i), me = flag(i);
    const std::string one = s.store(me, 1), three = s.store(me, 3), two = s.store(me, 2), four = s.store(me, 4);
    return fmt::format(
        "byte v;\ntop: {}\na: load({}, v);\nif :: v < 3 :: else -> goto a fi;\n{}\n"
        "load({}, v);\nif :: v == 1 -> goto b :: else -> goto c fi;\nb: {}\nload({}, 4);\nc: {}\n{}"
        "cs: skip;\n{}v = 0;\n{}\ngoto top",
        one, o, three, o, two, o, four,
        i == 1 ? fmt::format("d: load({}, v);\nif :: v < 2 :: else -> goto d fi;\n", o) : "",
        i == 0 ? fmt::format("e: load({}, v);\nif :: v == 0 || v == 1 || v == 4 :: else -> goto e fi;\n", o) : "",
        s.store(me, 0));
  });
}

inline Protocol lamport_fast(std::uint64_t fences, unsigned processes = 2) {
  std::string globals = "byte x, y";
  for (unsigned i = 1; i <= processes; ++i) globals += fmt::format(", b{}", i);
  return mutex(globals + ";", processes, fences, [&](ProtocolText& s, int p) {
    const int i = p + 1;
    const std::string b = fmt::format("b{}", i);
    const std::string on = s.store(b, 1), x = s.store("x", i), off = s.store(b, 0), y = s.store("y", i),
                      off2 = s.store(b, 0);
    std::string all;
    for (unsigned j = 1; j <= processes; ++j)
      if (static_cast<int>(j) != i) all += fmt::format("load(b{}, 0);\n", j);
    const std::string free = s.store("y", 0), last = s.store(b, 0);
    return fmt::format(
        "byte v;\ntop: {}\n{}\nload(y, v);\nif :: v != 0 -> goto busy :: else fi;\n{}\nload(x, v);\n"
        "if :: v != {} -> goto slow :: else -> goto cs fi;\n"
        "busy: {}\nv = 0; load(y, 0); goto top;\n"
        "slow: {}\nv = 0; {}load(y, v);\nif :: v != {} -> v = 0; load(y, 0); goto top :: else -> goto cs fi;\n"
        "cs: v = 0; {}\n{}\ngoto top",
        on, x, y, i, off, off2, all, i, free, last);
  });
}

// Never one in the first half and one in the second.
inline Protocol sense_barrier(std::uint64_t fences) {
  Protocol p = mutex("byte f0, f1;", 2, fences, [&](ProtocolText& s, int i) {
    const std::string one = s.store(flag(i), 1);
    return fmt::format("top: {}\nload(f{}, 1);\ncs: {}\nload(f{}, 0);\ntwo: skip; goto top", one, 1 - i,
                       s.store(flag(i), 0), 1 - i);
  });
  p.bad = "(P0@cs && P1@two) || (P0@two && P1@cs)";
  return p;
}

// How many syncs a protocol needs at least, and how many such sets there are.
struct FenceRow {
  const char* name;
  std::function<Protocol(std::uint64_t)> make;
  const char* model;
  unsigned stores, minimum, sets;
};

// ground-truth/fences.csv, rows `sync`.
inline const FenceRow fence_rows[] = {
    {"dekker_tso", [](std::uint64_t f) { return dekker(f); }, "tso", 8, 2, 1},
    {"dekker_pso", [](std::uint64_t f) { return dekker(f); }, "pso", 8, 2, 1},
    {"peterson_tso", [](std::uint64_t f) { return peterson(f); }, "tso", 6, 2, 1},
    {"peterson_pso", [](std::uint64_t f) { return peterson(f); }, "pso", 6, 4, 1},
    {"simple_dekker_tso", simple_dekker, "tso", 4, 2, 1},
    {"simple_dekker_pso", simple_dekker, "pso", 4, 2, 1},
    {"burns2_tso", burns2, "tso", 5, 2, 1},
    {"burns2_pso", burns2, "pso", 5, 2, 1},
    {"burns3_tso", [](std::uint64_t f) { return burns(f, 3); }, "tso", 11, 3, 1},
    {"dijkstra_tso", dijkstra, "tso", 8, 2, 1},
    {"dijkstra_pso", dijkstra, "pso", 8, 2, 1},
    {"bakery2_tso", bakery2, "tso", 8, 4, 4},
    {"bakery2_pso", bakery2, "pso", 8, 4, 1},
    {"szymanski2_tso", szymanski2, "tso", 10, 3, 2},
    {"szymanski2_pso", szymanski2, "pso", 10, 3, 2},
    {"lamport_fast_tso", [](std::uint64_t f) { return lamport_fast(f); }, "tso", 14, 4, 1},
    {"lamport_fast_pso", [](std::uint64_t f) { return lamport_fast(f); }, "pso", 14, 6, 1},
    {"sense_barrier_tso", sense_barrier, "tso", 4, 0, 1},
    {"sense_barrier_pso", sense_barrier, "pso", 4, 0, 1}};

}  // namespace heddle::tests
