// SPDX-License-Identifier: Apache-2.0
#include "explore/product.h"

#include <algorithm>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include "core/heap_family.h"
#include "core/rmw.h"
#include "explore/product_work.h"
#include "explore/sleepers.h"
#include "explore/vain_reads.h"
#include "support/diagnostics.h"

namespace heddle::explore {
namespace {

using core::Kind;
using core::Request;
}  // namespace

// The successors of one decoded state: hands each to `sink`, or records how one of them comes about.
class Product::Step final : private memory::Cells {
 public:
  Step(const Product& product, Work& work, core::Reduction reduction, core::SuccessorSink& sink)
      : product_(product),
        work_(work),
        reduction_(reduction),
        sink_(sink),
        quiet_(reduction == core::Reduction::Safety && !product.options_.races &&
               product.options_.conditions == nullptr),
        sleep_(quiet_ && product.machine_.traits().private_stores_sleep),
        roomy_(sleep_ || (quiet_ && product.machine_.traits().fifo)) {}

  void all() {
    if (work_.base.ended) return;
    const auto count = static_cast<std::uint32_t>(work_.base.threads.size());
    for (std::uint32_t t = 0; t < count && !sink_.enough(); ++t) thread(t);
    for (std::uint32_t t = 0; t < count && !sink_.enough(); ++t) {
      work_.open.forget();  // what a step has written that came to nothing is not in the base
      product_.machine_.flushable(work_.base.threads[t].buffer, flushes_);
      if (find_sleepers(work_.base, t) && !at_end(work_.base, t)) flush_around_sleepers(t);
      else
        for (const unsigned index : flushes_) flush(t, index);
    }
  }

  // The single moves of the successor that was emitted last.
  const std::vector<core::Move>& moves() const { return moves_; }

 private:
  void thread(std::uint32_t t) {
    const Kind kind = work_.runner.request(work_.base.threads[t].local).kind;
    if (kind == Kind::Ended || kind == Kind::Await || kind == Kind::Blocked) return;
    memory_set_ = core::Successor::no_set;
    move_ = {core::Move::Kind::Step, t, 0};
    run(begin(), t, 0, true, {}, longest_chain);
  }

  // A copy of the base to take a step in.
  World& begin() {
    work_.open.forget();
    moves_.clear();
    ordinal_ = 0;
    World& world = work_.fresh_world(0);
    world.copy_from(work_.base, product_.objects_, product_.options_.races);
    return world;
  }

  // Has the thread sleeping stores? They are in sleepers_ then.
  bool find_sleepers(World& world, std::uint32_t t) { return sleep_ && find_private(world, t); }
  // Has it buffered stores that no other thread can notice? They are in sleepers_ then, whether or not they sleep.
  bool find_private(World& world, std::uint32_t t) {
    const memory::Buffer& buffer = world.threads[t].buffer;
    const Objects& objects = product_.objects_;
    if (std::ranges::none_of(buffer, [&](const auto& e) { return e.loc.object > objects.globals(); })) return false;
    look(world, t);
    sleepers_.find(
        buffer, product_.options_.buffer_bound,
        [&](std::uint32_t o) { return work_.renaming.shared_now(o) || objects.is_gone(world.objects, o); },
        [&](std::uint32_t o) { return objects.is_kept(world.objects, o); });
    return sleepers_.count() != 0;
  }

  bool at_end(const World& world, std::uint32_t t) {
    return work_.runner.request(world.threads[t].local).kind == Kind::Ended;
  }

  // The flushes of all entries that do not sleep, also those that only sleeping ones are in front of.
  void flush_around_sleepers(std::uint32_t t) {
    const memory::Buffer& buffer = work_.base.threads[t].buffer;
    const Sleepers sleepers = sleepers_;
    for (unsigned i = 0; i < buffer.size(); ++i) {
      if (buffer[i].kind != memory::Entry::Kind::Store || sleepers.at(i)) continue;
      const std::size_t barrier = Sleepers::barrier_before(buffer, i);
      if (!sleepers.only(buffer, barrier) || memory::any_overlap(buffer, buffer[i].loc, i)) continue;
      flush(t, i, static_cast<unsigned>(barrier));
    }
  }

  // Performs the stores among the first `end` entries, in their order.
  void wake(World& world, std::uint32_t t, std::size_t end) {
    memory::Buffer& buffer = world.threads[t].buffer;
    auto stores = std::count_if(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(end),
                                [](const memory::Entry& e) { return e.kind == memory::Entry::Kind::Store; });
    for (; stores > 0; --stores) wake_one(world, t, 0);
  }
  void wake_one(World& world, std::uint32_t t, unsigned index) {
    product_.machine_.flush(world.threads[t].buffer, *this, index);
    moves_.push_back({core::Move::Kind::Flush, t, index});
  }

