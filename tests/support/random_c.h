// Random small C programs. Many share a module, so that compiling does not dominate; each is a set of functions that
// run as threads over the same globals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/program.h"
#include "lang/llvm/load.h"
#include "vm/vm_program.h"

namespace heddle::tests {

// A program of which other functions than its own entry run from the start.
class Threads final : public core::Program {
 public:
  Threads(const core::Program& base, std::vector<Entry> entries) : base_(base), entries_(std::move(entries)) {}
  core::Features features() const override { return base_.features(); }
  std::span<const core::GlobalObject> globals() const override { return base_.globals(); }
  std::vector<Entry> initial_threads() const override { return entries_; }
  void start(std::uint32_t entry, core::Value arg, core::Tid self, core::Local& local,
             core::Shadow* shadow) const override {
    base_.start(entry, arg, self, local, shadow);
  }
  core::Request request(core::ConstLocal local) const override { return base_.request(local); }
  void resume(core::Local& local, const core::Answer& answer, core::Shadow* shadow) const override {
    base_.resume(local, answer, shadow);
  }
  void defer(core::Local& local) const override { base_.defer(local); }
  void deliver(core::Local& local, core::Slot slot, const core::Answer& answer) const override {
    base_.deliver(local, slot, answer);
  }
  std::unique_ptr<core::Shadow> make_shadow() const override { return base_.make_shadow(); }
  std::unique_ptr<core::Shadow> copy_shadow(const core::Shadow& s) const override { return base_.copy_shadow(s); }
  core::Deps deps(core::ConstLocal local, const core::Shadow& s) const override { return base_.deps(local, s); }
  void visit_pointers(core::Local& local, const std::function<void(core::Value&)>& f) const override {
    base_.visit_pointers(local, f);
  }
  bool names_matter(core::ConstLocal local) const override { return base_.names_matter(local); }
  core::Failure failure(core::ConstLocal local) const override { return base_.failure(local); }
  core::SourcePlace place(core::Site site) const override { return base_.place(site); }
  std::string location_name(const core::Loc& loc, core::ConstLocal local) const override {
    return base_.location_name(loc, local);
  }
  std::string thread_name(std::uint32_t entry) const override { return base_.thread_name(entry); }
  std::vector<core::SourcePlace> stack(core::ConstLocal local) const override { return base_.stack(local); }

 private:
  const core::Program& base_;
  std::vector<Entry> entries_;
};

// The programs of a module of RandomC, each as what runs from the start; those of fewer than two threads are none.
inline std::vector<std::vector<core::Program::Entry>> programs_of(const core::Program& module, unsigned count) {
  const auto& vm = dynamic_cast<const vm::VmProgram&>(module);
  std::map<std::string, std::uint32_t> entries;
  for (std::uint32_t f = 0; f < vm.module().functions.size(); ++f) entries[vm.thread_name(f)] = f;
  std::vector<std::vector<core::Program::Entry>> programs(count);
  for (unsigned i = 0; i < count; ++i)
    for (unsigned k = 0; entries.contains(fmt::format("t{}_{}", i, k)); ++k)
      programs[i].push_back({entries[fmt::format("t{}_{}", i, k)], {}});
  return programs;
}

// Compiles the text of a module.
inline std::unique_ptr<core::Program> load_module(const std::string& text, const lang::llvm_ir::Options& options) {
  const std::string path = testing::TempDir() + fmt::format("random_c_{}.c", getpid());
  std::ofstream(path) << text;
  auto loaded = lang::llvm_ir::load({path}, options);
  if (!loaded) {
    ADD_FAILURE() << render(loaded.error());
    return nullptr;
  }
  return std::move(*loaded);
}

class RandomC {
 public:
  // `machine`: some programs have locks, atomic sections, or objects that are allocated, published and freed, inside
  // and outside the memory model.
  // `mixing`: of four programs this many have accesses of different sizes to the same bytes.
  // `outside`: objects outside the memory model are used as the library never uses them. Graphs take them as any other.
  explicit RandomC(std::uint64_t seed, bool machine = false, unsigned mixing = 1, bool outside = true)
      : random_(seed), machine_(machine), mixing_(mixing), outside_(outside) {}

