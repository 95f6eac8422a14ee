// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/lower.h"

#include "axioms/fences.h"
#include "axioms/tags.h"

namespace heddle::lang::litmus {

namespace {

using core::Order;

// Collects the code of one thread; jumps are redirected at the end.
class Lowering {
 public:
  Lowering(const ThreadCode& from, Target target) : from_(from), target_(target) {
    to_.registers = from.registers;
    to_.initial = from.initial;
  }

  ThreadCode run() {
    std::vector<std::uint32_t> moved;
    for (const Op& op : from_.ops) {
      moved.push_back(static_cast<std::uint32_t>(to_.ops.size()));
      lower(op);
    }
    for (std::size_t i = 0; i < to_.ops.size(); ++i)
      if ((to_.ops[i].kind == OpKind::Branch || to_.ops[i].kind == OpKind::Jump) && !local_jump_[i])
        to_.ops[i].target = moved[to_.ops[i].target];
    return std::move(to_);
  }

 private:
  void put(const Op& op, bool local = false) {
    to_.ops.push_back(op);
    local_jump_.push_back(local);
  }
  void fence(const Op& like, core::Tag tag) {
    Op f;
    f.kind = OpKind::Fence;
    f.tag = tag;
    f.line = like.line;
    f.column = like.column;
    f.text = like.text;
    put(f);
  }

  void lower(const Op& op) {
    const bool access = op.kind == OpKind::Load || op.kind == OpKind::Store || op.kind == OpKind::Rmw;
    if (!access && op.kind != OpKind::Fence) return put(op);
    const auto& t = axioms::tags();
    const bool power = target_ == Target::Power;
    Op plain = op;
    plain.order = Order::Relaxed;
    if (op.kind == OpKind::Fence) {
      if (power) return fence(op, op.order == Order::SeqCst ? t.sync : t.lwsync);
      switch (op.order) {
        case Order::SeqCst: return fence(op, t.rv_fence[3][3]);
        case Order::AcqRel: return fence(op, t.fence_tso);
        case Order::Acquire: return fence(op, t.rv_fence[1][3]);
        default: return fence(op, t.rv_fence[3][2]);
      }
    }
    if (op.kind == OpKind::Rmw && !power) {  // an AMO with its annotations; a compare-exchange is taken as one too
      plain.order = op.order == Order::SeqCst ? Order::AcqRel : op.order;
      if (plain.order == Order::Plain) plain.order = Order::Relaxed;
      return put(plain);
    }
    const bool sc = op.order == Order::SeqCst;
    const bool reads = op.kind != OpKind::Store, writes = op.kind != OpKind::Load;
    if (sc) {
      if (power) fence(op, t.sync);
      else fence(op, reads ? t.rv_fence[3][3] : t.rv_fence[3][2]);
    } else if (writes && axioms::at_least_release(op.order)) {
      fence(op, power ? t.lwsync : t.rv_fence[3][2]);
    }
    put(plain);
    if (reads && axioms::at_least_acquire(op.order)) {
      if (power) control_isync(op);
      else fence(op, t.rv_fence[1][3]);
    }
  }

  // cmp; bc; isync: the branch goes to the next instruction either way.
  void control_isync(const Op& op) {
    Op branch;
    branch.kind = OpKind::Branch;
    branch.a = Operand::of(op.dst);
    branch.target = static_cast<std::uint32_t>(to_.ops.size() + 1);
    branch.line = op.line;
    branch.text = op.text;
    put(branch, true);
    fence(op, axioms::tags().isync);
  }

  const ThreadCode& from_;
  Target target_;
  ThreadCode to_;
  std::vector<bool> local_jump_;
};

}  // namespace

Target target_of(Dialect dialect, const axioms::Model* model) {
  if (dialect != Dialect::C || model == nullptr) return Target::AsWritten;
  if (model->mapping == "power") return Target::Power;
  if (model->mapping == "riscv") return Target::RiscV;
  return Target::AsWritten;
}

Test lower(const Test& test, Target target) {
  Test result = test;
  if (target == Target::AsWritten) return result;
  for (std::size_t t = 0; t < test.threads.size(); ++t) result.threads[t] = Lowering(test.threads[t], target).run();
  return result;
}

}  // namespace heddle::lang::litmus
