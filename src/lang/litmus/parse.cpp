// The outer form of a litmus test: name, quoted line and key=value lines, initial state, threads in columns (or, in C,
// one after the other), and what is asked of final states (condition.cpp).
// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

#include "lang/litmus/assembler.h"
#include "lang/litmus/c_code.h"
#include "lang/litmus/condition.h"
#include "lang/litmus/lexer.h"

namespace heddle::lang::litmus {

namespace {

class Parser {
 public:
  Parser(Test& test, std::string_view original) : test_(test), original_(original) {}

  void parse() {
    header();
    text_ = without_comments(original_, test_.dialect == Dialect::C);
    for (std::size_t i = 0; i < name_end_; ++i)
      if (text_[i] != '\n') text_[i] = ' ';
    initial_state();
    const std::size_t rest = test_.dialect == Dialect::C ? c_threads() : columns();
    finish_variables();
    finish_registers();
    parse_final_part(test_, text_, rest,
                     [this](int thread, std::string_view name) { return find_register(thread, name); });
  }

 private:
  std::pair<unsigned, unsigned> place(std::size_t at) const {
    at = std::min(at, original_.size());
    const auto line = static_cast<unsigned>(
                          std::count(original_.begin(), original_.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                      1;
    const std::size_t begin = original_.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t line_start = at == 0 || begin == std::string_view::npos ? 0 : begin + 1;
    return {line, static_cast<unsigned>(at - line_start) + 1};
  }

  // The first line: `ARCH name`. The name goes to the next blank; what else is on the line is ignored.
  void header() {
    std::size_t at = 0;
    const auto skip = [&] {
      while (at < original_.size() && std::isspace(static_cast<unsigned char>(original_[at]))) ++at;
    };
    const auto word = [&] {
      const std::size_t begin = at;
      while (at < original_.size() && !std::isspace(static_cast<unsigned char>(original_[at]))) ++at;
      return original_.substr(begin, at - begin);
    };
    skip();
    const std::size_t arch_at = at;
    const std::string_view arch = word();
    bool known = false;
    for (Dialect d : {Dialect::C, Dialect::X86, Dialect::X86_64, Dialect::AArch64, Dialect::PPC, Dialect::RISCV})
      if (lower(arch) == lower(dialect_name(d))) {
        test_.dialect = d;
        known = true;
      }
    if (!known)
      throw Mistake{arch_at,
                    arch.empty()
                        ? "the text is empty"
                        : fmt::format("'{}' is not a dialect of litmus tests that is supported", arch.substr(0, 40)),
                    "supported: C, X86, X86_64, AArch64, PPC, RISCV"};
    while (at < original_.size() && (original_[at] == ' ' || original_[at] == '\t')) ++at;
    test_.name = std::string(word());
    if (test_.name.empty()) throw Mistake{at, "the test has no name", {}};
    name_end_ = std::min(original_.find('\n', at), original_.size());
    if (const std::size_t brace = original_.find('{', at); brace < name_end_) name_end_ = brace;
  }

  void initial_state() {
    const std::size_t open = text_.find('{', name_end_);
    if (open == std::string::npos) throw Mistake{text_.size(), "the initial state '{ … }' is missing", {}};
    std::istringstream lines(text_.substr(name_end_, open - name_end_));
    for (std::string line; std::getline(lines, line);) {
      const std::string_view t = trim(line);
      if (t.size() >= 2 && t.front() == '"' && t.back() == '"') test_.doc = std::string(t.substr(1, t.size() - 2));
      else if (const std::size_t eq = t.find('='); eq != std::string_view::npos && eq > 0)
        test_.info.emplace_back(std::string(trim(t.substr(0, eq))), std::string(trim(t.substr(eq + 1))));
    }
    Lexer lex(text_, open + 1);
    while (!lex.accept("}")) {
      if (lex.accept(";")) continue;
      initial_entry(lex);
      if (!lex.is("}")) lex.expect(";");
    }
    lex.accept(";");
    code_begin_ = lex.position();
  }

  struct Pending {  // a register's initial value, until the threads' registers are known
    int thread;
    std::string name;
    Type type;
    core::Value value;
    std::size_t at;
  };

  void initial_entry(Lexer& lex) {
    const auto ctype = accept_c_type(lex);
    bool pointer = false;
    while (lex.accept("*")) pointer = true;
    Type type;
    if (ctype) type = {pointer ? std::uint8_t{8} : ctype->size, ctype->is_signed, true, pointer};
    const std::size_t at = lex.position();
    if (const auto thread = accept_thread(lex)) {
      const Token name = lex.expect_name("a register");
      Pending p{*thread, std::string(name.text), type, {}, name.at};
      if (lex.accept("=")) p.value = value(lex);
      return registers_.push_back(std::move(p));
    }
    const bool bracket = lex.accept("[");
    if (!bracket && lex.accept("*")) {}
    const Token name = lex.expect_name("a variable or register");
    if (bracket) lex.expect("]");
    Variable& v = test_.variables[variable(name.text)];
    if (type.declared) v.type = type;
    std::uint64_t element = 0;
    bool indexed = false;
    if (lex.accept("[")) {
      element = lex.expect_number();
      lex.expect("]");
      indexed = true;
      v.array = true;
      if (element > 4096) throw Mistake{at, "an array of a litmus test has at most 4096 elements", {}};
    }
    if (indexed && !lex.is("=")) {  // a declaration: the number is the length
      if (element == 0) throw Mistake{at, "an array needs at least one element", {}};
      v.initial.resize(element);
      return;
    }
    if (!lex.accept("=")) return;
    if (lex.accept("{")) {
      v.array = true;
      if (indexed && v.initial.size() < element) v.initial.resize(element);
      std::size_t i = 0;
      if (!lex.accept("}")) {
        do {
          if (v.initial.size() <= i) v.initial.resize(i + 1);
          v.initial[i++] = value(lex);
        } while (lex.accept(","));
        lex.expect("}");
      }
      return;
    }
    if (v.initial.size() <= element) v.initial.resize(element + 1);
    v.initial[element] = value(lex);
  }

  // `1:` or `P1:`
  static std::optional<int> accept_thread(Lexer& lex) {
    const Token t = lex.peek();
    const bool named = t.kind == TokenKind::Name && t.text.size() > 1 && t.text[0] == 'P' &&
                       std::all_of(t.text.begin() + 1, t.text.end(),
                                   [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
    if (t.kind != TokenKind::Number && !named) return std::nullopt;
    const std::size_t at = lex.position();
    const auto number = named ? parse_number(t.text.substr(1)) : std::optional<std::uint64_t>(t.number);
    lex.take();
    if (!lex.accept(":")) {
      if (!named) throw Mistake{at, "a thread's number needs ':' after it", {}};
      lex.seek(at);
      return std::nullopt;
    }
    if (!number || *number > 1000) throw Mistake{at, "there are at most 1000 threads", {}};
    return static_cast<int>(*number);
  }

  // A number, or the address of a variable (`x`, `&x`, `x+4`, `x[2]`).
  core::Value value(Lexer& lex) {
    if (lex.peek().kind == TokenKind::Number || lex.is("-")) return core::Value(lex.expect_number());
    lex.accept("&");
    const Token name = lex.expect_name("a number or a variable");
    const std::uint32_t v = variable(name.text);
    std::uint64_t offset = 0;
    if (lex.accept("+")) offset = lex.expect_number();
    else if (lex.accept("[")) {
      offset = lex.expect_number() * test_.variables[v].type.size;
      lex.expect("]");
    }
    return core::Value::address(v + 1, static_cast<std::uint32_t>(offset));
  }

  std::uint32_t variable(std::string_view name) {
    for (std::uint32_t i = 0; i < test_.variables.size(); ++i)
      if (test_.variables[i].name == name) return i;
    Variable v;
    v.name = std::string(name);
    v.initial.resize(1);
    test_.variables.push_back(std::move(v));
    return static_cast<std::uint32_t>(test_.variables.size() - 1);
  }

  std::size_t c_threads() {
    Lexer lex(text_, code_begin_);
    for (;;) {
      const Token t = lex.peek();
      if (t.kind != TokenKind::Name || t.text[0] != 'P' || t.text.size() < 2 ||
          !std::isdigit(static_cast<unsigned char>(t.text[1]))) {
        if (t.kind == TokenKind::Name && (t.text == "void" || t.text == "static")) {
          lex.take();
          continue;
        }
        break;
      }
      if (t.text.substr(1) != std::to_string(test_.threads.size()))
        throw Mistake{t.at, fmt::format("thread P{} expected here", test_.threads.size()), {}};
      lex.take();
      test_.threads.emplace_back();
      compile_c_thread(
          lex, test_.threads.back(),
          [this](std::string_view name, std::uint8_t size, bool is_signed) {
            const std::uint32_t v = variable(name);
            if (!test_.variables[v].type.declared) test_.variables[v].type = {size, is_signed, true, false};
            return core::Value::address(v + 1, 0);
          },
          [this](std::size_t at) { return place(at); });
    }
    if (test_.threads.empty()) lex.fail("a thread 'P0 (…) { … }' expected");
    return lex.position();
  }

  // Rows end with ';', cells with '|'.
  std::size_t columns() {
    std::size_t at = code_begin_;
    std::vector<std::unique_ptr<Assembler>> assemblers;
    for (bool first = true;; first = false) {
      while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
      if (at >= text_.size() || begins_final_part(text_, at)) {
        if (first) throw Mistake{at, "the threads' columns 'P0 | P1 ;' are missing", {}};
        break;
      }
      const std::size_t end = text_.find(';', at);
      if (end == std::string::npos) throw Mistake{at, "this row has no ';' at its end", {}};
      std::vector<Argument> cells;
      std::size_t begin = at;
      for (std::size_t i = at; i <= end; ++i)
        if (i == end || text_[i] == '|') {
          std::string_view raw = std::string_view(text_).substr(begin, i - begin);
          const std::string_view t = trim(raw);
          cells.push_back({std::string(t), begin + (t.empty() ? 0 : static_cast<std::size_t>(t.data() - raw.data()))});
          begin = i + 1;
        }
      if (first) threads(cells, assemblers);
      else row(cells, assemblers, at);
      at = end + 1;
    }
    for (auto& a : assemblers) a->finish();
    return at;
  }

  void threads(const std::vector<Argument>& cells, std::vector<std::unique_ptr<Assembler>>& assemblers) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i].text != "P" + std::to_string(i)) throw Mistake{cells[i].at, fmt::format("'P{}' expected", i), {}};
    if (cells.size() > 1000) throw Mistake{cells[0].at, "there are at most 1000 threads", {}};
    test_.threads.resize(cells.size());
    for (ThreadCode& code : test_.threads)
      assemblers.push_back(std::make_unique<Assembler>(code, [this](std::string_view name) -> const core::Value* {
        if (test_.dialect != Dialect::X86 && test_.dialect != Dialect::X86_64) return nullptr;
        if (!canonical_x86(name).empty() || name.empty() ||
            !std::all_of(name.begin(), name.end(),
                         [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }) ||
            std::isdigit(static_cast<unsigned char>(name[0])))
          return nullptr;
        address_ = core::Value::address(variable(name) + 1, 0);
        return &address_;
      }));
  }

  void row(const std::vector<Argument>& cells, std::vector<std::unique_ptr<Assembler>>& assemblers, std::size_t at) {
    if (cells.size() > assemblers.size())
      throw Mistake{
          at, fmt::format("this row has {} columns, but there are {} threads", cells.size(), assemblers.size()), {}};
    for (std::size_t i = 0; i < cells.size(); ++i) instruction(*assemblers[i], cells[i]);
  }

  void instruction(Assembler& as, Argument cell) {
    // labels: `name:` before the instruction
    for (;;) {
      std::size_t i = 0;
      while (i < cell.text.size() &&
             (std::isalnum(static_cast<unsigned char>(cell.text[i])) || cell.text[i] == '_' || cell.text[i] == '.'))
        ++i;
      if (i == 0 || i >= cell.text.size() || cell.text[i] != ':') break;
      as.label(cell.text.substr(0, i), cell.at);
      const std::string_view rest = trim(std::string_view(cell.text).substr(i + 1));
      cell.at += static_cast<std::size_t>(rest.data() - cell.text.data());
      cell.text = std::string(rest);
    }
    if (cell.text.empty()) return;
    Instruction ins;
    ins.text = cell.text;
    ins.at = cell.at;
    const std::size_t blank = std::min(cell.text.find_first_of(" \t\n\r"), cell.text.size());
    ins.mnemonic = lower(std::string_view(cell.text).substr(0, blank));
    int depth = 0;
    std::size_t begin = blank;
    for (std::size_t i = blank; i <= cell.text.size(); ++i) {
      const char c = i < cell.text.size() ? cell.text[i] : ',';
      if (c == '[' || c == '(') ++depth;
      if (c == ']' || c == ')') --depth;
      if (i < cell.text.size() && (c != ',' || depth > 0)) continue;
      const std::string_view raw = std::string_view(cell.text).substr(begin, i - begin);
      const std::string_view arg = trim(raw);
      if (!arg.empty())
        ins.args.push_back({std::string(arg), cell.at + static_cast<std::size_t>(arg.data() - cell.text.data())});
      else if (i < cell.text.size() || !ins.args.empty()) throw Mistake{cell.at + begin, "an operand is missing", {}};
      begin = i + 1;
    }
    const auto [line, column] = place(cell.at);
    as.begin(ins, line, column);
    switch (test_.dialect) {
      case Dialect::AArch64: return assemble_aarch64(as, ins);
      case Dialect::X86: return assemble_x86(as, ins);
      case Dialect::X86_64: return assemble_x86_64(as, ins);
      case Dialect::PPC: return assemble_ppc(as, ins);
      case Dialect::RISCV: return assemble_riscv(as, ins);
      case Dialect::C: break;
    }
  }

  std::string canonical(std::string_view name) const {
    switch (test_.dialect) {
      case Dialect::AArch64: return canonical_aarch64(name);
      case Dialect::X86:
      case Dialect::X86_64: return canonical_x86(name);
      case Dialect::PPC: return canonical_ppc(name);
      case Dialect::RISCV: return canonical_riscv(name);
      case Dialect::C: return std::string(name);
    }
    return {};
  }

  // Variables that no declaration gives a type are as large as the test's largest access (at least an int).
  void finish_variables() {
    std::uint8_t largest = 4;
    for (const ThreadCode& t : test_.threads)
      for (const Op& op : t.ops)
        if (op.kind == OpKind::Load || op.kind == OpKind::Store || op.kind == OpKind::Rmw)
          largest = std::max(largest, op.size);
    for (Variable& v : test_.variables) {
      for (const core::Value& i : v.initial) v.type.address |= i.pointer;
      if (!v.type.declared) v.type.size = v.type.address ? std::max<std::uint8_t>(largest, 4) : largest;
      if (v.type.address && test_.dialect == Dialect::C) v.type.size = 8;
      for (core::Value& i : v.initial)
        if (!i.pointer && v.type.size < 8) i.bits &= (std::uint64_t{1} << (8 * v.type.size)) - 1;
    }
  }

  void finish_registers() {
    for (const Pending& p : registers_) {
      if (p.thread >= static_cast<int>(test_.threads.size()))
        throw Mistake{p.at, fmt::format("there is no thread {}", p.thread), {}};
      const std::string name = canonical(p.name);
      if (name.empty()) throw Mistake{p.at, fmt::format("'{}' is not a register", p.name), {}};
      ThreadCode& code = test_.threads[static_cast<std::size_t>(p.thread)];
      const Register r = code.add(name);
      code.initial[r] = p.value;
      if (p.type.declared) types_[{p.thread, r}] = p.type;
    }
  }

  // For conditions. A register that nothing else mentions holds zero.
  std::optional<std::pair<Register, Type>> find_register(int thread, std::string_view name) {
    if (thread >= static_cast<int>(test_.threads.size())) return std::nullopt;
    const std::string c = canonical(name);
    if (c.empty()) return std::nullopt;
    ThreadCode& code = test_.threads[static_cast<std::size_t>(thread)];
    if (test_.dialect == Dialect::C && code.find(c) == no_register) return std::nullopt;
    const Register r = code.add(c);
    if (const auto found = types_.find({thread, r}); found != types_.end()) return std::pair{r, found->second};
    Type type;
    if (test_.dialect == Dialect::AArch64 || test_.dialect == Dialect::RISCV || test_.dialect == Dialect::X86_64)
      for (const Op& op : code.ops)
        if (op.dst == r && (op.kind == OpKind::Load || op.kind == OpKind::Rmw))
          type.size = std::max(type.size, op.size);
    return std::pair{r, type};
  }

  Test& test_;
  std::string_view original_;
  std::string text_;
  std::size_t name_end_ = 0, code_begin_ = 0;
  std::vector<Pending> registers_;
  std::map<std::pair<int, Register>, Type> types_;
  core::Value address_;
};

}  // namespace

support::Result<Test> parse_test(std::string file, std::string_view text) {
  Test test;
  test.file = std::move(file);
  test.source = std::string(text);
  try {
    Parser(test, text).parse();
    return test;
  } catch (const Mistake& m) {
    support::Diagnostic d;
    d.file = test.file;
    const std::size_t at = std::min(m.at, text.size());
    d.line = static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
    const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    d.column = static_cast<unsigned>(at - (newline == std::string_view::npos ? 0 : newline + 1)) + 1;
    d.message = m.message;
    d.source_line = std::string(support::line_of(text, d.line));
    d.hint = m.hint;
    return d;
  }
}

support::Result<Test> read_test(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return support::Diagnostic{file, 0, 0, "the file cannot be read", {}, {}};
  std::ostringstream text;
  text << in.rdbuf();
  return parse_test(file, text.str());
}

}  // namespace heddle::lang::litmus
