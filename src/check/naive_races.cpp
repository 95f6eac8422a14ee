// SPDX-License-Identifier: Apache-2.0
#include "check/naive_races.h"

#include <algorithm>
#include <set>

namespace heddle::check {
namespace {

using core::Order;

constexpr std::size_t no_event = static_cast<std::size_t>(-1);

bool acquire(Order o) { return o == Order::Acquire || o == Order::AcqRel || o == Order::SeqCst; }
bool release(Order o) { return o == Order::Release || o == Order::AcqRel || o == Order::SeqCst; }

}  // namespace

std::size_t NaiveRaces::event_of(std::size_t step) const { return step < by_step_.size() ? by_step_[step] : no_event; }

void NaiveRaces::after(Event& e, std::size_t earlier) const {
  const Event& other = events_[earlier];
  for (std::size_t i = 0; i < other.before.size(); ++i)
    if (other.before[i]) e.before[i] = true;
  e.before[earlier] = true;
}

// Everything that an acquire which observes what `read` read synchronises with.
std::vector<std::size_t> NaiveRaces::release_heads(const Event& read) const {
  std::set<std::size_t> writes;  // those read, and through read-modify-writes those before them
  std::vector<std::size_t> todo;
  const auto follow = [&](const Event& e) {
    for (const std::size_t step : e.from)
      if (const std::size_t w = event_of(step); w != no_event && writes.insert(w).second) todo.push_back(w);
  };
  follow(read);
  while (!todo.empty()) {
    const Event& w = events_[todo.back()];
    todo.pop_back();
    if (w.reads && w.writes) follow(w);
  }
  std::vector<std::size_t> heads;
  for (const std::size_t w : writes) {
    const Event& write = events_[w];
    if (write.order == Order::Plain) continue;
    for (std::size_t i = 0; i <= w; ++i) {
      const Event& head = events_[i];
      if (head.thread != write.thread || !release(head.order)) continue;
      if (head.kind == RaceEvent::Kind::Fence ||
          (head.kind == RaceEvent::Kind::Access && head.writes && head.loc.overlaps(write.loc)))
        heads.push_back(i);
    }
  }
  return heads;
}

void NaiveRaces::add(const RaceEvent& event) {
  const std::size_t step = by_step_.size();
  by_step_.push_back(no_event);
  last_.reset();
  if (event.kind == RaceEvent::Kind::None) return;
  if (event.performs)
    if (const std::size_t issued = event_of(*event.performs); issued != no_event) {
      events_[issued].from = event.from;  // it has happened already; only now is it known what it reads
      return;
    }
  Event e;
  static_cast<RaceEvent&>(e) = event;
  e.step = step;
  e.before.assign(events_.size(), false);
  for (std::size_t i = events_.size(); i-- > 0;) {
    const Event& earlier = events_[i];
    if (e.before[i]) continue;
    if (earlier.thread == e.thread) after(e, i);
    if (earlier.kind == RaceEvent::Kind::Spawn && earlier.other == e.thread) after(e, i);
    if (e.kind == RaceEvent::Kind::Join && earlier.thread == e.other) after(e, i);
  }
  if (acquire(e.order)) {
    std::vector<std::size_t> heads;
    if (e.kind == RaceEvent::Kind::Access && e.reads) heads = release_heads(e);
    if (e.kind == RaceEvent::Kind::Fence)
      for (const Event& earlier : events_)
        if (earlier.thread == e.thread && earlier.kind == RaceEvent::Kind::Access && earlier.reads &&
            earlier.order != Order::Plain)
          for (const std::size_t head : release_heads(earlier)) heads.push_back(head);
    for (const std::size_t head : heads)
      if (!e.before[head]) after(e, head);
  }
  last_ = by_step_.back() = events_.size();
  events_.push_back(std::move(e));
}

bool NaiveRaces::is_race(const Event& a, const Event& b) {
  using Kind = RaceEvent::Kind;
  if (a.thread == b.thread) return false;
  if (a.kind == Kind::Free || b.kind == Kind::Free) {
    const Event& access = a.kind == Kind::Free ? b : a;
    return access.kind == Kind::Access && access.order == Order::Plain && a.loc.object == b.loc.object;
  }
  if (a.kind != Kind::Access || b.kind != Kind::Access || !a.loc.overlaps(b.loc)) return false;
  return (a.writes || b.writes) && (a.order == Order::Plain || b.order == Order::Plain);
}

std::optional<std::pair<std::size_t, std::size_t>> NaiveRaces::race() const {
  if (!last_) return std::nullopt;
  const Event& last = events_[*last_];
  for (std::size_t i = *last_; i-- > 0;)
    if (!last.before[i] && is_race(events_[i], last)) return std::pair{events_[i].step, last.step};
  return std::nullopt;
}

}  // namespace heddle::check
