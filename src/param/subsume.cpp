// SPDX-License-Identifier: Apache-2.0
#include "param/subsume.h"

#include <algorithm>
#include <bit>

namespace heddle::param {

using array::Atom;
using array::Cube;
using array::Literal;
using array::Process;
using array::Row;
using logic::Op;

namespace {

// Whether B's literals say l: literally, or by one literal that is stronger.
bool implied(const Cube& b, const Literal& l) {
  if (std::binary_search(b.literals.begin(), b.literals.end(), l)) return true;
  if (l.op == Op::Equal) return false;
  if (array::order_follows(b.literals, l)) return true;
  for (const Literal& o : b.literals) {
    if (o.op == Op::Equal) {
      if (l.op == Op::NotEqual) {
        if (o.x == l.x && o.y == l.y && o.c != l.c) return true;
        if (o.x == l.x && o.y != l.y && o.y.is_process() && l.y.is_process()) return true;
      } else {
        if (o.x == l.x && o.y == l.y && (o.c < l.c || (o.c == l.c && l.op == Op::LessEqual))) return true;
        if (o.x == l.y && o.y == l.x && (-o.c < l.c || (-o.c == l.c && l.op == Op::LessEqual))) return true;
      }
    } else if (o.op != Op::NotEqual) {  // x - y <= c
      if (l.op == Op::NotEqual) {
        const auto below = [&](std::int64_t c) { return o.c < c || (o.c == c && o.op == Op::LessThan); };
        if (o.x == l.x && o.y == l.y && below(l.c)) return true;
        if (o.x == l.y && o.y == l.x && below(-l.c)) return true;
      } else if (o.x == l.x && o.y == l.y &&
                 (o.c < l.c || (o.c == l.c && (l.op == Op::LessEqual || o.op == Op::LessThan)))) {
        return true;
      }
    }
  }
  return false;
}

// Whether o says l: the same, or the same sum (up to a positive factor) with a tighter bound.
bool implies(const array::LinearLiteral& o, const array::LinearLiteral& l) {
  if (o == l) return true;
  const auto bound = [](Op op) { return op == Op::LessEqual || op == Op::LessThan; };
  if (!bound(o.op) || !bound(l.op) || o.sum.size() != l.sum.size()) return false;
  __extension__ typedef __int128 Wide;  // factors and bounds have up to 40 bits
  const Wide fo = o.sum.front().second, fl = l.sum.front().second;
  if ((fo > 0) != (fl > 0)) return false;
  for (std::size_t i = 0; i < o.sum.size(); ++i)
    if (o.sum[i].first != l.sum[i].first || Wide{o.sum[i].second} * fl != Wide{l.sum[i].second} * fo) return false;
  // o.c / |fo| against l.c / |fl|
  const Wide a = Wide{o.c} * (fl > 0 ? fl : -fl), b = Wide{l.c} * (fo > 0 ? fo : -fo);
  return a < b || (a == b && (l.op == Op::LessEqual || o.op == Op::LessThan));
}

class Match {
 public:
  Match(const Cube& a, const Cube& b, const array::System& system) : a_(a), b_(b), system_(system) {}

  bool run() {
    if (a_.processes > b_.processes || a_.nodes > b_.nodes) return false;
    // Of a cube without events only local cells count, and these are the same whatever is on its way to memory.
    const bool local = a_.nodes == 0 && a_.promises.empty();
    if (!local && a_.promises.size() != b_.promises.size()) return false;
    r_.process.fill(array::no_process);
    r_.node.fill(32);
    fixed_ = std::min<unsigned>(system_.named(), a_.processes);
    for (unsigned p = 0; p < fixed_; ++p) r_.process[p] = static_cast<Process>(p);
    return candidates() && processes(fixed_, (std::uint32_t{1} << fixed_) - 1, 0);
  }

 private:
  static std::uint32_t bit(Process p) { return p == array::no_process ? 0 : std::uint32_t{1} << p; }
  // The processes that an atom speaks of.
  static std::uint32_t mentioned(Atom a) {
    if (a.kind() == Atom::Kind::Special) return a.is_process() ? bit(a.a()) : 0;
    return bit(a.a()) | bit(a.b()) | (a.is_read() ? bit(a.reader()) : 0);
  }
  static int node_of(const Literal& l) {  // -1: none; -2: two different ones
    int n = -1;
    for (const Atom a : {l.x, l.y})
      if (a.is_read()) n = n == -1 || n == static_cast<int>(a.node()) ? static_cast<int>(a.node()) : -2;
    return n;
  }

  bool holds(const Literal& l) const {
    Literal m{array::rename(l.x, r_), array::rename(l.y, r_), l.op, l.c};
    if ((m.op == Op::Equal || m.op == Op::NotEqual) && m.y < m.x) {
      std::swap(m.x, m.y);
      m.c = -m.c;
    }
    return implied(b_, m);
  }

