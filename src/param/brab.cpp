// SPDX-License-Identifier: Apache-2.0
#include "param/brab.h"

#include "param/canonical.h"

namespace heddle::param {

using array::Cube;

namespace {

constexpr unsigned max_tried = 400;

Cube part(const Cube& cube, const array::System& system, std::initializer_list<std::size_t> chosen) {
  Cube result = cube;
  result.literals.clear();
  for (const std::size_t i : chosen) result.literals.push_back(cube.literals[i]);
  result.linear.clear();
  for (auto& r : result.all_rows) r = 0;
  for (auto& r : result.write_rows) r = 0;
  result.other_all = result.other_write = 0;
  for (unsigned n = 0; n < result.nodes; ++n) result.node_rows[n] = array::Row{1} << n;
  result.cell_rows.clear();
  array::sort_literals(result);
  array::compress(result, system);
  canonicalise(result, system);
  return result;
}

}  // namespace

std::optional<Cube> generalise(const Cube& cube, const array::System& system,
                               const std::function<bool(const Cube&)>& promising) {
  const std::size_t n = cube.literals.size();
  if (n < 2 || !cube.promises.empty()) return std::nullopt;
  unsigned tried = 0;
  const auto attempt = [&](std::initializer_list<std::size_t> chosen) -> std::optional<Cube> {
    ++tried;
    Cube candidate = part(cube, system, chosen);
    if (candidate == cube || !promising(candidate)) return std::nullopt;
    return candidate;
  };
  for (std::size_t i = 0; i < n; ++i)
    if (auto c = attempt({i})) return c;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n && tried < max_tried; ++j)
      if (auto c = attempt({i, j})) return c;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      for (std::size_t k = j + 1; k < n && tried < max_tried; ++k)
        if (auto c = attempt({i, j, k})) return c;
  return std::nullopt;
}

}  // namespace heddle::param
