// No input whatever ends the checker by a signal, keeps it beyond its limits, or is refused without a word.
//
// Inputs are checked in copies of this process (fork), which have everything loaded already: some hundred one after the
// other in one copy, until one of them ends it. An input that ends a copy, or ends in it otherwise than it should, is
// run once more in a copy of its own, which decides. Fails on: death by a signal, an exit code other than 0 to 3, an
// end long after the time limit, a peak of memory above the limit and 200 MB, an input error or an Unknown without a
// message, an internal error. The inputs depend on the format and on the seed alone. A short share runs with every test
// run; HEDDLE_FUZZ=100000 build/fuzz_test runs that many of each format, HEDDLE_FUZZ_SEED=N others than the usual ones.
// Inputs that fail stay in a folder whose name is printed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

#include "cli/run.h"
#include "core/budget.h"
#include "fuzz/mutate.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int hang = 30;            // seconds; the time limit is at most one, and machines may be busy
constexpr long memory_limit = 300;  // MiB
constexpr long memory_grace = 200;
constexpr std::uint64_t batch = 200;                       // inputs in one copy of this process
constexpr std::uint64_t between_lines = 10'000;            // inputs, where many are asked for
constexpr std::uint64_t large = std::uint64_t{200} << 20;  // bytes of memory with which a copy begins no further input

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

using Words = std::vector<std::string>;

struct End {
  int status = 0;
  long peak = 0;  // MiB
  bool hung = false;
  std::string said;  // standard output and error
};

int heddle(const Words& words) {
  std::vector<const char*> argv{"heddle"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const int code = cli::run(static_cast<int>(argv.size()), argv.data(), "fuzz");
  std::fflush(nullptr);
  return code;
}

std::string text_of(int descriptor) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(::lseek(descriptor, 0, SEEK_END), 0)), ' ');
  [[maybe_unused]] const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  return text;
}

// A copy of this process, in a group of its own, that ends with what `work` returns and says it to `said`.
template <typename Work>
pid_t copy(int said, const Work& work) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setpgid(0, 0);
  ::dup2(said, 1);
  ::dup2(said, 2);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::_exit(work());
}

