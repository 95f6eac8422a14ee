// SPDX-License-Identifier: Apache-2.0
#include "lang/dve/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/expr.h"

namespace heddle::dve {

namespace {

constexpr unsigned max_nesting = 500;  // of brackets and of unary operators

struct Infix {
  Tok token;
  unsigned level;
  ir::Op op;
};

// Levels of docs/formats.md, weakest first. All associate to the left.
constexpr Infix infixes[] = {
    {Tok::Imply, 1, ir::Op::Imply},    {Tok::Or, 2, ir::Op::Or},           {Tok::OrOr, 2, ir::Op::Or},
    {Tok::And, 2, ir::Op::And},        {Tok::AndAnd, 2, ir::Op::And},      {Tok::Bar, 3, ir::Op::BitOr},
    {Tok::Amp, 3, ir::Op::BitAnd},     {Tok::Caret, 3, ir::Op::BitXor},    {Tok::Equal, 4, ir::Op::Eq},
    {Tok::NotEqual, 4, ir::Op::Ne},    {Tok::Less, 5, ir::Op::Lt},         {Tok::LessEqual, 5, ir::Op::Le},
    {Tok::Greater, 5, ir::Op::Gt},     {Tok::GreaterEqual, 5, ir::Op::Ge}, {Tok::ShiftLeft, 6, ir::Op::Shl},
    {Tok::ShiftRight, 6, ir::Op::Shr}, {Tok::Plus, 7, ir::Op::Add},        {Tok::Minus, 7, ir::Op::Sub},
    {Tok::Star, 8, ir::Op::Mul},       {Tok::Slash, 8, ir::Op::Div},       {Tok::Percent, 8, ir::Op::Mod}};

const Infix* infix(Tok token) {
  const auto* found =
      std::find_if(std::begin(infixes), std::end(infixes), [&](const Infix& i) { return i.token == token; });
  return found == std::end(infixes) ? nullptr : found;
}

class Parser {
 public:
  Parser(const Source& source, SyntaxModel& model)
      : source_(source), model_(model), lexer_(source), token_(lexer_.next()), ahead_(lexer_.next()) {}

  void model() {
    for (;;) {
      if (starts_declaration()) {
        declaration(model_.declarations);
      } else if (at(Tok::Channel)) {
        channels();
      } else {
        break;
      }
    }
    while (at(Tok::Process)) process();
    if (!at(Tok::System)) {
      if (at(Tok::End) && model_.processes.empty())
        fail("there is no process", "a model has at least one process, and ends in `system async;`");
      if (at(Tok::End)) fail("`system async;` or `system sync;` is missing at the end");
      if (!model_.processes.empty() && (starts_declaration() || at(Tok::Channel))) {
        fail("global declarations have to stand before the first process");
      }
      fail(fmt::format("expected {} here, not {}",
                       model_.processes.empty() ? "a declaration or a process" : "a process or `system`", here()));
    }
    if (model_.processes.empty()) fail("there is no process", "a model has at least one process");
    next();
    if (accept(Tok::Sync)) {
      model_.sync = true;
    } else {
      expect(Tok::Async, "`async` or `sync`");
    }
    if (accept(Tok::Property)) {
      model_.has_property = true;
      model_.property = expect(Tok::Name, "the name of the property process");
    }
    expect(Tok::Semicolon, "`;`");
    if (!at(Tok::End)) fail(fmt::format("nothing may follow the `system` line, but there is {}", here()));
  }

  Node whole_expression() {
    if (at(Tok::End)) fail("the expression is empty");
    const Node e = expression();
    if (!at(Tok::End)) fail(fmt::format("expected an operator or the end of the expression, not {}", here()));
    return e;
  }

 private:
  const Token& peek() const { return token_; }
  const Token& ahead() const { return ahead_; }
  bool at(Tok kind) const { return peek().kind == kind; }
  Token next() {
    last_ = token_;
    token_ = ahead_;
    ahead_ = lexer_.next();
    return last_;
  }
  bool accept(Tok kind) {
    if (!at(kind)) return false;
    next();
    return true;
  }
  std::string here() const { return describe(source_, peek()); }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    mistake(source_, peek(), std::move(message), std::move(hint));
  }
  Token expect(Tok kind, std::string_view what) {
    if (!at(kind)) fail(fmt::format("expected {} here, not {}", what, here()));
    return next();
  }

  bool starts_declaration() const { return at(Tok::Const) || at(Tok::Byte) || at(Tok::Int); }

  ir::Type type() {
    if (accept(Tok::Byte)) return ir::Type::Byte;
    if (accept(Tok::Int)) return ir::Type::Short;
    fail(fmt::format("expected `byte` or `int` here, not {}", here()));
  }

