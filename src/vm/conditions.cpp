// SPDX-License-Identifier: Apache-2.0
#include "vm/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "support/product.h"
#include "vm/layout.h"

namespace heddle::vm {
namespace {

using Operation = Conditions::Op;
using Node = Conditions::Node;
using support::Diagnostic;
__extension__ using Exact = __int128;  // exact for everything that 64 bits can hold, and for sums and products of it

struct Binary {
  std::string_view sign;
  Operation op;
};
// By level, from the weakest; within a level longer signs first.
const std::vector<std::vector<Binary>> levels = {
    {{"||", Operation::Or}},
    {{"&&", Operation::And}},
    {{"|", Operation::BitOr}},
    {{"^", Operation::BitXor}},
    {{"&", Operation::BitAnd}},
    {{"==", Operation::Equal}, {"!=", Operation::Unequal}},
    {{"<=", Operation::LessEqual}, {">=", Operation::GreaterEqual}, {"<", Operation::Less}, {">", Operation::Greater}},
    {{"<<", Operation::ShiftLeft}, {">>", Operation::ShiftRight}},
    {{"+", Operation::Plus}, {"-", Operation::Subtract}},
    {{"*", Operation::Times}, {"/", Operation::Divide}, {"%", Operation::Remainder}},
};

class Parser {
 public:
  Parser(const Module& module, std::string_view text, std::vector<Node>& nodes)
      : module_(module), text_(text), nodes_(nodes) {}

  // The root's number; nothing if mistake() says why.
  std::optional<std::uint32_t> run() {
    const std::uint32_t root = binary(0);
    skip_blanks();
    if (!mistake_ && at_ < text_.size()) fail(at_, fmt::format("'{}' is not understood here", text_.substr(at_)));
    if (mistake_) return std::nullopt;
    return root;
  }
  const std::optional<Diagnostic>& mistake() const { return mistake_; }

 private:
  static constexpr unsigned deepest = 200;

