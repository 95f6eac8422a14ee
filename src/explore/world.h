// One decoded state of a Product, to be worked on, and the renaming that makes equal states equal. Private to Product.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/objects.h"
#include "explore/product.h"
#include "explore/races.h"
#include "explore/thread_table.h"

namespace heddle::explore {

struct Product::World {
  struct Thread {
    LocalNumber local = 0;
    memory::Buffer buffer;
  };
  std::vector<Thread> threads;
  std::vector<std::uint32_t> objects;  // chunk by object; objects[0] is null and unused
  Races races;                         // empty unless they are looked for
  bool ended = false;                  // the whole program has
  bool leaked = false;                 // an object was lost before it was freed
  bool names_cut = false;              // memory may hold parts of names (Objects::Open::write)
  // In work: globals and all threads but that of the step lead to what they lead to in the state that it began in.
  bool others_as_before = false;

  // Keeps the memory of the buffers, and what is the same in all worlds of one system: null and the constants.
  void copy_from(const World& other, const Objects& system, bool with_races) {
    threads.resize(other.threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i) {
      threads[i].local = other.threads[i].local;
      if (!threads[i].buffer.empty() || !other.threads[i].buffer.empty()) threads[i].buffer = other.threads[i].buffer;
    }
    const std::size_t fixed = system.globals() + 1;
    if (objects.size() < fixed || other.objects.size() < fixed) {
      objects = other.objects;
    } else {
      for (const std::uint32_t global : system.variables()) objects[global] = other.objects[global];
      objects.resize(other.objects.size());
      std::copy(other.objects.begin() + fixed, other.objects.end(), objects.begin() + fixed);
    }
    if (with_races) races = other.races;
    ended = other.ended;
    leaked = other.leaked;
    names_cut = other.names_cut;
    others_as_before = other.others_as_before;
  }

  // Races aside. Of worlds with buffered stores it says no.
  bool same_as(const World& other) const {
    const auto same = [](const Thread& a, const Thread& b) {
      return a.local == b.local && a.buffer.empty() && b.buffer.empty();
    };
    return std::ranges::equal(threads, other.threads, same) && objects == other.objects && ended == other.ended &&
           leaked == other.leaked && names_cut == other.names_cut;
  }
};

// Which objects can be reached, and by what names they should go.
class Renaming {
 public:
  Renaming(Objects& objects, ThreadRunner& runner) : objects_(objects), runner_(runner) {}

  // Can a thread other than `thread` get at the object, now or once buffers are flushed?
  bool shared(const Product::World&, std::uint32_t object, std::uint32_t thread);
  // The same for many objects: the answers of shared_now() are those for the world and thread that look() was given.
  void look(const Product::World&, std::uint32_t thread);
  bool shared_now(std::uint32_t object) const {
    return all_shared_ || object < first_dynamic_ || object >= met_.size() || met_[object];
  }
  // From which threads, and from globals or not, ways lead to which object in one state: found once for all steps from it,
  // when first asked for. Requires names that do not matter.
  void forget_ways() { ways_known_ = false; }
  bool ways_known() const { return ways_known_; }
  // False: there are too many threads, or some thread holds the name of an object that does not exist.
  bool find_ways(const Product::World& base) {
    if (!ways_known_) look_for_ways(base);
    return ways_usable_;
  }
  // Does a way lead there that begins elsewhere than in this thread? No way leads to an object that was made since.
  bool others_reach(std::uint32_t object, std::uint32_t thread) const {
    return object < first_dynamic_ || (object < ways_.size() && (ways_[object] & ~(std::uint64_t{1} << thread)) != 0);
  }

