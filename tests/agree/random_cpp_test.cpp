// Random C++ programs that throw, catch, rethrow and clean up give the same result on the virtual machine, at every level of
// optimisation, as native code does.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lang/llvm/load.h"
#include "vm_sc_runner.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* prelude = R"(
static unsigned h;
static void mix(unsigned x) { h = h * 31 + x; }
struct A { int a; explicit A(int n) : a(n) {} virtual ~A() { mix(3); } };
struct B : A { int b; explicit B(int n) : A(n), b(n + 1) {} };
struct C : virtual A { int c; explicit C(int n) : A(n), c(n + 2) {} };
struct D : virtual A { int d; explicit D(int n) : A(n), d(n + 3) {} };
struct E : C, D { explicit E(int n) : A(n), C(n), D(n) {} };
static unsigned of(const A &x) { return x.a; }
static unsigned of(int x) { return x; }
static unsigned of(long x) { return 5 + x; }
static unsigned of(char x) { return 7 + x; }
struct Guard {
  unsigned n;
  Guard(unsigned k, bool fails) : n(k) { mix(k); if (fails) throw (long)k; }
  ~Guard() { mix(n + 7); }
};
struct Tries {
  unsigned n;
  explicit Tries(unsigned k) : n(k) {}
  ~Tries() { try { if (n & 1) throw (char)n; mix(n); } catch (char c) { mix(of(c)); } }
};
struct Pair {
  Guard first, second;
  Pair(unsigned k, bool fails) try : first(k, false), second(k + 1, fails) { mix(1); } catch (long l) { mix(of(l)); }
};
)";

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string program() {
    constexpr int functions = 8;
    std::string text = prelude;
    for (function_ = 0; function_ < functions; ++function_)
      text += fmt::format("static void f{}(unsigned x) {{\n{}}}\n", function_, statements(3));
    text += "extern \"C\" unsigned test() {\n  for (unsigned x = 0; x < 16; ++x) {\n";
    for (int k = 0; k < functions; ++k) text += fmt::format("    try {{ f{}(x); }} catch (...) {{ mix(99); }}\n", k);
    return text + "  }\n  return h;\n}\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string condition() { return fmt::format("((x >> {}) & 1) == {}", below(4), below(2)); }
  std::string thrown() {
    static const std::vector<const char*> forms = {"{}",    "(long){}", "(char){}", "A({})",
                                                   "B({})", "C({})",    "D({})",    "E({})"};
    return fmt::format(fmt::runtime(forms[below(static_cast<unsigned>(forms.size()))]), below(9));
  }
  std::string handler() {
    static const std::vector<const char*> types = {"int",       "long",      "char",      "const A &",
                                                   "const B &", "const C &", "const D &", "..."};
    const std::string type = types[below(static_cast<unsigned>(types.size()))];
    return type == "..." ? "catch (...) { mix(11);" : fmt::format("catch ({} e) {{ mix(of(e));", type);
  }
  std::string statements(int depth) {
    std::string text;
    for (unsigned k = 1 + below(4); k > 0; --k) text += statement(depth) + "\n";
    return text;
  }
  std::string statement(int depth) {
    const unsigned n = below(20), name = names_++;
    switch (below(depth > 0 ? 10 : 6)) {
      case 0: return fmt::format("mix({});", n);
      case 1: return fmt::format("Guard g{}({}, {});", name, n, condition());
      case 2: return fmt::format("if ({}) throw {};", condition(), thrown());
      case 3: return fmt::format("Tries t{}({});", name, n);
      case 4:
        return function_ == 0 ? "mix(13);" : fmt::format("f{}(x ^ {});", below(static_cast<unsigned>(function_)), n);
      case 5: return fmt::format("if ({}) return;", condition());
      case 6:
        return fmt::format("for (unsigned i{0} = 0; i{0} < 2; ++i{0}) {{ mix(i{0});\n{1}}}", name,
                           statements(depth - 1));
      case 7: return fmt::format("Pair p{}({}, {});", name, n, condition());
      default: {
        std::string text = fmt::format("try {{\n{}}}", statements(depth - 1));
        for (unsigned k = 1 + below(2); k > 0; --k) {
          const std::string begin = handler();
          text += fmt::format(" {}\n{}{}}}", begin, statements(depth - 1), below(4) == 0 ? "throw;\n" : "");
          if (begin.starts_with("catch (...)")) break;
        }
        return text;
      }
    }
  }

  std::mt19937 random_;
  int function_ = 0;
  unsigned names_ = 0;
};

std::string native(const fs::path& folder, const std::string& file) {
  std::ofstream(folder / "driver.cpp")
      << "#include <cstdio>\nextern \"C\" unsigned test();\nint main() { std::printf(\"%u\", test()); }\n";
  const std::string exe = (folder / "native").string();
  const std::string command =
      "clang++-19 -O0 -w -o " + exe + " " + file + " " + (folder / "driver.cpp").string() + " && " + exe;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "no shell";
  char buffer[64] = "";
  const bool read = std::fgets(buffer, sizeof buffer, pipe) != nullptr;
  ::pclose(pipe);
  return read ? buffer : "nothing";
}

std::string on_machine(const fs::path& folder, const std::string& file, const std::string& level, bool pending) {
  std::ofstream(folder / "main.cpp") << "extern \"C\" unsigned test();\nint main() { return (int)test(); }\n";
  lang::llvm_ir::Options options;
  options.optimise = level;
  options.runtime = HEDDLE_BINARY_DIR "/runtime";
  options.cflags = {"-w"};
  options.pending_loads = pending;
  auto program = lang::llvm_ir::load({file, (folder / "main.cpp").string()}, options);
  if (!program) return support::render(program.error());
  const auto run = tests::ScRunner(**program).run();
  return run.exited ? std::to_string(static_cast<unsigned>(run.status)) : run.failure + ": " + run.message;
}

// Each program has eight functions, which run with sixteen inputs each; HEDDLE_RANDOM_PROGRAMS=5000 for the long run.
TEST(RandomCpp, agrees_with_native_code_slow) {
  char name[] = "/tmp/heddle-cpp-XXXXXX";
  const fs::path folder = ::mkdtemp(name);
  const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS");
  const unsigned programs = wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 8;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const std::string text = Generator(seed).program();
    const std::string file = (folder / "program.cpp").string();
    std::ofstream(file) << text;
    const std::string expected = native(folder, file);
    for (const char* level : {"0", "1", "2"})
      EXPECT_EQ(on_machine(folder, file, level, false), expected) << "seed " << seed << " at -O" << level << "\n"
                                                                  << text;
    EXPECT_EQ(on_machine(folder, file, "1", true), expected) << "seed " << seed << " with pending loads\n" << text;
    if (HasFailure()) break;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace heddle
