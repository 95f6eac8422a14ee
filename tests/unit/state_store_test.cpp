// The state store against the obvious set, alone and from several threads. The _slow ones are the promise that no state
// is ever lost: tens of millions of vectors, all read back.
// SPDX-License-Identifier: Apache-2.0
#include "support/state_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <unordered_map>

#include "support/hash.h"

using namespace heddle::support;

namespace {

using Vector = std::vector<std::uint32_t>;

struct VectorHash {
  std::size_t operator()(const Vector& v) const { return hash_bytes(std::as_bytes(std::span(v))); }
};

Vector copy(std::span<const std::uint32_t> slots) { return {slots.begin(), slots.end()}; }

// Inserts vectors from `next` and holds the store to what a std::unordered_map says.
template <class Next>
void compare(const StoreOptions& options, std::size_t inserts, Next next) {
  StateStore store(options);
  auto cursor = store.make_cursor(0);
  std::unordered_map<Vector, StateNumber, VectorHash> oracle;
  std::vector<std::pair<StateNumber, unsigned>> beside;  // parent and depth, by order of arrival
  std::vector<const Vector*> order;
  std::vector<StateNumber> numbers;
  for (std::size_t i = 0; i < inserts; ++i) {
    const Vector vector = next();
    const StateNumber parent = numbers.empty() ? no_state : numbers[i % numbers.size()];
    const auto [number, fresh] = store.insert(cursor, vector, parent, static_cast<unsigned>(i % 3));
    const auto [at, added] = oracle.try_emplace(vector, number);
    ASSERT_EQ(fresh, added);
    ASSERT_EQ(number, at->second);
    if (fresh) {
      order.push_back(&at->first);
      numbers.push_back(number);
      beside.emplace_back(parent, static_cast<unsigned>(i % 3));
    }
    if (i % 5 == 0) {  // go on from some known state, as a search does
      const std::size_t known = i * 7919 % numbers.size();
      store.load(cursor, numbers[known]);
      ASSERT_EQ(copy(cursor.slots()), *order[known]);
    }
  }
  ASSERT_EQ(store.size(), oracle.size());
  auto fresh_cursor = store.make_cursor(0);
  const StateNumber limit = store.number_limit();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_LT(numbers[i], limit);
    store.load(fresh_cursor, numbers[i]);
    ASSERT_EQ(copy(fresh_cursor.slots()), *order[i]);
    ASSERT_EQ(store.depth_mod_3(numbers[i]), beside[i].second);
    if (options.parents) {
      ASSERT_EQ(store.parent(numbers[i]), beside[i].first);
    }
    ASSERT_FALSE(store.insert(fresh_cursor, *order[i], no_state, 0).fresh);
  }
}

// A vector as a search makes them: the last one with one or two slots changed.
class Walk {
 public:
  Walk(std::uint32_t seed, std::size_t length, std::uint32_t values) : random_(seed), values_(values), now_(length) {}
  Vector operator()() {
    for (auto k = random_() % 2 + 1; k > 0 && !now_.empty(); --k) {
      now_[random_() % now_.size()] = static_cast<std::uint32_t>(random_() % values_);
    }
    return now_;
  }

 private:
  std::mt19937 random_;
  std::uint32_t values_;
  Vector now_;
};

// The i-th of a family of vectors that are all distinct, `length` slots of which differ from neighbour to neighbour as
// those of a product of processes do (structured) or wildly.
void family(std::uint64_t i, bool structured, std::span<std::uint32_t> out) {
  const std::uint64_t key = structured ? i : mix(i);  // both are permutations
  for (std::size_t s = 0; s < out.size(); ++s) {
    out[s] = structured ? static_cast<std::uint32_t>(key >> (4 * s % 64) & 15U)
                        : static_cast<std::uint32_t>(key >> (32 * (s % 2)));
  }
}

