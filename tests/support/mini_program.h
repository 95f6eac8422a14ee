// Small threads written by hand, as a core::Program: what the engines' own tests run before any language exists.
//
// A thread is a list of operations over eight registers r0 … r7; r0 holds the argument at the start. Operands are
// numbers or registers. Every variable is an array of 8-byte cells, of which an access may take a part. Registers that
// are not read any more are zero in the local state, so that equal futures are equal bytes. Dependencies are tracked.
//
//   MiniProgram p;
//   const auto x = p.variable("x"), y = p.variable("y");
//   p.thread().store(x, 1).load(1, y);
//   p.thread().store(y, 1).load(1, x).check(1, Cmp::Eq, 1);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/address_deps.h"
#include "core/program.h"
#include "core/rmw.h"

namespace heddle::test {

inline constexpr unsigned mini_registers = 8;

struct Reg {
  std::uint8_t number;
};

// A number or a register.
struct Operand {
  bool is_register = false;
  std::uint8_t number = 0;
  std::uint64_t constant = 0;
  Operand(int c) : constant(static_cast<std::uint64_t>(static_cast<std::int64_t>(c))) {}  // NOLINT
  Operand(std::uint64_t c) : constant(c) {}                                               // NOLINT
  Operand(Reg r) : is_register(true), number(r.number) {}                                 // NOLINT
};

// Cell `index` of an object; or, with object 0, cell `index` of what register `base` points to.
struct Place {
  std::uint32_t object = 0;
  Operand base = 0;
  Operand index = 0;
  std::uint32_t offset = 0, size = 8;  // the part of the cell
};

enum class Cmp : std::uint8_t { Eq, Ne, Lt };
enum class Alu : std::uint8_t { Add, Sub, Mul, Mod, Xor, Less, Min };  // the last two pick (vm/shadow.h)

struct MiniOp {
  enum class Code : std::uint8_t {
    Load,
    Store,
    Rmw,
    Cas,
    Fence,
    Compute,
    Branch,
    Check,
    Assume,
    Choose,
    Alloc,
    Free,
    Spawn,
    Join,
    Exit,
    End
  };
  Code code = Code::End;
  core::Order order = core::Order::Relaxed, failure = core::Order::Relaxed;
  core::RmwOp rmw = core::RmwOp::Xchg;
  Alu alu = Alu::Add;
  Cmp cmp = Cmp::Eq;
  core::Tag tag = 0;
  bool joined = false, locked = false, waits = false;
  std::uint8_t dst = 0;
  Place place;
  Operand a = 0, b = 0;
  std::uint32_t target = 0;
};

class MiniThread {
 public:
  using Order = core::Order;
  MiniThread& load(unsigned r, Place p, Order o = Order::Relaxed) {
    auto& i = add(MiniOp::Code::Load);
    i.dst = reg(r);
    i.place = p;
    i.order = o;
    return *this;
  }
  // Enabled only while the value read is `v`.
  MiniThread& wait(unsigned r, Place p, Operand v, Order o = Order::Relaxed) {
    load(r, p, o);
    ops.back().waits = true;
    ops.back().a = v;
    return *this;
  }
  MiniThread& store(Place p, Operand v, Order o = Order::Relaxed) {
    auto& i = add(MiniOp::Code::Store);
    i.place = p;
    i.a = v;
    i.order = o;
    return *this;
  }
  MiniThread& rmw(unsigned r, core::RmwOp op, Place p, Operand v, Order o = Order::Relaxed) {
    auto& i = add(MiniOp::Code::Rmw);
    i.dst = reg(r);
    i.rmw = op;
    i.place = p;
    i.a = v;
    i.order = o;
    return *this;
  }
  // Register r gets the old value; compare it with the expected one to learn of success.
  MiniThread& cas(unsigned r, Place p, Operand expected, Operand desired, Order o = Order::Relaxed,
                  Order failure = Order::Relaxed) {
    auto& i = add(MiniOp::Code::Cas);
    i.dst = reg(r);
    i.place = p;
    i.a = desired;
    i.b = expected;
    i.order = o;
    i.failure = failure;
    return *this;
  }
  MiniThread& lock(unsigned r, Place p) {
    cas(r, p, 0, 1, Order::Acquire, Order::Acquire);
    ops.back().waits = true;
    return *this;
  }
  MiniThread& unlock(Place p) { return store(p, 0, Order::Release); }
  MiniThread& fence(Order o = Order::SeqCst, core::Tag tag = 0) {
    auto& i = add(MiniOp::Code::Fence);
    i.order = o;
    i.tag = tag;
    return *this;
  }
  MiniThread& compute(unsigned r, Alu alu, Operand a, Operand b) {
    auto& i = add(MiniOp::Code::Compute);
    i.dst = reg(r);
    i.alu = alu;
    i.a = a;
    i.b = b;
    return *this;
  }
  MiniThread& move(unsigned r, Operand a) { return compute(r, Alu::Add, a, 0); }
  MiniThread& check(unsigned r, Cmp c, Operand v) { return test(MiniOp::Code::Check, r, c, v); }
  MiniThread& assume(unsigned r, Cmp c, Operand v) { return test(MiniOp::Code::Assume, r, c, v); }
  MiniThread& choose(unsigned r, Operand n) {
    auto& i = add(MiniOp::Code::Choose);
    i.dst = reg(r);
    i.a = n;
    return *this;
  }
  MiniThread& alloc(unsigned r, Operand bytes) {
    auto& i = add(MiniOp::Code::Alloc);
    i.dst = reg(r);
    i.a = bytes;
    return *this;
  }
  MiniThread& free(unsigned r) {
    add(MiniOp::Code::Free).a = Reg{reg(r)};
    return *this;
  }
  MiniThread& spawn(unsigned r, std::uint32_t entry, Operand arg) {
    auto& i = add(MiniOp::Code::Spawn);
    i.dst = reg(r);
    i.target = entry;
    i.a = arg;
    return *this;
  }
  MiniThread& join(unsigned r) {
    add(MiniOp::Code::Join).a = Reg{reg(r)};
    return *this;
  }
  MiniThread& exit() {
    add(MiniOp::Code::Exit);
    return *this;
  }
  MiniThread& end() {
    add(MiniOp::Code::End);
    return *this;
  }
  // The last access belongs to the same atomic step as the one before; `locked` for both.
  MiniThread& joined() {
    ops.back().joined = true;
    return *this;
  }
  MiniThread& locked() {
    ops.back().locked = true;
    return *this;
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(ops.size()); }
  // Goes to `target` if the comparison holds; a forward target is set later by land().
  std::uint32_t branch(unsigned r, Cmp c, Operand v, std::uint32_t target = 0) {
    test(MiniOp::Code::Branch, r, c, v);
    ops.back().target = target;
    return here() - 1;
  }
  void land(std::uint32_t branch_at) { ops[branch_at].target = here(); }