  // Performs a sleeping store of the thread that nothing in its buffer holds back. False: there is none.
  bool wake_any(World& world, std::uint32_t t) {
    const memory::Buffer& buffer = world.threads[t].buffer;
    if (!find_sleepers(world, t)) return false;
    for (unsigned i = 0; i < buffer.size() && buffer[i].kind == memory::Entry::Kind::Store; ++i)
      if (sleepers_.at(i) && !memory::any_overlap(buffer, buffer[i].loc, i)) {
        wake_one(world, t, i);
        return true;
      }
    return false;
  }

  // A store to where another one sleeps is about to come: the oldest of those that others follow makes room for it.
  void make_room(World& world, std::uint32_t t, const Request& r) {
    const memory::Buffer& buffer = world.threads[t].buffer;
    const unsigned bound = product_.options_.buffer_bound;
    if (bound == 0 || buffer.size() <= bound || !memory::overlaps_store(buffer, r.loc) || !find_sleepers(world, t) ||
        sleepers_.followed().size() < bound || Sleepers::barrier_before(buffer, sleepers_.followed().front()) != 0)
      return;
    wake_one(world, t, sleepers_.first_to_leave(buffer));
    product_.buffer_bound_reached_.store(true, std::memory_order_relaxed);
  }

  // Performs the sleeping stores that a request of the thread needs gone.
  void wake_for(World& world, std::uint32_t t, const Request& r) {
    memory::Buffer& buffer = world.threads[t].buffer;
    const bool some = r.kind == Kind::Rmw && r.order < core::Order::Release && !r.locked;
    const bool all = product_.machine_.held(buffer) || r.locked || (r.kind == Kind::Rmw && !some) ||
                     r.kind == Kind::Exit || r.kind == Kind::Spawn || r.kind == Kind::Join ||
                     (r.kind == Kind::Fence && r.order == core::Order::SeqCst) || ordered_outside(world, r);
    if (!(all || some) || buffer.empty() || !find_sleepers(world, t)) return;
    const std::size_t end = all ? buffer.size() : Sleepers::barrier_before(buffer, buffer.size());
    if (!sleepers_.only(buffer, end)) return;
    const std::size_t before = buffer.size();
    wake(world, t, end);
    if (some)  // of those behind the last mark, which are left, the ones that overlap
      for (unsigned i = 0; i < buffer.size();) {
        const bool sleeps = sleepers_.at(before - buffer.size() + i);
        if (sleeps && buffer[i].loc.overlaps(r.loc) && !memory::any_overlap(buffer, buffer[i].loc, i))
          wake_one(world, t, i);
        else ++i;
      }
  }

  void flush(std::uint32_t t, unsigned index, unsigned sleeping_in_front = 0) {
    World& world = begin();
    world_ = &world;
    move_ = {core::Move::Kind::Flush, t, index};
    memory_set_ = index == 0 ? t : core::Successor::no_set;
    auto& thread = world.threads[t];
    wake(world, t, sleeping_in_front);
    index -= sleeping_in_front;
    moves_.push_back({core::Move::Kind::Flush, t, index});
    bool race = false;
    const memory::Flushed done = flush_entry(world, t, index, race);
    if (done.fault != core::Fault::None) {
      emit_error({"write-after-free", "a buffered store reached memory that has been freed", core::no_site}, done.cost);
      return;
    }
    if (race) return emit_race(done.cost);
    if (done.deliver) {
      thread.local = work_.runner.deliver(thread.local, *done.deliver, done.answer);
      run(world, t, 0, false, done.cost, longest_chain);
      return;
    }
    flush_private_front(world, t);
    emit(world, done.cost);
  }

  // Where stores leave in their order, the oldest may go at once if only its thread can reach its object: nobody can
  // tell, and no address that is published later overtakes it.
  void flush_private_front(World& world, std::uint32_t t) {
    memory::Buffer& buffer = world.threads[t].buffer;
    if (!quiet_ || !product_.machine_.traits().fifo) return;
    while (!buffer.empty() && buffer.front().kind == memory::Entry::Kind::Store &&
           buffer.front().loc.object > product_.objects_.globals() && !shared(world, buffer.front().loc.object, t))
      wake_one(world, t, 0);
  }

  // Asked at every access of a step; most steps end before the sink is asked.
  bool enough() { return (++accesses_ & 63) == 0 && sink_.enough(); }

  // A thread on its way through one step.
  struct Way {
    World& world;
    std::uint32_t t;
    unsigned depth;     // of choices within the step
    unsigned patience;  // invisible actions that may still be run through, by their price
    core::Cost cost;
    bool hinges = true;    // the step cannot end before the current request
    unsigned actions = 0;  // that were performed

    World::Thread& thread() const { return world.threads[t]; }
  };
  enum class Did : std::uint8_t {
    Step,   // the request was performed
    Noted,  // … and its moves are written down
    Ended   // nothing more comes of this way
  };

