// SPDX-License-Identifier: Apache-2.0
#include "support/state_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <mutex>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "support/chunk_arena.h"
#include "support/diagnostics.h"
#include "support/node_table.h"
#include "support/root_table.h"
#include "support/tree_learner.h"
#include "support/tree_shape.h"

namespace heddle::support {

static_assert(StateStore::partition_bits == RootTable::partition_bits);

struct StateStore::Tables {
  explicit Tables(const StoreOptions& options)
      : small(options.starts_small ? std::make_unique<ChunkArena>(small_chunk) : nullptr),
        roots(small ? *small : arena, {options.workers > 1 && !options.owned, options.parents, options.flag_bits}),
        shared(options.workers > 1),
        fresh(options.workers) {}

  // There is one list of nodes and one index per partition: while there are few states, their last chunks are most of
  // what the store takes, so it begins with small ones. Beyond this many states they would only cost time.
  static constexpr std::size_t small_chunk = 128;
  static constexpr std::uint64_t few_states = std::uint64_t{1} << 18;
  void outgrow(std::uint64_t states) {
    if (!small || states < few_states) return;
    roots.move_to(arena);
    small.reset();
  }

  // The shape of vectors of this length; a new one if there was none yet.
  const TreeShape& shape_of_length(std::size_t length, std::size_t first_half = 0) {
    const std::lock_guard guard(shapes_lock);
    for (const TreeShape& shape : shapes) {
      if (shape.length == length) return shape;
    }
    return with_tables(shapes.emplace_back(static_cast<std::uint32_t>(shapes.size()), length, first_half));
  }
  void add_shape(std::size_t length, const TreePlan& plan) {
    const std::lock_guard guard(shapes_lock);
    with_tables(shapes.emplace_back(static_cast<std::uint32_t>(shapes.size()), length, plan));
  }
  const TreeShape& with_tables(const TreeShape& shape) {
    for (const TreeShape::Inner& node : shape.inner)
      if (inner[node.table] == nullptr) inner[node.table] = std::make_unique<NodeTable>(arena, shared);
    return shape;
  }
  const TreeShape& shape(std::uint32_t number) {
    const std::lock_guard guard(shapes_lock);
    return shapes[number];
  }

  struct alignas(64) Counter {
    std::atomic<std::uint64_t> value{0};
  };

  ChunkArena arena;
  std::unique_ptr<ChunkArena> small;  // of the roots, as long as they are few
  RootTable roots;
  const bool shared;
  std::mutex shapes_lock;
  // Made with the first shape that needs them: who has a shape may use its tables without the lock.
  std::array<std::unique_ptr<NodeTable>, TreeShape::tables> inner;
  std::deque<TreeShape> shapes;  // stays in place as it grows
  std::vector<Counter> fresh;    // by worker
  bool learnt = false;
  std::array<std::atomic<std::uint64_t>, partitions / 64> touched{};  // partitions with states newer than the frontier
};

// The tree of one vector: its slots and the numbers of its inner nodes, always consistent with each other.
struct Tree {
  const TreeShape* shape = nullptr;
  std::vector<std::uint32_t> values;  // by place; empty: no vector yet
  bool valid = false;
};

namespace {

RootTable::Key key_of(const StateStore::Prepared& prepared) {
  return {prepared.hash, prepared.left, prepared.right, prepared.shape};
}

// Bit i: a[i] and b[i] differ. count ≤ 64.
std::uint64_t differences(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t count) {
  std::uint64_t result = 0;
  std::uint32_t i = 0;
#if defined(__SSE2__)
  for (; i + 4 <= count; i += 4) {
    const __m128i four_a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i));
    const __m128i four_b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i));
    const int equal = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four_a, four_b)));
    result |= static_cast<std::uint64_t>(equal ^ 15) << i;
  }
#elif defined(__ARM_NEON)
  constexpr std::uint32_t powers[4] = {1, 2, 4, 8};
  const uint32x4_t bits = vld1q_u32(powers);
  for (; i + 4 <= count; i += 4) {
    const uint32x4_t equal = vceqq_u32(vld1q_u32(a + i), vld1q_u32(b + i));
    result |= static_cast<std::uint64_t>(vaddvq_u32(vbicq_u32(bits, equal))) << i;
  }