  std::vector<MiniOp> ops;
  std::vector<std::uint8_t> live;  // registers read later, before each operation; made by MiniProgram::seal

 private:
  static std::uint8_t reg(unsigned r) { return static_cast<std::uint8_t>(r); }
  MiniOp& add(MiniOp::Code c) {
    ops.emplace_back();
    ops.back().code = c;
    return ops.back();
  }
  MiniThread& test(MiniOp::Code c, unsigned r, Cmp cmp, Operand v) {
    auto& i = add(c);
    i.dst = reg(r);
    i.cmp = cmp;
    i.a = v;
    return *this;
  }
};

class MiniProgram : public core::Program {
 public:
  Place variable(const std::string& name, std::uint32_t cells = 1, std::uint64_t initial = 0) {
    core::GlobalObject g;
    g.name = name;
    g.size = cells * 8;
    g.bytes.resize(g.size);
    for (std::uint32_t i = 0; i < cells; ++i) std::memcpy(g.bytes.data() + i * 8, &initial, 8);
    globals_.push_back(std::move(g));
    Place p;
    p.object = static_cast<std::uint32_t>(globals_.size());
    return p;
  }
  static Place part(Place cell, std::uint32_t offset, std::uint32_t size) {
    cell.offset = offset;
    cell.size = size;
    return cell;
  }
  static Place cell(Place array, Operand index) {
    array.index = index;
    return array;
  }
  static Place at(Reg pointer, Operand index = 0) { return Place{0, Operand(pointer), index, 0, 8}; }

