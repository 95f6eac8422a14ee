// What the DVE front end says about wrong input, and that no input makes it crash or hang.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "dve_random.h"
#include "lang/dve/dve.h"

namespace heddle {

namespace {

struct Case {
  const char* text;
  const char* expected;  // the whole rendering
};

const Case cases[] = {
    {"", "m.dve: error: the file is empty\n  a model has at least one process, and ends in `system async;`\n"},
    {"byte x;\n",
     "m.dve:2:1: error: there is no process\n  a model has at least one process, and ends in `system async;`\n"},
    {"process P { state a; init a; }\n", "m.dve:2:1: error: `system async;` or `system sync;` is missing at the end\n"},
    {"byte x\nprocess P { state a; init a; }\nsystem async;",
     "m.dve:2:1: error: expected `,` or `;` here, not `process`\n  process P { state a; init a; }\n  ^\n"},
    {"process P { state a; }\nsystem async;",
     "m.dve:1:9: error: process `P` has no initial state\n  process P { state a; }\n          ^\n  add `init name;` "
     "after its states\n"},
    {"process P { state a; init b; }\nsystem async;",
     "m.dve:1:27: error: process `P` has no state `b`\n  process P { state a; init b; }\n                            "
     "^\n"},
    {"process P { state a, a; init a; }\nsystem async;",
     "m.dve:1:22: error: state `a` is declared twice\n  process P { state a, a; init a; }\n                       ^\n"},
    {"byte counter;\nprocess P { state a; init a; trans a -> a { guard cuonter == 1; }; }\nsystem async;",
     "m.dve:2:51: error: there is no variable `cuonter`\n  process P { state a; init a; trans a -> a { guard cuonter "
     "== 1; }; }\n"
     "                                                    ^\n  did you mean `counter`?\n"},
    {"byte x, x;\nprocess P { state a; init a; }\nsystem async;",
     "m.dve:1:9: error: `x` is already a variable here\n  byte x, x;\n          ^\n"},
    {"byte x;\nprocess P { state a; init a; trans a -> a { effect x[0] = 1; }; }\nsystem async;",
     "m.dve:2:52: error: `x` is no array\n  process P { state a; init a; trans a -> a { effect x[0] = 1; }; }\n        "
     "                                             ^\n"},
    {"const byte x = 1;\nprocess P { state a; init a; trans a -> a { effect x = 1; }; }\nsystem async;",
     "m.dve:2:52: error: `x` is a constant and cannot be assigned to\n  process P { state a; init a; trans a -> a { "
     "effect x = 1; }; }\n                                                     ^\n"},
    {"byte x = 256;\nprocess P { state a; init a; }\nsystem async;",
     "m.dve:1:10: error: 256 does not fit `byte`, which holds 0 to 255\n  byte x = 256;\n           ^\n"},
    {"byte y; byte x = y;\nprocess P { state a; init a; }\nsystem async;",
     "m.dve:1:18: error: an initial value has to be a constant\n  byte y; byte x = y;\n                   ^\n  neither "
     "variables nor a division by zero may be in it\n"},
    {"byte x[0];\nprocess P { state a; init a; }\nsystem async;",
     "m.dve:1:8: error: an array has at least one cell\n  byte x[0];\n         ^\n"},
    {"byte x[99999999];\nprocess P { state a; init a; }\nsystem async;",
     "m.dve:1:6: error: the variables and channels take more than 4194304 cells\n  byte x[99999999];\n       ^\n"},
    {"channel {byte} c[1];\nprocess P { state a; init a; trans a -> a { sync c!{1, 2}; }; }\nsystem async;",
     "m.dve:2:50: error: channel `c` carries 1 value, not 2 values\n  process P { state a; init a; trans a -> a { sync "
     "c!{1, 2}; }; }\n                                                   ^\n"},
    {"channel c;\nprocess P { byte x; state a; init a; trans a -> a { sync c!1; },\n a -> a { sync c?; }; }\nsystem "
     "async;",
     "m.dve:3:16: error: channel `c` carries 1 value in line 2, but no value here\n   a -> a { sync c?; }; }\n         "
     "        ^\n"},
    {"channel c;\nprocess P { state a; init a; trans a -> a { sync c?1; }; }\nsystem async;",
     "m.dve:2:52: error: only a variable or an array cell can receive a value\n  process P { state a; init a; trans a "
     "-> a { sync c?1; }; }\n                                                     ^\n"},
    {"byte x;\nprocess P { state a; init a; trans a -> a { sync x!; }; }\nsystem async;",
     "m.dve:2:50: error: `x` is no channel\n  process P { state a; init a; trans a -> a { sync x!; }; }\n              "
     "                                     ^\n"},
    {"channel c;\nprocess P { state a; init a; trans a -> a { sync c!; }; }\nsystem sync;",
     "m.dve:2:50: error: channels have no meaning in a `system sync`, where all processes move at once\n"
     "  process P { state a; init a; trans a -> a { sync c!; }; }\n                                                   "
     "^\n"},
    {"process P { state a; init a; trans a -> a { guard Q.b; }; }\nsystem async;",
     "m.dve:1:51: error: there is no process `Q`\n  process P { state a; init a; trans a -> a { guard Q.b; }; }\n      "
     "                                              ^\n  did you mean `P`?\n"},
    {"process P { state a; init a; trans a -> a { guard P->b; }; }\nsystem async;",
     "m.dve:1:54: error: process `P` has no variable `b`\n  process P { state a; init a; trans a -> a { guard P->b; }; "
     "}\n                                                       ^\n"},
    {"process P { state a; init a; trans -> a { }; }\nsystem async;",
     "m.dve:1:36: error: the first transition of a process needs its source state\n  process P { state a; init a; "
     "trans -> a { }; }\n                                     ^\n"},
    {"process P { state a; init a; trans a -> a { effect P->x = 1; }; }\nsystem async;",
     "m.dve:1:53: error: the variables of another process can be read, but not assigned to\n"
     "  process P { state a; init a; trans a -> a { effect P->x = 1; }; }\n                                            "
     "          ^\n"},
    {"process P { state a; init a; }\nsystem async property Q;",
     "m.dve:2:23: error: there is no process `Q`\n  system async property Q;\n                        ^\n  did you "
     "mean `P`?\n"},
    {"process P { state a; init a; }\nsystem async;\nbyte x;",
     "m.dve:3:1: error: nothing may follow the `system` line, but there is `byte`\n  byte x;\n  ^\n"},
    {"byte x = 99999999999;",
     "m.dve:1:10: error: this number does not fit into 32 bits\n  byte x = 99999999999;\n           ^\n"},
    {"byte x; /* open", "m.dve:1:9: error: this comment has no end\n  byte x; /* open\n          ^\n"},
    {"byte \x01;", "m.dve:1:6: error: unexpected byte 0x01\n  byte ?;\n       ^\n"},
    {"\x7f"
     "ELF\x02\x01",
     "m.dve:1:1: error: unexpected byte 0x7f\n  ?ELF??\n  ^\n"},
    {"byte x;\nprocess P { state a; init a; trans a -> a { effect x = 1; guard x == 1; }; }\nsystem async;",
     "m.dve:2:59: error: unexpected `guard`\n  process P { state a; init a; trans a -> a { effect x = 1; guard x == 1; "
     "}; }\n"
     "                                                            ^\n  a transition has at most one guard, one sync "
     "and one effect, in this order\n"},
};

}  // namespace

TEST(DveMistakes, every_message_names_its_place) {
  for (const Case& c : cases) {
    const auto program = dve::load_text(c.text, "m.dve");
    ASSERT_FALSE(program) << c.text;
    EXPECT_EQ(render(program.error()), c.expected) << c.text;
  }
}

TEST(DveMistakes, ten_megabytes_of_brackets) {
  for (const char bracket : {'(', '[', '{', '-', '!', ')', '\n', '\0'}) {
    for (const char* before : {"", "byte x = ", "byte a[1]; process P { state s; init s; trans s -> s { guard a"}) {
      const auto program = dve::load_text(before + std::string(10'000'000, bracket), "m.dve");
      EXPECT_FALSE(program);
    }
  }
  std::string deep = "byte a[1]; process P { state s; init s; trans s -> s { guard ";
  for (int i = 0; i < 1'000'000; ++i) deep += "a[";
  EXPECT_FALSE(dve::load_text(deep, "m.dve"));
}

TEST(DveMistakes, long_chains_are_bounded_and_long_lists_are_not) {
  const auto chain = [](int n) {
    std::string s = "byte x; process P { state s; init s; trans s -> s { guard x";
    for (int i = 0; i < n; ++i) s += " + 1";
    return s + "; }; } system async;";
  };
  EXPECT_TRUE(dve::load_text(chain(1'900), "m.dve"));
  const auto program = dve::load_text(chain(100'000), "m.dve");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message, "this expression is more than 2000 operators deep");
  std::string many = "byte x; process P { state s; init s; trans s -> s { guard x == 0; }";
  for (int i = 0; i < 20'000; ++i) many += ", s -> s { effect x = 1; }";
  EXPECT_TRUE(dve::load_text(many + "; } system async;", "m.dve"));
}

TEST(DveMistakes, missing_files_and_folders) {
  EXPECT_EQ(dve::load("/no/such/file.dve").error().message, "cannot be read: No such file or directory");
  EXPECT_EQ(dve::load("/tmp").error().message, "this is a folder, not a file");
}

TEST(DveMistakes, m4) {
  const auto expand = [](const char* text, const dve::Defines& d = {}) { return dve::expand_m4(text, "m.mdve", d); };
  EXPECT_EQ(expand("default(N,2)forloop(i,0,decr(N),`x`'i ')")->text, "x0 x1 ");
  EXPECT_EQ(expand("default(N,2)myloop(i,1,N,`b[i]',` + ')", {{"N", "3"}})->text, "b[1] + b[2] + b[3]");
  EXPECT_EQ(expand("forloop(i,3,2,`x')bool // forloop(i,0,9,x)")->text, "byte // forloop(i,0,9,x)");
  EXPECT_EQ(expand("forloop(i,0,1,`forloop(j,0,1,`i`'j,')')")->text, "00,01,10,11,");
  EXPECT_EQ(expand("syscmd(`echo no')esyscmd(`echo no')")->text, "syscmd(echo no)esyscmd(echo no)");
  const auto missing = expand("byte x;\n  queue(q, 3)\n");
  ASSERT_FALSE(missing);
  EXPECT_EQ(render(missing.error()),
            "m.mdve:2:3: error: the macro `queue` is not defined\n    queue(q, 3)\n    ^\n"
            "  it belongs to a library of queue macros that does not come with Heddle; define it in the model\n");
  // Lines are those of the source: where a line is written, or else that of the macro's call.
  const char* loop = "a\nforloop(i,1,2,`b\nc i\nd\ne i\n')f\ng\n";
  EXPECT_EQ(expand(loop)->text, "a\nb\nc 1\nd\ne 1\nb\nc 2\nd\ne 2\nf\ng\n");
  EXPECT_EQ(expand(loop)->origins, (std::vector<unsigned>{1, 2, 3, 4, 2, 2, 2, 4, 5, 6, 7}));
  EXPECT_EQ(expand("define(P,`process $1 {\nstate s;\n$1 here\ninit s;\n}')\nP(a)\n")->origins,
            (std::vector<unsigned>{5, 6, 2, 3, 4, 6}));
  EXPECT_TRUE(expand("define(`queue', `$1')queue(q)"));
  EXPECT_FALSE(expand("define(`x', `"));
  EXPECT_FALSE(expand("x", {{"a b", "1"}}));
}

TEST(DveMistakes, m4_that_never_ends_slow) {
  const auto text = dve::expand_m4("define(`x', `x x')x", "m.mdve", {});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().hint, "does a macro call itself for ever?");
}

TEST(DveMistakes, atomic_files) {
  const std::string model =
      "byte x, y[2]; process P { byte l; state a; init a; trans a -> a { effect x = 1, y[0] = 1, l = 1; }, a -> a { }; "
      "} system async;";
  const auto load = [&](const char* atomic) { return dve::load_text(model, "m.dve", atomic, "atomic.txt"); };
  const auto program = load("# comment\nx P.1\n\nfence P.2\n");
  ASSERT_TRUE(program) << render(program.error());
  EXPECT_TRUE(program->edges[0].effects[0].atomic);
  EXPECT_FALSE(program->edges[0].effects[1].atomic);
  EXPECT_EQ(program->edges[0].stores, 2U);
  EXPECT_EQ(program->edges[0].atomic_stores, 1U);
  EXPECT_TRUE(program->edges[1].fence);
  EXPECT_EQ(load("* P.1")->edges[0].atomic_stores, 2U);
  EXPECT_EQ(load("x Q.1").error().message, "there is no process `Q`");
  EXPECT_EQ(load("x P.3").error().message, "process `P` has the transitions 1 to 2");
  EXPECT_EQ(load("x P.0").error().message, "process `P` has the transitions 1 to 2");
  EXPECT_EQ(load("l P.1").error().message, "transition P.1 does not write a shared variable `l`");
  EXPECT_EQ(load("nosuch P.1").error().message, "there is no variable `nosuch`");
  EXPECT_EQ(load("* P.2").error().message, "transition P.2 writes no shared variable");
  EXPECT_EQ(load("x").error().message, "expected PROCESS.TRANSITION here");
  EXPECT_EQ(load("x P.1 y").error().message, "nothing may follow here");
  EXPECT_EQ(load("\nx  Q.1").error().column, 4U);
}

TEST(DveMistakes, property_files) {
  const auto file =
      dve::parse_properties("#define a x == 1 // note\n\n#define b (P.s)\n#property G (a -> F b)\n", "p.ltl");
  ASSERT_TRUE(file);
  ASSERT_EQ(file->definitions.size(), 2U);
  EXPECT_EQ(file->definitions[0].name, "a");
  EXPECT_EQ(file->definitions[0].text, "x == 1");
  EXPECT_EQ(file->definitions[1].text, "(P.s)");
  EXPECT_EQ(file->definitions[1].line, 3U);
  ASSERT_EQ(file->properties.size(), 1U);
  EXPECT_EQ(file->properties[0].text, "G (a -> F b)");
  EXPECT_FALSE(dve::parse_properties("", "p.ltl"));
  EXPECT_FALSE(dve::parse_properties("#property", "p.ltl"));
  EXPECT_FALSE(dve::parse_properties("#define\n#property G a", "p.ltl"));
  EXPECT_FALSE(dve::parse_properties("#define a 1\n#define a 2\n#property G a", "p.ltl"));
  EXPECT_EQ(dve::parse_properties("#property G a\nnonsense", "p.ltl").error().line, 2U);
}

TEST(DveMistakes, propositions) {
  auto program = dve::load_text(
      "const byte N = 2; byte x[2] = {0, 5}; process P { byte l = 3; state a, b; init a; } system async;", "m.dve");
  ASSERT_TRUE(program);
  const auto add = [&](const char* text) { return dve::add_proposition(*program, text, "--invariant"); };
  ASSERT_TRUE(add("P.a and P->l == 3 and x[N - 1] == 5"));
  EXPECT_EQ(*add("x[0] > 7"), 1U);
  EXPECT_EQ(program->show(program->propositions[0].condition), "(P.a and (P->l == 3)) and (x[1] == 5)");
  EXPECT_EQ(add("l == 3").error().message, "there is no variable `l`");
  EXPECT_EQ(add("P.c").error().message, "process `P` has no state `c`");
  EXPECT_EQ(add("").error().message, "the expression is empty");
  EXPECT_EQ(add("x[0] = 1").error().message, "expected an operator or the end of the expression, not `=`");
  EXPECT_EQ(render(add("N[0] + 1").error()), "--invariant:1:1: error: `N` is no array\n  N[0] + 1\n  ^\n");
  EXPECT_EQ(*add("x == 1"), 2U);  // the first element
  EXPECT_EQ(program->show(program->propositions[2].condition), "x[0] == 1");
}

// Texts with random damage: whatever comes out is a program or a message with a place in the text.
TEST(DveMistakes, fuzz) {
  std::vector<std::string> seeds;
  for (const Case& c : cases) seeds.emplace_back(c.text);
  for (std::uint64_t s = 1; s <= 60; ++s) seeds.push_back(tests::naive::text(tests::naive::Generator(s).model()));
  const std::string pieces[] = {
      "(",      ")",       "[",  "]",     "{",      "}",    ",",          ";",
      "->",     "=",       "==", "guard", "effect", "sync", "trans",      "process",
      "-",      "!",       "?",  "/",     "%",      "0",    "4294967296", "x",
      "byte",   "channel", "/*", "*/",    "//",     "\n",   "\x80",       std::string(1, '\0'),
      "system", "commit"};
  std::mt19937_64 random(20240607);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seeds[random() % seeds.size()];
    const int damages = 1 + static_cast<int>(random() % 3);
    for (int d = 0; d < damages; ++d) {
      const std::size_t at = text.empty() ? 0 : random() % text.size();
      const std::size_t length = random() % 6;
      switch (random() % 4) {
        case 0: text.erase(at, length); break;
        case 1: text.insert(at, pieces[random() % std::size(pieces)]); break;
        case 2: text.replace(at, std::min(length, text.size() - at), pieces[random() % std::size(pieces)]); break;
        default: text.insert(at, text.substr(random() % (text.size() + 1), 40)); break;
      }
    }
    const auto program = dve::load_text(text, "m.dve");
    if (program) {
      ++accepted;
      continue;
    }
    ++refused;
    const auto& error = program.error();
    EXPECT_FALSE(error.message.empty());
    EXPECT_LE(error.line, 2 + static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')));
    EXPECT_FALSE(render(error).empty());
  }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 5'000);
}

}  // namespace heddle