#endif
  for (; i < count; ++i) result |= static_cast<std::uint64_t>(a[i] != b[i]) << i;
  return result;
}

}  // namespace

struct alignas(64) StateStore::Cursor::Scratch {
  // What find_or_add answered lately. Most look-ups of a search repeat, and here they cost no lock.
  struct Remembered {
    std::uint64_t pair = 0;
    std::uint32_t table = 0;  // no inner node is in table 0
    std::uint32_t number = 0;
  };
  static constexpr unsigned remembered_bits = 14;

  struct Change {
    std::uint32_t place, before;
  };

  Tables* tables = nullptr;
  unsigned worker = 0;
  Tree* loaded = nullptr;                    // the tree of the state last loaded
  std::vector<std::unique_ptr<Tree>> trees;  // by shape: the last vector of each
  std::vector<Tree*> by_length;
  RootTable::Key prepared_last{};
  std::vector<Change> changes;       // room for all places of the longest vector, and one
  std::size_t changed = 0;           // used of them
  std::vector<std::uint64_t> dirty;  // bit set over inner nodes; all clear between calls
  std::vector<Remembered> remembered = std::vector<Remembered>(std::size_t{1} << remembered_bits);

  Tree& tree(const TreeShape& shape) {
    if (shape.number >= trees.size()) trees.resize(shape.number + 1);
    auto& tree = trees[shape.number];
    if (tree == nullptr) {
      tree = std::make_unique<Tree>();
      tree->shape = &shape;
      tree->values.resize(shape.values());
      dirty.resize(std::max(dirty.size(), shape.inner.size() / 64 + 1));
      changes.resize(std::max(changes.size(), shape.values() + 1));
    }
    return *tree;
  }
  Tree& tree_of_length(std::size_t length) {
    if (length < by_length.size() && by_length[length] != nullptr) return *by_length[length];
    if (length >= by_length.size()) by_length.resize(length + 1);
    by_length[length] = &tree(tables->shape_of_length(length));
    return *by_length[length];
  }
  Tree& tree_of_shape(std::uint32_t number) {
    if (number < trees.size() && trees[number] != nullptr) return *trees[number];
    return tree(tables->shape(number));
  }

  void mark(std::uint32_t inner) { dirty[inner / 64] |= std::uint64_t{1} << (inner % 64); }

  std::uint32_t node(std::uint32_t table, std::uint32_t left, std::uint32_t right) {
    const std::uint64_t pair = NodeTable::pair(left, right);
    // A weaker hash than the tables': forgetting too much costs time only.
    const std::uint64_t spread = (pair ^ std::uint64_t{table} << 27) * 0x9e3779b97f4a7c15U;
    Remembered& entry = remembered[(spread ^ spread >> 20) >> (64 - remembered_bits)];
    if (entry.pair != pair || entry.table != table) [[unlikely]] {
      entry = {pair, table, tables->inner[table]->find_or_add(pair, NodeTable::hash(pair))};
    }
    return entry.number;
  }

  // Gives the tree new slots: replaces those that differ and looks up the nodes above them, children first. With `keep`
  // it notes in `changes` what to put back.
  void update(Tree& tree, std::span<const std::uint32_t> slots, bool keep);
  void update_small(Tree& tree, std::span<const std::uint32_t> slots, bool keep);
  void update_large(Tree& tree, std::span<const std::uint32_t> slots, bool keep);
  void update_all(Tree& tree, std::span<const std::uint32_t> slots);
  RootTable::Root root(const Tree& tree) const {
    const auto value = [&](std::uint32_t place) { return place == TreeShape::none ? 0 : tree.values[place]; };
    return {value(tree.shape->root_left), value(tree.shape->root_right), tree.shape->number};
  }
};

void StateStore::Cursor::Scratch::update_all(Tree& tree, std::span<const std::uint32_t> slots) {
  std::uint32_t* place = std::copy(slots.begin(), slots.end(), tree.values.data());
  for (const TreeShape::Inner& inner : tree.shape->inner) {
    *place++ = node(inner.table, tree.values[inner.left], tree.values[inner.right]);
  }
  tree.valid = true;
}

