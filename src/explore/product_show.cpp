// States, moves and errors of a product, for people.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "explore/product.h"
#include "explore/product_work.h"

namespace heddle::explore {

using core::Kind;
using core::Request;

std::string Product::error_text(std::uint32_t error) const {
  const std::lock_guard lock(errors_mutex_);
  const core::Failure& failure = errors_[error - 1];
  if (failure.site == core::no_site) return failure.message;
  const core::SourcePlace place = program_.place(failure.site);
  return place.line == 0 ? failure.message : fmt::format("{} at {}:{}", failure.message, place.file, place.line);
}

std::string Product::error_kind(std::uint32_t error) const {
  const std::lock_guard lock(errors_mutex_);
  return errors_[error - 1].kind;
}

std::string Product::show(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  if (work.base.ended) return "ended";
  std::string text;
  for (std::size_t t = 0; t < work.base.threads.size(); ++t) {
    const Request& request = work.runner.request(work.base.threads[t].local);
    const core::SourcePlace place = request.site == core::no_site ? core::SourcePlace{} : program_.place(request.site);
    text += fmt::format("{}{}:{}", t == 0 ? "" : " ", t,
                        request.kind == Kind::Ended ? "ended" : std::to_string(place.line));
    if (!work.base.threads[t].buffer.empty()) text += fmt::format("[{}]", work.base.threads[t].buffer.size());
  }
  // Small globals with their values, word by word: larger ones tell a reader of a drawing nothing.
  for (std::uint32_t object = 1; object <= objects_.globals(); ++object) {
    const std::uint32_t chunk = work.base.objects[object], size = objects_.header(chunk).size;
    if (objects_.constant(object) || size == 0 || size > 32) continue;
    text += fmt::format(" {}=", program_.globals()[object - 1].name);
    for (std::uint32_t at = 0; at < size; at += 8) {
      const core::Value v = objects_.read(chunk, at, std::min(8u, size - at));
      text += fmt::format("{}{}", at == 0 ? "" : ",", v.undefined != 0 ? "?" : std::to_string(v.bits));
    }
  }
  return text;
}

std::string Product::move_text(core::State state, const core::Move& move, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  if (move.thread >= work.base.threads.size()) return {};
  if (move.kind == core::Move::Kind::Flush)
    return fmt::format("thread {}: flush{}", move.thread,
                       move.choice == 0 ? "" : fmt::format(" (entry {})", move.choice + 1));
  const Request& request = work.runner.request(work.base.threads[move.thread].local);
  const core::SourcePlace place = request.site == core::no_site ? core::SourcePlace{} : program_.place(request.site);
  if (place.line == 0) return fmt::format("thread {}", move.thread);
  return fmt::format("thread {}: {}{}", move.thread,
                     place.text.empty() ? fmt::format("line {}", place.line) : place.text,
                     place.library ? fmt::format("  [{}]", place.function) : "");
}

}  // namespace heddle::explore