  // Runs thread t: its request if `must`, then everything that belongs to the same step. Emits what comes out.
  void run(World& world, std::uint32_t t, unsigned depth, bool must, core::Cost cost, unsigned patience) {
    Way way{world, t, depth, patience, cost};
    for (;; must = false, ++way.actions) {
      if (enough()) return;
      world_ = &world;
      World::Thread& thread = way.thread();
      if (way.actions == remembered_chain) thread.local = work_.runner.loosen(thread.local);
      const Request request = work_.runner.request(thread.local);  // a copy: the next call overwrites it
      if (request.kind == Kind::Failed)
        return emit_error(product_.program_.failure(work_.runner.bytes_of(thread.local)), way.cost);
      const bool joined = !must && request.joined;
      if (!must && !joined) {
        // Whoever has ended publishes nothing any more.
        if (sleep_ && request.kind == Kind::Ended && all_asleep(world, t)) wake(world, t, thread.buffer.size());
        if (way.patience == 0 || (depth >= deepest_choice && branches(request)) || !invisible(world, t, request))
          return emit(world, way.cost);
        way.patience -= std::min(way.patience, price(world, t));
      }
      if (joined && moves_.size() > longest_section)
        return emit_error({"unsupported", "an atomic section does not end within a million accesses", request.site},
                          way.cost);
      if (joined && depth >= most_section_choices && branches(request))
        return emit_error({"unsupported", "an atomic section makes more than a thousand choices", request.site},
                          way.cost);
      way.hinges = must || joined;
      if (sleep_ && request.kind == Kind::Store) make_room(world, t, request);
      // A step that ends in front of its request must leave them asleep: only where it hinges on it or cannot fail.
      if (sleep_ && (must || request.kind == Kind::Spawn || request.kind == Kind::Join || request.kind == Kind::Fence))
        wake_for(world, t, request);
      if (product_.machine_.held(thread.buffer)) return give_up(way);
      const Did did = perform(way, request, must);
      if (did == Did::Ended) return;
      if (did == Did::Step) note(t);
    }
  }

  bool branches(const Request& r) const { return r.kind == Kind::Choose || (r.weak && product_.options_.spurious_cas); }

  void note(std::uint32_t t, std::uint32_t choice = 0) { moves_.push_back({core::Move::Kind::Step, t, choice}); }
  Did ended(const Way& way) {
    give_up(way);
    return Did::Ended;
  }

  Did perform(Way& way, const Request& request, bool must) {
    switch (request.kind) {
      case Kind::Load:
      case Kind::Store:
      case Kind::Rmw:
      case Kind::Fence: return request.asks_size() ? tell_size(way, request) : perform_access(way, request, must);
      case Kind::Choose: return choose(way, request);
      case Kind::Alloc: return allocate(way, request);
      case Kind::Free: return perform_free(way, request);
      case Kind::Spawn: return spawn(way, request);
      case Kind::Join: return join(way, request);
      case Kind::Exit:
        if (!way.thread().buffer.empty()) return ended(way);
        end(way);
        return Did::Ended;
      case Kind::Blocked:
      case Kind::Diverges:
        // Self-loop of a diverging thread, emitted only without reduction: an ample set that consists of it alone would
        // ignore all other threads.
        if (!must || request.kind != Kind::Diverges || reduction_ != core::Reduction::None) return ended(way);
        note(way.t);
        emit(way.world, way.cost);
        return Did::Ended;
      case Kind::Await:
      case Kind::Ended:
      case Kind::Failed: return ended(way);
    }
    return Did::Ended;
  }

  Did tell_size(const Way& way, const Request& request) {
    core::Answer answer = read(request.loc);
    if (answer.fault == core::Fault::None) {
      const ObjectHeader h = product_.objects_.header(way.world.objects[request.loc.object]);
      answer.value = core::object_facts(h.size, h.kind);
    }
    way.thread().local = work_.runner.resume(way.thread().local, answer);
    return Did::Step;
  }

