// SPDX-License-Identifier: Apache-2.0
#include "explore/objects.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/rmw.h"

namespace heddle::explore {
namespace {

// A page of n bytes: flags, the bytes, one bit per byte "has an undefined bit", one bit per aligned word "pointer", and
// if some byte is undefined in part the undefined bits of each byte. Undefined bits are stored as zero. Last, if some byte
// is what is left of the name in a pointer that lost another byte of it, one bit per byte that says so.
constexpr std::byte pointers_flag{1}, partial_flag{2}, remains_flag{4};
constexpr std::size_t bytes_at = 1;
std::size_t undefined_at(std::uint32_t n) { return bytes_at + n; }
std::size_t pointers_at(std::uint32_t n) { return undefined_at(n) + (n + 7) / 8; }
std::size_t masks_at(std::uint32_t n) { return pointers_at(n) + (n / 8 + 7) / 8; }
std::size_t remains_at(std::span<const std::byte> page, std::uint32_t n) {
  return masks_at(n) + ((page[0] & partial_flag) != std::byte{0} ? n : 0);
}

bool bit(std::span<const std::byte> page, std::size_t base, std::uint32_t i) {
  return (std::to_integer<unsigned>(page[base + i / 8]) >> (i % 8) & 1) != 0;
}
// `count` bits from i on, at most eight.
unsigned few_bits(std::span<const std::byte> page, std::size_t base, std::uint32_t i, std::uint32_t count) {
  const std::size_t first = base + i / 8, last = base + (i + count - 1) / 8;
  const unsigned bytes = std::to_integer<unsigned>(page[first]) | std::to_integer<unsigned>(page[last]) << 8;
  return bytes >> (i % 8) & ((1u << count) - 1);
}
void set_bit(std::span<std::byte> page, std::size_t base, std::uint32_t i, bool value) {
  std::byte& b = page[base + i / 8];
  const auto mask = static_cast<std::byte>(1u << (i % 8));
  b = value ? b | mask : b & ~mask;
}
bool any(std::span<const std::byte> page, std::size_t from, std::size_t to) {
  return std::any_of(page.begin() + static_cast<std::ptrdiff_t>(from), page.begin() + static_cast<std::ptrdiff_t>(to),
                     [](std::byte b) { return b != std::byte{0}; });
}

// What a value that is read has of names, which are the upper halves of pointers.
struct Names {
  bool some = false;          // a byte of a pointer's
  std::uint64_t remains = 0;  // bytes of which a pointer is no more
};

// `size` bytes at `at` of a page: joined to v from byte `to` on.
void read_page(std::span<const std::byte> page, std::uint32_t n, std::uint32_t at, std::uint32_t size, std::uint32_t to,
               core::Value& v, Names& names) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, page.data() + bytes_at + at, size);
  v.bits |= bits << (8 * to);
  for (unsigned undefined = few_bits(page, undefined_at(n), at, size); undefined != 0; undefined &= undefined - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(undefined));
    const auto mask = (page[0] & partial_flag) != std::byte{0} ? page[masks_at(n) + at + i] : std::byte{0xff};
    v.undefined |= std::to_integer<std::uint64_t>(mask) << (8 * (to + i));
  }
  if ((page[0] & remains_flag) != std::byte{0})
    for (std::uint32_t i = 0; i < size; ++i)
      if (bit(page, remains_at(page, n), at + i)) names.remains |= std::uint64_t{0xff} << (8 * (to + i));
  if ((page[0] & pointers_flag) == std::byte{0}) return;
  for (std::uint32_t word = at / 8; word <= (at + size - 1) / 8 && word < n / 8; ++word)
    names.some |= bit(page, pointers_at(n), word) && at + size > word * 8 + 4;
}

}  // namespace