  void declaration(std::vector<SyntaxDeclaration>& list) {
    const bool constant = accept(Tok::Const);
    const ir::Type t = type();
    do {
      SyntaxDeclaration d;
      d.constant = constant;
      d.type = t;
      d.name = expect(Tok::Name, "the name of a variable");
      if (accept(Tok::LeftBracket)) {
        d.length = expression();
        expect(Tok::RightBracket, "`]`");
      }
      if (accept(Tok::Assign)) {
        if (accept(Tok::LeftBrace)) {
          d.braces = true;
          do d.initial.push_back(expression());
          while (accept(Tok::Comma));
          expect(Tok::RightBrace, "`,` or `}`");
        } else {
          d.initial.push_back(expression());
        }
      }
      list.push_back(std::move(d));
    } while (accept(Tok::Comma));
    expect(Tok::Semicolon, "`,` or `;`");
  }

  void channels() {
    next();
    std::vector<ir::Type> types;
    const bool typed = accept(Tok::LeftBrace);
    if (typed) {
      do types.push_back(type());
      while (accept(Tok::Comma));
      expect(Tok::RightBrace, "`,` or `}`");
    }
    do {
      SyntaxChannel c;
      c.typed = typed;
      c.types = types;
      c.name = expect(Tok::Name, "the name of a channel");
      if (typed) {
        expect(Tok::LeftBracket, "`[` and the capacity of this typed channel");
        c.capacity = expression();
        expect(Tok::RightBracket, "`]`");
      } else if (at(Tok::LeftBracket)) {
        fail("a channel with a capacity needs the types of its messages", "write `channel {byte} name[1];`");
      }
      model_.channels.push_back(std::move(c));
    } while (accept(Tok::Comma));
    expect(Tok::Semicolon, "`,` or `;`");
  }

  std::vector<Token> names(std::string_view what) {
    std::vector<Token> list;
    do list.push_back(expect(Tok::Name, what));
    while (accept(Tok::Comma));
    expect(Tok::Semicolon, "`,` or `;`");
    return list;
  }

  void process() {
    next();
    SyntaxProcess p;
    p.name = expect(Tok::Name, "the name of the process");
    expect(Tok::LeftBrace, "`{`");
    while (starts_declaration()) declaration(p.declarations);
    if (!at(Tok::State)) fail(fmt::format("expected a declaration or `state` here, not {}", here()));
    next();
    p.states = names("the name of a state");
    for (;;) {
      if (at(Tok::Init)) {
        if (p.has_init) fail("a process has only one initial state");
        next();
        p.init = expect(Tok::Name, "the name of the initial state");
        p.has_init = true;
        expect(Tok::Semicolon, "`;`");
      } else if (accept(Tok::Commit)) {
        const auto list = names("the name of a state");
        p.commits.insert(p.commits.end(), list.begin(), list.end());
      } else if (accept(Tok::Accept)) {
        // `buchi` is a keyword only here.
        if (at(Tok::Name) && text_of(source_, peek()) == "buchi" && ahead().kind == Tok::Name) next();
        const auto list = names("the name of a state");
        p.accepts.insert(p.accepts.end(), list.begin(), list.end());
      } else if (accept(Tok::Assert)) {
        do {
          SyntaxAssert a;
          a.first = a.state = expect(Tok::Name, "the name of a state");
          expect(Tok::Colon, "`:`");
          a.condition = expression();
          a.last = last_;
          p.asserts.push_back(a);
        } while (accept(Tok::Comma));
        expect(Tok::Semicolon, "`,` or `;`");
      } else {
        break;
      }
    }
    if (accept(Tok::Trans)) {
      do transition(p);
      while (accept(Tok::Comma));
      expect(Tok::Semicolon, "`,` or `;` after a transition");
    }
    if (!at(Tok::RightBrace))
      fail(fmt::format("expected {} here, not {}", p.transitions.empty() ? "`trans` or `}`" : "`}`", here()));
    next();
    model_.processes.push_back(std::move(p));
  }

  void transition(SyntaxProcess& p) {
    SyntaxTransition t;
    t.first = peek();
    if (at(Tok::Arrow)) {
      if (p.transitions.empty()) fail("the first transition of a process needs its source state");
      t.source = p.transitions.back().source;
    } else {
      t.source = expect(Tok::Name, "a transition `from -> to { … }`");
    }
    expect(Tok::Arrow, "`->`");
    t.target = expect(Tok::Name, "the target state");
    expect(Tok::LeftBrace, "`{`");
    if (accept(Tok::Guard)) {
      t.guard = expression();
      expect(Tok::Semicolon, "an operator or `;` after the guard");
    }
    if (accept(Tok::Sync)) {
      synchronisation(t);
      expect(Tok::Semicolon, "`;`");
    }
    if (accept(Tok::Effect)) {
      do t.effects.push_back(assignment());
      while (accept(Tok::Comma));
      expect(Tok::Semicolon, "`,` or `;` after an assignment");
    }
    if (at(Tok::Guard) || at(Tok::Sync) || at(Tok::Effect)) {
      fail(fmt::format("unexpected {}", here()),
           "a transition has at most one guard, one sync and one effect, in this order");
    }
    t.last = expect(Tok::RightBrace, "`guard`, `sync`, `effect` or `}`");
    p.transitions.push_back(std::move(t));
  }

