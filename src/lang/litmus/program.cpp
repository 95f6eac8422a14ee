// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/rmw.h"

namespace heddle::lang::litmus {

namespace {

using Loads = axioms::EventSet<4>;  // numbers of loads; a thread with more of them fails by name
core::LoadSet list(const Loads& loads) {
  core::LoadSet out;
  loads.each([&](std::uint32_t n) { out.push_back(n); });
  return out;
}
constexpr unsigned silent_steps = 100'000;  // operations in a row that no other thread can see

enum Mark : std::uint8_t { is_address = 1, pending = 2, signed8 = 4, signed16 = 8, signed32 = 16 };
enum Stop : std::uint8_t { none = 0, bound_reached = 1, endless = 2, divided_by_zero = 3, shifted_too_far = 4 };

core::Value extend(core::Value v, std::uint8_t marks) {
  if (v.pointer) return v;
  if (marks & signed8) return compute(Alu::SignExtend8, 64, v, {});
  if (marks & signed16) return compute(Alu::SignExtend16, 64, v, {});
  if (marks & signed32) return compute(Alu::SignExtend32, 64, v, {});
  return v;
}

// What is undefined in C about the operation with this second operand.
Stop fault_of(const Op& op, const core::Value& b) {
  if (op.faults == 0) return none;
  const bool shift = op.alu == Alu::Shl || op.alu == Alu::Shr || op.alu == Alu::Sar;
  if (shift) return b.pointer || b.bits >= 8u * op.faults ? shifted_too_far : none;
  return b.bits == 0 && !b.pointer ? divided_by_zero : none;
}

}  // namespace

// Reads and writes a local state in place: thread 2 bytes, stop 1, free 1, pc 4, jumps 4, then the registers.
class LitmusProgram::Frame {
 public:
  static constexpr std::size_t head = 12, each = 9;
  explicit Frame(std::span<std::byte> bytes) : bytes_(bytes) {}
  static Frame of(core::ConstLocal local) {  // for reading only
    return Frame({const_cast<std::byte*>(local.data()), local.size()});
  }

  std::uint16_t thread() const { return get<std::uint16_t>(0); }
  void set_thread(std::uint16_t t) { put(0, t); }
  Stop stop() const { return static_cast<Stop>(bytes_[2]); }
  void set_stop(Stop s) { bytes_[2] = static_cast<std::byte>(s); }
  std::uint32_t pc() const { return get<std::uint32_t>(4); }
  void set_pc(std::uint32_t pc) { put(4, pc); }
  std::uint32_t jumps() const { return get<std::uint32_t>(8); }
  void set_jumps(std::uint32_t n) { put(8, n); }

  core::Value value(Register r) const {
    core::Value v(get<std::uint64_t>(head + each * r));
    v.pointer = (marks(r) & is_address) != 0;
    return v;
  }
  std::uint8_t marks(Register r) const { return static_cast<std::uint8_t>(bytes_[head + each * r + 8]); }
  void set(Register r, const core::Value& v) { set(r, v, v.pointer ? is_address : 0); }
  void set(Register r, const core::Value& v, int marks) {
    put(head + each * r, v.bits);
    bytes_[head + each * r + 8] = static_cast<std::byte>(marks);
  }
  core::Value value(const Operand& o) const { return o.is_register() ? value(o.reg) : o.constant; }
  core::Value address(const Op& op) const { return compute(Alu::Add, 64, value(op.address), value(op.offset)); }
  bool waits(const Operand& o) const { return o.is_register() && (marks(o.reg) & pending) != 0; }
  bool waits(Register r) const { return r != no_register && (marks(r) & pending) != 0; }

  // The register that the operation must wait for before it can be requested or done.
  Register awaited(const Op& op) const {
    for (const Operand* o : {&op.a, &op.b, &op.address, &op.offset})
      if (waits(*o)) return o->reg;
    if (waits(op.status)) return op.status;
    return waits(op.dst) ? op.dst : no_register;
  }