// Each of `threads` threads inserts all vectors of the family, from a place of its own on; then all are read back.
void insert_from_threads(std::uint64_t count, unsigned threads, std::size_t length, bool structured, bool parents) {
  StateStore store({length, parents, threads, 1});
  std::atomic<std::uint64_t> fresh{0};
  std::atomic<std::uint64_t> wrong{0};
  const auto each = [&](const auto& body) {
    std::vector<std::thread> running;
    for (unsigned t = 0; t < threads; ++t) running.emplace_back(body, t);
    for (auto& thread : running) thread.join();
  };
  each([&](unsigned t) {
    auto cursor = store.make_cursor(t);
    Vector vector(length), other(length);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t i = (k + t * (count / 64)) % count;
      family(i, structured, vector);
      const auto inserted = store.insert(cursor, vector, StateNumber{i}, static_cast<unsigned>(i % 3));
      if (inserted.fresh) fresh.fetch_add(1, std::memory_order_relaxed);
      if (k % 16 == 0) {  // read while others write
        store.load(cursor, inserted.number);
        if (copy(cursor.slots()) != vector) ++wrong;
        if (store.depth_mod_3(inserted.number) != i % 3) ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(fresh, count);
  EXPECT_EQ(store.size(), count);
  // Every vector is found again, and gives itself when loaded; each number is met once.
  each([&](unsigned t) {
    auto cursor = store.make_cursor(t);
    Vector vector(length);
    for (std::uint64_t i = t; i < count; i += threads) {
      family(i, structured, vector);
      const auto inserted = store.insert(cursor, vector, no_state, 0);
      store.load(cursor, inserted.number);
      if (inserted.fresh || !std::equal(vector.begin(), vector.end(), cursor.slots().begin(), cursor.slots().end()))
        ++wrong;
      if (store.set_flag(inserted.number, 0)) ++wrong;
      if (parents && store.parent(inserted.number) != i) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0U);
  std::uint64_t listed = 0;
  for (unsigned p = 0; p < StateStore::partitions; ++p) {
    for (std::uint64_t i = 0; i < store.partition_size(p); ++i)
      listed += store.flag(StateStore::number(p, i), 0) ? 1U : 0U;
  }
  EXPECT_EQ(listed, count);
}

}  // namespace

TEST(StateStore, AgreesWithASetOnFixedLengths) {
  for (const std::size_t length : {1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 64, 65, 66, 130, 200}) {
    SCOPED_TRACE(length);
    compare({length, false, 1, 1}, 20'000, Walk(1, length, 3));
    compare({length, true, 1, 3}, 5'000, Walk(2, length, 1000));
    compare({length, true, 2, 0}, 5'000, Walk(3, length, ~0U));
  }
}

TEST(StateStore, AgreesWithASetOnManyShortVectors) {
  std::mt19937 random(4);
  compare({1, true, 1, 1}, 200'000, [&] { return Vector{static_cast<std::uint32_t>(random() >> random() % 32)}; });
  compare({2, false, 1, 8}, 200'000, [&] {
    return Vector{static_cast<std::uint32_t>(random() >> random() % 32), static_cast<std::uint32_t>(random() % 7)};
  });
}

TEST(StateStore, AgreesWithASetOnVaryingLengths) {
  for (const std::uint32_t values : {2U, 100U, ~0U}) {
    std::mt19937 random(5);
    Vector now;
    compare({0, true, 1, 1}, 60'000, [&] {
      const unsigned what = static_cast<unsigned>(random() % 4);
      if (what == 0 && now.size() < 70) now.push_back(static_cast<std::uint32_t>(random() % values));
      if (what == 1 && !now.empty()) now.pop_back();
      if (what >= 2 && !now.empty()) now[random() % now.size()] = static_cast<std::uint32_t>(random() % values);
      return now;
    });
  }
}

TEST(StateStore, TellsVectorsOfZeroesOfDifferentLengthsApart) {
  StateStore store({0, false, 1, 1});
  auto cursor = store.make_cursor(0);
  std::vector<StateNumber> numbers;
  for (std::size_t length = 0; length < 300; ++length) {
    const auto inserted = store.insert(cursor, Vector(length), no_state, 0);
    ASSERT_TRUE(inserted.fresh);
    numbers.push_back(inserted.number);
  }
  for (std::size_t length = 0; length < 300; ++length) {
    store.load(cursor, numbers[length]);
    ASSERT_EQ(copy(cursor.slots()), Vector(length));
  }
}

TEST(StateStore, InsertingKeepsTheLoadedState) {
  StateStore store({0, false, 1, 1});
  auto cursor = store.make_cursor(0);
  const Vector parent{1, 2, 3, 4, 5, 6, 7};
  store.load(cursor, store.insert(cursor, parent, no_state, 0).number);
  Walk walk(6, 7, 5);
  Walk other(7, 9, 5);
  std::vector<StateStore::Prepared> prepared;
  std::vector<Vector> vectors;
  for (int i = 0; i < 1000; ++i) {
    vectors.push_back(i % 2 == 0 ? walk() : other());
    prepared.push_back(store.prepare(cursor, vectors.back()));
    ASSERT_EQ(copy(cursor.slots()), parent);
  }
  // The first half one by one, then everything at once.
  for (std::size_t i = 0; i < vectors.size() / 2; ++i) {
    const auto inserted = store.insert(cursor, prepared[i], no_state, 0);
    store.load(cursor, inserted.number);
    ASSERT_EQ(copy(cursor.slots()), vectors[i]);
  }
  std::vector<StateStore::Inserted> inserted(vectors.size());
  store.insert(cursor, prepared, no_state, 1, inserted);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    store.load(cursor, inserted[i].number);
    ASSERT_EQ(copy(cursor.slots()), vectors[i]);
    ASSERT_TRUE(!inserted[i].fresh || i >= vectors.size() / 2);
    ASSERT_EQ(inserted[i].fresh, store.depth_mod_3(inserted[i].number) == 1 && !store.set_flag(inserted[i].number, 0));
  }
}

TEST(StateStore, FlagsAreIndependentAndDoNotDisturbTheRest) {
  StateStore store({3, true, 1, 8});
  auto cursor = store.make_cursor(0);
  std::vector<StateNumber> numbers;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    numbers.push_back(
        store.insert(cursor, Vector{i % 10, i / 10, i % 7}, i == 0 ? no_state : numbers[i / 2], i % 3).number);
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((i >> bit & 1U) != 0) {
        ASSERT_FALSE(store.set_flag(numbers[i], bit));
      }
    }
  }
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) ASSERT_EQ(store.flag(numbers[i], bit), (i >> bit & 1U) != 0);
    ASSERT_EQ(store.depth_mod_3(numbers[i]), i % 3);
    ASSERT_EQ(store.parent(numbers[i]), i == 0 ? no_state : numbers[i / 2]);
    ASSERT_EQ(store.set_flag(numbers[i], 0, false), i % 2 == 1);
    ASSERT_FALSE(store.flag(numbers[i], 0));
  }
}

// A store that starts small moves its states to a roomier place between two levels: nothing about them changes.
TEST(Frontier, OutgrowsASmallStoreUnnoticed) {
  StateStore store({.fixed_length = 3, .parents = true, .starts_small = true});
  auto cursor = store.make_cursor(0);
  Frontier frontier(store);
  std::vector<StateNumber> numbers;
  const auto state = [](std::uint32_t i) { return Vector{i % 7, i * 2654435761U, i}; };
  const auto parent = [&](std::uint32_t i) { return i < 10 ? no_state : numbers[i / 2]; };
  std::uint64_t before = 0;
  for (const std::uint32_t end : {10U, 200'000U, 300'000U, 330'000U}) {
    for (auto i = static_cast<std::uint32_t>(numbers.size()); i < end; ++i) {
      const auto inserted = store.insert(cursor, state(i), parent(i), i % 3);
      ASSERT_TRUE(inserted.fresh);
      numbers.push_back(inserted.number);
      if (i % 5 == 0) store.set_flag(inserted.number, 0);
    }
    EXPECT_EQ(frontier.advance(), numbers.size() - before);
    before = numbers.size();
    for (std::uint32_t i = 0; i < end; ++i) {
      store.load(cursor, numbers[i]);
      ASSERT_EQ(copy(cursor.slots()), state(i));
      ASSERT_EQ(store.parent(numbers[i]), parent(i));
      ASSERT_EQ(store.depth_mod_3(numbers[i]), i % 3);
      ASSERT_EQ(store.flag(numbers[i], 0), i % 5 == 0);
      if (i % 17 == 0) {
        const auto again = store.insert(cursor, state(i), no_state, 0);
        ASSERT_FALSE(again.fresh);
        ASSERT_EQ(again.number, numbers[i]);
      }
    }
  }
}

// Breadth-first search of a cube of side n: level d has the cells whose coordinates sum to d.
TEST(Frontier, GivesTheLevelsOfABreadthFirstSearch) {
  for (const unsigned workers : {1U, 3U}) {
    constexpr std::uint32_t n = 40;
    StateStore store({3, false, workers, 1});
    auto first = store.make_cursor(0);
    store.insert(first, Vector{0, 0, 0}, no_state, 0);
    Frontier frontier(store);
    std::vector<std::uint64_t> levels;
    std::atomic<std::uint64_t> wrong{0};
    while (const std::uint64_t size = frontier.advance()) {
      const auto depth = static_cast<unsigned>(levels.size());
      levels.push_back(size);
      std::atomic<std::uint64_t> taken{0};
      std::vector<std::thread> threads;
      for (unsigned w = 0; w < workers; ++w) {
        threads.emplace_back([&, w] {
          auto cursor = store.make_cursor(w);
          Frontier::Batch batch;
          while (frontier.take(batch)) {
            for (std::uint64_t i = 0; i < batch.count; ++i) {
              const StateNumber number = batch.first + i * Frontier::Batch::step;
              store.load(cursor, number);
              ++taken;
              if (cursor.slots()[0] + cursor.slots()[1] + cursor.slots()[2] != depth) ++wrong;
              if (store.depth_mod_3(number) != depth % 3) ++wrong;
              for (unsigned s = 0; s < 3; ++s) {
                Vector next = copy(cursor.slots());
                if (++next[s] < n) store.insert(cursor, next, number, (depth + 1) % 3);
              }
            }
          }
        });
      }
      for (auto& thread : threads) thread.join();
      ASSERT_EQ(taken, size);
    }
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(store.size(), n * n * n);
    ASSERT_EQ(levels.size(), 3 * (n - 1) + 1);
    for (std::size_t d = 0; d < levels.size(); ++d) {
      std::uint64_t expected = 0;
      for (std::size_t x = 0; x < n; ++x) {
        for (std::size_t y = 0; y < n; ++y) expected += d >= x + y && d - x - y < n ? 1U : 0U;
      }
      EXPECT_EQ(levels[d], expected);
    }
  }
}

// A breadth-first search over the numbers below `count`, in levels of all lengths, as vectors of two lengths in which the
// first slot and the last go together. Says what the store takes.
std::uint64_t search_numbers(std::uint64_t count, bool learns) {
  StateStore store({.flag_bits = 0, .starts_small = true, .learns = learns});
  Frontier frontier(store);
  auto cursor = store.make_cursor(0);
  const auto vector_of = [](std::uint64_t i) {
    const auto a = static_cast<std::uint32_t>(i % 1000), b = static_cast<std::uint32_t>(i / 1000);
    Vector vector(10 + i % 2, 7);
    vector.front() = vector.back() = a;
    vector[1] = vector[6] = b;
    return vector;
  };
  const auto number_of = [](std::span<const std::uint32_t> slots) {
    return std::uint64_t{slots[1]} * 1000 + slots.front();
  };
  store.insert(cursor, vector_of(0), no_state, 0);
  std::vector<bool> met(count);
  std::uint64_t below = 0;  // the numbers of all levels so far
  for (unsigned level = 1; const std::uint64_t size = frontier.advance(); ++level) {
    EXPECT_EQ(size, std::min(count, 3 * below + 1) - below);
    below += size;
    std::uint64_t taken = 0;
    Frontier::Batch batch;
    while (frontier.take(batch))
      for (std::uint64_t k = 0; k < batch.count; ++k, ++taken) {
        const StateNumber number = batch.first + k * Frontier::Batch::step;
        EXPECT_EQ(store.depth_mod_3(number), (level - 1) % 3);
        store.load(cursor, number);
        const std::uint64_t i = number_of(cursor.slots());
        EXPECT_EQ(copy(cursor.slots()), vector_of(i));
        EXPECT_FALSE(met[i]);
        met[i] = true;
        for (std::uint64_t next = 3 * i + 1; next <= 3 * i + 3 && next < count; ++next)
          EXPECT_TRUE(store.insert(cursor, vector_of(next), no_state, level % 3).fresh);
        EXPECT_FALSE(store.insert(cursor, vector_of(i / 2), no_state, 0).fresh);
      }
    EXPECT_EQ(taken, size);
  }
  EXPECT_EQ(below, count);
  EXPECT_EQ(store.size(), count);
  return store.bytes();
}

TEST(Frontier, LearnsATreeUnnoticed) {
  constexpr std::uint64_t count = 300'000;
  const std::uint64_t halved = search_numbers(count, false), learnt = search_numbers(count, true);
  // Halved, both halves of a vector vary in as many ways as the whole: a node of each for every state.
  EXPECT_GT(halved, count * 30);
  EXPECT_LT(learnt, count * 20);
}

TEST(StateStore, ThreadsLoseNothing) {
  insert_from_threads(100'000, 4, 8, true, true);
  insert_from_threads(100'000, 4, 2, false, false);
  insert_from_threads(50'000, 3, 17, true, false);
  insert_from_threads(50'000, 4, 12, false, true);
}

TEST(StateStore, ThreadsLoseNothingOfMillions_slow) {
  insert_from_threads(2'000'000, 3, 12, true, false);
  insert_from_threads(2'000'000, 3, 9, false, true);
}

TEST(StateStore, ThreadsLoseNothingOfTensOfMillions_endless) {
  insert_from_threads(12'000'000, 3, 12, true, false);
  insert_from_threads(10'000'000, 3, 9, false, true);
}

TEST(StateStore, StaysSmallOnAProductOfProcesses) {
  StateStore store({8, false, 1, 1});
  auto cursor = store.make_cursor(0);
  Vector vector(8);
  constexpr std::uint64_t count = 1'000'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    family(i, true, vector);
    store.insert(cursor, vector, no_state, 0);
  }
  EXPECT_LT(static_cast<double>(store.bytes()) / static_cast<double>(count), 12.0);
}
