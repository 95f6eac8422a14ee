// SPDX-License-Identifier: Apache-2.0
#include "hardware/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "support/words.h"

namespace heddle::hardware {
namespace {

namespace litmus = lang::litmus;
using litmus::Test;

// Before the test's own tables and threads.
const char* const opening = R"C(#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
)C";

// Behind them: memory, barriers, rounds, the histogram. The tables say THREADS, VARIABLES, OBSERVED, CONTEXT (words of
// a thread's context), variable_bytes[], and define initialise(), begin_thread(), run_thread() and observe().
const char* const closing = R"C(
static unsigned char *memory[VARIABLES];
static unsigned place[VARIABLES][INSTANCES];
static u64 dice = 88172645463325252u;

static u64 roll(u64 *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static size_t slot(unsigned v) { return (variable_bytes[v] + LINE - 1) / LINE * LINE; }

static void prepare(unsigned round) {
  const int close = round % 3 == 2;
  for (unsigned v = 0; v < VARIABLES; ++v) {
    for (unsigned i = INSTANCES; i > 1; --i) {
      const unsigned k = roll(&dice) % i, t = place[v][k];
      place[v][k] = place[v][i - 1];
      place[v][i - 1] = t;
    }
    for (unsigned i = 0; i < INSTANCES; ++i)
      variable[v][i] = memory[v] + place[v][i] * (close ? (variable_bytes[v] + 15) / 16 * 16 : slot(v));
  }
  for (unsigned i = 0; i < INSTANCES; ++i) initialise(i);
}

enum { TABLE = 1 << 14 };
static struct {
  u64 count, value[2 * OBSERVED + 1]; /* values, and behind them what they are offsets of */
} table[TABLE];
static unsigned used;
static u64 lost; /* runs with outcomes for which the table has no room */

/* An address of one of this instance's variables becomes an offset; `of` says whose, 0 that it is a number. */
static u64 canonical(u64 value, unsigned i, u64 *of) {
  for (unsigned v = 0; v < VARIABLES; ++v) {
    const u64 at = (u64)(uintptr_t)variable[v][i];
    if (value < at || value >= at + variable_bytes[v]) continue;
    *of = v + 1;
    return value - at;
  }
  *of = 0;
  return value;
}

static void collect(void) {
  for (unsigned i = 0; i < INSTANCES; ++i) {
    u64 value[2 * OBSERVED + 1] = {0};
    observe(i, value);
    for (unsigned k = 0; k < OBSERVED; ++k) value[k] = canonical(value[k], i, &value[OBSERVED + k]);
    u64 hash = 14695981039346656037u;
    for (unsigned k = 0; k < 2 * OBSERVED; ++k) {
      hash = (hash ^ value[k]) * 1099511628211u;
      hash ^= hash >> 29;
    }
    for (unsigned at = hash % TABLE;; at = (at + 1) % TABLE) {
      if (table[at].count != 0 && memcmp(table[at].value, value, sizeof value) != 0) continue;
      if (table[at].count == 0 && used == TABLE / 2) {
        ++lost;
        break;
      }
      used += table[at].count == 0;
      memcpy(table[at].value, value, sizeof value);
      ++table[at].count;
      break;
    }
  }
}

static atomic_uint arrived, generation, met;
static atomic_int stop, together; /* before each instance of this round */
static unsigned rounds, done;
static double seconds;
static struct timespec begun;
static cpu_set_t allowed;
static atomic_uint ended;                                /* threads that have */
static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER; /* whoever reads or writes the histogram holds it */
static const double longest_round = 60;                  /* in seconds: then some thread waits for ever */

static void barrier(void) {
  const unsigned g = atomic_load(&generation);
  if (atomic_fetch_add(&arrived, 1) + 1 == THREADS) {
    atomic_store(&arrived, 0);
    atomic_store(&met, 0);
    atomic_store(&generation, g + 1);
    return;
  }
  for (unsigned spins = 0; atomic_load_explicit(&generation, memory_order_acquire) == g; ++spins)
    if (spins > 2000) sched_yield();
}

/* Before instance i: nobody goes on before all have come. */
static void meet(unsigned i, u64 *own) {
  atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
  const unsigned wanted = (i + 1) * THREADS;
  for (unsigned spins = 0; atomic_load_explicit(&met, memory_order_relaxed) < wanted; ++spins)
    if (spins > 2000) sched_yield();
  for (unsigned n = roll(own) & 15; n > 0; --n) __asm__ volatile("" ::: "memory");
}

static double elapsed(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) * 1e-9;
}

/* On one of the cores that we may use, another one for each shift. Where there are fewer than threads, it changes with
 * the shift which of them share one. */
static void pin(unsigned t, unsigned shift) {
  const unsigned count = (unsigned)CPU_COUNT(&allowed);
  unsigned wanted = (t + shift * (1 + t / count)) % count;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed) && wanted-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

static void *work(void *argument) {
  const unsigned t = (unsigned)(uintptr_t)argument;
  /* Where threads have to wait for a core, meeting takes for ever. */
  int crowded = THREADS > CPU_COUNT(&allowed);
  double since = 0;
  u64 own = 0x9e3779b97f4a7c15u * (t + 1);
  for (unsigned round = 0;; ++round) {
    if (round % 64 == 0) pin(t, round / 64);
    if (t == 0) {
      crowded = crowded || (atomic_load(&together) && elapsed() - since > 0.2);
      atomic_store(&together, round % 2 == 1 && !crowded);
      if (round == rounds || elapsed() > seconds) atomic_store(&stop, 1);
      else prepare(round);
      since = elapsed();
    }
    barrier();
    if (atomic_load(&stop)) {
      atomic_fetch_add(&ended, 1);
      return NULL;
    }
    for (unsigned i = 0; i < INSTANCES; ++i) begin_thread(t, i);
    barrier();
    const int meeting = atomic_load(&together);
    for (unsigned i = 0; i < INSTANCES; ++i) {
      if (meeting) meet(i, &own);
      run_thread(t, i);
    }
    barrier();
    if (t == 0) {
      pthread_mutex_lock(&told);
      collect();
      ++done;
      pthread_mutex_unlock(&told);
    }
  }
}

/* Below 2 GiB if there is room: cells and registers of 32 bits hold such an address whole, whatever its sign. */
static unsigned char *allocate(size_t bytes) {
  static uintptr_t next = 0x2a570000;
  const size_t step = (bytes + 0xfffff) / 0x100000 * 0x100000;
  for (; next + step < 0x7fffffff; next += step) {
    void *got = mmap((void *)next, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) return NULL;
    if ((uintptr_t)got + bytes <= 0x7fffffff) return got;
    munmap(got, bytes);
  }
  return aligned_alloc(4096, bytes);
}

int main(int argc, char **argv) {
  rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100;
  seconds = argc > 2 ? strtod(argv[2], NULL) : 10;
  sched_getaffinity(0, sizeof allowed, &allowed);
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (unsigned v = 0; v < VARIABLES; ++v) {
    memory[v] = allocate((slot(v) * INSTANCES + 4095) / 4096 * 4096);
    if (memory[v] == NULL) return 3;
    memset(memory[v], 0, slot(v) * INSTANCES);
    for (unsigned i = 0; i < INSTANCES; ++i) place[v][i] = i;
  }
  pthread_t threads[THREADS];
  for (unsigned t = 0; t < THREADS; ++t)
    if (pthread_create(&threads[t], NULL, work, (void *)(uintptr_t)t) != 0) return 3;
  /* A test whose threads wait for what does not come ends here, with what was seen before. */
  unsigned last = 0;
  double since = 0;
  while (atomic_load(&ended) < THREADS) {
    const struct timespec moment = {0, 1000000};
    nanosleep(&moment, NULL);
    pthread_mutex_lock(&told);
    if (done != last) since = elapsed();
    last = done;
    if (elapsed() > since + longest_round || elapsed() > seconds * 1.05 + .001) break; /* and keeps the lock */
    pthread_mutex_unlock(&told);
  }
  printf("rounds %u\nlost %llu\n", done, (unsigned long long)lost);
  for (unsigned at = 0; at < TABLE; ++at) {
    if (table[at].count == 0) continue;
    printf("outcome %llu", (unsigned long long)table[at].count);
    for (unsigned k = 0; k < OBSERVED; ++k)
      printf(" %llu:%llx", (unsigned long long)table[at].value[OBSERVED + k], (unsigned long long)table[at].value[k]);
    printf("\n");
  }
  fflush(stdout);
  _exit(0);
}
)C";

