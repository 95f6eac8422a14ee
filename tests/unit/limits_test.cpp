// Limits, the interrupt key, and ends that are not verdicts, as a user meets them: the program itself is run, in a
// process of its own. Times are only bounded where a hang would be the defect, and generously: machines may be busy.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "axioms/thread_runs.h"
#include "core/child.h"
#include "core/input.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/program.h"
#include "support/places.h"
#include "support/printable.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

const std::string program = tests::binary_dir() + "/heddle";

class Limits : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle-limits-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  struct End {
    int code = -1;  // 128 and the signal's number if a signal ended it
    std::string said;
    double seconds = 0;
    long peak = 0;  // MiB
  };

  // Runs heddle; `meanwhile` is called with its process as soon as that exists. More than a minute is a hang.
  End heddle(std::vector<std::string> words, const std::function<void(pid_t)>& meanwhile = nullptr,
             const char* output = nullptr) {
    const std::string said = (folder_ / "said").string();
    const auto begun = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
      const int out = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(out, 2);
      ::dup2(output != nullptr ? ::open(output, O_WRONLY) : out, 1);
      std::vector<char*> argv{const_cast<char*>(program.c_str())};
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::execv(program.c_str(), argv.data());
      ::_exit(127);
    }
    std::jthread side;
    if (meanwhile) side = std::jthread([&] { meanwhile(child); });
    End end;
    int status = 0;
    rusage used = {};
    while (::wait4(child, &status, WNOHANG, &used) == 0) {
      end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      if (end.seconds > 60) ::kill(child, SIGKILL);
      ::usleep(2000);
    }
    end.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    end.peak = used.ru_maxrss / 1024;
    std::ifstream in(said);
    std::ostringstream text;
    text << in.rdbuf();
    end.said = text.str();
    return end;
  }

  fs::path folder_;
};

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// A text of 40 lines for which clang needs an hour and all memory.
std::string macro_bomb() {
  std::string text = "#define A0 1+1\n";
  for (int i = 1; i < 40; ++i)
    text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + "+A" + std::to_string(i - 1) + "\n";
  return text + "int x = A39;\nint main(void) { return 0; }\n";
}

constexpr const char* litmus =
    "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
    "exists (0:EAX=0 /\\ 1:EAX=0)\n";

TEST_F(Limits, clang_ends_with_the_time_limit) {
  const End end = heddle({"check", file("bomb.c", macro_bomb()), "--model", "sc", "--timeout", "1"});
  EXPECT_EQ(end.code, 3) << end.said;
  EXPECT_NE(end.said.find("clang was stopped: time limit reached"), std::string::npos) << end.said;
}

TEST_F(Limits, a_repair_whose_program_is_not_read_in_time_is_unknown) {
  const std::string report = (folder_ / "report.json").string();
  const End end =
      heddle({"repair", file("bomb.c", macro_bomb()), "--model", "tso,pso", "--timeout", "1", "--json", report});
  EXPECT_EQ(end.code, 3) << end.said;
  for (const char* model : {"tso", "pso"})
    EXPECT_NE(end.said.find(std::string(model) + "  UNKNOWN: clang was stopped: time limit reached"), std::string::npos)
        << end.said;
  EXPECT_TRUE(fs::exists(report));
}

TEST_F(Limits, a_compiler_that_there_is_no_time_for_is_not_missing) {
  const End end = heddle({"hardware", file("SB.litmus", litmus), "--timeout", "0.0001"});
  EXPECT_EQ(end.code, 3) << end.said;
  EXPECT_NE(end.said.find("time limit reached"), std::string::npos) << end.said;
}

// A compiler that changes what is stored, and a report that cannot be written.
TEST_F(Limits, a_forbidden_outcome_has_its_exit_code_whatever_else_goes_wrong) {
  const std::string compiler = file("cc.sh", R"(#!/bin/sh
case "$*" in *test.c*)
  for last; do :; done
  sed -i 's/(x, 1,/(x, 2,/' "$last";;
esac
exec cc "$@"
)");
  fs::permissions(compiler, fs::perms::owner_all);
  const std::string test = file("one.litmus",
                                "C one\n{ }\nP0 (atomic_int* x) {\n"
                                "  atomic_store_explicit(x, 1, memory_order_relaxed);\n}\nexists (x=1)\n");
  const End end = heddle({"hardware", test, "--compiler", compiler, "--rounds", "1", "--json", "/dev/full"});
  if (end.said.find("is none of") != std::string::npos || end.said.find("cannot be run") != std::string::npos)
    GTEST_SKIP() << end.said;
  EXPECT_EQ(end.code, 1) << end.said;
  EXPECT_NE(end.said.find("FORBIDDEN"), std::string::npos) << end.said;
  EXPECT_NE(end.said.find("cannot be written"), std::string::npos) << end.said;
}