  // For each process of A, those of B that its own literals allow; the fewer, the earlier it is tried. Literals about
  // two or more processes are kept for processes().
  bool candidates() {
    const std::uint32_t named = (std::uint32_t{1} << fixed_) - 1;
    const std::uint32_t others = ((std::uint32_t{1} << b_.processes) - 1) &
                                 ~((std::uint32_t{1} << std::min<unsigned>(system_.named(), b_.processes)) - 1);
    std::array<std::uint32_t, 32> allowed{};
    for (unsigned p = fixed_; p < a_.processes; ++p) allowed[p] = others;
    several_ = 0;
    for (const Literal& l : a_.literals) {
      if (node_of(l) != -1) continue;
      const std::uint32_t of = (mentioned(l.x) | mentioned(l.y)) & ~named;
      if (of == 0) {
        if (!holds(l)) return false;
      } else if (std::has_single_bit(of)) {
        const auto p = static_cast<unsigned>(std::countr_zero(of));
        for (std::uint32_t rest = allowed[p]; rest != 0; rest &= rest - 1) {
          r_.process[p] = static_cast<Process>(std::countr_zero(rest));
          if (!holds(l)) allowed[p] &= ~(rest & -rest);
        }
        if (allowed[p] == 0) return false;
      } else if (several_ < joint_.size()) {
        joint_[several_++] = {&l, of};
      } else {
        return false;  // more than any real cube has: not recognised
      }
    }
    unsigned size = 0;
    for (unsigned p = fixed_; p < a_.processes; ++p)
      order_[size++] = {std::popcount(allowed[p]), static_cast<Process>(p), allowed[p]};
    std::sort(order_.begin(), order_.begin() + size,
              [](const Choice& x, const Choice& y) { return x.count < y.count; });
    return true;
  }

  bool processes(unsigned at, std::uint32_t used, std::uint32_t known) {
    if (at == a_.processes) return promises() && nodes(0, 0);
    const Choice& choice = order_[at - fixed_];
    const std::uint32_t now = known | std::uint32_t{1} << choice.process;
    for (std::uint32_t rest = choice.allowed & ~used; rest != 0; rest &= rest - 1) {
      const auto q = static_cast<unsigned>(std::countr_zero(rest));
      r_.process[choice.process] = static_cast<Process>(q);
      bool fits = true;
      for (unsigned k = 0; k < several_ && fits; ++k)
        if ((joint_[k].of & ~now) == 0 && (joint_[k].of & ~known) != 0) fits = holds(*joint_[k].literal);
      if (fits && processes(at + 1, used | (rest & -rest), now)) return true;
    }
    return false;
  }

  bool promises() const {
    for (std::size_t k = 0; k < a_.promises.size(); ++k) {
      const array::Promise &p = a_.promises[k], &q = b_.promises[k];
      if (r_.process[p.process] != q.process || p.cells.size() != q.cells.size() || (q.passed && !p.passed))
        return false;
      for (const Atom c : p.cells)
        if (!std::binary_search(q.cells.begin(), q.cells.end(), array::rename(c, r_))) return false;
    }
    return true;
  }

  bool nodes(unsigned at, Row used) {
    if (at == a_.nodes) return rest();
    for (unsigned m = 0; m < b_.nodes; ++m) {
      if ((used >> m & 1) != 0) continue;
      r_.node[at] = static_cast<std::uint8_t>(m);
      bool fits = true;
      for (const Literal& l : a_.literals)
        if (node_of(l) == static_cast<int>(at) && !holds(l)) {
          fits = false;
          break;
        }
      if (fits && nodes(at + 1, used | Row{1} << m)) return true;
    }
    return false;
  }

  bool inside(Row a, Row b) const { return (array::rename(a, r_) & ~b) == 0; }

  bool rest() const {
    for (const Literal& l : a_.literals)
      if (node_of(l) == -2 && !holds(l)) return false;
    for (unsigned n = 0; n < a_.nodes; ++n)
      if (!inside(a_.node_rows[n], b_.node_rows[r_.node[n]])) return false;
    for (unsigned p = 0; p < a_.processes; ++p)
      if (!inside(a_.all_rows[p], b_.all_rows[r_.process[p]]) ||
          !inside(a_.write_rows[p], b_.write_rows[r_.process[p]]))
        return false;
    if (!inside(a_.other_all, b_.other_all) || !inside(a_.other_write, b_.other_write)) return false;
    for (const array::CellRow& c : a_.cell_rows) {
      const Atom cell = array::rename(c.cell, r_);
      Row row = 0;
      for (const array::CellRow& d : b_.cell_rows)
        if (d.cell == cell) row = d.row;
      if (!inside(c.row, row)) return false;
    }
    for (std::size_t k = 0; k < a_.promises.size(); ++k)
      if (!inside(a_.promises[k].row, b_.promises[k].row)) return false;
    if (a_.linear.empty()) return true;
    Cube renamed;
    for (const array::LinearLiteral& l : a_.linear) {
      renamed.linear.push_back(l);
      for (auto& [atom, f] : renamed.linear.back().sum) atom = array::rename(atom, r_);
    }
    array::sort_literals(renamed);
    return std::all_of(renamed.linear.begin(), renamed.linear.end(), [&](const array::LinearLiteral& l) {
      return std::any_of(b_.linear.begin(), b_.linear.end(),
                         [&](const array::LinearLiteral& o) { return implies(o, l); });
    });
  }