const char* unsigned_type(unsigned size) {
  switch (size) {
    case 1: return "uint8_t";
    case 2: return "uint16_t";
    case 8: return "uint64_t";
    default: return "uint32_t";
  }
}

// An initial value as an expression over instance i.
std::string expression(const core::Value& v) {
  if (v.pointer) return fmt::format("(u64)(uintptr_t)(variable[{}][i] + {})", v.object() - 1, v.offset());
  return fmt::format("{}u", v.bits);
}

// The registers or locals in a thread's context: those with an initial value, and those that are observed.
struct Context {
  std::vector<litmus::Register> fetched, kept;
  std::size_t word_of_kept(litmus::Register r) const {
    return fetched.size() + static_cast<std::size_t>(std::ranges::find(kept, r) - kept.begin());
  }
};

// The body of a thread in C, of which each return has become a jump to a label of its own behind it.
struct CBody {
  std::string text;
  std::vector<std::set<std::string>> returns;  // of each: the words of the outermost block before it
};

CBody body_of(const std::string& written) {
  CBody body;
  std::set<std::string> words;
  int depth = 0;  // of braces
  for (std::size_t at = 0; at < written.size();) {
    std::size_t end = at;
    while (end < written.size() && support::in_word(written[end])) ++end;
    if (end == at) {
      if (written[at] == '{') ++depth;
      if (written[at] == '}') --depth;
      body.text += written[at++];
      continue;
    }
    std::string word = written.substr(at, end - at);
    at = end;
    if (word == "return") {
      word = fmt::format("goto heddle_return{}", body.returns.size());
      body.returns.push_back(words);
    } else if (depth == 1) {
      words.insert(word);
    }
    body.text += word;
  }
  return body;
}

