// SPDX-License-Identifier: Apache-2.0
#include "core/show_value.h"

#include <fmt/format.h>

namespace heddle::core {

namespace {

std::string number_text(std::uint64_t bits, unsigned size) {
  switch (size) {
    case 1: return std::to_string(bits);
    case 2: return std::to_string(bits < 0xff00 ? static_cast<std::int64_t>(bits) : static_cast<std::int16_t>(bits));
    case 4:
      return std::to_string(bits < 0xffff0000 ? static_cast<std::int64_t>(bits) : static_cast<std::int32_t>(bits));
    default: return std::to_string(static_cast<std::int64_t>(bits));
  }
}

}  // namespace

std::string unnamed_location(const Loc& loc) { return fmt::format("object {}+{}", loc.object, loc.offset); }

std::string show_value(const Program& program, const Value& value, unsigned size) {
  if (value.undefined != 0) return "undefined";
  if (!value.pointer) return number_text(value.bits, size);
  if (value.bits == 0) return "null";
  const auto globals = program.globals();
  const std::uint32_t object = value.object();
  const bool global = object >= 1 && object <= globals.size();
  const std::string name = global ? "&" + globals[object - 1].name : fmt::format("object {}", object);
  const auto offset = static_cast<std::int32_t>(value.offset());
  return offset == 0 ? name : fmt::format("{}{:+}", name, offset);
}

}  // namespace heddle::core
