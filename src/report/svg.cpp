// Pictures as SVG, by a layout of our own on a grid.
//
// Boxes stand in the cells (column, row). Right of each column runs a gutter for vertical pieces of edges, above each
// row a gap for horizontal ones; each piece has a lane of its own where another one runs beside it. An edge leaves its
// box sideways into the gutter, changes columns in the gap above its target's row (neighbouring columns need none), and
// enters its target sideways. So nothing ever crosses a box. Program order goes straight down inside a column.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>

#include "report/markup.h"
#include "report/picture.h"

namespace heddle::report {

namespace {

constexpr double glyph = 7.3, box_height = 24, lane = 17, margin = 16, least_gutter = 30, least_gap = 20,
                 head_height = 46, port = 5;

// Letters, not bytes: a name may be in UTF-8.
std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

const char* colour_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Po: return "#222222";
    case EdgeKind::Rf: return "#1a7f37";
    case EdgeKind::Co: return "#8a5a2b";
    case EdgeKind::Fr: return "#b36b00";
    case EdgeKind::Addr:
    case EdgeKind::Data:
    case EdgeKind::Ctrl: return "#2f6fd0";
    case EdgeKind::Thread: return "#8c8c8c";
  }
  return "";
}

const char* dashes_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Addr:
    case EdgeKind::Data:
    case EdgeKind::Ctrl: return " stroke-dasharray=\"6 3\"";
    case EdgeKind::Thread: return " stroke-dasharray=\"2 3\"";
    default: return "";
  }
}

constexpr std::array all_kinds = {EdgeKind::Po,   EdgeKind::Rf,   EdgeKind::Co,   EdgeKind::Fr,
                                  EdgeKind::Addr, EdgeKind::Data, EdgeKind::Ctrl, EdgeKind::Thread};

const char* meaning_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Po: return "program order";
    case EdgeKind::Rf: return "reads from";
    case EdgeKind::Co: return "coherence";
    case EdgeKind::Fr: return "from-read: before that write";
    case EdgeKind::Addr: return "address depends";
    case EdgeKind::Data: return "data depends";
    case EdgeKind::Ctrl: return "control depends";
    case EdgeKind::Thread: return "create, join";
  }
  return "";
}

// Intervals on a line; those that touch get different lanes.
class Lanes {
 public:
  std::size_t take(std::size_t from, std::size_t to) {
    if (from > to) std::swap(from, to);
    for (std::size_t l = 0;; ++l) {
      if (l == taken_.size()) taken_.emplace_back();
      const auto next = taken_[l].upper_bound(to);  // those before it begin in time to touch; the last one ends last
      if (next != taken_[l].begin() && std::prev(next)->second >= from) continue;
      taken_[l].emplace_hint(next, from, to);
      return l;
    }
  }
  std::size_t count() const { return taken_.size(); }

 private:
  std::vector<std::map<std::size_t, std::size_t>> taken_;  // of each lane: begin and end of intervals that do not touch
};

class Layout {
 public:
  explicit Layout(const Picture& p) : p_(p) {
    for (const Picture::Event& e : p.events) rows_ = std::max(rows_, e.row + 1);
    gutters_.resize(p.columns.size() + 1);  // gutter c is left of column c, the last one right of all
    gaps_.resize(rows_ + 1);
    left_ports_.assign(p.events.size(), 0);
    right_ports_.assign(p.events.size(), 0);
    for (const Picture::Edge& e : p.edges) routes_.push_back(route(e));
    measure();
  }

  double width() const {
    return std::max({x_.empty() ? 0 : x_.back() + gutter_width(p_.columns.size()) + margin, legend_width(),
                     text_width(p_.title), text_width(p_.caption)}) +
           margin;
  }
  double height() const { return head_height + grid_height_ + legend_height(); }

  std::string draw(double top) const {
    std::string s = fmt::format("<g transform=\"translate(0 {:.1f})\">\n", top);
    s += text(margin, 18, p_.title, "font-weight=\"bold\"");
    if (!p_.caption.empty())
      s += text(margin, 34, p_.caption, p_.caption.starts_with("red") ? "fill=\"#d1242f\"" : "fill=\"#555555\"");
    for (std::size_t c = 0; c < p_.columns.size(); ++c)
      s += text(x_[c], head_height + 14, p_.columns[c], "font-weight=\"bold\"");
    // What is marked comes last, above the rest.
    for (const bool marked : {false, true})
      for (std::size_t i = 0; i < p_.edges.size(); ++i)
        if (p_.edges[i].marked == marked) s += edge(i);
    for (std::size_t i = 0; i < p_.events.size(); ++i) s += box(i);
    return s + legend() + "</g>\n";
  }

 private:
  struct Route {
    bool straight = false;                    // down inside a column
    bool out_right = true, in_right = false;  // sides of the boxes
    std::size_t out_port = 0, in_port = 0;
    std::size_t first_gutter = 0, first_lane = 0;
    bool through_gap = false;
    std::size_t gap = 0, gap_lane = 0, second_gutter = 0, second_lane = 0;
  };