  Did perform_access(Way& way, const Request& request, bool must) {
    World& world = way.world;
    World::Thread& thread = way.thread();
    const std::uint32_t t = way.t;
    if (const auto price_of_failure = spurious_failure(world, t, request))
      fail_spuriously(way, request, *price_of_failure);
    const bool settles = settles_at_once(world, t, request);
    const unsigned stores = product_.options_.races ? memory::count_stores(thread.buffer) : 0;
    const memory::Performed done = access(world, t, request);
    way.cost = way.cost + done.cost;
    if (done.full) {
      product_.buffer_bound_reached_.store(true, std::memory_order_relaxed);
      sink_.withheld(t);
    }
    if (done.outcome == memory::Outcome::NotNow) {
      if (!must || !product_.options_.deadlocks || !in_lock_cycle(world, t)) return ended(way);
      emit_error({"deadlock", "threads wait for each other's locks", request.site}, way.cost);
      return Did::Ended;
    }
    if (product_.options_.races && done.answer.fault == core::Fault::None && races(world, t, request, done, stores))
      return raced(way);
    thread.local = done.outcome == memory::Outcome::Deferred ? work_.runner.defer(thread.local)
                                                             : work_.runner.resume(thread.local, done.answer);
    // A thread that fails right behind its store has failed: nothing comes after that.
    if (!settles || thread.buffer.empty() || work_.runner.request(thread.local).kind == Kind::Failed) return Did::Step;
    note(t);
    bool race = false;
    const memory::Flushed flushed = flush_entry(world, t, 0, race);
    if (flushed.deliver) thread.local = work_.runner.deliver(thread.local, *flushed.deliver, flushed.answer);
    moves_.push_back({core::Move::Kind::Flush, t, 0});
    if (!race) return Did::Noted;
    emit_race(way.cost);
    return Did::Ended;
  }

  Did raced(const Way& way) {
    note(way.t);
    emit_race(way.cost);
    return Did::Ended;
  }

  // The branch in which the weak compare-exchange fails although the values are equal.
  void fail_spuriously(const Way& way, const Request& request, const core::Cost& price_of_failure) {
    settle(way.world, way.t);
    World& other = work_.fresh_world(way.depth + 1);
    other.copy_from(way.world, product_.objects_, product_.options_.races);
    const auto so_far = moves_.size();
    const auto fulfilled = memory_set_;
    note(way.t, 1);
    other.threads[way.t].local = work_.runner.resume(way.thread().local, {.value = request.expected, .spurious = true});
    if (product_.options_.races && other.races.rmw(way.t, request, false)) emit_race(way.cost);
    else run(other, way.t, way.depth + 1, false, way.cost + price_of_failure, way.patience);
    moves_.resize(so_far);
    memory_set_ = fulfilled;
    return_to(way.world, way.t, way.actions);
  }

  // Every choice but the last is a branch in a world of its own.
  Did choose(const Way& way, const Request& request) {
    const std::uint64_t choices = request.value.bits;
    World::Thread& thread = way.thread();
    if (choices > 1) settle(way.world, way.t);
    for (std::uint64_t c = 0; c + 1 < choices; ++c) {
      if (enough()) return Did::Ended;
      World& other = work_.fresh_world(way.depth + 1);
      other.copy_from(way.world, product_.objects_, product_.options_.races);
      const auto so_far = moves_.size();
      const auto fulfilled = memory_set_;
      note(way.t, static_cast<std::uint32_t>(c));
      other.threads[way.t].local = work_.runner.resume(thread.local, {core::Value(c)});
      run(other, way.t, way.depth + 1, false, way.cost, way.patience);
      moves_.resize(so_far);
      memory_set_ = fulfilled;
      work_.open.forget();
    }
    if (choices > 1) return_to(way.world, way.t, way.actions);
    if (choices == 0) return Did::Ended;
    note(way.t, static_cast<std::uint32_t>(choices - 1));
    thread.local = work_.runner.resume(thread.local, {core::Value(choices - 1)});
    return Did::Noted;
  }

  Did allocate(const Way& way, const Request& request) {
    const auto object = static_cast<std::uint32_t>(way.world.objects.size());
    const core::AllocKind kind = request.storage;
    const std::uint32_t model = request.initial_contents().object();
    way.world.objects.push_back(model != 0
                                    ? product_.objects_.instance(model, kind)
                                    : product_.objects_.make(static_cast<std::uint32_t>(request.value.bits), kind));
    way.thread().local = work_.runner.resume(way.thread().local, {core::Value::address(object, 0)});
    return Did::Step;
  }

  Did perform_free(const Way& way, const Request& request) {
    if (memory::loads_pending(way.thread().buffer, request.value.object())) return ended(way);
    // The oldest entry goes with the object that it is for.
    if (const memory::Buffer& buffer = way.thread().buffer;
        !buffer.empty() && buffer.front().loc.object == request.value.object())
      memory_set_ = way.t;
    const core::Fault fault = free(way.world, way.t, request);
    if (product_.options_.races && fault == core::Fault::None && way.world.races.free(way.t, request.value.object()))
      return raced(way);
    way.thread().local = work_.runner.resume(way.thread().local, {.value = {}, .fault = fault});
    return Did::Step;
  }

  Did spawn(Way& way, const Request& request) {
    World& world = way.world;
    if (!way.thread().buffer.empty()) return ended(way);
    const auto self = static_cast<core::Tid>(world.threads.size());
    const LocalNumber local = work_.runner.start(request.entry, request.value, self);
    way.thread().local = work_.runner.resume(way.thread().local, {core::Value(self)});
    world.threads.emplace_back();
    world.threads.back().local = local;
    world.others_as_before = false;
    way.patience -= std::min(way.patience, price(world, self));
    if (product_.options_.races) world.races.spawn(way.t);
    return Did::Step;
  }

