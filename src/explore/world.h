// One decoded state of a Product, to be worked on, and the renaming that makes equal states equal. Private to Product.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
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

  void copy_from(const World& other, bool with_races) {  // keeps the memory of the buffers
    threads.resize(other.threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i) {
      threads[i].local = other.threads[i].local;
      threads[i].buffer = other.threads[i].buffer;
    }
    objects = other.objects;
    if (with_races) races = other.races;
    ended = other.ended;
    leaked = other.leaked;
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
  // Is some heap object neither freed nor reachable from a global or from what threads still hold?
  bool leaks_at_end(const Product::World&);
  // Drops what cannot be reached and gives the rest its canonical names.
  void canonical(Product::World&);
  // Has some thread made a number of a pointer? Then any number may be one: all objects stay, keep their names and
  // count as shared and as reachable.
  bool names_matter(const Product::World&);

 private:
  const std::vector<std::uint32_t>& pointers_of(std::uint32_t chunk);
  void reach(std::uint32_t object);
  void reach_globals(const Product::World&);
  void reach_thread(const Product::World::Thread&);
  void reach_buffer(const memory::Buffer&);
  void reach_kept(const Product::World&);
  void close(const Product::World&);
  void begin(const Product::World&);
  void rewrite(Product::World&);
  core::Value renamed(core::Value) const;

  Objects& objects_;
  ThreadRunner& runner_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> pointers_;  // by chunk; forgotten when it gets large
  std::vector<std::uint32_t> order_;  // dynamic objects in the order in which they were met
  std::vector<bool> met_;
  std::vector<std::uint32_t> name_;  // new name by old
  std::size_t closed_ = 0;
  std::uint32_t first_dynamic_ = 0;
  bool all_shared_ = false;  // as look() found
  Objects::Open open_;
};

}  // namespace heddle::explore