Objects::Objects(const core::Program& program) {
  std::vector<std::byte> page;
  initial_.push_back(0);
  for (const core::GlobalObject& global : program.globals()) {
    const ObjectHeader header{global.size, core::AllocKind::Static, 0, static_cast<std::uint8_t>(global.constant),
                              static_cast<std::uint8_t>(global.outside)};
    std::size_t pointer = 0;
    initial_.push_back(put_together(header, [&](std::uint32_t p, std::uint32_t n) {
      const std::uint32_t from = p * page_size(global.size);
      page.assign(masks_at(n), std::byte{0});
      if (n != 0 && !global.bytes.empty()) std::memcpy(page.data() + bytes_at, global.bytes.data() + from, n);
      for (std::uint32_t i = 0; i < n && !global.defined.empty(); ++i)
        set_bit(page, undefined_at(n), i, !global.defined[from + i]);
      for (; pointer < global.pointers.size() && global.pointers[pointer] < from + n; ++pointer) {
        set_bit(page, pointers_at(n), (global.pointers[pointer] - from) / 8, true);
        page[0] |= pointers_flag;
      }
      return std::span<const std::byte>(page);
    }));
    constant_.push_back(global.constant);
    ++globals_;
    if (!global.constant) variables_.push_back(globals_);
  }
}

// page(p, n): the contents of page p, of n bytes.
std::uint32_t Objects::put_together(const ObjectHeader& header, auto&& page) {
  thread_local std::vector<std::byte> chunk;
  chunk.resize(sizeof header);
  std::memcpy(chunk.data(), &header, sizeof header);
  const std::uint32_t full = page_size(header.size);
  if (header.size <= full) {
    const std::span<const std::byte> contents = page(0u, header.size);
    chunk.insert(chunk.end(), contents.begin(), contents.end());
    return chunks_.intern(chunk);
  }
  const std::uint32_t count = (header.size + full - 1) / full;
  chunk.resize(sizeof header + std::size_t{count} * 4);
  for (std::uint32_t p = 0; p < count; ++p) {
    const std::uint32_t number = pages_.intern(page(p, std::min(full, header.size - p * full)));
    std::memcpy(chunk.data() + sizeof header + std::size_t{p} * 4, &number, 4);
  }
  return chunks_.intern(chunk);
}

std::uint32_t Objects::make(std::uint32_t size, core::AllocKind kind) {
  const ObjectHeader header{size, kind, 0, 0, kind == core::AllocKind::Outside};
  std::vector<std::byte> page;
  return put_together(header, [&](std::uint32_t, std::uint32_t n) {
    if (page.size() != masks_at(n)) {
      page.assign(masks_at(n), std::byte{0});
      for (std::uint32_t i = 0; i < n; ++i) set_bit(page, undefined_at(n), i, true);
    }
    return std::span<const std::byte>(page);
  });
}

std::uint32_t Objects::instance(std::uint32_t global, core::AllocKind kind) {
  const auto model = chunks_.get(initial_[global]);
  thread_local std::vector<std::byte> chunk;
  chunk.assign(model.begin(), model.end());
  const ObjectHeader header{this->header(initial_[global]).size, kind, 0, 0, kind == core::AllocKind::Outside};
  std::memcpy(chunk.data(), &header, sizeof header);
  return chunks_.intern(chunk);
}

std::uint32_t Objects::freed(std::uint32_t chunk) {
  ObjectHeader h = header(chunk);
  h.freed = 1;
  return chunks_.intern(std::as_bytes(std::span(&h, 1)));
}

ObjectHeader Objects::header(std::uint32_t chunk) const {
  ObjectHeader h;
  std::memcpy(&h, chunks_.get(chunk).data(), sizeof h);
  return h;
}

std::span<const std::byte> Objects::page_of(std::uint32_t chunk, std::uint32_t page) const {
  const auto bytes = chunks_.get(chunk);
  ObjectHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.size <= page_size(h.size)) return bytes.subspan(sizeof h);
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + sizeof h + std::size_t{page} * 4, 4);
  return pages_.get(number);
}

bool Objects::has_pointers(std::span<const std::byte> page) { return (page[0] & pointers_flag) != std::byte{0}; }

bool Objects::has_remains(std::uint32_t chunk) const {
  const ObjectHeader h = header(chunk);
  if (h.freed != 0) return false;
  for (std::uint32_t from = 0; from < h.size; from += page_size(h.size))
    if ((page_of(chunk, from / page_size(h.size))[0] & remains_flag) != std::byte{0}) return true;
  return false;
}

bool Objects::is_pointer(std::span<const std::byte> page, std::uint32_t bytes, std::uint32_t word) {
  return bit(page, pointers_at(bytes), word);
}

