// Random small C programs in which one thread publishes an object, another one frees it, and both look into it by
// accesses of all sizes and orders, behind fences and between other accesses. Many share a module.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>

namespace heddle::tests {

class RandomLifetimes {
 public:
  explicit RandomLifetimes(std::uint64_t seed) : random_(seed) {}

  // Thread k of program i is the function t<i>_<k>.
  std::string module(unsigned count) {
    std::string text =
        "typedef unsigned char b; typedef unsigned short h; typedef unsigned u; typedef unsigned long l;\n"
        "b *box; u x, out0, out1, out2;\n"
        "void *__heddle_alloc(unsigned long, int); void __heddle_free(void *);\n";
    for (unsigned i = 0; i < count; ++i) {
      const bool small = one_in(2);  // few sizes, or all of them
      mixed_ = !small;
      text += thread(
          i, 0,
          fmt::format("  o = __heddle_alloc(8, {});\n", one_in(6) ? 1 : 0) + operations(2) + publish() + operations(2));
      text += thread(
          i, 1, find() + operations(3) + (one_in(4) ? "  if (o) box = 0;\n" : "") + "  if (o) __heddle_free(o);\n");
      if (one_in(4)) text += thread(i, 2, find() + operations(1));
    }
    return text + "int main(void) { return 0; }\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return pick(n) == 0; }
  template <unsigned N>
  std::string order(const char* const (&orders)[N]) {
    return std::string("__ATOMIC_") + orders[pick(N)];
  }
  std::string read_order() { return order({"RELAXED", "RELAXED", "ACQUIRE", "SEQ_CST"}); }
  std::string write_order() { return order({"RELAXED", "RELAXED", "RELEASE", "SEQ_CST"}); }
  std::string any_order() { return order({"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}); }

  std::string thread(unsigned program, unsigned number, const std::string& body) {
    return fmt::format(
        "__attribute__((used)) void *t{0}_{1}(void *a) {{\n  b *o = 0; u r = 0;\n{2}"
        "  __atomic_store_n(&out{1}, r, __ATOMIC_RELAXED);\n  return a;\n}}\n",
        program, number, body);
  }
  std::string publish() {
    if (one_in(4)) return fmt::format("  __atomic_exchange_n(&box, o, {});\n", any_order());
    return fmt::format("  __atomic_store_n(&box, o, {});\n", write_order());
  }
  std::string find() { return fmt::format("  o = __atomic_load_n(&box, {});\n", read_order()); }
  std::string place() {
    static constexpr char types[] = {'b', 'h', 'u', 'l'};
    const unsigned size = mixed_ ? pick(4) : 2;
    return fmt::format("({} *)(o + {})", types[size], pick(8U >> size) << size);
  }
  std::string operations(unsigned most) {
    std::string text;
    for (unsigned n = pick(most + 1); n > 0; --n) text += "  if (o) " + operation() + "\n";
    return text;
  }
  std::string operation() {
    switch (pick(9)) {
      case 0:
      case 1: return fmt::format("r = r * 3 + (u)__atomic_load_n({}, {});", place(), read_order());
      case 2:
      case 3:
      case 4: return fmt::format("__atomic_store_n({}, {}, {});", place(), 1 + pick(3), write_order());
      case 5: return fmt::format("r = r * 3 + (u)__atomic_fetch_add({}, 1, {});", place(), any_order());
      case 6: return fmt::format("*{} = {};", place(), 1 + pick(3));
      case 7: return fmt::format("__atomic_thread_fence({});", order({"ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}));
      default:
        return one_in(2) ? fmt::format("__atomic_store_n(&x, {}, {});", 1 + pick(3), write_order())
                         : fmt::format("r = r * 3 + __atomic_load_n(&x, {});", read_order());
    }
  }

  std::mt19937_64 random_;
  bool mixed_ = false;
};

}  // namespace heddle::tests
