// SPDX-License-Identifier: Apache-2.0
#include "explore/thread_table.h"

#include <algorithm>
#include <cstring>

namespace heddle::explore {

using core::Answer;

LocalNumber ThreadTable::intern(core::ConstLocal bytes) {
  if (program_.names_matter(bytes)) names_matter_.store(true, std::memory_order_relaxed);
  thread_local std::vector<std::byte> kept;
  const auto put = [](const void* from, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(from);
    kept.insert(kept.end(), first, first + size);
  };
  const auto size = static_cast<std::uint32_t>(bytes.size());
  kept.clear();
  put(&size, sizeof size);
  if (size <= largest_whole) {
    put(bytes.data(), size);
    return locals_.intern(kept);
  }
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(page_size, bytes.size()))) {
    const std::uint32_t page = pages_.intern(bytes.first(std::min(page_size, bytes.size())));
    put(&page, sizeof page);
  }
  return locals_.intern(kept);
}

std::uint32_t ThreadTable::size_of(LocalNumber number) const {
  std::uint32_t size;
  std::memcpy(&size, locals_.get(number).data(), sizeof size);
  return size;
}

void ThreadTable::copy(LocalNumber number, core::Local& to) const {
  const std::uint32_t size = size_of(number);
  const std::byte* kept = locals_.get(number).data() + sizeof size;
  if (size <= largest_whole) {
    to.assign(kept, kept + size);
    return;
  }
  to.resize(size);
  for (std::size_t at = 0; at < size; at += page_size, kept += sizeof(std::uint32_t)) {
    std::uint32_t page;
    std::memcpy(&page, kept, sizeof page);
    std::ranges::copy(pages_.get(page), to.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

ThreadRunner::Known& ThreadRunner::known(LocalNumber number) {
  if (known_.size() <= number && known_.size() < most_known) {
    std::size_t size = 256;
    while (size <= number && size < most_known) size *= 2;
    // Below the bound a number is its own place, so what is known stays where it is.
    known_.resize(size);
  }
  Known& k = known_[number & (known_.size() - 1)];
  if (k.number != number) {
    k.number = number;
    k.to = none;
    k.size = table_.size_of(number);
    k.points_to.clear();
    k.request_known = k.pointers_known = k.names_known = false;
  }
  return k;
}

LocalNumber ThreadRunner::loosen(LocalNumber number) {
  table_.copy(number, loose_);
  loose_request_known_ = false;
  return loose;
}

LocalNumber ThreadRunner::settle() { return table_.intern(loose_); }

core::ConstLocal ThreadRunner::bytes_of(LocalNumber number) {
  if (number == loose) return loose_;
  table_.copy(number, scratch_);
  return scratch_;
}

bool ThreadRunner::find_names_matter(LocalNumber number) {
  if (number == loose) return table_.program().names_matter(loose_);
  Known& k = known(number);
  if (!k.names_known) k.names_matter = table_.program().names_matter(bytes_of(number));
  k.names_known = true;
  return k.names_matter;
}

const core::Request& ThreadRunner::find_request(LocalNumber number) {
  if (number == loose) {
    if (!loose_request_known_) loose_request_ = table_.program().request(loose_);
    loose_request_known_ = true;
    return loose_request_;
  }
  Known& k = known(number);
  if (!k.request_known) {
    k.request = table_.program().request(bytes_of(number));
    k.request_known = true;
  }
  return k.request;
}

const std::vector<std::uint32_t>& ThreadRunner::find_pointers(LocalNumber number) {
  Known& k = known(number);
  if (!k.pointers_known) {
    table_.copy(number, scratch_);
    table_.program().visit_pointers(scratch_, [&](core::Value& v) {
      if (v.pointer && v.object() > globals_) add_pointer(k.points_to, v.object());
    });
    k.pointers_known = true;
  }
  return k.points_to;
}

LocalNumber ThreadRunner::start(std::uint32_t entry, const core::Value& arg, core::Tid self) {
  scratch_.clear();
  table_.program().start(entry, arg, self, scratch_);
  return table_.intern(scratch_);
}

LocalNumber ThreadRunner::resume(LocalNumber number, const Answer& answer) {
  if (number == loose || answer.value.undefined != 0 || answer.value.pointer || answer.spurious ||
      answer.fault != core::Fault::None)
    return go(How::Resume, number, 0, answer);
  if (const Known& k = known(number); k.to != none && k.answered == answer.value.bits) return k.to;
  const LocalNumber to = go(How::Resume, number, 0, answer);
  Known& k = known(number);
  k.to = to;
  k.answered = answer.value.bits;
  return to;
}
LocalNumber ThreadRunner::defer(LocalNumber number) { return go(How::Defer, number, 0, {}); }
LocalNumber ThreadRunner::deliver(LocalNumber number, core::Slot slot, const Answer& answer) {
  return go(How::Deliver, number, slot, answer);
}

LocalNumber ThreadRunner::rename(LocalNumber number, const std::function<void(core::Value&)>& change) {
  table_.copy(number, scratch_);
  table_.program().visit_pointers(scratch_, change);
  return table_.intern(scratch_);
}

void ThreadRunner::run_in_place(How how, core::Local& local, core::Slot slot, const Answer& answer) const {
  switch (how) {
    case How::Resume: table_.program().resume(local, answer); break;
    case How::Defer: table_.program().defer(local); break;
    case How::Deliver: table_.program().deliver(local, slot, answer); break;
  }
}

LocalNumber ThreadRunner::run(How how, LocalNumber number, core::Slot slot, const Answer& answer) {
  table_.copy(number, scratch_);
  run_in_place(how, scratch_, slot, answer);
  return table_.intern(scratch_);
}

LocalNumber ThreadRunner::go(How how, LocalNumber number, core::Slot slot, const Answer& answer) {
  if (number == loose) {
    run_in_place(how, loose_, slot, answer);
    loose_request_known_ = false;
    return loose;
  }
  const auto place = [&](const Memo& m) {
    std::uint64_t h = (std::uint64_t{m.from} << 32 | std::uint64_t{m.slot} << 16 | static_cast<unsigned>(m.how)) *
                      0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ m.bits) * 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
  };
  const Memo wanted{number,
                    0,
                    answer.value.bits,
                    answer.value.undefined,
                    slot,
                    static_cast<std::uint8_t>(answer.fault),
                    answer.value.pointer,
                    answer.spurious,
                    how};
  const auto same = [](const Memo& a, const Memo& b) {
    return a.from == b.from && a.bits == b.bits && a.slot == b.slot && a.undefined == b.undefined &&
           a.fault == b.fault && a.pointer == b.pointer && a.spurious == b.spurious && a.how == b.how;
  };
  std::size_t at = place(wanted) & (memo_.size() - 1);
  for (; memo_[at].from != none; at = (at + 1) & (memo_.size() - 1))
    if (same(memo_[at], wanted)) return memo_[at].to;
  Memo entry = wanted;
  entry.to = run(how, number, slot, answer);
  if (memo_.size() >= most_memos && (used_ + 1) * 3 > memo_.size() * 2) {
    // Full: it takes the place of another, if one stands where it belongs. Empty places stay, or searches would not
    // end.
    if (Memo& home = memo_[place(wanted) & (memo_.size() - 1)]; home.from != none) home = entry;
    return entry.to;
  }
  memo_[at] = entry;
  if (++used_ * 3 > memo_.size() * 2) {
    std::vector<Memo> old(memo_.size() * 2);
    old.swap(memo_);
    for (const Memo& m : old) {
      if (m.from == none) continue;
      std::size_t i = place(m) & (memo_.size() - 1);
      while (memo_[i].from != none) i = (i + 1) & (memo_.size() - 1);
      memo_[i] = m;
    }
  }
  return entry.to;
}

}  // namespace heddle::explore