// The case of at most 64 inner nodes, which is nearly every one: the set of nodes to look up stays in a register.
void StateStore::Cursor::Scratch::update_small(Tree& tree, std::span<const std::uint32_t> slots, bool keep) {
  const TreeShape& shape = *tree.shape;
  std::uint32_t* const values = tree.values.data();
  const std::uint64_t* const above_bit = shape.above_bit.data();
  const TreeShape::Inner* const inner = shape.inner.data();
  const auto length = static_cast<std::uint32_t>(slots.size());
  const std::size_t step = keep ? 1 : 0;
  Change* change = changes.data();
  std::uint64_t dirty_nodes = 0;
  for (std::uint32_t from = 0; from < length; from += 64) {
    std::uint64_t differ = differences(slots.data() + from, values + from, std::min(length - from, 64U));
    for (; differ != 0; differ &= differ - 1) {
      const std::uint32_t place = from + static_cast<std::uint32_t>(std::countr_zero(differ));
      *change = {place, values[place]};
      change += step;
      values[place] = slots[place];
      dirty_nodes |= above_bit[place];
    }
  }
  while (dirty_nodes != 0) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(dirty_nodes));
    dirty_nodes &= dirty_nodes - 1;
    const std::uint32_t place = length + i;
    const std::uint32_t number = node(inner[i].table, values[inner[i].left], values[inner[i].right]);
    *change = {place, values[place]};
    change += step;
    dirty_nodes |= number != values[place] ? above_bit[place] : 0;
    values[place] = number;
  }
  changed = static_cast<std::size_t>(change - changes.data());
}

void StateStore::Cursor::Scratch::update_large(Tree& tree, std::span<const std::uint32_t> slots, bool keep) {
  const TreeShape& shape = *tree.shape;
  std::uint32_t* const values = tree.values.data();
  const auto length = static_cast<std::uint32_t>(slots.size());
  changed = 0;
  const auto set = [&](std::uint32_t place, std::uint32_t value) {
    if (values[place] == value) return;
    if (keep) changes[changed++] = {place, values[place]};
    values[place] = value;
    if (shape.above[place] != TreeShape::none) mark(shape.above[place]);
  };
  for (std::uint32_t i = 0; i < length; ++i) set(i, slots[i]);
  for (std::size_t w = 0; w < dirty.size(); ++w) {
    while (dirty[w] != 0) {  // children come before parents: no earlier word is marked any more
      const auto i = static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(dirty[w]));
      dirty[w] &= dirty[w] - 1;
      const TreeShape::Inner& inner = shape.inner[i];
      set(length + i, node(inner.table, values[inner.left], values[inner.right]));
    }
  }
}

inline void StateStore::Cursor::Scratch::update(Tree& tree, std::span<const std::uint32_t> slots, bool keep) {
  if (!tree.valid) return update_all(tree, slots);
  tree.shape->inner.size() <= 64 ? update_small(tree, slots, keep) : update_large(tree, slots, keep);
}

StateStore::Cursor::Cursor(std::unique_ptr<Scratch> scratch) : scratch_(std::move(scratch)) {}
StateStore::Cursor::Cursor(Cursor&&) noexcept = default;
StateStore::Cursor& StateStore::Cursor::operator=(Cursor&&) noexcept = default;
StateStore::Cursor::~Cursor() = default;

StateStore::StateStore(const StoreOptions& options) : options_(options) {
  HEDDLE_ASSERT(options.workers >= 1);
  HEDDLE_ASSERT(!options.learns || (options.fixed_length == 0 && !options.parents && options.flag_bits == 0));
  tables_ = std::make_unique<Tables>(options);
  if (options.fixed_length != 0) tables_->shape_of_length(options.fixed_length, options.first_half);
}

StateStore::~StateStore() = default;

StateStore::Cursor StateStore::make_cursor(unsigned worker) {
  HEDDLE_ASSERT(worker < options_.workers);
  auto scratch = std::make_unique<Cursor::Scratch>();
  scratch->tables = tables_.get();
  scratch->worker = worker;
  return Cursor(std::move(scratch));
}

