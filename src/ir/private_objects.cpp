// SPDX-License-Identifier: Apache-2.0
#include "ir/private_objects.h"

#include <algorithm>

#include "core/rmw.h"

namespace heddle::ir {
namespace {

core::Value undefined_word() {
  core::Value v;
  v.undefined = ~std::uint64_t{0};
  return v;
}

void append_number(std::string& key, std::uint64_t n) { key.append(reinterpret_cast<const char*>(&n), sizeof n); }

bool is_whole_word(std::uint32_t offset, std::uint32_t size) { return offset % 8 == 0 && size == 8; }

}  // namespace

std::optional<core::Value> read_words(const std::vector<core::Value>& words, std::uint32_t offset, std::uint32_t size) {
  if (is_whole_word(offset, size)) return words[offset / 8];
  core::Value out;
  for (std::uint32_t i = 0; i < size; ++i) {
    const core::Value& word = words[(offset + i) / 8];
    if (word.pointer) return std::nullopt;
    const std::uint32_t from = (offset + i) % 8 * 8;
    out.bits |= (word.bits >> from & 0xff) << (8 * i);
    out.undefined |= (word.undefined >> from & 0xff) << (8 * i);
  }
  return out;
}

std::vector<core::Value> words_of(const core::GlobalObject& global) {
  std::vector<core::Value> words((std::size_t{global.size} + 7) / 8);
  for (std::uint32_t i = 0; i < global.size; ++i) {
    core::Value& word = words[i / 8];
    const bool defined = global.defined.empty() || global.defined[i];
    const auto byte = defined && i < global.bytes.size() ? std::to_integer<std::uint64_t>(global.bytes[i]) : 0;
    word.bits |= byte << (i % 8 * 8);
    if (!defined) word.undefined |= std::uint64_t{0xff} << (i % 8 * 8);
  }
  for (const std::uint32_t offset : global.pointers)
    if (offset % 8 == 0 && offset / 8 < words.size()) words[offset / 8].pointer = true;
  return words;
}

const PrivateObjects::Object* PrivateObjects::find(std::uint32_t name) const {
  const auto at = std::ranges::lower_bound(objects_, name, {}, &Object::name);
  return at != objects_.end() && at->name == name ? &*at : nullptr;
}

PrivateObjects::Object* PrivateObjects::own(std::uint32_t name) { return const_cast<Object*>(find(name)); }

std::uint32_t PrivateObjects::add(std::uint32_t globals, std::uint32_t size, core::AllocKind kind,
                                  const std::set<std::uint32_t>& mentioned) {
  std::uint32_t name = globals + 1;
  while (find(name) != nullptr || mentioned.contains(name)) ++name;
  add({name, size, kind, Life::Live, std::vector<core::Value>((std::size_t{size} + 7) / 8, undefined_word())});
  std::ranges::sort(objects_, {}, &Object::name);
  return name;
}

void PrivateObjects::initialise(std::uint32_t name, const core::GlobalObject& contents) {
  own(name)->words = words_of(contents);
}

std::optional<core::Value> PrivateObjects::read(const core::Loc& loc) const {
  return read_words(find(loc.object)->words, loc.offset, loc.size);
}

bool PrivateObjects::write(const core::Loc& loc, const core::Value& value) {
  std::vector<core::Value>& words = own(loc.object)->words;
  if (is_whole_word(loc.offset, loc.size)) {
    words[loc.offset / 8] = value;
    return true;
  }
  if (value.pointer) return false;
  for (std::uint32_t i = 0; i < loc.size; ++i) {
    core::Value& word = words[(loc.offset + i) / 8];
    if (word.pointer) return false;
    const std::uint32_t at = (loc.offset + i) % 8 * 8;
    const std::uint64_t mask = std::uint64_t{0xff} << at;
    word.bits = (word.bits & ~mask) | (value.bits >> (8 * i) & 0xff) << at;
    word.undefined = (word.undefined & ~mask) | (value.undefined >> (8 * i) & 0xff) << at;
  }
  return true;
}

void PrivateObjects::free(std::uint32_t name) {
  Object* object = own(name);
  object->life = Life::Freed;
  object->words.clear();
}

std::vector<PrivateObjects::Object> PrivateObjects::hand_over(std::uint32_t name) {
  std::vector<Object> taken;
  std::vector<std::uint32_t> todo{name};
  std::set<std::uint32_t> seen;
  while (!todo.empty()) {
    Object* object = own(todo.back());
    todo.pop_back();
    if (object == nullptr || !seen.insert(object->name).second) continue;
    for (const core::Value& word : object->words)
      if (word.pointer) todo.push_back(word.object());
    taken.push_back(*object);
    object->life = Life::Elsewhere;
    object->words.clear();
  }
  std::ranges::sort(taken, {}, &Object::name);
  return taken;
}

void PrivateObjects::mentions(std::set<std::uint32_t>& names) const {
  for (const Object& object : objects_)
    for (const core::Value& word : object.words)
      if (word.pointer) names.insert(word.object());
}

void PrivateObjects::keep_only(const std::set<std::uint32_t>& mentioned) {
  std::erase_if(objects_, [&](const Object& object) { return !mentioned.contains(object.name); });
}

void PrivateObjects::append_key(std::string& key) const {
  for (const Object& object : objects_) {
    append_number(key, std::uint64_t{object.name} << 32 | object.size);
    append_number(key, static_cast<std::uint64_t>(object.kind) << 8 | static_cast<std::uint64_t>(object.life));
    for (const core::Value& word : object.words) {
      append_number(key, word.bits);
      append_number(key, word.undefined);
      append_number(key, word.pointer ? 1 : 0);
    }
  }
}

}  // namespace heddle::ir
