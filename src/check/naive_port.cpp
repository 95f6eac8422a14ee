// SPDX-License-Identifier: Apache-2.0
#include "check/naive_port.h"

#include <algorithm>
#include <utility>

namespace heddle::check {

std::optional<NaiveModel> naive_model(std::string_view name) {
  static constexpr std::pair<std::string_view, NaiveModel> table[] = {
      {"sc", NaiveModel::Sc}, {"tso", NaiveModel::Tso}, {"pso", NaiveModel::Pso}, {"sb1", NaiveModel::Sb1}};
  for (const auto& [model, machine] : table)
    if (model == name) return machine;
  return std::nullopt;
}

NaivePort::NaivePort(const ir::Program& program, NaiveModel model, unsigned bound)
    : program_(program), model_(model), bound_(bound) {
  now_.words = program.image;
  for (std::uint32_t cell = 0; cell < program.shared_cells; ++cell) now_.memory[cell] = program.image[cell];
  now_.buffers.resize(program.processes.size());
}

std::int32_t NaivePort::load(std::uint32_t cell) {
  const auto& buffer = now_.buffers[acting_];
  if (!buffer.empty()) ++now_.cost.wr;
  for (auto entry = buffer.rbegin(); entry != buffer.rend(); ++entry)
    if (entry->cell == cell) {
      now_.accesses.push_back({Access::Kind::ReadBuffer, acting_, cell, entry->value, 0, entry->from});
      return entry->value;
    }
  const std::int32_t value = now_.memory.at(cell);
  now_.accesses.push_back({Access::Kind::ReadMemory, acting_, cell, value});
  return value;
}

bool NaivePort::store(std::uint32_t cell, std::int32_t value, bool atomic) {
  if (cell == program_.mark && model_ != NaiveModel::Pso) return true;  // a fence for stores that may change places
  auto& buffer = now_.buffers[acting_];
  const bool straight = model_ == NaiveModel::Sc || atomic || (bound_ == 0 && model_ != NaiveModel::Sb1);
  const auto same_cell = [&](const Entry& e) { return e.cell == cell; };
  if (straight) {
    // What the same step stored before arrives before: an atomic write overtakes nothing.
    if (model_ == NaiveModel::Sb1) std::erase_if(buffer, same_cell);
    while (atomic && model_ != NaiveModel::Sb1 && !buffer.empty()) flush(acting_, 0);
    now_.accesses.push_back({Access::Kind::Wrote, acting_, cell, value, now_.memory.at(cell)});
    now_.memory[cell] = value;
    return true;
  }
  if (model_ == NaiveModel::Sb1) {
    if (const auto slot = std::ranges::find_if(buffer, same_cell); slot != buffer.end()) {
      now_.accesses.push_back({Access::Kind::Dropped, acting_, cell, slot->value, 0, slot->from});
      buffer.erase(slot);
    }
    // Slots have no order: keep them sorted, so that equal contents look equal.
    const auto place = std::ranges::find_if(buffer, [&](const Entry& e) { return e.cell > cell; });
    buffer.insert(place, {cell, value, site_});
  } else {
    buffer.push_back({cell, value, site_});
  }
  now_.accesses.push_back({Access::Kind::Buffered, acting_, cell, value});
  return true;
}

bool NaivePort::drained() const {
  return std::ranges::all_of(now_.buffers, [](const auto& buffer) { return buffer.empty(); });
}

bool NaivePort::ready(const ir::Edge& edge) const {
  if (edge.fence_all) return drained();
  if (now_.buffers[acting_].empty()) return true;
  return !edge.fence && (edge.atomic_stores == 0 || model_ == NaiveModel::Sb1);
}

bool NaivePort::admit(const ir::Edge& edge) {
  site_ = edge.site;
  const auto& buffer = now_.buffers[acting_];
  if (model_ == NaiveModel::Sc || model_ == NaiveModel::Sb1) return true;
  const unsigned stores = edge.stores - edge.atomic_stores;
  if (bound_ == 0 || stores == 0 || buffer.empty() || buffer.size() + stores <= bound_) return true;
  now_.waited_for_room = true;
  return false;
}

NaivePort::Mark NaivePort::mark() {
  saved_.push_back(now_);
  return saved_.size() - 1;
}

void NaivePort::undo(Mark mark) {
  const bool waited = now_.waited_for_room;
  now_ = saved_[mark];
  now_.waited_for_room |= waited;
  saved_.resize(mark + 1);  // the mark stays usable: steps undo to it several times
}

std::vector<unsigned> NaivePort::flushable(std::uint32_t process) const {
  std::vector<unsigned> indices;
  const auto& buffer = now_.buffers[process];
  for (unsigned i = 0; i < buffer.size(); ++i) {
    const bool older_same = std::any_of(buffer.begin(), buffer.begin() + i,
                                        [&](const Entry& e) { return program_.keeps_order(e.cell, buffer[i].cell); });
    if (i == 0 || (model_ == NaiveModel::Pso && !older_same) || model_ == NaiveModel::Sb1) indices.push_back(i);
  }
  return indices;
}

void NaivePort::flush(std::uint32_t process, unsigned index) {
  auto& buffer = now_.buffers[process];
  const Entry entry = buffer[index];
  buffer.erase(buffer.begin() + index);
  if (index > 0 && model_ == NaiveModel::Pso) ++now_.cost.ww;
  now_.accesses.push_back(
      {Access::Kind::Flushed, process, entry.cell, entry.value, now_.memory.at(entry.cell), entry.from});
  now_.memory[entry.cell] = entry.value;
}

std::vector<std::int32_t> NaivePort::key() const {
  std::vector<std::int32_t> key(now_.words.begin() + program_.shared_cells,
                                now_.words.begin() + program_.variable_words);
  for (const auto& [cell, value] : now_.memory) key.push_back(value);
  for (const auto& buffer : now_.buffers) {
    key.push_back(-static_cast<std::int32_t>(buffer.size()) - 1);
    for (const Entry& e : buffer) {
      key.push_back(static_cast<std::int32_t>(e.cell));
      key.push_back(e.value);
    }
  }
  return key;
}

std::vector<std::int32_t> NaivePort::memory_words() const {
  std::vector<std::int32_t> words = now_.words;
  for (const auto& [cell, value] : now_.memory) words[cell] = value;
  return words;
}

std::vector<Access> NaivePort::take_accesses() { return std::exchange(now_.accesses, {}); }
core::Cost NaivePort::take_cost() { return std::exchange(now_.cost, {}); }

}  // namespace heddle::check