  Did join(const Way& way, const Request& request) {
    if (!way.thread().buffer.empty()) return ended(way);
    const std::uint64_t other = request.value.bits;
    core::Answer answer;
    if (other >= way.world.threads.size() || other == way.t) {
      answer.fault = core::Fault::Wild;
    } else {
      if (!has_ended(way.world, static_cast<std::uint32_t>(other))) return ended(way);
      if (product_.options_.races) way.world.races.join(way.t, static_cast<std::uint32_t>(other));
    }
    way.thread().local = work_.runner.resume(way.thread().local, answer);
    return Did::Step;
  }

  // What happens-before makes of a request that was performed. True if it is the second access of a race.
  bool races(World& world, std::uint32_t t, const Request& r, const memory::Performed& done, unsigned stores_before) {
    if (r.kind == Kind::Fence) {
      world.races.fence(t, r.locked && !product_.options_.seq_cst_only ? core::Order::SeqCst : r.order);
      return false;
    }
    if (r.loc.object <= product_.objects_.globals() && product_.objects_.constant(r.loc.object)) return false;
    memory::Buffer& buffer = world.threads[t].buffer;
    const auto newest = [&](memory::Entry::Kind kind) {
      return &*std::ranges::find(buffer.rbegin(), buffer.rend(), kind, &memory::Entry::kind);
    };
    switch (r.kind) {
      case Kind::Load:
        return world.races.load(
            t, r, buffer, done.outcome == memory::Outcome::Deferred ? newest(memory::Entry::Kind::Load) : nullptr);
      case Kind::Store:
        return world.races.store(
            t, r, memory::count_stores(buffer) > stores_before ? newest(memory::Entry::Kind::Store) : nullptr);
      default: return world.races.rmw(t, r, memory::wrote(r, done.answer.value));
    }
  }

  memory::Flushed flush_entry(World& world, std::uint32_t t, unsigned index, bool& race) {
    memory::Buffer& buffer = world.threads[t].buffer;
    const memory::Entry entry = buffer[index];
    const memory::Flushed done = product_.machine_.flush(buffer, *this, index);
    if (product_.options_.races && done.fault == core::Fault::None && done.answer.fault == core::Fault::None)
      race = world.races.flush(t, entry);
    return done;
  }

  void emit_race(const core::Cost& cost) {
    emit_error({"race", "two accesses that nothing orders", core::no_site}, cost);
  }

  // What one invisible action counts for: time is mostly spent on copying local states and on looking for who can reach
  // an object.
  unsigned price(const World& world, std::uint32_t t) {
    const std::size_t copied = work_.runner.copied(world.threads[t].local);
    const std::size_t searched = alone(world, t) ? 0 : world.objects.size();
    return static_cast<unsigned>(1 + copied / 1024 + world.threads.size() / 16 + searched / 256);
  }

  // Ends what the step in work has open: the world's numbers say all from here on.
  void settle(World& world, std::uint32_t t) {
    if (world.threads[t].local == ThreadRunner::loose) world.threads[t].local = work_.runner.settle();
    close(world);
  }
  // Back from a branch of the step to the world in which it began. Requires that to be settled.
  void return_to(World& world, std::uint32_t t, unsigned actions) {
    work_.open.forget();
    world_ = &world;
    if (actions >= remembered_chain) world.threads[t].local = work_.runner.loosen(world.threads[t].local);
  }

  // The request cannot be performed now: a step that hinges on it is not enabled; otherwise the step ends before it.
  void give_up(const Way& way) {
    if (!way.hinges) emit(way.world, way.cost);
  }

  bool in_lock_cycle(const World& world, std::uint32_t t) {
    return explore::in_lock_cycle(world, t, work_.runner, [this](const core::Loc& loc) { return read(loc); });
  }

  bool has_ended(const World& world, std::uint32_t t) { return world.threads[t].buffer.empty() && at_end(world, t); }

  // The cost of a spurious failure, if the weak compare-exchange may have one now: it waits for what the exchange waits
  // for, which the machine is asked by one that cannot succeed and so changes nothing.
  std::optional<core::Cost> spurious_failure(World& world, std::uint32_t t, const Request& r) {
    if (!r.weak || r.kind != Kind::Rmw || r.op != core::RmwOp::Cas) return std::nullopt;
    product_.weak_cas_.store(true, std::memory_order_relaxed);
    if (!product_.options_.spurious_cas) return std::nullopt;
    const core::Answer there = read(r.loc);
    if (there.fault != core::Fault::None || !core::cas_succeeds(there.value, r.expected, r.loc.size))
      return std::nullopt;
    Request failing = r;
    failing.expected = core::Value(~r.expected.bits);
    const memory::Performed asked = access(world, t, failing);
    return asked.outcome == memory::Outcome::Done ? std::optional(asked.cost) : std::nullopt;
  }