TEST_F(Limits, what_clang_makes_and_llvm_refuses_is_not_supported) {
  const End end =
      heddle({"check",
              file("huge.c",
                   "struct huge { long fields[2147483647]; };\nstatic void take(struct huge h) { (void)h; }\n"
                   "int main(void) {\n  static struct huge h;\n  take(h);\n  return 0;\n}\n"),
              "--model", "sc"});
  EXPECT_EQ(end.code, 3) << end.said;
  EXPECT_NE(end.said.find("clang makes of the program what LLVM refuses"), std::string::npos) << end.said;
}

TEST_F(Limits, clang_counts_for_the_memory_limit) {
  const End end = heddle({"check", file("bomb.c", macro_bomb()), "--model", "sc", "--memory", "300M"});
  EXPECT_EQ(end.code, 3) << end.said;
  EXPECT_NE(end.said.find("clang was stopped: memory limit of 300 MiB reached"), std::string::npos) << end.said;
}

// Of the processes below heddle: none must be left, whatever ended it.
std::string children_of(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
  std::string text;
  std::getline(in, text);
  return text;
}

// The test has run, and its outcomes are held against a model that has too many executions: that is no judgement.
TEST_F(Limits, an_interrupt_while_outcomes_are_judged_is_no_whole_answer) {
  std::string text = "X86 many\n{ }\n P0 | P1 | P2 | P3 ;\n";
  for (int i = 0; i < 6; ++i) {
    for (int p = 0; p < 4; ++p)
      text += std::string(p == 0 ? " " : " | ") + "MOV [" + (i % 2 == 0 ? "x" : "y") + "],$" +
              std::to_string(6 * p + i + 1);
    text += " ;\n";
  }
  const std::string test =
      file("many.litmus", text + "MOV EAX,[x] | MOV EAX,[x] | MOV EAX,[y] | MOV EAX,[y] ;\n" + "exists (0:EAX=1)\n");
  const End end = heddle({"hardware", test, "--rounds", "1"}, [](pid_t child) {
    int alone = 0;  // the compiler and the test are its children
    for (bool any = false; alone < 100 && ::kill(child, 0) == 0; ::usleep(5000)) {
      const bool now = !children_of(child).empty();
      any |= now;
      alone = any && !now ? alone + 1 : 0;
    }
    ::kill(child, SIGINT);
  });
  EXPECT_EQ(end.code, 3) << end.said;
}

// Reports of a trace of 30,000 steps are written in seconds; they are not bound by --timeout.
TEST_F(Limits, long_traces_are_drawn) {
  const std::string model =
      file("count.pml", "int x;\nactive proctype P() { do :: x < 100000 -> x++ :: else -> break od }\n");
  for (const std::string kind : {"svg", "html", "dot", "sarif", "json"}) {
    const std::string report = (folder_ / ("long." + kind)).string();
    const End end = heddle(
        {"check", model, "--reach", "x == 30000", "--property", "assertion", "--trace", "off", "--" + kind, report});
    EXPECT_EQ(end.code, 1) << kind << end.said;
    EXPECT_GT(fs::file_size(report), 1'000'000U) << kind;
  }
}

// Does the process have a handler of its own for interrupts?
bool catches_interrupts(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  return false;
}

// While reports are written there is nothing to report earlier: an interrupt ends the process.
TEST_F(Limits, an_interrupt_ends_the_writing_of_reports) {
  const std::string model =
      file("count.pml", "int x;\nactive proctype P() { do :: x < 300000 -> x++ :: else -> break od }\n");
  const End end = heddle({"check", model, "--reach", "x == 200000", "--property", "assertion", "--trace", "off",
                          "--json", (folder_ / "long.json").string()},
                         [&](pid_t child) {
                           for (bool caught = false; ::kill(child, 0) == 0; ::usleep(2000)) {
                             const bool now = catches_interrupts(child);
                             if (caught && !now) break;
                             caught |= now;
                           }
                           ::kill(child, SIGINT);
                         });
  EXPECT_EQ(end.code, 128 + SIGINT) << end.said;
}

