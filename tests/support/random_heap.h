// Random small C programs about objects: threads allocate them, write to them, link them, publish their addresses in
// several ways, look into what others have published and free what they hold, in threads that others create, in atomic
// sections, in loops longer than a step is remembered, and after choices. Many share a module, so that compiling does
// not dominate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <random>
#include <string>

#include <fmt/format.h>

namespace heddle::tests {

class RandomHeap {
 public:
  explicit RandomHeap(std::uint64_t seed) : random_(seed) {}

  // A module with `count` programs: thread k of program i is the function t<i>_<k>, those that it creates c<i>_<k>_<n>.
  std::string module(unsigned count) {
    std::string text =
        "typedef unsigned u;\n"
        "typedef unsigned char b;\n"
        "u x, y, out0, out1, out2, out3;\n"
        "int lock;\n"
        "struct N { u v, w; struct N *next; u wide[PADDING]; };\n"
        "typedef struct N N;\n"
        "struct { N *p, *q; u more[8]; } box;\n"  // too large to be part of an outcome: names of objects differ
        "void *__heddle_alloc(unsigned long, int); void __heddle_free(void *); unsigned __heddle_choose(unsigned);\n"
        "unsigned __heddle_spawn(void *(*)(void *), void *); void __heddle_join(unsigned);\n"
        "void __heddle_assume(int); _Noreturn void __heddle_exit(int);\n"
        "void __heddle_wait_lock(int *, int); int __heddle_unlock(int *); unsigned __heddle_self(void);\n"
        "void __heddle_wait_cas(int *, int, int); void __heddle_atomic_begin(void), __heddle_atomic_end(void);\n";
    for (unsigned i = 0; i < count; ++i) text += program(i);
    static const char* const paddings[] = {"2", "2", "2", "36"};  // 36: more than a page
    const std::string padding = paddings[pick(4)];
    text.replace(text.find("PADDING"), 7, padding);
    return text + "int main(void) { return 0; }\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return pick(n) == 0; }
  std::string order(std::initializer_list<const char*> orders) {
    return std::string("__ATOMIC_") + *(orders.begin() + pick(static_cast<unsigned>(orders.size())));
  }
  std::string box() { return one_in(3) ? "&box.q" : "&box.p"; }
  std::string field() {
    static const char* const fields[] = {"v", "v", "v", "w", "wide[1]"};
    return fields[pick(5)];
  }

  std::string program(unsigned i) {
    program_ = i;
    before_.clear();
    children_ = 0;
    dangerous_ = pick(3);  // how freely it frees
    tree_ = one_in(3);     // one thread creates all others, and may end the program
    const unsigned threads = tree_ ? 1 : one_in(4) ? 3 : 2;
    std::string text;
    for (unsigned k = 0; k < threads; ++k) text += thread(k, threads == 3 ? 3 : 5);
    return before_ + text;
  }

  // Declares what a body uses and gives it its operations.
  std::string body(unsigned number, unsigned operations, const char* own, bool may_spawn) {
    number_ = number;
    sums_ = 0;
    std::string text = fmt::format("  N *o = {}, *f = 0; u r = 0, h0 = 0, h1 = 0; int s0 = 0, s1 = 0;\n", own);
    bool spawned[2] = {false, false};
    for (unsigned n = 0; n < operations; ++n) {
      if (may_spawn && one_in(tree_ ? 2 : 8) && !(spawned[0] && spawned[1])) {
        const unsigned k = spawned[0] ? 1 : 0;
        spawned[k] = true;
        text += fmt::format("  h{0} = __heddle_spawn(c{1}_{2}_{0}, {3}); s{0} = 1;\n", k, program_, number_,
                            one_in(3) ? "f" : "o");
        child(number_, k);
        number_ = number;
        continue;
      }
      text += "  " + operation() + "\n";
      if (spawned[0] && one_in(5)) text += "  if (s0) { __heddle_join(h0); s0 = 0; }\n";
    }
    if (tree_ && may_spawn)
      for (unsigned k = 0; k < 2; ++k)
        if (spawned[k] && !one_in(4)) text += fmt::format("  if (s{0}) __heddle_join(h{0});\n", k);
    if (tree_ && may_spawn && one_in(3)) text += operation() + "\n";
    text += fmt::format("  __atomic_store_n(&out{}, r, __ATOMIC_RELAXED);\n", number_out_);
    if (tree_ && may_spawn && !one_in(3)) text += "  if (o) __heddle_free(o);\n  __heddle_exit(0);\n";
    return text;
  }
  void child(unsigned parent, unsigned k) {
    const unsigned saved_out = number_out_;
    number_out_ = parent + 1 + k;
    const std::string text = body(parent + 1 + k, 1 + pick(tree_ ? 3 : 2), "a", false);
    before_ += fmt::format("__attribute__((used)) void *c{}_{}_{}(void *a) {{\n{}  return a;\n}}\n", program_, parent,
                           k, text);
    number_out_ = saved_out;
    ++children_;
  }
  std::string thread(unsigned number, unsigned most) {
    number_out_ = number;
    const std::string text = body(number, 2 + pick(most), "0", number == 0);
    return fmt::format("__attribute__((used)) void *t{}_{}(void *a) {{\n{}  return a;\n}}\n", program_, number, text);
  }

  std::string value() { return fmt::format("{}", 1 + pick(5)); }
  std::string note(const std::string& what) {
    sums_ = sums_ == 0 ? 1 : sums_ * 7 % 100003;
    return fmt::format("r += ({}) * {}u;", what, sums_);
  }
  std::string get() {
    static const char* const orders[] = {"RELAXED", "RELAXED", "ACQUIRE", "SEQ_CST"};
    return fmt::format("__atomic_load_n({}, __ATOMIC_{})", box(), orders[pick(4)]);
  }

  std::string store(const char* object) {
    if (one_in(2)) return fmt::format("if ({0}) {0}->{1} = {2};", object, field(), value());
    return fmt::format("if ({0}) __atomic_store_n(&{0}->{1}, {2}, {3});", object, field(), value(),
                       order({"RELAXED", "RELEASE", "RELEASE", "SEQ_CST"}));
  }

  // o: an object of its own, perhaps published; f: one that was found; both may be null.
  std::string operation() {
    switch (pick(26)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return fmt::format("if (!o) {{ o = __heddle_alloc(sizeof *o, {}); o->{} = {}; {}}}", "0", field(), value(),
                           one_in(3) ? "" : "o->v = 1; o->next = f; ");
      case 4:
      case 5:
        return fmt::format("if (o) __atomic_store_n({}, o, {});", box(),
                           order({"RELAXED", "RELAXED", "RELEASE", "SEQ_CST"}));
      case 6:
        return fmt::format("if (o) {{ f = __atomic_exchange_n({}, o, {}); o = 0; }}", box(),
                           order({"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}));
      case 7:
        return fmt::format(
            "if (o) {{ N *e = {1}; o->next = e; if (__atomic_compare_exchange_n({0}, &e, o, {2}, {3}, "
            "__ATOMIC_RELAXED)) o = "
            "0; else f = e; }}",
            box(), get(), pick(2), order({"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL"}));
      case 8:  // pop
        return fmt::format(
            "{{ N *e = {1}; if (e) {{ N *n = {4}; if (__atomic_compare_exchange_n({0}, &e, n, {2}, {3}, "
            "__ATOMIC_RELAXED)) {{ {5} }} }} }}",
            box(), get(), pick(2), order({"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL"}), one_in(2) ? "e->next" : "0",
            one_in(2) ? "o = e;" : "f = e;");
      case 9:
      case 10: return fmt::format("f = {};", get());
      case 11:
      case 12: return fmt::format("if (f) {}", note("f->" + field()));
      case 13: return store("f");
      case 14: return fmt::format("if (f && f->next) f = f->next;");
      case 15:
      case 16: return store("o");
      case 17: return note("f == o");
      case 18:
        if (dangerous_ == 0) return fmt::format("if (f) {{ {}({}, 0, __ATOMIC_RELAXED); }}", "__atomic_store_n", box());
        if (dangerous_ == 1) return fmt::format("if (o) {{ __heddle_free(o); o = 0; }}");
        return fmt::format("if ({0}) {{ __heddle_free({0}); {0} = 0; }}", one_in(2) ? "o" : "f");
      case 19: return fmt::format("__atomic_thread_fence({});", order({"ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}));
      case 20: {
        static const unsigned rounds[] = {3, 20, 70};
        return fmt::format("if (o) for (u i = 0; i < {}; ++i) {{ o->{} = i; {} }}", rounds[pick(3)], field(),
                           one_in(2) ? fmt::format("if (i == {}) __atomic_store_n({}, o, __ATOMIC_{});", pick(20),
                                                   box(), one_in(2) ? "RELAXED" : "RELEASE")
                                     : "");
      }
      case 21: return fmt::format("if (__heddle_choose(2)) {{ {} }}", simple());
      case 22: return fmt::format("__heddle_atomic_begin(); {} {} __heddle_atomic_end();", simple(), simple());
      case 23:
        return fmt::format("__heddle_wait_lock(&lock, (int)__heddle_self() + 1); {} {} __heddle_unlock(&lock);",
                           simple(), simple());
      case 24:  // of an object's name, the upper half of its address, the upper half is 0
        if (!one_in(4)) return fmt::format("*(b *)&x = {};", value());
        if (one_in(2)) return fmt::format("((volatile b *){})[7] = {};", box(), value());
        return note(fmt::format("((volatile b *){})[{}]", box(), 6 + pick(2)));
      default: return simple();
    }
  }
  std::string simple() {
    switch (pick(7)) {
      case 0: return fmt::format("__atomic_store_n(&x, {}, {});", value(), order({"RELAXED", "RELEASE", "SEQ_CST"}));
      case 1:
        return note(fmt::format("__atomic_load_n(&{}, {})", one_in(2) ? "x" : "y", order({"RELAXED", "ACQUIRE"})));
      case 2: return fmt::format("y = {};", value());
      case 3: return fmt::format("if (o) {{ o->{} = {}; box.p = o; }}", field(), value());
      case 4: return fmt::format("f = box.q; if (f) {}", note("f->" + field()));
      case 5:
        return note(fmt::format("__atomic_fetch_add(&x, 1, {})", order({"RELAXED", "ACQUIRE", "RELEASE", "SEQ_CST"})));
      default: return fmt::format("if (o) {{ o->w = {}; o->v = o->w + 1; }}", value());
    }
  }

  std::mt19937_64 random_;
  unsigned program_ = 0, number_ = 0, number_out_ = 0, children_ = 0, dangerous_ = 0, sums_ = 0;
  bool tree_ = false;
  std::string before_;
};

}  // namespace heddle::tests
