// The flat array, packing, names and footprints of ir programs.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "ir/flat_port.h"
#include "ir/footprint.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "lang/dve/dve.h"

namespace heddle {

namespace {

ir::Program load(const std::string& text) {
  auto program = dve::load_text(text, "m.dve");
  EXPECT_TRUE(program) << (program ? "" : render(program.error()));
  return std::move(*program);
}

const char* const model = R"(
byte x[2], never = 9;
int y = -1;
const byte table[2] = {4, 5};
channel {byte, int} c[2];
process P {
  byte l; int a[3] = {1, -2, 3};
  state s, t, u; init s;
  trans
    s -> t { guard x[1] == 0 and Q.w; effect x[0] = l + table[l], a[1] = -5; },
    t -> u { effect l = l + 1; },
    u -> u { sync c!{x[0], a[l]}; },
    t -> s { guard l > 0; effect l = 0; };
}
process Q {
  byte k;
  state v, w; init v;
  trans
    v -> w { sync c?{k, y}; },
    w -> v { guard P->l == 1; effect x[k] = 1; };
}
system async;
)";

std::uint32_t word(const ir::Program& p, const std::string& name) {
  for (std::uint32_t i = 0; i < p.variable_words; ++i) {
    if (p.word_name(i) == name) return i;
  }
  ADD_FAILURE() << "no word " << name;
  return 0;
}

}  // namespace

TEST(Ir, shared_cells_come_first_and_constants_are_not_shared) {
  const ir::Program p = load(model);
  EXPECT_EQ(p.shared_cells, 4U);
  EXPECT_EQ(p.word_name(0), "x[0]");
  EXPECT_EQ(p.word_name(2), "never");
  EXPECT_EQ(p.image[word(p, "y")], -1);
  EXPECT_GE(word(p, "table[0]"), p.shared_cells);
  EXPECT_EQ(p.image[word(p, "P.a[1]")], -2);
  EXPECT_EQ(p.show_value(word(p, "P"), 2), "u");
  EXPECT_EQ(p.word_name(p.channels[0].base), "length of c");
  EXPECT_EQ(p.word_name(p.channels[0].base + 4), "c[1].1");
  EXPECT_EQ(p.sites[p.edges[1].site].text, "t -> u { effect l = l + 1; }");
  EXPECT_EQ(p.sites[p.edges[1].site].function, "P");
}

TEST(Ir, packing_is_lossless) {
  const ir::Program p = load(model);
  const ir::Layout layout(p);
  EXPECT_EQ(layout.field(word(p, "never")).slot, ir::none);  // nobody writes it
  // x[0] is written by both, y by Q alone: it lies in the slot of Q or right behind it.
  EXPECT_LE(layout.field(word(p, "y")).slot, layout.field(word(p, "Q")).slot + 1);
  std::mt19937 random(7);
  std::vector<std::uint32_t> packed(layout.slots()), again(layout.slots());
  for (int round = 0; round < 2'000; ++round) {
    std::vector<std::int32_t> words = p.image;
    for (std::uint32_t w = 0; w < p.variable_words; ++w) {
      const ir::Field f = layout.field(w);
      if (f.slot == ir::none) continue;
      const auto bits = static_cast<std::uint32_t>(random()) & f.mask;
      words[w] = static_cast<std::int32_t>(bits << f.sign) >> f.sign;
    }
    layout.pack(words.data(), packed.data());
    std::vector<std::int32_t> back = p.image;
    layout.unpack(packed.data(), back.data());
    ASSERT_EQ(back, words);
    // Field by field from another state gives the same.
    layout.pack(p.image.data(), again.data());
    for (std::uint32_t w = 0; w < p.variable_words; ++w) layout.pack_word(w, words[w], again.data());
    ASSERT_EQ(again, packed);
  }
}

TEST(Ir, footprints) {
  const ir::Program p = load(model);
  const auto all = ir::footprints(p);
  EXPECT_TRUE(all[0].guard_reads.has(word(p, "x[1]")));
  EXPECT_FALSE(all[0].guard_reads.has(word(p, "x[0]")));
  EXPECT_TRUE(all[0].guard_reads.has(word(p, "Q")));
  EXPECT_TRUE(all[0].reads.has(word(p, "P.l")));
  EXPECT_TRUE(all[0].reads.has(word(p, "table[1]")));
  EXPECT_TRUE(all[0].writes.has(word(p, "x[0]")));
  EXPECT_FALSE(all[0].writes.has(word(p, "x[1]")));
  EXPECT_TRUE(all[0].writes.has(word(p, "P")));
  EXPECT_TRUE(all[2].reads.has(p.channels[0].base));
  EXPECT_FALSE(all[2].writes.has(word(p, "P")));    // stays in u
  EXPECT_TRUE(all[5].writes.has(word(p, "x[0]")));  // the index is not known
  EXPECT_TRUE(all[5].writes.has(word(p, "x[1]")));
}

TEST(Ir, steps_leave_the_state_as_it_was) {
  const ir::Program p = load(model);
  ir::FlatPort port(p);
  ir::Steps<ir::FlatPort> steps(p);
  const std::vector<std::int32_t> before(port.words(), port.words() + p.variable_words);
  int count = 0;
  steps.each(port, [&](const auto&) { ++count; });
  EXPECT_EQ(std::vector<std::int32_t>(port.words(), port.words() + p.variable_words), before);
  EXPECT_EQ(count, 0);  // P waits for Q.w, Q for a message
  port.words()[word(p, "Q")] = 1;
  steps.each(port, [&](const auto& step) {
    ++count;
    EXPECT_EQ(step.move.thread, 0U);
    EXPECT_EQ(step.move.choice, 0U);
    EXPECT_EQ(port.words()[0], 4);
    EXPECT_EQ(port.changes(step.mark).size(), 3U);
  });
  EXPECT_EQ(count, 1);
  EXPECT_EQ(port.words()[0], 0);
}

TEST(Ir, errors_name_their_place) {
  const auto error = [](const std::string& effect) {
    const ir::Program p =
        load("byte x = 200, z, a[2]; process P { state s; init s; trans\ns -> s { " + effect + " }; } system async;");
    ir::FlatPort port(p);
    ir::Steps<ir::FlatPort> steps(p);
    std::string text = "none";
    steps.each(port, [&](const auto& step) {
      if (!is_error(step.result.status)) return;
      const core::SourcePlace& place = p.sites[step.result.site];
      text = std::string(ir::error_kind(step.result.status)) + " " + std::to_string(place.line) + ":" +
             std::to_string(place.column);
    });
    return text;
  };
  EXPECT_EQ(error("effect x = x + 100;"), "value-range 2:17");
  EXPECT_EQ(error("effect x = -1;"), "value-range 2:17");
  EXPECT_EQ(error("effect a[x] = 1;"), "array-index 2:17");
  EXPECT_EQ(error("effect a[2] = 1;"), "array-index 2:17");
  EXPECT_EQ(error("effect z = a[x - 198];"), "array-index 2:21");
  EXPECT_EQ(error("guard a[x] == 0;"), "array-index 2:16");
  EXPECT_EQ(error("guard 1 / z == 0;"), "division-by-zero 2:18");
  EXPECT_EQ(error("guard 1 % 0 == 0;"), "division-by-zero 2:18");
  EXPECT_EQ(error("guard z != 0 and 1 / z == 0;"), "none");
}

}  // namespace heddle