// A second interrupt ends the run wherever it is; what has been answered by then is written.
TEST_F(Limits, answers_before_a_second_interrupt_are_reported) {
  const std::string quick = file("quick.litmus", "X86 quick\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n");
  std::string text = "X86 many\n{ }\n P0 | P1 | P2 | P3 ;\n";
  for (int i = 0; i < 12; ++i) text += " MOV [x],$1 | MOV [y],$2 | MOV EAX,[x] | MOV EAX,[y] ;\n";
  const std::string endless = file("many.litmus", text + "exists (2:EAX=1)\n");
  const std::string report = (folder_ / "report.json").string();
  const auto answered = [&](pid_t child) {
    for (int i = 0; i < 6000 && ::kill(child, 0) == 0; ++i, ::usleep(5000)) {
      std::ifstream said(folder_ / "said");
      std::stringstream all;
      all << said.rdbuf();
      if (all.str().find("Observation quick") != std::string::npos) break;
    }
    ::kill(child, SIGINT);
    ::usleep(1000);
    ::kill(child, SIGINT);
  };
  const End end = heddle({"check", quick, endless, "--json", report, "--workers", "1"}, answered);
  EXPECT_EQ(end.code, 3) << end.said;
  std::ifstream in(report);
  std::stringstream written;
  written << in.rdbuf();
  EXPECT_NE(written.str().find("\"Always\""), std::string::npos) << written.str() << end.said;
  // The other test is not passed over.
  EXPECT_NE(written.str().find("\"unknown\""), std::string::npos) << written.str();
}

