// Certificates as text: one item per line, numbers in decimal.
// SPDX-License-Identifier: Apache-2.0
#include "ir/buffer_sets.h"

#include <fmt/format.h>

#include <limits>
#include <sstream>

namespace heddle::ir {
namespace {

constexpr const char* title = "heddle buffer sets 1";
constexpr const char* orders[] = {"program", "location"};  // by StoreOrder

void mix(std::uint64_t& h, std::uint64_t v) {
  h = (h ^ v) * 0x100000001b3;
  h ^= h >> 29;
}

// A number of the program's text: layout, code, edges.
std::uint64_t fingerprint(const Program& p) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const Variable& v : p.variables) {
    for (const char c : v.name) mix(h, static_cast<unsigned char>(c));
    mix(h, v.base);
    for (const std::int32_t value : v.initial) mix(h, static_cast<std::uint32_t>(value));
  }
  for (const Edge& e : p.edges) {
    for (const std::uint64_t v : {e.process, e.source, e.target, e.stores, e.atomic_stores}) mix(h, v);
    mix(h, static_cast<std::uint64_t>(e.fence) << 2 | static_cast<std::uint64_t>(e.holds) << 1 | e.fence_all);
    for (const Code start : {e.guard_code, e.effect_code}) {
      if (start == no_code) continue;
      for (Code at = start; p.code[at].op != Op::True; ++at) {
        const Instr& i = p.code[at];
        for (const std::uint64_t v : {static_cast<std::uint32_t>(i.op), i.a, i.b, i.d}) mix(h, v);
        for (const std::uint32_t word : {i.a, i.b})  // constants are words with that value
          if (word < p.image.size()) mix(h, static_cast<std::uint32_t>(p.image[word]));
      }
    }
  }
  return h;
}

class Reader {
 public:
  Reader(std::string_view text, std::string file) : in_(std::string(text)), file_(std::move(file)) {}

  // The next line begins with this word; what follows are numbers.
  std::vector<std::int64_t> numbers(const char* word) {
    std::string line;
    ++line_;
    if (!std::getline(in_, line)) return fail(fmt::format("a line '{} …' is missing", word));
    std::istringstream in(line);
    std::string first;
    in >> first;
    if (first != word) return fail(fmt::format("this line does not begin with '{}'", word));
    std::vector<std::int64_t> list;
    for (std::int64_t n = 0; in >> n;) list.push_back(n);
    if (!in.eof()) return fail("this is no list of numbers");
    return list;
  }
  std::string line() {
    std::string text;
    ++line_;
    std::getline(in_, text);
    return text;
  }
  std::vector<std::int64_t> fail(std::string message) {
    if (message_.empty()) {
      message_ = std::move(message);
      at_ = line_;
    }
    return {};
  }
  bool good() const { return message_.empty(); }
  support::Diagnostic diagnostic() const {
    return {file_, at_, 0, message_, {}, "a certificate is written by --certificate"};
  }

 private:
  std::istringstream in_;
  std::string file_, message_;
  unsigned line_ = 0, at_ = 0;
};

constexpr std::int64_t most = 1 << 24;

}  // namespace

bool is_certificate(std::string_view text) { return text.starts_with(title); }

std::string certificate_text(const Program& p, const BufferSets& sets) {
  std::string out = fmt::format("{}\nprogram {:016x} {}\norder {}\n", title, fingerprint(p), p.name,
                                orders[static_cast<std::size_t>(sets.order)]);
  out += fmt::format("size {} {} {}\n", sets.locals.size(), sets.automata.size(), sets.states.size());
  for (std::size_t i = 0; i < sets.locals.size(); ++i) {
    out += fmt::format("process {}\n", sets.locals[i].size());
    for (const auto& local : sets.locals[i]) {
      out += "local";
      for (const std::int32_t v : local) out += fmt::format(" {}", v);
      out += "\n";
    }
  }
  for (const auto& automaton : sets.automata) {
    out += fmt::format("automaton {}\n", automaton.size());
    for (const auto& state : automaton) {
      out += "arcs";
      for (const BufferSets::Arc& a : state)
        out += fmt::format(" {} {} {} {}", a.local ? 1 : 0, a.cell, a.value, a.target);
      out += "\n";
    }
  }
  for (const BufferSets::State& state : sets.states) {
    out += "memory";
    for (const std::int32_t v : state.memory) out += fmt::format(" {}", v);
    out += "\nbuffers";
    for (const std::uint32_t a : state.automata) out += fmt::format(" {}", a);
    out += "\n";
  }
  return out;
}

support::Result<BufferSets> parse_certificate(const Program& p, std::string_view text, const std::string& file) {
  Reader in(text, file);
  if (in.line() != title) return support::Diagnostic{file, 1, 0, "this is no certificate of buffer sets", {}, {}};
  const std::string program = in.line(), expected = fmt::format("program {:016x}", fingerprint(p));
  if (!program.starts_with(expected))
    return support::Diagnostic{file,    2,
                               0,       "this certificate is about another program",
                               program, fmt::format("{} has the number {:016x}", p.name, fingerprint(p))};
  BufferSets sets;
  const std::string order = in.line();
  if (order == fmt::format("order {}", orders[0])) sets.order = StoreOrder::Program;
  else if (order == fmt::format("order {}", orders[1])) sets.order = StoreOrder::Location;
  else in.fail(fmt::format("the order of stores is '{}' or '{}'", orders[0], orders[1]));
  const auto size = in.numbers("size");
  const auto inside = [](std::int64_t n) { return n >= 0 && n <= most; };
  if (in.good() && (size.size() != 3 || !inside(size[0]) || !inside(size[1]) || !inside(size[2])))
    in.fail("three numbers are expected");
  for (std::int64_t i = 0; in.good() && i < size[0]; ++i) {
    const auto count = in.numbers("process");
    if (!in.good() || count.size() != 1 || !inside(count[0])) return in.fail("one number is expected"), in.diagnostic();
    sets.locals.emplace_back();
    for (std::int64_t l = 0; in.good() && l < count[0]; ++l) {
      sets.locals.back().emplace_back();
      for (const std::int64_t v : in.numbers("local"))
        sets.locals.back().back().push_back(static_cast<std::int32_t>(v));
    }
  }
  for (std::int64_t i = 0; in.good() && i < size[1]; ++i) {
    const auto count = in.numbers("automaton");
    if (!in.good() || count.size() != 1 || !inside(count[0])) return in.fail("one number is expected"), in.diagnostic();
    sets.automata.emplace_back();
    for (std::int64_t q = 0; in.good() && q < count[0]; ++q) {
      const auto list = in.numbers("arcs");
      if (list.size() % 4 != 0) in.fail("arcs have four numbers each");
      sets.automata.back().emplace_back();
      for (std::size_t at = 0; in.good() && at < list.size(); at += 4)
        sets.automata.back().back().push_back({list[at] != 0, static_cast<std::uint32_t>(list[at + 1]),
                                               static_cast<std::int32_t>(list[at + 2]),
                                               static_cast<std::uint32_t>(list[at + 3])});
    }
  }
  for (std::int64_t i = 0; in.good() && i < size[2]; ++i) {
    BufferSets::State state;
    for (const std::int64_t v : in.numbers("memory")) state.memory.push_back(static_cast<std::int32_t>(v));
    for (const std::int64_t a : in.numbers("buffers")) state.automata.push_back(static_cast<std::uint32_t>(a));
    sets.states.push_back(std::move(state));
  }
  if (!in.good()) return in.diagnostic();
  return sets;
}

}  // namespace heddle::ir