// Once the store has learnt other trees, what a cursor knew is of no use.
inline StateStore::Cursor::Scratch& StateStore::scratch_of(Cursor& cursor) const {
  Cursor::Scratch& scratch = *cursor.scratch_;
  if (scratch.tables != tables_.get()) [[unlikely]] {
    const unsigned worker = scratch.worker;
    cursor.slots_ = {};
    scratch = Cursor::Scratch();
    scratch.tables = tables_.get();
    scratch.worker = worker;
  }
  return scratch;
}

StateStore::Prepared StateStore::prepare(Cursor& cursor, std::span<const std::uint32_t> slots) {
  HEDDLE_ASSERT(options_.fixed_length == 0 || slots.size() == options_.fixed_length);
  Cursor::Scratch& scratch = scratch_of(cursor);
  Tree& tree = scratch.tree_of_length(slots.size());
  // The loaded state must stay. A tree of another length may as well hold the new vector: the next one will be like it.
  const bool keep = &tree == scratch.loaded;
  scratch.update(tree, slots, keep);
  const RootTable::Key key = RootTable::key(scratch.root(tree));
  while (scratch.changed != 0) {
    const auto& change = scratch.changes[--scratch.changed];
    tree.values[change.place] = change.before;
  }
  if (!options_.owned) {  // otherwise somebody else may be in that partition, and its owner does not want us near it
    // By now the partition of the vector prepared before this one has come, and tells where its bucket is.
    tables_->roots.prefetch_partition(key);
    tables_->roots.prefetch_bucket(scratch.prepared_last);
    scratch.prepared_last = key;
  }
  return {key.hash, key.left, key.right, key.shape};
}

void StateStore::expect(const Prepared& prepared) const { tables_->roots.prefetch_partition(key_of(prepared)); }

StateStore::Inserted StateStore::insert(Cursor& cursor, const Prepared& prepared, StateNumber parent,
                                        unsigned depth_mod_3) {
  // no_state + 1 is 0: no parent.
  const RootTable::Inserted inserted = tables_->roots.insert(key_of(prepared), parent + 1, depth_mod_3);
  if (inserted.fresh) {
    auto& counter = tables_->fresh[cursor.scratch_->worker].value;  // of which only this thread is the writer
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const auto partition = static_cast<unsigned>(inserted.number % partitions);
    auto& touched = tables_->touched[partition / 64];
    const std::uint64_t bit = std::uint64_t{1} << (partition % 64);
    if ((touched.load(std::memory_order_relaxed) & bit) == 0) touched.fetch_or(bit, std::memory_order_relaxed);
  }
  return {inserted.number, inserted.fresh};
}

void StateStore::insert(Cursor& cursor, std::span<const Prepared> prepared, StateNumber parent, unsigned depth_mod_3,
                        std::span<Inserted> out) {
  HEDDLE_ASSERT(out.size() >= prepared.size());
  // One after the other each would wait for memory three times; so all of them wait together.
  for (const Prepared& one : prepared) tables_->roots.prefetch_bucket(key_of(one));
  for (const Prepared& one : prepared) tables_->roots.prefetch_node(key_of(one));
  for (std::size_t i = 0; i < prepared.size(); ++i) out[i] = insert(cursor, prepared[i], parent, depth_mod_3);
}

void StateStore::insert(Cursor& cursor, std::span<const Arrival> arrivals, unsigned depth_mod_3,
                        std::span<Inserted> out) {
  HEDDLE_ASSERT(out.size() >= arrivals.size());
  constexpr std::size_t together = 32;  // their lines, four each, still fit the first cache
  for (std::size_t from = 0; from < arrivals.size(); from += together) {
    const auto some = arrivals.subspan(from, std::min(together, arrivals.size() - from));
    for (const Arrival& one : some) tables_->roots.prefetch_partition(key_of(one.prepared));
    for (const Arrival& one : some) tables_->roots.prefetch_bucket(key_of(one.prepared));
    for (const Arrival& one : some) tables_->roots.prefetch_node(key_of(one.prepared));
    for (std::size_t i = 0; i < some.size(); ++i)
      out[from + i] = insert(cursor, some[i].prepared, some[i].parent, depth_mod_3);
  }
}