namespace {

// The value of which these are the bytes.
inline core::Value finished(core::Value v, const Names& names, std::uint32_t offset, std::uint32_t size) {
  // What is left of a name depends on it as the whole name does; among eight bytes it is no value.
  if (size == 8) v.undefined |= names.remains;
  if (!names.some && (size == 8 || names.remains == 0)) {
    v.bits &= ~v.undefined;
    return v;
  }
  // Fewer than eight bytes of a pointer are marked, since they depend on an object's name; eight that lie across make no
  // value at all.
  v.pointer = size < 8 || offset % 8 == 0;
  if (!v.pointer) v.undefined = core::size_mask(8);
  if (v.pointer) core::settle_pointer(v, size);
  v.bits &= ~v.undefined;
  return v;
}

// Reads across pages. page(p): the contents of page p.
core::Value read_pages(std::uint32_t whole, std::uint32_t offset, std::uint32_t size, auto&& page) {
  core::Value v;
  Names names;
  const std::uint32_t full = Objects::page_size(whole);
  for (std::uint32_t done = 0; done < size;) {
    const std::uint32_t p = (offset + done) / full, at = (offset + done) % full;
    const std::uint32_t n = std::min(full, whole - p * full);
    const std::uint32_t here = std::min(size - done, n - at);
    read_page(page(p), n, at, here, done, v, names);
    done += here;
  }
  return finished(v, names, offset, size);
}

}  // namespace

core::Value Objects::read(std::uint32_t chunk, std::uint32_t offset, std::uint32_t size) const {
  const auto bytes = chunks_.get(chunk);
  ObjectHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (size != 0 && h.size <= page_size(h.size)) {  // nearly always
    core::Value v;
    Names names;
    read_page(bytes.subspan(sizeof h), h.size, offset, size, 0, v, names);
    return finished(v, names, offset, size);
  }
  return read_pages(h.size, offset, size, [&](std::uint32_t p) { return page_of(chunk, p); });
}

void Objects::Open::open(Objects& objects, std::uint32_t chunk) {
  objects_ = &objects;
  chunk_ = chunk;
  header_ = objects.header(chunk);
  page_size_ = page_size(header_.size);
  copy_.assign((header_.size + page_size_ - 1) / page_size_, 0);
  copied_.clear();
  used_ = 0;
  pointers_changed_ = cuts_names_ = false;
}

std::span<std::byte> Objects::Open::writable(std::uint32_t page) {
  if (copy_[page] == 0) {
    if (copies_.size() == used_) copies_.emplace_back();
    const auto from = objects_->page_of(chunk_, page);
    copies_[used_].assign(from.begin(), from.end());
    copied_.push_back(page);
    copy_[page] = static_cast<std::uint32_t>(++used_);
  }
  return copies_[copy_[page] - 1];
}

core::Value Objects::Open::read(std::uint32_t offset, std::uint32_t size) const {
  return read_pages(header_.size, offset, size, [&](std::uint32_t p) {
    return copy_[p] != 0 ? std::span<const std::byte>(copies_[copy_[p] - 1]) : objects_->page_of(chunk_, p);
  });
}

