// SPDX-License-Identifier: Apache-2.0
#include "explore/component_sets.h"

#include <algorithm>
#include <bit>

#include "support/diagnostics.h"
#include "support/spin_lock.h"

namespace heddle::explore {

// Climbs and halves the path on the way: whatever parent is written is an ancestor, and only of states that are no roots.
ComponentSets::Number ComponentSets::root(Number state) const {
  for (;;) {
    const auto parent = atomic(nodes_[state].parent);
    const std::uint32_t up = parent.load(std::memory_order_acquire);
    if (up == 0) return state;
    const std::uint32_t above = atomic(nodes_[up - 1].parent).load(std::memory_order_acquire);
    if (above == 0) return up - 1;
    parent.store(above, std::memory_order_release);
    state = above - 1;
  }
}

bool ComponentSets::below(Number state, Number member) const {
  for (;;) {
    if (state == member) return true;
    const std::uint32_t up = atomic(nodes_[state].parent).load(std::memory_order_acquire);
    if (up == 0) return false;
    state = up - 1;
  }
}

bool ComponentSets::same(Number a, Number b) const {
  for (;;) {
    a = root(a);
    b = root(b);
    if (a == b) return true;
    if (atomic(nodes_[a].parent).load(std::memory_order_acquire) == 0) return false;  // still a root when b was one
  }
}

ComponentSets::Claim ComponentSets::seen(std::uint32_t word, unsigned worker) const {
  if ((word & complete) != 0) return Claim::Complete;
  if ((word >> (first_worker + worker) & 1) != 0) return Claim::OnPath;
  return (word & workers) == 0 ? Claim::Fresh : Claim::Entered;
}

ComponentSets::Claim ComponentSets::look(Number state, unsigned worker) const {
  for (;;) {
    state = root(state);
    const std::uint32_t word = atomic(nodes_[state].word).load(std::memory_order_acquire);
    if ((word & child) == 0) return seen(word, worker);
  }
}

ComponentSets::Claim ComponentSets::claim(Number state, unsigned worker) {
  nodes_.note_use(state);
  support::Patience patience;
  for (;;) {
    state = root(state);
    const auto word = atomic(nodes_[state].word);
    std::uint32_t before = word.load(std::memory_order_acquire);
    if ((before & child) != 0) continue;
    const Claim answer = seen(before, worker);
    if (answer == Claim::Complete || answer == Claim::OnPath) return answer;
    if ((before & locked) != 0) patience.wait();
    else if (word.compare_exchange_weak(before, before | 1U << (first_worker + worker), std::memory_order_acq_rel))
      return answer;
  }
}

bool ComponentSets::lock(Number root) {
  const auto word = atomic(nodes_[root].word);
  support::Patience patience;
  for (;;) {
    std::uint32_t before = word.load(std::memory_order_relaxed);
    if ((before & child) != 0) return false;
    if ((before & locked) != 0) patience.wait();
    else if (word.compare_exchange_weak(before, before | locked, std::memory_order_acquire)) return true;
  }
}

void ComponentSets::unlock(Number root) { atomic(nodes_[root].word).fetch_and(~locked, std::memory_order_release); }

// Under the lock of the set's root.
ComponentSets::Number ComponentSets::next(Number state) const {
  const std::uint32_t next = nodes_[state].next;
  return next == 0 ? state : next - 1;
}

void ComponentSets::unite(Number a, Number b) {
  for (;;) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    const Number first = std::min(a, b), second = std::max(a, b);
    if (!lock(first)) continue;
    if (lock(second)) break;
    unlock(first);
  }
  const Number upper = priority(a) > priority(b) ? a : b, lower = upper == a ? b : a;
  const Number behind_upper = next(upper), behind_lower = next(lower);
  nodes_[upper].next = behind_lower + 1;
  nodes_[lower].next = behind_upper + 1;
  const auto word = atomic(nodes_[lower].word);
  const std::uint32_t entered = word.load(std::memory_order_relaxed);
  const std::uint32_t joined = atomic(nodes_[upper].word).fetch_or(entered & workers, std::memory_order_relaxed);
  HEDDLE_ASSERT(((entered | joined) & complete) == 0);
  atomic(nodes_[lower].parent).store(upper + 1, std::memory_order_release);
  word.fetch_xor(locked | child, std::memory_order_release);
  unlock(upper);
}

void ComponentSets::finish(Number state) { atomic(nodes_[state].word).fetch_or(finished, std::memory_order_release); }

// Finished states behind the root leave the list here. The root stays: it is where lists are joined.
ComponentSets::Picked ComponentSets::pick(Number member, unsigned skip) {
  Number anchor = root(member);
  while (!lock(anchor)) anchor = root(anchor);
  Picked picked;
  const std::uint32_t word = atomic(nodes_[anchor].word).load(std::memory_order_acquire);
  if ((word & complete) == 0) {
    if ((word & finished) == 0) picked.state = anchor;
    Number before = anchor;
    for (Number state = next(before); state != anchor && (!picked.state || skip != 0); state = next(before)) {
      if ((atomic(nodes_[state].word).load(std::memory_order_acquire) & finished) != 0) {
        nodes_[before].next = next(state) + 1;
        continue;
      }
      if (picked.state) --skip;
      picked.state = before = state;
    }
    if (!picked.state) {
      picked.completed = true;
      atomic(nodes_[anchor].word).fetch_or(complete, std::memory_order_release);
    }
  }
  unlock(anchor);
  return picked;
}

bool ComponentSets::visited(Number state) const {
  return (atomic(nodes_[root(state)].word).load(std::memory_order_acquire) & workers) != 0;
}

bool ComponentSets::several_workers(Number member) const {
  const std::uint32_t word = atomic(nodes_[root(member)].word).load(std::memory_order_acquire);
  return !std::has_single_bit(word & workers);
}

}  // namespace heddle::explore