StateStore::Inserted StateStore::insert(Cursor& cursor, std::span<const std::uint32_t> slots, StateNumber parent,
                                        unsigned depth_mod_3) {
  return insert(cursor, prepare(cursor, slots), parent, depth_mod_3);
}

StateStore::Prepared StateStore::root(StateNumber number) const {
  const RootTable::Root root = tables_->roots.root(number);
  return {0, root.left, root.right, root.shape};
}

void StateStore::load(Cursor& cursor, StateNumber number) const { load(cursor, root(number)); }

void StateStore::load(Cursor& cursor, const Prepared& root) const {
  Cursor::Scratch& scratch = scratch_of(cursor);
  Tree& tree = scratch.tree_of_shape(root.shape);
  const TreeShape& shape = *tree.shape;
  std::uint32_t* values = tree.values.data();
  const std::uint32_t length = shape.length;
  const bool all = !tree.valid;
  const auto set = [&](std::uint32_t place, std::uint32_t value) {
    if (place == TreeShape::none || (values[place] == value && !all)) return;
    values[place] = value;
    if (place >= length) scratch.mark(place - length);
  };
  set(shape.root_left, root.left);
  set(shape.root_right, root.right);
  for (std::size_t w = (shape.inner.size() + 63) / 64; w-- > 0;) {  // parents first
    std::uint64_t& word = scratch.dirty[w];
    while (word != 0) {
      const auto i = static_cast<std::uint32_t>(w * 64 + 63) - static_cast<std::uint32_t>(std::countl_zero(word));
      word ^= std::uint64_t{1} << (i % 64);
      const TreeShape::Inner& inner = shape.inner[i];
      const std::uint64_t pair = (*tables_->inner[inner.table])[values[length + i]];
      set(inner.left, static_cast<std::uint32_t>(pair));
      set(inner.right, static_cast<std::uint32_t>(pair >> 32));
    }
  }
  tree.valid = true;
  scratch.loaded = &tree;
  cursor.slots_ = {values, length};
}

void StateStore::outgrow() { tables_->outgrow(size()); }

bool StateStore::wants_to_learn() const {
  // Fewer states than these tell too little of what is to come, and are done with before it pays.
  constexpr std::uint64_t enough_to_learn = std::uint64_t{1} << 17;
  return options_.learns && !tables_->learnt && size() >= enough_to_learn;
}

void StateStore::learn(std::vector<std::uint64_t>& seen) {
  StateStore old(options_);
  std::swap(old.tables_, tables_);
  tables_->learnt = true;
  Cursor from = old.make_cursor(0), to = make_cursor(0);

  std::vector<TreeLearner> learners(old.tables_->shapes.size());
  for (unsigned p = 0; p < partitions; ++p)  // which are random, so that the first ones are a sample
    for (std::uint64_t i = 0; i < old.partition_size(p); ++i) {
      const Prepared root = old.root(number(p, i));
      TreeLearner& learner = learners[root.shape];
      if (learner.has_enough()) continue;
      old.load(from, root);
      learner.add(from.slots());
    }
  for (std::uint32_t shape = 0; shape < learners.size(); ++shape)
    if (const auto plan = learners[shape].plan()) tables_->add_shape(old.tables_->shape(shape).length, *plan);

  const auto take_over = [&](unsigned p, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      old.load(from, number(p, i));
      insert(to, from.slots(), no_state, old.depth_mod_3(number(p, i)));
    }
  };
  for (unsigned p = 0; p < partitions; ++p) take_over(p, 0, seen[p]);
  const std::vector<std::uint64_t> seen_before = std::exchange(seen, {});
  for (unsigned p = 0; p < partitions; ++p) seen.push_back(partition_size(p));
  for (auto& touched : tables_->touched) touched.store(0, std::memory_order_relaxed);
  for (unsigned p = 0; p < partitions; ++p) take_over(p, seen_before[p], old.partition_size(p));
  HEDDLE_ASSERT(size() == old.size());
}

