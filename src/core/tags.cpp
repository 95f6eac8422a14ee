// SPDX-License-Identifier: Apache-2.0
#include "core/tags.h"

#include <deque>
#include <mutex>
#include <string>

namespace heddle::core {
namespace {

struct Names {
  std::mutex mutex;
  std::deque<std::string> list{std::string()};  // a deque: views of its strings stay valid
};

Names& names() {
  static Names instance;
  return instance;
}

}  // namespace

std::uint16_t tag(std::string_view name) {
  Names& n = names();
  const std::lock_guard lock(n.mutex);
  for (std::size_t i = 0; i < n.list.size(); ++i)
    if (n.list[i] == name) return static_cast<std::uint16_t>(i);
  n.list.emplace_back(name);
  return static_cast<std::uint16_t>(n.list.size() - 1);
}

std::string_view tag_name(std::uint16_t tag) {
  Names& n = names();
  const std::lock_guard lock(n.mutex);
  return tag < n.list.size() ? std::string_view(n.list[tag]) : std::string_view();
}

}  // namespace heddle::core
