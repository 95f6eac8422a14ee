// SPDX-License-Identifier: Apache-2.0
#include "graph/private_objects.h"

#include <algorithm>
#include <cstring>

#include "core/address_deps.h"
#include "core/heap_family.h"
#include "core/load_bits.h"

namespace heddle::graph {

namespace {

// Private accesses without an event between them; who makes more may never end.
constexpr unsigned longest_run = 10000;
// Loads of a thread whose dependencies are followed through private memory: the sets grow with their number.
constexpr std::size_t most_followed = 1000;

std::uint32_t words_of(std::uint32_t offset, std::uint32_t size) {
  std::uint32_t words = 0;
  for (std::uint32_t w = offset / 8; w <= (offset + std::max(size, 1u) - 1) / 8; ++w) words |= 1u << w;
  return words;
}

bool accesses(const core::Request& q) {
  return q.kind == core::Kind::Load || q.kind == core::Kind::Store || q.kind == core::Kind::Rmw;
}
bool reads(const core::Request& q) {
  return (q.kind == core::Kind::Load && !q.asks_size()) || q.kind == core::Kind::Rmw;
}

// Does the access act on nothing but its location?
bool is_ordinary(const core::Request& q) {
  return q.kind != core::Kind::Rmw && q.order <= core::Order::Relaxed && q.tag == 0 && !q.locked && !q.waits &&
         !q.exclusive && q.output == 0 && q.loc.size <= 8;
}

}  // namespace

PrivacyRecord::Known PrivacyRecord::known() const {
  const std::scoped_lock lock(mutex_);
  return known_;
}

void PrivacyRecord::publish(std::uint32_t object, core::Site site, std::uint32_t words) {
  const std::scoped_lock lock(mutex_);
  if (is_local(object)) {
    if (!known_.sites.insert(site).second) return;
  } else {
    std::uint32_t& known = known_.words[object];
    if ((known | words) == known) return;
    known |= words;
    if (published_ >= most_objects) known_.sites.insert(site);
  }
  ++published_;
  if (published_ > most_sites) known_.off = true;
  names_.void_all();
}

void PrivacyRecord::give_up() {
  const std::scoped_lock lock(mutex_);
  if (known_.off) return;
  known_.off = true;
  names_.void_all();
}

// The program numbers its thread's loads; those that are private have no event, and stand for others.
struct PrivateObjects::Shadow final : core::Shadow {
  struct Bytes {  // of an object
    std::uint32_t object, begin, end;
    core::LoadBits loads, hides;  // core/address_deps.h; some
    friend bool operator==(const Bytes&, const Bytes&) = default;
  };

  std::unique_ptr<core::Shadow> own;
  std::vector<core::LoadBits>
      loads;                 // by the program's number, but for the first: the numbers of those that are events
  std::uint32_t events = 0;  // of these
  std::uint32_t first = 0;   // loads of a thread that was alone: nothing need depend on them
  bool alone = false;
  core::LoadBits hidden;              // what hides them was read
  std::vector<std::uint32_t> hiding;  // by these, in the program's numbers: which loads they depend on varies
  core::LoadBits control;
  std::vector<Bytes> stored;  // what private memory depends on by what was stored last; disjoint, ascending

