// sc: loads read and stores write main memory; fences do nothing.
// SPDX-License-Identifier: Apache-2.0
#include "memory/models.h"

namespace heddle::memory {
namespace {

class Sc final : public Machine {
 public:
  std::string_view name() const override { return "sc"; }
  Traits traits() const override { return {.fifo = true, .silent_stores = true, .joint_stores = true}; }
  bool has_buffers() const override { return false; }

  Performed perform(Buffer&, Cells& memory, const core::Request& request, unsigned) const override {
    return perform_on_memory(memory, request);
  }
  void flushable(const Buffer&, std::vector<unsigned>& indices) const override { indices.clear(); }
  Flushed flush(Buffer&, Cells&, unsigned) const override { return {}; }
};

}  // namespace

const Machine& sc() {
  static const Sc machine;
  return machine;
}

}  // namespace heddle::memory
