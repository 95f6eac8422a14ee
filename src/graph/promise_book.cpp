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

}  // namespace heddle::graph
