// SPDX-License-Identifier: Apache-2.0
#include "graph/promise_book.h"

#include <algorithm>
#include <iterator>

namespace heddle::graph {

bool PromiseBook::add(const Read& r, const Promise& p) {
  bool changed = false;
  const auto [it, fresh] = numbers_.try_emplace(name(p), static_cast<std::uint32_t>(all_.size()));
  if (fresh) {
    all_.push_back(p);
  } else if (auto& basis = all_[it->second].basis;
             !std::includes(p.basis.begin(), p.basis.end(), basis.begin(), basis.end())) {
    std::vector<std::uint32_t> common;
    std::set_intersection(basis.begin(), basis.end(), p.basis.begin(), p.basis.end(), std::back_inserter(common));
    basis.swap(common);
    changed = true;
  }
  auto& list = by_read_[r];
  if (std::find(list.begin(), list.end(), it->second) != list.end()) return changed;
  list.push_back(it->second);
  return true;
}

// Would add() change nothing?
bool PromiseBook::knows(const Read& r, const Promise& p) const {
  const auto number = numbers_.find(name(p));
  const auto* list = number == numbers_.end() ? nullptr : find(r);
  if (list == nullptr || std::find(list->begin(), list->end(), number->second) == list->end()) return false;
  const auto& basis = all_[number->second].basis;
  return std::includes(p.basis.begin(), p.basis.end(), basis.begin(), basis.end());
}

bool PromiseBook::has(const Read& r, const Promise& p) const {
  const auto* list = find(r);
  const auto number = numbers_.find(name(p));
  return list != nullptr && number != numbers_.end() && std::ranges::find(*list, number->second) != list->end();
}

bool PromiseBook::knows_without_basis(const Read& r, const Promise& p) const {
  return has(r, p) && all_[numbers_.find(name(p))->second].basis.empty();
}

struct PromiseBook::Exchange {
  ThreadId a, b;

  ThreadId of(ThreadId t) const { return t == a ? b : t == b ? a : t; }
  Promise of(PromiseBook& book, const Promise& p) const {
    Promise q = p;
    q.thread = of(p.thread);
    for (std::uint32_t& i : q.basis) i = number(book, i);
    std::ranges::sort(q.basis);
    return q;
  }
  // What promise i becomes. It may be one for no read, and is known all the same if another rests on it.
  std::uint32_t number(PromiseBook& book, std::uint32_t i) const {
    Promise p = book.all_[i];
    p.thread = of(p.thread);
    if (const auto known = book.numbers_.find(name(p)); known != book.numbers_.end()) return known->second;
    p = of(book, Promise(book.all_[i]));  // rests on older ones
    const auto n = static_cast<std::uint32_t>(book.all_.size());
    book.numbers_.emplace(name(p), n);
    book.all_.push_back(std::move(p));
    return n;
  }
};

std::uint64_t PromiseBook::close_under(const Twins& twins) {
  std::uint64_t changes = 0;
  for (bool again = true; again;) {
    again = false;
    for (const auto& [elder, younger] : twins) {
      const Exchange exchange{elder, younger};
      const auto before = by_read_;
      for (const auto& [read, numbers] : before)
        for (const std::uint32_t i : numbers) {
          if (!add({exchange.of(read.first), read.second}, exchange.of(*this, Promise(all_[i])))) continue;
          again = true;
          ++changes;
        }
    }
  }
  return changes;
}

}  // namespace heddle::graph
