// Which loads each word of a local state depends on. Kept beside the state, no part of it.
//
// In these sets 2n is load n, and 2n + 1 is load n by a pick dependency: it has decided what was selected, the result of
// a comparison, or whether a compare-exchange wrote. Machines do that by instructions (CSEL, CSET) or by branches, and
// keep such a load before the stores that depend on it, but before no later load. Where the word is used, it is a control
// dependency: of the store whose value it is, of the access whose address it is and all that follows (Arm ARM B2.3).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/load_bits.h"
#include "core/program.h"

namespace heddle::vm {

using core::LoadBits;

class LoadShadow final : public core::Shadow {
 public:
  bool equals(const core::Shadow& other) const override {
    const auto& o = static_cast<const LoadShadow&>(other);
    return loads == o.loads && alone == o.alone && control == o.control && addresses == o.addresses &&
           stored == o.stored && read_back == o.read_back && hidden == o.hidden && words == o.words && parts == o.parts;
  }
  std::uint64_t hash() const override {
    std::uint64_t h = 1 + loads;
    control.hash_into(h);
    addresses.hash_into(h);
    for (const LoadBits& word : words) word.hash_into(h);
    for (const auto& [word, bytes] : parts)
      for (const LoadBits& byte : bytes) byte.hash_into(h);
    return h;
  }

  bool within(const core::Shadow& other, const Inside& inside) const override {
    const auto& o = static_cast<const LoadShadow&>(other);
    if (alone || o.alone) return alone == o.alone;
    const auto inside_if_any = [&](core::LoadSet mine, const auto& theirs) {
      return mine.empty() || inside(mine, theirs());
    };
    const auto covered = [&](const LoadBits& mine, const LoadBits& theirs) {
      return mine.empty() || (inside_if_any(mine.even_halves(), [&] { return theirs.even_halves(); }) &&
                              inside_if_any(mine.odd_halves(), [&] { return theirs.odd_halves(); }));
    };
    if (read_back && !o.read_back) return false;
    if (!std::ranges::all_of(stored, [&](std::uint32_t object) { return std::ranges::count(o.stored, object) > 0; }))
      return false;
    const auto gathered = [&](const LoadBits& mine, const LoadBits& theirs) {
      return theirs.contains(mine) || covered(mine, theirs);
    };
    if (!gathered(control, o.control) || !gathered(addresses, o.addresses) || !gathered(hidden, o.hidden)) return false;
    static const LoadBits none;
    for (std::uint32_t w = 0; w < words.size(); ++w) {
      if (!parts.contains(w) && !o.parts.contains(w)) {  // then its bytes depend on the same loads
        if (!covered(words[w], w < o.words.size() ? o.words[w] : none)) return false;
        continue;
      }
      for (std::uint32_t b = 0; b < 8; ++b)
        if (!covered(of_bytes(w, b, 1), o.of_bytes(w, b, 1))) return false;
    }
    return true;
  }

  // Makes room for so many words of the local state, or forgets those behind them.
  void resize(std::size_t size) {
    words.resize(size);
    parts.erase(parts.lower_bound(static_cast<std::uint32_t>(size)), parts.end());
  }
  // What `count` bytes of private memory depend on, from byte `first` on, which is counted from the word `from`.
  LoadBits of_bytes(std::uint32_t from, std::uint32_t first, unsigned count) const {
    LoadBits all;
    each_word(from, first, count, [&](std::uint32_t word, unsigned begin, unsigned end) {
      if (word >= words.size()) return;
      all.join(words[word]);
      if (const auto part = parts.find(word); part != parts.end())
        for (unsigned b = begin; b < end; ++b) all.join(part->second[b]);
    });
    return all;
  }
  void set_bytes(std::uint32_t from, std::uint32_t first, unsigned count, const LoadBits& now) {
    each_word(from, first, count, [&](std::uint32_t word, unsigned begin, unsigned end) {
      if (words.size() <= word) words.resize(word + 1);
      auto part = parts.find(word);
      if (part == parts.end()) {
        if (words[word] == now) return;
        part = parts.try_emplace(word).first;
        part->second.fill(words[word]);
        words[word].clear();
      }
      auto& bytes = part->second;
      std::fill(bytes.begin() + begin, bytes.begin() + end, now);
      if (!std::all_of(bytes.begin(), bytes.end(), [&](const LoadBits& b) { return b == bytes[0]; })) return;
      words[word] = bytes[0];
      parts.erase(part);
    });
  }

  // Of private objects, by their words.
  void stores(std::uint32_t object, const LoadBits& of_address) {
    if (!(of_address == LoadBits{}) && !std::ranges::count(stored, object)) stored.push_back(object);
  }
  void loads_from(std::uint32_t object) { read_back |= std::ranges::count(stored, object) > 0; }

  std::vector<LoadBits> words;  // beside the words of the local state: registers and private memory
  // Words of private memory whose bytes depend on different loads, by byte; in `words` they depend on none.
  std::map<std::uint32_t, std::array<LoadBits, 8>> parts;
  LoadBits control;
  LoadBits addresses;  // of the accesses to private memory and to constants so far, which are no requests
  std::uint32_t loads = 0;
  std::vector<std::uint32_t> stored;  // private objects, by word, with a store at an address that depends on a load
  bool read_back = false;             // one of them was read after that
  LoadBits hidden;                    // loads that the state may depend on though no word says so, all odd
  // The thread has created no other yet, and was not created itself: what it has loaded comes before all that others see of
  // it, nothing need depend on it, and there are no words.
  bool alone = false;

 private:
  template <class F>
  static void each_word(std::uint32_t from, std::uint32_t first, unsigned count, F&& f) {
    for (std::uint32_t at = first; at < first + count; at = (at / 8 + 1) * 8)
      f(from + at / 8, at % 8, std::min(8U, at % 8 + first + count - at));
  }
};

}  // namespace heddle::vm