 private:
  template <class T>
  T get(std::size_t at) const {
    T v;
    std::memcpy(&v, bytes_.data() + at, sizeof v);
    return v;
  }
  template <class T>
  void put(std::size_t at, T v) {
    std::memcpy(bytes_.data() + at, &v, sizeof v);
  }
  std::span<std::byte> bytes_;
};

class LitmusProgram::Dependencies final : public core::Shadow {
 public:
  std::vector<Loads> of_register, picked;  // picked: pick dependencies
  Loads control;
  std::uint32_t loads = 0;

  Loads of(const Operand& o) const { return o.is_register() ? of_register[o.reg] : Loads{}; }
  Loads picked_by(const Operand& o) const { return o.is_register() ? picked[o.reg] : Loads{}; }
  Loads all(const Operand& o) const { return of(o) | picked_by(o); }
  void set(Register r, const Loads& value, const Loads& pick = {}) {
    of_register[r] = value;
    picked[r] = pick;
  }

  bool within(const core::Shadow& later, const Inside& inside) const override {
    const auto& o = static_cast<const Dependencies&>(later);
    const auto covered = [&](const Loads& mine, const Loads& theirs) {
      return mine.empty() || inside(list(mine), list(theirs));
    };
    for (std::size_t r = 0; r < of_register.size(); ++r)
      if (!covered(of_register[r], o.of_register[r]) || !covered(picked[r], o.picked[r])) return false;
    for (const auto& [where, pick] : stored_)
      if (!covered(pick, o.stored_at(where))) return false;
    return std::ranges::includes(list(o.control), list(control)) || covered(control, o.control);
  }

  // Pick dependencies go through memory, to what the thread loads where it has stored last.
  Loads stored_at(const core::Loc& loc) const {
    Loads all;
    for (const auto& [where, pick] : stored_)
      if (where.overlaps(loc)) all |= pick;
    return all;
  }
  void store(const core::Loc& loc, const Loads& pick) {
    std::erase_if(stored_, [&](const auto& s) { return s.first.overlaps(loc); });
    if (!pick.empty()) stored_.emplace_back(loc, pick);
  }

 private:
  std::vector<std::pair<core::Loc, Loads>> stored_;
};

LitmusProgram::LitmusProgram(const Test& test, unsigned unroll) : test_(test), unroll_(unroll) {
  for (const Variable& v : test.variables) {
    core::GlobalObject object;
    object.name = v.name;
    const std::uint32_t size = v.type.size;
    object.size = static_cast<std::uint32_t>(v.initial.size()) * size;
    object.bytes.resize(object.size);
    for (std::uint32_t i = 0; i < v.initial.size(); ++i) {
      std::memcpy(object.bytes.data() + std::size_t{i} * size, &v.initial[i].bits, size);
      if (v.initial[i].pointer) object.pointers.push_back(i * size);
    }
    globals_.push_back(std::move(object));
  }
  std::set<unsigned> sizes;
  core::Site site = 0;
  for (const ThreadCode& t : test.threads) {
    first_site_.push_back(site);
    site += static_cast<core::Site>(t.ops.size());
    for (const Op& op : t.ops)
      if (op.kind == OpKind::Load || op.kind == OpKind::Store || op.kind == OpKind::Rmw) sizes.insert(op.size);
  }
  mixed_ = sizes.size() > 1;
}

core::Features LitmusProgram::features() const {
  return {.pending_loads = true, .dependencies = true, .success_counts = success_counts(), .mixed_sizes = mixed_};
}

std::vector<core::Program::Entry> LitmusProgram::initial_threads() const {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < test_.threads.size(); ++i) entries.push_back({i, {}});
  return entries;
}

void LitmusProgram::start(std::uint32_t entry, core::Value, core::Tid, core::Local& local, core::Shadow* shadow) const {
  const ThreadCode& code = test_.threads[entry];
  local.assign(Frame::head + Frame::each * code.registers.size(), std::byte{0});
  Frame frame(local);
  frame.set_thread(static_cast<std::uint16_t>(entry));
  for (std::size_t r = 0; r < code.registers.size(); ++r) frame.set(static_cast<Register>(r), code.initial[r]);
  auto* deps = static_cast<Dependencies*>(shadow);
  if (deps != nullptr) {
    deps->of_register.assign(code.registers.size(), {});
    deps->picked.assign(code.registers.size(), {});
    deps->control = {};
    deps->loads = 0;
  }
  run(frame, deps);
}

