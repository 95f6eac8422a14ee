// SPDX-License-Identifier: Apache-2.0
#include "explore/mail.h"

namespace heddle::explore {

void Mail::push(Stack& stack, Block* block) {
  block->next = stack.load(std::memory_order_relaxed);
  while (!stack.compare_exchange_weak(block->next, block, std::memory_order_release, std::memory_order_relaxed)) {}
}

Mail::Block* Mail::blank(unsigned sender) {
  Box& box = boxes_[sender];
  if (box.blanks == nullptr && box.returned.load(std::memory_order_relaxed) != nullptr)
    box.blanks = box.returned.exchange(nullptr, std::memory_order_acquire);
  Block* block = box.blanks;
  if (block != nullptr) {
    box.blanks = block->next;
  } else if (box.blocks.size() < most_blocks_) {
    block = box.blocks.emplace_back(std::make_unique<Block>()).get();
    block->sender = sender;
  } else {
    return nullptr;
  }
  block->used = 0;
  block->work = false;
  return block;
}

void Mail::post(unsigned receiver, Block* block) { push(boxes_[receiver].arrived, block); }

Mail::Block* Mail::take(unsigned receiver) {
  Stack& arrived = boxes_[receiver].arrived;
  if (arrived.load(std::memory_order_relaxed) == nullptr) return nullptr;
  return arrived.exchange(nullptr, std::memory_order_acquire);
}

void Mail::give_back(Block* block) { push(boxes_[block->sender].returned, block); }

}  // namespace heddle::explore
