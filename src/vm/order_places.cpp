// SPDX-License-Identifier: Apache-2.0
#include "vm/order_places.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/order.h"
#include "vm/draft.h"

namespace heddle::vm {
namespace {

using Kind = OrderPlace::Kind;

bool is_access(Op op) { return op == Op::Load || op == Op::Store || op == Op::Rmw || op == Op::Cas; }

core::Order order_in(const Insn& i, Kind kind) {
  switch (kind) {
    case Kind::Rmw: return static_cast<core::Order>((i.imm >> 8) & 7);
    case Kind::Failure: return static_cast<core::Order>((i.imm >> 12) & 7);
    case Kind::Slot: return core::Order::Plain;
    default: return static_cast<core::Order>(i.sub & order_bits);
  }
}

Insn with_order(Insn i, Kind kind, core::Order order) {
  const auto bits = static_cast<std::uint32_t>(order);
  switch (kind) {
    case Kind::Rmw: i.imm = (i.imm & ~(7u << 8)) | bits << 8; break;
    case Kind::Failure: i.imm = (i.imm & ~(7u << 12)) | bits << 12; break;
    case Kind::Fence:
    case Kind::Slot:
      i = {};
      i.op = order == core::Order::Plain ? Op::FenceSlot : Op::Fence;
      i.sub = static_cast<std::uint8_t>(order);
      break;
    default: i.sub = static_cast<std::uint8_t>((i.sub & ~order_bits) | bits);
  }
  return i;
}

// Kinds of places that an instruction has an order for.
std::vector<Kind> kinds_of(const Insn& i, bool plain) {
  const bool atomic = order_in(i, Kind::Load) != core::Order::Plain;
  switch (i.op) {
    case Op::Load: return atomic || plain ? std::vector{Kind::Load} : std::vector<Kind>{};
    case Op::Store: return atomic || plain ? std::vector{Kind::Store} : std::vector<Kind>{};
    case Op::Rmw: return {Kind::Rmw};
    case Op::Cas: return {Kind::Rmw, Kind::Failure};
    case Op::Fence:
      return i.imm == 0 ? std::vector{Kind::Fence} : std::vector<Kind>{};  // a machine's own have no order
    case Op::FenceSlot: return {Kind::Slot};
    default: return {};
  }
}

core::Kind access_of(Op op) {
  return op == Op::Load ? core::Kind::Load : op == Op::Store ? core::Kind::Store : core::Kind::Rmw;
}

// The nearest access on one side of a slot.
const Insn* neighbour(const Function& f, std::uint32_t slot, bool after) {
  const auto n = static_cast<std::uint32_t>(f.code.size());
  for (std::uint32_t pc = slot; after ? ++pc < n : pc-- > 0;)
    if (is_access(f.code[pc].op)) return &f.code[pc];
  return nullptr;
}

// The instructions of a function that may come directly before each one and behind it, by jumps forwards: expressions
// have no others.
struct Flow {
  explicit Flow(const Function& f) : before(f.code.size()), behind(f.code.size()) {
    for (std::uint32_t pc = 0; pc < f.code.size(); ++pc) {
      const Insn& i = f.code[pc];
      const auto go = [&](std::uint32_t to) {
        if (to <= pc || to >= f.code.size()) return;
        behind[pc].push_back(to);
        before[to].push_back(pc);
      };
      if (i.op == Op::Switch) {
        for (const auto& [value, to] : f.switches[i.imm].cases) go(to);
        go(f.switches[i.imm].otherwise);
      } else if ((shape_of(i.op) & J) != 0) {
        go(i.imm);
      }
      if ((shape_of(i.op) & T) == 0 || i.op == Op::Br) go(pc + 1);
    }
  }
  std::vector<std::vector<std::uint32_t>> before, behind;
};

// The nearest accesses and calls on one side of a slot.
std::vector<core::SourcePlace> around(const VmProgram& program, const Function& f, const Flow& flow, std::uint32_t slot,
                                      bool before) {
  std::vector<core::SourcePlace> found;
  std::vector<std::uint32_t> open{slot};
  std::set<std::uint32_t> seen{slot};
  while (!open.empty()) {
    const std::uint32_t pc = open.back();
    open.pop_back();
    for (const std::uint32_t other : (before ? flow.before : flow.behind)[pc]) {
      if (!seen.insert(other).second) continue;
      const Op op = f.code[other].op;
      if (is_access(op) || op == Op::Call || op == Op::CallInd) found.push_back(program.place(f.sites[other]));
      else open.push_back(other);
    }
  }
  return found;
}

OrderPlace place_of(const VmProgram& program, const Function& f, std::uint32_t pc, Kind kind) {
  const Insn& i = f.code[pc];
  OrderPlace p;
  p.kind = kind;
  p.source = program.place(f.sites[pc]);
  p.own = p.most = order_in(i, kind);
  p.compares = i.op == Op::Cas;
  if (kind != Kind::Slot) return p;
  p.before = (i.sub & slot_before) != 0;
  if (i.imm != core::no_site) p.next = program.place(i.imm);
  if (const Insn* access = neighbour(f, pc, p.before)) {
    p.access = access_of(access->op);
    p.atomic = p.access == core::Kind::Rmw || order_in(*access, Kind::Load) != core::Order::Plain;
  }
  return p;
}

}  // namespace

void add_fence_slots(Draft& draft) {
  if (draft.atomic) return;
  unsigned depth = 0;  // of atomic sections, in the order of the text
  for (auto& block : draft.blocks) {
    std::vector<DraftInsn> out;
    std::size_t open = 0;  // the slot behind the latest access, whose next access is not known yet; 0: none
    bool first = true;     // no access since the block began or a call returned
    const auto slot = [&](core::Site site, bool before) {
      DraftInsn s;
      s.op = Op::FenceSlot;
      s.sub = before ? slot_before : 0;
      s.site = site;
      s.imm = core::no_site;
      out.push_back(std::move(s));
    };
    for (std::size_t k = 0; k < block.size(); ++k) {
      const Op op = block[k].op;
      const core::Site site = block[k].site;
      if (op == Op::AtomicBegin) ++depth;
      if (op == Op::AtomicEnd && depth > 0) --depth;
      if (!is_access(op) || depth > 0) {
        if (op == Op::Call || op == Op::CallInd) {
          first = true;
          open = 0;
        }
        out.push_back(std::move(block[k]));
        continue;
      }
      if (first) slot(site, true);
      if (open != 0) out[open].imm = site;
      first = false;
      out.push_back(std::move(block[k]));
      if (op == Op::Cas && k + 1 < block.size()) out.push_back(std::move(block[++k]));  // its CasFlag
      open = out.size();
      slot(site, false);
    }
    block = std::move(out);
  }
}

bool has_orders_without_place(const VmProgram& program) {
  for (const Function& f : program.module().functions) {
    if (f.library || f.atomic) continue;
    for (std::uint32_t pc = 0; pc < f.code.size(); ++pc)
      if (!kinds_of(f.code[pc], false).empty() && program.place(f.sites[pc]).line == 0) return true;
  }
  return false;
}

std::vector<OrderPlace> order_places(const VmProgram& program, bool plain) {
  std::map<decltype(OrderPlace().key()), OrderPlace> found;
  const Module& module = program.module();
  for (std::uint32_t n = 0; n < module.functions.size(); ++n) {
    const Function& f = module.functions[n];
    if (f.library || f.atomic) continue;
    const Flow flow(f);
    for (std::uint32_t pc = 0; pc < f.code.size(); ++pc)
      for (const Kind kind : kinds_of(f.code[pc], plain)) {
        OrderPlace p = place_of(program, f, pc, kind);
        if (p.source.line == 0 || p.source.library) continue;
        OrderPlace& place = found.try_emplace(p.key(), p).first->second;
        if (p.own < place.own) place.own = p.own;
        if (place.most < p.most) place.most = p.most;
        if (std::tie(place.next.line, place.next.column) != std::tie(p.next.line, p.next.column)) place.next = {};
        if (kind == Kind::Slot)
          std::ranges::move(around(program, f, flow, pc, p.before), std::back_inserter(place.around));
        place.at.push_back({n, pc, f.code[pc]});
      }
  }
  std::vector<OrderPlace> places;
  for (auto& [key, place] : found) places.push_back(std::move(place));
  return places;
}

void set_order(VmProgram& program, const OrderPlace& place, core::Order order, bool at_least) {
  for (const OrderPlace::At& at : place.at) {
    const Insn& now = program.module().functions[at.function].code[at.pc];
    const core::Order own = order_in(at.insn, place.kind);
    if (order == own || (at_least && core::join(own, order) == own)) {
      // Fences and slots are put back whole; of a compare-exchange only this one of its two orders is.
      const bool whole = place.kind == Kind::Fence || place.kind == Kind::Slot;
      program.rewrite(at.function, at.pc, whole ? at.insn : with_order(now, place.kind, own));
      continue;
    }
    program.rewrite(at.function, at.pc, with_order(now, place.kind, at_least ? core::join(own, order) : order));
  }
}

}  // namespace heddle::vm