void Objects::Open::write(std::uint32_t offset, std::uint32_t size, const core::Value& value) {
  const std::uint64_t bits = value.bits & ~value.undefined;
  const bool pointer = value.pointer && size == 8 && offset % 8 == 0;
  for (std::uint32_t done = 0; done < size;) {
    const std::uint32_t p = (offset + done) / page_size_, at = (offset + done) % page_size_, n = bytes_in(p);
    const std::uint32_t here = std::min(size - done, n - at);
    auto page = writable(p);
    const bool with_remains = take_remains(p);
    if (with_remains) page = copies_[copy_[p] - 1];
    const std::uint64_t part = bits >> (8 * done), undefined = (value.undefined >> (8 * done)) & core::size_mask(here);
    bool partial = (page[0] & partial_flag) != std::byte{0};
    for (std::uint32_t i = 0; i < here; ++i) {
      const auto mask = (undefined >> (8 * i)) & 0xff;
      if (mask != 0 && mask != 0xff && !partial) {
        // From here on each byte says which of its bits are undefined.
        auto& copy = copies_[copy_[p] - 1];
        copy.resize(masks_at(n) + n);
        page = copy;
        for (std::uint32_t k = 0; k < n; ++k)
          page[masks_at(n) + k] = bit(page, undefined_at(n), k) ? std::byte{0xff} : std::byte{0};
        page[0] |= partial_flag;
        partial = true;
      }
    }
    const auto dynamic_name = [&](std::uint32_t word) {
      std::uint32_t name = 0;
      std::memcpy(&name, page.data() + bytes_at + word * 8 + 4, 4);
      return name > objects_->globals_;
    };
    const bool of_object = (page[0] & pointers_flag) != std::byte{0} &&
                           ((at / 8 < n / 8 && dynamic_name(at / 8)) ||
                            ((at + here - 1) / 8 < n / 8 && dynamic_name((at + here - 1) / 8)));
    std::memcpy(page.data() + bytes_at + at, &part, here);
    for (std::uint32_t i = 0; i < here; ++i) {
      const auto mask = static_cast<std::byte>(undefined >> (8 * i));
      set_bit(page, undefined_at(n), at + i, mask != std::byte{0});
      if (partial) page[masks_at(n) + at + i] = mask;
    }
    if (partial && std::all_of(page.begin() + static_cast<std::ptrdiff_t>(masks_at(n)), page.end(),
                               [](std::byte b) { return b == std::byte{0} || b == std::byte{0xff}; })) {
      page[0] &= ~partial_flag;
      copies_[copy_[p] - 1].resize(masks_at(n));
      page = copies_[copy_[p] - 1];
    }
    if (pointer || (page[0] & pointers_flag) != std::byte{0}) {
      for (std::uint32_t word = at / 8; word <= (at + here - 1) / 8 && word < n / 8; ++word) {
        const bool lost = bit(page, pointers_at(n), word) && at + here > word * 8 + 4;
        if (!pointer && !lost) continue;
        set_bit(page, pointers_at(n), word, pointer);
        pointers_changed_ = true;
        for (std::uint32_t k = word * 8 + 4; k < word * 8 + 8 && !pointer; ++k) {
          if (k >= at && k < at + here) continue;
          set_remains(n, k);
          cuts_names_ |= of_object;
        }
      }
      page[0] &= ~pointers_flag;
      if (pointer || any(page, pointers_at(n), masks_at(n))) page[0] |= pointers_flag;
    }
    if (!remains_.empty()) put_remains(p, at, here);
    done += here;
  }
}

// Takes the bits that say what is left of names off a copied page, while it is written to. False: there are none.
bool Objects::Open::take_remains(std::uint32_t page) {
  remains_.clear();
  auto& copy = copies_[copy_[page] - 1];
  if ((copy[0] & remains_flag) == std::byte{0}) return false;
  const auto at = static_cast<std::ptrdiff_t>(remains_at(copy, bytes_in(page)));
  remains_.assign(copy.begin() + at, copy.end());
  copy.erase(copy.begin() + at, copy.end());
  copy[0] &= ~remains_flag;
  return true;
}

void Objects::Open::set_remains(std::uint32_t bytes, std::uint32_t i) {
  remains_.resize((bytes + 7) / 8);
  set_bit(remains_, 0, i, true);
}

// … and back, but for those of the bytes that were written, if there are any.
void Objects::Open::put_remains(std::uint32_t page, std::uint32_t at, std::uint32_t size) {
  for (std::uint32_t i = at; i < at + size; ++i) set_bit(remains_, 0, i, false);
  if (!any(remains_, 0, remains_.size())) return;
  auto& copy = copies_[copy_[page] - 1];
  copy[0] |= remains_flag;
  copy.insert(copy.end(), remains_.begin(), remains_.end());
}

std::uint32_t Objects::Open::close() {
  if (used_ == 0) return chunk_;
  const auto old = objects_->chunks_.get(chunk_);
  whole_.assign(old.begin(), old.end());
  if (header_.size <= page_size_) {
    whole_.resize(sizeof header_);
    whole_.insert(whole_.end(), copies_[0].begin(), copies_[0].end());
  } else {
    for (std::size_t k = 0; k < used_; ++k) {
      const std::uint32_t number = objects_->pages_.intern(copies_[k]);
      std::memcpy(whole_.data() + sizeof header_ + std::size_t{copied_[k]} * 4, &number, 4);
    }
  }
  return objects_->chunks_.intern(whole_);
}

core::Fault fault_of(const core::Loc& loc, const ObjectHeader& header, bool writes) {
  if (header.freed != 0) return core::Fault::Freed;
  if (std::uint64_t{loc.offset} + loc.size > header.size) return core::Fault::OutOfBounds;
  if (writes && header.constant != 0) return core::Fault::ReadOnly;
  return core::Fault::None;
}

}  // namespace heddle::explore