  Route route(const Picture::Edge& e) {
    const Picture::Event &a = p_.events[e.from], &b = p_.events[e.to];
    Route r;
    // Units: the middle of row r is 2r+1, the gap above it 2r.
    if (a.column == b.column) {
      if (e.kind == EdgeKind::Po && a.row < b.row) {
        r.straight = true;
        return r;
      }
      r.in_right = true;
      r.first_gutter = a.column + 1;
      r.first_lane = gutters_[r.first_gutter].take(2 * a.row + 1, 2 * b.row + 1);
    } else {
      r.out_right = a.column < b.column;
      r.in_right = !r.out_right;
      r.first_gutter = r.out_right ? a.column + 1 : a.column;
      const std::size_t into = r.out_right ? b.column : b.column + 1;
      if (r.first_gutter == into) {
        r.first_lane = gutters_[into].take(2 * a.row + 1, 2 * b.row + 1);
      } else {
        r.through_gap = true;
        r.gap = b.row;
        r.second_gutter = into;
        r.first_lane = gutters_[r.first_gutter].take(2 * a.row + 1, 2 * b.row);
        r.second_lane = gutters_[into].take(2 * b.row, 2 * b.row + 1);
        r.gap_lane = gaps_[r.gap].take(r.first_gutter, into);
      }
    }
    r.out_port = (r.out_right ? right_ports_ : left_ports_)[e.from]++;
    r.in_port = (r.in_right ? right_ports_ : left_ports_)[e.to]++;
    return r;
  }

  double gutter_width(std::size_t g) const {
    return std::max(g == 0 ? margin : least_gutter,
                    static_cast<double>(gutters_[g].count() + 1) * lane + (gutters_[g].count() > 0 ? 14 : 0));
  }

  static double text_width(std::string_view t) { return static_cast<double>(letters(t)) * glyph + 2 * margin; }

  std::string label(const Picture::Event& e) const { return e.place.empty() ? e.text : e.text + "  " + e.place; }

  void measure() {
    double x = gutter_width(0);
    for (std::size_t c = 0; c < p_.columns.size(); ++c) {
      double w = static_cast<double>(letters(p_.columns[c])) * glyph;
      for (const Picture::Event& e : p_.events)
        if (e.column == c) w = std::max(w, static_cast<double>(letters(label(e))) * glyph + 16);
      x_.push_back(x);
      widths_.push_back(w);
      x += w + gutter_width(c + 1);
      if (c + 1 == p_.columns.size()) x_.push_back(x - gutter_width(c + 1));
    }
    if (p_.columns.empty()) return;
    // Boxes of a row are as high as the one with the most edges at one side needs.
    heights_.assign(rows_, box_height);
    for (std::size_t i = 0; i < p_.events.size(); ++i) {
      double& height = heights_[p_.events[i].row];
      height = std::max(height, static_cast<double>(std::max(left_ports_[i], right_ports_[i]) + 1) * port);
    }
    double y = head_height + 24;
    for (std::size_t r = 0; r < rows_; ++r) {
      y += std::max(least_gap, static_cast<double>(gaps_[r].count() + 1) * 8);
      y_.push_back(y);
      y += heights_[r];
    }
    grid_height_ = y - head_height + least_gap;
  }

  double lane_x(std::size_t gutter, std::size_t l) const {
    const double left = gutter == 0 ? 0 : x_[gutter - 1] + widths_[gutter - 1];
    return left + 8 + static_cast<double>(l + 1) * lane - lane / 2;
  }
  double gap_y(std::size_t row, std::size_t l) const { return y_[row] - 8 - static_cast<double>(l) * 8; }
  double port_y(std::size_t event, bool right, std::size_t number) const {
    const std::size_t row = p_.events[event].row, ports = (right ? right_ports_ : left_ports_)[event];
    // Edges that meet in a gutter from both sides stay apart.
    return y_[row] + heights_[row] * static_cast<double>(number + 1) / static_cast<double>(ports + 1) +
           (right ? -2.0 : 2.0);
  }
  double side_x(std::size_t event, bool right) const {
    const std::size_t c = p_.events[event].column;
    return x_[c] + (right ? widths_[c] : 0);
  }