std::uint64_t StateStore::size() const {
  std::uint64_t sum = 0;
  for (const auto& counter : tables_->fresh) sum += counter.value.load(std::memory_order_relaxed);
  return sum;
}

std::uint64_t StateStore::bytes() const {
  std::uint64_t sum = tables_->arena.bytes() + tables_->roots.bytes();
  if (tables_->small) sum += tables_->small->bytes();
  const std::lock_guard guard(tables_->shapes_lock);
  for (const auto& table : tables_->inner)
    if (table != nullptr) sum += table->bytes();
  return sum;
}

StateNumber StateStore::parent(StateNumber number) const {
  HEDDLE_ASSERT(options_.parents);
  return tables_->roots.parent_plus_1(number) - 1;
}

unsigned StateStore::depth_mod_3(StateNumber number) const { return tables_->roots.extra(number) & 3U; }

bool StateStore::flag(StateNumber number, unsigned bit) const {
  HEDDLE_ASSERT(bit < options_.flag_bits);
  return (tables_->roots.extra(number) >> (2 + bit) & 1U) != 0;
}

bool StateStore::set_flag(StateNumber number, unsigned bit, bool value) {
  HEDDLE_ASSERT(bit < options_.flag_bits);
  const unsigned mask = 4U << bit;
  return (tables_->roots.exchange_extra(number, mask, value ? mask : 0) & mask) != 0;
}

std::uint64_t StateStore::partition_size(unsigned partition) const { return tables_->roots.partition_size(partition); }

StateNumber StateStore::number_limit() const {
  std::uint64_t most = 0;
  for (unsigned p = 0; p < partitions; ++p) most = std::max(most, partition_size(p));
  return most << partition_bits;
}

Frontier::Frontier(StateStore& store)
    : store_(store), seen_(StateStore::partitions), shares_(store.options().workers) {}

std::uint64_t Frontier::advance() {
  store_.outgrow();
  if (store_.wants_to_learn()) store_.learn(seen_);
  batches_.clear();
  for (Share& share : shares_) share = {};
  std::uint64_t states = 0;
  for (unsigned word = 0; word < StateStore::partitions / 64; ++word) {
    std::uint64_t touched = store_.tables_->touched[word].exchange(0, std::memory_order_relaxed);
    for (; touched != 0; touched &= touched - 1) {
      const unsigned partition = word * 64 + static_cast<unsigned>(std::countr_zero(touched));
      const std::uint64_t end = store_.partition_size(partition);
      Share& share = shares_[store_.owner(partition)];
      if (share.end == 0) share.next = batches_.size();
      for (std::uint64_t& begin = seen_[partition]; begin < end;) {
        const std::uint64_t count = std::min(end - begin, largest_batch);
        batches_.push_back({StateStore::number(partition, begin), count});
        begin += count;
        states += count;
      }
      share.end = batches_.size();
    }
  }
  next_.store(0, std::memory_order_relaxed);
  return states;
}

// The states of a batch lie side by side, those of the next one elsewhere.
inline void Frontier::prefetch_behind(std::uint64_t place) const {
  const RootTable& roots = store_.tables_->roots;
  if (place + 1 < batches_.size()) roots.prefetch_root(batches_[place + 1].first);
  if (place + 2 < batches_.size()) roots.prefetch_partition(batches_[place + 2].first);
}

bool Frontier::take(Batch& batch) {
  const std::uint64_t i = next_.fetch_add(1, std::memory_order_relaxed);
  if (i >= batches_.size()) return false;
  prefetch_behind(i);
  batch = batches_[i];
  return true;
}

bool Frontier::take_own(unsigned worker, Batch& batch, std::uint64_t most) {
  Share& share = shares_[worker];
  if (share.next >= share.end) return false;
  Batch& next = batches_[share.next];
  batch = next;
  if (next.count <= most) {
    ++share.next;
    return true;
  }
  batch.count = most;
  next.first += most * Batch::step;
  next.count -= most;
  return true;
}

}  // namespace heddle::support
