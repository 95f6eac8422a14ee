// Drawings of executions: well-formed XML, no box upon another, no edge through a box, and the right cycle in red.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "report/picture.h"
#include "support/places.h"

namespace {

using namespace heddle;
using report::EdgeKind;
using report::Picture;

// Tags nest, attributes are quoted and unique, text has no stray < or &, and there is one root. All that our SVG uses
// of XML.
std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  bool root_seen = false;
  static const std::regex entity("&(lt|gt|amp|quot);");
  static const std::regex tag(R"re(^<([A-Za-z]+)((\s+[A-Za-z:-]+="[^"<]*")*)\s*(/?)>)re");
  const auto text_is_good = [&](std::string text) {
    text = std::regex_replace(text, entity, "");
    return text.find('&') == std::string::npos && std::ranges::none_of(text, [](char c) {
             return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
           });
  };
  if (xml.starts_with("<?xml")) at = xml.find("?>") + 2;
  while (at < xml.size()) {
    const std::size_t next = xml.find('<', at);
    const std::string text = xml.substr(at, next - at);
    if (!text_is_good(text)) return "text: " + text;
    if (open.empty() && text.find_first_not_of(" \n") != std::string::npos) return "text outside the root: " + text;
    if (next == std::string::npos) break;
    const std::size_t end = xml.find('>', next);
    if (end == std::string::npos) return "a tag does not end";
    const std::string piece = xml.substr(next, end - next + 1);
    at = end + 1;
    if (piece.starts_with("</")) {
      if (open.empty() || piece != "</" + open.back() + ">") return "closes nothing: " + piece;
      open.pop_back();
      continue;
    }
    std::smatch found;
    if (!std::regex_match(piece, found, tag)) return "no tag: " + piece;
    if (!text_is_good(found[2])) return "attributes: " + piece;
    if (open.empty() && root_seen) return "two roots";
    root_seen = true;
    if (found[4].length() == 0) open.push_back(found[1]);
  }
  return open.empty() ? "" : "open at the end: " + open.back();
}

struct Rect {
  double x, y, w, h;
};
struct Segment {
  double x0, y0, x1, y1;
};

std::vector<Rect> boxes(const std::string& svg) {
  std::vector<Rect> all;
  static const std::regex rect(
      R"re(<rect class="event" x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)")re");
  for (std::sregex_iterator m(svg.begin(), svg.end(), rect), end; m != end; ++m)
    all.push_back({std::stod((*m)[1]), std::stod((*m)[2]), std::stod((*m)[3]), std::stod((*m)[4])});
  return all;
}

// Our paths have only M, H and V.
std::vector<Segment> segments(const std::string& svg) {
  std::vector<Segment> all;
  static const std::regex path(R"re(<path class="\w+" d="([^"]*)")re"), piece(R"re(([MHV])([-\d.]+)(?: ([-\d.]+))?)re");
  for (std::sregex_iterator m(svg.begin(), svg.end(), path), end; m != end; ++m) {
    const std::string d = (*m)[1];
    double x = 0, y = 0;
    for (std::sregex_iterator p(d.begin(), d.end(), piece); p != end; ++p) {
      double to_x = x, to_y = y;
      if ((*p)[1] == "M") {
        x = std::stod((*p)[2]);
        y = std::stod((*p)[3]);
        continue;
      }
      ((*p)[1] == "H" ? to_x : to_y) = std::stod((*p)[2]);
      all.push_back({x, y, to_x, to_y});
      x = to_x;
      y = to_y;
    }
  }
  return all;
}

void expect_clean(const std::string& svg) {
  EXPECT_EQ(malformed(svg), "");
  const auto all = boxes(svg);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Rect &a = all[i], &b = all[j];
      EXPECT_TRUE(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y)
          << "boxes " << i << " and " << j;
    }
  for (const Segment& s : segments(svg))
    for (const Rect& r : all) {
      const double inside = 1.5;  // an edge may touch
      const bool apart = std::max(s.x0, s.x1) <= r.x + inside || std::min(s.x0, s.x1) >= r.x + r.w - inside ||
                         std::max(s.y0, s.y1) <= r.y + inside || std::min(s.y0, s.y1) >= r.y + r.h - inside;
      EXPECT_TRUE(apart) << "edge " << s.x0 << "," << s.y0 << " to " << s.x1 << "," << s.y1
                         << " goes through the box at " << r.x << "," << r.y;
    }
}

TEST(Picture, drawings_of_random_executions_are_clean) {
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    Picture p;
    p.title = "random <&\"'> \x01 1";
    const std::size_t columns = 1 + random() % 5;
    for (std::size_t c = 0; c < columns; ++c) {
      p.columns.push_back("T" + std::to_string(c));
      std::size_t row = random() % 3, last = 0;
      const std::size_t events = random() % 7;
      for (std::size_t e = 0; e < events; ++e, row += 1 + random() % 2) {
        p.events.push_back(
            {c, row, "W a<b>&\"=" + std::to_string(random() % 100), random() % 2 ? "f.c:12" : "", random() % 2 == 0});
        if (e > 0) p.edges.push_back({last, p.events.size() - 1, EdgeKind::Po, random() % 2 == 0});
        last = p.events.size() - 1;
      }
    }
    for (std::size_t e = 0; p.events.size() > 1 && e < random() % 25; ++e) {
      const std::size_t from = random() % p.events.size(), to = random() % p.events.size();
      if (from != to) p.edges.push_back({from, to, static_cast<EdgeKind>(1 + random() % 7), random() % 2 == 0});
    }
    const std::string drawn = report::svg({p});
    expect_clean(drawn);
    EXPECT_EQ(boxes(drawn).size(), p.events.size());
    EXPECT_EQ(malformed(report::svg({p, p})), "");
    if (HasFailure()) break;
  }
}