  void synchronisation(SyntaxTransition& t) {
    t.has_sync = true;
    t.channel = expect(Tok::Name, "the name of a channel");
    if (accept(Tok::Bang)) {
      t.sends = true;
    } else {
      expect(Tok::Question, "`!` or `?`");
    }
    if (at(Tok::Semicolon)) return;
    const bool braces = accept(Tok::LeftBrace);
    do {
      const Token place = peek();
      const Node value = expression();
      const SyntaxExpr& e = model_.nodes[value];
      if (!t.sends && (e.kind != SyntaxExpr::Kind::Name || e.foreign)) {
        mistake(source_, place, "only a variable or an array cell can receive a value");
      }
      t.values.push_back(value);
    } while (braces && accept(Tok::Comma));
    if (braces) expect(Tok::RightBrace, "`,` or `}`");
  }

  SyntaxAssignment assignment() {
    SyntaxAssignment a;
    a.name = expect(Tok::Name, "an assignment");
    if (accept(Tok::LeftBracket)) {
      a.index = expression();
      expect(Tok::RightBracket, "`]`");
    }
    if (at(Tok::Arrow)) fail("the variables of another process can be read, but not assigned to");
    if (at(Tok::Equal)) fail("an assignment has a single `=`");
    expect(Tok::Assign, "`=`");
    a.value = expression();
    return a;
  }

  Node add(SyntaxExpr e) {
    for (const Node child : {e.left, e.right}) {
      if (child != no_node) e.depth = std::max(e.depth, model_.nodes[child].depth + 1);
    }
    if (e.depth > ir::max_depth) {
      mistake(source_, e.token, fmt::format("this expression is more than {} operators deep", ir::max_depth));
    }
    model_.nodes.push_back(e);
    return static_cast<Node>(model_.nodes.size() - 1);
  }

  Node expression() { return binary(1); }

  // An expression of operators of at least this level.
  Node binary(unsigned level) {
    Node left = unary();
    for (;;) {
      const Infix* op = infix(peek().kind);
      if (op == nullptr || op->level < level) return left;
      SyntaxExpr e;
      e.kind = SyntaxExpr::Kind::Binary;
      e.op = op->op;
      e.token = next();
      e.left = left;
      e.right = binary(op->level + 1);
      left = add(e);
    }
  }

  Node unary() {
    const Tok kind = peek().kind;
    if (kind != Tok::Minus && kind != Tok::Tilde && kind != Tok::NotWord && kind != Tok::Bang) return atom();
    enter();
    SyntaxExpr e;
    e.kind = SyntaxExpr::Kind::Unary;
    e.op = kind == Tok::Minus ? ir::Op::Neg : kind == Tok::Tilde ? ir::Op::BitNot : ir::Op::Not;
    e.token = next();
    e.left = unary();
    --nesting_;
    return add(e);
  }

  Node atom() {
    SyntaxExpr e;
    e.token = peek();
    switch (e.token.kind) {
      case Tok::Number: next(); return add(e);
      case Tok::True:
      case Tok::False:
        e.token.number = e.token.kind == Tok::True ? 1 : 0;
        next();
        return add(e);
      case Tok::LeftParen: {
        enter();
        next();
        const Node inner = expression();
        expect(Tok::RightParen, "an operator or `)`");
        --nesting_;
        return inner;
      }
      case Tok::Name: break;
      default: fail(fmt::format("expected an expression here, not {}", here()));
    }
    next();
    e.kind = SyntaxExpr::Kind::Name;
    if (at(Tok::Dot)) {
      next();
      e.kind = SyntaxExpr::Kind::State;
      e.process = e.token;
      e.token = expect(Tok::Name, "the name of a state");
      return add(e);
    }
    if (accept(Tok::Arrow)) {
      e.foreign = true;
      e.process = e.token;
      e.token = expect(Tok::Name, "the name of a variable");
    }
    if (accept(Tok::LeftBracket)) {
      enter();
      e.left = expression();
      --nesting_;
      expect(Tok::RightBracket, "an operator or `]`");
    }
    return add(e);
  }

  void enter() {
    if (++nesting_ > max_nesting)
      fail(fmt::format("brackets and operators are nested more than {} deep here", max_nesting));
  }

  const Source& source_;
  SyntaxModel& model_;
  Lexer lexer_;
  Token last_, token_, ahead_;  // the one taken last, and the next two
  unsigned nesting_ = 0;
};

}  // namespace

SyntaxModel parse_model(const Source& source) {
  SyntaxModel model;
  Parser(source, model).model();
  return model;
}

Node parse_expression_text(const Source& source, SyntaxModel& model) {
  return Parser(source, model).whole_expression();
}

}  // namespace heddle::dve