  // A thread that runs from the start, or a body for spawn() only. Their entries count from 0.
  MiniThread& thread(std::uint64_t arg = 0) {
    initial_.push_back({static_cast<std::uint32_t>(bodies_.size()), arg});
    return bodies_.emplace_back();
  }
  MiniThread& body() { return bodies_.emplace_back(); }
  // One more thread of an existing body.
  void again(std::uint32_t entry, std::uint64_t arg = 0) { initial_.push_back({entry, arg}); }
  // To be called once all threads are written.
  MiniProgram& seal() {
    for (auto& b : bodies_) {
      b.end();
      liveness(b);
    }
    return *this;
  }

  // Register of a thread that rests anywhere (for outcomes).
  static std::uint64_t value_of(core::ConstLocal l, unsigned r) { return unpack(l).regs[r]; }

  core::Features features() const override {
    core::Features f;
    f.dependencies = true;
    return f;
  }
  std::span<const core::GlobalObject> globals() const override { return globals_; }
  std::vector<Entry> initial_threads() const override { return initial_; }

  void start(std::uint32_t entry, core::Value arg, core::Tid, core::Local& l, core::Shadow* s) const override {
    State state;
    state.entry = static_cast<std::uint16_t>(entry);
    set(state, 0, arg);
    run(state, static_cast<MiniShadow*>(s));
    pack(state, l);
  }

  core::Request request(core::ConstLocal l) const override {
    const State s = unpack(l);
    const MiniOp& i = op(s);
    core::Request q;
    q.order = i.order;
    q.failure = i.failure;
    q.tag = i.tag;
    q.joined = i.joined;
    q.locked = i.locked;
    q.site = (std::uint32_t{s.entry} << 16) | s.pc;
    if (s.failed) {
      q.kind = s.failed == 2 ? core::Kind::Blocked : core::Kind::Failed;
      return q;
    }
    switch (i.code) {
      case MiniOp::Code::Load:
        q.kind = core::Kind::Load;
        q.loc = loc(s, i.place);
        q.waits = i.waits;
        q.expected = get(s, i.a);
        break;
      case MiniOp::Code::Store:
        q.kind = core::Kind::Store;
        q.loc = loc(s, i.place);
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Rmw:
        q.kind = core::Kind::Rmw;
        q.op = i.rmw;
        q.loc = loc(s, i.place);
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Cas:
        q.kind = core::Kind::Rmw;
        q.op = core::RmwOp::Cas;
        q.loc = loc(s, i.place);
        q.value = get(s, i.a);
        q.expected = get(s, i.b);
        q.waits = i.waits;
        break;
      case MiniOp::Code::Fence: q.kind = core::Kind::Fence; break;
      case MiniOp::Code::Choose:
        q.kind = core::Kind::Choose;
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Alloc:
        q.kind = core::Kind::Alloc;
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Free:
        q.kind = core::Kind::Free;
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Spawn:
        q.kind = core::Kind::Spawn;
        q.entry = i.target;
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Join:
        q.kind = core::Kind::Join;
        q.value = get(s, i.a);
        break;
      case MiniOp::Code::Exit: q.kind = core::Kind::Exit; break;
      default: q.kind = core::Kind::Ended; break;
    }
    if (q.kind == core::Kind::Store || q.kind == core::Kind::Rmw) q.value.bits &= core::size_mask(q.loc.size);
    return q;
  }

