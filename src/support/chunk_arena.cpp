// SPDX-License-Identifier: Apache-2.0
#include "support/chunk_arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace heddle::support {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t first_region = std::size_t{64} << 10;
constexpr std::size_t largest_region = std::size_t{8} << 20;

}  // namespace

std::byte* map_pages(std::size_t bytes, bool huge) {
  const std::size_t extra = huge ? huge_page : 0;  // to cut a block on a huge page's border out of
  void* got = mmap(nullptr, bytes + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  auto* base = static_cast<std::byte*>(got);
  if (!huge) return base;
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t before = (huge_page - address % huge_page) % huge_page;
  if (before != 0) munmap(base, before);
  if (extra != before) munmap(base + before + bytes, extra - before);
  madvise(base + before, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on it
  return base + before;
}

void unmap_pages(std::byte* base, std::size_t bytes) { munmap(base, bytes); }

ChunkArena::~ChunkArena() {
  for (const Region& region : regions_) unmap_pages(region.base, region.bytes);
}

std::byte* ChunkArena::allocate(std::size_t bytes) {
  bytes = (bytes + 63) & ~std::size_t{63};
  const SpinGuard guard(lock_, true);
  if (static_cast<std::size_t>(end_ - next_) < bytes) {
    std::size_t size = regions_.empty() ? first_region : std::min(2 * regions_.back().bytes, largest_region);
    while (size < bytes) size *= 2;
    regions_.reserve(regions_.size() + 1);
    next_ = map_pages(size, size >= huge_page);
    end_ = next_ + size;
    regions_.push_back({next_, size});
  }
  std::byte* result = next_;
  next_ += bytes;
  used_.fetch_add(bytes, std::memory_order_relaxed);
  return result;
}

void ChunkList::append(std::size_t count, ChunkArena& arena) {
  std::byte** directory = directory_.load(std::memory_order_relaxed);
  const bool full = count == 0 || (count >= first_capacity && std::has_single_bit(count));
  if (full) {
    const std::size_t capacity = std::max(first_capacity, 2 * count);
    auto** larger = reinterpret_cast<std::byte**>(arena.allocate(capacity * sizeof(std::byte*)));
    std::copy_n(directory, count, larger);
    directory = larger;
  }
  directory[count] = arena.chunk();
  directory_.store(directory, std::memory_order_release);
}

}  // namespace heddle::support