  bool equals(const core::Shadow& other) const override {
    const auto& o = static_cast<const Shadow&>(other);
    return events == o.events && first == o.first && alone == o.alone && hidden == o.hidden && hiding == o.hiding &&
           control == o.control && loads == o.loads && stored == o.stored && own->equals(*o.own);
  }
  std::uint64_t hash() const override {
    std::uint64_t h = own->hash();
    if (h == 0) return 0;
    control.hash_into(h);
    for (const core::LoadBits& load : loads) load.hash_into(h);
    return h;
  }
  bool within(const core::Shadow& later, const Inside& inside) const override {
    const auto& o = static_cast<const Shadow&>(later);
    if (alone != o.alone) return false;
    const auto covered = [&](const core::LoadBits& mine, const core::LoadBits& theirs) {
      return mine.empty() || inside(mine.list(), theirs.list());
    };
    if (!covered(hidden, o.hidden)) return false;
    for (const Bytes& mine : stored) {
      const auto theirs = std::ranges::find_if(o.stored, [&](const Bytes& b) {
        return b.object == mine.object && b.begin <= mine.begin && b.end >= mine.end;
      });
      if (theirs == o.stored.end() || !covered(mine.loads, theirs->loads) || !covered(mine.hides, theirs->hides))
        return false;
    }
    return (o.control.contains(control) || covered(control, o.control)) &&
           own->within(*o.own, [&](const core::LoadSet& mine, const core::LoadSet& theirs) {
             return covered(meaning(mine), o.meaning(theirs));
           });
  }
  core::LoadBits meaning(const core::LoadSet& numbers) const {
    core::LoadBits all;
    for (const std::uint32_t n : numbers)
      if (n >= first && n - first < loads.size()) all.join(loads[n - first]);
    return all;
  }
  // Is there a hidden load that these do not name, whatever they depend on?
  bool is_hidden(core::LoadSet control) const {
    if (hidden.empty()) return false;
    std::erase_if(control, [&](std::uint32_t n) { return std::ranges::binary_search(hiding, n); });
    return !meaning(control).contains(hidden);
  }
  void load(core::LoadBits from) {
    if (alone) ++first;
    else loads.push_back(std::move(from));
  }
  void event() {
    core::LoadBits self;
    if (!alone) self.set(events);
    ++events;
    load(std::move(self));
  }
  // Those that overlap the location.
  std::pair<std::size_t, std::size_t> at(const core::Loc& loc) const {
    const auto from = std::ranges::lower_bound(stored, std::pair{loc.object, loc.offset + 1}, {},
                                               [](const Bytes& b) { return std::pair{b.object, b.end}; });
    auto to = from;
    while (to != stored.end() && to->object == loc.object && to->begin < loc.offset + loc.size) ++to;
    return {static_cast<std::size_t>(from - stored.begin()), static_cast<std::size_t>(to - stored.begin())};
  }
  void store(const core::Loc& loc, const core::LoadBits& now, const core::LoadBits& hides) {
    const auto [from, to] = at(loc);
    const std::uint32_t begin = loc.offset, end = loc.offset + loc.size;
    std::vector<Bytes> parts;
    if (from < to && stored[from].begin < begin)
      parts.push_back({loc.object, stored[from].begin, begin, stored[from].loads, stored[from].hides});
    if (!hides.empty() || !now.empty()) parts.push_back({loc.object, begin, end, now, hides});
    if (from < to && stored[to - 1].end > end)
      parts.push_back({loc.object, end, stored[to - 1].end, stored[to - 1].loads, stored[to - 1].hides});
    const auto rest = stored.erase(stored.begin() + static_cast<std::ptrdiff_t>(from),
                                   stored.begin() + static_cast<std::ptrdiff_t>(to));
    stored.insert(rest, parts.begin(), parts.end());
  }
  void forget(std::uint32_t object) {
    std::erase_if(stored, [&](const auto& entry) { return entry.object == object; });
  }
  void access(const core::Deps& deps, const core::Request& q) {
    core::LoadBits all = meaning(deps.addr);
    control.join(all);
    all.join(meaning(deps.data));
    if (q.kind != core::Kind::Load)
      return store(q.loc, all, core::has_mark(deps, core::hides) ? meaning(deps.ctrl) : core::LoadBits{});
    bool hides = false;
    for (auto [from, to] = at(q.loc); from < to; ++from) {
      all.join(stored[from].loads);
      hidden.join(stored[from].hides);
      hides |= !stored[from].hides.empty();
    }
    if (hides) hiding.push_back(first + static_cast<std::uint32_t>(loads.size()));
    load(std::move(all));
  }
};

core::ConstLocal PrivateObjects::own(core::ConstLocal local) {
  Length length = 0;
  std::memcpy(&length, local.data() + local.size() - sizeof length, sizeof length);
  return local.first(length);
}

PrivateObjects::Parts& PrivateObjects::split(core::ConstLocal local) {
  thread_local Parts parts;
  const core::ConstLocal own_part = own(local);
  parts.own.assign(own_part.begin(), own_part.end());
  parts.memory.assign(local.subspan(own_part.size(), local.size() - own_part.size() - sizeof(Length)));
  return parts;
}

void PrivateObjects::join(const Parts& parts, core::Local& local) {
  const Length length = parts.own.size();
  const auto memory = parts.memory.bytes();
  local.assign(parts.own.begin(), parts.own.end());
  local.insert(local.end(), memory.begin(), memory.end());
  local.resize(local.size() + sizeof length);
  std::memcpy(local.data() + local.size() - sizeof length, &length, sizeof length);
}

void PrivateObjects::start(std::uint32_t entry, core::Value arg, core::Tid self, core::Local& local,
                           core::Shadow* shadow) const {
  Parts parts;
  auto* s = static_cast<Shadow*>(shadow);
  if (s != nullptr) s->alone = self == 0 && program_.initial_threads().size() == 1;
  program_.start(entry, arg, self, parts.own, s != nullptr ? s->own.get() : nullptr);
  go_on(parts, s);
  join(parts, local);
}

void PrivateObjects::resume(core::Local& local, const core::Answer& answer, core::Shadow* shadow) const {
  Parts& parts = split(local);
  auto* s = static_cast<Shadow*>(shadow);
  const core::Request q = program_.request(parts.own);
  if (s != nullptr && reads(q)) s->event();
  program_.resume(parts.own, answer, s != nullptr ? s->own.get() : nullptr);
  if (answer.fault == core::Fault::None) {
    if (q.kind == core::Kind::Alloc && answer.value.pointer) take_as_private(parts, q, answer.value.object());
    if (q.kind == core::Kind::Free) parts.memory.remove(q.value.object());
    if (q.kind == core::Kind::Free && s != nullptr) s->forget(q.value.object());
    if (q.kind == core::Kind::Spawn && s != nullptr) s->alone = false;
  }
  go_on(parts, s);
  join(parts, local);
}

void PrivateObjects::defer(core::Local& local) const {
  Parts& parts = split(local);
  program_.defer(parts.own);
  go_on(parts, nullptr);
  join(parts, local);
}

void PrivateObjects::deliver(core::Local& local, core::Slot slot, const core::Answer& answer) const {
  Parts& parts = split(local);
  program_.deliver(parts.own, slot, answer);
  go_on(parts, nullptr);
  join(parts, local);
}

std::uint32_t PrivateObjects::free_name(Parts& parts) const {
  if (steps_ != nullptr) return steps_->next_name;
  thread_local std::vector<std::uint32_t> used;
  used.clear();
  const auto use = [](std::uint32_t object) {
    if (PrivacyRecord::is_local(object)) used.push_back(object);
  };
  parts.memory.each_object([&](const PrivateMemory::Object& o, std::size_t place) {
    use(o.number);
    parts.memory.each_pointer(place, [&](const core::Value& v) { use(v.object()); });
  });
  program_.visit_pointers(parts.own, [&](core::Value& v) { use(v.object()); });
  std::ranges::sort(used);
  std::uint32_t name = PrivacyRecord::first_local;
  for (const std::uint32_t other : used) name += other == name;
  return name;
}

// False if it is not.
bool PrivateObjects::take_as_private(Parts& parts, const core::Request& q, std::uint32_t number) const {
  if (known_.off || q.value.bits > PrivateMemory::largest_object || known_.sites.contains(q.site)) return false;
  PrivateMemory::Object o;
  o.number = number;
  o.size = static_cast<std::uint32_t>(q.value.bits);
  o.site = q.site;
  o.kind = static_cast<std::uint32_t>(q.storage);
  if (!parts.memory.has_room(o.size)) return false;
  if (const auto it = known_.words.find(number); it != known_.words.end()) o.published = it->second;
  if (o.size != 0 && o.published == words_of(0, o.size)) return false;
  const std::uint32_t contents = q.initial_contents().object();
  parts.memory.add(o, contents != 0 ? &program_.globals()[contents - 1] : nullptr);
  return true;
}

// Answers private requests until the thread comes to one that the others may see.
void PrivateObjects::go_on(Parts& parts, Shadow* s) const {
  for (unsigned count = 0;; ++count) {
    if (!parts.memory.empty() && program_.names_matter(parts.own))
      return record_.give_up();  // any number may be a pointer
    if (s != nullptr && s->loads.size() > most_followed) return record_.give_up();
    const core::Request q = program_.request(parts.own);
    if (answer_privately(parts, q, s, count)) continue;
    return watch(parts, q);
  }
}

bool PrivateObjects::answer_privately(Parts& parts, const core::Request& q, Shadow* s, unsigned count) const {
  core::Answer answer;
  if (q.kind == core::Kind::Alloc) {
    if (core::is_heap(q.storage) || q.locked || count >= longest_run) return false;
    const std::uint32_t number = free_name(parts);
    if (!take_as_private(parts, q, number)) return false;
    if (steps_ != nullptr) ++steps_->next_name;
    answer.value = core::Value::address(number, 0);
  } else if (q.kind == core::Kind::Free) {
    const std::uint32_t number = q.value.object();
    const std::size_t place = parts.memory.find(number);
    if (place == 0 || q.value.offset() != 0) return false;
    const auto kind = static_cast<core::AllocKind>(parts.memory.at(place).kind);
    if (core::is_heap(kind)) return false;                                                     // an event
    if (q.storage == core::AllocKind::Heap && kind != core::AllocKind::Outside) return false;  // memory refuses it
    // The first request of an atomic section must be an event.
    if (q.locked) {
      record_.publish(number, parts.memory.at(place).site, ~0u);
      return false;
    }
    parts.memory.remove(number);
    if (s != nullptr) s->forget(number);
  } else if (!accesses(q) || parts.memory.empty() || !answer_access(parts, q, s, count, answer)) {
    return false;
  }
  if (steps_ != nullptr) {
    steps_->list.push_back({q, answer, s != nullptr ? program_.deps(parts.own, *s->own) : core::Deps{}});
    core::settle_addresses(steps_->list.back().deps, true);
  }
  program_.resume(parts.own, answer, s != nullptr ? s->own.get() : nullptr);
  return true;
}

bool PrivateObjects::answer_access(Parts& parts, const core::Request& q, Shadow* s, unsigned count,
                                   core::Answer& answer) const {
  const std::size_t place = parts.memory.find(q.loc.object);
  if (place == 0) return false;
  const PrivateMemory::Object o = parts.memory.at(place);
  // One without bytes is not published with its name: others may have freed it.
  if (q.asks_size() && o.size == 0) return false;
  if (q.asks_size() && !q.locked) {
    answer.value = core::object_facts(o.size, static_cast<core::AllocKind>(o.kind));
    return true;
  }
  if (std::uint64_t{q.loc.offset} + q.loc.size > o.size) return false;  // memory refuses it
  const std::uint32_t words = q.asks_size() ? words_of(0, o.size) : words_of(q.loc.offset, q.loc.size);
  if ((o.published & words) == words) return false;
  if ((o.published & words) != 0 || !is_ordinary(q) || count >= longest_run) {
    record_.publish(o.number, o.site, words);
    return false;
  }
  if (q.kind == core::Kind::Load) answer.value = parts.memory.read(place, q.loc.offset, q.loc.size);
  else parts.memory.write(place, q.loc.offset, q.loc.size, q.value);
  if (s != nullptr) s->access(program_.deps(parts.own, *s->own), q);
  return true;
}

// The thread's next request, which others may see: does it let them reach a private object?
void PrivateObjects::watch(const Parts& parts, const core::Request& q) const {
  if (q.kind == core::Kind::Store || q.kind == core::Kind::Rmw || q.kind == core::Kind::Spawn)
    publish(parts.memory, q.value);
}

void PrivateObjects::publish(const PrivateMemory& memory, const core::Value& pointer) const {
  std::vector<core::Value> work{pointer};
  std::set<std::uint32_t> seen;
  while (!work.empty()) {
    const core::Value v = work.back();
    work.pop_back();
    const std::size_t place = v.pointer ? memory.find(v.object()) : 0;
    // A dangling pointer whose name only this thread knows: another object has that name, or will have it.
    if (place == 0 && v.pointer && PrivacyRecord::is_local(v.object())) return record_.give_up();
    if (place == 0 || !seen.insert(v.object()).second) continue;
    const PrivateMemory::Object o = memory.at(place);
    if (o.size != 0) record_.publish(o.number, o.site, words_of(0, o.size));
    memory.each_pointer(place, [&](const core::Value& next) { work.push_back(next); });
  }
}

std::unique_ptr<core::Shadow> PrivateObjects::make_shadow() const {
  auto shadow = std::make_unique<Shadow>();
  shadow->own = program_.make_shadow();
  return shadow;
}

std::unique_ptr<core::Shadow> PrivateObjects::copy_shadow(const core::Shadow& shadow) const {
  const auto& from = static_cast<const Shadow&>(shadow);
  auto copy = std::make_unique<Shadow>();
  copy->own = program_.copy_shadow(*from.own);
  copy->loads = from.loads;
  copy->events = from.events;
  copy->first = from.first;
  copy->alone = from.alone;
  copy->hidden = from.hidden;
  copy->hiding = from.hiding;
  copy->control = from.control;
  copy->stored = from.stored;
  return copy;
}

core::Deps PrivateObjects::deps(core::ConstLocal local, const core::Shadow& shadow) const {
  const auto& s = static_cast<const Shadow&>(shadow);
  core::Deps given = program_.deps(own(local), *s.own);
  const bool hides = core::has_mark(given, core::hides);
  const bool hidden = core::has_mark(given, core::hidden) || s.is_hidden(given.ctrl);
  core::settle_addresses(given, true);
  core::LoadBits control = s.meaning(given.ctrl);
  control.join(s.control);
  core::Deps deps{s.meaning(given.addr).list(), s.meaning(given.data).list(), control.list()};
  if (hides) deps.ctrl.push_back(core::hides);
  if (hidden) deps.ctrl.push_back(core::hidden);
  return deps;
}

void PrivateObjects::visit_pointers(core::Local& local, const std::function<void(core::Value&)>& visit) const {
  Parts parts = split(local);
  std::vector<std::uint32_t> work;
  program_.visit_pointers(parts.own, [&](core::Value& v) {
    work.push_back(v.object());
    visit(v);
  });
  parts.memory.each_object([&](const PrivateMemory::Object& o, std::size_t) {
    if (core::is_kept(static_cast<core::AllocKind>(o.kind))) work.push_back(o.number);
  });
  std::set<std::uint32_t> seen;
  while (!work.empty()) {
    const std::uint32_t number = work.back();
    work.pop_back();
    const std::size_t place = parts.memory.find(number);
    if (place == 0 || !seen.insert(number).second) continue;
    parts.memory.each_pointer(place, [&](core::Value v) {
      work.push_back(v.object());
      visit(v);
    });
  }
  join(parts, local);
}

}  // namespace heddle::graph