  void resume(core::Local& l, const core::Answer& answer, core::Shadow* shadow) const override {
    State s = unpack(l);
    auto* sh = static_cast<MiniShadow*>(shadow);
    const MiniOp& i = op(s);
    if (answer.fault != core::Fault::None) {
      s.failed = 3;
      pack(s, l);
      return;
    }
    switch (i.code) {
      case MiniOp::Code::Load:
      case MiniOp::Code::Rmw:
      case MiniOp::Code::Cas:
        set(s, i.dst, answer.value);
        if (sh) {
          sh->ctrl = join(sh->ctrl, join(picks(*sh, i.place.base), picks(*sh, i.place.index)));
          sh->regs[i.dst] = {sh->loads++};
          sh->picks[i.dst].clear();
        }
        break;
      case MiniOp::Code::Store:
        if (sh) sh->ctrl = join(sh->ctrl, join(picks(*sh, i.place.base), picks(*sh, i.place.index)));
        break;
      case MiniOp::Code::Choose:
      case MiniOp::Code::Alloc:
      case MiniOp::Code::Spawn:
        set(s, i.dst, answer.value);
        if (sh) sh->regs[i.dst].clear(), sh->picks[i.dst].clear();
        break;
      default: break;
    }
    ++s.pc;
    run(s, sh);
    pack(s, l);
  }

  void defer(core::Local&) const override {}
  void deliver(core::Local&, core::Slot, const core::Answer&) const override {}
  std::unique_ptr<core::Shadow> make_shadow() const override { return std::make_unique<MiniShadow>(); }
  std::unique_ptr<core::Shadow> copy_shadow(const core::Shadow& s) const override {
    return std::make_unique<MiniShadow>(static_cast<const MiniShadow&>(s));
  }
  core::Deps deps(core::ConstLocal l, const core::Shadow& shadow) const override {
    const auto& sh = static_cast<const MiniShadow&>(shadow);
    const State s = unpack(l);
    const MiniOp& i = op(s);
    core::Deps d;
    d.ctrl = join(sh.ctrl, join(picks(sh, i.place.base), picks(sh, i.place.index)));
    const auto of = [&](const Operand& o) { return o.is_register ? sh.regs[o.number] : core::LoadSet{}; };
    d.addr = join(of(i.place.base), of(i.place.index));
    const bool takes_value = i.code == MiniOp::Code::Store || i.code == MiniOp::Code::Rmw ||
                             i.code == MiniOp::Code::Alloc || i.code == MiniOp::Code::Free;
    if (takes_value) d.data = of(i.a);
    if (i.code == MiniOp::Code::Cas) d.data = join(of(i.a), of(i.b));
    if (!takes_value && i.code != MiniOp::Code::Cas) return d;
    core::LoadSet picked = picks(sh, i.a);
    if (i.code == MiniOp::Code::Cas) picked = join(picked, picks(sh, i.b));
    d.ctrl = join(d.ctrl, picked);
    if (!std::ranges::includes(sh.ctrl, picked)) d.ctrl.push_back(core::hides);
    return d;
  }
  // Of a thread that has ended nothing is left.
  void visit_pointers(core::Local& local, const std::function<void(core::Value&)>& visit) const override {
    if (request(local).kind == core::Kind::Ended) return;
    State s = unpack(local);
    for (unsigned r = 0; r < mini_registers; ++r) {
      core::Value v = get(s, Reg{static_cast<std::uint8_t>(r)});
      if (!v.pointer) continue;
      visit(v);
      set(s, r, v);
    }
    pack(s, local);
  }
  core::Failure failure(core::ConstLocal l) const override {
    const State s = unpack(l);
    return {s.failed == 3 ? "memory" : "assertion", s.failed == 3 ? "an access that memory refused" : "a check failed",
            (std::uint32_t{s.entry} << 16) | s.pc};
  }
  core::SourcePlace place(core::Site s) const override {
    core::SourcePlace p;
    p.file = "mini";
    p.line = (s & 0xffff) + 1;
    p.function = thread_name(s >> 16);
    return p;
  }
  std::string location_name(const core::Loc& l, core::ConstLocal) const override {
    if (l.object == 0 || l.object > globals_.size())
      return "object " + std::to_string(l.object) + "+" + std::to_string(l.offset);
    const auto& g = globals_[l.object - 1];
    return g.size == 8 ? g.name : g.name + "[" + std::to_string(l.offset / 8) + "]";
  }
  std::string thread_name(std::uint32_t entry) const override { return "P" + std::to_string(entry); }
  std::vector<core::SourcePlace> stack(core::ConstLocal) const override { return {}; }