TEST_F(Limits, clang_ends_with_its_parent) {
  const std::string bomb = file("bomb.c", macro_bomb());
  for (const int number : {SIGINT, SIGTERM, SIGKILL}) {
    pid_t clang = 0;
    const End end = heddle({"check", bomb, "--model", "sc"}, [&](pid_t child) {
      for (int i = 0; i < 1000 && clang == 0; ++i) {
        const std::string children = children_of(child);
        if (!children.empty()) clang = static_cast<pid_t>(std::stol(children));
        ::usleep(5000);
      }
      ::usleep(100'000);
      ::kill(child, number);
    });
    EXPECT_EQ(end.code, number == SIGKILL ? 128 + SIGKILL : 3) << end.said;
    if (number != SIGKILL) {
      EXPECT_NE(end.said.find("interrupted"), std::string::npos) << end.said;
    }
    ASSERT_NE(clang, 0);
    bool gone = false;
    for (int i = 0; i < 1000 && !gone; ++i) {
      gone = ::kill(clang, 0) != 0;
      ::usleep(5000);
    }
    EXPECT_TRUE(gone) << "after signal " << number;
  }
}

TEST_F(Limits, files_without_an_end_and_without_a_beginning) {
  const std::string fifo = (folder_ / "fifo").string();
  for (const char* extension : {".c", ".ll", ".bc", ".dve", ".cub", ".litmus"}) {
    const std::string zero = (folder_ / (std::string("zero") + extension)).string();
    fs::create_symlink("/dev/zero", zero);
    const End endless = heddle({"check", zero});
    EXPECT_EQ(endless.code, 2) << extension << " " << endless.said;
    EXPECT_NE(endless.said.find("the file is longer than 64 MiB"), std::string::npos)
        << extension << " " << endless.said;
    const std::string empty = fifo + extension;
    ASSERT_EQ(::mkfifo(empty.c_str(), 0600), 0);
    const End silent = heddle({"check", empty, "--timeout", "0.5"});
    EXPECT_EQ(silent.code, 3) << extension << " " << silent.said;
    EXPECT_NE(silent.said.find("time limit"), std::string::npos) << extension << " " << silent.said;
  }
}

TEST_F(Limits, a_program_may_come_through_a_fifo) {
  const std::string fifo = (folder_ / "program.c").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const End end = heddle({"check", fifo, "--model", "sc"}, [&](pid_t) {
    std::ofstream(fifo) << "#include <assert.h>\nint main(void) {\n  assert(0);\n}\n";
  });
  EXPECT_EQ(end.code, 1) << end.said;
  EXPECT_NE(end.said.find("program.c:3"), std::string::npos) << end.said;
}

TEST_F(Limits, standard_descriptors_may_be_closed) {
  const std::string model = file("one.mdve",
                                 "byte x;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }; }\n"
                                 "system async;\n");
  for (const auto& [closed, code] :
       {std::pair{"<&-", 0}, {"2>&-", 0}, {"<&- 2>&-", 0}, {">&-", 2}, {"<&- >&- 2>&-", 2}}) {
    const std::string report = (folder_ / "report.json").string();
    const int status = std::system((program + " check " + model + " --json " + report + " " + closed).c_str());
    EXPECT_EQ(WEXITSTATUS(status), code) << closed;
    std::ostringstream text;
    text << std::ifstream(report).rdbuf();
    EXPECT_TRUE(text.str().starts_with("{") && text.str().ends_with("}\n")) << closed << "\n" << text.str();
    fs::remove(report);
  }
}

TEST_F(Limits, a_limit_on_the_size_of_files_is_no_crash) {
  const std::string model = tests::source_dir() + "/examples/peterson.dve";
  const int status = std::system(("ulimit -f 0; " + program + " check " + model + " --json " +
                                  (folder_ / "report.json").string() + " >/dev/null 2>&1")
                                     .c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST_F(Limits, a_report_for_nobody_is_not_waited_for) {
  const std::string pipe = (folder_ / "pipe").string(), model = tests::source_dir() + "/examples/peterson.dve";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const char* command : {"check", "repair"}) {
    const End end = heddle({command, model, "--timeout", "1", "--json", pipe});
    EXPECT_EQ(end.code, 2) << end.said;
    EXPECT_NE(end.said.find("cannot be written"), std::string::npos) << end.said;
  }
  // Whoever comes late is waited for.
  std::string got;
  const End end = heddle({"check", model, "--timeout", "30", "--json", pipe}, [&](pid_t) {
    ::usleep(500'000);
    std::ostringstream text;
    text << std::ifstream(pipe).rdbuf();
    got = text.str();
  });
  EXPECT_EQ(end.code, 0) << end.said;
  EXPECT_TRUE(got.starts_with("{") && got.ends_with("}\n")) << got;
}

TEST_F(Limits, models_in_cat_have_limits) {
  const std::string test = file("sb.litmus", litmus);
  const auto check = [&](const std::string& text) {
    return heddle({"check", test, "--model-file", file("m.cat", text), "--timeout", "20"});
  };
  for (const char* sign : {"*", "+", "?", "^-1"}) {
    const End end = check("\"m\"\nlet a = po" + repeated(sign, 5000) + "\nacyclic a\n");
    EXPECT_EQ(end.code, 2) << sign << end.said.substr(0, 300);
  }
  // Long chains are no deep ones.
  for (const char* sign : {";", "|", "\\"})
    EXPECT_EQ(check("\"m\"\nlet a = po" + repeated(std::string(sign) + "po", 20000) + "\nacyclic a | rf\n").code, 0)
        << sign;
  EXPECT_EQ(check("\"m\"\nlet a = " + repeated("~", 1500) + "po\nacyclic a\n").code, 2);
  EXPECT_EQ(check("\"m\"\ninclude \"/dev/zero\"\nacyclic po\n").code, 2);
  std::string functions = "\"m\"\nlet f0(x) = x;x\n";
  for (int i = 1; i < 30; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    functions += "let f" + std::to_string(i) + "(x) = " + below + "(" + below + "(x))\n";
  }
  const End calls = check(functions + "let a = f29(po)\nacyclic a\n");
  EXPECT_EQ(calls.code, 2) << calls.said;
  EXPECT_NE(calls.said.find("operations for one execution"), std::string::npos) << calls.said;
  std::string lets = "\"m\"\nlet a0 = po\n";
  for (int i = 1; i < 20000; ++i)
    lets += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " | a" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(check(lets + "acyclic a19999\n").code, 0);
}

TEST_F(Limits, long_lines_of_clang_are_no_danger) {
  const End end = heddle({"check", file("long.c", "#include <" + std::string(60000, 'a') + ">\n")});
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.said.find("long.c:1:"), std::string::npos) << end.said.substr(0, 300);
}

TEST_F(Limits, broken_ir_is_an_input_error) {
  // Does not verify, and says that it has debug information: LLVM aborts when it reads this.
  const std::string broken =
      "define i32 @main() {\n  %1 = add i32 %2, 1\n  %2 = add i32 1, 1\n  ret i32 %1\n}\n"
      "!llvm.module.flags = !{!0}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
  const End end = heddle({"check", file("broken.ll", broken)});
  EXPECT_EQ(end.code, 2) << end.said;
  EXPECT_NE(end.said.find("is not valid IR"), std::string::npos) << end.said;
  const End text = heddle({"check", file("text.ll", "define i32 @main() {\n  ret i33 0\n}\n")});
  EXPECT_EQ(text.code, 2) << text.said;
  EXPECT_NE(text.said.find("text.ll:2:"), std::string::npos) << text.said;
  EXPECT_EQ(heddle({"check", file("magic.bc", "BC\xc0\xde" + std::string(100, '\x7f'))}).code, 2);
}

TEST_F(Limits, a_choice_of_two_thousand_million_values) {
  const std::string choice = file(
      "choose.c", "#include <heddle.h>\nint x;\nint main(void) {\n  x = heddle_choose(2000000000);\n  return 0;\n}\n");
  const End end = heddle({"check", choice, "--model", "sc", "--engine", "explicit", "--timeout", "1"});
  EXPECT_EQ(end.code, 3) << end.said;
  EXPECT_NE(end.said.find("time limit"), std::string::npos) << end.said;
  const End small = heddle({"check", choice, "--model", "sc", "--engine", "explicit", "--memory", "200M"});
  EXPECT_EQ(small.code, 3) << small.said;
  EXPECT_NE(small.said.find("memory limit of 200 MiB reached"), std::string::npos) << small.said;
  EXPECT_LT(small.peak, 400);
}

TEST_F(Limits, a_full_disk_is_an_error_and_a_gone_reader_is_none) {
  const std::string model = tests::source_dir() + "/examples/peterson.dve";
  const std::string test = file("sb.litmus", litmus);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", model, "--model", "sc"},
                                                {"models"},
                                                {"languages"},
                                                {"check", test},
                                                {"--version"}})
    EXPECT_EQ(heddle(words, nullptr, "/dev/full").code, 2) << words[0];
}