// Of the bracket that is opened there; npos if there is none.
std::size_t closing_bracket(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return std::string::npos;
}

class Writer {
 public:
  Writer(const Test& test, const Notation* notation) : test_(test), notation_(notation) {
    contexts_.resize(test.threads.size());
    for (std::size_t t = 0; t < test.threads.size(); ++t) {
      const litmus::ThreadCode& code = test.threads[t];
      // Registers begin with zero unless the test says otherwise; locals of C are the code's own affair.
      for (litmus::Register r = 0; r < code.registers.size() && notation != nullptr; ++r)
        if (!code.registers[r].starts_with('$')) contexts_[t].fetched.push_back(r);
      for (const litmus::Observed& o : test.observed)
        if (o.thread == static_cast<int>(t) && std::ranges::find(contexts_[t].kept, o.reg) == contexts_[t].kept.end())
          contexts_[t].kept.push_back(o.reg);
    }
  }

  support::Result<std::string> write() {
    text_ = opening;
    tables();
    for (std::size_t t = 0; t < test_.threads.size(); ++t)
      if (auto mistake = notation_ != nullptr ? assembly_thread(t) : c_thread(t)) return *mistake;
    dispatch();
    text_ += closing;
    return text_;
  }

 private:
  using Mistake = std::optional<support::Diagnostic>;

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void tables() {
    std::size_t words = 1;
    for (const Context& c : contexts_) words = std::max(words, c.fetched.size() + c.kept.size());
    const std::size_t variables = std::max<std::size_t>(test_.variables.size(), 1);
    line("enum {{ THREADS = {}, VARIABLES = {}, OBSERVED = {}, CONTEXT = {}, INSTANCES = {}, LINE = 128 }};",
         test_.threads.size(), variables, test_.observed.size(), words, instances_per_round);
    std::string sizes;
    for (const litmus::Variable& v : test_.variables)
      sizes += fmt::format("{}, ", std::max<std::size_t>(v.initial.size() * v.type.size, 1));
    line("static const unsigned variable_bytes[VARIABLES] = {{{}}};", sizes.empty() ? "1" : sizes);
    line("static unsigned char *variable[VARIABLES][INSTANCES];");
    line("static u64 context[THREADS][INSTANCES][CONTEXT];");
    line("static void initialise(unsigned i) {{");
    for (std::size_t v = 0; v < test_.variables.size(); ++v)
      for (std::size_t e = 0; e < test_.variables[v].initial.size(); ++e)
        line("  ((volatile {0} *)variable[{1}][i])[{2}] = ({0}){3};", unsigned_type(test_.variables[v].type.size), v, e,
             expression(test_.variables[v].initial[e]));
    line("  (void)i;\n}}");
    line("static void observe(unsigned i, u64 *value) {{");
    for (std::size_t k = 0; k < test_.observed.size(); ++k) {
      const litmus::Observed& o = test_.observed[k];
      if (o.thread < 0)
        line("  value[{}] = ((volatile {} *)variable[{}][i])[{}];", k,
             unsigned_type(test_.variables[o.variable].type.size), o.variable, o.element);
      else
        line("  value[{}] = context[{}][i][{}]{};", k, o.thread,
             contexts_[static_cast<std::size_t>(o.thread)].word_of_kept(o.reg),
             o.type.size < 8 ? fmt::format(" & 0x{:x}u", (std::uint64_t{1} << (8 * o.type.size)) - 1) : "");
    }
    line("  (void)i, (void)value;\n}}");
  }