  // Is some heap object neither freed nor reachable from a global or from what threads still hold?
  bool leaks_at_end(const Product::World&);
  // Drops what cannot be reached and gives the rest its canonical names. Names follow from where pointers lead, so nothing
  // is to be done if that is as it was `before`, in a world that has canonical names.
  void canonical(Product::World&, const Product::World& before);
  // Has some thread made a number of a pointer? Then any number may be one: all objects stay, keep their names and
  // count as shared and as reachable. So it is while memory holds a part of a name, of which a number can be made,
  // but that nobody can reach an object by that before.
  bool names_matter(const Product::World& world) { return world.names_cut || numbers_known(world); }

 private:
  struct Known {
    std::uint32_t chunk = 0xffffffff;
    std::vector<std::uint32_t> points_to;
  };
  // A chunk or local state under new names of the objects that it points to, which are all that its renaming depends on.
  struct Renamed {
    std::uint32_t from = 0xffffffff, to = 0;
    std::vector<std::uint32_t> names;
  };
  static constexpr std::size_t most_known = 1 << 15;
  static constexpr std::size_t most_renamed = 1 << 13;
  static constexpr std::uint32_t nobody = 0xffffffff;

  bool numbers_known(const Product::World&);  // … to some thread
  // The dynamic objects that a chunk points to, each once or more, in the order in which it does so first. Valid until the next call.
  const std::vector<std::uint32_t>& pointers_of(std::uint32_t chunk) {
    if (const std::size_t size = known_.size(); size != 0)
      if (const Known& k = known_[chunk & (size - 1)]; k.chunk == chunk) return k.points_to;
    return find_pointers(chunk);
  }
  const std::vector<std::uint32_t>& find_pointers(std::uint32_t chunk);
  // Would look() come to what it came to the last time? Asked at every access to a dynamic object; within a step the answer
  // is mostly yes, since the objects that it writes to are open, and those that only its thread can reach do not matter.
  bool looked_at(const Product::World&, std::uint32_t thread);
  void remember(const Product::World&, std::uint32_t thread);
  bool same_pointers(const Product::World&, const Product::World&);
  void look_for_ways(const Product::World&);
  void reach(std::uint32_t object);
  void reach_globals(const Product::World&);
  void reach_thread(const Product::World::Thread&);
  void reach_buffer(const memory::Buffer&);
  void reach_kept(const Product::World&);
  void close(const Product::World&);
  void begin(const Product::World&);
  void rewrite(Product::World&);
  // What `from`, which points to these objects, is under their new names: `make` is asked if the table does not know.
  std::uint32_t renamed_by(std::vector<Renamed>& table, std::uint32_t from, const std::vector<std::uint32_t>& points_to,
                           auto&& make);
  std::uint32_t new_name(std::uint32_t object) const {
    return object < first_dynamic_ || object >= name_.size() ? object : name_[object];
  }
  core::Value renamed(core::Value) const;

  Objects& objects_;
  ThreadRunner& runner_;
  std::vector<Known> known_;          // by chunk, modulo a power of two: a newer one takes the place
  std::vector<std::uint32_t> order_;  // dynamic objects in the order in which they were met
  std::vector<std::uint8_t> met_;     // by object: is it in order_? Like all of these, of dynamic objects only
  std::vector<std::uint32_t> name_;   // new name by old
  std::vector<std::uint32_t> others_;
  std::vector<std::uint32_t> names_;
  std::vector<Renamed> renamed_chunks_, renamed_locals_;  // by hash: a newer one takes the place
  std::vector<std::uint64_t> ways_;                       // by object: a bit for each thread, and one for the globals
  std::vector<std::uint32_t> ahead_;                      // objects that are still to be looked into
  bool ways_known_ = false, ways_usable_ = false;
  std::size_t closed_ = 0;
  std::uint32_t first_dynamic_ = 0;
  bool all_shared_ = false;  // as look() found
  bool beyond_ = false;      // the walk met the name of an object that does not exist
  // What look() was given the last time, if no buffer held anything; nobody: it is not known.
  std::uint32_t looked_at_ = nobody;
  std::vector<std::uint32_t> objects_then_;
  std::vector<LocalNumber> locals_;  // by thread
  Objects::Open open_;
};

}  // namespace heddle::explore