// A sanitizer needs some memory itself.
#ifdef HEDDLE_SANITIZED
constexpr const char* memory_for_80 = "500M";
#else
constexpr const char* memory_for_80 = "80M";
#endif
TEST_F(Limits, a_long_trace_is_not_held_many_times) {
  const std::string counter =
      file("counter.dve", "int x;\nprocess P { state a; init a; trans a -> a { effect x = " + std::string(100, '(') +
                              "x" + std::string(100, ')') + " + 1; }; }\nsystem async;\n");
  const End end = heddle({"check", counter, "--memory", memory_for_80});  // 32,768 steps until the number does not fit
  EXPECT_EQ(end.code, 1) << end.said.substr(0, 300);
#ifndef HEDDLE_SANITIZED
  EXPECT_LT(end.peak, 80 + 200);
#endif
}

// A sanitizer reserves terabytes of address space for itself: no limit on that leaves room for the program alone.
#ifndef HEDDLE_SANITIZED
TEST_F(Limits, memory_that_the_system_does_not_give_is_no_crash) {
  const std::string model = tests::source_dir() + "/examples/peterson.dve";
  const rlimit small{300 << 20, 300 << 20};
  rlimit before = {};
  ::getrlimit(RLIMIT_AS, &before);
  const std::string zero = (folder_ / "zero.litmus").string();
  fs::create_symlink("/dev/zero", zero);
  for (const std::string& input : {zero, model}) {
    rlimit less = before;
    less.rlim_cur = small.rlim_cur;
    ::setrlimit(RLIMIT_AS, &less);
    const End end = heddle({"check", input});
    ::setrlimit(RLIMIT_AS, &before);
    EXPECT_TRUE(end.code <= 3) << end.code << " " << end.said;
  }
}
#endif

