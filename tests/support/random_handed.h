// Random small C programs of two threads that exchange relaxed accesses, as std::thread makes them: their creator hands an
// object to each, writes to it when the first one is there already, and they free it. What comes before a store may
// depend on what was loaded in ways that order nothing: sizes and pointers that are calculated or picked, also through
// memory. Many share a module, so that compiling does not dominate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include <fmt/format.h>

namespace heddle::tests {

class RandomHanded {
 public:
  // `tame`: promises to the elder of the two threads may be enough.
  RandomHanded(std::uint64_t seed, bool tame) : random_(seed), tame_(tame) {}

  // A module with `count` programs: program i is the function t<i>_0, which creates the threads c<i>_<k>.
  std::string module(unsigned count) {
    std::string text =
        "typedef unsigned u; typedef volatile unsigned char b; typedef unsigned long l;\n"
        "u w, x, y, z, held, zero; volatile u own0, own1, own2;\n"
        "struct N { u v, w; struct N *next; }; typedef struct N N;\n"
        "N *box, *more;\n"
        "void *__heddle_alloc(l, int); void __heddle_free(void *); l __heddle_object_facts(const void *);\n"
        "u __heddle_spawn(void *(*)(void *), void *); void __heddle_join(u);\n"
        "#define LOAD(v) __atomic_load_n(&v, __ATOMIC_RELAXED)\n"
        "#define STORE(v, n) __atomic_store_n(&v, n, __ATOMIC_RELAXED)\n"
        "static inline void drop(N *p) {\n"
        "  if (!p) return;\n"
        "  l facts = __heddle_object_facts(p);\n"
        "  if (facts != ~0UL && facts >> 32 == 77) STORE(zero, 0);\n"
        "  __heddle_free(p);\n"
        "}\n"
        "static inline N *make(N *next) {\n"
        "  N *p = __heddle_alloc(sizeof *p, 0);\n"
        "  p->v = 1; p->w = 0; p->next = next;\n"
        "  return p;\n"
        "}\n";
    for (unsigned i = 0; i < count; ++i) text += program(i);
    return text + "int main(void) { return 0; }\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return pick(n) == 0; }

  std::string program(unsigned i) {
    const bool main_is_one = one_in(3);
    const bool asks_first = one_in(2);
    chained_ = one_in(4);
    sharp_ = !tame_ && !one_in(3);
    std::string functions, text = "  N *mine = make(make(0));\n";
    const auto object = [&] { return one_in(4) ? "make(0)" : "make(make(0))"; };
    const auto thread = [&](unsigned k, const std::string& body) {
      functions += fmt::format(
          "__attribute__((used)) void *c{}_{}(void *a) {{\n  N *o = a, *mine = 0;\n{}  return a;\n}}\n", i, k, body);
    };
    if (one_in(6)) text += fmt::format("  STORE({}, {});\n", variable(), 1 + pick(2));
    const bool third = !tame_ && one_in(8);
    const unsigned when = pick(3);
    const auto writer = [&] {
      thread(2, fmt::format("  STORE({}, {});\n", variable(), 5 + pick(2)));
      text += "  u t2 = __heddle_spawn(c" + std::to_string(i) + "_2, 0);\n";
    };
    if (third && when == 0) writer();
    thread(0, body(0, asks_first));
    text += fmt::format("  N *o0 = {};\n  u t0 = __heddle_spawn(c{}_0, o0);\n", object(), i);
    if (one_in(4)) text += fmt::format("  STORE({}, {});\n", variable(), 3 + pick(2));
    if (!tame_ && one_in(8)) text += "  own2 = LOAD(" + variable() + ");\n";
    if (third && when == 1) writer();
    if (main_is_one) {
      text += fmt::format("  N *o = {};\n", object()) + body(1, !asks_first);
      text += "  __heddle_join(t0);\n";
    } else {
      thread(1, body(1, !asks_first));
      text += fmt::format("  N *o1 = {};\n  u t1 = __heddle_spawn(c{}_1, o1);\n", object(), i);
      if (third && when == 2) writer();
      const bool turned = one_in(3);
      text += fmt::format("  __heddle_join(t{});\n", turned ? 1 : 0);
      if (!tame_ && one_in(3)) text += fmt::format("  STORE({}, {});\n", variable(), 7);
      if (!tame_ && one_in(8)) text += "  own2 = LOAD(" + variable() + ");\n";
      text += fmt::format("  __heddle_join(t{});\n", turned ? 0 : 1);
    }
    return functions + fmt::format("__attribute__((used)) void *t{}_0(void *a) {{\n{}  return a;\n}}\n", i, text);
  }

  std::string variable() {
    static const char* const names[] = {"w", "x", "y", "z"};
    return names[pick(4)];
  }

  // Of one of the two threads. The first asks, and what it sees it passes on; the second answers, behind something that
  // may come out in different ways; or, chained, loads in front of the question what the first has stored behind the
  // answer; or both do anything.
  std::string body(unsigned number, bool asks) {
    number_ = number;
    arrays_ = 0;
    static const char* const objects[] = {"make(0)", "__heddle_alloc(sizeof(N), 3)",
                                          "(N *)room"};  // 3: the library's own
    std::string text = "  u r = 0, s = 0; b room[24]; (void)mine, (void)room;\n";
    text += "  N *n = o->next;\n";
    if (!one_in(3)) text += fmt::format("  mine = {};\n", objects[tame_ ? 1 + pick(2) : pick(3)]);
    if (one_in(5)) {
      for (unsigned n = 2 + pick(3); n > 0; --n) text += one_in(3) ? segment() : access();
    } else if (chained_) {
      if (asks) {
        text += "  s = LOAD(y);\n";
        static const char* const seen[] = {"s", "s & 1 ? 3 : 0"};
        const std::string first = fmt::format("  STORE(w, {});\n", seen[pick(2)]);
        text += one_in(4) ? "  STORE(x, 1);\n" + first : first + "  STORE(x, 1);\n";
      } else {
        text += "  r = LOAD(w);\n" + segment() + "  s = LOAD(x);\n";
        if (one_in(4)) text += segment();
        text += one_in(2) ? "  STORE(y, s);\n" : "  STORE(y, s & 1 ? 3 : 0);\n";
      }
    } else if (asks) {
      text += "  r = LOAD(y);\n";
      if (one_in(4)) text += segment();
      text += "  STORE(x, 1);\n";
      text += one_in(2) ? "  STORE(w, r);\n" : "  STORE(w, r & 1 ? 3 : 0);\n";
      if (!one_in(4)) text += "  STORE(w, 2);\n";
      if (one_in(5)) text += access();
    } else {
      const bool branches = !one_in(4);
      text += branches ? "  if (LOAD(x) == 1) {\n" : "  s = LOAD(x);\n";
      text += "  r = LOAD(w);\n" + segment();
      if (one_in(4)) text += one_in(2) ? segment() : access();
      static const char* const answers[] = {"1", "1", "1 + LOAD(zero)", "1 + (s & 0)"};
      text += fmt::format("  STORE(y, {});\n", answers[pick(4)]);
      if (one_in(5)) text += access();
      if (branches) text += "  }\n";
    }
    switch (pick(4)) {
      case 0: text += "  drop(n);\n  if (o) drop(o);\n"; break;
      case 1: text += "  drop(o);\n"; break;
      case 2: text += tame_ ? "  drop(n);\n" : "  __heddle_free(o);\n"; break;
      default: break;
    }
    return text;
  }

  std::string access() {
    switch (pick(8)) {
      case 0:
      case 1: return fmt::format("  r = LOAD({});\n", variable());
      case 2:
      case 3: return fmt::format("  STORE({}, {});\n", variable(), 1 + pick(3));
      case 4: return fmt::format("  STORE({}, r);\n", variable());
      case 5: return fmt::format("  r = __atomic_fetch_add(&{}, 1, __ATOMIC_RELAXED);\n", variable());
      case 6:
        return fmt::format(
            "  {{ u e = 0; if (__atomic_compare_exchange_n(&{0}, &e, 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) "
            "STORE({1}, 4); }}\n",
            variable(), variable());
      default: return fmt::format("  if (r) STORE({}, {});\n", variable(), 1 + pick(3));
    }
  }

  // A number of bytes that are few or many, by r or not.
  std::string size() {
    switch (pick(4)) {
      case 0: return one_in(2) ? "24" : "300";
      case 1: return "(r & 1) * 300 + 24";
      default: return "(r & 1 ? 300 : 24)";
    }
  }
  std::string pointer() {
    static const char* const pointers[] = {"o", "n", "(r & 1 ? o : n)", "(r & 1 ? o : 0)"};
    if (!sharp_ && one_in(2)) return pointers[pick(4)];
    const char* other = one_in(2) ? "o" : "n";
    return one_in(2) ? fmt::format("(r & 1 ? mine : {})", other) : fmt::format("(r & 1 ? {} : mine)", other);
  }

  // Nothing for which all threads must be promised to: pointers are branched on, objects of the thread are small.
  std::string tame_segment() {
    const unsigned k = arrays_++;
    switch (pick(7)) {
      case 0: return fmt::format("  b array{0}[{1}]; array{0}[0] = 0;\n", k, one_in(2) ? "24" : "(r & 1 ? 40 : 24)");
      case 1:
      case 2: return fmt::format("  {{ N *p = {}; drop(p); {} }}\n", pointer(), after());
      case 3: return fmt::format("  {{ N *p = {}; if (p) __heddle_object_facts(p); }}\n", pointer());
      case 4: return fmt::format("  {{ N *p = {}; if (p) p->v = 5; }}\n", pointer());
      case 5: return fmt::format("  if (r & 1) {{ {} }}\n", one_in(2) ? "drop(o); o = 0;" : "drop(n); n = 0;");
      default: return fmt::format("  if (n) {}\n", one_in(2) ? "s = n->v;" : "r = n->v;");
    }
  }

  std::string segment() {
    if (tame_) return tame_segment();
    const unsigned k = arrays_++;
    static const unsigned sharp[] = {0, 1, 2, 3, 7, 7, 9, 9};
    switch (sharp_ ? sharp[pick(8)] : pick(17)) {
      case 0: return fmt::format("  b array{0}[{1}]; array{0}[0] = 0;\n", k, size());
      case 1: return fmt::format("  own{2} = {1}; b array{0}[own{2}]; array{0}[0] = 0;\n", k, size(), number_);
      case 2:
        return fmt::format(
            "  STORE(held, {1}); b array{0}[__atomic_exchange_n(&held, 24, __ATOMIC_RELAXED)]; array{0}[0] = 0;\n", k,
            size());
      case 3:
        return fmt::format("  N *h{0} = make(0); h{0}->v = {1}; b array{0}[h{0}->v]; array{0}[0] = 0;\n", k, size());
      case 4:
        return fmt::format("  N *h{0} = __heddle_alloc({1}, 0); h{0}->v = 1; {2}\n", k, size(),
                           one_in(2) ? fmt::format("drop(h{});", k) : "");
      case 5: return fmt::format("  {{ N *p = {}; drop(p); {} }}\n", pointer(), after());
      case 6:
      case 7:
      case 14:
      case 15: return fmt::format("  {{ N *p = {}; __heddle_free(p); {} }}\n", pointer(), after());
      case 8: return fmt::format("  {{ N *p = {}; if (p) __heddle_object_facts(p); }}\n", pointer());
      case 9:
      case 16: return fmt::format("  {{ N *p = {}; __heddle_object_facts(p); }}\n", pointer());
      case 10: return fmt::format("  {{ N *p = {}; if (p) p->v = 5; }}\n", pointer());
      case 11: return fmt::format("  own{} = r & 1 ? 300 : 1; if (own{} > 5) STORE(z, 1);\n", number_, number_);
      case 12:
        return fmt::format("  if (r & 1) {{ {} }}\n", one_in(2) ? "drop(o); o = 0;" : "N *p = make(0); drop(p);");
      default:
        return fmt::format("  N *h{0} = make(0); h{0}->v = {1}; {2}\n", k, one_in(2) ? "r" : "3",
                           one_in(2) ? fmt::format("STORE(z, h{}->v);", k) : "");
    }
  }
  std::string after() {
    static const char* const accesses[] = {"", "", "if (mine) mine->v = 5;", "s = o->v;"};
    return accesses[pick(4)];
  }

  std::mt19937_64 random_;
  unsigned number_ = 0, arrays_ = 0;
  const bool tame_;
  bool chained_ = false, sharp_ = false;
};

}  // namespace heddle::tests
