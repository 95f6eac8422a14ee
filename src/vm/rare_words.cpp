// SPDX-License-Identifier: Apache-2.0
#include "vm/rare_words.h"

#include <cstring>

#include "support/interner.h"

namespace heddle::vm {
namespace {

support::Interner& table() {
  static support::Interner instance;
  return instance;
}

}  // namespace

std::uint32_t rare_number(std::uint64_t word) { return table().intern(std::as_bytes(std::span(&word, 1))); }

std::uint64_t rare_word(std::uint32_t number) {
  std::uint64_t word;
  std::memcpy(&word, table().get(number).data(), sizeof word);
  return word;
}

}  // namespace heddle::vm