// Waits for the end of a copy. It hangs if `progress`, a count, stands still too long.
template <typename Count>
End wait_for(pid_t child, const Count& progress) {
  End end;
  pollfd ended{static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  for (std::uint64_t before = progress(); !end.hung && ::poll(&ended, 1, hang * 1000) == 0;) {
    const std::uint64_t now = progress();
    end.hung = now == before;
    before = now;
  }
  if (end.hung) ::kill(-child, SIGKILL);
  rusage used = {};
  ::wait4(child, &end.status, 0, &used);
  ::close(ended.fd);
  end.peak = used.ru_maxrss / 1024;
  return end;
}

// `heddle` with these words in a copy of this process.
End run(const Words& words) {
  const int said = ::memfd_create("said", 0);
  End end = wait_for(copy(said, [&] { return heddle(words); }), [] { return std::uint64_t{0}; });
  end.said = text_of(said);
  ::close(said);
  return end;
}

// What is wrong with an end; empty if nothing is.
std::string complaint(const End& end) {
  if (end.hung) return "it hangs";
  if (WIFSIGNALED(end.status)) return std::string("ended by ") + ::strsignal(WTERMSIG(end.status));
  const int code = WEXITSTATUS(end.status);
  if (code > 3) return "exit code " + std::to_string(code);
  if (code >= 2 && end.said.empty()) return "exit code " + std::to_string(code) + " without a message";
  if (end.said.find("internal error") != std::string::npos) return "an internal error";
#ifdef HEDDLE_SANITIZED
  for (const char* report : {"Sanitizer: ", "runtime error: "})  // these end the process with exit code 1
    if (end.said.find(report) != std::string::npos) return "a sanitizer's report";
#else
  if (end.peak > memory_limit + memory_grace) return std::to_string(end.peak) + " MiB of memory";
#endif
  return {};
}

// One input: its text and the command line that reads it from a file.
struct Trial {
  std::string text;
  Words words;
};

// What a copy tells of its trials while it runs them.
struct Ledger {
  static constexpr int bad = -1;  // to be run alone
  std::atomic<std::uint64_t> done;
  int codes[batch];
};

// Runs trials in one copy of this process. Returns how many it got through, of which the codes are known.
std::uint64_t run_batch(std::span<const Trial> trials, const fs::path& file, Ledger& ledger) {
  ledger.done = 0;
  const int said = ::memfd_create("said", 0);
  const pid_t child = copy(said, [&] {
    for (const Trial& trial : trials) {
      if (core::resident_bytes() > large) break;
      ::lseek(said, 0, SEEK_SET);
      [[maybe_unused]] const int emptied = ::ftruncate(said, 0);
      write(file, trial.text);
      End end;
      const int code = heddle(trial.words);
      end.status = W_EXITCODE(code & 0xff, 0);
      end.said = text_of(said);
      ledger.codes[ledger.done] = complaint(end).empty() ? code : Ledger::bad;
      ++ledger.done;
    }
    return 0;
  });
  const End end = wait_for(child, [&] { return ledger.done.load(); });
  ::close(said);
  if (!complaint(End{0, end.peak, false, {}}).empty())  // which of them was it?
    std::fill_n(ledger.codes, ledger.done.load(), Ledger::bad);
  return ledger.done;
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
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(tests::source_dir()) / under))
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
  void make(const Words& words) {
    const End end = run(words);
    ASSERT_TRUE(WIFEXITED(end.status) && WEXITSTATUS(end.status) <= 1) << end.said;
  }

  // `ways` with each broken input in the place of "@"; its name ends in `extension`.
  void fuzz(const std::string& extension, std::vector<std::string> seeds, const std::vector<Words>& ways,
            std::uint64_t share) {
    ASSERT_FALSE(seeds.empty());
    const char* asked = std::getenv("HEDDLE_FUZZ");
    const char* seed = std::getenv("HEDDLE_FUZZ_SEED");
    const std::uint64_t count = asked != nullptr ? std::strtoull(asked, nullptr, 10) : share;
    fuzz::Mutator mutator(std::move(seeds), extension == ".bc", seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
    const fs::path file = folder_ / ("input" + extension);
    auto* ledger = static_cast<Ledger*>(
        ::mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::uint64_t codes[4] = {}, alone = 0;
    for (std::uint64_t first = 0; first < count && failures_ < 20; first += batch) {
      if (first > 0 && first % between_lines == 0)
        std::fprintf(stderr, "%s: %llu of %llu inputs\n", extension.c_str(), static_cast<unsigned long long>(first),
                     static_cast<unsigned long long>(count));
      std::vector<Trial> trials;
      for (std::uint64_t i = first; i < std::min(first + batch, count); ++i) {
        std::string text = mutator.next();
        Words words = ways[mutator.below(ways.size())];
        for (std::string& word : words)
          if (word == "@") word = file.string();
        // Reading is what is tried here: a search that goes on is cut off. clang alone takes a tenth of a second.
        words.insert(words.end(), {"--timeout", extension == ".c" ? "1" : "0.3"});
        words.insert(words.end(), {"--memory", std::to_string(memory_limit) + "M"});
        trials.push_back({std::move(text), std::move(words)});
      }
      for (std::span<const Trial> rest = trials; !rest.empty();) {
        const std::uint64_t done = run_batch(rest, file, *ledger);
        for (std::uint64_t i = 0; i < std::min(done + 1, rest.size()); ++i) {
          if (i < done && ledger->codes[i] != Ledger::bad) {
            ++codes[ledger->codes[i]];
            continue;
          }
          ++alone;
          if (const int code = run_alone(rest[i], file, first + trials.size() - rest.size() + i); code >= 0)
            ++codes[code];
        }
        rest = rest.subspan(std::min(done + 1, rest.size()));
      }
    }
    ::munmap(ledger, sizeof(Ledger));
    std::printf("%llu inputs: %llu safe, %llu unsafe, %llu refused, %llu unknown; %llu run alone\n",
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(codes[0]),
                static_cast<unsigned long long>(codes[1]), static_cast<unsigned long long>(codes[2]),
                static_cast<unsigned long long>(codes[3]), static_cast<unsigned long long>(alone));
  }

  // The exit code, or a failure and less than 0.
  int run_alone(const Trial& trial, const fs::path& file, std::uint64_t number) {
    write(file, trial.text);
    const End end = run(trial.words);
    const std::string wrong = complaint(end);
    if (wrong.empty()) return WEXITSTATUS(end.status);
    const fs::path kept = folder_ / (std::to_string(number) + file.extension().string());
    write(kept, trial.text);
    std::string command = "heddle";
    for (const std::string& word : trial.words) command += " " + (word == file.string() ? kept.string() : word);
    ADD_FAILURE() << "input " << number << ": " << wrong << "\n  " << command << "\n" << end.said.substr(0, 600);
    ++failures_;
    return -1;
  }

  static std::string example(const std::string& name) { return tests::source_dir() + "/examples/" + name; }

  // Text and bitcode of small programs, by clang.
  std::vector<std::string> compiled(const std::string& extension) {
    std::vector<std::string> result;
    auto sources = files("tests/regress/c/threads", ".c");
    const auto more = files("tests/regress/c/litmus", ".c");
    sources.insert(sources.end(), more.begin(), more.end());
    for (std::size_t i = 0; i < sources.size() && result.size() < 12; i += 1 + sources.size() / 12) {
      const fs::path out = folder_ / ("seed" + extension);
      const std::string command = "clang-19 --target=x86_64-unknown-linux-musl -nostdlibinc -idirafter " +
                                  tests::binary_dir() + "/runtime/include -g -c -emit-llvm " +
                                  std::string(extension == ".ll" ? "-S " : "") + sources[i].string() + " -o " +
                                  out.string() + " 2>/dev/null";
      if (std::system(command.c_str()) == 0) result.push_back(contents(out));
    }
    return result;
  }

  fs::path folder_;
  unsigned failures_ = 0;
};

TEST_F(Fuzz, C) {
  // Without the library nearly all inputs are refused for their headers.
  make({"check", example("spinlock.c"), "--model", "sc"});
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

TEST_F(Fuzz, Promela) {
  auto seeds = texts(files("examples", ".pml"));
  for (const std::string& more : texts(files("tests/regress/pml", ".pml"))) seeds.push_back(more);
  fuzz(".pml", seeds,
       {{"check", "@", "--model", "sc", "--max-states", "1000"},
        {"check", "@", "--model", "tso", "--engine", "buffers", "--max-states", "100"}},
       200);
}

TEST_F(Fuzz, Memorax) {
  fuzz(".rmm", texts(files("tests/regress/rmm", ".rmm")),
       {{"check", "@", "--model", "sc", "--max-states", "1000"},
        {"check", "@", "--model", "tso", "--engine", "buffers", "--max-states", "100"}},
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
  const std::vector<Words> subjects = {
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
  // Of buffers, as text.
  const Words lock = {"check", example("lock_and_clock.pml"), "--model", "tso", "--reach", "user[0]@cs && user[1]@cs"};
  Words proof = lock, checked = lock;
  proof.insert(proof.end(), {"--certificate", certificate});
  make(proof);
  checked.insert(checked.end(), {"--check-certificate", "@"});
  fuzz(".json", {contents(certificate)}, {checked}, 60);
}

}  // namespace
}  // namespace heddle