// Runs operations that no other thread sees; rests before a request, or before an operation that awaits a load.
void LitmusProgram::run(Frame& frame, Dependencies* deps) const {
  const ThreadCode& code = test_.threads[frame.thread()];
  const std::size_t most = silent_steps + code.ops.size();
  for (std::size_t steps = 0;; ++steps) {
    const std::uint32_t pc = frame.pc();
    const Op& op = code.ops[pc];
    if (op.kind != OpKind::Compute && op.kind != OpKind::Select && op.kind != OpKind::Branch && op.kind != OpKind::Jump)
      return;
    if (frame.awaited(op) != no_register) return;
    if (steps == most) return frame.set_stop(endless);
    std::uint32_t next = pc + 1;
    if (op.kind == OpKind::Compute) {
      if (const Stop fault = fault_of(op, frame.value(op.b)); fault != none) return frame.set_stop(fault);
      frame.set(op.dst, compute(op.alu, op.width, frame.value(op.a), frame.value(op.b)));
      if (deps != nullptr)
        deps->set(op.dst, deps->of(op.a) | deps->of(op.b), deps->picked_by(op.a) | deps->picked_by(op.b));
    } else if (op.kind == OpKind::Select) {
      const Operand& taken = frame.value(op.address).bits != 0 ? op.a : op.b;
      frame.set(op.dst, compute(Alu::Move, op.width, frame.value(taken), {}));
      if (deps != nullptr) deps->set(op.dst, deps->of(taken), deps->picked_by(taken) | deps->all(op.address));
    } else if (op.kind == OpKind::Jump) {
      next = op.target;
    } else {
      if (deps != nullptr) deps->control |= deps->all(op.a);
      const core::Value v = frame.value(op.a);
      if (v.bits != 0 || v.pointer) next = op.target;
    }
    if (next <= pc && unroll_ != 0) {
      if (frame.jumps() == unroll_) {
        met_bound_ = true;
        return frame.set_stop(bound_reached);
      }
      frame.set_jumps(frame.jumps() + 1);
    }
    frame.set_pc(next);
  }
}

core::Request LitmusProgram::request(core::ConstLocal local) const {
  const Frame frame = Frame::of(local);
  const Op& op = test_.threads[frame.thread()].ops[frame.pc()];
  core::Request r;
  r.site = first_site_[frame.thread()] + frame.pc();
  if (frame.stop() == bound_reached) {
    r.kind = core::Kind::Blocked;
    return r;
  }
  if (frame.stop() != none) {
    r.kind = core::Kind::Failed;
    return r;
  }
  if (const Register awaited = frame.awaited(op); awaited != no_register) {
    r.kind = core::Kind::Await;
    r.slot = awaited;
    return r;
  }
  r.order = op.order;
  r.failure = op.failure;
  r.tag = op.tag;
  r.exclusive = op.exclusive;
  switch (op.kind) {
    case OpKind::Load: r.kind = core::Kind::Load; break;
    case OpKind::Store: r.kind = core::Kind::Store; break;
    case OpKind::Rmw: r.kind = core::Kind::Rmw; break;
    case OpKind::Fence: r.kind = core::Kind::Fence; return r;
    default: r.kind = core::Kind::Ended; return r;
  }
  const core::Value address = frame.address(op);
  r.loc = {address.object(), address.offset(), op.size};
  if (!address.pointer || address.object() == 0 || address.object() > globals_.size() ||
      std::uint64_t{address.offset()} + op.size > globals_[address.object() - 1].size) {
    r.kind = core::Kind::Failed;
    return r;
  }
  if (address.offset() % op.size != 0) met_misaligned_ = true;
  r.slot = op.dst == no_register ? core::Slot{0} : op.dst;
  r.op = op.rmw;
  r.weak = op.weak;
  r.waits = op.waits;
  r.value = frame.value(op.a);
  if (!r.value.pointer) r.value.bits &= core::size_mask(op.size);
  r.expected = frame.value(op.b);
  if (!r.expected.pointer) r.expected.bits &= core::size_mask(op.size);
  return r;
}