  // Has every other thread ended?
  bool alone(const World& world, std::uint32_t t) {
    for (std::uint32_t other = 0; other < world.threads.size(); ++other)
      if (other != t && !has_ended(world, other)) return false;
    return true;
  }

  // May what this access leaves in the (empty) buffer be performed right away? Yes if nobody could tell: the thread is
  // alone, and before it creates another its buffer must be empty; or, under tso, only it can reach the object. Under
  // weaker models the contents of an object that is published later may arrive after its address: that order counts.
  bool settles_at_once(World& world, std::uint32_t t, const Request& r) {
    if (!product_.machine_.has_buffers() || !world.threads[t].buffer.empty() || r.kind == Kind::Fence) return false;
    if (told_apart(r.loc.object)) return false;
    if (alone(world, t)) return true;
    return product_.machine_.traits().fifo && r.loc.object > product_.objects_.globals() &&
           !shared(world, r.loc.object, t);
  }

  // Could a condition tell an access to this object from none?
  bool told_apart(std::uint32_t object) const {
    const ProductOptions& options = product_.options_;
    return options.conditions != nullptr && (options.single_steps || options.conditions->watched(object));
  }

  // No other thread can notice this request, and it can be performed now.
  bool invisible(World& world, std::uint32_t t, const Request& r) {
    if (told_apart(r.loc.object)) return false;
    const World::Thread& thread = world.threads[t];
    const memory::Machine& machine = product_.machine_;
    const bool reads = r.kind == Kind::Load || r.kind == Kind::Rmw;
    // Memory may perform the pending store first: that order is cheaper, whether or not others notice the load.
    if (product_.options_.costs && reduction_ == core::Reduction::None && reads && !thread.buffer.empty()) return false;
    const bool access = reads || r.kind == Kind::Store || r.kind == Kind::Free;
    if (access && !r.waits && thread.buffer.empty() && alone(world, t)) return true;
    // With the first request of an atomic section comes all of it, and what else is in it nobody knows yet.
    if (r.locked && !r.joined) return false;
    switch (r.kind) {
      case Kind::Alloc: return true;
      case Kind::Spawn: return all_asleep(world, t);
      case Kind::Join:
        return all_asleep(world, t) &&
               (r.value.bits >= world.threads.size() || has_ended(world, static_cast<std::uint32_t>(r.value.bits)));
      case Kind::Free: return r.value.pointer && !shared(world, r.value.object(), t);
      case Kind::Fence: return !machine.has_buffers() || all_asleep(world, t);
      case Kind::Load:
      case Kind::Store:
      case Kind::Rmw: break;
      default: return false;
    }
    if (r.waits) return false;
    const std::uint32_t object = r.loc.object;
    if (object != 0 && object <= product_.objects_.globals() && product_.objects_.constant(object))
      return r.kind == Kind::Load && r.order <= core::Order::Relaxed;
    // A load that an own store covers reads it now, but memory after that store has gone: it is no private affair.
    const bool may_wait = r.kind == Kind::Load && machine.defers_loads();
    const bool waits = may_wait && !memory::overlaps_store(thread.buffer, r.loc);
    if (object > product_.objects_.globals() && !shared(world, object, t)) return waits || !may_wait;
    if (outside(world, object)) return false;
    if (reduction_ != core::Reduction::Safety || !machine.has_buffers() || r.locked) return false;
    if (r.kind == Kind::Store)
      return machine.traits().silent_stores && r.order != core::Order::SeqCst && product_.options_.buffer_bound != 0 &&
             memory::count_stores(thread.buffer) < bound_for(world, t, r) &&
             (r.order < core::Order::Release || !machine.defers_loads() || thread.buffer.empty());
    return waits && !r.asks_size() && thread.buffer.size() < most_pending_loads;
  }

  // Could the buffer be emptied now without anybody noticing?
  bool all_asleep(World& world, std::uint32_t t) {
    const memory::Buffer& buffer = world.threads[t].buffer;
    return buffer.empty() || (find_sleepers(world, t) && sleepers_.only(buffer, buffer.size()));
  }

