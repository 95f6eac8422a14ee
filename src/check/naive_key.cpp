// When two states of the naive machine are equal: byte by byte, or up to the names of their objects.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "check/naive_threads.h"

namespace heddle::check {

namespace {

// Gives objects new names in the order in which they are reached: globals keep theirs, then threads and what they point
// to, breadth first. What nothing reaches has no name, for nobody can tell whether it is there.
class Renaming {
 public:
  Renaming(const NaiveThreads& state, const core::Program& program) : state_(state), program_(program) {
    const auto globals = static_cast<std::uint32_t>(program.globals().size());
    for (std::uint32_t o = 1; o <= globals; ++o) reach(o);
  }

  std::string key() {
    std::string key;
    for (const NaiveThread& thread : state_.threads) {
      core::Local local = thread.local;
      program_.visit_pointers(local, [&](core::Value& v) { v = renamed(v); });
      key += fmt::format("|{}{}{}|", local.size(), thread.until_empty, thread.until_no_loads);
      key.append(reinterpret_cast<const char*>(local.data()), local.size());
      for (const NaiveEntry& e : thread.buffer)
        key += fmt::format("{}:{}:{}:{}:{}:{}:{}:{};", e.load, reach(e.loc.object), e.loc.offset, e.loc.size,
                           renamed(e.value).bits, e.value.undefined, e.slot, thread.epoch - e.epoch);
    }
    for (std::size_t k = 0; k < reached_.size(); ++k) key += object_key(reached_[k]);  // grows meanwhile
    return key;
  }

 private:
  std::uint32_t reach(std::uint32_t object) {
    if (object == 0 || !state_.objects.contains(object)) return 0;
    const auto [at, fresh] = names_.try_emplace(object, static_cast<std::uint32_t>(reached_.size() + 1));
    if (fresh) reached_.push_back(object);
    return at->second;
  }
  core::Value renamed(const core::Value& v) {
    return v.pointer ? core::Value::address(reach(v.object()), v.offset()) : v;
  }
  std::string object_key(std::uint32_t object) {
    const NaiveObject& o = state_.objects.at(object);
    std::string key = fmt::format("|{}{}:", o.size, o.freed ? 'f' : 'a');
    if (o.freed || o.constant) return key;
    for (auto b = state_.bytes.lower_bound({object, 0}); b != state_.bytes.end() && b->first.first == object; ++b) {
      const NaiveByte& byte = b->second;
      if (byte.pointer) key += fmt::format("p{}.{};", renamed(*byte.pointer).bits, byte.index);
      else key += fmt::format("{}.{};", byte.value, static_cast<unsigned>(byte.undefined));
    }
    return key;
  }

  const NaiveThreads& state_;
  const core::Program& program_;
  std::map<std::uint32_t, std::uint32_t> names_;
  std::vector<std::uint32_t> reached_;
};

}  // namespace

std::string NaiveThreads::key() const {
  std::string key;
  for (const auto& [place, b] : bytes) {
    const auto object = objects.find(place.first);
    if (object->second.constant || object->second.freed) continue;
    key += static_cast<char>(b.value);
    key += static_cast<char>(b.undefined);
    key += b.pointer ? static_cast<char>(1 + b.index) : b.remains ? 'r' : '\0';
  }
  for (const auto& [number, object] : objects) key += object.freed ? 'f' : 'a';
  for (const NaiveThread& thread : threads) {
    key += fmt::format("|{}{}{}|", thread.local.size(), thread.until_empty, thread.until_no_loads);
    key.append(reinterpret_cast<const char*>(thread.local.data()), thread.local.size());
    for (const NaiveEntry& e : thread.buffer)
      key += fmt::format("{}:{}:{}:{}:{}:{}:{}:{}:{};", e.load, e.loc.object, e.loc.offset, e.loc.size, e.value.bits,
                         e.value.undefined, e.value.pointer, e.slot, thread.epoch - e.epoch);
  }
  return key;
}

std::string NaiveThreads::canonical_key() const {
  // A thread that has used a name as a number could tell two states with other names apart.
  for (const NaiveThread& thread : threads)
    if (program_->names_matter(thread.local)) return key();
  if (std::ranges::any_of(bytes, [](const auto& b) { return b.second.remains; })) return key();
  return Renaming(*this, *program_).key();
}

}  // namespace heddle::check
