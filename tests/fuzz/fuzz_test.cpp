// No input whatever ends the checker by a signal, keeps it beyond its limits, or is refused without a word.
//
// Each input is checked in a copy of this process (fork), which has everything loaded already. Fails on: death by a
// signal, an exit code other than 0 to 3, an end long after the time limit, a peak of memory above the limit and 200
// MB, an input error without a message, an internal error. The inputs depend on the format and on the seed alone. A
// short share runs with every test run; HEDDLE_FUZZ=100000 build/fuzz_test runs that many of each format,
// HEDDLE_FUZZ_SEED=N others than the usual ones. Inputs that fail stay in a folder whose name is printed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/run.h"
#include "fuzz/mutate.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr double hang = 30;         // seconds; the time limit is one, and machines may be busy
constexpr long memory_limit = 300;  // MiB
constexpr long memory_grace = 200;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

struct End {
  int status = 0;
  long peak = 0;  // MiB
  bool hung = false;
  std::string said;  // standard output and error
};

// `heddle` with these words in a copy of this process.
End run(const std::vector<std::string>& words) {
  const int said = ::memfd_create("said", 0);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    ::dup2(said, 1);
    ::dup2(said, 2);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::vector<const char*> argv{"heddle"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    const int code = cli::run(static_cast<int>(argv.size()), argv.data(), "fuzz");
    std::fflush(nullptr);
    ::_exit(code);
  }
  End end;
  rusage used = {};
  const auto begun = std::chrono::steady_clock::now();
  for (unsigned pause = 100;; pause = std::min(pause * 2, 5000U)) {
    const pid_t got = ::wait4(child, &end.status, WNOHANG, &used);
    if (got == child) break;
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() > hang) {
      end.hung = true;
      ::kill(-child, SIGKILL);
      ::wait4(child, &end.status, 0, &used);
      break;
    }
    ::usleep(pause);
  }
  end.peak = used.ru_maxrss / 1024;
  const off_t size = ::lseek(said, 0, SEEK_END);
  end.said.resize(static_cast<std::size_t>(std::max<off_t>(size, 0)));
  [[maybe_unused]] const ssize_t got = ::pread(said, end.said.data(), end.said.size(), 0);
  ::close(said);
  return end;
}

// What is wrong with an end; empty if nothing is.
std::string complaint(const End& end) {
  if (end.hung) return "it hangs";
  if (WIFSIGNALED(end.status)) return std::string("ended by ") + ::strsignal(WTERMSIG(end.status));
  const int code = WEXITSTATUS(end.status);
  if (code > 3) return "exit code " + std::to_string(code);
  if (code == 2 && end.said.empty()) return "an input error without a message";
  if (end.said.find("internal error") != std::string::npos) return "an internal error";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (end.peak > memory_limit + memory_grace) return std::to_string(end.peak) + " MiB of memory";
#endif
  return {};
}

class Fuzz : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle-fuzz-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(folder_);
  }

  static std::vector<fs::path> files(const std::string& under, const std::string& extension) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / under))
      if (entry.path().extension() == extension && entry.file_size() < 6000) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  static std::vector<std::string> texts(const std::vector<fs::path>& files) {
    std::vector<std::string> result;
    for (const fs::path& file : files) result.push_back(contents(file));
    return result;
  }

  // A good run, for what it writes.
  void make(const std::vector<std::string>& words) {
    const End end = run(words);
    ASSERT_TRUE(WIFEXITED(end.status) && WEXITSTATUS(end.status) <= 1) << end.said;
  }

  // `words` with each broken input in the place of "@"; its name ends in `extension`.
  void fuzz(const std::string& extension, std::vector<std::string> seeds,
            const std::vector<std::vector<std::string>>& ways, std::uint64_t share) {
    ASSERT_FALSE(seeds.empty());
    const char* asked = std::getenv("HEDDLE_FUZZ");
    const char* seed = std::getenv("HEDDLE_FUZZ_SEED");
    const std::uint64_t count = asked != nullptr ? std::strtoull(asked, nullptr, 10) : share;
    fuzz::Mutator mutator(std::move(seeds), extension == ".bc", seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
    std::uint64_t codes[4] = {};
    const fs::path file = folder_ / ("input" + extension);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string text = mutator.next();
      write(file, text);
      std::vector<std::string> words = ways[mutator.below(ways.size())];
      for (std::string& word : words)
        if (word == "@") word = file.string();
      words.insert(words.end(), {"--timeout", "1", "--memory", std::to_string(memory_limit) + "M"});
      const End end = run(words);
      if (const std::string wrong = complaint(end); !wrong.empty()) {
        const fs::path kept = folder_ / (std::to_string(i) + extension);
        write(kept, text);
        std::string command = "heddle";
        for (const std::string& word : words) command += " " + (word == file.string() ? kept.string() : word);
        ADD_FAILURE() << "input " << i << ": " << wrong << "\n  " << command << "\n" << end.said.substr(0, 600);
        if (++failures_ >= 20) return;
      } else {
        ++codes[WEXITSTATUS(end.status)];
      }
    }
    std::printf("%llu inputs: %llu safe, %llu unsafe, %llu refused, %llu unknown\n",
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(codes[0]),
                static_cast<unsigned long long>(codes[1]), static_cast<unsigned long long>(codes[2]),
                static_cast<unsigned long long>(codes[3]));
  }

  static std::string example(const std::string& name) { return std::string(HEDDLE_SOURCE_DIR) + "/examples/" + name; }

  // Text and bitcode of small programs, by clang.
  std::vector<std::string> compiled(const std::string& extension) {
    std::vector<std::string> result;
    auto sources = files("tests/regress/c/threads", ".c");
    const auto more = files("tests/regress/c/litmus", ".c");
    sources.insert(sources.end(), more.begin(), more.end());
    for (std::size_t i = 0; i < sources.size() && result.size() < 12; i += 1 + sources.size() / 12) {
      const fs::path out = folder_ / ("seed" + extension);
      const std::string command =
          "clang-19 --target=x86_64-unknown-linux-musl -nostdlibinc -idirafter " HEDDLE_BINARY_DIR
          "/runtime/include -g -c -emit-llvm " +
          std::string(extension == ".ll" ? "-S " : "") + sources[i].string() + " -o " + out.string() + " 2>/dev/null";
      if (std::system(command.c_str()) == 0) result.push_back(contents(out));
    }
    return result;
  }

  fs::path folder_;
  unsigned failures_ = 0;
};