  bool shared(World& world, std::uint32_t object, std::uint32_t t) {
    if (others_as_before(world, t))
      return product_.objects_.is_gone(world.objects, object) || work_.renaming.others_reach(object, t);
    close_if_pointers_changed(world);
    return product_.objects_.is_gone(world.objects, object) || work_.renaming.shared(world, object, t);
  }
  void look(World& world, std::uint32_t t) {
    close_if_pointers_changed(world);
    work_.renaming.look(world, t);
  }
  void close_if_pointers_changed(World& world) {
    if (work_.open.any_with_changed_pointers([](std::uint32_t) { return true; })) close(world);
  }
  void close(World& world) {
    // What became of the objects that others reach is in the open ones up to here only.
    world.others_as_before = world.others_as_before && !others_meet_changes();
    world.names_cut |= work_.open.cuts_names();
    work_.open.close(world.objects);
  }
  // Do others reach an object of which the step has changed a pointer?
  bool others_meet_changes() {
    return work_.open.any_with_changed_pointers([&](std::uint32_t object) {
      return !work_.renaming.ways_known() || work_.renaming.others_reach(object, move_.thread);
    });
  }
  // Can the ways of the state that the step of thread t began in tell what others reach?
  bool others_as_before(World& world, std::uint32_t t) {
    if (!world.others_as_before || !world.threads[t].buffer.empty() || work_.renaming.names_matter(world)) return false;
    world.others_as_before = work_.renaming.find_ways(work_.base) && !others_meet_changes();
    return world.others_as_before;
  }

  // Is the object outside the memory model (core::AllocKind)?
  bool outside(const World& world, std::uint32_t object) const {
    return object < world.objects.size() && object != 0 && product_.objects_.header(world.objects[object]).outside != 0;
  }

  bool ordered_outside(const World& world, const Request& r) const {
    return r.kind == Kind::Store && r.order >= core::Order::Release && outside(world, r.loc.object);
  }

  // An access to an object outside the model: at once, but those with an order wait for what it asks for.
  memory::Performed access_outside(const memory::Buffer& buffer, const Request& r) {
    const bool ordered = r.kind == Kind::Store ? r.order >= core::Order::Release
                                               : product_.machine_.defers_loads() && r.order >= core::Order::Acquire;
    if (ordered && !buffer.empty()) return {.outcome = memory::Outcome::NotNow};
    return memory::perform_on_memory(*this, r);
  }

  memory::Performed access(World& world, std::uint32_t t, const Request& r) {
    World::Thread& thread = world.threads[t];
    const memory::Machine& machine = product_.machine_;
    if (machine.has_buffers() && (r.kind == Kind::Load || r.kind == Kind::Store) && !r.waits && !r.locked &&
        outside(world, r.loc.object))
      return access_outside(thread.buffer, r);
    if (machine.defers_loads() && r.kind == Kind::Load && thread.buffer.size() >= 2 * most_pending_loads) {
      product_.load_bound_reached_.store(true, std::memory_order_relaxed);
      sink_.withheld(t);
      return {.outcome = memory::Outcome::NotNow};
    }
    return machine.perform(thread.buffer, *this, r, bound_for(world, t, r));
  }

  // Sleeping stores take no place; nor do, in a first-in-first-out buffer, those that no other thread can notice: they
  // leave with what is in front of them.
  unsigned bound_for(World& world, std::uint32_t t, const Request& r) {
    const unsigned bound = product_.options_.buffer_bound;
    if (!roomy_ || bound == 0 || r.kind != Kind::Store || memory::count_stores(world.threads[t].buffer) < bound)
      return bound;
    return bound + (find_private(world, t) ? static_cast<unsigned>(sleepers_.count()) : 0);
  }

  core::Fault free(World& world, std::uint32_t t, const Request& r) {
    const core::Value& pointer = r.value;
    const std::uint32_t object = pointer.object();
    if (!pointer.pointer || object >= world.objects.size() || object <= product_.objects_.globals() ||
        pointer.offset() != 0)
      return core::Fault::InvalidFree;
    const ObjectHeader h = product_.objects_.header(world.objects[object]);
    // A local or thread-local variable goes with its frame or thread, not by free().
    if (r.storage == core::AllocKind::Heap && !core::is_heap(h.kind) && h.kind != core::AllocKind::Outside)
      return core::Fault::InvalidFree;
    if (h.freed != 0) return core::Fault::DoubleFree;
    close(world);
    world.others_as_before =
        world.others_as_before && work_.renaming.ways_known() && !work_.renaming.others_reach(object, t);
    world.objects[object] = product_.objects_.freed(world.objects[object]);
    memory::drop_entries(world.threads[t].buffer, object);
    return core::Fault::None;
  }

  // By now all sleeping stores may have been performed, and what only the values before them led to is lost.
  void end(const Way& way) {
    World& world = way.world;
    settle(world, way.t);
    world.others_as_before = false;
    for (std::uint32_t t = 0; t < world.threads.size(); ++t)
      while (wake_any(world, t)) {}
    note(way.t);
    close(world);
    if (product_.options_.leaks && work_.renaming.leaks_at_end(world))
      return emit_error(
          {"memory-leak", "memory was allocated, never freed, and nothing points to it any more", core::no_site},
          way.cost);
    world.threads.clear();
    world.names_cut = false;
    // Names of dynamic objects that globals still hold are names of nothing.
    world.objects.resize(product_.options_.conditions != nullptr ? product_.objects_.globals() + 1 : 1);
    world.ended = true;
    hand_over_state(world, way.cost);
  }

