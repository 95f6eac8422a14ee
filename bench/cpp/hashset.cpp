// A set by open addressing that any number of threads fill and that grows when it is full, after Barnat, Ročkai, Still and
// Weiser: "Fast, dynamically-sized concurrent hash table", SPIN 2015. A cell is claimed by compare-exchange; of those who find
// no free cell, one closes all cells and moves what is in them to a table of twice the size, and the others wait.
// -D THREADS, ITEMS of each thread, of which COMMON are the same for all.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef COMMON
#define COMMON 1
#endif

class HashSet {
 public:
  HashSet() { tables_[0].make(2); }

  // False: it was there already.
  bool insert(int item) {
    for (;;) {
      const unsigned number = current_.load();
      switch (tables_[number].insert(item)) {
        case Inserted: return true;
        case Present: return false;
        case Full: grow(number);
      }
    }
  }
  unsigned count(int item) const { return tables_[current_.load()].count(item); }

 private:
  static constexpr int empty = 0, closed = -1;
  enum Result { Inserted, Present, Full };

  class Table {
   public:
    void make(unsigned size) {
      size_ = size;
      cells_ = std::make_unique<std::atomic<int>[]>(size);
    }
    unsigned size() const { return size_; }
    Result insert(int item) {
      for (unsigned probe = 0; probe < size_; ++probe) {
        std::atomic<int>& cell = cells_[(static_cast<unsigned>(item) * 5 + probe) % size_];
        int found = cell.load();
        if (found == empty && cell.compare_exchange_strong(found, item)) return Inserted;
        if (found == item) return Present;
        if (found == closed) return Full;
      }
      return Full;
    }
    // What was in cell `at`, which takes nothing any more.
    int close(unsigned at) { return cells_[at].exchange(closed); }
    unsigned count(int item) const {
      unsigned n = 0;
      for (unsigned i = 0; i < size_; ++i) n += cells_[i].load() == item;
      return n;
    }

   private:
    unsigned size_ = 0;
    std::unique_ptr<std::atomic<int>[]> cells_;
  };

  // One thread makes the next table and moves everything; the others wait for it.
  void grow(unsigned number) {
    unsigned expected = number;
    if (growing_.compare_exchange_strong(expected, number + 1)) {
      Table &from = tables_[number], &to = tables_[number + 1];
      to.make(2 * from.size());
      for (unsigned i = 0; i < from.size(); ++i)
        if (const int item = from.close(i); item != empty) {
          const Result result = to.insert(item);
          assert(result == Inserted);
        }
      current_.store(number + 1);
    } else {
      while (current_.load() == number) {}
    }
  }

  std::array<Table, 6> tables_;
  std::atomic<unsigned> current_{0}, growing_{0};
};

int main() {
  HashSet set;
  std::atomic<int> inserted{0};
  std::vector<std::thread> threads;
  const auto item_of = [](int thread, int n) {
    return n < COMMON ? n + 1 : 1 + COMMON + thread * (ITEMS - COMMON) + n - COMMON;
  };
  for (int i = 0; i < THREADS; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < ITEMS; ++n)
        if (set.insert(item_of(i, n))) inserted.fetch_add(1);
    });
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < THREADS; ++i)
    for (int n = 0; n < ITEMS; ++n) assert(set.count(item_of(i, n)) == 1);
  assert(inserted.load() == COMMON + THREADS * (ITEMS - COMMON));
}