  const Cube& a_;
  const Cube& b_;
  const array::System& system_;
  array::Renaming r_{};
  unsigned fixed_ = 0;  // named processes stay themselves
  struct Choice {
    int count;
    Process process;
    std::uint32_t allowed;
  };
  std::array<Choice, 32> order_;  // of A's anonymous processes
  struct Joint {
    const Literal* literal;
    std::uint32_t of;
  };
  std::array<Joint, 96> joint_;  // literals about several processes, without events
  unsigned several_ = 0;
};

std::uint64_t mask_of(const std::vector<std::uint32_t>& features) {
  std::uint64_t mask = 0;
  for (const std::uint32_t f : features) mask |= std::uint64_t{1} << (f * 0x9e3779b1U >> 26);
  return mask;
}

}  // namespace

bool subsumes(const Cube& a, const Cube& b, const array::System& system) { return Match(a, b, system).run(); }

std::vector<std::uint32_t> features(const Cube& cube) {
  std::vector<std::uint32_t> result;
  result.reserve(cube.literals.size());
  for (const Literal& l : cube.literals) {
    if (l.op != Op::Equal) continue;
    // Sides in an order that no renaming changes; what differs only by names of processes looks alike.
    const auto look = [](Atom a) { return static_cast<std::uint32_t>(a.kind()) << 10 | (a.is_any() ? 0 : a.symbol()); };
    std::uint32_t x = look(l.x), y = look(l.y);
    std::int64_t c = l.c;
    if (y < x) {
      std::swap(x, y);
      c = -c;
    }
    if (x == y && c < 0) c = -c;
    result.push_back((x * 0x85ebca6bU) ^ (y * 0xc2b2ae35U) ^ (static_cast<std::uint32_t>(c) * 0x27d4eb2fU));
  }
  std::sort(result.begin(), result.end());
  return result;
}

void Index::add(std::uint32_t id, const Cube* cube) {
  const std::vector<std::uint32_t> fs = features(*cube);
  Node* node = root_.get();
  for (const std::uint32_t f : fs) {
    auto it = std::lower_bound(node->children.begin(), node->children.end(), f,
                               [](const auto& child, std::uint32_t v) { return child.first < v; });
    if (it == node->children.end() || it->first != f) it = node->children.emplace(it, f, std::make_unique<Node>());
    node = it->second.get();
  }
  const Entry entry{id, cube, mask_of(fs)};
  node->entries.push_back(entry);
  entries_.push_back(entry);
}

std::uint32_t Index::find(const Node& node, const std::vector<std::uint32_t>& fs, std::size_t from,
                          const Cube& b) const {
  for (const Entry& e : node.entries)
    if (subsumes(*e.cube, b, system_)) return e.id;
  std::size_t at = from;
  for (const auto& [f, child] : node.children) {
    while (at < fs.size() && fs[at] < f) ++at;
    if (at == fs.size()) break;
    if (fs[at] != f) continue;
    const std::uint32_t found = find(*child, fs, at + 1, b);
    if (found != none) return found;
  }
  return none;
}

std::uint32_t Index::subsumer(const Cube& b) const { return find(*root_, features(b), 0, b); }

void Index::erase(const Entry& entry) {
  Node* node = root_.get();
  for (const std::uint32_t f : features(*entry.cube)) {
    const auto it = std::lower_bound(node->children.begin(), node->children.end(), f,
                                     [](const auto& child, std::uint32_t v) { return child.first < v; });
    node = it->second.get();
  }
  std::erase_if(node->entries, [&](const Entry& e) { return e.id == entry.id; });
}

std::size_t Index::remove_subsumed(const Cube& a, std::uint32_t keep) {
  const std::uint64_t mask = mask_of(features(a));
  const auto gone = [&](const Entry& e) {
    if (e.id == keep || (mask & ~e.mask) != 0 || e.cube->literals.size() < a.literals.size() ||
        !subsumes(a, *e.cube, system_))
      return false;
    erase(e);
    return true;
  };
  return std::erase_if(entries_, gone);
}

}  // namespace heddle::param