  // M, as the world in work has it.
  core::Answer read(const core::Loc& loc) override {
    if (loc.object == 0) return {.value = {}, .fault = core::Fault::Null};
    if (loc.object >= world_->objects.size()) return {.value = {}, .fault = core::Fault::Wild};
    const std::uint32_t chunk = world_->objects[loc.object];
    const core::Fault fault = fault_of(loc, product_.objects_.header(chunk), false);
    if (fault != core::Fault::None) return {.value = {}, .fault = fault};
    if (work_.open.is_open(loc.object)) return {work_.open.read(loc.object, loc.offset, loc.size)};
    return {product_.objects_.read(chunk, loc.offset, loc.size)};
  }

  core::Fault write(const core::Loc& loc, const core::Value& value) override {
    if (loc.object == 0) return core::Fault::Null;
    if (loc.object >= world_->objects.size()) return core::Fault::Wild;
    const std::uint32_t chunk = world_->objects[loc.object];
    const core::Fault fault = fault_of(loc, product_.objects_.header(chunk), true);
    if (fault != core::Fault::None) return fault;
    work_.open.write(loc.object, chunk, loc, value);
    return core::Fault::None;
  }

  void emit(World& world, const core::Cost& cost) {
    settle(world, move_.thread);
    if (!product_.options_.races && product_.options_.conditions == nullptr && world.same_as(work_.base))
      return hand_over({.state = work_.source, .cost = cost});  // a round of a polling loop, say
    work_.renaming.canonical(world, work_.base);
    if (product_.options_.conditions != nullptr) {
      if (world.threads.size() > most_threads)
        return emit_error({"unsupported", fmt::format("conditions on states of more than {} threads", most_threads)},
                          cost);
      if (work_.assumption_failed(world))
        return sink_.withheld(move_.kind == core::Move::Kind::Step ? move_.thread : core::Move::none);
    }
    const auto tell = [this](core::Tid t) { note(t, 1); };
    if (product_.options_.races && count_vain_reads(world, product_.objects_, work_.runner, tell))
      return emit_race(cost);
    hand_over_state(world, cost);
  }

  void hand_over_state(World& world, const core::Cost& cost) {
    product_.encode(world, work_, work_.slots);
    hand_over({.state = work_.slots, .cost = cost});
  }

  void emit_error(const core::Failure& failure, const core::Cost& cost) {
    hand_over({.state = {}, .cost = cost, .error = product_.error_number(failure)});
  }

  void hand_over(core::Successor successor) {
    // A move names its successor: the ordinal tells those apart that one thread's step, or one flush, can have.
    const std::uint32_t ordinal = ordinal_++;
    if (move_.kind == core::Move::Kind::Step) move_.choice = ordinal;
    else move_.partner_choice = ordinal == 0 ? core::Move::none : ordinal;
    successor.move = move_;
    successor.memory_set = product_.options_.conditions != nullptr ? memory_set_ : core::Successor::no_set;
    sink_.successor(successor);
  }

  const Product& product_;
  Work& work_;
  const core::Reduction reduction_;
  core::SuccessorSink& sink_;
  unsigned accesses_ = 0;
  World* world_ = nullptr;
  core::Move move_;
  std::uint32_t ordinal_ = 0;
  std::uint32_t memory_set_ = core::Successor::no_set;  // that the step in work fulfils
  std::vector<core::Move> moves_;
  std::vector<unsigned> flushes_;
  const bool quiet_;   // steps that nobody can notice need not be states: nothing else is looked for than errors
  const bool sleep_;   // stores that no other thread can notice sleep (explore/sleepers.h)
  const bool roomy_;   // … and take no place in the buffer
  Sleepers sleepers_;  // of the thread that was looked at last
};

void Product::successors(core::State state, core::Reduction reduction, Scratch& scratch,
                         core::SuccessorSink& sink) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  Step(*this, work, reduction, sink).all();
}

std::vector<core::Move> Product::single_moves(const std::vector<core::Move>& path, core::Reduction reduction) const {
  std::vector<core::Move> singles;
  const auto scratch = make_scratch();
  Work& work = static_cast<Work&>(*scratch);
  std::vector<std::uint32_t> state = initial(*scratch);
  for (const core::Move& move : path) {
    MoveFinder finder;
    finder.wanted = move;
    decode(state, work);
    Step step(*this, work, reduction, finder);
    finder.so_far = &step.moves();
    step.all();
    HEDDLE_ASSERT(finder.found);
    singles.insert(singles.end(), finder.moves.begin(), finder.moves.end());
    state = finder.state;
  }
  return singles;
}

}  // namespace heddle::explore