  std::string edge(std::size_t i) const {
    const Picture::Edge& e = p_.edges[i];
    const Route& r = routes_[i];
    const char* colour = e.marked ? "#d1242f" : colour_of(e.kind);
    const char* arrow = e.marked ? "red" : name_of(e.kind);
    std::string path;
    double label_x = 0, label_y = 0;
    if (r.straight) {
      const Picture::Event &a = p_.events[e.from], &b = p_.events[e.to];
      const double x = x_[a.column] + std::min(widths_[a.column], 40.0) / 2;
      path = fmt::format("M{:.1f} {:.1f} V{:.1f}", x, y_[a.row] + heights_[a.row], y_[b.row] - 1);
    } else {
      const double x0 = side_x(e.from, r.out_right), y0 = port_y(e.from, r.out_right, r.out_port);
      const double x1 = side_x(e.to, r.in_right), y1 = port_y(e.to, r.in_right, r.in_port);
      const double xa = lane_x(r.first_gutter, r.first_lane);
      path = fmt::format("M{:.1f} {:.1f} H{:.1f}", x0, y0, xa);
      label_x = xa;
      label_y = (y0 + y1) / 2;
      if (r.through_gap) {
        const double yg = gap_y(r.gap, r.gap_lane), xb = lane_x(r.second_gutter, r.second_lane);
        path += fmt::format(" V{:.1f} H{:.1f} V{:.1f}", yg, xb, y1);
        label_x = (xa + xb) / 2;
        label_y = yg;
      } else {
        path += fmt::format(" V{:.1f}", y1);
      }
      path += fmt::format(" H{:.1f}", x1 + (r.in_right ? 1 : -1));
    }
    std::string s = fmt::format(
        "<path class=\"{}\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} marker-end=\"url(#{})\"/>\n",
        name_of(e.kind), path, colour, e.marked ? "2" : "1.2", dashes_of(e.kind), arrow);
    if (e.kind != EdgeKind::Po && e.kind != EdgeKind::Thread)
      s += text(label_x, label_y + 3.5, name_of(e.kind),
                fmt::format("font-size=\"10\" text-anchor=\"middle\" fill=\"{}\" stroke=\"white\" stroke-width=\"3\" "
                            "paint-order=\"stroke\"",
                            colour));
    return s;
  }

  std::string box(std::size_t i) const {
    const Picture::Event& e = p_.events[i];
    const double h = heights_[e.row];
    std::string s = fmt::format(
        "<rect class=\"event\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" fill=\"{}\" "
        "stroke=\"{}\"/>\n",
        x_[e.column], y_[e.row], widths_[e.column], h, e.marked ? "#fff1f0" : "#f6f8fa",
        e.marked ? "#d1242f" : "#57606a");
    s += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}", x_[e.column] + 8, y_[e.row] + h / 2 + 4, escaped(e.text));
    if (!e.place.empty()) s += fmt::format("<tspan fill=\"#6e7781\">  {}</tspan>", escaped(e.place));
    return s + "</text>\n";
  }

  static std::string text(double x, double y, std::string_view t, const std::string& how) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, how, escaped(t));
  }

  std::vector<EdgeKind> used() const {
    std::vector<EdgeKind> kinds;
    for (const EdgeKind k : all_kinds)
      if (std::ranges::any_of(p_.edges, [&](const Picture::Edge& e) { return e.kind == k; })) kinds.push_back(k);
    return kinds;
  }
  double legend_width() const { return 330; }
  double legend_height() const { return static_cast<double>(used().size()) * 16 + 24; }

  std::string legend() const {
    std::string s;
    double y = head_height + grid_height_ + 12;
    for (const EdgeKind k : used()) {
      s += fmt::format(
          "<path d=\"M{:.1f} {:.1f} h28\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"{} "
          "marker-end=\"url(#{})\"/>\n",
          margin, y - 4, colour_of(k), dashes_of(k), name_of(k));
      s +=
          text(margin + 40, y, fmt::format("{:<7} {}", name_of(k), meaning_of(k)), "font-size=\"11\" fill=\"#444444\"");
      y += 16;
    }
    return s;
  }

  const Picture& p_;
  std::size_t rows_ = 0;
  std::vector<Lanes> gutters_, gaps_;
  std::vector<std::size_t> left_ports_, right_ports_;
  std::vector<Route> routes_;
  std::vector<double> x_, widths_, y_, heights_;  // of columns and rows
  double grid_height_ = 0;
};

}  // namespace

std::string svg(const std::vector<Picture>& pictures) {
  std::vector<Layout> layouts;
  double width = 320, height = 0;
  for (const Picture& p : pictures) {
    layouts.emplace_back(p);
    width = std::max(width, layouts.back().width());
    height += layouts.back().height();
  }
  std::string s = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"12\" xml:space=\"preserve\">\n<rect "
      "width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs>\n",
      width, std::max(height, 40.0));
  const auto arrow = [&](const char* name, const char* colour) {
    s += fmt::format(
        "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
        "markerUnits=\"userSpaceOnUse\" "
        "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"{}\"/></marker>\n",
        name, colour);
  };
  for (const EdgeKind k : all_kinds) arrow(name_of(k), colour_of(k));
  arrow("red", "#d1242f");
  s += "</defs>\n";
  if (pictures.empty()) s += "<text x=\"16\" y=\"24\">no violation was found: there is nothing to draw</text>\n";
  double top = 0;
  for (const Layout& l : layouts) {
    s += l.draw(top);
    top += l.height();
  }
  return s + "</svg>\n";
}

}  // namespace heddle::report
