// Random C++ programs that throw, catch, rethrow and clean up give the same result on the virtual machine, at every level of
// optimisation, as native code does.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "explore/product.h"
#include "explore/search.h"
#include "lang/llvm/load.h"
#include "models/models.h"
#include "support/given.h"
#include "support/places.h"

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

// A program of eight functions, which run with sixteen inputs each.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  // The functions and, as the last of them, `run`, in the namespace p<seed>.
  std::string program(unsigned seed) {
    constexpr int functions = 8;
    std::string text = fmt::format("namespace p{} {{\n", seed);
    for (function_ = 0; function_ < functions; ++function_)
      text += fmt::format("static void f{}(unsigned x) {{\n{}}}\n", function_, statements(3));
    text += "static void run() {\n  for (unsigned x = 0; x < 16; ++x) {\n";
    for (int k = 0; k < functions; ++k) text += fmt::format("    try {{ f{}(x); }} catch (...) {{ mix(99); }}\n", k);
    return text + "  }\n}\n}\n";
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

constexpr unsigned in_module = 20;  // programs that are compiled at once

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

// Why the program's result on the machine is not the one that is expected; empty if it is.
std::string on_machine(const fs::path& folder, const std::string& file, const std::string& expected,
                       const std::string& level, bool pending) {
  std::ofstream(folder / "main.cpp") << "extern \"C\" unsigned test();\nint main() { if (test() != " << expected
                                     << "u) __builtin_trap(); }\n";
  lang::llvm_ir::Options options;
  options.optimise = level;
  options.runtime = tests::binary_dir() + "/runtime";
  options.cflags = {"-w"};
  options.pending_loads = pending;
  auto program = lang::llvm_ir::load({file, (folder / "main.cpp").string()}, options);
  if (!program) return support::render(program.error());
  const explore::Product product(**program, *models::machine("sc"), {});
  explore::SearchOptions search;
  search.reduction = core::Reduction::Safety;
  search.deadlocks = true;
  core::Budget budget;
  const explore::SearchResult result = explore::search(product, search, budget);
  if (result.found) return "another result, or an error";
  return result.stopped ? result.stopped->text : result.states == 0 ? "nothing was explored" : "";
}

// The programs first … last - 1 as one module, whose result depends on all of them.
std::string module_of(unsigned first, unsigned last) {
  std::string text = prelude, calls;
  for (unsigned seed = first; seed < last; ++seed) {
    text += Generator(seed).program(seed);
    calls += fmt::format(" p{}::run();", seed);
  }
  return text + "extern \"C\" unsigned test() {" + calls + " return h; }\n";
}

// What differs, empty if nothing does.
std::string difference(const fs::path& folder, unsigned first, unsigned last) {
  const std::string text = module_of(first, last), file = (folder / "program.cpp").string();
  std::ofstream(file) << text;
  const std::string expected = native(folder, file);
  for (const auto& [level, pending] : {std::pair("0", false), {"1", false}, {"2", false}, {"1", true}})
    if (const std::string why = on_machine(folder, file, expected, level, pending); !why.empty())
      return fmt::format("seeds {} to {} at -O{}{}, native code says {}: {}\n{}", first, last - 1, level,
                         pending ? " with pending loads" : "", expected, why, text);
  return {};
}

// HEDDLE_RANDOM_PROGRAMS=5000 for the long run; in parts with HEDDLE_RANDOM_SEED.
TEST(RandomCpp, agrees_with_native_code_slow) {
  char name[] = "/tmp/heddle-cpp-XXXXXX";
  const fs::path folder = ::mkdtemp(name);
  const unsigned begin = tests::given("HEDDLE_RANDOM_SEED", 1),
                 end = begin + tests::given("HEDDLE_RANDOM_PROGRAMS", 40);
  for (unsigned first = begin; first < end && !HasFailure(); first += in_module) {
    const unsigned last = std::min(end, first + in_module);
    if (difference(folder, first, last).empty()) continue;
    for (unsigned seed = first; seed < last; ++seed) EXPECT_EQ(difference(folder, seed, seed + 1), "");
    EXPECT_TRUE(HasFailure()) << "seeds " << first << " to " << last - 1 << " differ together, none of them alone";
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace heddle