  Mistake assembly_thread(std::size_t t) {
    const auto body = assembly_of(*notation_, test_, t);
    if (!body) return body.error();
    const litmus::ThreadCode& code = test_.threads[t];
    const Context& context = contexts_[t];
    line("static __attribute__((noinline)) void thread{}(unsigned i) {{\n  u64 *c = context[{}][i];", t, t);
    line("  __asm__ volatile(");
    const auto instruction = [&](const std::string& text) {
      std::string quoted;
      for (const char ch : text) quoted += ch == '"' || ch == '\\' ? std::string{'\\', ch} : std::string(1, ch);
      line("      \"{}\\n\\t\"", quoted);
    };
    const auto transfer = [&](const char* pattern, litmus::Register r, std::size_t word) {
      instruction(fmt::format(fmt::runtime(pattern), notation_->whole(code.registers[r]), 8 * word));
    };
    for (std::size_t k = 0; k < context.fetched.size(); ++k) transfer(notation_->fetch, context.fetched[k], k);
    for (const std::string& text : *body) instruction(text);
    for (const litmus::Register r : context.kept) transfer(notation_->keep, r, context.word_of_kept(r));
    std::string operands = "[c] \"r\"(c)", clobbers = "\"memory\", \"cc\"";
    for (std::size_t v = 0; v < test_.variables.size(); ++v)
      if (std::ranges::any_of(*body, [&](const std::string& l) { return l.find(fmt::format("%[v{}]", v)) != l.npos; }))
        operands += fmt::format(", [v{}] \"r\"(variable[{}][i])", v, v);
    for (const std::string& name : code.registers)
      if (!name.starts_with('$')) clobbers += fmt::format(", \"{}\"", notation_->whole(name));
    line("      : : {} : {});\n}}", operands, clobbers);
    line("static void begin{}(unsigned i) {{", t);
    for (std::size_t k = 0; k < context.fetched.size(); ++k)
      line("  context[{}][i][{}] = {};", t, k, expression(code.initial[context.fetched[k]]));
    line("  (void)i;\n}}");
    return std::nullopt;
  }

  // "(atomic_int *x, int *y) { … }": the parameters, each a type and a variable's name, and the body.
  Mistake c_thread(std::size_t t) {
    const std::string& written = test_.written[t].front();
    const std::size_t open = written.find('('), close = closing_bracket(written, open), end = written.rfind('}');
    const auto broken = [&](std::string why) {
      return support::Diagnostic{test_.file, 0, 0, fmt::format("thread P{}: {}", t, why), "", ""};
    };
    if (open == std::string::npos || close == std::string::npos || end == std::string::npos || end < close)
      return broken("its code is not understood");
    std::string parameters = written.substr(open + 1, close - open - 1), call;
    std::size_t begin = 0;
    while (begin < parameters.size()) {
      const std::size_t comma = std::min(parameters.find(',', begin), parameters.size());
      std::string one = parameters.substr(begin, comma - begin);
      begin = comma + 1;
      while (!one.empty() && std::isspace(static_cast<unsigned char>(one.back())) != 0) one.pop_back();
      std::size_t name = one.size();
      while (name > 0 && support::in_word(one[name - 1])) --name;
      const auto v = std::ranges::find(test_.variables, one.substr(name), &litmus::Variable::name);
      if (one.empty() || one == "void") continue;
      if (v == test_.variables.end()) return broken(fmt::format("'{}' is no variable of the test", one));
      call += fmt::format("(void *)variable[{}][i], ", v - test_.variables.begin());
    }
    const bool none = call.empty();
    const CBody body = body_of(written.substr(close + 1, end - close - 1));
    line("static __attribute__((noinline)) void code{}({}{}u64 *heddle_c) {}", t, none ? "" : parameters,
         none ? "" : ", ", body.text);
    // Locals are kept at the end of the body and for each return: of one, those that have been declared before it.
    for (std::size_t k = 0; k <= body.returns.size(); ++k) {
      if (k > 0) line("  return;\nheddle_return{}:;", k - 1);
      for (const litmus::Observed& o : test_.observed) {
        if (o.thread != static_cast<int>(t)) continue;
        const std::string name = o.text.substr(o.text.find(':') + 1);  // of "0:r1"
        if (k == 0 || body.returns[k - 1].contains(name))
          line("  heddle_c[{}] = (u64){};", contexts_[t].word_of_kept(o.reg), name);
      }
    }
    line("  (void)heddle_c;\n}}");
    line("static void thread{}(unsigned i) {{ code{}({}context[{}][i]); }}", t, t, call, t);
    line("static void begin{}(unsigned i) {{ memset(context[{}][i], 0, sizeof context[{}][i]); }}", t, t, t);
    return std::nullopt;
  }

  void dispatch() {
    for (const char* what : {"begin", "run"}) {
      line("static void {}_thread(unsigned t, unsigned i) {{\n  switch (t) {{", what);
      for (std::size_t t = 0; t < test_.threads.size(); ++t)
        line("    case {}: {}{}(i); break;", t, std::string(what) == "run" ? "thread" : "begin", t);
      line("  }}\n}}");
    }
  }

  const Test& test_;
  const Notation* notation_;
  std::vector<Context> contexts_;
  std::string text_;
};

}  // namespace

support::Result<std::string> harness(const Test& test, const Notation* notation) {
  return Writer(test, notation).write();
}

}  // namespace heddle::hardware
