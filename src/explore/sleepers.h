// Sleeping stores: entries of a thread's buffer whose flush is not a step of its own, under machines that let stores to
// different locations overtake each other (memory::Traits::private_stores_sleep).
//
// A store sleeps while no other thread can reach its object, now or once buffers are flushed. Its flush f changes what
// nobody but its own thread t can read, and t reads its own buffer before memory: so f commutes with every step of other
// threads and of memory, and with every step of t that it does not enable. A run in which f happens early is the run in
// which f happens later with some steps moved in front of it, as long as f is taken
//   - when t's next request needs it gone: a full fence, a release or locked read-modify-write, spawn, join, exit need an
//     empty buffer, other read-modify-writes no entry in front of a mark and none at the same location;
//   - when a flush of an entry behind a mark needs it gone;
//   - or, as a step of its own again, when the object can be reached: from there on its order counts.
// Flushes that a step needs are part of that step, and never more than those: a store that is performed earlier than it
// must be could no longer arrive after its address (message passing through a pointer under pso).
//
// Sleeping stores take no place in a bounded buffer; at most `most_asleep` sleep, and of those that a later store to the
// same location follows at most as many as the bound allows. A loop that writes to a local variable would have more: the
// oldest of them is then performed with the next store, and the bound was reached. Runs with no more stores in a buffer than
// the bound never come to this. Stores to an exception on its way always sleep, unless there are more than any unwinder
// makes: they go with it at the latest. When a thread ends with nothing else in its buffer its sleeping stores are
// performed: nobody will reach these objects any more; otherwise they are flushed like all others from there on. When the
// program exits all that can leave are performed, of every thread: a leak is what only the values before them led to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "memory/buffer.h"

namespace heddle::explore {

class Sleepers {
 public:
  static constexpr std::size_t most_asleep = 32, most_of_exceptions = 256;

  // Which entries sleep, of those that others follow at most as many as the bound allows (0: there is none); `shared` says
  // of an object whether another thread can reach it, `exception` whether it is one.
  void find(const memory::Buffer& buffer, unsigned bound, auto&& shared, auto&& exception) {
    asleep_.assign(buffer.size(), false);
    count_ = 0;
    followed_.clear();
    std::size_t ordinary = 0;
    const auto of_exception = [&](const memory::Entry& e) {
      return e.kind == memory::Entry::Kind::Store && exception(e.loc.object);
    };
    const bool few = std::ranges::count_if(buffer, of_exception) <= static_cast<std::ptrdiff_t>(most_of_exceptions);
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      if (buffer[i].kind != memory::Entry::Kind::Store || shared(buffer[i].loc.object)) continue;
      if (few && of_exception(buffer[i])) {
        asleep_[i] = true;
        ++count_;
        continue;
      }
      if (ordinary == most_asleep) continue;
      if (followers(buffer, i, [](std::size_t) { return true; })) {
        followed_.push_back(i);
        continue;
      }
      asleep_[i] = true;
      ++count_;
      ++ordinary;
    }
    // The youngest sleep first: none that is awake stands behind one that sleeps.
    const auto awake = [&](std::size_t j) { return !asleep_[j]; };
    const std::size_t most_followed = bound == 0 ? most_asleep : bound;
    std::size_t first = followed_.size();
    while (first > 0 && followed_.size() - first < most_followed && !followers(buffer, followed_[first - 1], awake)) {
      asleep_[followed_[--first]] = true;
      ++count_;
    }
    followed_.erase(followed_.begin(), followed_.begin() + static_cast<std::ptrdiff_t>(first));
  }

  // Those that sleep although a later store to the same location follows, oldest first; not those to exceptions.
  const std::vector<std::size_t>& followed() const { return followed_; }

  // Where the oldest of those is to leave: it, or an older store to its location, which is awake since others could reach the
  // object when it came. Requires that there is one and that no mark or wait stands in front of it.
  unsigned first_to_leave(const memory::Buffer& buffer) const {
    unsigned index = 0;
    while (!buffer[index].loc.overlaps(buffer[followed_.front()].loc)) ++index;
    return index;
  }

  bool at(std::size_t index) const { return asleep_[index]; }
  std::size_t count() const { return count_; }

  // Is there nothing but sleeping stores, marks and waits among the first `end` entries?
  bool only(const memory::Buffer& buffer, std::size_t end) const {
    for (std::size_t i = 0; i < end; ++i)
      if (buffer[i].kind == memory::Entry::Kind::Store && !asleep_[i]) return false;
    return true;
  }

  // What must have left the buffer before entry `index` can: all in front of the last mark or wait before it.
  static std::size_t barrier_before(const memory::Buffer& buffer, std::size_t index) {
    while (index > 0 && buffer[index - 1].kind == memory::Entry::Kind::Store) --index;
    return index;
  }

 private:
  // Does a later store to the same location, one of such a kind, follow?
  static bool followers(const memory::Buffer& buffer, std::size_t i, auto&& such) {
    for (std::size_t j = i + 1; j < buffer.size(); ++j)
      if (buffer[j].kind == memory::Entry::Kind::Store && buffer[j].loc.overlaps(buffer[i].loc) && such(j)) return true;
    return false;
  }

  std::vector<bool> asleep_;
  std::vector<std::size_t> followed_;
  std::size_t count_ = 0;
};

}  // namespace heddle::explore