// What heddle draws of examples: the file's text.
std::string drawn_by_heddle(const std::string& arguments, const char* option) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("heddle_picture_" + std::to_string(getpid()));
  const std::string command = std::string("cd '") + tests::source_dir() + "' && '" + tests::binary_dir() +
                              "/heddle' check " + arguments + " -q " + option + " '" + file.string() + "'";
  const int status = std::system(command.c_str());
  EXPECT_NE(status, -1);
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  std::filesystem::remove(file);
  return text.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Picture, a_c_program_has_the_cycle_of_message_passing_in_red) {
  const std::string drawn = drawn_by_heddle("examples/spinlock.c -D UNLOCK=relaxed --model pso", "--svg");
  expect_clean(drawn);
  EXPECT_NE(drawn.find(">W lock=0 rlx<tspan fill=\"#6e7781\">  spinlock.c:24</tspan>"), std::string::npos) << drawn;
  // The counter's store is missed although the lock was seen free: four events, po rf po fr.
  EXPECT_EQ(count(drawn, "rx=\"3\" fill=\"#fff1f0\""), 4u);
  EXPECT_NE(drawn.find("increment (thread 1)"), std::string::npos);
  const std::string graphs =
      drawn_by_heddle("examples/spinlock.c -D UNLOCK=relaxed --model pso,rc11 --property assertion", "--dot");
  EXPECT_EQ(count(graphs, "digraph "), 2u) << "one for each model";
  EXPECT_EQ(count(graphs, "[label=\"fr\", color=red"), 2u);
}

TEST(Picture, litmus_tests_are_drawn_allowed_or_forbidden) {
  const std::string drawn = drawn_by_heddle("examples/litmus", "--svg");
  EXPECT_EQ(malformed(drawn), "");
  EXPECT_NE(drawn.find("SB: allowed under tso"), std::string::npos);
  EXPECT_NE(drawn.find("MP+dmb.sy+addr: forbidden under armv8"), std::string::npos);
  EXPECT_NE(drawn.find("class=\"addr\""), std::string::npos);
  for (const char* test : {"SB", "IRIW+addrs", "MP+rel+acq"})
    expect_clean(drawn_by_heddle(std::string("examples/litmus/") + test + ".litmus", "--svg"));
  EXPECT_EQ(count(drawn_by_heddle("examples/litmus/SB.litmus --model sc,tso", "--dot"), "digraph "), 2u);
}

TEST(Picture, state_spaces_name_who_does_what_under_every_model) {
  const std::string drawn = drawn_by_heddle("examples/peterson.dve --model sc,tso", "--dot");
  EXPECT_EQ(count(drawn, "digraph "), 2u);
  EXPECT_NE(drawn.find("[label=\"P_0: idle -> asked { effect flag[0] = 1; }\""), std::string::npos);
  EXPECT_NE(drawn.find("[label=\"P_1: flush\""), std::string::npos);
  const std::string c = drawn_by_heddle("examples/spinlock.c --model sc --engine explicit", "--dot");
  EXPECT_NE(c.find("[label=\"thread 1: counter = counter + 1"), std::string::npos) << c;
  expect_clean(drawn_by_heddle("examples/peterson.dve --model tso", "--svg"));
}

TEST(Picture, nothing_to_draw_is_said) {
  const std::string drawn = report::svg({});
  EXPECT_EQ(malformed(drawn), "");
  EXPECT_NE(drawn.find("nothing to draw"), std::string::npos);
}

}  // namespace