// What an access that is answered, and has written or not, makes of dependencies. Its registers are still as they were.
// False: there are more loads than can be told apart.
bool LitmusProgram::depend(const Frame& frame, const Op& op, bool wrote, Dependencies& deps) const {
  const bool reads = op.kind == OpKind::Load || op.kind == OpKind::Rmw;
  const bool succeeds = op.kind == OpKind::Store && op.exclusive && wrote && success_counts();
  if (!reads && op.kind != OpKind::Store) return true;
  if ((reads || succeeds) && deps.loads == Loads::capacity) return false;
  const Loads self = Loads::single(deps.loads), expected = deps.of(op.b), compared = self | deps.all(op.b);
  const Loads pick = op.kind == OpKind::Load ? Loads{} : deps.picked_by(op.a) | deps.all(op.b);
  const core::Value address = frame.address(op);
  const core::Loc loc{address.object(), address.offset(), op.size};
  deps.control |= deps.picked_by(op.address) | deps.picked_by(op.offset);
  if (reads) {
    if (op.dst != no_register) {
      const Loads through = deps.stored_at(loc);
      if (op.status == no_register) deps.set(op.dst, self, through);
      else deps.set(op.dst, wrote ? expected : self, compared | through);
    }
    if (op.status != no_register) deps.set(op.status, {}, compared);
  } else if (op.exclusive && op.dst != no_register) {
    deps.set(op.dst, succeeds ? self : Loads{});
  }
  if (wrote) deps.store(loc, pick);
  if (reads || succeeds) ++deps.loads;
  return true;
}

void LitmusProgram::resume(core::Local& local, const core::Answer& answer, core::Shadow* shadow) const {
  Frame frame(local);
  auto* deps = static_cast<Dependencies*>(shadow);
  const Op& op = test_.threads[frame.thread()].ops[frame.pc()];
  const bool reads = op.kind == OpKind::Load || op.kind == OpKind::Rmw;
  bool wrote = op.kind == OpKind::Rmw || (op.kind == OpKind::Store && (!op.exclusive || answer.value.bits != 0));
  if (op.kind == OpKind::Rmw && op.rmw == core::RmwOp::Cas) {
    const core::Value expected = frame.value(op.b);
    wrote = !answer.spurious && core::cas_succeeds(answer.value, expected, op.size) &&
            answer.value.pointer == expected.pointer;
    if (op.status != no_register) frame.set(op.status, core::Value(wrote ? 1 : 0));
  }
  if (deps != nullptr && !depend(frame, op, wrote, *deps)) {
    frame.set_stop(endless);
    return;
  }
  if (reads && op.dst != no_register) {
    const int sign = !op.sign_extend ? 0
                     : op.size == 1  ? signed8
                     : op.size == 2  ? signed16
                     : op.size == 4  ? signed32
                                     : 0;
    frame.set(op.dst, extend(answer.value, static_cast<std::uint8_t>(sign)));
  }
  if (op.kind == OpKind::Store && op.exclusive && op.dst != no_register)
    frame.set(op.dst, core::Value(answer.value.bits != 0 ? op.on_success : op.on_failure));
  frame.set_pc(frame.pc() + 1);
  run(frame, deps);
}

void LitmusProgram::defer(core::Local& local) const {
  Frame frame(local);
  const Op& op = test_.threads[frame.thread()].ops[frame.pc()];
  const int sign = !op.sign_extend ? 0 : op.size == 1 ? signed8 : op.size == 2 ? signed16 : op.size == 4 ? signed32 : 0;
  if (op.dst != no_register) frame.set(op.dst, {}, pending | sign);
  frame.set_pc(frame.pc() + 1);
  run(frame, nullptr);
}