  std::uint32_t fail(std::size_t at, std::string message, std::string hint = {}) {
    if (!mistake_)
      mistake_ =
          Diagnostic{"", 1, static_cast<unsigned>(at + 1), std::move(message), std::string(text_), std::move(hint)};
    return 0;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  std::uint32_t add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  // The operator of this level that stands here; one that is the beginning of a longer one does not.
  std::optional<Operation> operator_of(std::size_t level) {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    std::string_view longest;
    for (const auto& row : levels)
      for (const Binary& b : row)
        if (rest.starts_with(b.sign) && b.sign.size() > longest.size()) longest = b.sign;
    for (const Binary& b : levels[level])
      if (b.sign == longest) {
        at_ += longest.size();
        return b.op;
      }
    return std::nullopt;
  }

  std::uint32_t binary(std::size_t level) {
    if (level == levels.size()) return unary();
    std::uint32_t left = binary(level + 1);
    while (!mistake_) {
      const auto op = operator_of(level);
      if (!op) break;
      const std::uint32_t right = binary(level + 1);
      left = add({.op = *op, .left = left, .right = right});
    }
    return left;
  }

  std::uint32_t unary() {
    skip_blanks();
    if (++depth_ > deepest) return fail(at_, "the expression is nested too deeply");
    std::uint32_t result = 0;
    if (take("!")) result = add({.op = Operation::Not, .left = unary()});
    else if (take("-")) result = add({.op = Operation::Minus, .left = unary()});
    else if (take("~")) result = add({.op = Operation::Complement, .left = unary()});
    else if (take("+")) result = unary();
    else result = primary();
    --depth_;
    return result;
  }

  std::uint32_t primary() {
    skip_blanks();
    if (at_ >= text_.size()) return fail(at_, "the expression ends too early");
    const char c = text_[at_];
    if (take("(")) {
      const std::uint32_t inner = binary(0);
      if (!mistake_ && !take(")")) return fail(at_, "')' is missing");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    if (c == '*' || c == '&') return fail(at_, "a condition does not follow pointers", "name a global variable");
    if (!name_begins(c)) return fail(at_, fmt::format("'{}' is not understood here", c));
    return named();
  }

  std::uint32_t number() {
    const std::size_t begin = at_;
    int base = 10;
    if (text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X")) {
      base = 16;
      at_ += 2;
    } else if (text_[at_] == '0') {
      base = 8;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, base);
    if (error != std::errc()) return fail(begin, "this number does not fit 64 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    while (at_ < text_.size() && std::string_view("uUlL").find(text_[at_]) != std::string_view::npos) ++at_;
    if (at_ < text_.size() && (name_goes_on(text_[at_]) || text_[at_] == '.'))
      return fail(begin, "this is no whole number");
    return add({.op = Operation::Number, .value = value});
  }

  static bool name_begins(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
  static bool name_goes_on(char c) { return name_begins(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

  std::string_view identifier() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (name_goes_on(text_[at_]) || (text_.substr(at_).starts_with("::")))) {
      at_ += text_[at_] == ':' ? 2 : 1;
    }
    return text_.substr(begin, at_ - begin);
  }

  std::optional<std::uint32_t> object_named(std::string_view name) const {
    for (std::uint32_t i = 0; i < module_.globals.size(); ++i)
      if (module_.globals[i].name == name) return i + 1;
    return std::nullopt;
  }

  // Static variables of several files or blocks: the second one's name has a number behind a dot.
  bool is_ambiguous(const std::string& name) const {
    const auto same = [&](const core::GlobalObject& g) {
      std::string_view rest = g.name;
      if (!rest.starts_with(name)) return false;
      rest.remove_prefix(name.size());
      return rest.empty() ||
             (rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
    };
    return std::ranges::count_if(module_.globals, same) > 1;
  }

  std::uint32_t named() {
    const std::size_t begin = at_;
    std::string name(identifier());
    if (name == "true" || name == "false") return add({.op = Operation::Number, .value = name == "true" ? 1 : 0});
    if (name == "NULL") return add({.op = Operation::Number});
    std::optional<std::uint32_t> object = object_named(name);
    // A function's static variable: its name is "f.count".
    if (!object && at_ < text_.size() && text_[at_] == '.') {
      const std::size_t dot = at_++;
      const std::string whole = name + "." + std::string(identifier());
      if ((object = object_named(whole))) name = whole;
      else at_ = dot;
    }
    const auto point = std::ranges::find(module_.points, name);
    if (object && point != module_.points.end())
      return fail(begin, fmt::format("'{}' is a variable and a point", name), "give the point another name");
    if (point != module_.points.end())
      return add({.op = Operation::Point, .value = point - module_.points.begin() + 1});
    if (!object) return fail(begin, fmt::format("there is no global variable or point '{}'", name), known());
    if (is_ambiguous(name))
      return fail(begin, fmt::format("there are several variables '{}'", name),
                  "give the one that is meant another name");
    if (module_.globals[*object - 1].thread_local_template)
      return fail(begin, fmt::format("'{}' is thread-local: there is one for each thread", name));
    return variable(*object, begin);
  }

  std::string known() const {
    if (module_.points.empty())
      return "variables that no code uses do not exist; a point is declared by heddle_point(\"NAME\") of heddle.h";
    return fmt::format("variables that no code uses do not exist; the points are {}", fmt::join(module_.points, ", "));
  }

  // What std::atomic and its like hold; a base class that has what is asked for.
  std::uint32_t unwrapped(std::uint32_t type) const {
    for (int depth = 0; depth < 8 && type != 0; ++depth) {
      const TypeName& t = module_.types[type];
      if (t.kind != TypeName::Kind::Record) break;
      if (t.fields.size() == 1 && t.fields[0].offset == 0 && t.fields[0].name.starts_with("__a_"))
        type = t.fields[0].type;
      else if (t.fields.empty() && t.element != 0) type = t.element;
      else break;
    }
    return type;
  }

  std::uint32_t variable(std::uint32_t object, std::size_t begin) {
    Node node{.op = Operation::Variable, .value = object};
    std::uint32_t type = unwrapped(module_.global_types[object - 1]);
    std::size_t end = at_;  // of the path so far
    for (;; end = at_) {
      skip_blanks();
      const std::size_t here = at_;
      const TypeName& t = module_.types[type];
      if (take("[")) {
        if (t.kind != TypeName::Kind::Array || module_.types[t.element].size == 0)
          return fail(here, fmt::format("{} is no array", text_.substr(begin, here - begin)));
        const std::uint32_t size = module_.types[t.element].size;
        const std::uint32_t index = binary(0);
        if (mistake_) return 0;
        if (!take("]")) return fail(at_, "']' is missing");
        node.path.push_back({index, size, t.size / size});
        type = unwrapped(t.element);
      } else if (take(".")) {
        const std::string field(identifier());
        const TypeName::Field* found = field_of(type, field);
        if (found == nullptr)
          return fail(here + 1, fmt::format("{} has no member '{}'", text_.substr(begin, here - begin), field));
        if (found->bits) return fail(here + 1, "a bit-field cannot be a part of a condition");
        node.offset += found->offset;
        type = unwrapped(found->type);
      } else {
        break;
      }
    }
    const TypeName& t = module_.types[type];
    const std::string_view path = text_.substr(begin, end - begin);
    const bool scalar =
        (t.kind == TypeName::Kind::Scalar && t.number != TypeName::Number::None) || t.kind == TypeName::Kind::Pointer;
    if (type == 0) return fail(begin, fmt::format("the type of '{}' is not known", path), "compile it with -g");
    if (!scalar || (t.size != 1 && t.size != 2 && t.size != 4 && t.size != 8))
      return fail(begin, fmt::format("'{}' is no whole number", path), "choose an element or a member of it");
    node.size = t.size;
    node.is_signed = t.number == TypeName::Number::Signed;
    return add(std::move(node));
  }

  const TypeName::Field* field_of(std::uint32_t type, std::string_view name) const {
    for (int depth = 0; depth < 8 && type != 0; ++depth) {
      const TypeName& t = module_.types[type];
      if (t.kind != TypeName::Kind::Record) return nullptr;
      for (const TypeName::Field& f : t.fields)
        if (f.name == name) return &f;
      type = t.element;
    }
    return nullptr;
  }

  const Module& module_;
  std::string_view text_;
  std::vector<Node>& nodes_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  std::optional<Diagnostic> mistake_;
};

class Evaluation {
 public:
  Evaluation(const std::vector<Node>& nodes, const core::StateReader& state) : nodes_(nodes), state_(state) {}

  // Nothing: it has no value.
  std::optional<Exact> value(std::uint32_t number) const {
    const Node& n = nodes_[number];
    switch (n.op) {
      case Operation::Number: return n.value;
      case Operation::Point: return stands_at(n.value) ? 1 : 0;
      case Operation::Variable: return variable(n);
      case Operation::Or:
      case Operation::And: {  // the right side counts only if the left one does not decide
        const auto left = value(n.left);
        if (!left || (*left != 0) == (n.op == Operation::Or))
          return left ? std::optional<Exact>(*left != 0) : std::nullopt;
        const auto right = value(n.right);
        return right ? std::optional<Exact>(*right != 0) : std::nullopt;
      }
      case Operation::Not:
      case Operation::Minus:
      case Operation::Complement: {
        const auto of = value(n.left);
        if (!of) return std::nullopt;
        return n.op == Operation::Not ? Exact{*of == 0} : n.op == Operation::Minus ? -*of : ~*of;
      }
      default: {
        const auto left = value(n.left), right = value(n.right);
        return left && right ? arithmetic(n.op, *left, *right) : std::nullopt;
      }
    }
  }

 private:
  bool stands_at(std::int64_t point) const {
    for (core::Tid t = 0; t < state_.threads(); ++t)
      if (header(state_.local(t).data()).point == point) return true;
    return false;
  }

  std::optional<Exact> variable(const Node& n) const {
    core::Loc loc{static_cast<std::uint32_t>(n.value), n.offset, n.size};
    for (const Conditions::Index& step : n.path) {
      const auto index = value(step.node);
      if (!index || *index < 0 || *index >= step.count) return std::nullopt;
      loc.offset += static_cast<std::uint32_t>(*index) * step.size;
    }
    const core::Answer answer = state_.read(loc);
    if (answer.fault != core::Fault::None || answer.value.undefined != 0) return std::nullopt;
    const std::uint64_t bits = answer.value.bits;
    if (!n.is_signed) return Exact{bits};
    const unsigned unused = 64 - 8 * n.size;
    return Exact{static_cast<std::int64_t>(bits << unused) >> unused};
  }

  static std::optional<Exact> arithmetic(Operation op, Exact a, Exact b) {
    Exact result = 0;
    switch (op) {
      case Operation::BitOr: return a | b;
      case Operation::BitXor: return a ^ b;
      case Operation::BitAnd: return a & b;
      case Operation::Equal: return a == b;
      case Operation::Unequal: return a != b;
      case Operation::Less: return a < b;
      case Operation::LessEqual: return a <= b;
      case Operation::Greater: return a > b;
      case Operation::GreaterEqual: return a >= b;
      case Operation::ShiftLeft:
        return b < 0 || b > 63 ? std::nullopt : support::product(a, Exact{1} << static_cast<int>(b));
      case Operation::ShiftRight:
        return b < 0 || b > 63 ? std::nullopt : std::optional<Exact>(a >> static_cast<int>(b));
      case Operation::Plus: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional<Exact>(result);
      case Operation::Subtract:
        return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional<Exact>(result);
      case Operation::Times: return support::product(a, b);
      case Operation::Divide: return b == 0 ? std::nullopt : std::optional<Exact>(a / b);
      default: return b == 0 ? std::nullopt : std::optional<Exact>(a % b);
    }
  }

  const std::vector<Node>& nodes_;
  const core::StateReader& state_;
};

}  // namespace

Conditions::Conditions(const VmProgram& program) : module_(program.module()) {}

support::Result<std::uint32_t> Conditions::add(std::string_view text) {
  Parser parser(module_, text, nodes_);
  const auto root = parser.run();
  if (!root) return *parser.mistake();
  watched_.resize(module_.globals.size() + 1);
  for (const Node& node : nodes_)
    if (node.op == Operation::Variable) watched_[static_cast<std::size_t>(node.value)] = true;
  roots_.push_back(*root);
  return static_cast<std::uint32_t>(roots_.size() - 1);
}

core::Truth Conditions::evaluate(std::uint32_t number, const core::StateReader& state) const {
  const auto value = Evaluation(nodes_, state).value(roots_[number]);
  if (!value) return core::Truth::NoValue;
  return *value != 0 ? core::Truth::True : core::Truth::False;
}

}  // namespace heddle::vm