 private:
  struct State {
    std::uint16_t entry = 0, pc = 0;
    std::uint16_t failed = 0;    // 1: a check failed; 2: an assumption; 3: memory said so
    std::uint16_t pointers = 0;  // bit r: register r holds a pointer
    std::uint64_t regs[mini_registers] = {};
  };
  struct MiniShadow : core::Shadow {
    core::LoadSet regs[mini_registers], picks[mini_registers];
    core::LoadSet ctrl;
    std::uint32_t loads = 0;

    bool equals(const core::Shadow& other) const override {
      const auto& o = static_cast<const MiniShadow&>(other);
      return loads == o.loads && ctrl == o.ctrl && std::ranges::equal(regs, o.regs) &&
             std::ranges::equal(picks, o.picks);
    }
    std::uint64_t hash() const override { return 1 + loads + (std::uint64_t{ctrl.size()} << 32); }
    bool within(const core::Shadow& later, const Inside& inside) const override {
      const auto& o = static_cast<const MiniShadow&>(later);
      for (unsigned r = 0; r < mini_registers; ++r)
        if (!inside(regs[r], o.regs[r]) || !inside(picks[r], o.picks[r])) return false;
      return std::ranges::includes(o.ctrl, ctrl) || inside(ctrl, o.ctrl);
    }
  };

  static core::LoadSet picks(const MiniShadow& sh, const Operand& o) {
    return o.is_register ? sh.picks[o.number] : core::LoadSet{};
  }
  static State unpack(core::ConstLocal l) {
    State s;
    std::memcpy(&s, l.data(), sizeof s);
    return s;
  }
  static void pack(const State& s, core::Local& l) {
    l.resize(sizeof s);
    std::memcpy(l.data(), &s, sizeof s);
  }
  static core::LoadSet join(core::LoadSet a, const core::LoadSet& b) {
    core::LoadSet r;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(r));
    return r;
  }
  const MiniOp& op(const State& s) const { return bodies_[s.entry].ops[s.pc]; }
  static core::Value get(const State& s, const Operand& o) {
    if (!o.is_register) return o.constant;
    core::Value v(s.regs[o.number]);
    v.pointer = (s.pointers >> o.number) & 1;
    return v;
  }
  static void set(State& s, unsigned r, const core::Value& v) {
    s.regs[r] = v.bits;
    s.pointers = static_cast<std::uint16_t>((s.pointers & ~(1u << r)) | (static_cast<unsigned>(v.pointer) << r));
  }
  static core::Loc loc(const State& s, const Place& p) {
    const auto index = static_cast<std::uint32_t>(get(s, p.index).bits * 8) + p.offset;
    if (p.object != 0) return {p.object, index, p.size};
    const core::Value v = get(s, p.base);
    return {v.object(), v.offset() + index, p.size};
  }
  static bool holds(const State& s, const MiniOp& i) {
    const std::uint64_t a = s.regs[i.dst], b = get(s, i.a).bits;
    switch (i.cmp) {
      case Cmp::Eq: return a == b;
      case Cmp::Ne: return a != b;
      case Cmp::Lt: return a < b;
    }
    return false;
  }