void LitmusProgram::deliver(core::Local& local, core::Slot slot, const core::Answer& answer) const {
  Frame frame(local);
  frame.set(slot, extend(answer.value, frame.marks(slot)));
  run(frame, nullptr);
}

std::unique_ptr<core::Shadow> LitmusProgram::make_shadow() const { return std::make_unique<Dependencies>(); }
std::unique_ptr<core::Shadow> LitmusProgram::copy_shadow(const core::Shadow& s) const {
  return std::make_unique<Dependencies>(static_cast<const Dependencies&>(s));
}

core::Deps LitmusProgram::deps(core::ConstLocal local, const core::Shadow& shadow) const {
  const Frame frame = Frame::of(local);
  const Op& op = test_.threads[frame.thread()].ops[frame.pc()];
  const auto& d = static_cast<const Dependencies&>(shadow);
  core::Deps deps;
  Loads control = d.control;
  const bool writes = op.kind == OpKind::Store || op.kind == OpKind::Rmw;
  if (op.kind == OpKind::Load || writes) {
    deps.addr = list(d.of(op.address) | d.of(op.offset));
    control |= d.picked_by(op.address) | d.picked_by(op.offset);
  }
  if (writes) {
    deps.data = list(d.of(op.a));
    control |= d.picked_by(op.a) | d.all(op.b);
  }
  deps.ctrl = list(control);
  return deps;
}

void LitmusProgram::visit_pointers(core::Local& local, const std::function<void(core::Value&)>& visit) const {
  Frame frame(local);
  const auto count = static_cast<Register>(test_.threads[frame.thread()].registers.size());
  for (Register r = 0; r < count; ++r) {
    if (!(frame.marks(r) & is_address)) continue;
    core::Value v = frame.value(r);
    visit(v);
    frame.set(r, v);
  }
}

core::Failure LitmusProgram::failure(core::ConstLocal local) const {
  const Frame frame = Frame::of(local);
  const core::Site site = first_site_[frame.thread()] + frame.pc();
  if (frame.stop() == endless)
    return {"endless-loop", "the thread runs for ever, or loads more than 256 times, without coming to an end", site};
  if (frame.stop() == divided_by_zero) return {"division", "a division by zero", site};
  if (frame.stop() == shifted_too_far) return {"shift", "a shift by less than zero or by the whole width", site};
  return {"wild-access", "the address is not inside a variable of the test", site};
}

core::SourcePlace LitmusProgram::place(core::Site site) const {
  std::uint32_t thread = 0;
  while (thread + 1 < first_site_.size() && first_site_[thread + 1] <= site) ++thread;
  if (site == core::no_site || thread >= test_.threads.size()) return {};
  const Op& op = test_.threads[thread].ops[site - first_site_[thread]];
  return {test_.file, op.line, op.column, thread_name(thread), op.text};
}

std::string LitmusProgram::location_name(const core::Loc& loc, core::ConstLocal) const {
  if (loc.object == 0 || loc.object > test_.variables.size()) return "?";
  const Variable& v = test_.variables[loc.object - 1];
  if (!v.array && loc.offset == 0 && loc.size == v.type.size) return v.name;
  if (v.array && loc.size == v.type.size && loc.offset % loc.size == 0)
    return fmt::format("{}[{}]", v.name, loc.offset / loc.size);
  return fmt::format("{}+{}/{}", v.name, loc.offset, loc.size);
}

std::string LitmusProgram::thread_name(std::uint32_t entry) const { return fmt::format("P{}", entry); }

std::vector<core::SourcePlace> LitmusProgram::stack(core::ConstLocal local) const {
  const Frame frame = Frame::of(local);
  return {place(first_site_[frame.thread()] + frame.pc())};
}

core::Value LitmusProgram::register_value(core::ConstLocal local, Register r) const {
  return Frame::of(local).value(r);
}
std::uint32_t LitmusProgram::thread_of(core::ConstLocal local) { return Frame::of(local).thread(); }

}  // namespace heddle::lang::litmus