TEST_F(Limits, formulas_and_generated_tests_have_limits) {
  // Each promise doubles the states of the automaton; each edge multiplies the cycles.
  std::string formula = "F p0";
  for (int i = 1; i < 24; ++i) formula += " && G (p" + std::to_string(i) + " -> F q" + std::to_string(i) + ")";
  const std::vector<std::vector<std::string>> commands = {
      {"ltl", formula},
      {"generate", "--size", "8", "Pod**", "Pos**", "Rfe", "Fre", "Coe", "DpAddrd*", "DMB.SYd**", "DMB.LDd**"}};
  const std::vector<std::pair<std::string, std::string>> limits = {{"--timeout", "0.5"}, {"--memory", "100M"}};
  for (std::vector<std::string> words : commands)
    for (const auto& [option, value] : limits) {
      std::vector<std::string> limited = words;
      limited.insert(limited.end(), {option, value});
      const End end = heddle(limited, nullptr, "/dev/null");
      EXPECT_EQ(end.code, 3) << words.front() << " " << option << "\n" << end.said;
      EXPECT_TRUE(end.said.starts_with("UNKNOWN: ")) << end.said;
      EXPECT_LT(end.seconds, 30) << words.front() << " " << option;
      EXPECT_LT(end.peak, 300) << words.front() << " " << option;
    }
}

TEST_F(Limits, a_certificate_without_repairs_is_named) {
  const std::string empty = file("empty.json", R"({"schema": 1, "files": [], "verdicts": [], "repairs": []})");
  const std::string model = tests::source_dir() + "/examples/peterson.dve";
  const End end = heddle({"repair", model, "--check-certificate", empty});
  EXPECT_EQ(end.code, 2) << end.said;
  EXPECT_NE(end.said.find("this certificate has no repair"), std::string::npos) << end.said;
}

TEST_F(Limits, a_certificate_is_about_its_own_model) {
  const std::string system = tests::source_dir() + "/examples/peterson.cub";
  const std::string proof = (folder_ / "tso.json").string();
  ASSERT_EQ(heddle({"check", system, "--model", "tso", "--certificate", proof}).code, 0);
  EXPECT_EQ(heddle({"check", system, "--check-certificate", proof}).code, 0);
  EXPECT_EQ(heddle({"check", system, "--model", "tso", "--check-certificate", proof}).code, 0);
  const End other = heddle({"check", system, "--model", "pso", "--check-certificate", proof});
  EXPECT_EQ(other.code, 2) << other.said;
  EXPECT_NE(other.said.find("this certificate is about tso"), std::string::npos) << other.said;
  const End both = heddle({"check", system, "--model", "pso,tso", "--check-certificate", proof});
  EXPECT_EQ(both.code, 3) << both.said;
  EXPECT_NE(both.said.find("pso  UNKNOWN  the certificate is about tso"), std::string::npos) << both.said;
  EXPECT_EQ(heddle({"check", system, "--model", "ladder", "--check-certificate", proof}).code, 0);
  for (const char* text : {"{}", "[1]", "{\"format\": 3}", "{\n\"format\": \n",
                           "{\"format\":\"heddle array certificate 2\",\"model\":\"tso\",\"cubes\":[{}]}"}) {
    const End wrong = heddle({"check", system, "--check-certificate", file("wrong.json", text)});
    EXPECT_EQ(wrong.code, 2) << text;
    EXPECT_EQ(wrong.said.find("json.exception"), std::string::npos) << wrong.said;
    EXPECT_NE(wrong.said.find("wrong.json"), std::string::npos) << wrong.said;
  }
}

// What check says beside SAFE belongs to the program, not to the search.
TEST_F(Limits, a_certificate_proves_no_more_than_was_checked) {
  const std::string chosen =
      file("chosen.c",
           "#include <assert.h>\n#include <stdatomic.h>\n#include <time.h>\n"
           "int __VERIFIER_nondet_int(void);\natomic_int x;\n"
           "int main(void) {\n  x = __VERIFIER_nondet_int();\n  time(0);\n  assert(x != 7);\n}\n");
  const std::string proof = (folder_ / "chosen.json").string();
  const std::vector<std::string> asked = {"check", chosen, "--model", "tso", "--nondet", "0:3", "--strict"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), asked.begin(), asked.end());
    return heddle(words);
  };
  for (const End& end : {with({"--engine", "buffers", "--certificate", proof}), with({"--check-certificate", proof})}) {
    EXPECT_EQ(end.code, 3) << end.said;
    EXPECT_NE(end.said.find("SAFE up to nondet 0:3"), std::string::npos) << end.said;
    EXPECT_NE(end.said.find("assumes that the clock stands still"), std::string::npos) << end.said;
  }
}

