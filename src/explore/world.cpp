// SPDX-License-Identifier: Apache-2.0
#include "explore/world.h"

#include <algorithm>
#include <ranges>

#include "core/heap_family.h"
#include "support/hash.h"

namespace heddle::explore {

const std::vector<std::uint32_t>& Renaming::find_pointers(std::uint32_t chunk) {
  if (known_.size() <= chunk && known_.size() < most_known) {
    std::size_t size = 256;
    while (size <= chunk && size < most_known) size *= 2;
    // Below the bound a chunk is its own place, so what is known stays where it is.
    known_.resize(size);
  }
  Known& k = known_[chunk & (known_.size() - 1)];
  if (k.chunk != chunk) {
    k.chunk = chunk;
    k.points_to.clear();
    objects_.each_pointer(chunk, [&](std::uint32_t, const core::Value& v) {
      if (v.object() > objects_.globals()) add_pointer(k.points_to, v.object());
    });
  }
  return k.points_to;
}

void Renaming::begin(const Product::World& world) {
  first_dynamic_ = objects_.globals() + 1;
  order_.clear();
  closed_ = 0;
  beyond_ = false;
  met_.resize(std::max<std::size_t>(world.objects.size(), first_dynamic_));
  std::fill(met_.begin() + first_dynamic_, met_.end(), 0);
  looked_at_ = nobody;
}

void Renaming::reach(std::uint32_t object) {
  if (object >= met_.size()) beyond_ = true;
  if (object < first_dynamic_ || object >= met_.size() || met_[object]) return;
  met_[object] = 1;
  order_.push_back(object);
}

void Renaming::reach_globals(const Product::World& world) {
  // What globals hold at the start leads to globals only, and constants hold that for ever.
  const auto initial = objects_.initial();
  for (const std::uint32_t g : objects_.variables()) {
    if (world.objects[g] == initial[g]) continue;
    for (const std::uint32_t object : pointers_of(world.objects[g])) reach(object);
  }
}

void Renaming::reach_buffer(const memory::Buffer& buffer) {
  for (const memory::Entry& e : buffer) {
    reach(e.loc.object);
    if (e.value.pointer) reach(e.value.object());
  }
}

void Renaming::reach_thread(const Product::World::Thread& thread) {
  for (const std::uint32_t object : runner_.points_to(thread.local)) reach(object);
  reach_buffer(thread.buffer);
}

void Renaming::close(const Product::World& world) {
  for (; closed_ < order_.size(); ++closed_)
    for (const std::uint32_t object : pointers_of(world.objects[order_[closed_]])) reach(object);
}

// Exceptions on their way (core::is_kept), and what they lead to.
void Renaming::reach_kept(const Product::World& world) {
  for (std::uint32_t object = first_dynamic_; object < world.objects.size(); ++object) {
    if (met_[object]) continue;
    const ObjectHeader h = objects_.header(world.objects[object]);
    if (core::is_kept(h.kind) && h.freed == 0) reach(object);
  }
  close(world);
}

void Renaming::look_for_ways(const Product::World& base) {
  constexpr std::uint32_t most_threads = 63;
  constexpr std::uint64_t from_globals = std::uint64_t{1} << most_threads;
  ways_known_ = true;
  ways_usable_ = base.threads.size() <= most_threads;
  if (!ways_usable_) return;
  first_dynamic_ = objects_.globals() + 1;
  ways_.resize(std::max<std::size_t>(base.objects.size(), first_dynamic_));
  std::fill(ways_.begin() + first_dynamic_, ways_.end(), 0);
  const auto step = [&](std::uint32_t object, std::uint64_t from) {
    if (object >= ways_.size()) ways_usable_ = false;
    // What globals lead to is shared whoever else gets there, and so is all behind it.
    if (object < first_dynamic_ || object >= ways_.size() || (ways_[object] & (from | from_globals)) != 0) return;
    ways_[object] |= from;
    ahead_.push_back(object);
  };
  const auto go_on = [&](std::uint64_t from) {
    while (!ahead_.empty()) {
      const std::uint32_t object = ahead_.back();
      ahead_.pop_back();
      for (const std::uint32_t next : pointers_of(base.objects[object])) step(next, from);
    }
  };
  const auto initial = objects_.initial();
  for (const std::uint32_t g : objects_.variables()) {
    if (base.objects[g] == initial[g]) continue;
    for (const std::uint32_t object : pointers_of(base.objects[g])) step(object, from_globals);
  }
  go_on(from_globals);
  for (std::uint32_t t = 0; t < base.threads.size(); ++t) {
    const std::uint64_t from = std::uint64_t{1} << t;
    for (const std::uint32_t object : runner_.points_to(base.threads[t].local)) step(object, from);
    for (const memory::Entry& e : base.threads[t].buffer) {
      step(e.loc.object, from);
      if (e.value.pointer) step(e.value.object(), from);
    }
    go_on(from);
  }
}

bool Renaming::shared(const Product::World& world, std::uint32_t object, std::uint32_t thread) {
  if (object <= objects_.globals()) return true;
  look(world, thread);
  return shared_now(object);
}

bool Renaming::looked_at(const Product::World& world, std::uint32_t thread) {
  if (looked_at_ != thread || world.threads.size() != locals_.size()) return false;
  for (std::uint32_t t = 0; t < world.threads.size(); ++t)
    if (!world.threads[t].buffer.empty() || (t != thread && world.threads[t].local != locals_[t])) return false;
  // What the walk did not come to may change, and more of it may come: no way of others leads there.
  if (world.objects.size() < met_.size() || (beyond_ && world.objects.size() != met_.size())) return false;
  const auto same = [&](std::uint32_t object) { return world.objects[object] == objects_then_[object]; };
  if (!std::ranges::all_of(objects_.variables(), same) || !std::ranges::all_of(order_, same)) return false;
  met_.resize(world.objects.size(), 0);
  return true;
}

void Renaming::remember(const Product::World& world, std::uint32_t thread) {
  objects_then_ = world.objects;
  locals_.clear();
  for (const auto& other : world.threads) {
    if (!other.buffer.empty()) return;
    locals_.push_back(other.local);
  }
  looked_at_ = thread;
}

void Renaming::look(const Product::World& world, std::uint32_t thread) {
  all_shared_ = names_matter(world);
  if (all_shared_ || looked_at(world, thread)) return;
  begin(world);
  reach_globals(world);
  for (std::uint32_t t = 0; t < world.threads.size(); ++t)
    if (t != thread) reach_thread(world.threads[t]);
  close(world);
  // Of the own buffer, an address counts that is about to be published: one that goes to where others can read it.
  const memory::Buffer& buffer = world.threads[thread].buffer;
  for (bool more = true; more;) {
    more = false;
    for (const memory::Entry& e : buffer) {
      if (!e.value.pointer || !shared_now(e.loc.object) || shared_now(e.value.object())) continue;
      reach(e.value.object());
      close(world);
      more = true;
    }
  }
  remember(world, thread);
}

bool Renaming::numbers_known(const Product::World& world) {
  if (!runner_.names_may_matter())
    return std::ranges::any_of(world.threads, [this](const Product::World::Thread& thread) {
      return thread.local == ThreadRunner::loose && runner_.names_matter(thread.local);
    });
  for (const auto& thread : world.threads)
    if (runner_.names_matter(thread.local)) return true;
  return false;
}

bool Renaming::leaks_at_end(const Product::World& world) {
  if (numbers_known(world)) return false;  // any of them may lead to it
  if (world.leaked) return true;
  begin(world);
  reach_globals(world);
  for (const auto& thread : world.threads) reach_thread(thread);
  close(world);
  reach_kept(world);
  for (std::uint32_t object = first_dynamic_; object < world.objects.size(); ++object) {
    if (met_[object]) continue;
    const ObjectHeader h = objects_.header(world.objects[object]);
    if (core::can_leak(h.kind) && h.freed == 0) return true;
  }
  return false;
}

// Do all pointers of both lead to the same names from the same places? Not asked of worlds with buffered stores.
bool Renaming::same_pointers(const Product::World& a, const Product::World& b) {
  if (a.threads.size() != b.threads.size() || a.objects.size() != b.objects.size() || a.leaked != b.leaked)
    return false;
  for (std::size_t t = 0; t < a.threads.size(); ++t) {
    if (!a.threads[t].buffer.empty() || !b.threads[t].buffer.empty()) return false;
    if (a.threads[t].local == b.threads[t].local) continue;
    others_ = runner_.points_to(a.threads[t].local);
    if (others_ != runner_.points_to(b.threads[t].local)) return false;
  }
  const auto same = [&](std::size_t i) {
    if (a.objects[i] == b.objects[i]) return true;
    if (objects_.header(a.objects[i]).freed != objects_.header(b.objects[i]).freed) return false;
    const auto& of_a = pointers_of(a.objects[i]);
    if (of_a.empty()) return pointers_of(b.objects[i]).empty();
    others_ = of_a;  // the next call may overwrite it
    return others_ == pointers_of(b.objects[i]);
  };
  if (!std::ranges::all_of(objects_.variables(), same)) return false;
  for (std::size_t i = objects_.globals() + 1; i < a.objects.size(); ++i)
    if (!same(i)) return false;
  return true;
}

void Renaming::canonical(Product::World& world, const Product::World& before) {
  first_dynamic_ = objects_.globals() + 1;
  if (world.names_cut) {
    const auto has_remains = [&](std::uint32_t o) { return objects_.has_remains(world.objects[o]); };
    world.names_cut =
        std::ranges::any_of(objects_.variables(), has_remains) ||
        std::ranges::any_of(std::views::iota(first_dynamic_, static_cast<std::uint32_t>(world.objects.size())),
                            has_remains);
  }
  if (world.objects.size() == first_dynamic_ || names_matter(world)) return;
  if (!names_matter(before) && same_pointers(before, world)) return;
  begin(world);
  reach_globals(world);
  close(world);
  for (const auto& thread : world.threads) {
    reach_thread(thread);
    close(world);
  }
  reach_kept(world);
  for (std::uint32_t object = first_dynamic_; object < world.objects.size() && !world.leaked; ++object) {
    if (met_[object]) continue;
    const ObjectHeader h = objects_.header(world.objects[object]);
    world.leaked = core::can_leak(h.kind) && h.freed == 0;
  }
  bool same = order_.size() + first_dynamic_ == world.objects.size();
  for (std::size_t i = 0; i < order_.size() && same; ++i) same = order_[i] == first_dynamic_ + i;
  if (!same) rewrite(world);
}

core::Value Renaming::renamed(core::Value v) const {
  if (v.pointer) v.bits = core::Value::address(new_name(v.object()), v.offset()).bits;
  return v;
}

std::uint32_t Renaming::renamed_by(std::vector<Renamed>& table, std::uint32_t from,
                                   const std::vector<std::uint32_t>& points_to, auto&& make) {
  if (std::ranges::all_of(points_to, [&](std::uint32_t object) { return new_name(object) == object; })) return from;
  names_.clear();
  std::uint64_t hash = from;
  for (const std::uint32_t object : points_to) {
    names_.push_back(new_name(object));
    hash = support::mix(hash ^ names_.back());
  }
  if (table.empty()) table.resize(most_renamed);
  Renamed& known = table[hash % most_renamed];
  if (known.from != from || known.names != names_) {
    known.from = from;
    known.names = names_;
    known.to = make();
  }
  return known.to;
}

void Renaming::rewrite(Product::World& world) {
  name_.resize(world.objects.size());
  std::fill(name_.begin() + first_dynamic_, name_.end(), 0);
  for (std::size_t i = 0; i < order_.size(); ++i) name_[order_[i]] = first_dynamic_ + static_cast<std::uint32_t>(i);
  const auto rename_chunk = [&](std::uint32_t& number) {
    const auto& points_to = pointers_of(number);
    if (points_to.empty()) return;
    number = renamed_by(renamed_chunks_, number, points_to, [&] {
      open_.open(objects_, number);
      objects_.each_pointer(number, [&](std::uint32_t offset, const core::Value& v) {
        if (const core::Value now = renamed(v); !(now == v)) open_.write(offset, 8, now);
      });
      return open_.close();
    });
  };
  const auto initial = objects_.initial();  // which points to no dynamic object
  for (const std::uint32_t global : objects_.variables())
    if (world.objects[global] != initial[global]) rename_chunk(world.objects[global]);
  others_.clear();
  for (const std::uint32_t object : order_) others_.push_back(world.objects[object]);
  world.objects.resize(first_dynamic_);
  world.objects.insert(world.objects.end(), others_.begin(), others_.end());
  for (std::size_t i = first_dynamic_; i < world.objects.size(); ++i) rename_chunk(world.objects[i]);
  world.races.rename(name_, first_dynamic_);
  for (auto& thread : world.threads) {
    thread.local = renamed_by(renamed_locals_, thread.local, runner_.points_to(thread.local),
                              [&] { return runner_.rename(thread.local, [&](core::Value& v) { v = renamed(v); }); });
    for (memory::Entry& e : thread.buffer) {
      e.loc.object = new_name(e.loc.object);
      e.value = renamed(e.value);
    }
  }
}

}  // namespace heddle::explore
