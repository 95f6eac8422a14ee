// SPDX-License-Identifier: Apache-2.0
#include "memory/machine.h"

#include "core/rmw.h"

namespace heddle::memory {
namespace {

bool is_barrier(const Entry& e) { return e.kind != Entry::Kind::Store && e.kind != Entry::Kind::Load; }

// Barriers that nothing (or nothing that concerns them) stands in front of have done their work.
void drop_idle_barriers(Buffer& buffer) {
  bool stores = false;
  bool loads = false;
  bool after_mark = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    const Entry e = buffer[i];
    const bool idle = (e.kind == Entry::Kind::Mark && (!(stores || loads) || after_mark)) ||
                      (e.kind == Entry::Kind::WaitAll && !(stores || loads)) ||
                      (e.kind == Entry::Kind::WaitLoads && !loads);
    if (idle) continue;
    stores |= e.kind == Entry::Kind::Store;
    loads |= e.kind == Entry::Kind::Load;
    after_mark = e.kind == Entry::Kind::Mark;
    buffer[kept++] = e;
  }
  buffer.resize(kept);
}

bool finds_what_it_waits_for(const core::Request& request, const core::Answer& answer) {
  return !request.waits || answer.fault != core::Fault::None || core::wait_over(request, answer.value);
}

Performed rmw_on_memory(Cells& memory, const core::Request& request) {
  Performed done;
  done.answer = memory.read(request.loc);
  if (done.answer.fault != core::Fault::None) return done;
  if (!finds_what_it_waits_for(request, done.answer)) return {.outcome = Outcome::NotNow};
  if (!wrote(request, done.answer.value)) return done;
  const core::Value next = request.op == core::RmwOp::Cas
                               ? request.value
                               : core::rmw_result(request.op, done.answer.value, request.value, request.loc.size);
  done.answer.fault = memory.write(request.loc, next);
  return done;
}

}  // namespace

bool wrote(const core::Request& request, const core::Value& old) {
  return request.op != core::RmwOp::Cas || core::cas_succeeds(old, request.expected, request.loc.size);
}

Performed perform_on_memory(Cells& memory, const core::Request& request) {
  Performed done;
  switch (request.kind) {
    case core::Kind::Load:
      done.answer = memory.read(request.loc);
      return finds_what_it_waits_for(request, done.answer) ? done : Performed{.outcome = Outcome::NotNow};
    case core::Kind::Store: done.answer.fault = memory.write(request.loc, request.value); return done;
    case core::Kind::Rmw: return rmw_on_memory(memory, request);
    default: return done;
  }
}

Performed load_through_buffer(const Buffer& buffer, Cells& memory, const core::Request& request) {
  const Seen seen = see(buffer, memory, request.loc);
  if (!finds_what_it_waits_for(request, seen.answer)) return {.outcome = Outcome::NotNow};
  Performed done{.answer = seen.answer, .from_buffer = seen.from_buffer};
  done.cost.wr = buffer.empty() ? 0 : 1;
  return done;
}

void drop_entries(Buffer& buffer, std::uint32_t object) {
  if (std::erase_if(buffer, [&](const Entry& e) { return e.loc.size != 0 && e.loc.object == object; }) > 0)
    drop_idle_barriers(buffer);
}

Flushed perform_entry(Buffer& buffer, Cells& memory, unsigned index) {
  const Entry entry = buffer[index];
  Flushed result;
  bool older_store = false;
  bool older_load = false;
  bool barrier = false;
  for (unsigned i = 0; i < index; ++i) {
    older_store |= buffer[i].kind == Entry::Kind::Store;
    older_load |= buffer[i].kind == Entry::Kind::Load;
  }
  for (const Entry& e : buffer) barrier |= is_barrier(e);
  result.cost.r = older_load ? 1 : 0;
  if (entry.kind == Entry::Kind::Store) {
    result.cost.ww = older_store ? 1 : 0;
    result.fault = memory.write(entry.loc, entry.value);
  } else {
    result.cost.wr = older_store ? 1 : 0;
    result.deliver = entry.slot;
    result.answer = memory.read(entry.loc);
  }
  unsigned end = index + 1;
  for (; end < buffer.size() && buffer[end].joined && result.fault == core::Fault::None; ++end)
    result.fault = memory.write(buffer[end].loc, buffer[end].value);
  buffer.erase(buffer.begin() + index, buffer.begin() + end);
  if (barrier) drop_idle_barriers(buffer);
  return result;
}

}  // namespace heddle::memory
