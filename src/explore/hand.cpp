// SPDX-License-Identifier: Apache-2.0
#include "explore/hand.h"

#include "support/spin_lock.h"

namespace heddle::explore {
namespace {

constexpr std::size_t own_at_once = 32;

}  // namespace

Hand::Hand(const core::TransitionSystem& system, support::StateStore& store, const SearchOptions& options, Mail& mail,
           unsigned worker, const std::atomic<bool>& stop)
    : system_(system),
      store_(store),
      options_(options),
      mail_(mail),
      worker_(worker),
      stop_(stop),
      looks_(looks_at_states(system, options)),
      scratch_(system.make_scratch()),
      cursor_(store.make_cursor(worker)),
      looking_scratch_(system.make_scratch()),
      outbox_(options.workers, nullptr) {
  if (looks_) looking_cursor_ = store.make_cursor(worker);
}

void Hand::insert_initial() {
  const std::vector<std::uint32_t> initial = system_.initial(*scratch_);
  const auto inserted = store_.insert(cursor_, initial, support::no_state, 0);
  sighting_ = look_at(system_, options_, inserted.number, initial, *looking_scratch_);
}

void Hand::begin_level(std::uint64_t depth, bool alone) {
  depth_mod_3_ = static_cast<unsigned>((depth + 1) % 3);
  alone_ = alone;
}

void Hand::expand(support::StateNumber number) {
  current_ = number;
  store_.load(cursor_, number);
  expand_loaded();
}

void Hand::expand(const Arrival& root) {
  current_ = root.parent;
  store_.load(cursor_, root.prepared);
  expand_loaded();
}

void Hand::expand_loaded() {
  emitted_ = false;
  long_step_.begin_state();
  system_.successors(cursor_.slots(), options_.reduction, *scratch_, *this);
  if (!emitted_ && !long_step_.over() && options_.deadlocks && !system_.proper_end(cursor_.slots(), *scratch_))
    sighting_ = Sighting{Found::Kind::Deadlock, 0, current_, std::nullopt};
  if (own_.size() >= own_at_once) put_in_own();
}

void Hand::successor(const core::Successor& s) {
  emitted_ = true;
  if (s.error != 0) {
    if (options_.errors && !sighting_) sighting_ = Sighting{Found::Kind::StepError, s.error, current_, s.move};
    return;  // an error state is an end, not a state of its own
  }
  ++transitions_;
  effort_ += s.state.size();
  if (s.state.data() == cursor_.slots().data()) return;  // a self-loop
  const Arrival arrival{store_.prepare(cursor_, s.state), current_};
  const unsigned owner = alone_ ? worker_ : store_.owner(arrival.prepared);
  if (owner != worker_) return send(owner, arrival);
  store_.expect(arrival.prepared);
  own_.push_back(arrival);
}

void Hand::put_in(std::span<const Arrival> arrivals) {
  if (inserted_.size() < arrivals.size()) inserted_.resize(arrivals.size());
  store_.insert(cursor_, arrivals, depth_mod_3_, inserted_);
  if (!looks_) return;
  for (std::size_t i = 0; i < arrivals.size() && !sighting_; ++i) {
    if (!inserted_[i].fresh) continue;
    store_.load(*looking_cursor_, inserted_[i].number);
    sighting_ = look_at(system_, options_, inserted_[i].number, looking_cursor_->slots(), *looking_scratch_);
  }
}

void Hand::put_in_own() {
  put_in(own_);
  own_.clear();
}

void Hand::send(unsigned receiver, const Arrival& arrival) {
  Mail::Block*& block = outbox_[receiver];
  if (block == nullptr) block = wait_for_blank();
  if (block == nullptr) return;
  block->arrivals[block->used++] = arrival;
  if (block->used < Mail::Block::room) return;
  mail_.post(receiver, block);
  block = nullptr;
}

Mail::Block* Hand::wait_for_blank() {
  support::Patience patience;
  for (;;) {
    if (Mail::Block* const block = mail_.blank(worker_)) return block;
    if (stop_.load(std::memory_order_relaxed)) return nullptr;
    if (!read_mail()) patience.wait();
  }
}

bool Hand::read_mail() {
  Mail::Block* block = mail_.take(worker_);
  if (block == nullptr) return false;
  while (block != nullptr) {
    Mail::Block* const next = block->next;
    if (block->work) {  // not now: this may be in the middle of another state
      block->next = work_;
      work_ = block;
    } else {
      put_in(block->contents());
      mail_.give_back(block);
    }
    block = next;
  }
  return true;
}

Mail::Block* Hand::take_work() {
  Mail::Block* const block = work_;
  if (block != nullptr) work_ = block->next;
  return block;
}

void Hand::finish() {
  put_in_own();
  for (unsigned receiver = 0; receiver < outbox_.size(); ++receiver) {
    if (outbox_[receiver] == nullptr) continue;
    mail_.post(receiver, outbox_[receiver]);
    outbox_[receiver] = nullptr;
  }
}

}  // namespace heddle::explore