TEST_F(Fuzz, C) {
  fuzz(".c", texts(files("tests/regress/c", ".c")),
       {{"check", "@", "--model", "sc", "--max-states", "500"},
        {"check", "@", "--model", "tso", "--engine", "explicit", "--max-states", "500"},
        {"check", "@", "--model", "armv8,rc11", "--max-states", "200"}},
       25);
}

TEST_F(Fuzz, IrText) {
  fuzz(".ll", compiled(".ll"),
       {{"check", "@", "--model", "sc", "--max-states", "300"},
        {"check", "@", "--model", "armv8", "--max-states", "100"}},
       60);
}

TEST_F(Fuzz, Bitcode) {
  fuzz(".bc", compiled(".bc"),
       {{"check", "@", "--model", "sc", "--max-states", "300"},
        {"check", "@", "--model", "armv8", "--max-states", "100"}},
       60);
}

TEST_F(Fuzz, Cat) {
  const std::vector<std::string> models = {
      "\"sc\"\nlet com = rf | co | fr\nacyclic po | com as sc\nempty rmw & (fre;coe) as atomic\n",
      "tso\ninclude \"cos.cat\"\nlet com-tso = rfe | co | fr\nlet po-tso = po & (W*W | R*M)\n"
      "let f(r, s) = r;[s];po\nprocedure p(r) = acyclic r as loc end\ncall p(po-loc | com)\n"
      "acyclic po-tso | com-tso | f(po, MFENCE) as tso\nflag ~empty (W*W) & po as some\n",
      "\"rec\"\nlet rec a = po | (a;b) and b = rf | (b;a)+\nlet inv(r) = r^-1\nlet x = let y = inv(rf) in y?;co*\n"
      "irreflexive x as i\nempty ~(M*M) \\ ext & domain(rf) * range(co) as e\nacyclic try nosuch with a \\ id\n"};
  fuzz(".cat", models,
       {{"check", example("litmus/SB.litmus"), "--model-file", "@"}, {"check", example("litmus"), "--model-file", "@"}},
       200);
}

TEST_F(Fuzz, Litmus) {
  fuzz(".litmus", texts(files("examples/litmus", ".litmus")), {{"check", "@"}, {"check", "@", "--table"}}, 200);
}

TEST_F(Fuzz, Dve) {
  auto seeds = texts(files("examples", ".dve"));
  for (const std::string& more : texts(files("tests/regress/dve", ".dve"))) seeds.push_back(more);
  fuzz(".dve", seeds,
       {{"check", "@", "--model", "sc", "--max-states", "1000"},
        {"check", "@", "--model", "tso", "--max-states", "1000"}},
       200);
}

TEST_F(Fuzz, Cubicle) {
  auto seeds = texts(files("examples", ".cub"));
  for (const std::string& more : texts(files("tests/regress/cub", ".cub"))) seeds.push_back(more);
  fuzz(".cub", seeds,
       {{"check", "@", "--model", "sc", "--max-states", "50"},
        {"check", "@", "--model", "tso", "--max-states", "50"},
        {"check", "@", "--procs", "2", "--max-states", "500"}},
       100);
}

TEST_F(Fuzz, Reports) {
  const std::string report = (folder_ / "report.json").string();
  const std::vector<std::vector<std::string>> subjects = {
      {"check", example("peterson.dve"), "--model", "tso"},
      {"check", example("naive_mutex_unfenced.cub"), "--model", "tso"},
      {"check", example("spinlock.c"), "--model", "rc11", "-D", "UNLOCK=relaxed"},
      {"check", example("spinlock.c"), "--model", "pso", "--engine", "explicit", "-D", "UNLOCK=relaxed"}};
  for (const auto& subject : subjects) {
    auto words = subject;
    words.insert(words.end(), {"--json", report});
    make(words);
    auto replay = subject;
    replay.insert(replay.end(), {"--replay", "@"});
    const bool slow = subject[1].ends_with(".c");
    fuzz(".json", {contents(report)}, {replay}, slow ? 15 : 60);
  }
}

TEST_F(Fuzz, Certificates) {
  const std::string certificate = (folder_ / "proof.json").string();
  for (const char* name : {"spinlock.cub", "peterson.cub"}) {
    make({"check", example(name), "--model", "tso", "--certificate", certificate});
    fuzz(".json", {contents(certificate)}, {{"check", example(name), "--check-certificate", "@"}}, 60);
  }
}

}  // namespace
}  // namespace heddle