  // Everything that no other thread can see.
  void run(State& s, MiniShadow* sh) const {
    for (;;) {
      const MiniOp& i = op(s);
      if (i.code == MiniOp::Code::Compute) {
        const core::Value a = get(s, i.a), b = get(s, i.b);
        core::Value v;
        switch (i.alu) {
          case Alu::Add:
            v = a;
            v.bits += b.bits;
            break;
          case Alu::Sub:
            v = a;
            v.bits -= b.bits;
            break;
          case Alu::Mul: v.bits = a.bits * b.bits; break;
          case Alu::Mod: v.bits = b.bits ? a.bits % b.bits : 0; break;
          case Alu::Xor: v.bits = a.bits ^ b.bits; break;
          case Alu::Less: v.bits = a.bits < b.bits; break;
          case Alu::Min: v = a.bits < b.bits ? a : b; break;
        }
        set(s, i.dst, v);
        if (sh) {
          core::LoadSet d, picked = join(picks(*sh, i.a), picks(*sh, i.b));
          if (i.a.is_register) d = sh->regs[i.a.number];
          if (i.b.is_register) d = join(d, sh->regs[i.b.number]);
          if (i.alu == Alu::Less || i.alu == Alu::Min) picked = join(picked, std::exchange(d, {}));
          if (i.alu == Alu::Min)
            if (const Operand& chosen = a.bits < b.bits ? i.a : i.b; chosen.is_register) d = sh->regs[chosen.number];
          sh->regs[i.dst] = d;
          sh->picks[i.dst] = picked;
        }
        ++s.pc;
      } else if (i.code == MiniOp::Code::Branch) {
        if (sh) {
          sh->ctrl = join(sh->ctrl, join(sh->regs[i.dst], sh->picks[i.dst]));
          if (i.a.is_register) sh->ctrl = join(sh->ctrl, join(sh->regs[i.a.number], sh->picks[i.a.number]));
        }
        s.pc = static_cast<std::uint16_t>(holds(s, i) ? i.target : s.pc + 1u);
      } else if (i.code == MiniOp::Code::Check || i.code == MiniOp::Code::Assume) {
        if (!holds(s, i)) {
          s.failed = i.code == MiniOp::Code::Check ? 1 : 2;
          break;
        }
        ++s.pc;
      } else {
        break;
      }
    }
    if (!s.failed)
      for (unsigned r = 0; r < mini_registers; ++r)
        if (!((bodies_[s.entry].live[s.pc] >> r) & 1)) {
          set(s, r, 0);
          if (sh != nullptr) sh->regs[r].clear(), sh->picks[r].clear();
        }
  }

  void liveness(MiniThread& b) const {
    const std::size_t n = b.ops.size();
    b.live.assign(n, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = n; k-- > 0;) {
        const MiniOp& i = b.ops[k];
        unsigned out = 0;
        if (i.code == MiniOp::Code::End) out = keep_at_end;
        else if (k + 1 < n) out = b.live[k + 1];
        if (i.code == MiniOp::Code::Branch) out |= b.live[i.target];
        const bool writes = i.code == MiniOp::Code::Load || i.code == MiniOp::Code::Rmw ||
                            i.code == MiniOp::Code::Cas || i.code == MiniOp::Code::Compute ||
                            i.code == MiniOp::Code::Choose || i.code == MiniOp::Code::Alloc ||
                            i.code == MiniOp::Code::Spawn;
        unsigned in = writes ? out & ~(1u << i.dst) : out;
        for (const Operand* o : {&i.a, &i.b, &i.place.base, &i.place.index})
          if (o->is_register) in |= 1u << o->number;
        if (i.code == MiniOp::Code::Branch || i.code == MiniOp::Code::Check || i.code == MiniOp::Code::Assume)
          in |= 1u << i.dst;
        if (in != b.live[k]) {
          b.live[k] = static_cast<std::uint8_t>(in);
          changed = true;
        }
      }
    }
  }

 public:
  // Registers that an ended thread keeps: the outcome. By default none of r0 and r7, all others.
  unsigned keep_at_end = 0x7e;

 private:
  std::vector<core::GlobalObject> globals_;
  std::vector<Entry> initial_;
  std::deque<MiniThread> bodies_;
};

}  // namespace heddle::test