  // A module with `count` programs; thread k of program i is the function t<i>_<k>.
  std::string module(unsigned count) {
    std::string text =
        "typedef unsigned u;\n"
        "u x, y;\n"
        "union { u w; unsigned short h[2]; unsigned char b[4]; } m;\n"
        "u out0, out1, out2;\n";
    if (machine_)
      text +=
          "int lock;\n"
          "struct { u *p; u more[8]; } box;\n"  // too large to be part of an outcome: names of objects differ
          "void *__heddle_alloc(unsigned long, int); void __heddle_free(void *);\n"
          "void __heddle_wait_cas(int *, int, int); void __heddle_atomic_begin(void), __heddle_atomic_end(void);\n";
    for (unsigned i = 0; i < count; ++i) {
      mixed_ = pick(4) < mixing_;
      heap_ = machine_ && pick(6) == 0;
      const unsigned threads = pick(5) == 0 ? 3 : 2;
      for (unsigned k = 0; k < threads; ++k) text += thread(i, k, threads == 3 ? 2 : 3);
    }
    return text + "int main(void) { return 0; }\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string order(std::initializer_list<const char*> orders) {
    return std::string("__ATOMIC_") + *(orders.begin() + pick(static_cast<unsigned>(orders.size())));
  }
  std::string place() {
    if (mixed_ && pick(4) < (mixing_ > 1 ? 3 : 2)) {
      static const char* const parts[] = {"&m.w", "&m.h[0]", "&m.h[1]", "&m.b[1]", "&m.b[3]"};
      return parts[pick(5)];
    }
    return pick(2) == 0 ? "&x" : "&y";
  }
  // One thread makes an object and publishes it, others look at it; either may free it too early.
  std::string heap_part(unsigned number) {
    if (number == 0)
      return fmt::format("  u *own = __heddle_alloc(4, {}); *own = {}; __atomic_store_n(&box.p, own, {});\n",
                         pick(2) == 0 || !outside_ ? 0 : 3, 1 + pick(3), order({"RELAXED", "RELEASE"}));
    return fmt::format("  {{ u *p = __atomic_load_n(&box.p, {}); if (p) {{ {}{} }} }}\n", order({"RELAXED", "ACQUIRE"}),
                       pick(2) == 0 ? fmt::format("out{} = *p;", number) : "*p = 9;",
                       pick(2) == 0 ? " __heddle_free(p);" : "");
  }
  std::string machine_part(const std::string& value) {
    if (pick(2) == 0)
      return fmt::format("__heddle_wait_cas(&lock, 0, 1); *{} = {}; __atomic_exchange_n(&lock, 0, __ATOMIC_SEQ_CST);",
                         place(), value);
    return fmt::format("__heddle_atomic_begin(); *{} = {}; *{} = {}; __heddle_atomic_end();", place(), value, place(),
                       pick(3));
  }
  std::string thread(unsigned program, unsigned number, unsigned most) {
    std::string body;
    if (heap_) body += heap_part(number);
    const unsigned count = heap_ ? pick(2) : 1 + pick(most);
    unsigned registers = 0;
    for (unsigned i = 0; i < count; ++i) {
      const std::string value =
          registers != 0 && pick(3) == 0 ? fmt::format("r{}", pick(registers)) : fmt::format("{}", 1 + pick(3));
      std::string line;
      switch (pick(machine_ ? 9 : 8)) {
        case 0:
        case 1:
        case 2:
          body += fmt::format("  u r{} = __atomic_load_n({}, {});\n", registers++, place(),
                              order({"RELAXED", "RELAXED", "ACQUIRE", "SEQ_CST"}));
          continue;
        case 3:
        case 4:
          line = fmt::format("__atomic_store_n({}, {}, {});", place(), value,
                             order({"RELAXED", "RELAXED", "RELEASE", "SEQ_CST"}));
          break;
        case 5:
          line = fmt::format("__atomic_thread_fence({});", order({"ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}));
          break;
        case 6:
          body += fmt::format("  u r{} = __atomic_fetch_add({}, {}, {});\n", registers++, place(), value,
                              order({"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}));
          continue;
        case 8: line = machine_part(value); break;
        default: {
          const std::string at = place();
          body += fmt::format(
              "  __typeof__(*{2}) e{0} = {1}; __atomic_compare_exchange_n({2}, &e{0}, {3}, 0, {4}, __ATOMIC_RELAXED); "
              "u r{0} = e{0};\n",
              registers, pick(2), at, value, order({"RELAXED", "ACQUIRE", "RELEASE", "SEQ_CST"}));
          ++registers;
          continue;
        }
      }
      if (registers != 0 && pick(4) == 0) line = fmt::format("if (r{} != {}) {{ {} }}", pick(registers), pick(2), line);
      body += "  " + line + "\n";
    }
    if (heap_ && number == 0 && pick(2) == 0)
      body += fmt::format("  {}__heddle_free(own);\n", pick(2) == 0 ? "*own = 5; " : "");
    if (registers != 0) {
      std::string sum = "0";
      for (unsigned r = 0; r < registers; ++r) sum += fmt::format(" + r{} * {}u", r, r == 0 ? 1 : r == 1 ? 100 : 10000);
      body += fmt::format("  __atomic_store_n(&out{}, {}, __ATOMIC_RELAXED);\n", number, sum);
    }
    return fmt::format("__attribute__((used)) void *t{}_{}(void *a) {{\n{}  return a;\n}}\n", program, number, body);
  }

  std::mt19937_64 random_;
  const bool machine_;
  const unsigned mixing_;
  const bool outside_;
  bool mixed_ = false, heap_ = false;
};

}  // namespace heddle::tests