TEST_F(Limits, control_characters_do_not_reach_the_terminal) {
  EXPECT_EQ(support::printable("a\x1b[31mb\x7f\tc\xc2\x9b"), "a?[31mb?\tc?");
  // Half of a pair of UTF-16, too many bytes for a letter, beyond the last one; and three that are fine.
  EXPECT_EQ(support::printable("\xed\xa0\x80 \xe0\x9f\xbf \xf0\x8f\xbf\xbf \xf4\x90\x80\x80"), "??? ??? ???? ????");
  EXPECT_EQ(support::printable("\xed\x9f\xbf\xe0\xa0\x80\xf4\x8f\xbf\xbf"), "\xed\x9f\xbf\xe0\xa0\x80\xf4\x8f\xbf\xbf");
  const std::string source =
      file("escape.c",
           "#include <assert.h>\nint x;\nint main(void) {\n  x = 1; const char *s = \"\x1b]0;title\x07\"; (void)s;\n"
           "  assert(x == 2 && \"\x1b[31m\");\n  return 0;\n}\n");
  const End end = heddle({"check", source, "--model", "sc,rc11"});
  EXPECT_EQ(end.code, 1) << end.said;
  EXPECT_EQ(end.said.find('\x1b'), std::string::npos) << end.said;
}

// The budget is asked after so many steps, however few runs of a thread have come to their end.
TEST(ThreadRuns, poll_the_budget_by_steps) {
  std::string text = "AArch64 t\n{ 0:X1=x; 1:X1=x; 1:X2=1; }\n P0 | P1 ;\n";
  for (int i = 0; i < 9; ++i) text += i == 0 ? " LDR W2,[X1] | STR W2,[X1] ;\n" : " LDR W2,[X1] | ;\n";
  const auto test = lang::litmus::parse_test("t.litmus", text + "exists (x=0)\n");
  ASSERT_TRUE(test);
  const lang::litmus::LitmusProgram threads(*test);
  const std::atomic<bool> interrupted = true;
  core::Budget budget;
  budget.interrupted = &interrupted;
  axioms::CandidateOptions options;
  axioms::ThreadRuns runs(threads, options, &budget);  // 2^9 runs of 10 steps
  EXPECT_FALSE(runs.compute());
  EXPECT_EQ(runs.refusal().kind, core::Reason::Kind::Interrupted);
}

TEST(Child, tells_how_it_ended) {
  core::ChildLimits limits;
  EXPECT_EQ(core::run_program({"sh", "-c", "cat; echo b >&2; exit 3"}, "a", limits).out, "a");
  EXPECT_EQ(core::run_program({"sh", "-c", "echo b >&2; exit 3"}, "", limits).err, "b\n");
  EXPECT_EQ(core::end_text(core::run_program({"sh", "-c", "exit 3"}, "", limits)), "failed with exit code 3");
  EXPECT_EQ(core::run_program({"sh", "-c", "kill -9 $$"}, "", limits).signal, SIGKILL);
  EXPECT_NE(core::run_program({"/no/such/program"}, "", limits).unstarted, "");
  limits.seconds = 0.2;
  EXPECT_EQ(core::end_text(core::run_program({"sh", "-c", "sleep 100"}, "", limits)),
            "was stopped: it took more than 0.2 s");
  limits.seconds = 100;
  limits.largest_output = 1 << 20;
  EXPECT_EQ(core::end_text(core::run_program({"cat", "/dev/zero"}, "", limits)),
            "was stopped: it wrote more than 1 MiB");
  EXPECT_EQ(core::run_copy([](int) -> int { std::abort(); }, limits).signal, SIGABRT);
  EXPECT_EQ(core::run_copy([](int out) { return static_cast<int>(::write(out, "ab", 2)); }, limits).status, 2);
}

}  // namespace
}  // namespace heddle
