// The outer form of a litmus test: name, quoted line and key=value lines, initial state, threads in columns (or, in C,
// one after the other), and what is asked of final states (condition.cpp).
// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/input.h"
#include "lang/litmus/assembler.h"
#include "lang/litmus/c_code.h"
#include "lang/litmus/condition.h"
#include "lang/litmus/lexer.h"
#include "support/words.h"

namespace heddle::lang::litmus {

namespace {

class Parser {
 public:
  Parser(Test& test, std::string_view original) : test_(test), original_(original) {
    for (std::size_t i = 0; i < original.size(); ++i)
      if (original[i] == '\n') line_starts_.push_back(i + 1);
  }

  void parse() {
    header();
    text_ = without_comments(original_, test_.dialect == Dialect::C);
    for (std::size_t i = 0; i < name_end_; ++i)
      if (text_[i] != '\n') text_[i] = ' ';
    initial_state();
    const std::size_t rest = test_.dialect == Dialect::C ? c_threads() : columns();
    finish_variables();
    finish_registers();
    parse_final_part(test_, text_, rest, [this](int thread, const Token& name) { return find_register(thread, name); });
  }

 private:
  std::pair<unsigned, unsigned> place(std::size_t at) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), at);
    return {static_cast<unsigned>(next - line_starts_.begin()), static_cast<unsigned>(at - *(next - 1)) + 1};
  }

  // The first line: `ARCH name`, perhaps behind a byte-order mark. The name goes to the next blank; what else is on the
  // line is ignored.
  void header() {
    std::size_t at = original_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
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

  struct Initial {  // an initial value; of `x[i]`, until the sizes of elements are known, the address of x
    core::Value value;
    std::uint64_t element = 0;
    bool operator==(const Initial&) const = default;
  };

  struct Pending {  // a register's initial value, until the threads' registers are known
    int thread;
    std::string name;
    Type type;
    Initial value;
    std::size_t at;
    bool has_value;
  };

  struct Given {  // what the initial state says of one variable's cell or type
    Initial value;
    std::size_t at;
  };

  void initial_entry(Lexer& lex) {
    const auto ctype = accept_c_type(lex);
    Type type;
    if (ctype) type = {ctype->bytes(), ctype->is_signed, true, ctype->is_pointer()};
    const std::size_t at = lex.position();
    if (const auto thread = accept_thread(lex)) {
      const Token name = lex.expect_name("a register");
      Pending p{*thread, std::string(name.text), type, {}, name.at, false};
      if (lex.accept("=")) {
        const std::size_t value_at = lex.position();
        p.value = value(lex);
        p.has_value = true;
        if (type.declared) must_fit(p.value.value, type.size, name.text, value_at);
      }
      return registers_.push_back(std::move(p));
    }
    const bool bracket = lex.accept("[");
    if (!bracket && lex.accept("*")) {}
    const Token name = lex.expect_name("a variable or register");
    if (bracket) lex.expect("]");
    const std::uint32_t index = variable(name.text);
    if (type.declared) {
      Variable& v = test_.variables[index];
      if (v.type.declared) throw Mistake{name.at, fmt::format("'{}' is declared already", v.name), {}};
      v.type = type;
    }
    std::uint64_t element = 0;
    bool indexed = false;
    if (lex.accept("[")) {
      element = lex.expect_number();
      lex.expect("]");
      indexed = true;
      if (element > 4096) throw Mistake{at, "an array of a litmus test has at most 4096 elements", {}};
      test_.variables[index].array = true;
    }
    // In a declaration the number is the length.
    const bool length = indexed && (type.declared || !lex.is("="));
    if (length) {
      if (element == 0) throw Mistake{at, "an array needs at least one element", {}};
      test_.variables[index].initial.resize(element);
      if (!lex.is("=")) return;
    }
    if (!lex.accept("=")) return;
    if (lex.is("{")) {
      const std::size_t open = lex.take().at;
      test_.variables[index].array = true;
      std::uint64_t i = 0;
      if (!lex.accept("}")) {
        do {
          if (length && i == element)
            throw Mistake{lex.position(), fmt::format("'{}' has {} elements only", name.text, element), {}};
          if (i > 4096) throw Mistake{open, "an array of a litmus test has at most 4096 elements", {}};
          give(index, i++, lex);
        } while (lex.accept(","));
        lex.expect("}");
      }
      return;
    }
    if (length) lex.fail("the values of an array stand in '{ … }'");
    give(index, element, lex);
  }

  // Reads the initial value of a cell. It may be given again only if it is the same.
  void give(std::uint32_t index, std::uint64_t element, Lexer& lex) {
    const std::size_t at = lex.position();
    const Initial v = value(lex);
    Variable& variable = test_.variables[index];
    const auto [found, first] = given_.try_emplace({index, element}, Given{v, at});
    if (!first && !(found->second.value == v))
      throw Mistake{at, fmt::format("'{}' has another initial value already", variable.name), {}};
    if (variable.initial.size() <= element) variable.initial.resize(element + 1);
    variable.initial[element] = v.value;
  }

  static void must_fit(const core::Value& v, std::uint8_t size, std::string_view name, std::size_t at) {
    if (v.pointer || size >= 8) return;
    const auto n = static_cast<std::int64_t>(v.bits);
    if (n < -(std::int64_t{1} << (8 * size - 1)) || n >= std::int64_t{1} << (8 * size))
      throw Mistake{
          at, fmt::format("this number does not fit into the {} byte{} of '{}'", size, size == 1 ? "" : "s", name), {}};
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
  Initial value(Lexer& lex) {
    if (lex.peek().kind == TokenKind::Number || lex.is("-")) return {core::Value(lex.expect_number())};
    lex.accept("&");
    const Token name = lex.expect_name("a number or a variable");
    const std::uint32_t v = variable(name.text);
    std::uint64_t offset = 0, element = 0;
    if (lex.accept("+")) offset = lex.expect_number();
    else if (lex.accept("[")) {
      element = lex.expect_number();
      lex.expect("]");
    }
    return {core::Value::address(v + 1, static_cast<std::uint32_t>(offset)), element};
  }

  // Requires the variables' final types (finish_variables).
  core::Value resolved(const Initial& i) const {
    if (i.element == 0) return i.value;
    const std::uint64_t offset = i.element * test_.variables[i.value.object() - 1].type.size;
    return core::Value::address(i.value.object(), static_cast<std::uint32_t>(offset));
  }

  std::uint32_t variable(std::string_view name) {
    const auto found = variables_.find(name);
    if (found != variables_.end()) return found->second;
    variables_.emplace(name, static_cast<std::uint32_t>(test_.variables.size()));
    Variable v;
    v.name = std::string(name);
    v.initial.resize(1);
    test_.variables.push_back(std::move(v));
    return static_cast<std::uint32_t>(test_.variables.size() - 1);
  }

  std::size_t c_threads() {
    Lexer lex(text_, code_begin_, true);
    CSurroundings around;
    around.place_of = [this](std::size_t at) { return place(at); };
    around.declare = [this](const Token& name, const CType& type) { return declare(name, type); };
    std::vector<std::size_t> without_value;
    around.no_value = [&](std::size_t at) { without_value.push_back(at); };
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
      const std::size_t begin = lex.position();
      locals_.push_back(compile_c_thread(lex, test_.threads.back(), around));
      std::string written = text_.substr(begin, lex.position() - begin);
      while (!without_value.empty()) {  // the last one first
        written.insert(without_value.back() - begin, " = 0");
        without_value.pop_back();
      }
      test_.written.push_back({std::move(written)});
    }
    if (test_.threads.empty()) lex.fail("a thread 'P0 (…) { … }' expected");
    return lex.position();
  }

  // A parameter of a C thread: the type of its variable, unless another place has said so before.
  core::Value declare(const Token& name, const CType& type) {
    const std::uint32_t i = variable(name.text);
    Variable& v = test_.variables[i];
    if (!v.type.declared) v.type = {type.bytes(), type.is_signed, true, false};
    if (type.bytes() > v.type.size)
      throw Mistake{name.at,
                    fmt::format("'{}' has {} byte{} elsewhere, and {} here", name.text, v.type.size,
                                v.type.size == 1 ? "" : "s", type.bytes()),
                    {}};
    return core::Value::address(i + 1, 0);
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
    test_.written.resize(cells.size());
    for (ThreadCode& code : test_.threads)
      assemblers.push_back(std::make_unique<Assembler>(code, [this](std::string_view name) -> const core::Value* {
        if (test_.dialect != Dialect::X86 && test_.dialect != Dialect::X86_64) return nullptr;
        if (!canonical_x86(name).empty() || name.empty() || !std::all_of(name.begin(), name.end(), support::in_word) ||
            std::isdigit(static_cast<unsigned char>(name[0])))
          return nullptr;
        address_ = core::Value::address(variable(name) + 1, 0);
        return &address_;
      }));
  }

  void row(const std::vector<Argument>& cells, std::vector<std::unique_ptr<Assembler>>& assemblers, std::size_t at) {
    const bool empty = cells.size() == 1 && cells[0].text.empty();
    if (cells.size() != assemblers.size() && !empty)
      throw Mistake{
          at, fmt::format("this row has {} columns, but there are {} threads", cells.size(), assemblers.size()), {}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      instruction(*assemblers[i], cells[i]);
      if (!cells[i].text.empty()) test_.written[i].push_back(cells[i].text);
    }
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
    }
    for (const auto& [cell, given] : given_) {
      Variable& v = test_.variables[cell.first];
      must_fit(given.value.value, v.type.size, v.name, given.at);
      core::Value& i = v.initial[cell.second];
      i = resolved(given.value);
      if (i.pointer && v.type.size < 8)  // initial contents have whole addresses only (core::GlobalObject)
        throw Mistake{given.at, fmt::format("the {} bytes of '{}' do not hold an address", v.type.size, v.name), {}};
      if (!i.pointer && v.type.size < 8) i.bits &= (std::uint64_t{1} << (8 * v.type.size)) - 1;
    }
  }

  void finish_registers() {
    std::map<std::pair<int, Register>, const Pending*> seen;
    for (const Pending& p : registers_) {
      if (p.thread >= static_cast<int>(test_.threads.size()))
        throw Mistake{p.at, fmt::format("there is no thread {}", p.thread), {}};
      const Register r = initialised(p);
      ThreadCode& code = test_.threads[static_cast<std::size_t>(p.thread)];
      const auto [found, first] = seen.try_emplace({p.thread, r}, &p);
      if (!first && p.has_value && found->second->has_value && !(found->second->value == p.value))
        throw Mistake{p.at, fmt::format("'{}:{}' has another initial value already", p.thread, p.name), {}};
      if (p.has_value) {
        code.initial[r] = resolved(p.value);
        found->second = &p;
      }
      if (p.type.declared) types_[{p.thread, r}] = p.type;
    }
  }

  // The register that the initial state names.
  Register initialised(const Pending& p) {
    const auto thread = static_cast<std::size_t>(p.thread);
    if (test_.dialect == Dialect::C) {
      const auto found = locals_[thread].find(p.name);
      if (found == locals_[thread].end() || found->second.several)
        throw Mistake{p.at, fmt::format("thread {} has no variable '{}'", p.thread, p.name), {}};
      return found->second.reg;
    }
    const std::string name = canonical(p.name);
    if (name.empty()) throw Mistake{p.at, fmt::format("'{}' is not a register", p.name), {}};
    return test_.threads[thread].add(name);
  }

  // For conditions. A register that nothing else mentions holds zero.
  std::optional<FoundRegister> find_register(int thread, const Token& token) {
    const std::string_view name = token.text;
    if (thread >= static_cast<int>(test_.threads.size())) return std::nullopt;
    if (test_.dialect == Dialect::C) {
      const CLocals& locals = locals_[static_cast<std::size_t>(thread)];
      const auto found = locals.find(name);
      if (found == locals.end()) return std::nullopt;
      const CLocal& local = found->second;
      if (local.several)
        throw Mistake{token.at, fmt::format("several blocks have a variable '{}'; which one is meant?", name), {}};
      const Type type{local.type.bytes(), local.type.is_signed, true, local.type.is_pointer()};
      return FoundRegister{local.reg, type, std::string(name)};
    }
    const std::string c = canonical(name);
    if (c.empty()) return std::nullopt;
    ThreadCode& code = test_.threads[static_cast<std::size_t>(thread)];
    FoundRegister found{code.add(c), {}, c};
    const bool x86 = test_.dialect == Dialect::X86 || test_.dialect == Dialect::X86_64;
    if (x86) {  // as the user wrote it: %eax is half of %rax
      found.shown = std::string(name.starts_with('%') ? name.substr(1) : name);
      found.type.size = x86_register_size(found.shown);
    } else {
      found.type.size = register_bytes(code, found.reg);
      if (test_.dialect == Dialect::AArch64 && lower(name)[0] == 'w' && found.type.size == 8) {  // half of the register
        found.type.size = 4;
        found.shown[0] = 'W';
      }
    }
    if (const auto declared = types_.find({thread, found.reg}); declared != types_.end()) found.type = declared->second;
    return found;
  }

  // As much of a register as the thread's instructions write. PPC's arithmetic does not tell: it is that of a machine
  // with 64 bits if the thread accesses so many.
  std::uint8_t register_bytes(const ThreadCode& code, Register r) const {
    if (test_.dialect == Dialect::RISCV) return 8;
    const auto half = static_cast<std::int64_t>(code.initial[r].bits);
    std::uint8_t size = half >= -(std::int64_t{1} << 31) && half < std::int64_t{1} << 32 ? 4 : 8;
    for (const Op& op : code.ops) {
      const bool accesses = op.kind == OpKind::Load || op.kind == OpKind::Store || op.kind == OpKind::Rmw;
      if (test_.dialect == Dialect::PPC && accesses) size = std::max(size, op.size);
      if (op.dst != r) continue;
      if (op.kind == OpKind::Load || op.kind == OpKind::Rmw) size = std::max(size, op.size);
      if (op.kind == OpKind::Load && op.sign_extend && test_.dialect == Dialect::AArch64) size = 8;
      if ((op.kind == OpKind::Compute || op.kind == OpKind::Select) && op.width == 64 &&
          test_.dialect == Dialect::AArch64)
        size = 8;
    }
    return size;
  }

  Test& test_;
  std::string_view original_;
  std::string text_;
  std::size_t name_end_ = 0, code_begin_ = 0;
  std::vector<Pending> registers_;
  std::map<std::pair<int, Register>, Type> types_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Given> given_;
  std::map<std::string, std::uint32_t, std::less<>> variables_;
  std::vector<CLocals> locals_;  // of C threads
  std::vector<std::size_t> line_starts_{0};
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

support::Result<Test> read_test(const std::string& file, const core::Budget* budget) {
  const auto text = core::read_input(file, budget);
  if (!text) return text.error();
  return parse_test(file, *text);
}

}  // namespace heddle::lang::litmus
